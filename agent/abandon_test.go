package agent_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// errand is a box that acts in two steps and knows after a crash which it did.
type errand struct {
	box
	mu        sync.Mutex
	states    []string // that Call was given
	abandoned []string // the states of calls that were
}

func (e *errand) Tools(context.Context, agent.Caller) ([]agent.Tool, error) {
	yes := true
	return []agent.Tool{{Name: "do", Schema: json.RawMessage(`{"type":"object"}`), Idempotent: &yes}}, nil
}

func (e *errand) Call(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
	e.mu.Lock()
	e.states = append(e.states, string(c.State))
	e.mu.Unlock()
	return e.box.Call(ctx, c)
}

func (e *errand) Abandon(_ context.Context, c *agent.Invocation) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.abandoned = append(e.abandoned, string(c.State))
	return nil
}

func (e *errand) given() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.states...)
}

func (e *errand) left() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.abandoned...)
}

func TestWhatACallKeptIsThereAfterItsProcessDied(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		e := &errand{box: box{name: "errand"}}
		e.call = func(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
			if len(c.State) > 0 {
				return agent.Result{Text: "went on with " + string(c.State)}, nil
			}
			if err := c.Keep(ctx, []byte("step one")); err != nil {
				return agent.Result{}, err
			}
			<-ctx.Done()
			return agent.Result{}, context.Cause(ctx)
		}
		helper := &agent.Agent{Name: "helper", Model: callOnce("errand__do"), Toolboxes: []agent.Toolbox{e}}
		first := w.node(helper)
		ref := first.say("c", "go")
		synctest.Wait()
		first.kill()
		if got := w.node(helper).follow(ref).reply(); got != "went on with step one done" {
			t.Error(got)
		}
	})
}

// A process whose run was taken over is told before it acts.
func TestACallThatIsNoLongerOursKeepsNothing(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		goOn, refused := make(chan struct{}), make(chan error, 1)
		first := &errand{box: box{name: "errand"}}
		first.call = func(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
			<-goOn
			refused <- c.Keep(context.WithoutCancel(ctx), []byte("too late"))
			return agent.Result{}, context.Cause(ctx)
		}
		second := &errand{box: box{name: "errand"}}
		dying := w.node(&agent.Agent{Name: "helper", Model: callOnce("errand__do"), Toolboxes: []agent.Toolbox{first}})
		ref := dying.say("c", "go")
		synctest.Wait()
		dying.lives(0) // nobody hears of it any more
		next := w.node(&agent.Agent{Name: "helper", Model: callOnce("errand__do"), Toolboxes: []agent.Toolbox{second}})
		if got := next.follow(ref).reply(); got != "errand did it done" {
			t.Error(got)
		}
		dying.lives(1 << 20)
		close(goOn)
		if err := <-refused; err == nil {
			t.Error("it was told to go on")
		}
		if given := second.given(); len(given) != 1 || given[0] != "" {
			t.Errorf("%q", given)
		}
	})
}

func TestABoxIsToldOfCallsThatAStopEnds(t *testing.T) {
	for name, call := range map[string]func(context.Context, *agent.Invocation) (agent.Result, error){
		"under way": func(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
			if err := c.Keep(ctx, []byte("begun")); err != nil {
				return agent.Result{}, err
			}
			<-ctx.Done()
			return agent.Result{}, context.Cause(ctx)
		},
		"waiting": func(context.Context, *agent.Invocation) (agent.Result, error) {
			return agent.Result{}, &agent.Pause{State: []byte("begun"), Questions: map[string]parley.Request{"q": {From: "errand", Message: "Which?"}}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inABubble(t, func(t *testing.T, w *world) {
				e := &errand{box: box{name: "errand", call: call}}
				n := w.node(&agent.Agent{Name: "helper", Model: callOnce("errand__do"), Toolboxes: []agent.Toolbox{e}})
				ref := n.say("c", "go")
				synctest.Wait()
				if err := n.Stop(t.Context(), alice, "c"); err != nil {
					t.Fatal(err)
				}
				n.follow(ref).rest()
				if left := e.left(); len(left) != 1 || left[0] != "begun" {
					t.Errorf("%q", left)
				}
			})
		})
	}
}

func TestABoxIsNotToldOfCallsThatWereNotBegun(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		e := &errand{box: box{name: "errand", prepare: needsAnswer}}
		n := w.node(&agent.Agent{Name: "helper", Model: callOnce("errand__do"), Toolboxes: []agent.Toolbox{e}})
		ref := n.say("c", "go")
		n.follow(ref).until(agent.Asked)
		if err := n.Stop(t.Context(), alice, "c"); err != nil {
			t.Fatal(err)
		}
		n.follow(ref).rest()
		if left := e.left(); len(left) != 0 {
			t.Errorf("%q", left)
		}
	})
}
