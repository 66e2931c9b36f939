package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley"
)

// messageID is the id of an event, the same for every attempt to tell it.
func messageID(id parley.ID, event string) string {
	return "msg_" + string(id) + "_" + strings.TrimPrefix(event, "question.")
}

// work does what is to be done about a question: look, record, send, and write the
// result down. It returns when to look again; zero: when the question is settled.
func (o *Outbox) work(ctx context.Context, id parley.ID) (time.Time, error) {
	for {
		n, err := o.loadNotice(ctx, id)
		if err != nil {
			return time.Time{}, err
		}
		before := n.Next
		p, r, err := o.look(ctx, &n)
		if err != nil {
			return time.Time{}, err
		}
		if len(p.jobs) == 0 {
			return p.next, o.rest(ctx, p, r, before)
		}
		if err := o.claim(ctx, &n, p); err != nil {
			if parley.Overtaken(err) {
				continue // another process was faster: look again
			}
			return time.Time{}, err
		}
		o.schedule.noticed(n)
		if err := o.report(ctx, n, p.jobs, o.deliver(ctx, n, p.jobs)); err != nil {
			return time.Time{}, err
		}
	}
}

// claim records the attempts that are about to be made, and that nobody else makes
// them.
func (o *Outbox) claim(ctx context.Context, n *notice, p plan) error {
	for _, j := range p.jobs {
		n.progress(j).begin(p.now)
	}
	n.Claim, n.Until, n.Next = o.node, p.now.Add(o.opts.Claim), p.now.Add(o.opts.Claim)
	return o.saveNotice(ctx, n)
}

// progress is what a job moves.
func (n *notice) progress(j job) *progress {
	switch {
	case j.callback:
		return &n.Callback.Told
	case j.event == EventChanged:
		return &n.Sent[j.delivery].Changed
	case j.event == EventClosed:
		return &n.Sent[j.delivery].Closed
	}
	return &n.Sent[j.delivery].Opened
}

// rest keeps what a look without a job has found, or forgets the notice of a
// question about which there is nothing left to do.
func (o *Outbox) rest(ctx context.Context, p plan, r parley.Request, before time.Time) error {
	n := p.n
	switch {
	case n.Until.After(p.now) || n.version == 0 && len(n.Started) == 0 || p.unopened:
		return nil
	case (p.gone || !r.Pending()) && p.next.IsZero():
		o.schedule.forget(*n)
		return notOvertaken(o.forgetNotice(ctx, *n))
	case len(n.Started) == 0 || p.next.Equal(before):
		return nil
	}
	n.Next = p.next
	err := o.saveNotice(ctx, n)
	if err == nil {
		o.schedule.noticed(*n)
	}
	return notOvertaken(err)
}

// notOvertaken leaves it to another process if that was faster.
func notOvertaken(err error) error {
	if parley.Overtaken(err) {
		return nil
	}
	return err
}

// errSettled is of an attempt that was not made: the question has been settled since
// it was recorded.
var errSettled = errors.New("the question is settled")

// deliver makes the attempts that were recorded, all at once: one that hangs keeps
// none of the others.
func (o *Outbox) deliver(ctx context.Context, n notice, jobs []job) []error {
	results := make([]error, len(jobs))
	// What is being sent when the outbox stops gets a moment to come through: an attempt
	// that is broken off is one of which nobody knows how it went.
	sending, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTimeout)
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lastSends, cancel) })()
	r, err := o.store.Get(sending, n.id)
	settled := errors.Is(err, parley.ErrNotFound) || err == nil && !r.Pending()
	var all sync.WaitGroup
	for i, j := range jobs {
		if (j.event == EventOpened || j.event == EventChanged) && settled {
			results[i] = errSettled
			continue
		}
		all.Go(func() {
			if time.Now().After(n.Until.Add(-sendTimeout / 2)) {
				results[i] = errors.New("too late: this process was stopped, and another may be sending")
				return
			}
			results[i] = o.send(sending, n, j)
		})
	}
	all.Wait()
	return results
}

// send makes one attempt.
func (o *Outbox) send(ctx context.Context, n notice, j job) error {
	if j.callback {
		return o.tellProgram(ctx, n)
	}
	d := n.Sent[j.delivery]
	if m := o.opts.Messengers[d.Channel]; m != nil {
		return o.tellMessenger(ctx, m, n, j)
	}
	m := message{
		ID: messageID(n.id, j.event), Event: j.event, Question: n.id, Tenant: n.Tenant, To: n.To, From: n.From, Title: n.Title,
		URL: o.opts.PublicURL + "/answer/" + string(n.id), Created: n.Created, Expires: n.Expires,
	}
	switch d.Channel {
	case WebPush:
		return o.sendPush(ctx, n.Tenant, n.To, d.Target, m)
	case Email:
		if o.mail == nil {
			return Final(ErrNoChannel)
		}
		return o.mail.send(ctx, m, d.Target)
	}
	w, ok := o.webhooks[strings.TrimPrefix(d.Channel, webhookPrefix)]
	if !ok {
		return Final(ErrNoChannel)
	}
	return hookMessage(ctx, o.operator, w, m)
}

// errUnsubscribed is of a browser that takes nothing for this person any more.
var errUnsubscribed = errors.New("the browser is no longer subscribed")

// sendPush sends to one browser, if it is still this person's, and forgets it when
// its push service says that it is no more.
func (o *Outbox) sendPush(ctx context.Context, tenant, user, browser string, m message) error {
	if o.push == nil {
		return Final(ErrNoChannel)
	}
	person, err := o.Person(ctx, tenant, user)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(person.Browsers, func(s Subscription) bool { return s.ID == browser })
	if at < 0 {
		return Final(errUnsubscribed)
	}
	owned, err := o.ownsBrowser(ctx, tenant, user, browser)
	if err != nil {
		return err
	}
	if owned {
		if err = o.push.send(ctx, m, person.Browsers[at]); err != nil {
			err = fmt.Errorf("%w: %w", ErrUnreached, err)
		}
	}
	if !owned || isGone(err) {
		forgotten := o.Unsubscribe(ctx, parley.Principal{Tenant: tenant, User: user}, browser)
		if forgotten != nil && !errors.Is(forgotten, parley.ErrNotFound) {
			return forgotten
		}
		return Final(errUnsubscribed)
	}
	return err
}

// report writes down how the attempts went. If it cannot, they count as not made
// when the claim is over.
func (o *Outbox) report(ctx context.Context, n notice, jobs []job, results []error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reportTime)
	defer cancel()
	at := now()
	for i, j := range jobs {
		p, err := n.progress(j), results[i]
		if errors.Is(err, errSettled) {
			p.Attempts, p.Next = p.Attempts-1, at
			continue
		}
		p.end(err, at)
		if (j.event == EventOpened || j.event == EventChanged) && p.over() {
			n.Sent[j.delivery].Shown = n.Sent[j.delivery].Want
		}
		o.logAttempt(ctx, n, j, *p, err)
	}
	n.Claim, n.Until, n.Next = "", time.Time{}, at
	for {
		err := o.saveNotice(ctx, &n)
		switch {
		case err == nil:
			return nil
		case parley.Overtaken(err):
			return nil // the claim was over, and another process has made the attempts again
		}
		if !sleep(ctx, reportPause) {
			return fmt.Errorf("the results of question %s: %w", n.id, err)
		}
	}
}

const (
	reportTime  = 10 * time.Second
	reportPause = 200 * time.Millisecond
)

// logAttempt tells the operator how an attempt went. A channel that fails does so for
// everybody: it is warned of once in a while. A browser that is no more is none.
func (o *Outbox) logAttempt(ctx context.Context, n notice, j job, p progress, err error) {
	channel := Callbacks
	if !j.callback {
		channel = n.Sent[j.delivery].Channel
	}
	if err != nil && !errors.Is(err, errUnsubscribed) {
		o.opts.Failed(channel)
	}
	about := []any{"question", n.id, "channel", channel, "event", j.event, "attempts", p.Attempts}
	switch {
	case err == nil:
		o.opts.Logger.DebugContext(ctx, "notification sent", about...)
	case p.Failed != "":
		o.opts.Logger.WarnContext(ctx, "notification given up", append(about, "err", err)...)
	default:
		o.notices.TellOf(channel, "notification failed", append(about, "next", p.Next, "err", err)...)
	}
}
