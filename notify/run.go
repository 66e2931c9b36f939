package notify

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/internal/quietlog"
)

func sleep(ctx context.Context, d time.Duration) bool { return patience.Sleep(ctx, d) }

// Run tells people of questions until ctx ends, and returns its cause. Every
// process runs one.
func (o *Outbox) Run(ctx context.Context) error {
	o.schedule.prepare()
	var all sync.WaitGroup
	settled := make(chan parley.ID, 256)
	all.Go(func() { o.watch(ctx, settled) })
	all.Go(func() { o.follow(ctx, settled) })
	all.Go(func() { o.discover(ctx) })
	free := make(chan struct{}, workers)
	for ctx.Err() == nil {
		id, next := o.schedule.take(time.Now())
		if id == "" {
			o.await(ctx, next)
			continue
		}
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			o.schedule.done(id, time.Time{})
			continue
		}
		all.Go(func() {
			defer func() { <-free }()
			o.attend(ctx, id)
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// await returns when something may be due.
func (o *Outbox) await(ctx context.Context, next time.Time) {
	pause := time.Hour
	if !next.IsZero() {
		pause = time.Until(next)
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-o.schedule.wake:
	case <-timer.C:
	}
}

const notWorkedOn = "notification not worked on"

// unopens reports whether an error is of something stored that does not open here.
func unopens(err error) bool { return parley.Unopened(err) || errors.Is(err, parley.ErrUnopened) }

// attend works on a question that is due.
func (o *Outbox) attend(ctx context.Context, id parley.ID) {
	next, err := o.work(ctx, id)
	switch {
	case err == nil || ctx.Err() != nil:
	case unopens(err):
		o.notices.TellOf("shut", notWorkedOn, "question", id, "err", err)
		o.schedule.shut(id)
		return
	default:
		o.notices.Tell(notWorkedOn, "question", id, "err", err)
		next = time.Now().Add(backoff(0))
	}
	o.schedule.done(id, next)
}

// watch looks at once at what was settled. It is a hint: discover finds what it
// misses.
func (o *Outbox) watch(ctx context.Context, settled chan<- parley.ID) {
	for {
		err := o.store.Watch(ctx, func(id parley.ID) {
			if id != "" {
				o.schedule.hint(id)
				if o.schedule.rounds() {
					select {
					case settled <- id:
					default: // it is looked at again by and by
					}
				}
			}
		})
		if ctx.Err() != nil {
			return
		}
		o.opts.Logger.DebugContext(ctx, "watch ended", "err", err)
		if !sleep(ctx, time.Second) {
			return
		}
	}
}

// discover reads from the store what there is to do: all of it now and then, since
// a process may have died or a question may have come with an old id, and between
// that what is new.
func (o *Outbox) discover(ctx context.Context) {
	var recent parley.ID // behind it there may be something new
	var whole time.Time
	var trouble quietlog.Trouble
	for {
		began := time.Now()
		var err error
		if began.Before(whole) {
			if o.tells() {
				recent, err = o.discoverQuestions(ctx, recent, nil)
			}
		} else if recent, err = o.discoverAll(ctx); err == nil {
			// Whatever there is, reading it takes a twentieth of the time at most.
			whole = time.Now().Add(max(o.opts.Sync, 20*time.Since(began)))
		}
		trouble.Note(ctx, o.opts.Logger, "pending questions not read", err)
		if !sleep(ctx, o.opts.Poll) {
			return
		}
	}
}

// tells reports whether there is anything to do about a pending question.
func (o *Outbox) tells() bool {
	return len(o.opts.Channels) > 0 || o.opts.Escalate != nil || len(o.opts.Messengers) > 0
}

// discoverAll reads the notices, then the pending questions: a notice whose question
// is not among them is looked at now.
func (o *Outbox) discoverAll(ctx context.Context) (recent parley.ID, err error) {
	type known struct {
		id   parley.ID
		next time.Time
	}
	var notices []known
	for record, err := range parley.Each(ctx, o.records, parley.Address{Kind: noticeKind}, "") {
		if err != nil && !parley.Unopened(err) {
			return "", err
		}
		var n notice
		if err == nil {
			n, err = decodeNotice(record)
		}
		if err != nil {
			o.notices.Tell("notice unreadable", "err", err)
			continue
		}
		o.schedule.noticed(n)
		notices = append(notices, known{n.id, n.Next})
	}
	if !o.tells() && len(notices) == 0 {
		return "", nil
	}
	pending := map[parley.ID]bool{}
	if recent, err = o.discoverQuestions(ctx, "", pending); err != nil {
		return "", err
	}
	for _, n := range notices {
		switch {
		case !pending[n.id]:
			o.schedule.at(n.id, time.Now())
		case !n.next.IsZero() && n.next.Before(time.Now().Add(o.horizon())):
			o.schedule.at(n.id, n.next)
		}
	}
	return recent, nil
}

// horizon is how far ahead this process remembers what it will do. What is later is
// found again by then.
func (o *Outbox) horizon() time.Duration { return 10 * max(o.opts.Sync, time.Minute) }

// overlap is how far behind the newest question others may come in late: the clocks
// of processes differ, and an id is made a moment before it is stored.
const overlap = 30 * time.Second

// discoverQuestions schedules the pending questions behind an id. It returns the id
// behind which there may be new ones from now on, and collects all that it finds.
func (o *Outbox) discoverQuestions(ctx context.Context, after parley.ID, found map[parley.ID]bool) (recent parley.ID, err error) {
	recent = after
	settledDown, far := time.Now().Add(-overlap), time.Now().Add(o.horizon())
	for {
		page, err := o.store.List(ctx, parley.Query{Pending: true, After: after, Limit: parley.MaxLimit})
		if err != nil {
			return recent, err
		}
		for _, r := range page {
			after = r.ID
			if found != nil {
				found[r.ID] = true
			}
			if r.Created.Before(settledDown) {
				recent = r.ID
			}
			if o.schedule.knows(r.ID) {
				continue
			}
			due, err := o.firstLook(ctx, r)
			if err != nil {
				return recent, err
			}
			if !due.IsZero() && due.Before(far) {
				o.schedule.at(r.ID, due)
			}
		}
		if len(page) < parley.MaxLimit {
			return recent, nil
		}
	}
}

// firstLook is when a question may have to be told of; zero: never.
func (o *Outbox) firstLook(ctx context.Context, r parley.Request) (time.Time, error) {
	if parley.OwnerOf(r.Tenant, r.To).IsPerson() {
		for _, name := range o.messengers() {
			if places, err := o.opts.Messengers[name].Places(ctx, r); err != nil || len(places) > 0 {
				return r.Created, nil // where it cannot be said now, whoever looks tries again
			}
		}
	}
	if !o.tells() || !concerns(r) {
		return time.Time{}, nil
	}
	if o.opts.Escalate != nil && r.Labels[parley.LabelAsker] != "" {
		return r.Created, nil
	}
	person, err := o.person(ctx, r.Tenant, r.To)
	if err != nil {
		return time.Time{}, err
	}
	var first time.Time
	for _, c := range person.Choices {
		due := r.Created.Add(c.After)
		if person.reachedBy(c) && (first.IsZero() || due.Before(first)) {
			first = due
		}
	}
	return first, nil
}

// State is how many questions this process is going to look at, and for how long the
// first that is due has been: an outbox that keeps up is a second behind at most.
// Every process knows all of them.
func (o *Outbox) State() (size int, behind time.Duration) {
	present := time.Now()
	size, since := o.schedule.state(present)
	if since.IsZero() {
		return size, 0
	}
	return size, present.Sub(since)
}
