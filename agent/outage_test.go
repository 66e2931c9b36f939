package agent_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// faulty is a toolbox that is up, or fails, or says nothing.
type faulty struct {
	box
	state atomic.Value // up, refusing or silent
	lists atomic.Int64
}

const (
	up       = "up"
	refusing = "refusing"
	silent   = "silent"
)

func newFaulty(name, state string) *faulty {
	f := &faulty{box: box{name: name}}
	f.state.Store(state)
	return f
}

func (f *faulty) Tools(ctx context.Context, who agent.Caller) ([]agent.Tool, error) {
	f.lists.Add(1)
	switch f.state.Load() {
	case refusing:
		return nil, errors.New("connection refused")
	case silent:
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return f.box.Tools(ctx, who)
}

// turn has somebody say something and returns the warnings, and how long the turn
// took.
func (n *node) turn(who parley.Principal) (gone []string, took time.Duration) {
	n.t.Helper()
	began := time.Now()
	ref, err := n.Start(n.t.Context(), who, agent.Message{Agent: "helper", Conversation: "c", Text: "go"})
	if err != nil {
		n.t.Fatal(err)
	}
	f := n.Follow(who, ref)
	defer f.Close()
	for {
		ctx, cancel := context.WithTimeout(n.t.Context(), time.Hour)
		e, err := f.Next(ctx)
		cancel()
		if err != nil {
			n.t.Fatalf("after an hour: %v", err)
		}
		switch e.Type {
		case agent.ToolsGone:
			gone = append(gone, e.Box)
		case agent.Finished:
			slices.Sort(gone)
			return gone, time.Since(began)
		}
	}
}

func (n *node) expectTurn(who parley.Principal, took time.Duration, gone ...string) {
	n.t.Helper()
	got, d := n.turn(who)
	if !slices.Equal(got, gone) || d.Round(time.Second) != took {
		n.t.Errorf("a turn of %s took %s without %q; want %s without %q", who.User, d, got, took, gone)
	}
}

func talker(boxes ...agent.Toolbox) *agent.Agent {
	return &agent.Agent{Name: "helper", Toolboxes: boxes, Model: script(func(agent.Prompt) agent.Reply { return agent.Reply{Text: "hello"} })}
}

func TestAToolboxThatSaysNothingIsLeftOutInTimeAndTheNextTurnDoesNotWait(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		one, other := newFaulty("one", silent), newFaulty("other", silent)
		n := w.node(talker(one, other, &box{name: "fine"}))
		n.expectTurn(alice, 15*time.Second, "one", "other") // both at once, and no more than once
		n.expectTurn(alice, 0, "one", "other")
		n.expectTurn(bob, time.Second, "one", "other") // it might be Alice's credential
		n.expectTurn(bob, 0, "one", "other")
		one.state.Store(up)
		time.Sleep(2 * time.Minute) // each is tried beside the turns
		synctest.Wait()
		n.expectTurn(alice, 0, "other")
		n.expectTurn(bob, 0, "other")
	})
}

func TestAToolboxThatIsDownCostsOneTurnItsRetries(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := newFaulty("tracker", refusing)
		n := w.node(talker(b))
		n.expectTurn(alice, 7*time.Second, "tracker")
		for range 3 {
			n.expectTurn(alice, 0, "tracker")
		}
		n.expectTurn(bob, 0, "tracker") // one try, which fails at once
		b.state.Store(up)
		time.Sleep(time.Minute)
		synctest.Wait()
		n.expectTurn(alice, 0)
		n.expectTurn(bob, 0)
	})
}

func TestAToolboxThatNobodyWantsIsNotTriedForEver(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		b := newFaulty("tracker", refusing)
		n := w.node(talker(b))
		n.expectTurn(alice, 7*time.Second, "tracker")
		time.Sleep(time.Hour)
		tried := b.lists.Load()
		if tried < 10 || tried > 40 { // within ten minutes, at most every four seconds and then less often
			t.Errorf("it was tried %d times", tried)
		}
		time.Sleep(time.Hour)
		if again := b.lists.Load(); again != tried {
			t.Errorf("it was tried %d times more", again-tried)
		}
	})
}

// apart is a toolbox that is another server in each tenant.
type apart map[string]*faulty

func (a apart) Name() string { return "tracker" }

func (a apart) Tools(ctx context.Context, who agent.Caller) ([]agent.Tool, error) {
	return a[who.Tenant].Tools(ctx, who)
}

func (a apart) Prepare(ctx context.Context, c *agent.Invocation) error { return nil }

func (a apart) Call(context.Context, *agent.Invocation) (agent.Result, error) {
	return agent.Result{}, errors.New("nobody calls it")
}

// Two tenants may call two servers by one name: what is known of the one says
// nothing of the other.
func TestAnOutageIsOfOneTenantsServer(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		box := apart{"acme": newFaulty("tracker", silent), "globex": newFaulty("tracker", silent)}
		n := w.node(talker(box))
		acme, globex := parley.Principal{Tenant: "acme", User: "alice"}, parley.Principal{Tenant: "globex", User: "alice"}
		n.expectTurn(acme, 15*time.Second, "tracker")
		n.expectTurn(globex, 15*time.Second, "tracker") // it has its own time, though acme's is down
		box["acme"].state.Store(up)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		n.expectTurn(acme, 0)
		n.expectTurn(globex, 0, "tracker") // and is still known to be down when acme's is back
	})
}
