package mcpcall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

// Call is one call on its way to a server and back. Its methods run again,
// from the start, whenever a question was answered: what they have done is in
// the call's journal.
type Call struct {
	Journal
	Past   Past   // default: none
	Client Client // default: one that shows all questions and is told nothing

	Who       Person
	Target    Target
	Arguments json.RawMessage // of tools/call
	Params    json.RawMessage // of the request, for the server
	// Unruled are those of a call that needs no approval. Default Params.
	Unruled  json.RawMessage
	Progress bool // the client wants to hear of it
	// ID names this very call for permit. Default: one that the journal keeps.
	ID string
	// Callable says whether a tool may be called that was not known before. Default: it may.
	Callable func(Target) error
	// Begun is the request that was made for this call already, and whether one
	// was: nil and true if nobody waits for it any more. Default: none was.
	Begun func() (*Request, bool)
	// Inline asks while an older server waits on its connection. Default: the call
	// is parked. The server is told the text of an *mcpclient.Error.
	Inline func(ctx context.Context, key string, q parley.Request) (parley.Outcome, error)
	// Renamed is who calls once the call is in its journal, where that has a name
	// of its own. Default: nobody else.
	Renamed func() Person

	calls    *Calls
	rounds   []round
	made     bound    // what was called, once it was
	recalled *Reply   // what the server said first, if Aim found it in the journal
	begunBy  *Request // that was made for this call already; nil: none
	parked   string   // the parked call that it waited for last
	retained *Request
	approved *permit.Call // what is used up right before the call; nil: nothing is
	unasked  *permit.Call // what is made although nobody could be asked; nil: nothing is
	grant    string       // the permission that lets it through
	sent     bool         // it was let through just now
	change   change       // with what it is made, if whoever approved it changed it

	permitID, permitSession string       // the call as permit knows it
	before                  permit.Asked // who was asked about it when it ran before

	unapproved parley.Action // how the person left the question for an approval, if not by an answer
}

// Call fills in what c leaves out.
func (g *Calls) Call(c Call) *Call {
	c.calls = g
	if c.Past == nil {
		c.Past = noPast{}
	}
	if c.Client == nil {
		c.Client = noClient{}
	}
	return &c
}

// round is a reply of the server's that asks, with what the person said.
type round struct {
	reply   Reply
	answers []answer
}

// Reply is what a server said to a request, as a journal keeps it: a result, an
// error, or questions.
type Reply struct {
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

func (r Reply) asks() bool { return len(r.Ask) > 0 }

// Asks reports whether it asks for something.
func (r Reply) Asks() bool { return r.asks() }

// Slim is r without what its questions show, for a journal whose owner keeps the
// questions that were asked.
func (r Reply) Slim() Reply {
	r.Ask = slices.Clone(r.Ask)
	for i := range r.Ask {
		r.Ask[i].Message, r.Ask[i].Schema = "", nil
	}
	return r
}

// wantsTime reports whether the server says nothing but that it is to be asked
// again.
func (r Reply) wantsTime() bool {
	return !r.asks() && r.Result == nil && r.Error == nil && r.Failed == ""
}

// maxRounds is how often a server may ask during one call.
const maxRounds = 20

// Run makes the call and returns the server's last word. If it was changed on its
// way, that comes first.
func (c *Call) Run(ctx context.Context) (Reply, error) {
	r, err := c.run(ctx)
	c.recordEnd(ctx, r, err)
	return c.change.tell(r, err)
}

func (c *Call) run(ctx context.Context) (Reply, error) {
	r, err := c.first(ctx)
	for n := 1; err == nil && r.asks(); n++ {
		if n > maxRounds {
			c.abandon(r)
			return Reply{}, Failed("%s", c.Target.endless())
		}
		var answers []answer
		if answers, err = c.answers(ctx, n, r); err != nil {
			err = c.unstored(ctx, err)
			over := ctx.Err() == nil || errors.Is(context.Cause(ctx), mcptool.ErrGivenUp)
			if !errors.Is(err, mcptool.ErrSuspended) && over && !c.goesOn(err) {
				c.abandon(r)
			}
			return Reply{}, err
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
		err = Failed("%s", r.Failed)
	}
	return r, err
}

// unstored turns a fault of ours behind the server's first word into what is known
// then. The journal stays: the same call goes on with it.
func (c *Call) unstored(ctx context.Context, err error) error {
	var told *Failure
	if ctx.Err() != nil || errors.As(err, &told) || !mcptool.Fault(err) {
		return err
	}
	id := mcptool.NewErrorID()
	c.calls.opts.Logger.ErrorContext(ctx, "call under way not written down", "server", c.Target.Server.Name, "tool", c.Target.Name, "errorId", id, "err", err)
	text := fmt.Sprintf("%s has the call, and what it needs cannot be kept just now (%s)", c.Target.Server.Label(), id)
	if c.Target.Tool.Repeatable() {
		return &mcptool.LaterError{Text: text + ". It may be called again."}
	}
	return &mcptool.LaterError{Text: text + ": whether the call was carried out is not known. Find out before you call it again."}
}

// goesOn reports whether the same call can go on with this one, which ended so.
func (c *Call) goesOn(err error) bool {
	var later *mcptool.LaterError
	return errors.As(err, &later) && c.Who.User != ""
}

// first returns what the server said first: from the journal, from the request
// that the shortcut began, or by making the call.
func (c *Call) first(ctx context.Context) (Reply, error) {
	defer c.adopt()
	r, known, err := c.earlier(ctx)
	if known || err != nil {
		return r, err
	}
	if c.begunBy != nil {
		r, err = c.follow(ctx, c.begunBy)
	} else {
		if err := c.Admit(ctx); err != nil {
			return Reply{}, err
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
			return Reply{}, err
		}
		r, err = c.send(ctx)
	}
	if err == nil && r.wantsTime() {
		r, err = c.again(ctx, r, nil)
	}
	if errors.As(err, &required) {
		return Reply{}, c.unaccepted()
	}
	if err != nil || !r.asks() {
		return r, err
	}
	return c.asked(ctx, r)
}

// Clear asks for the credential and for the approval that the call needs. Nobody
// notices anything of it but whoever is asked, so it may be done before Run: what
// Run does first then is to use the approval up.
func (c *Call) Clear(ctx context.Context) error {
	if err := c.EnsureCredential(ctx); err != nil {
		return err
	}
	if err := c.identify(ctx); err != nil {
		return err
	}
	return c.approve(ctx)
}

// Admit clears the call and uses up what it was approved by. Another call for the same
// thing may have done so first: then it is asked about anew. What comes after it is the
// call, and Run does it by itself.
func (c *Call) Admit(ctx context.Context) error {
	for range maxRounds {
		if err := c.Clear(ctx); err != nil {
			return err
		}
		if err := c.consume(ctx); !errors.Is(err, errUsedUp) {
			return err
		}
	}
	return Failed("What allows %s is used up by other calls; the call was given up.", c.Target.Name)
}

// asked keeps the first word of a server that asks.
func (c *Call) asked(ctx context.Context, r Reply) (Reply, error) {
	// The same call may have been made before and given up, and its server may
	// still wait: then that one goes on, and this one never was.
	if err := c.Past.TakeUp(ctx); err != nil {
		c.calls.parking.forget(r.Parked) // its server hears no answer: nobody was asked
		return Reply{}, c.unstored(ctx, err)
	}
	if earlier, known, err := c.begun(); known || err != nil {
		c.abandon(r)
		return earlier, err
	}
	c.bind(&r)
	err := c.unstored(ctx, c.keep(ctx, 0, r))
	if err != nil && ctx.Err() == nil && !c.goesOn(err) {
		c.abandon(r)
	}
	return r, err
}

// identify finds out what the tool is, if that could not be known before the
// person had connected: the rules go by it.
func (c *Call) identify(ctx context.Context) error {
	if c.Target.Method != "tools/call" || c.Target.Tool.Name != "" || c.calls.opts.Identify == nil {
		return nil
	}
	t, err := c.calls.opts.Identify(ctx, c.Who, c.Target)
	var refused *vault.RequiredError
	if err == nil && t.Tool.Name == "" && errors.As(c.calls.Credential(ctx, c.Who, c.Target.Server), &refused) {
		// The server refused what the person has just given.
		if err := c.reconnect(ctx, refused); err != nil {
			return err
		}
		t, err = c.calls.opts.Identify(ctx, c.Who, c.Target)
	}
	if err != nil {
		return err
	}
	if t.Tool.Name == "" {
		return Failed("The tools of %s cannot be listed just now.", c.Target.Server.Label())
	}
	c.Target = t
	if c.Callable != nil {
		return c.Callable(t)
	}
	return nil
}

// regardless is ctx for what is done whether or not the client waits. Who runs the
// call itself, and not for a client, ends it by its context.
func (c *Call) regardless(ctx context.Context) context.Context {
	if c.Inline != nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

func roundName(n int) string { return fmt.Sprintf("round%d", n) }

// follow reads what comes back until the server has an answer or a question. What
// it asks as it did in the rounds of said is answered as then.
func (c *Call) follow(ctx context.Context, f *Request, said ...round) (Reply, error) {
	f.Contact = c.Client.Contact()
	asking := c.newInline(f)
	defer asking.end()
	for {
		m, err := f.Next(ctx)
		if err != nil {
			f.Close()
			return Reply{}, c.broken(ctx, err)
		}
		r, waiting, err := c.calls.read(ctx, f, m, c.Client.Progress)
		switch {
		case err != nil:
			f.Close()
			return Reply{}, c.broken(ctx, underway(err))
		case waiting != nil && len(said) > 0 && sameAsks(said[0].reply.Ask, r.Ask):
			if err := f.reply(ctx, waiting, said[0].answers[0].result(), nil); err != nil {
				f.Close()
				return Reply{}, c.broken(ctx, underway(err))
			}
			said = said[1:]
		case waiting != nil && c.Inline != nil:
			if err := asking.ask(ctx, r.Ask[0], waiting); err != nil {
				f.Close()
				return Reply{}, err
			}
		case m.Method == "notifications/cancelled":
			asking.takenBack(m.Params)
		case waiting != nil:
			return c.calls.parking.park(f, *r, waiting, len(c.rounds)), nil
		case r != nil:
			c.retain(f, *r)
			return *r, nil
		}
	}
}

// proceed gives the server the answers and returns what it says then.
func (c *Call) proceed(ctx context.Context, n int, before Reply, answers []answer) (Reply, error) {
	var r Reply
	if known, err := c.Recall(roundName(n), &r); errors.Is(err, mcptool.ErrNotKept) {
		return r, Failed("%s carried %s out, and its result was too large to be kept. Find out what came of it before you call it again.",
			c.Target.Server.Label(), c.Target.Name)
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
	again := func(ctx context.Context) (Reply, error) {
		// What the person answered is acted on whether or not the client waits.
		return c.again(c.regardless(ctx), before, answers)
	}
	if before.Visit {
		if err := c.visited(answers); err != nil {
			return Reply{}, err
		}
		again = func(ctx context.Context) (Reply, error) { return c.revisit(c.regardless(ctx), before) }
	}
	r, err := c.once(ctx, n, again)
	if err == nil && r.asks() {
		if _, err := c.Recall(roundName(n), &json.RawMessage{}); errors.Is(err, mcptool.ErrNotKept) {
			return r, c.unkept(r, parley.ErrTooLarge)
		}
	}
	return r, err
}

// once makes the call again after the nth answer, which is written down before and
// afterwards where it may do harm to make it once more, when this runs again.
func (c *Call) once(ctx context.Context, n int, again func(context.Context) (Reply, error)) (r Reply, err error) {
	ready := c.regardless(ctx)
	ready, cancel := context.WithTimeout(ready, visitTime)
	defer cancel()
	for pause := 250 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		if c.Target.Tool.Repeatable() { // twice does no harm
			if r, err = again(ctx); err == nil {
				err = c.keep(ctx, n, r)
			}
		} else {
			r, err = c.Once(ctx, roundName(n), again)
		}
		if errors.Is(err, mcptool.ErrInterrupted) {
			return Reply{}, Failed("%s was told the answer, and the node that did so died: whether %s was carried out is not known. Find out before you call it again.",
				c.Target.Server.Label(), c.Target.Name)
		}
		if !errors.Is(err, errNotReady) {
			return r, err
		}
		select {
		case <-ready.Done():
			return Reply{}, Failed("%s was not ready in time after the user had answered.", c.Target.Server.Label())
		case <-time.After(pause):
		}
	}
}

// keep writes down what the server asked after the nth answer, with the question that a
// known person is asked: it comes next. A result goes to who waits for it: the store has
// no say in that.
func (c *Call) keep(ctx context.Context, n int, r Reply) error {
	if !r.asks() {
		return nil
	}
	write := c.Remember
	if c.Who.IsPerson() && slices.ContainsFunc(r.Ask, func(q ask) bool { return q.Method == "" }) {
		write = c.Note
	}
	return c.unkept(r, write(ctx, roundName(n), r))
}

// over lets go of what the call leaves behind.
func (c *Call) over() {
	for _, r := range c.rounds {
		if r.reply.Parked != "" {
			c.calls.parking.forget(r.reply.Parked)
		}
	}
	if c.parked != "" {
		c.calls.parking.forget(c.parked)
	}
	c.leave()
}

// abandon ends a call whose question nobody will answer.
func (c *Call) abandon(r Reply) {
	if r.Parked != "" {
		c.calls.parking.end(r.Parked)
	}
}
