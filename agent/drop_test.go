package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// dropping is a view of the store by a process that dies at one of its operations, before it
// or right after it. at is called before each.
type dropping struct {
	*parley.MemoryStore
	at func(op int, what string)

	mu    sync.Mutex
	ops   int
	last  int // at which it dies; 0: never
	after bool
	dead  bool
	died  chan struct{}
}

func (d *dropping) op(what string, do func() error) error {
	d.mu.Lock()
	if d.dead {
		d.mu.Unlock()
		return errDead
	}
	d.ops++
	op := d.ops
	if op == d.last && !d.after {
		d.dead = true
		close(d.died)
		d.mu.Unlock()
		return errDead
	}
	d.mu.Unlock()
	if d.at != nil {
		d.at(op, what)
	}
	err := do()
	if op == d.last {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.dead = true
		close(d.died)
		return errDead
	}
	return err
}

// aside is for what a process does by the clock: it is not counted.
func (d *dropping) aside(do func() error) error {
	d.mu.Lock()
	dead := d.dead
	d.mu.Unlock()
	if dead {
		return errDead
	}
	return do()
}

func (d *dropping) record(what, kind string, do func() error) error {
	if strings.HasPrefix(kind, "run") {
		return d.op(what+" "+kind, do)
	}
	return d.aside(do)
}

func (d *dropping) Load(ctx context.Context, at parley.Address) (r parley.Record, err error) {
	err = d.record("load", at.Kind, func() (err error) { r, err = d.MemoryStore.Load(ctx, at); return err })
	return r, err
}

func (d *dropping) Save(ctx context.Context, r parley.Record) (v int64, err error) {
	err = d.record("save", r.Kind, func() (err error) { v, err = d.MemoryStore.Save(ctx, r); return err })
	return v, err
}

func (d *dropping) Delete(ctx context.Context, at parley.Address, version int64) error {
	return d.record("delete", at.Kind, func() error { return d.MemoryStore.Delete(ctx, at, version) })
}

func (d *dropping) Scan(ctx context.Context, from parley.Address, after string, limit int) (l []parley.Record, err error) {
	err = d.aside(func() (err error) { l, err = d.MemoryStore.Scan(ctx, from, after, limit); return err })
	return l, err
}

func (d *dropping) Get(ctx context.Context, id parley.ID) (r parley.Request, err error) {
	err = d.op("get", func() (err error) { r, err = d.MemoryStore.Get(ctx, id); return err })
	return r, err
}

func (d *dropping) Put(ctx context.Context, r parley.Request, most int) error {
	return d.op("put", func() error { return d.MemoryStore.Put(ctx, r, most) })
}

func (d *dropping) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	return d.op("settle", func() error { return d.MemoryStore.Settle(ctx, id, o) })
}

// twoQuestions is the Prepare of a box that asks two things at once.
func twoQuestions(c *agent.Invocation) error {
	if len(c.Answers) < 2 {
		return &agent.Pause{Questions: map[string]parley.Request{"a": {From: "box", Message: "A?"}, "b": {From: "box", Message: "B?"}}}
	}
	for _, q := range c.Answers {
		if q.Outcome.Action != parley.Accept {
			return &agent.Denied{Reason: "no"}
		}
	}
	return nil
}

// asksInCall pauses in the call, and goes on with the answer.
func asksInCall(_ context.Context, c *agent.Invocation) (agent.Result, error) {
	if len(c.Answers) == 0 {
		return agent.Result{}, &agent.Pause{Questions: map[string]parley.Request{"ok": {From: "box", Message: "Go on?"}}, State: []byte(`1`)}
	}
	return agent.Result{Text: "tracker did it"}, nil
}

// fate is what happens in a turn, and when: by operations of the first process.
type fate struct {
	dies, answers, stops int // 0: never, or of answers: when all have been asked
	after                bool
	unfollowed           bool // at the first
	local                bool // answered at the first
}

// turn is one call, with what is asked for it.
type turn struct {
	name        string
	box         box
	calls, asks int
}

func turns() []*turn {
	return []*turn{
		{"one question", box{prepare: needsAnswer}, 1, 1},
		{"two questions", box{prepare: twoQuestions}, 1, 2},
		{"in the call", box{call: asksInCall}, 2, 1},
	}
}

// play is a turn under way at a process with a fate, and at another that goes on.
type play struct {
	fate          fate
	store         *parley.MemoryStore
	first, second *node

	mu   sync.Mutex
	ops  []string  // of the first
	said time.Time // when nothing was missing any more
}

// live runs a turn by its fate and returns what the first process did, and what was wrong.
func (u *turn) live(t *testing.T, f fate) (ops []string, wrong []string) {
	inABubble(t, func(t *testing.T, w *world) {
		b := &box{name: "tracker", prepare: u.box.prepare, call: u.box.call}
		helper := helperWith(b)
		store := &dropping{MemoryStore: w.store, last: f.dies, after: f.after, died: make(chan struct{})}
		p := &play{fate: f, store: w.store, second: w.node(helper)}
		store.at = p.step
		p.first = w.nodeOn(store, store, nil, helper)
		go func() {
			select {
			case <-store.died:
				p.first.stop()
			case <-t.Context().Done():
			}
		}()
		synctest.Wait()
		here, there, took := p.follow(t)
		ops, wrong = p.done(), u.judge(f, here, there, took, b.called())
		time.Sleep(70 * time.Second)
		synctest.Wait()
		wrong = append(wrong, p.left(t)...)
	})
	return ops, wrong
}

// step is called before each operation of the first process.
func (p *play) step(op int, what string) {
	p.mu.Lock()
	p.ops = append(p.ops, what)
	p.mu.Unlock()
	if op == p.fate.answers {
		p.answer()
	}
	if op == p.fate.stops {
		_ = p.second.Stop(p.second.t.Context(), alice, "c")
		p.note()
	}
}

// done is what the first process did until now.
func (p *play) done() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.ops)
}

func (p *play) note() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said = time.Now()
}

// pending are the questions that are open.
func (p *play) pending() []parley.Request {
	open, err := p.store.List(context.Background(), parley.Query{Pending: true})
	if err != nil {
		p.second.t.Error(err)
	}
	return open
}

func (p *play) answer() {
	yes := parley.Answer{Action: parley.Accept, Content: []byte(`{}`), Via: "test"}
	for _, q := range p.pending() {
		if p.fate.local && p.first.hub.Answer(context.Background(), alice, q.ID, yes) == nil {
			continue
		}
		_ = p.second.hub.Answer(context.Background(), alice, q.ID, yes)
	}
	p.note()
}

// follow begins the turn, answers what is open and due, and returns what followers are told
// at each process, and how long the turn took after the last word.
func (p *play) follow(t *testing.T) (here, there []string, took time.Duration) {
	began := time.Now()
	p.said = began
	m := agent.Message{Agent: "helper", Conversation: "c", ID: "m", Text: "x", CanAsk: true}
	ref, err := p.first.Start(t.Context(), alice, m)
	if err != nil {
		ref, err = p.second.Start(t.Context(), alice, m)
	}
	if err != nil {
		t.Fatal(err)
	}
	var ended sync.WaitGroup
	if !p.fate.unfollowed {
		ended.Go(func() { here = p.first.told(ref) })
	}
	ended.Go(func() { there = p.second.told(ref) })
	over := make(chan struct{})
	go func() { ended.Wait(); close(over) }()
	tick := time.NewTicker(700 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-over:
			p.mu.Lock()
			defer p.mu.Unlock()
			return here, there, time.Since(p.said)
		case <-tick.C:
		}
		p.mu.Lock()
		due := p.fate.answers == 0 || len(p.ops) >= p.fate.answers || time.Since(began) > 20*time.Second
		p.mu.Unlock()
		if due && len(p.pending()) > 0 && time.Since(began) > time.Second {
			p.answer()
		}
	}
}

// judge says what is wrong with a turn that is over.
func (u *turn) judge(f fate, here, there []string, took time.Duration, calls int) (wrong []string) {
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	most := 1500 * time.Millisecond
	if f.dies > 0 {
		most = 14 * time.Second
	}
	if took > most {
		bad("it ended %s after the last word", took)
	}
	if n := len(there); n == 0 || !strings.HasPrefix(there[n-1], "finished ") {
		bad("the follower at the second is told %q", there)
	}
	if !f.unfollowed && f.dies == 0 && !slices.Equal(here, there) {
		bad("followers are told\n%q\n%q", here, there)
	}
	whole := strings.Join(there, "\n")
	unsure := strings.Contains(whole, "unknown") || strings.Contains(whole, "stopped")
	if calls > u.calls || calls < u.calls && !unsure {
		bad("%d calls: %q", calls, there)
	}
	if n := strings.Count(whole, "finished "); n != 1 {
		bad("%d ends", n)
	}
	if n := strings.Count(whole, "asked "); f.stops == 0 && n != u.asks && !unsure {
		bad("asked %d times: %q", n, there)
	}
	return wrong
}

// left is what a turn left behind that is over for long.
func (p *play) left(t *testing.T) (wrong []string) {
	for _, kind := range []string{"run_lease", "run_parked"} {
		found, err := p.store.Scan(t.Context(), parley.Address{Tenant: "-runs", Kind: kind}, "", 10)
		if err != nil || len(found) > 0 {
			wrong = append(wrong, fmt.Sprintf("left: %d %s, %v", len(found), kind, err))
		}
	}
	if n := len(p.pending()); n > 0 {
		wrong = append(wrong, fmt.Sprintf("%d questions are open", n))
	}
	return wrong
}

// Whatever a process does last, and whenever the person answers or stops, the run has one
// end, its call is made once or nobody knows, and everybody hears of it.
func TestARunEndsOnceWhicheverOperationOfItsProcessIsTheLast(t *testing.T) {
	for _, u := range turns() {
		t.Run(u.name, func(t *testing.T) {
			ops, wrong := u.live(t, fate{})
			for _, one := range wrong {
				t.Error(one)
			}
			t.Log(len(ops), ops)
			most := len(ops) + 3
			look := func(f fate) {
				if ops, wrong := u.live(t, f); len(wrong) > 0 {
					at := func(n int) string {
						if n == 0 || n > len(ops) {
							return ""
						}
						return ops[n-1]
					}
					t.Errorf("%+v (dies at %q, answered at %q, stopped at %q):\n%s", f, at(f.dies), at(f.answers), at(f.stops), strings.Join(wrong, "\n"))
				}
			}
			step := 1
			if testing.Short() {
				step = 4
			}
			for i := 1; i <= most; i += step {
				for _, after := range []bool{false, true} {
					look(fate{dies: i, after: after})
					look(fate{dies: i, after: after, unfollowed: true})
				}
				for _, unfollowed := range []bool{false, true} {
					look(fate{answers: i, unfollowed: unfollowed})
					look(fate{answers: i, unfollowed: unfollowed, local: true})
					look(fate{stops: i, unfollowed: unfollowed})
				}
			}
		})
	}
}
