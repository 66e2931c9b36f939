package agent

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/limit"
)

// Limits is how many turns may be in progress in this process at once: those that
// a model or a tool is at, and those that are about to be. One that waits for a
// person is not, and goes on when it is answered, whatever else is in progress.
// Zero fields mean the defaults, negative ones no limit.
type Limits struct {
	InAll     int // default 512
	PerTenant int // default 512
	PerPerson int // default 32

	// Unanswered is how many questions may wait for one person in turns whose messages a
	// model writes, see Message.Circle, before another of these is refused. What turns in
	// progress ask then is for the hub to refuse, see parley.Limits.PendingOfModels. Default 50.
	Unanswered int
}

// Whose is who has too much in progress.
type Whose string

// They are.
const (
	ThePersons Whose = "person"
	TheTenants Whose = "tenant"
	Everybodys Whose = "node"
	Unanswered Whose = "questions" // the person has not answered as much as may wait
)

// BusyError is what Start returns when too much is in progress, or waits for the person.
// Nothing was begun: the same message may be sent again.
type BusyError struct {
	Whose Whose
	After time.Duration // when it is worth trying again
}

func (e *BusyError) Error() string {
	if e.Whose == Unanswered {
		return "too many questions wait for this person already: try again when some are answered"
	}
	return "too many turns are in progress (" + string(e.Whose) + "): try again in " + e.After.String()
}

// again is when it is worth trying again: turns end all the time.
const again = 2 * time.Second

// progress counts what is in progress.
type progress struct {
	people, tenants, all *limit.Held

	mu   sync.Mutex
	runs map[Ref]*atWork
}

// atWork is a run in progress.
type atWork struct {
	drivers int // 0: it is about to be driven
	give    func()
}

func newProgress(l Limits) *progress {
	return &progress{
		people: limit.NewHeld(cmp.Or(l.PerPerson, 32), 0), tenants: limit.NewHeld(cmp.Or(l.PerTenant, 512), 0), all: limit.NewHeld(0, cmp.Or(l.InAll, 512)),
		runs: map[Ref]*atWork{},
	}
}

func person(ref Ref) string { return ref.Tenant + "\x00" + ref.User }

// admit counts a run that is about to begin, unless there are as many as there may
// be.
func (p *progress) admit(ref Ref) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.runs[ref] != nil {
		return nil
	}
	var given []func()
	give := func() {
		for _, one := range given {
			one()
		}
	}
	for _, one := range []struct {
		whose Whose
		held  *limit.Held
		key   string
	}{{Everybodys, p.all, ""}, {TheTenants, p.tenants, ref.Tenant}, {ThePersons, p.people, person(ref)}} {
		back, ok := one.held.Take(one.key)
		if !ok {
			give()
			return &BusyError{Whose: one.whose, After: again}
		}
		given = append(given, back)
	}
	p.runs[ref] = &atWork{give: give}
	return nil
}

// enter counts a driver of a run. What was begun goes on, so it is never refused.
func (p *progress) enter(ref Ref) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.runs[ref]
	if w == nil {
		all, tenant, one := p.all.Add(""), p.tenants.Add(ref.Tenant), p.people.Add(person(ref))
		w = &atWork{give: func() { all(); tenant(); one() }}
		p.runs[ref] = w
	}
	w.drivers++
}

// leave ends a driver's work; with the last the run is no longer in progress.
func (p *progress) leave(ref Ref) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.runs[ref]; w != nil {
		w.drivers--
		p.drop(ref, w)
	}
}

// abandon is for a run that nobody here is going to drive.
func (p *progress) abandon(ref Ref) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.runs[ref]; w != nil {
		p.drop(ref, w)
	}
}

func (p *progress) drop(ref Ref, w *atWork) {
	if w.drivers <= 0 {
		w.give()
		delete(p.runs, ref)
	}
}

// admit lets a message in, or says that there is too much in progress. A message
// that was let in before has its run, however busy it is here; looking for that
// comes before anything is written.
func (rt *Runtime) admit(ctx context.Context, p parley.Principal, ref Ref, m Message) (started Ref, err error) {
	if err = rt.progress.admit(ref); err == nil {
		if err = rt.unanswered(ctx, p, m); err != nil {
			rt.progress.abandon(ref)
		}
	}
	var busy *BusyError
	if !errors.As(err, &busy) {
		return Ref{}, err
	}
	if m.ID == "" {
		return Ref{}, rt.busy(ref, busy)
	}
	known, there, lookErr := rt.named(ctx, ref, m.ID)
	switch {
	case lookErr != nil && !errors.Is(lookErr, parley.ErrNotFound):
		return Ref{}, lookErr
	case lookErr == nil && there:
		return known, nil
	}
	return Ref{}, rt.busy(ref, busy)
}

// unanswered refuses a message that a model writes while too much waits for its person that
// models have brought about: a program that begins one conversation after the other would
// have them decide without end, and nobody reads the hundredth question as the first.
func (rt *Runtime) unanswered(ctx context.Context, p parley.Principal, m Message) error {
	const page = 50
	most := cmp.Or(rt.opts.Limits.Unanswered, 50)
	if m.Circle == "" || p.Kind == parley.KindProgram || most < 0 {
		return nil
	}
	q := parley.Query{Pending: true, Newest: true, Limit: page}
	for open := 0; ; {
		list, err := rt.hub.List(ctx, p, q)
		if err != nil {
			return err
		}
		for _, one := range list {
			q.After = one.ID
			if one.Labels[CircleLabel] != "" {
				open++
			}
		}
		if open >= most {
			return &BusyError{Whose: Unanswered, After: time.Minute}
		}
		if len(list) < page {
			return nil
		}
	}
}

// busy tells the operator now and then that messages are refused.
func (rt *Runtime) busy(ref Ref, err *BusyError) error {
	name := map[Whose]string{ThePersons: "turns_per_person", TheTenants: "turns_per_tenant", Everybodys: "turns", Unanswered: "questions_of_agents"}[err.Whose]
	rt.notices.Hit(name, "tenant", ref.Tenant, "user", ref.User)
	return err
}

// InProgress is how many runs this process is at: those that a model or a tool is
// at, and those that are about to be.
func (rt *Runtime) InProgress() int {
	rt.progress.mu.Lock()
	defer rt.progress.mu.Unlock()
	return len(rt.progress.runs)
}
