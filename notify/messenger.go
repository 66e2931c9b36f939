package notify

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/parley-hq/parley"
)

// Messenger is a channel that shows people a question where they talk, and follows it
// there: when something about it changes, and when it is closed. It may be called from
// several goroutines.
type Messenger interface {
	// Direct returns the addresses of a person, who is told there as they choose: after
	// a while, when nobody looks.
	Direct(ctx context.Context, tenant, user string) ([]string, error)

	// Places returns where a question belongs by itself, such as the conversation that it
	// came up in. It is told there at once, whoever looks, and not at the direct
	// addresses, unless none of the places takes it (Final). It is asked of every question, again and again: where r itself tells
	// that there is none, it reads nothing.
	Places(ctx context.Context, r parley.Request) ([]string, error)

	// Version names what of a pending question may change while it waits, such as who
	// has answered besides. A place that was told another one is told anew.
	Version(ctx context.Context, r parley.Request) (string, error)

	// Tell makes one place show how a question stands. It is called again, with the same
	// ID, where nobody knows how an attempt ended: see Telling.Repeated. Errors: a *Later
	// where the receiver wants to be left alone for a while, Final where no other
	// attempt will help; what else goes wrong is tried again.
	Tell(ctx context.Context, t Telling) error
}

// Telling is what a messenger is to tell.
type Telling struct {
	ID       string // the same for every attempt
	Event    string // EventOpened, EventChanged or EventClosed
	Question parley.ID
	Tenant   string
	To       string // who is asked
	Place    string // of those that Direct and Places returned
	Repeated bool   // an attempt was made before, and may have come through
}

// Later says that a receiver takes nothing for a while: the attempt does not count.
type Later struct {
	After time.Duration
	Err   error
}

func (e *Later) Error() string { return e.Err.Error() }

// Unwrap returns what the receiver said.
func (e *Later) Unwrap() error { return e.Err }

// placesOf is how a notice calls the places of a messenger among what was begun with.
func placesOf(channel string) string { return channel + "/places" }

// messengers are their names, in order.
func (o *Outbox) messengers() []string { return slices.Sorted(maps.Keys(o.opts.Messengers)) }

// addresses are where the messengers reach somebody. One that cannot say now is left
// out: the others go on.
func (o *Outbox) addresses(ctx context.Context, tenant, user string) map[string][]string {
	all := map[string][]string{}
	for name, m := range o.opts.Messengers {
		direct, err := m.Direct(ctx, cmp.Or(tenant, parley.DefaultTenant), user)
		if err != nil {
			o.opts.Logger.WarnContext(ctx, "addresses not read", "channel", name, "err", err)
			continue
		}
		if len(direct) > 0 {
			all[name] = direct
		}
	}
	return all
}

// planPlaces plans to tell a question where it belongs, and returns the messengers by which
// anybody is or may yet be reached. Where none of a messenger's places takes it, its person
// is told by it as they choose.
func (o *Outbox) planPlaces(ctx context.Context, p *plan, r parley.Request) (hope map[string]bool) {
	hope = map[string]bool{}
	for _, name := range o.messengers() {
		if !p.n.started(placesOf(name)) {
			places, err := o.opts.Messengers[name].Places(ctx, r)
			if err != nil {
				o.opts.Logger.WarnContext(ctx, "places of a question not read", "question", r.ID, "channel", name, "err", err)
				p.later(p.now.Add(backoff(0)))
			}
			if len(places) == 0 {
				continue
			}
			p.n.about(r)
			p.n.Started = append(p.n.Started, placesOf(name))
			for _, place := range places {
				p.n.Sent = append(p.n.Sent, delivery{Channel: name, Target: place})
			}
		}
		if p.attempts(name) {
			hope[name] = true
		}
	}
	return hope
}

// followEvery is how often it is looked whether others have answered, in case nobody
// told of it.
const followEvery = 15 * time.Second

// planChanges plans to tell what has changed about a question where it was told.
func (o *Outbox) planChanges(ctx context.Context, p *plan, r parley.Request) error {
	if p.n.Round == "" {
		return nil
	}
	for i := range p.n.Sent {
		d := &p.n.Sent[i]
		m := o.opts.Messengers[d.Channel]
		if m == nil || d.Opened.Failed != "" {
			continue
		}
		version, err := m.Version(ctx, r)
		if err != nil {
			return err
		}
		if d.Opened.Done.IsZero() {
			d.Want = version // it is told with what is known now
			continue
		}
		if d.Want != version {
			d.Want, d.Changed = version, progress{}
		}
		p.later(p.now.Add(followEvery))
		if d.Want == d.Shown || d.Changed.over() {
			continue
		}
		if d.Changed.Attempts >= closeAttempts {
			d.Changed.Failed = "nobody took it"
			continue
		}
		p.attempt(&d.Changed, EventChanged, job{delivery: i})
	}
	return nil
}

// tellMessenger makes one attempt.
func (o *Outbox) tellMessenger(ctx context.Context, m Messenger, n notice, j job) error {
	d := n.Sent[j.delivery]
	t := Telling{
		ID: messageID(n.id, j.event), Event: j.event, Question: n.id, Tenant: n.Tenant, To: n.To, Place: d.Target,
		Repeated: n.progress(j).Attempts > 1,
	}
	if j.event == EventChanged {
		t.ID += "_" + d.Want
	}
	return m.Tell(ctx, t)
}

// follow looks at the questions of a round when one of them was settled: what is told
// of the others may have changed.
func (o *Outbox) follow(ctx context.Context, settled <-chan parley.ID) {
	for {
		select {
		case <-ctx.Done():
			return
		case id := <-settled:
			r, err := o.store.Get(ctx, id)
			if err != nil && !errors.Is(err, parley.ErrNotFound) {
				o.opts.Logger.DebugContext(ctx, "settled question not read", "question", id, "err", err)
			}
			for _, other := range o.schedule.round(r.Labels[labelQuorum]) {
				if other != id {
					o.schedule.at(other, time.Now())
				}
			}
		}
	}
}

// labelQuorum is the label of questions that are asked several people about one call, as
// permit sets it.
const labelQuorum = "quorum"
