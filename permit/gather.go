package permit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
)

// LabelAsker is the label of a question to an approver that names the person
// whose call it is.
const LabelAsker = parley.LabelAsker

// Gather asks the approvers of a call whose rule needs some, hears what they
// said, and returns how the call stands with the questions that are still open:
// Granted once enough of them allowed it, Denied as soon as that cannot happen
// any more, Required until then. It does not wait. The caller calls it again
// when one of the questions is settled, or later; then Consume, as for any other
// call. For a call that needs no approvers it is Check.
//
// What is gathered belongs to person, session and digest, not to Call.ID: the
// same call, made again, finds it, and asks nobody twice. Consume uses it up for
// one call; the next that is the same starts anew. One that was denied stays so
// for Options.Quiet. Any number of processes may gather at once, and each may
// die anywhere.
//
// Errors: those of Check; ErrTooLong; what the hub says to opening, for example
// parley.ErrTooManyPending when nobody can be asked for now: an approver has
// parley.Limits.PendingOfAsker open questions about the calls of one person, and half
// of Limits.Pending in all.
func (p *Permits) Gather(ctx context.Context, rule Rule, c Call) (Decision, []parley.ID, error) {
	r, err := p.judge(ctx, rule, c)
	if err != nil {
		return Decision{}, nil, err
	}
	if d, settled := r.settles(); settled {
		return d, nil, nil
	}
	s, err := newSubject(c)
	if err != nil {
		return Decision{}, nil, err
	}
	if r.need != byApprovers {
		d, err := p.decide(ctx, s, r)
		return d, nil, err
	}
	return p.gather(ctx, s, r)
}

func (p *Permits) gather(ctx context.Context, s subject, r ruling) (Decision, []parley.ID, error) {
	panel, d := r.panel(s)
	if d.Status == Denied {
		return d, nil, nil
	}
	ask, err := p.approverQuestion(s)
	if err != nil {
		return Decision{}, nil, err
	}
	for {
		e, err := p.convene(ctx, s, r, panel)
		if err != nil {
			return Decision{}, nil, err
		}
		if e.Effect == "" {
			round := e.Quorum
			news, err := p.poll(ctx, round, ask)
			if err != nil {
				return Decision{}, nil, err
			}
			if e, err = p.takeDown(ctx, s, e, news.asked); err != nil {
				return Decision{}, nil, err
			}
			switch {
			case e.Effect != "":
			case !e.Quorum.is(round): // another process has started the next one
				continue
			case len(news.open) == 0 && news.full != nil:
				return Decision{}, nil, news.full
			default:
				return e.gathered(d, len(panel)).Decision, news.open, nil
			}
		}
		// Also when it was decided before: somebody may have died right here.
		if err := p.dismiss(ctx, e.Quorum, "the approvers have decided"); err != nil {
			return Decision{}, nil, err
		}
		if p.over(&e, r) && (e.Effect == Allow || p.opts.Quiet > 0) {
			continue // decided, and over before anybody came for it: this call asks anew
		}
		return e.gathered(d, len(panel)).Decision, nil, nil
	}
}

// convene returns the quorum that is under way, or starts one.
func (p *Permits) convene(ctx context.Context, s subject, r ruling, panel []string) (current entry, err error) {
	err = p.table.persist(ctx, func() error {
		f, err := p.find(ctx, s, r)
		if err != nil {
			return err
		}
		if f.used != nil {
			return fmt.Errorf("call %s: %w", s.ID, ErrConsumed)
		}
		e, err := p.table.load(ctx, s.owner(), permissionKind, gatherID(s))
		if err != nil {
			return err
		}
		if !p.over(e, r) {
			current = *e
			return nil
		}
		if e != nil && e.Quorum != nil {
			if err := p.dismiss(ctx, e.Quorum, "it is asked anew"); err != nil {
				return err
			}
		}
		current = newQuorum(s, r, panel, e)
		return p.table.save(ctx, s.owner(), permissionKind, current)
	})
	return current, err
}

// news is what is found about the questions of a quorum.
type news struct {
	asked map[string]asked // by approver, as they stand now
	open  []parley.ID
	full  error // an approver could not be asked: too many questions wait for them
}

// poll opens the questions that are not open yet and reads those that are.
func (p *Permits) poll(ctx context.Context, g *quorum, ask parley.Request) (news, error) {
	found := news{asked: map[string]asked{}}
	for _, approver := range g.panel() {
		a := g.Asked[approver]
		if !a.Said.IsZero() {
			continue
		}
		next, err := p.pollOne(ctx, approver, a, ask)
		switch {
		case errors.Is(err, parley.ErrTooManyPending):
			found.full = err // the others may be enough; who it is, is not the asker's to know
			continue
		case err != nil:
			return news{}, err
		}
		found.asked[approver] = next
		if next.Said.IsZero() {
			found.open = append(found.open, next.ID)
		}
	}
	return found, nil
}

func (p *Permits) pollOne(ctx context.Context, approver string, a asked, ask parley.Request) (asked, error) {
	who := parley.Principal{Tenant: ask.Tenant, User: approver}
	ask.ID, ask.To = a.ID, approver
	q, err := p.settled(ctx, who, a.ID)
	if errors.Is(err, parley.ErrNotFound) {
		if !a.Expires.IsZero() { // it was open once: what was said is not known any more, which is no yes
			a.Said = now()
			return a, nil
		}
		q, err = p.hub.Open(ctx, ask.Clone())
		if errors.Is(err, parley.ErrExists) { // another process has
			q, err = p.settled(ctx, who, a.ID)
		}
	}
	if err != nil && !errors.Is(err, ErrPending) {
		return a, err
	}
	a.Expires = q.Expires
	if q.Pending() {
		return a, nil
	}
	a.Said = q.Outcome.At.UTC()
	a.Yes = p.hear(q).choice == AllowOnce && same(q, ask) == nil
	return a, nil
}

// takeDown keeps what is new and decides. Of a quorum that another process
// has decided, or replaced by the next, it returns that.
func (p *Permits) takeDown(ctx context.Context, s subject, e entry, news map[string]asked) (current entry, err error) {
	err = p.table.persist(ctx, func() error {
		stored, err := p.table.load(ctx, s.owner(), permissionKind, e.id)
		if err != nil {
			return err
		}
		if stored == nil || stored.Quorum == nil {
			return fmt.Errorf("quorum %s: %w", e.id, parley.ErrNotFound)
		}
		current = *stored
		if current.Effect != "" || !current.Quorum.hear(news) {
			return nil
		}
		current.conclude(p.opts)
		return p.table.save(ctx, s.owner(), permissionKind, current)
	})
	return current, err
}

// dismiss withdraws the questions to which nobody has said anything.
func (p *Permits) dismiss(ctx context.Context, g *quorum, reason string) error {
	for _, approver := range g.panel() {
		a := g.Asked[approver]
		if !a.Said.IsZero() {
			continue
		}
		err := p.hub.Cancel(ctx, a.ID, reason)
		if err != nil && !errors.Is(err, parley.ErrSettled) && !errors.Is(err, parley.ErrNotFound) {
			return err
		}
	}
	return nil
}

// approverQuestion is the question about a call to one who is not the person
// whose call it is; it is told who that is. It belongs to no session: none of
// the approver's, and in the person's own the questions would supersede each
// other.
func (p *Permits) approverQuestion(s subject) (parley.Request, error) {
	message, err := s.message(p.opts.CallBytes, s.User)
	if err != nil {
		return parley.Request{}, err
	}
	q := parley.Request{
		Tenant: s.Tenant, From: s.Server,
		Mode: parley.Form, Message: message, Schema: bytes.Clone(p.approverSchema), Trigger: parley.TriggerApproval,
		Labels: map[string]string{LabelServer: s.Server, LabelTool: s.Tool, LabelDigest: s.digest, LabelAsker: s.User},
	}
	p.brief(&q, s)
	if p.opts.TTL > 0 {
		q.Expires = time.Now().Add(p.opts.TTL)
	}
	return q, nil
}
