package agent

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
)

// Leases and parked runs are of no tenant: every process looks after all.
const (
	everybody  = "-runs"
	leaseKind  = "run_lease"
	parkedKind = "run_parked"
)

// holder is who drives a run.
type holder struct {
	Node  string    `json:"node"`
	Until time.Time `json:"until"`
	There bool      `json:"there,omitempty"` // the store knows when the process ends: see parley.Attendance
	Stop  bool      `json:"stop,omitempty"`  // another process was told to stop the run
}

func leaseAddress(ref Ref) parley.Address {
	return parley.Address{Tenant: everybody, Kind: leaseKind, Key: ref.String()}
}

func parkedAddress(ref Ref) parley.Address {
	return parley.Address{Tenant: everybody, Kind: parkedKind, Key: ref.String()}
}

// holding is what the lease of a run says that this process has.
func (rt *Runtime) holding() ([]byte, error) {
	return json.Marshal(holder{Node: rt.node.ID(), Until: time.Now().Add(rt.opts.Lease), There: rt.node.Attends()})
}

// lease takes a run for this process, over the given version of its lease, and returns
// the next one.
func (rt *Runtime) lease(ctx context.Context, ref Ref, version int64) (int64, error) {
	data, err := rt.holding()
	if err != nil {
		return 0, err
	}
	return rt.records.Save(ctx, parley.Record{Address: leaseAddress(ref), Data: data, Version: version})
}

// relet changes the lease of a run if it is this process's, whatever others write
// into it meanwhile. What it becomes is change's to say.
func (rt *Runtime) relet(ctx context.Context, ref Ref, change func(h holder) ([]byte, error)) error {
	_, err := parley.Update(ctx, rt.records, leaseAddress(ref), func(record *parley.Record) (bool, error) {
		var h holder
		if record.Version == 0 {
			return false, nil
		}
		err := json.Unmarshal(record.Data, &h)
		if err != nil || h.Node != rt.node.ID() {
			return false, err
		}
		record.Data, err = change(h)
		return true, err
	})
	return err
}

// take takes a run unless another process has it that may be alive: then the version of
// the lease is 0.
func (rt *Runtime) take(ctx context.Context, ref Ref) (version int64, err error) {
	version, err = rt.lease(ctx, ref, 0) // as a rule nobody has it
	if !errors.Is(err, parley.ErrExists) {
		return version, err
	}
	record, h, err := rt.leaseOf(ctx, ref)
	switch {
	case errors.Is(err, parley.ErrNotFound): // it was given back just now
	case err != nil:
		return 0, err
	case h.Node != rt.node.ID() && time.Now().Before(h.Until) && !rt.orphaned(ref, record.Version):
		return 0, nil
	}
	version, err = rt.lease(ctx, ref, record.Version)
	if parley.Overtaken(err) {
		return 0, nil
	}
	return version, err
}

// held returns the lease of a run if it is this process's, or
// parley.ErrNotFound. A process that was stopped for long may find that another
// has the run, whose lease is not ours to end.
func (rt *Runtime) held(ctx context.Context, ref Ref) (parley.Record, error) {
	record, h, err := rt.leaseOf(ctx, ref)
	if err == nil && h.Node != rt.node.ID() {
		err = parley.ErrNotFound
	}
	return record, err
}

func (rt *Runtime) leaseOf(ctx context.Context, ref Ref) (record parley.Record, h holder, err error) {
	if record, err = rt.records.Load(ctx, leaseAddress(ref)); err == nil {
		err = json.Unmarshal(record.Data, &h)
	}
	return record, h, err
}

// gone reports whether a lease is no longer ours.
func gone(err error) bool {
	return errors.Is(err, parley.ErrNotFound) || errors.Is(err, parley.ErrConflict)
}

// yield lets another process have a run at once.
func (rt *Runtime) yield(ctx context.Context, ref Ref) error {
	return rt.relet(ctx, ref, func(holder) ([]byte, error) { return []byte("{}"), nil })
}

// drop gives a run up. park is set for one that waits: a slow look finds it if
// its wake-up is lost. lease is as of unlease.
func (rt *Runtime) drop(ctx context.Context, ref Ref, park bool, lease int64) error {
	if park {
		_, err := rt.records.Save(ctx, parley.Record{Address: parkedAddress(ref), Data: []byte("{}")})
		if err != nil && !errors.Is(err, parley.ErrExists) {
			return err
		}
	} else if err := rt.records.Delete(ctx, parkedAddress(ref), 0); err != nil && !errors.Is(err, parley.ErrNotFound) {
		return err
	}
	return rt.unlease(ctx, ref, lease)
}

// unlease ends the lease of a run that is this process's. lease is the version with which
// it was taken: only if it was renewed since it is read.
func (rt *Runtime) unlease(ctx context.Context, ref Ref, lease int64) error {
	err := parley.ErrConflict
	if lease != 0 { // any version would be anybody's
		err = rt.records.Delete(ctx, leaseAddress(ref), lease)
	}
	if errors.Is(err, parley.ErrNotFound) {
		return nil
	}
	if !errors.Is(err, parley.ErrConflict) {
		return err
	}
	record, err := rt.held(ctx, ref)
	for err == nil {
		err = rt.records.Delete(ctx, record.Address, record.Version)
		if !errors.Is(err, parley.ErrConflict) {
			break
		}
		record, err = rt.held(ctx, ref) // it was renewed meanwhile
	}
	if gone(err) {
		return nil
	}
	return err
}

// Run goes on with runs until ctx ends: those that this process started, those
// whose question is settled, and those that another process left behind. Then
// calls and models that are under way may finish for Options.Grace, no further
// calls are made, and those that wait for a person on an open connection end. It
// returns ctx's error, after every run was let go at its last step.
func (rt *Runtime) Run(ctx context.Context) error {
	if !rt.begins() {
		return parley.ErrRunning
	}
	defer rt.ends()
	work, cut := context.WithCancelCause(context.WithoutCancel(ctx))
	var driving, all sync.WaitGroup
	defer all.Wait()
	defer cut(nil)
	all.Go(func() { rt.renew(work) })
	if rt.ownNode {
		all.Go(func() { _ = rt.node.Run(work) })
	}
	all.Go(func() { rt.look(ctx) })
	all.Go(func() { rt.tend(ctx) })
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case t := <-rt.work:
			driving.Go(func() {
				if t.after == 0 || patience.Sleep(ctx, t.after) {
					rt.drive(work, ctx, t.ref)
				}
			})
		}
	}
	rt.clear(work)
	last := time.AfterFunc(max(0, rt.opts.Grace), func() { cut(errHandOver) })
	defer last.Stop()
	driving.Wait()
	return ctx.Err()
}

func (rt *Runtime) begins() bool {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	first := !rt.running
	rt.running, rt.ending = true, rt.ending && !first
	return first
}

func (rt *Runtime) ends() {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	rt.running = false
}

// clear lets the runs go that nobody here has begun to drive.
func (rt *Runtime) clear(ctx context.Context) {
	rt.mu.Lock()
	rt.ending = true
	rt.mu.Unlock()
	for {
		select {
		case t := <-rt.work:
			rt.release(ctx, t.ref)
		default:
			return
		}
	}
}

// release yields a run that is not driven here; whoever has it goes on.
func (rt *Runtime) release(ctx context.Context, ref Ref) {
	if l := rt.liveRun(ref); l != nil && l.driven() {
		return
	}
	rt.fresh.forget(ref)
	rt.progress.abandon(ref)
	if err := rt.yield(context.WithoutCancel(ctx), ref); err != nil {
		rt.opts.Logger.WarnContext(ctx, "run not handed over: it waits for its lease to end", "run", ref.Run, "err", err)
	}
}

// renew keeps the leases of the runs that this process drives.
func (rt *Runtime) renew(ctx context.Context) {
	for patience.Sleep(ctx, rt.opts.Lease/3) {
		rt.mu.Lock()
		var mine []Ref
		for ref, l := range rt.live {
			if l.driven() {
				mine = append(mine, ref)
			}
		}
		rt.mu.Unlock()
		for _, ref := range mine {
			if err := rt.renewOne(ctx, ref); err != nil && ctx.Err() == nil {
				rt.opts.Logger.WarnContext(ctx, "run lease not renewed", "run", ref.Run, "err", err)
			}
		}
	}
}

// renewOne prolongs a lease that is still ours. One that was lost is not: the next
// save tells.
func (rt *Runtime) renewOne(ctx context.Context, ref Ref) error {
	return rt.relet(ctx, ref, func(h holder) ([]byte, error) {
		rt.heed(ref, h)
		return rt.holding()
	})
}

// wake goes on with a run if there is something to go on with.
func (rt *Runtime) wake(ctx context.Context, ref Ref, waiting bool) {
	if l := rt.liveRun(ref); l != nil && l.driven() {
		return
	}
	if waiting {
		r, err := rt.load(ctx, ref)
		if errors.Is(err, parley.ErrNotFound) { // it is forgotten
			err = rt.records.Delete(ctx, parkedAddress(ref), 0)
			if err != nil && !errors.Is(err, parley.ErrNotFound) && ctx.Err() == nil {
				rt.opts.Logger.WarnContext(ctx, "parked run not cleared away", "run", ref.Run, "err", err)
			}
			return
		}
		if err != nil || !rt.ready(ctx, r, false) {
			return
		}
	}
	rt.enqueue(ctx, ref)
}

// ready reports whether something that a waiting run waits for has come. watched says that
// its questions are looked after already: see live.watch.
func (rt *Runtime) ready(ctx context.Context, r *Run, watched bool) bool {
	if r.Stop || r.Status != Waiting {
		return true
	}
	waits := unsettled(r.Waits)
	for _, c := range r.Calls {
		waits = append(waits, unsettled(c.Waits)...)
		if c.Child != nil && c.State != finished {
			child, err := rt.load(ctx, *c.Child)
			if err == nil && child.Status == Ended || errors.Is(err, parley.ErrNotFound) && c.State == paused {
				return true
			}
		}
	}
	for _, w := range waits {
		if watched {
			break
		}
		q, err := rt.hub.Get(ctx, r.principal(), w.Question.ID)
		if err == nil && !q.Pending() || errors.Is(err, parley.ErrNotFound) {
			return true
		}
	}
	return len(waits) == 0 && !delegating(r)
}

func delegating(r *Run) bool {
	for _, c := range r.Calls {
		if c.Child != nil && c.State != finished {
			return true
		}
	}
	return false
}

// OfRun reports whether a run of an agent asks a question.
func OfRun(q parley.Request) bool { return q.Labels[runLabel] != "" }

// runLabel names the run that a question belongs to.
const runLabel = "agent.run"

// CircleLabel is on the questions of runs whose messages a model writes, see
// Caller.Circle: what that model has, its token too, is not the person.
const CircleLabel = parley.LabelCircle

// courtesy is how long the process that settles a question leaves it to the one
// that shows it to go on.
const courtesy = 100 * time.Millisecond

// Settled is a hook for the hub, after publish: the process that settles a
// question goes on with the run that asked it, if nobody else does so sooner.
func (rt *Runtime) Settled(ctx context.Context, a *parley.Answering) error {
	ref, ok := parseRef(a.Request.Labels[runLabel])
	if !ok {
		return nil
	}
	if rt.liveRun(ref) != nil {
		rt.enqueue(ctx, ref)
	} else {
		rt.enqueueAfter(ctx, ref, courtesy)
	}
	return nil
}
