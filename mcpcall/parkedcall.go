package mcpcall

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/crew"
	"github.com/parley-hq/parley/mcpclient"
)

// parkedCall is a call that this node holds.
type parkedCall struct {
	id      string
	all     *parking
	request *Request
	base    int // how many rounds of the call came before its first question
	life    crew.Life
	given   chan given // has one when there is an answer for which nobody was asked

	dirty chan struct{} // has one when there is a step to write

	mu        sync.Mutex
	limit     *time.Timer     // ends a call that nobody comes back for
	open      json.RawMessage // the server's id of the question that is open
	steps     []*Reply        // what the server said to each answer; nil: it is read from its record
	written   int             // how many of them are stored
	awaited   int             // how many wait for the next
	ended     bool            // there are no further ones
	forgotten bool            // its records go
	changed   chan struct{}   // closed with every step

	// Of keep, which writes.
	record  parkedRecord
	version int64
	tried   int // how many records may be there: the call's own, and those of its steps
}

// asking gives a question of the server's the id that ours will have.
func (p *parkedCall) asking(r Reply, question json.RawMessage) Reply {
	p.mu.Lock()
	p.open = question
	p.mu.Unlock()
	r.Parked, r.Base, r.Holder = p.id, p.base, p.all.calls.opts.Parked.Node()
	r.Ask[0].Question = parley.NewID()
	return r
}

func (p *parkedCall) address() parley.Address {
	return parley.Address{Tenant: p.request.Who.Tenant, Kind: parkedKind, Key: p.id}
}

// given is an answer for which nobody was asked.
type given struct {
	question parley.ID // that it is an answer to
	outcome  parley.Outcome
}

// run gives the server the answers to its questions, one after the other, and
// writes down what it says to each, until it is done.
func (p *parkedCall) run(ctx context.Context, question parley.ID) {
	messages := p.listen(ctx)
	var later []mcpclient.Message // questions that came while another was open
	for {
		r, err := p.settle(ctx, question, messages, &later)
		if ctx.Err() != nil {
			return // it was ended, or this node ends: nobody has answered
		}
		if err != nil {
			t := p.request.Target
			p.all.calls.opts.Logger.Warn("parked call without an answer", "server", t.Server.Name, "tool", t.Name, "err", err)
			r = Reply{Failed: t.Fate(underway(err))}
		}
		p.step(r)
		if !r.asks() {
			return
		}
		question = r.Ask[0].Question
	}
}

// listen reads what the server sends for as long as the call lasts.
func (p *parkedCall) listen(ctx context.Context) <-chan Arrival {
	messages := make(chan Arrival)
	p.all.calls.work.Go(func() {
		for {
			m, err := p.request.Next(ctx)
			select {
			case messages <- Arrival{m, err}:
			case <-ctx.Done():
				return
			}
			if err != nil || m.Response() {
				return
			}
		}
	})
	return messages
}

// settle passes the answer to our question on to the server and returns what it
// says then. A server that does not wait for the answer has its question taken
// back.
func (p *parkedCall) settle(ctx context.Context, question parley.ID, messages <-chan Arrival, later *[]mcpclient.Message) (Reply, error) {
	outcomes := make(chan parley.Outcome, 1)
	p.all.calls.work.Go(func() {
		if o, err := p.wait(ctx, question); err == nil {
			outcomes <- o
		}
	})
	answered := false
	for {
		if answered && len(*later) > 0 {
			m := (*later)[0]
			*later = (*later)[1:]
			if r, waiting, err := p.read(ctx, m); r != nil || err != nil {
				return p.next(r, waiting, err)
			}
			continue
		}
		select {
		case <-ctx.Done():
			if !answered && p.all.calls.life.Over() && !p.request.Target.Tool.Repeatable() {
				// The server's connection ends with this node, and the call is not made
				// again: an answer would reach nobody.
				p.all.calls.Withdraw(ctx, question, LostReason)
			}
			return Reply{}, ctx.Err()
		case o := <-outcomes:
			if answered {
				continue // the server took its question back
			}
			answered = true
			if err := p.answer(ctx, o); err != nil {
				return Reply{}, err
			}
		case g := <-p.given:
			if answered || g.question != question {
				continue // it was said before: the call has run again
			}
			answered = true
			if err := p.answer(ctx, g.outcome); err != nil {
				return Reply{}, err
			}
		case a := <-messages:
			if a.Err == nil && a.Message.Request() && a.Message.Method == mcpclient.ElicitMethod && !answered {
				if err := p.queue(ctx, a.Message, later); err != nil {
					return Reply{}, err
				}
				continue
			}
			if !answered && p.takenBack(a) {
				answered = a.Err == nil && !a.Message.Response() // a server is told nothing that it takes back
				p.all.calls.Withdraw(ctx, question, takenBackReason)
			}
			if a.Err != nil {
				return Reply{}, a.Err
			}
			if r, waiting, err := p.read(ctx, a.Message); r != nil || err != nil {
				return p.next(r, waiting, err)
			}
		}
	}
}

// queue keeps a question for after the one that is open. A server may ask as many
// as it may during one call; what it asks beyond is refused.
func (p *parkedCall) queue(ctx context.Context, m mcpclient.Message, later *[]mcpclient.Message) error {
	if len(*later) < maxRounds {
		*later = append(*later, m)
		return nil
	}
	return p.request.reply(ctx, m.ID, nil, &mcpclient.Error{Code: jsonrpc.CodeInvalidRequest, Message: "too many questions at once: wait for answers"})
}

func (p *parkedCall) read(ctx context.Context, m mcpclient.Message) (*Reply, json.RawMessage, error) {
	return p.all.calls.read(ctx, p.request, m, nil)
}

func (p *parkedCall) next(r *Reply, waiting json.RawMessage, err error) (Reply, error) {
	switch {
	case err != nil:
		return Reply{}, err
	case waiting != nil:
		return p.asking(*r, waiting), nil
	}
	return *r, nil
}

// takenBack reports whether the server no longer waits for its question.
func (p *parkedCall) takenBack(a Arrival) bool {
	if a.Err != nil || a.Message.Response() {
		return true
	}
	if a.Message.Method != "notifications/cancelled" {
		return false
	}
	id, _ := mcpclient.Member(a.Message.Params, "requestId")
	p.mu.Lock()
	defer p.mu.Unlock()
	return bytes.Equal(id, p.open)
}

const takenBackReason = "the server took its question back"

// Withdraw takes our question off the screens.
func (g *Calls) Withdraw(ctx context.Context, question parley.ID, reason string) {
	err := g.opts.Hub.Cancel(context.WithoutCancel(ctx), question, reason)
	if err != nil && !errors.Is(err, parley.ErrSettled) && !errors.Is(err, parley.ErrNotFound) {
		g.opts.Logger.Warn("abandoned question not withdrawn", "id", question, "err", err)
	}
}

// answer tells the server what the person said.
func (p *parkedCall) answer(ctx context.Context, o parley.Outcome) error {
	p.mu.Lock()
	open := p.open
	p.mu.Unlock()
	said := answer{Action: o.Action, Content: o.Content}
	if o.Action != parley.Accept {
		said.Content = nil
	}
	// A server that is away for a moment has the answer in a moment.
	until := time.Now().Add(p.all.calls.opts.Hold)
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		err := p.request.reply(ctx, open, said.result(), nil)
		if !errors.Is(err, mcpclient.ErrUnreachable) || errors.Is(err, mcpclient.ErrUnderway) || time.Now().Add(pause).After(until) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// wait waits for the outcome of a question that is about to be opened, here or
// on another node.
func (p *parkedCall) wait(ctx context.Context, id parley.ID) (parley.Outcome, error) {
	g := p.all.calls
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		outcome, err := g.opts.Hub.Expect(ctx, id)
		if err == nil || ctx.Err() != nil {
			return outcome, err
		}
		g.opts.Logger.WarnContext(ctx, "parked call's answer not read; trying again", "id", id, "err", err)
		select {
		case <-ctx.Done():
			return outcome, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// heldBytes is how large a result may be that is kept in memory for who comes for
// it: a larger one is read from its record.
const heldBytes = 64 << 10

// step takes what the server said to the next answer. Who waits for it has it at
// once; it is written beside that.
func (p *parkedCall) step(r Reply) {
	p.mu.Lock()
	p.steps, p.ended = append(p.steps, &r), !r.asks()
	close(p.changed)
	p.changed = make(chan struct{})
	p.limit.Reset(p.all.calls.opts.TTL + parkedFor)
	p.mu.Unlock()
	select {
	case p.dirty <- struct{}{}:
	default:
	}
	if !r.asks() {
		p.request.Close()
	}
}

// after returns what the server said after the nth answer.
func (p *parkedCall) after(ctx context.Context, n int) (Reply, error) {
	p.mu.Lock()
	p.awaited++
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.awaited--
		p.slim()
	}()
	for {
		p.mu.Lock()
		steps, changed := p.steps, p.changed
		p.mu.Unlock()
		if len(steps) >= n && steps[n-1] == nil {
			return loadParked[Reply](ctx, p.all.calls, stepAddress(p.address(), n))
		}
		if len(steps) >= n {
			return *steps[n-1], nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Reply{}, context.Cause(ctx)
		case <-p.life.Done():
			return Reply{}, errLeft
		}
	}
}

// errLeft is for a parked call that was ended.
var errLeft error = Failed("The call was given up.")

// HolderLabel is the node without which an answer reaches nobody.
const HolderLabel = "gateway.node"

// LostReason is why a question is withdrawn whose node is gone.
const LostReason = "the server's connection ended with its node"

// labels are those of a question.
func (c *Call) labels(r Reply) map[string]string {
	all := map[string]string{"server": c.Target.Server.Name}
	if c.Target.Method == "tools/call" { // others have a URI, which may say a lot
		parley.Name(all, parley.LabelTool, c.Target.Name)
	}
	if title := c.Target.Server.Title; title != "" {
		all[parley.LabelTitle] = title
	}
	if r.Holder != "" && !c.Target.Tool.Repeatable() {
		all[HolderLabel] = r.Holder
	}
	return all
}
