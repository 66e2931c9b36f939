package audit

import (
	"context"
	"errors"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
)

// Run puts entries into their chains until ctx ends, and returns its cause: those of
// this process at once, those of others that have died a little later. It makes the
// checkpoints that are kept, and forgets what is older than the retention. What is due
// when ctx ends is put into the chain first, if that takes a moment only. Every process
// runs one.
func (l *Log) Run(ctx context.Context) error {
	sync, keep := time.NewTicker(l.opts.Sync), time.NewTicker(l.opts.Every)
	defer sync.Stop()
	defer keep.Stop()
	l.look(ctx, l.collectAll)
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-l.wake:
			l.look(ctx, l.collectFresh)
		case <-sync.C:
			l.look(ctx, l.collectAll)
		case <-keep.C:
			if err := l.Keep(ctx); err != nil && ctx.Err() == nil {
				l.opts.Logger.WarnContext(ctx, "audit: checkpoint not kept", "err", err)
			}
		}
	}
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastEntries)
	defer stop()
	l.look(last, l.collectFresh)
	return context.Cause(ctx)
}

// lastEntries is how long Run goes on for what is due when it is told to stop.
const lastEntries = 2 * time.Second

// Flush puts what this process knows to be due into the chain: for whoever wants to read
// an entry that was just made.
func (l *Log) Flush(ctx context.Context) error { return l.put(ctx, l.collectFresh) }

// Sync puts what is due into the chain that another process has left.
func (l *Log) Sync(ctx context.Context) error { return l.put(ctx, l.collectAll) }

func (l *Log) put(ctx context.Context, collect func(context.Context) ([]due, error)) error {
	dues, err := collect(ctx)
	if err != nil {
		return err
	}
	return l.add(ctx, dues)
}

func (l *Log) look(ctx context.Context, collect func(context.Context) ([]due, error)) {
	l.late.Note(ctx, l.opts.Logger, "audit: entries not written yet", l.put(ctx, collect))
}

// collectFresh are the dues that this process has written. One that another has dealt with
// meanwhile is in the chain already: see missing.
func (l *Log) collectFresh(ctx context.Context) (dues []due, err error) {
	l.mu.Lock()
	fresh := l.fresh
	l.fresh = nil
	l.mu.Unlock()
	for _, d := range fresh {
		if d.Entry != nil || d.Question != "" {
			dues = append(dues, d)
			continue
		}
		r, err := l.records.Load(ctx, dueAt(d.key))
		if errors.Is(err, parley.ErrNotFound) {
			continue // another was faster
		}
		if err != nil {
			return dues, err // all are found by looking for all
		}
		if d, ok := l.read(ctx, r); ok {
			dues = append(dues, d)
		}
	}
	return dues, nil
}

// collectAll reads the dues that nobody has dealt with for a while.
func (l *Log) collectAll(ctx context.Context) (dues []due, err error) {
	for r, err := range parley.Each(ctx, l.records, parley.Address{Kind: dueKind}, "") {
		if parley.Unopened(err) {
			l.opts.Logger.ErrorContext(ctx, "audit: unreadable entry", "err", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		if d, ok := l.read(ctx, r); ok && time.Since(d.Since) >= l.opts.Age {
			dues = append(dues, d)
		}
	}
	return dues, nil
}

func (l *Log) read(ctx context.Context, r parley.Record) (due, bool) {
	d, err := decodeDue(r)
	if err != nil {
		l.opts.Logger.ErrorContext(ctx, "audit: unreadable entry", "key", r.Key, "err", err)
	}
	return d, err == nil
}

// add puts the entries of dues into the chains, tenant by tenant.
func (l *Log) add(ctx context.Context, dues []due) error {
	byTenant := map[string][]ripe{}
	var problems []error
	for _, d := range dues {
		e, ok, err := l.resolve(ctx, d)
		if err != nil {
			problems = append(problems, err)
		}
		if err == nil && ok && e.Signed != nil {
			var first []ripe
			if first, err = l.enrolling(ctx, e); err != nil {
				problems = append(problems, err)
			}
			byTenant[e.Tenant] = append(byTenant[e.Tenant], first...)
		}
		if err == nil && ok {
			byTenant[e.Tenant] = append(byTenant[e.Tenant], ripe{entry: e, due: d.key, key: e.key(d.key)})
		}
	}
	for tenant, all := range byTenant {
		problems = append(problems, l.extend(ctx, tenant, all))
	}
	return errors.Join(problems...)
}

// listTenant remembers that a tenant has a chain, so that it gets checkpoints.
func (l *Log) listTenant(ctx context.Context, tenant string) error {
	l.mu.Lock()
	known := l.known[tenant]
	l.mu.Unlock()
	if known {
		return nil
	}
	if err := l.saveNew(ctx, parley.Address{Kind: tenantKind, Key: tenant}, []byte("{}")); err != nil {
		return err
	}
	l.mu.Lock()
	l.known[tenant] = true
	l.mu.Unlock()
	return nil
}

// persistentlySoon is for what is tried again at once when another process was faster.
func persistentlySoon(ctx context.Context, op func() error) error {
	return patience.Plan{For: 30 * time.Second, Final: unreadable, Soon: parley.Overtaken}.Do(ctx, op)
}
