package notify

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/parley-hq/parley"
)

// plan is what is to be done about a question now, and when to look again.
type plan struct {
	n        *notice
	now      time.Time
	gone     bool // the question is not in the store any more
	unopened bool // or not yet: whoever finds it pending schedules it
	jobs     []job
	next     time.Time // zero: when the question is settled
}

// job is one attempt.
type job struct {
	event    string
	callback bool // to the program that asked
	delivery int  // else which of the notice
}

// later sees to it that the question is looked at by then: at a whole millisecond,
// as times are compared.
func (p *plan) later(at time.Time) {
	if whole := at.Truncate(time.Millisecond); whole.Before(at) {
		at = whole.Add(time.Millisecond)
	}
	if !at.IsZero() && (p.next.IsZero() || at.Before(p.next)) {
		p.next = at
	}
}

// attempt plans a job if it is due, and reports whether there is anything to hope
// for.
func (p *plan) attempt(of *progress, event string, j job) {
	due, next := of.due(p.now)
	if !due {
		p.later(next)
		return
	}
	j.event = event
	p.jobs = append(p.jobs, j)
}

// look says what is to be done. It changes the notice, and stores nothing.
func (o *Outbox) look(ctx context.Context, n *notice) (plan, parley.Request, error) {
	p := plan{n: n, now: now()}
	r, err := o.store.Get(ctx, n.id)
	if errors.Is(err, parley.ErrNotFound) {
		p.gone, err = true, nil
	}
	if err != nil {
		return p, r, err
	}
	if n.Until.After(p.now) {
		p.later(n.Until) // somebody is about to send
		return p, r, nil
	}
	n.Claim, n.Until = "", time.Time{}
	if err := o.planCallback(ctx, &p, r); err != nil {
		return p, r, err
	}
	switch {
	case p.gone || !r.Pending():
		p.takeBack()
	case !r.Expires.After(p.now):
		p.later(p.now.Add(time.Second)) // it is about to be settled
	default:
		err = o.planTelling(ctx, &p, r)
	}
	return p, r, err
}

// takeBack plans to tell those who were told that the question is closed.
func (p *plan) takeBack() {
	for i := range p.n.Sent {
		d := &p.n.Sent[i]
		if d.Opened.Attempts == 0 || d.Opened.Failed != "" || !d.takenBack() || d.Closed.over() {
			continue
		}
		if d.Closed.Attempts >= closeAttempts {
			d.Closed.Failed = "nobody took it"
			continue
		}
		p.attempt(&d.Closed, EventClosed, job{delivery: i})
	}
}

// closeAttempts is how often it is tried to take something back: within 45 minutes.
const closeAttempts = 6

// planTelling plans whom to tell of a pending question.
func (o *Outbox) planTelling(ctx context.Context, p *plan, r parley.Request) error {
	if !parley.OwnerOf(r.Tenant, r.To).IsPerson() {
		return nil
	}
	placed := o.planPlaces(ctx, p, r)
	if err := o.planChanges(ctx, p, r); err != nil || !concerns(r) {
		return err
	}
	person, err := o.person(ctx, r.Tenant, r.To)
	if err != nil {
		return err
	}
	if err := o.escalate(ctx, p, r, person); err != nil {
		o.opts.Logger.WarnContext(ctx, "escalation failed", "question", r.ID, "err", err)
		p.later(p.now.Add(backoff(0)))
	}
	hopeless := len(placed) == 0 // whoever was to be told before cannot be
	for _, c := range person.Choices {
		if placed[c.Channel] {
			continue // it is told where it belongs
		}
		if !person.reachedBy(c) && !p.n.started(c.Channel) {
			continue
		}
		if !p.n.started(c.Channel) {
			due := r.Created.Add(c.After)
			if hopeless && len(p.n.Started) > 0 {
				due = p.now // nobody was reached by what comes before
			}
			begun, err := o.begin(ctx, p, r, person, c.Channel, due)
			if err != nil {
				return err
			}
			if !begun {
				hopeless = false
				continue
			}
		}
		if p.attempts(c.Channel) {
			hopeless = false
		}
	}
	return nil
}

// concerns reports whether there is somebody who could be told, and something for them
// to do: a question that only tells waits for the answers of others.
func concerns(r parley.Request) bool {
	return parley.OwnerOf(r.Tenant, r.To).IsPerson() && !r.OnlyTells()
}

// begin starts a channel if its time has come and nobody looks.
func (o *Outbox) begin(ctx context.Context, p *plan, r parley.Request, person Person, channel string, due time.Time) (bool, error) {
	if due.After(p.now) {
		p.later(due)
		return false, nil
	}
	until, err := o.lookedAt(ctx, r)
	if err != nil {
		return false, err
	}
	if until.After(p.now) {
		p.later(until)
		return false, nil
	}
	p.n.about(r)
	p.n.Started = append(p.n.Started, channel)
	for _, target := range person.targets(channel) {
		p.n.Sent = append(p.n.Sent, delivery{Channel: channel, Target: target})
	}
	return true, nil
}

// attempts plans the attempts of a channel, and reports whether any has reached
// somebody or still may.
func (p *plan) attempts(channel string) (hope bool) {
	for i := range p.n.Sent {
		d := &p.n.Sent[i]
		if d.Channel != channel {
			continue
		}
		hope = hope || d.Opened.Failed == ""
		p.attempt(&d.Opened, EventOpened, job{delivery: i})
	}
	return hope
}

// targets are the addresses of a person's by one channel.
func (p Person) targets(channel string) (all []string) {
	switch {
	case channel == WebPush:
		for _, s := range p.Browsers {
			all = append(all, s.ID)
		}
	case channel == Email && p.Email != "":
		all = append(all, p.Email)
	case strings.HasPrefix(channel, webhookPrefix):
		all = append(all, "")
	default:
		all = p.Addresses[channel]
	}
	return all
}

// reachedBy reports whether a channel leads to the person.
func (p Person) reachedBy(c Choice) bool { return !c.Off && len(p.targets(c.Channel)) > 0 }

// quiet is how long an escalation that has nothing to do is left alone.
const quiet = 5 * time.Minute

// escalate takes a question to an approver further, if it is one.
func (o *Outbox) escalate(ctx context.Context, p *plan, r parley.Request, person Person) error {
	if o.opts.Escalate == nil || r.Labels[parley.LabelAsker] == "" {
		return nil
	}
	if person.Absent != nil {
		for _, at := range []time.Time{person.Absent.From, person.Absent.Until} {
			if at.After(p.now) {
				p.later(at)
			}
		}
	}
	next, err := o.opts.Escalate(ctx, r, person.standIn(p.now))
	p.later(next)
	p.later(p.now.Add(quiet)) // an absence may begin, and a rule may change
	return err
}

// person is how somebody is reached, at most a few seconds old.
func (o *Outbox) person(ctx context.Context, tenant, user string) (Person, error) {
	return o.known.get(personAt(tenant, user), func() (Person, error) { return o.Person(ctx, tenant, user) })
}
