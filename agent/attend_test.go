package agent_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// roll is who attends, as a store knows it.
type roll struct {
	mu     sync.Mutex
	there  map[string]bool
	misses int           // how often somebody was found absent
	slow   time.Duration // that a store takes to be sure
	late   time.Duration // that a process takes to attend
}

// attended is a view of the store that knows which processes are there.
type attended struct {
	*mortal
	roll *roll
}

var _ parley.Attendance = attended{}

func (a attended) Attend(ctx context.Context, node string, there func()) error {
	time.Sleep(a.roll.late)
	a.roll.set(node, true)
	there()
	<-ctx.Done()
	a.roll.set(node, false)
	return ctx.Err()
}

func (a attended) Absent(ctx context.Context, node string) (bool, error) {
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-time.After(a.roll.slow):
	}
	a.roll.mu.Lock()
	defer a.roll.mu.Unlock()
	if !a.roll.there[node] {
		a.roll.misses++
	}
	return !a.roll.there[node], nil
}

func (r *roll) set(node string, there bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.there[node] = there
}

func (r *roll) missed() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.misses
}

// forgetAll is what a store does that lost its connections.
func (r *roll) forgetAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.there)
}

func TestARunOfADeadProcessIsTakenBeforeItsLeaseEnds(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.roll = &roll{there: map[string]bool{}}
		begun := make(chan struct{}, 1)
		b := &box{name: "tracker", call: func(ctx context.Context, _ *agent.Invocation) (agent.Result, error) {
			begun <- struct{}{}
			<-ctx.Done()
			return agent.Result{}, context.Cause(ctx)
		}}
		first, second := w.node(helperWith(b)), w.node(helperWith(b))
		synctest.Wait() // both attend
		ref := first.say("c", "go")
		<-begun
		killed := time.Now()
		first.kill()
		third := w.node(helperWith(b))
		for _, n := range []*node{second, third} {
			if got := n.follow(ref).reply(); !strings.Contains(got, "result of this call is unknown") {
				t.Errorf("the reply is %q", got)
			}
		}
		if d := time.Since(killed); d >= 10*time.Second { // the lease's time
			t.Errorf("that took %s", d)
		}
		if b.called() != 1 {
			t.Errorf("%d calls were made", b.called())
		}
	})
}

// A run that is taken in the first moments of a process has a lease that does not say
// that it attends.
func TestARunOfAProcessThatDiesYoungIsTakenBeforeItsLeaseEnds(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.roll = &roll{there: map[string]bool{}, late: 100 * time.Millisecond}
		begun := make(chan struct{}, 1)
		b := &box{name: "tracker", call: func(ctx context.Context, _ *agent.Invocation) (agent.Result, error) {
			begun <- struct{}{}
			<-ctx.Done()
			return agent.Result{}, context.Cause(ctx)
		}}
		first := w.node(helperWith(b))
		ref := first.say("c", "go")
		<-begun
		time.Sleep(time.Second)
		first.kill()
		killed := time.Now()
		if got := w.node(helperWith(b)).follow(ref).reply(); !strings.Contains(got, "result of this call is unknown") || b.called() != 1 {
			t.Errorf("the reply is %q after %d calls", got, b.called())
		}
		if d := time.Since(killed); d >= 5*time.Second { // half of the lease's time
			t.Errorf("that took %s", d)
		}
	})
}

// A process that the store has lost sight of renews its leases. Whoever found it
// absent before that leaves its runs alone.
func TestARunIsNotTakenFromAProcessThatRenewsItsLease(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		w.roll = &roll{there: map[string]bool{}, slow: 4 * time.Second}
		done := make(chan struct{})
		b := &box{name: "tracker", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
			<-done
			return agent.Result{Text: "tracker did it"}, nil
		}}
		first := w.node(helperWith(b))
		synctest.Wait()
		ref := first.say("c", "go")
		w.node(helperWith(b))
		w.roll.forgetAll()
		time.Sleep(time.Minute)
		if w.roll.missed() == 0 {
			t.Fatal("nobody looked")
		}
		close(done)
		if got := first.follow(ref).reply(); got != "tracker did it done" || b.called() != 1 {
			t.Errorf("the reply is %q after %d calls", got, b.called())
		}
	})
}

// One that never attended may be alive: only its lease tells.
func TestARunOfAProcessThatDoesNotAttendIsLeftToIt(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		done := make(chan struct{})
		b := &box{name: "tracker", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
			<-done
			return agent.Result{Text: "tracker did it"}, nil
		}}
		first := w.node(helperWith(b))
		ref := first.say("c", "go")
		w.roll = &roll{there: map[string]bool{}}
		w.node(helperWith(b))
		time.Sleep(time.Minute)
		close(done)
		if got := first.follow(ref).reply(); got != "tracker did it done" || b.called() != 1 || w.roll.missed() != 0 {
			t.Errorf("the reply is %q after %d calls", got, b.called())
		}
	})
}
