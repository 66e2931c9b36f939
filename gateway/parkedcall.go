package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
)

// parkedCall is a call that this node holds.
type parkedCall struct {
	id     string
	all    *parking
	flight *flight
	base   int // how many rounds of the crossing came before its first question
	ctx    context.Context
	stop   context.CancelFunc
	opened chan struct{} // has one when a question is being opened here
	given  chan given    // has one when there is an answer for which nobody was asked

	dirty chan struct{} // has one when there is a step to write

	mu        sync.Mutex
	limit     *time.Timer     // ends a call that nobody comes back for
	open      json.RawMessage // the server's id of the question that is open
	steps     []*reply        // what the server said to each answer; nil: it is read from its record
	written   int             // how many of them are stored
	awaited   int             // how many wait for the next
	ended     bool            // there are no further ones
	forgotten bool            // its records go
	changed   chan struct{}   // closed with every step

	// Of whoever writes: park, and then record.
	record  parkedRecord
	version int64
}

// asking gives a question of the server's the id that ours will have.
func (p *parkedCall) asking(r reply, question json.RawMessage) reply {
	p.mu.Lock()
	p.open = question
	p.mu.Unlock()
	r.Parked, r.Base, r.Holder = p.id, p.base, p.all.gateway.asker.Node()
	r.Ask[0].Question = parley.NewID()
	return r
}

func (p *parkedCall) address() parley.Address {
	return parley.Address{Tenant: p.flight.who.Tenant, Kind: parkedKind, Key: p.id}
}

// given is an answer for which nobody was asked.
type given struct {
	question parley.ID // that it is an answer to
	outcome  parley.Outcome
}

// run gives the server the answers to its questions, one after the other, and
// writes down what it says to each, until it is done.
func (p *parkedCall) run(question parley.ID) {
	messages := p.listen()
	var later []mcpclient.Message // questions that came while another was open
	for {
		r, err := p.settle(question, messages, &later)
		if p.ctx.Err() != nil {
			return // it was ended, or this node ends: nobody has answered
		}
		if err != nil {
			t := p.flight.target
			p.all.gateway.opts.Logger.Warn("parked call without an answer", "server", t.server.Name, "tool", t.name, "err", err)
			r = reply{Failed: t.fate(underway(err))}
		}
		p.step(r)
		if !r.asks() {
			return
		}
		question = r.Ask[0].Question
	}
}

// listen reads what the server sends for as long as the call lasts.
func (p *parkedCall) listen() <-chan arrival {
	messages := make(chan arrival)
	p.all.gateway.work.Go(func() {
		for {
			m, err := p.flight.next(p.ctx)
			select {
			case messages <- arrival{m, err}:
			case <-p.ctx.Done():
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
func (p *parkedCall) settle(question parley.ID, messages <-chan arrival, later *[]mcpclient.Message) (reply, error) {
	outcomes := make(chan parley.Outcome, 1)
	p.all.gateway.work.Go(func() {
		if o, err := p.wait(question); err == nil {
			outcomes <- o
		}
	})
	answered := false
	for {
		if answered && len(*later) > 0 {
			m := (*later)[0]
			*later = (*later)[1:]
			if r, waiting, err := p.read(m); r != nil || err != nil {
				return p.next(r, waiting, err)
			}
			continue
		}
		select {
		case <-p.ctx.Done():
			if !answered && p.all.gateway.ctx.Err() != nil && !p.flight.target.tool.repeatable() {
				// The server's connection ends with this node, and the call is not made
				// again: an answer would reach nobody.
				p.all.gateway.withdraw(p.ctx, question, lostReason)
			}
			return reply{}, p.ctx.Err()
		case o := <-outcomes:
			answered = true
			if err := p.answer(o); err != nil {
				return reply{}, err
			}
		case g := <-p.given:
			if answered || g.question != question {
				continue // it was said before: the crossing has run again
			}
			answered = true
			if err := p.answer(g.outcome); err != nil {
				return reply{}, err
			}
		case a := <-messages:
			if a.err == nil && a.message.Request() && a.message.Method == "elicitation/create" && !answered {
				if err := p.queue(a.message, later); err != nil {
					return reply{}, err
				}
				continue
			}
			if !answered && p.takenBack(a) {
				p.all.gateway.withdraw(p.ctx, question, takenBackReason)
			}
			if a.err != nil {
				return reply{}, a.err
			}
			if r, waiting, err := p.read(a.message); r != nil || err != nil {
				return p.next(r, waiting, err)
			}
		}
	}
}

// queue keeps a question for after the one that is open. A server may ask as many
// as it may during one call; what it asks beyond is refused.
func (p *parkedCall) queue(m mcpclient.Message, later *[]mcpclient.Message) error {
	if len(*later) < maxRounds {
		*later = append(*later, m)
		return nil
	}
	return p.flight.reply(p.ctx, m.ID, nil, &mcpclient.Error{Code: jsonrpc.CodeInvalidRequest, Message: "too many questions at once: wait for answers"})
}

func (p *parkedCall) read(m mcpclient.Message) (*reply, json.RawMessage, error) {
	return p.all.gateway.read(p.ctx, p.flight, m, nil)
}

func (p *parkedCall) next(r *reply, waiting json.RawMessage, err error) (reply, error) {
	switch {
	case err != nil:
		return reply{}, err
	case waiting != nil:
		return p.asking(*r, waiting), nil
	}
	return *r, nil
}

// takenBack reports whether the server no longer waits for its question.
func (p *parkedCall) takenBack(a arrival) bool {
	if a.err != nil || a.message.Response() {
		return true
	}
	if a.message.Method != "notifications/cancelled" {
		return false
	}
	id, _ := mcpclient.Member(a.message.Params, "requestId")
	p.mu.Lock()
	defer p.mu.Unlock()
	return bytes.Equal(id, p.open)
}

const takenBackReason = "the server took its question back"

// withdraw takes our question off the screens.
func (g *Gateway) withdraw(ctx context.Context, question parley.ID, reason string) {
	err := g.hub.Cancel(context.WithoutCancel(ctx), question, reason)
	if err != nil && !errors.Is(err, parley.ErrSettled) && !errors.Is(err, parley.ErrNotFound) {
		g.opts.Logger.Warn("a question that nobody waits for stays open until it expires", "id", question, "err", err)
	}
}

// answer tells the server what the person said.
func (p *parkedCall) answer(o parley.Outcome) error {
	p.mu.Lock()
	open := p.open
	p.mu.Unlock()
	said := answer{Action: o.Action, Content: o.Content}
	if o.Action != parley.Accept {
		said.Content = nil
	}
	// A server that is away for a moment has the answer in a moment.
	until := time.Now().Add(p.all.gateway.opts.Hold)
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		err := p.flight.reply(p.ctx, open, said.result(), nil)
		if !errors.Is(err, mcpclient.ErrUnreachable) || errors.Is(err, mcpclient.ErrUnderway) || time.Now().Add(pause).After(until) {
			return err
		}
		select {
		case <-p.ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// wait waits for the outcome of a question that is about to be opened, here or
// on another node.
func (p *parkedCall) wait(id parley.ID) (parley.Outcome, error) {
	g := p.all.gateway
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		outcome, err := g.hub.Wait(p.ctx, id)
		if err == nil || p.ctx.Err() != nil {
			return outcome, err
		}
		if !errors.Is(err, parley.ErrNotFound) {
			g.opts.Logger.WarnContext(p.ctx, "the answer for a parked call cannot be read; trying again", "id", id, "err", err)
		}
		select {
		case <-p.ctx.Done():
			return outcome, p.ctx.Err()
		case <-p.opened:
			pause = time.Millisecond
		case <-time.After(pause):
		}
	}
}

// heldBytes is how large a result may be that is kept in memory for who comes for
// it: a larger one is read from its record.
const heldBytes = 64 << 10

// step takes what the server said to the next answer. Who waits for it has it at
// once; it is written beside that.
func (p *parkedCall) step(r reply) {
	p.mu.Lock()
	p.steps, p.ended = append(p.steps, &r), !r.asks()
	close(p.changed)
	p.changed = make(chan struct{})
	p.limit.Reset(p.all.gateway.opts.TTL + parkedFor)
	p.mu.Unlock()
	select {
	case p.dirty <- struct{}{}:
	default:
	}
	if !r.asks() {
		p.flight.close()
	}
}

// after returns what the server said after the nth answer.
func (p *parkedCall) after(ctx context.Context, n int) (reply, error) {
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
			return loadParked[reply](ctx, p.all.gateway, stepAddress(p.address(), n))
		}
		if len(steps) >= n {
			return *steps[n-1], nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return reply{}, context.Cause(ctx)
		case <-p.ctx.Done():
			return reply{}, errLeft
		}
	}
}

// errLeft is for a parked call that was ended.
var errLeft error = failed("The call was given up.")
