package mcptool

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/strictjson"
)

// Prompter is a Session whose client is asked on the answer to one of its requests,
// without a goroutine that waits for what it says.
type Prompter interface {
	Session
	// Prompt sends the client a request on the answer to the one with this header, as
	// long as that lasts. said is called once, with what the client answers or why it
	// will not: its error (*jsonrpc.Error), or that the session has ended. takeBack tells
	// the client that nothing is asked any more; after it said is not called, unless it
	// is being called.
	Prompt(request http.Header, method string, params json.RawMessage, said func(result json.RawMessage, err error)) (takeBack func(), err error)
}

// reply is what a client says to a question.
type reply struct {
	action  string
	content json.RawMessage
	err     error // it says none
}

// send asks the client on the open call: on the stream of the call where we serve that
// ourselves, and else by the SDK.
func (c client) send(ctx context.Context, params *mcp.ElicitParams, said func(reply)) (takeBack func(), err error) {
	prompter, ok := ctx.Value(sessionKey{}).(Prompter)
	if !ok || c.header == nil || params.Mode != string(parley.Form) {
		return c.sendBySDK(ctx, params, said), nil
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	return prompter.Prompt(c.header, "elicitation/create", raw, func(result json.RawMessage, err error) { said(readReply(result, err)) })
}

// replyDepth is how deep an answer may be nested: fields of forms are flat.
const replyDepth = 64

// readReply reads what a client answered as everybody reads it. What is no answer has
// no action, which the hub refuses.
func readReply(result json.RawMessage, err error) reply {
	if err != nil {
		return reply{err: err}
	}
	parts, err := strictjson.Parts(result, replyDepth)
	if err != nil {
		return reply{}
	}
	var r reply
	for _, part := range parts {
		switch {
		case part.Name == "action":
			_ = json.Unmarshal(part.Value, &r.action)
		case part.Name == "content" && string(part.Value) != "null":
			r.content = part.Value
		}
	}
	return r
}

// sendBySDK asks by a call of the SDK's, which blocks.
func (c client) sendBySDK(ctx context.Context, params *mcp.ElicitParams, said func(reply)) (takeBack func()) {
	asking, stop := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer stop()
		result, err := c.connection.Elicit(asking, params)
		taken := asking.Err() != nil
		close(over)
		switch {
		case taken:
		case err != nil:
			said(reply{err: err})
		default:
			said(replyOf(result))
		}
	}()
	return func() {
		select {
		case <-over:
			return // nothing is on the screen any more
		default:
		}
		stop()
		<-over
		time.Sleep(sayingTime)
	}
}

// sayingTime is how long a call lasts at least after its question was taken back: the
// SDK says so on the call's own stream, and in its own time.
const sayingTime = 100 * time.Millisecond

func replyOf(result *mcp.ElicitResult) reply {
	r := reply{action: result.Action}
	if content := takeContent(result); content != nil {
		r.content, r.err = json.Marshal(content)
	}
	return r
}

// prompt is a question on the screen of a client, or on its way there.
type prompt struct {
	run    *run
	q      *question
	opened *parley.Request
	giveUp context.CancelCauseFunc // ends the waiting of the call: nobody can answer here

	mu       sync.Mutex
	over     bool // nothing is asked any more
	answered bool // on this prompt, not on an earlier one for the same question
	retries  int
	asked    int           // how often it was put on the screen
	hearing  chan struct{} // closed when what the client said last was passed on; nil: it said nothing
	takeBack func()        // nil: nothing is on the screen
	forget   func()        // of the deaths of other nodes
	atEnd    func()
}

// show asks the client. The question outlives the call: whoever gives up after a
// minute may still answer what is on the screen, and the same call then finds the
// answer.
func (r *run) show(ctx context.Context, q *question, opened *parley.Request, giveUp context.CancelCauseFunc) *prompt {
	p := &prompt{run: r, q: q, opened: opened, giveUp: giveUp, retries: q.opts.Retries}
	ctx = context.WithoutCancel(ctx)
	p.mu.Lock()
	p.forget = r.asker.node.OnDeath(func() {
		if r.asker.relayed.Load() {
			p.again(ctx)
		}
	})
	p.mu.Unlock()
	p.ask(ctx, "")
	return p
}

// ask puts the question on the screen, with what was wrong with the last answer.
func (p *prompt) ask(ctx context.Context, wrong string) {
	r := p.run
	params := r.client.elicitation(r.asker, *p.opened)
	if p.opened.Mode == parley.URL {
		params.ElicitationID = string(p.opened.ID)
	}
	if wrong != "" {
		params.Message += "\n\n" + wrong
	}
	p.mu.Lock()
	if p.over || p.takeBack != nil {
		p.mu.Unlock()
		return
	}
	p.answered = false
	p.asked++
	nth := p.asked
	var err error
	p.takeBack, err = r.client.send(ctx, params, func(said reply) { p.hear(ctx, nth, said) })
	p.mu.Unlock()
	if err != nil {
		p.hear(ctx, nth, reply{err: err})
	}
}

// again takes the question back and asks it once more. Where clients are reached by
// way of other nodes, an answer that was on its way by one that has died is lost, and no
// client sends it again.
func (p *prompt) again(ctx context.Context) {
	p.mu.Lock()
	takeBack := p.takeBack
	p.takeBack = nil
	p.mu.Unlock()
	if takeBack == nil {
		return
	}
	takeBack()
	p.run.asker.opts.Logger.InfoContext(ctx, "question asked again: a node has died", "id", p.opened.ID)
	p.ask(ctx, "")
}

// hear passes on what the client says, and asks again with the reason where its answer
// does not fit, as often as the question says. What it says to one that was taken back
// and asked again while its answer came counts as well.
func (p *prompt) hear(ctx context.Context, nth int, said reply) {
	ctx, cancel := context.WithDeadline(ctx, p.opened.Expires)
	defer cancel()
	heard := make(chan struct{})
	defer close(heard)
	p.mu.Lock()
	if p.hearing = heard; nth == p.asked {
		p.takeBack = nil
	}
	visits := p.opened.Mode == parley.URL && !p.q.consent && said.action == string(parley.Accept)
	p.answered = said.err == nil && !visits
	last := p.retries <= 0
	p.retries--
	p.mu.Unlock()
	switch {
	case said.err != nil:
		p.end(p.run.undeliverable(ctx, p.q, p.opened, said.err))
	case visits:
		p.end(nil) // the person went there; the answer comes from there
	default:
		answer := parley.Answer{Action: parley.Action(said.action), Content: said.content, Via: viaClient}
		wrong, err := p.run.answer(ctx, p.q, p.opened, answer, last)
		if err == nil && wrong != "" {
			p.ask(context.WithoutCancel(ctx), wrong)
			return
		}
		p.end(err)
	}
}

// takeOff ends the asking, and returns when all that the client said is passed on.
func (p *prompt) takeOff() {
	p.end(nil)
	p.mu.Lock()
	hearing := p.hearing
	p.mu.Unlock()
	if hearing != nil {
		<-hearing
	}
}

// end is the end of the asking: the question is taken off the screen, if it is there.
// With an error nobody can answer here. It returns when the client was told.
func (p *prompt) end(err error) {
	p.mu.Lock()
	takeBack, forget, atEnd := p.takeBack, p.forget, p.atEnd
	p.over, p.takeBack, p.atEnd = true, nil, nil
	p.mu.Unlock()
	forget()
	if err != nil {
		p.giveUp(p.q.left(err))
	}
	if atEnd != nil {
		atEnd()
	}
	if takeBack != nil {
		takeBack()
	}
}

// wasAnswered reports whether the client's answer to this prompt was given to the hub.
func (p *prompt) wasAnswered() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answered
}

// closeLater takes the prompt of a call that has ended off the screen when its
// question is settled elsewhere.
func (p *prompt) closeLater(ctx context.Context) {
	ctx, cancel := context.WithDeadline(context.WithoutCancel(ctx), p.opened.Expires)
	defer cancel()
	p.mu.Lock()
	over := p.over
	p.atEnd = cancel
	p.mu.Unlock()
	if over {
		return
	}
	_, _ = p.run.asker.hub.Wait(ctx, p.opened.ID)
	p.end(nil)
}
