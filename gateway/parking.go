package gateway

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway/upstream"
)

// parkedKind is the kind of the records of parked calls.
const parkedKind = "gateway_call"

// parkedFor is how long a parked call is remembered after its last step.
const parkedFor = 15 * time.Minute

// parking are the calls whose servers wait on their open connections while a
// person is asked. The node that made the call holds the connection, gives the
// server the answer as soon as there is one, and writes down what comes then;
// the client's retry may come to any node.
type parking struct {
	gateway *Gateway

	mu    sync.Mutex
	calls map[string]*parkedCall
}

// parkedRecord is what other nodes know of a parked call.
type parkedRecord struct {
	Node   string  `json:"node"`
	Server string  `json:"server"`
	Name   string  `json:"name"`
	Steps  []reply `json:"steps,omitempty"` // what the server said after each answer
	Ended  bool    `json:"ended,omitempty"` // there are no further steps
}

// parkedCall is a call that this node holds.
type parkedCall struct {
	id     string
	all    *parking
	flight *flight
	ctx    context.Context
	stop   context.CancelFunc

	mu       sync.Mutex
	question json.RawMessage // the id of the server's question that is open
	awaited  int             // the step that is being waited for, or was
	base     int             // how many questions of the crossing came before this call's first
	record   parkedRecord
	version  int64
	changed  chan struct{} // closed with every step
}

// park keeps a call whose server asked, and returns its id. The record is there
// before anybody is asked.
func (a *parking) park(ctx context.Context, f *flight, question json.RawMessage, t target, base int) (string, error) {
	g := a.gateway
	p := &parkedCall{
		id: rand.Text(), all: a, flight: f, question: question, base: base, changed: make(chan struct{}),
		record: parkedRecord{Node: g.asker.Node(), Server: t.server.Name, Name: t.name},
	}
	p.ctx, p.stop = context.WithCancel(g.ctx)
	if err := p.save(ctx); err != nil {
		f.close()
		return "", err
	}
	a.mu.Lock()
	a.calls[p.id] = p
	a.mu.Unlock()
	// Whoever never asks the question, or never comes back, does not keep it.
	context.AfterFunc(p.ctx, f.close)
	time.AfterFunc(g.opts.TTL+parkedFor, func() { a.end(p.id) })
	return p.id, nil
}

func (a *parking) get(id string) *parkedCall {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.calls[id]
}

func (p *parkedCall) address() parley.Address {
	return parley.Address{Tenant: p.flight.who.Tenant, Kind: parkedKind, Key: p.id}
}

// save writes the record. Only this node does.
func (p *parkedCall) save(ctx context.Context) error {
	data, err := json.Marshal(p.record)
	if err != nil {
		return err
	}
	version, err := p.all.gateway.records.Save(ctx, parley.Record{
		Address: p.address(), Owner: p.flight.who.User, Data: data, Version: p.version,
		Expires: time.Now().Add(p.all.gateway.opts.TTL + parkedFor),
	})
	if err == nil {
		p.version = version
	}
	return err
}

// await has the server told the answer to a question of ours, the nth of the
// call, when there is one.
func (a *parking) await(id string, n int, question parley.ID) {
	p := a.get(id)
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.awaited >= n || p.ctx.Err() != nil {
		return
	}
	p.awaited = n
	a.gateway.work.Go(func() { p.proceed(n, question) })
}

// proceed waits for the answer, passes it on and writes down what the server
// says then.
func (p *parkedCall) proceed(n int, question parley.ID) {
	g := p.all.gateway
	outcome, err := g.wait(p.ctx, question)
	if err != nil {
		p.all.end(p.id)
		return
	}
	p.mu.Lock()
	at := p.question
	p.mu.Unlock()
	given := answer{Action: outcome.Action, Content: outcome.Content}
	if outcome.Action != parley.Accept {
		given.Content = nil
	}
	next, err := reply{}, p.flight.reply(p.ctx, at, given.result(), nil)
	if err == nil {
		next, err = p.follow()
	}
	if err != nil {
		if p.ctx.Err() != nil {
			return
		}
		g.opts.Logger.Warn("a parked call did not come back", "server", p.flight.target.server.Name, "err", err)
		next = reply{Error: &upstream.Error{Code: -32603, Message: publicReason(err, p.flight.target.server.Name)}}
	}
	p.step(n, next)
}

// wait waits for the outcome of a question that is about to be opened.
func (g *Gateway) wait(ctx context.Context, id parley.ID) (parley.Outcome, error) {
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		outcome, err := g.hub.Wait(ctx, id)
		if err == nil || ctx.Err() != nil {
			return outcome, err
		}
		if !errors.Is(err, parley.ErrNotFound) {
			g.opts.Logger.WarnContext(ctx, "the answer for a parked call cannot be read; trying again", "id", id, "err", err)
		}
		select {
		case <-ctx.Done():
			return outcome, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// follow reads until the server has answered or asks again.
func (p *parkedCall) follow() (reply, error) {
	for {
		m, err := p.flight.next(p.ctx)
		if err != nil {
			return reply{}, err
		}
		r, waiting, err := p.all.gateway.read(p.ctx, p.flight, m, nil)
		if err != nil {
			return reply{}, err
		}
		if waiting != nil {
			p.mu.Lock()
			p.question = waiting
			r.Parked, r.Base = p.id, p.base
			p.mu.Unlock()
		}
		if r != nil {
			return *r, nil
		}
	}
}

// step writes down what the server said after the nth answer.
func (p *parkedCall) step(n int, r reply) {
	p.mu.Lock()
	for len(p.record.Steps) < n-1 {
		p.record.Steps = append(p.record.Steps, reply{}) // cannot be: questions come one after the other
	}
	p.record.Steps = append(p.record.Steps, r)
	p.record.Ended = !r.asks()
	ended := p.record.Ended
	err := p.save(context.WithoutCancel(p.ctx))
	close(p.changed)
	p.changed = make(chan struct{})
	p.mu.Unlock()
	if err != nil {
		p.all.gateway.opts.Logger.Error("other nodes do not hear of a parked call's result", "err", err)
	}
	if ended {
		p.flight.close()
		time.AfterFunc(parkedFor, func() { p.all.forget(p.id) })
	}
}

// after returns what the server said after the nth answer.
func (p *parkedCall) after(ctx context.Context, n int) (reply, error) {
	for {
		p.mu.Lock()
		steps, changed := p.record.Steps, p.changed
		p.mu.Unlock()
		if len(steps) >= n {
			return steps[n-1], nil
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
var errLeft = errors.New("the call was given up")

// end gives a parked call up: its server is told.
func (a *parking) end(id string) {
	if p := a.get(id); p != nil {
		p.mu.Lock()
		question, ended := p.question, p.record.Ended
		p.mu.Unlock()
		if !ended {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), time.Second)
			_ = p.flight.reply(ctx, question, answer{Action: parley.Cancel}.result(), nil)
			cancel()
		}
		p.stop()
	}
	a.forget(id)
}

// forget removes what is left of a parked call.
func (a *parking) forget(id string) {
	a.mu.Lock()
	p := a.calls[id]
	delete(a.calls, id)
	a.mu.Unlock()
	if p == nil {
		return
	}
	p.stop()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := a.gateway.records.Delete(ctx, p.address(), 0); err != nil && !errors.Is(err, parley.ErrNotFound) {
		a.gateway.opts.Logger.Warn("the record of a parked call stays until it expires", "err", err)
	}
}

func (a *parking) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.calls {
		p.stop()
	}
}

// lookEvery is how often a node looks whether another one has a step.
const lookEvery = 50 * time.Millisecond

// unpark returns what the server said after the nth answer, wherever its
// connection is. When the node that held it has died, the call is made again if
// that does no harm; otherwise the client is told.
func (c *crossing) unpark(ctx context.Context, n int, before reply) (reply, error) {
	a := &c.gateway.parking
	if p := a.get(before.Parked); p != nil {
		r, err := p.after(ctx, n-before.Base)
		if !errors.Is(err, errLeft) {
			return r, err
		}
	}
	at := parley.Address{Tenant: c.who.Tenant, Kind: parkedKind, Key: before.Parked}
	for pause := lookEvery; ; pause = min(2*pause, time.Second) {
		record, err := c.gateway.loadParked(ctx, at)
		if err != nil && !errors.Is(err, parley.ErrNotFound) {
			return reply{}, err
		}
		if step := n - before.Base; err == nil && len(record.Steps) >= step {
			return record.Steps[step-1], nil
		}
		lost := err != nil || record.Ended
		if !lost && record.Node != c.gateway.asker.Node() {
			alive, err := c.gateway.asker.Alive(ctx, record.Node)
			if err != nil {
				return reply{}, err
			}
			lost = !alive
		} else if !lost {
			lost = a.get(before.Parked) == nil
		}
		if lost {
			return c.reissue(ctx)
		}
		select {
		case <-ctx.Done():
			return reply{}, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

func (g *Gateway) loadParked(ctx context.Context, at parley.Address) (parkedRecord, error) {
	var p parkedRecord
	record, err := g.records.Load(ctx, at)
	if err == nil {
		err = json.Unmarshal(record.Data, &p)
	}
	return p, err
}

// reissue makes a call again whose connection is lost, and answers what the
// person has answered before.
func (c *crossing) reissue(ctx context.Context) (reply, error) {
	if !c.target.tool.repeatable() {
		return reply{}, failed("The node that held the connection to %s is gone while the user was being asked: whether %s was carried out is not known. "+
			"Find out before you call it again.", c.target.server.Name, c.target.name)
	}
	r, err := c.follow(ctx, c.gateway.launch(c.who, c.target, c.params, c.progress))
	done := 0
	for err == nil && done < len(c.rounds) && r.Parked != "" && sameAsks(c.rounds[done].reply.Ask, r.Ask) {
		p := c.gateway.parking.get(r.Parked)
		if p == nil {
			return reply{}, fmt.Errorf("parked call %s: %w", r.Parked, errLeft)
		}
		done++
		r, err = p.replay(ctx, done, len(c.rounds)-done, c.rounds[done-1].answers[0])
	}
	return r, err // what it asks now is new
}

// replay gives the server an answer from before.
func (p *parkedCall) replay(ctx context.Context, n, base int, given answer) (reply, error) {
	p.mu.Lock()
	p.awaited, p.base = n, base
	at := p.question
	p.mu.Unlock()
	if err := p.flight.reply(ctx, at, given.result(), nil); err != nil {
		return reply{}, err
	}
	r, err := p.follow()
	if err == nil {
		p.step(n, r)
	}
	return r, err
}

// sameAsks reports whether a server asks what it asked before.
func sameAsks(a, b []ask) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Mode != b[i].Mode || a[i].Message != b[i].Message || string(a[i].Schema) != string(b[i].Schema) || a[i].Mode == parley.URL && a[i].URL != b[i].URL {
			return false
		}
	}
	return true
}
