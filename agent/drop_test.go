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

type turn struct {
	name  string
	tools []string
	boxes func() []*box
	asks  int
}

func turns() []turn {
	return []turn{
		{"one question", []string{"tracker__do"}, func() []*box { return []*box{{name: "tracker", prepare: needsAnswer}} }, 1},
		{"two questions", []string{"tracker__do"}, func() []*box { return []*box{{name: "tracker", prepare: twoQuestions}} }, 2},
		{"in the call", []string{"tracker__do"}, func() []*box { return []*box{{name: "tracker", call: asksInCall}} }, 1},
	}
}

// live runs a turn by its fate and returns how many operations the first process did, and
// what was wrong.
func (u turn) live(t *testing.T, f fate) (ops []string, wrong []string) {
	inABubble(t, func(t *testing.T, w *world) {
		bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
		boxes := u.boxes()
		helper := &agent.Agent{Name: "helper", Model: callOnce(u.tools...)}
		for _, b := range boxes {
			helper.Toolboxes = append(helper.Toolboxes, b)
		}
		second := w.node(helper)
		store := &dropping{MemoryStore: w.store, last: f.dies, after: f.after, died: make(chan struct{})}
		var first *agent.Runtime
		hub := parley.New(store, &parley.Options{Logger: quiet, Patience: time.Millisecond, Hooks: []parley.Hook{
			parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return first.Settled(ctx, a) }),
		}})
		var mu sync.Mutex
		var said time.Time // when nothing was missing any more
		answer := func() {
			open, err := w.store.List(context.Background(), parley.Query{Pending: true})
			if err != nil {
				t.Error(err)
			}
			h := second.hub
			if f.local {
				h = hub
			}
			for _, q := range open {
				if h.Answer(context.Background(), alice, q.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{}`), Via: "test"}) != nil && f.local {
					_ = second.hub.Answer(context.Background(), alice, q.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{}`), Via: "test"})
				}
			}
			mu.Lock()
			said = time.Now()
			mu.Unlock()
		}
		store.at = func(op int, what string) {
			mu.Lock()
			ops = append(ops, what)
			mu.Unlock()
			if op == f.answers {
				answer()
			}
			if op == f.stops {
				_ = second.Stop(context.Background(), alice, "c")
				mu.Lock()
				said = time.Now()
				mu.Unlock()
			}
		}
		first, err := agent.New(hub, store, w.keys, &agent.Options{Agents: []*agent.Agent{helper}, Logger: quiet})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		var all sync.WaitGroup
		all.Go(func() { _ = hub.Run(ctx) })
		all.Go(func() { _ = first.Run(ctx) })
		all.Go(func() {
			select {
			case <-store.died:
				stop()
			case <-ctx.Done():
			}
		})
		defer all.Wait()
		defer stop()
		synctest.Wait()
		began := time.Now()
		ref, err := first.Start(t.Context(), alice, agent.Message{Agent: "helper", Conversation: "c", ID: "m", Text: "x", CanAsk: true})
		if err != nil {
			if ref, err = second.Start(t.Context(), alice, agent.Message{Agent: "helper", Conversation: "c", ID: "m", Text: "x", CanAsk: true}); err != nil {
				t.Fatal(err)
			}
		}
		var here, there []string
		var ended sync.WaitGroup
		read := func(rt *agent.Runtime, into *[]string) {
			fl := rt.Follow(alice, ref)
			defer fl.Close()
			limit, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			for {
				e, err := fl.Next(limit)
				if err != nil {
					return
				}
				if e.Type != agent.TextDelta {
					*into = append(*into, line(e))
				}
			}
		}
		if !f.unfollowed {
			ended.Go(func() { read(first, &here) })
		}
		ended.Go(func() { read(second.Runtime, &there) })
		over := make(chan struct{})
		go func() { ended.Wait(); close(over) }()
		tick := time.NewTicker(700 * time.Millisecond)
		defer tick.Stop()
		var end time.Time
		for done := false; !done; {
			select {
			case <-over:
				end, done = time.Now(), true
			case <-tick.C:
				open, _ := w.store.List(context.Background(), parley.Query{Pending: true})
				mu.Lock()
				late := f.answers == 0 || len(ops) >= f.answers || time.Since(began) > 20*time.Second
				mu.Unlock()
				if late && len(open) > 0 && end.IsZero() && time.Since(began) > time.Second {
					answer()
				}
			}
		}
		mu.Lock()
		since := said
		mu.Unlock()
		if since.IsZero() {
			since = began
		}
		most := 1500 * time.Millisecond
		if f.dies > 0 {
			most = 14 * time.Second
		}
		if d := end.Sub(since); d > most {
			bad("it ended %s after the last word", d)
		}
		if n := len(there); n == 0 || !strings.HasPrefix(there[n-1], "finished ") {
			bad("the follower at the second is told %q", there)
		}
		if !f.unfollowed && f.dies == 0 && !slices.Equal(here, there) {
			bad("followers are told\n%q\n%q", here, there)
		}
		calls := 0
		for _, b := range boxes {
			calls += b.called()
		}
		want := len(boxes)
		if u.name == "in the call" {
			want = 2
		}
		whole := strings.Join(there, "\n")
		unsure := strings.Contains(whole, "unknown") || strings.Contains(whole, "stopped")
		if calls > want || calls < want && !unsure {
			bad("%d calls: %q", calls, there)
		}
		if n := strings.Count(whole, "finished "); n != 1 {
			bad("%d ends", n)
		}
		if n := strings.Count(whole, "asked "); f.stops == 0 && n != u.asks && !unsure {
			bad("asked %d times: %q", n, there)
		}
		time.Sleep(70 * time.Second)
		synctest.Wait()
		for _, kind := range []string{"run_lease", "run_parked"} {
			left, err := w.store.Scan(t.Context(), parley.Address{Tenant: "-runs", Kind: kind}, "", 10)
			if err != nil || len(left) > 0 {
				bad("left: %d %s", len(left), kind)
			}
		}
		if open, _ := w.store.List(t.Context(), parley.Query{Pending: true}); len(open) > 0 {
			bad("%d questions are open", len(open))
		}
	})
	return ops, wrong
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
