package mcpcall

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/crew"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/strictjson"
)

// parkedKind is the kind of the records of parked calls.
const parkedKind = "gateway_call"

// Parked is what calls need to be parked.
type Parked struct {
	Records parley.Records // sealed
	// Node is this one, and Alive says whether another one is there.
	Node  func() string
	Alive func(ctx context.Context, node string) (bool, error)
	// Counted counts a call that goes on when its request is over, until the
	// returned function is called.
	Counted func(who parley.Principal, bytes int) (over func())
}

// parkedFor is how long a parked call is remembered after its last step.
const parkedFor = 15 * time.Minute

// parking are the calls whose servers wait on their open connections while a
// person is asked. The node that made the call holds the connection, gives the
// server the answer as soon as there is one, and writes down what comes then;
// the client's retry may come to any node.
type parking struct {
	calls *Calls

	mu   sync.Mutex
	open map[string]*parkedCall
}

// parkedRecord is what other nodes know of a parked call. What the server said
// after each answer is in records of their own: each is written once.
type parkedRecord struct {
	Node   string `json:"node"`
	Server string `json:"server"`
	Name   string `json:"name"`
	Said   int    `json:"said,omitempty"`  // how many steps there are
	Ended  bool   `json:"ended,omitempty"` // there are no further ones
}

// park keeps a call whose server asked, and returns what it asked with the call's id
// and the node that has it. Both are in the call's journal before anybody is asked: the
// record is for what comes then.
func (a *parking) park(f *Request, r Reply, question json.RawMessage, base int) Reply {
	g := a.calls
	p := &parkedCall{
		id: rand.Text(), all: a, request: f, base: base, life: crew.Begin(g.life.Context()), changed: make(chan struct{}), given: make(chan given, 1), dirty: make(chan struct{}, 1),
		record: parkedRecord{Node: g.opts.Parked.Node(), Server: f.Target.Server.Name, Name: f.Target.Name},
	}
	// Whoever never asks the question, or never comes back, does not keep it.
	p.limit = time.AfterFunc(g.opts.TTL+parkedFor, func() { a.end(p.id) })
	context.AfterFunc(p.life.Context(), f.Close)
	a.mu.Lock()
	a.open[p.id] = p
	a.mu.Unlock()
	r = p.asking(r, question)
	counted := func() {}
	if f.Who.Session == "" { // the client's request ends here; that of a session goes on
		counted = g.opts.Parked.Counted(f.Who.Principal, f.bytes)
	}
	g.work.Go(func() {
		defer counted()
		p.run(p.life.Context(), r.Ask[0].Question)
	})
	g.work.Go(func() { p.keep(p.life.Context()) })
	return r
}

func (a *parking) get(id string) *parkedCall {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.open[id]
}

// answered gives a parked call an answer for which nobody was asked, in the place
// of an older one that it has not taken.
func (a *parking) answered(id string, to given) {
	p := a.get(id)
	for p != nil {
		select {
		case p.given <- to:
			return
		case <-p.given:
		}
	}
}

// end gives a parked call up: its server is told.
func (a *parking) end(id string) {
	if p := a.get(id); p != nil {
		p.mu.Lock()
		open, ended := p.open, p.ended
		p.mu.Unlock()
		if !ended {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(p.life.Context()), time.Second)
			_ = p.request.reply(ctx, open, answer{Action: parley.Cancel}.result(), nil)
			cancel()
		}
	}
	a.forget(id)
}

// forget removes what is left of a parked call.
func (a *parking) forget(id string) {
	a.mu.Lock()
	p := a.open[id]
	delete(a.open, id)
	a.mu.Unlock()
	if p == nil {
		return
	}
	p.mu.Lock()
	p.forgotten = true
	p.mu.Unlock()
	p.life.End()
	p.limit.Stop()
}

// stepAddress is where a step of a parked call is, counted from one. That of no
// step is the call's own.
func stepAddress(at parley.Address, step int) parley.Address {
	if step > 0 {
		at.Key += "/" + strconv.Itoa(step)
	}
	return at
}

func (a *parking) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.open {
		p.life.End()
	}
}

// answerTime is how long a server's next word waits for the answer to be read that
// it is a word to: a store that does not answer is not waited for.
const answerTime = 2 * time.Second

// answers asks the person what the server asks. Where its next word is in hand
// already, and the answer cannot be read, there are none, and no error.
func (c *Call) answers(ctx context.Context, n int, r Reply) ([]answer, error) {
	p := c.calls.parking.get(r.Parked)
	if p == nil {
		if c.tooLate(ctx, n, r) {
			return nil, nil
		}
		return c.ask(ctx, n, r)
	}
	c.parked = r.Parked
	asking, stop := context.WithCancel(ctx)
	defer stop()
	said := make(chan struct{})
	c.calls.work.Go(func() {
		if _, err := p.after(asking, n-r.Base); err != nil {
			return
		}
		close(said)
		select {
		case <-asking.Done():
		case <-time.After(answerTime):
			stop()
		}
	})
	answers, err := c.ask(asking, n, r)
	if err == nil || errors.Is(err, mcptool.ErrSuspended) || ctx.Err() != nil {
		return answers, err
	}
	select {
	case <-said:
		return nil, nil
	default:
		return answers, err
	}
}

// tooLate reports whether an answer could be given to nobody: the server has gone
// on, or was lost with its node, and the call cannot be made again. What is on
// screens is taken off them.
func (c *Call) tooLate(ctx context.Context, n int, r Reply) bool {
	if r.Parked == "" {
		return false
	}
	said, lost, err := c.elsewhere(ctx, n-r.Base, r)
	if err != nil || said == nil && (!lost || c.Target.Tool.Repeatable()) {
		return false
	}
	c.calls.Withdraw(ctx, r.Ask[0].Question, takenBackReason)
	return true
}

// lookEvery is how often a node looks whether another one has a step.
const lookEvery = 50 * time.Millisecond

// absentFor is how long there may be no record of a call whose node lives: it writes one
// soon after the server asked.
const absentFor = 10 * time.Second

// errNoRecord is for a parked call of which there is no record yet, and whose node lives.
var errNoRecord = errors.New("there is no record of the parked call yet")

// unpark returns what the server said after the nth answer, wherever its
// connection is. When the node that held it has died, the call is made again if
// that does no harm; otherwise the client is told.
func (c *Call) unpark(ctx context.Context, n int, before Reply) (Reply, error) {
	a := &c.calls.parking
	if p := a.get(before.Parked); p != nil {
		r, err := p.after(ctx, n-before.Base)
		if !errors.Is(err, errLeft) {
			return r, err
		}
	}
	var absent time.Time // since when it is known that there is no record
	for pause := lookEvery; ; pause = min(2*pause, time.Second) {
		r, lost, err := c.elsewhere(ctx, n-before.Base, before)
		switch {
		case errors.Is(err, errNoRecord):
			if absent.IsZero() {
				absent = time.Now()
			}
			if time.Since(absent) > absentFor {
				return c.reissue(ctx)
			}
		case err != nil:
			absent = time.Time{} // who is to write it may be kept from that as well
			// It is not lost by that: the store may be back in a moment.
			c.calls.opts.Logger.WarnContext(ctx, "parked call not read; trying again", "server", c.Target.Server.Name, "err", err)
		case lost:
			return c.reissue(ctx)
		case r != nil:
			return *r, nil
		}
		select {
		case <-ctx.Done():
			return Reply{}, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// elsewhere reads a step of a parked call from its records. It returns nil when
// there is none yet, and lost when there will be none.
func (c *Call) elsewhere(ctx context.Context, step int, asked Reply) (r *Reply, lost bool, err error) {
	at := parley.Address{Tenant: c.Who.Tenant, Kind: parkedKind, Key: asked.Parked}
	record, err := loadParked[parkedRecord](ctx, c.calls, at)
	if errors.Is(err, parley.ErrNotFound) {
		return nil, true, c.unrecorded(ctx, asked)
	}
	if err != nil {
		return nil, false, err
	}
	if record.Said >= step {
		said, err := loadParked[Reply](ctx, c.calls, stepAddress(at, step))
		if errors.Is(err, parley.ErrNotFound) { // it has expired
			return nil, true, nil
		}
		return &said, false, err
	}
	if record.Ended {
		return nil, true, nil
	}
	if record.Node == c.calls.opts.Parked.Node() {
		return nil, c.calls.parking.get(asked.Parked) == nil, nil
	}
	alive, err := c.calls.opts.Parked.Alive(ctx, record.Node)
	return nil, err == nil && !alive, err
}

// unrecorded is errNoRecord if another node may yet write a record of a parked call of
// which there is none.
func (c *Call) unrecorded(ctx context.Context, asked Reply) error {
	if asked.Holder == "" || asked.Holder == c.calls.opts.Parked.Node() {
		return nil
	}
	alive, err := c.calls.opts.Parked.Alive(ctx, asked.Holder)
	if err == nil && alive {
		err = errNoRecord
	}
	return err
}

// loadParked reads a record of a parked call.
func loadParked[T any](ctx context.Context, g *Calls, at parley.Address) (T, error) {
	var read T
	record, err := g.opts.Parked.Records.Load(ctx, at)
	if err == nil {
		err = json.Unmarshal(record.Data, &read)
	}
	return read, err
}

// reissue makes a call again whose connection is lost, and answers what the
// person has answered before.
func (c *Call) reissue(ctx context.Context) (Reply, error) {
	if !c.Target.Tool.Repeatable() {
		return Reply{}, Failed("The node that held the connection to %s is gone while the user was being asked: whether %s was carried out is not known. "+
			"Find out before you call it again.", c.Target.Server.Label(), c.Target.Name)
	}
	if err := c.locate(ctx); err != nil {
		return Reply{}, err
	}
	return c.follow(ctx, c.calls.start(ctx, c.Who, c.Target, c.Params, c.Progress), c.rounds...)
}

// sameAsks reports whether a server asks what it asked before.
func sameAsks(a, b []ask) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Mode != b[i].Mode || a[i].Message != b[i].Message || strictjson.Stored(a[i].Schema) != strictjson.Stored(b[i].Schema) || a[i].Mode == parley.URL && a[i].URL != b[i].URL {
			return false
		}
	}
	return true
}

// ParkedCalls is how many calls this process holds whose servers wait for a person.
func (g *Calls) ParkedCalls() int {
	g.parking.mu.Lock()
	defer g.parking.mu.Unlock()
	return len(g.parking.open)
}
