package agent

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/internal/quietlog"
)

// A run of a process that has died waits mostly for the next look. What is read each
// time is the leases of runs in progress, which are few.
const (
	looksPerLease = 25
	looksPerWake  = 75 // each so many looks, runs that wait are looked at too
)

// look finds runs that nobody goes on with: those whose lease has ended or whose
// process has, and now and then those that wait and whose wake-up may have been
// lost.
func (rt *Runtime) look(ctx context.Context) {
	for round := 0; ; round++ {
		rt.lookAtLeases(ctx)
		if round%looksPerWake == 0 {
			rt.scan(ctx, parkedKind, func(ref Ref, _ parley.Record) { rt.wake(ctx, ref, true) })
		}
		if !patience.Sleep(ctx, rt.opts.Lease/looksPerLease) {
			return
		}
	}
}

// leased is a run of another process, as its lease says. It may have been written before
// the process attended.
type leased struct {
	ref      Ref
	version  int64
	attended bool
}

func (rt *Runtime) lookAtLeases(ctx context.Context) {
	others := map[string][]leased{} // by the process that has them, and says when it ends
	rt.scan(ctx, leaseKind, func(ref Ref, record parley.Record) {
		var h holder
		switch {
		case json.Unmarshal(record.Data, &h) != nil:
		case !time.Now().Before(h.Until):
			rt.wake(ctx, ref, false)
		case h.Node == rt.node.ID():
			rt.heed(ref, h)
		default:
			others[h.Node] = append(others[h.Node], leased{ref, record.Version, h.There})
		}
	})
	for node, runs := range rt.dead(ctx, others) {
		rt.opts.Logger.InfoContext(ctx, "process gone: its runs go on here", "node", node, "runs", len(runs))
		rt.mu.Lock()
		for _, one := range runs {
			rt.orphans[one.ref] = one.version
		}
		rt.mu.Unlock()
		for _, one := range runs {
			rt.wake(ctx, one.ref, false)
		}
	}
}

// orphaned reports whether a lease is that of a process that was found to be
// dead, and has not been renewed since that was looked into.
func (rt *Runtime) orphaned(ref Ref, version int64) bool {
	rt.mu.Lock()
	defer rt.mu.Unlock()
	found, ok := rt.orphans[ref]
	delete(rt.orphans, ref)
	return ok && found == version
}

// scan calls each for every record of a kind.
func (rt *Runtime) scan(ctx context.Context, kind string, each func(Ref, parley.Record)) {
	var failed error
	defer func() { rt.unread(kind).Note(ctx, rt.opts.Logger, "abandoned runs not looked for", failed) }()
	for record, err := range parley.Each(ctx, rt.records, parley.Address{Tenant: everybody, Kind: kind}, "") {
		if err != nil {
			failed = err
		}
		if parley.Unopened(err) {
			continue
		}
		if err != nil {
			return
		}
		if ref, ok := parseRef(record.Key); ok {
			each(ref, record)
		}
	}
}

// unread is the trouble with reading the records of a kind.
func (rt *Runtime) unread(kind string) *quietlog.Trouble {
	if kind == leaseKind {
		return &rt.unreadLeases
	}
	return &rt.unreadParked
}

// nudge tells the process that drives a run that it is to stop. That one finds it
// at its next look.
func (rt *Runtime) nudge(ctx context.Context, ref Ref) error {
	_, err := parley.Update(ctx, rt.records, leaseAddress(ref), func(record *parley.Record) (bool, error) {
		if record.Version == 0 {
			return false, nil
		}
		var h holder
		if err := json.Unmarshal(record.Data, &h); err != nil || h.Node == "" || h.Node == rt.node.ID() {
			return false, err
		}
		h.Stop = true
		var err error
		record.Data, err = json.Marshal(h)
		return true, err
	})
	return err
}

// heed ends what a run is at if another process was told to stop it.
func (rt *Runtime) heed(ref Ref, h holder) {
	if l := rt.liveRun(ref); h.Stop && l != nil {
		l.interrupt()
	}
}

// dead returns what is of processes that have certainly ended.
func (rt *Runtime) dead(ctx context.Context, others map[string][]leased) map[string][]leased {
	var mu sync.Mutex
	var all sync.WaitGroup
	dead := map[string][]leased{}
	for node, runs := range others {
		all.Go(func() {
			attended := slices.ContainsFunc(runs, func(one leased) bool { return one.attended })
			if rt.node.Absent(ctx, node, attended) {
				mu.Lock()
				defer mu.Unlock()
				dead[node] = runs
			}
		})
	}
	all.Wait()
	return dead
}
