package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/vault"
)

// crossing is one call on its way to a server and back. Its methods run again,
// from the start, whenever a question was answered: what they have done is in
// the call's journal.
type crossing struct {
	gateway   *Gateway
	call      *mcptool.Call
	who       person
	target    target
	arguments json.RawMessage // of tools/call
	params    json.RawMessage
	progress  bool
	rounds    []round
	made      bound   // what was called, once it was
	begunBy   *flight // that the shortcut began for this request; nil: none
	parked    string  // the parked call that it waited for last
	retained  *flight

	unapproved parley.Action // how the person left the question for an approval, if not by an answer
}

// round is a reply of the server's that asks, with what the person said.
type round struct {
	reply   reply
	answers []answer
}

// reply is what a server said to a request, as a journal keeps it: a result, an
// error, or questions.
type reply struct {
	Of   *bound    `json:"of,omitempty"` // of the first reply: what was called
	Tool *keptTool `json:"tool,omitempty"`

	Result json.RawMessage  `json:"result,omitempty"`
	Error  *mcpclient.Error `json:"error,omitempty"`
	Failed string           `json:"failed,omitempty"` // the server did not answer: what the model is told

	Ask    []ask  `json:"ask,omitempty"`
	State  string `json:"state,omitempty"`  // the server's requestState
	Visit  bool   `json:"visit,omitempty"`  // it came with -32042: the call is to be made again
	Parked string `json:"parked,omitempty"` // the server waits on its connection: the parked call's id
	Base   int    `json:"base,omitempty"`   // Parked: how many rounds came before that call's first question
	Holder string `json:"holder,omitempty"` // Parked: the node that has the connection
}

func (r reply) asks() bool { return len(r.Ask) > 0 }

// maxRounds is how often a server may ask during one call.
const maxRounds = 20

// run makes the call and returns the server's last word.
func (c *crossing) run(ctx context.Context) (reply, error) {
	r, err := c.first(ctx)
	for n := 1; err == nil && r.asks(); n++ {
		if n > maxRounds {
			c.letGo(r)
			return reply{}, failed("%s", c.target.endless())
		}
		var answers []answer
		if answers, err = c.answers(ctx, n, r); err != nil {
			err = c.unstored(ctx, err)
			over := ctx.Err() == nil || errors.Is(context.Cause(ctx), mcptool.ErrGivenUp)
			if !errors.Is(err, mcptool.ErrSuspended) && over && !c.goesOn(err) {
				c.letGo(r)
			}
			return reply{}, err
		}
		if answers != nil {
			c.rounds = append(c.rounds, round{r, answers})
		}
		r, err = c.proceed(ctx, n, r, answers)
		err = c.unstored(ctx, err)
	}
	if err == nil {
		c.over()
	}
	if err == nil && r.Failed != "" {
		err = failed("%s", r.Failed)
	}
	return r, err
}

// unstored turns a fault of ours behind the server's first word into what is known
// then. The journal stays: the same call goes on with it.
func (c *crossing) unstored(ctx context.Context, err error) error {
	var told *failure
	if ctx.Err() != nil || errors.As(err, &told) || !mcptool.Fault(err) {
		return err
	}
	c.gateway.opts.Logger.ErrorContext(ctx, "call under way not written down", "server", c.target.server.Name, "tool", c.target.name, "err", err)
	text := c.target.server.Name + " has the call, and what it needs cannot be kept just now"
	if c.target.tool.repeatable() {
		return &mcptool.LaterError{Text: text + ". It may be called again."}
	}
	return &mcptool.LaterError{Text: text + ": whether the call was carried out is not known. Find out before you call it again."}
}

// goesOn reports whether the same call can go on with this one, which ended so.
func (c *crossing) goesOn(err error) bool {
	var later *mcptool.LaterError
	return errors.As(err, &later) && c.who.User != ""
}

// first returns what the server said first: from the journal, from the flight
// that the shortcut began, or by making the call.
func (c *crossing) first(ctx context.Context) (reply, error) {
	defer c.adopt()
	r, known, err := c.earlier(ctx)
	if known || err != nil {
		return r, err
	}
	if c.begunBy != nil {
		r, err = c.follow(ctx, c.begunBy)
	} else {
		if err := c.clear(ctx); err != nil {
			return reply{}, err
		}
		if r, known, err := c.begun(); known || err != nil {
			return r, err // an earlier call for the same thing was taken up
		}
		r, err = c.send(ctx)
	}
	var required *vault.RequiredError
	if errors.As(err, &required) {
		// The server refused the credential at the door (see broken): with another
		// the call is made for the first time.
		if err := c.reconnect(ctx, required); err != nil {
			return reply{}, err
		}
		r, err = c.send(ctx)
	}
	if errors.As(err, &required) {
		return reply{}, failed("%s does not accept the user's credential.", c.target.server.Name)
	}
	if err != nil || !r.asks() {
		return r, err
	}
	return c.asked(ctx, r)
}

// clear asks for the credential and for the approval that the call needs.
func (c *crossing) clear(ctx context.Context) error {
	if err := c.pass(ctx); err != nil {
		return err
	}
	if err := c.identify(ctx); err != nil {
		return err
	}
	return c.approve(ctx)
}

// asked keeps the first word of a server that asks.
func (c *crossing) asked(ctx context.Context, r reply) (reply, error) {
	// The same call may have been made before and given up, and its server may
	// still wait: then that one goes on, and this one never was.
	if err := c.call.TakeUp(ctx); err != nil {
		c.letGo(r)
		return reply{}, c.unstored(ctx, err)
	}
	if earlier, known, err := c.begun(); known || err != nil {
		c.letGo(r)
		return earlier, err
	}
	c.bind(&r)
	err := c.unstored(ctx, c.keep(ctx, 0, r))
	if err != nil && ctx.Err() == nil && !c.goesOn(err) {
		c.letGo(r)
	}
	return r, err
}

// identify finds out what the tool is, if that could not be known before the
// person had connected: the rules go by it.
func (c *crossing) identify(ctx context.Context) error {
	if c.target.method != "tools/call" || c.target.tool.name != "" {
		return nil
	}
	name := c.target.server.Name + separator + c.target.name
	t, err := c.gateway.lookUpTool(ctx, c.who, name)
	var refused *vault.RequiredError
	if err == nil && t.tool.name == "" && errors.As(c.gateway.credential(ctx, c.who, c.target.server), &refused) {
		// The server refused what the person has just given.
		if err := c.reconnect(ctx, refused); err != nil {
			return err
		}
		t, err = c.gateway.lookUpTool(ctx, c.who, name)
	}
	if err != nil {
		return err
	}
	if t.tool.name == "" {
		return failed("The tools of %s cannot be listed just now.", c.target.server.Name)
	}
	c.target = t
	return c.gateway.callable(c.call, t)
}

func roundName(n int) string { return fmt.Sprintf("round%d", n) }

// flight is the one that the shortcut began for this request, and whether it did.
func (c *crossing) flight() (f *flight, begun bool) {
	request := c.call.Request()
	if request == nil || request.Extra == nil || request.Extra.Header == nil {
		return nil, false
	}
	id := request.Extra.Header.Get(flightHeader)
	return c.gateway.flights.take(id), id != ""
}

// follow reads what comes back until the server has an answer or a question. What
// it asks as it did in the rounds of said is answered as then.
func (c *crossing) follow(ctx context.Context, f *flight, said ...round) (reply, error) {
	f.contact = c.call.Contact()
	for {
		m, err := f.next(ctx)
		if err != nil {
			f.close()
			return reply{}, c.broken(ctx, err)
		}
		r, waiting, err := c.gateway.read(ctx, f, m, c.call.Progress)
		switch {
		case err != nil:
			f.close()
			return reply{}, c.broken(ctx, underway(err))
		case waiting != nil && len(said) > 0 && sameAsks(said[0].reply.Ask, r.Ask):
			if err := f.reply(ctx, waiting, said[0].answers[0].result(), nil); err != nil {
				f.close()
				return reply{}, c.broken(ctx, underway(err))
			}
			said = said[1:]
		case waiting != nil:
			parked, err := c.gateway.parking.park(ctx, f, *r, waiting, len(c.rounds))
			return parked, c.unstored(ctx, err)
		case r != nil:
			c.retain(f, *r)
			return *r, nil
		}
	}
}

// proceed gives the server the answers and returns what it says then.
func (c *crossing) proceed(ctx context.Context, n int, before reply, answers []answer) (reply, error) {
	var r reply
	if known, err := c.call.Recall(roundName(n), &r); errors.Is(err, mcptool.ErrNotKept) {
		return r, failed("%s carried %s out, and its result was too large to be kept. Find out what came of it before you call it again.",
			c.target.server.Name, c.target.name)
	} else if known || err != nil {
		return r, err
	}
	if before.Parked != "" {
		r, err := c.unpark(ctx, n, before)
		if err == nil {
			err = c.keep(ctx, n, r)
		}
		return r, err
	}
	again := func(ctx context.Context) (reply, error) {
		// What the person answered is acted on whether or not the client waits.
		return c.again(context.WithoutCancel(ctx), before, answers)
	}
	if before.Visit {
		if err := c.visited(answers); err != nil {
			return reply{}, err
		}
		again = func(ctx context.Context) (reply, error) { return c.revisit(context.WithoutCancel(ctx), before) }
	}
	r, err := c.once(ctx, n, again)
	if err == nil && r.asks() {
		if _, err := c.call.Recall(roundName(n), &json.RawMessage{}); errors.Is(err, mcptool.ErrNotKept) {
			return r, c.unkept(r, parley.ErrTooLarge)
		}
	}
	return r, err
}

// once makes the call again after the nth answer, which is written down before and
// afterwards: when this runs again it is not made once more, unless that does no
// harm.
func (c *crossing) once(ctx context.Context, n int, again func(context.Context) (reply, error)) (r reply, err error) {
	ready := context.WithoutCancel(ctx)
	ready, cancel := context.WithTimeout(ready, visitTime)
	defer cancel()
	for pause := 250 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		r, err = mcptool.Once(ctx, c.call, roundName(n), again)
		if errors.Is(err, mcptool.ErrInterrupted) && c.target.tool.repeatable() {
			if r, err = again(ctx); err == nil {
				err = c.keep(ctx, n, r)
			}
		}
		if errors.Is(err, mcptool.ErrInterrupted) {
			return reply{}, failed("%s was told the answer, and the node that did so died: whether %s was carried out is not known. Find out before you call it again.",
				c.target.server.Name, c.target.name)
		}
		if !errors.Is(err, errNotReady) {
			return r, err
		}
		select {
		case <-ready.Done():
			return reply{}, failed("%s was not ready in time after the user had answered.", c.target.server.Name)
		case <-time.After(pause):
		}
	}
}

// keep writes down what the server asked after the nth answer. A result goes to
// who waits for it: the store has no say in that.
func (c *crossing) keep(ctx context.Context, n int, r reply) error {
	if !r.asks() {
		return nil
	}
	return c.unkept(r, c.call.Remember(ctx, roundName(n), r))
}

// over lets go of what the call leaves behind.
func (c *crossing) over() {
	for _, r := range c.rounds {
		if r.reply.Parked != "" {
			c.gateway.parking.forget(r.reply.Parked)
		}
	}
	if c.parked != "" {
		c.gateway.parking.forget(c.parked)
	}
	c.leave()
}

// letGo ends a call whose question nobody will answer.
func (c *crossing) letGo(r reply) {
	if r.Parked != "" {
		c.gateway.parking.end(r.Parked)
	}
}

// CallTool implements mcptool.Relay.
func (g *Gateway) CallTool(ctx context.Context, call *mcptool.Call, name string, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	who := g.callerOfCall(call)
	if result, ours, err := g.ownTool(ctx, call, who, name, arguments); ours {
		return result, err
	}
	c := &crossing{gateway: g, call: call, who: who, arguments: arguments, progress: wantsProgress(call)}
	err := c.aim(ctx, func(ctx context.Context) (target, error) {
		t, err := g.lookUpTool(ctx, who, name)
		if err == nil {
			err = g.callable(call, t)
		}
		return t, err
	})
	if err != nil {
		return toolFailure(err)
	}
	c.params = withMeta(callParams(c.target.name, arguments), metaOf(call), ofTrace)
	r, err := c.run(ctx)
	if err != nil {
		return toolFailure(err)
	}
	if r.Error != nil {
		return nil, errorFor(r.Error, call.Modern())
	}
	return c.target.toolResult(resultFor(call.Modern(), c.target.tool, g.withLinks(ctx, who, c.target.server, r.Result)))
}

func wantsProgress(call *mcptool.Call) bool {
	request := call.Request()
	return request != nil && request.Params.GetProgressToken() != nil
}

// GetPrompt implements mcptool.Relay.
func (g *Gateway) GetPrompt(ctx context.Context, call *mcptool.Call, name string, arguments map[string]string) (*mcp.GetPromptResult, error) {
	given, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	if arguments == nil {
		given = nil
	}
	c := &crossing{gateway: g, call: call, who: g.callerOfCall(call)}
	err = c.aim(ctx, func(ctx context.Context) (target, error) {
		s, own, ok, err := g.split(ctx, c.who.Tenant, name)
		if err == nil && !ok {
			err = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown prompt %.100q", name)}
		}
		return reading(s, "prompts/get", own), err
	})
	if err != nil {
		return nil, protocolFailure(err)
	}
	c.params = callParams(c.target.name, given)
	result := &mcp.GetPromptResult{}
	return result, c.read(ctx, result)
}

// ReadResource implements mcptool.Relay.
func (g *Gateway) ReadResource(ctx context.Context, call *mcptool.Call, uri string) (*mcp.ReadResourceResult, error) {
	c := &crossing{gateway: g, call: call, who: g.callerOfCall(call)}
	err := c.aim(ctx, func(ctx context.Context) (target, error) {
		s, own, ok, err := g.resourceOwner(ctx, c.who, uri)
		if err == nil && !ok {
			err = mcp.ResourceNotFoundError(uri)
		}
		return reading(s, "resources/read", own), err
	})
	if err != nil {
		return nil, protocolFailure(err)
	}
	own := c.target.name
	if c.params, err = json.Marshal(map[string]string{"uri": own}); err != nil {
		return nil, err
	}
	result := &mcp.ReadResourceResult{}
	err = c.read(ctx, result)
	for _, content := range result.Contents {
		if content != nil && content.URI == own {
			content.URI = uri // as it is called here: the server's own may be another server's
		}
	}
	result.CacheScope = cmp.Or(result.CacheScope, "private") // what one person may read another may not
	return result, err
}

// reading is the target of a request for something that is read, not done.
func reading(s Server, method, name string) target {
	yes := true
	return target{server: s, method: method, name: name, tool: tool{readOnly: &yes}}
}

// read makes a request for something that is read.
func (c *crossing) read(ctx context.Context, result any) error {
	r, err := c.run(ctx)
	switch {
	case err != nil:
		return protocolFailure(err)
	case r.Error != nil:
		return errorFor(r.Error, c.call.Modern())
	}
	if json.Unmarshal(c.gateway.withLinks(ctx, c.who, c.target.server, r.Result), result) != nil {
		return protocolFailure(failed("The server's result cannot be read."))
	}
	return nil
}
