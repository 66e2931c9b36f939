package permit

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/quorum"
)

// LabelAsker is the label of a question to an approver that names the person
// whose call it is.
const LabelAsker = parley.LabelAsker

// LabelQuorum is the label of a question to an approver, and of the one that waits
// for them, that names what is gathered.
const LabelQuorum = "quorum"

// LabelSlack is the label of a question to an approver that names the channel of Slack's
// in which the rule wants them asked.
const LabelSlack = "slack_channel"

// Gather asks the approvers of a call whose rule needs some, hears what they
// said, and returns how the call stands with the questions that are still open:
// Granted once enough of them allowed it, Denied as soon as that cannot happen
// any more, Required until then. It does not wait: see Await. The caller calls it again
// when one of the questions is settled, or later; then Consume, as for any other
// call. For a call that needs no approvers it is Check.
//
// What is gathered belongs to person, agent and digest, not to Call.ID: the
// same call, made again or in another session, finds it, and asks nobody twice.
// Consume uses it up for one call; the next that is the same starts anew. One that
// was denied stays so for Options.Quiet. Any number of processes may gather at
// once, and each may die anywhere.
//
// Errors: those of Check; ErrTooLong; what the hub says to opening, for example
// parley.ErrTooManyPending when nobody can be asked for now: an approver has
// parley.Limits.PendingOfAsker open questions about the calls of one person, and half
// of Limits.Pending in all.
func (p *Permits) Gather(ctx context.Context, rule Rule, c Call) (Decision, []parley.ID, error) {
	s, r, d, err := p.subjectOfApprovers(ctx, rule, c)
	if err != nil || r.need != byApprovers {
		return d, nil, err
	}
	g, err := p.gather(ctx, s, r)
	return g.Decision, g.open, err
}

// subjectOfApprovers reads a call. Where its rule needs no approvers, the decision
// is what Check says.
func (p *Permits) subjectOfApprovers(ctx context.Context, rule Rule, c Call) (s subject, r ruling, d Decision, err error) {
	if r, err = p.judge(ctx, rule, c); err != nil {
		return s, r, d, err
	}
	if d, settled := r.settles(); settled {
		return s, r, d, nil
	}
	if s, err = newSubject(c); err == nil && r.need != byApprovers {
		d, err = p.decide(ctx, s, r)
	}
	return s, r, d, err
}

// gathered is how a quorum stands.
type gathered struct {
	Decision
	entry entry       // of the quorum, if there is one
	open  []parley.ID // the questions that are
}

func (p *Permits) gather(ctx context.Context, s subject, r ruling) (gathered, error) {
	panel, d := r.panel(s)
	if d.Status == Denied {
		return gathered{Decision: d}, nil
	}
	for {
		e, ask, err := p.convene(ctx, s, r, panel)
		if err != nil {
			return gathered{}, err
		}
		if e.undecided() {
			round := e.Quorum.Round
			ask.Labels[LabelQuorum] = e.round()
			if r.name != "" {
				ask.Labels[LabelRule] = r.name
			}
			if r.slack != "" {
				ask.Labels[LabelSlack] = r.slack
			}
			news, err := p.round(e.Quorum, ask).Run(ctx, e.Quorum.Asked)
			if err != nil {
				return gathered{}, err
			}
			if e, err = p.takeDown(ctx, s.owner(), e, news.Asked, nil); err != nil {
				return gathered{}, err
			}
			switch {
			case e.Quorum.Round != round: // another process has started the next one
				continue
			case !e.undecided():
			case len(news.Open) == 0 && news.Full != nil:
				return gathered{}, news.Full
			default:
				open, err := p.closeOvertaken(ctx, e.Quorum.Asked, news.Open)
				return gathered{e.gathered(s, d).Decision, e, open}, err
			}
		}
		// Also when it was decided before: somebody may have died right here.
		if e, err = p.finish(ctx, s.owner(), e); err != nil {
			return gathered{}, err
		}
		if p.over(&e, s, r) && (e.Effect != Deny || p.opts.Quiet > 0) {
			continue // decided, and over before anybody came for it: this call asks anew
		}
		f, err := p.changed(ctx, s, r, e.gathered(s, d))
		return gathered{f.Decision, e, nil}, err
	}
}

// convene returns the quorum that is under way, or starts one, with what its people
// are asked.
func (p *Permits) convene(ctx context.Context, s subject, r ruling, panel []string) (current entry, ask parley.Request, err error) {
	if ask, err = p.approverQuestion(s, r, aboutOf(s, r)); err != nil {
		return current, ask, err
	}
	err = p.table.persist(ctx, func() error {
		f, err := p.find(ctx, s, r)
		if err != nil {
			return err
		}
		if f.used != nil {
			return fmt.Errorf("call %s: %w", s.ID, ErrConsumed)
		}
		e, err := p.table.load(ctx, s.owner(), permissionKind, gatherID(s))
		if err == nil {
			e, err = p.heeded(ctx, s.owner(), e)
		}
		if err != nil {
			return err
		}
		if !p.over(e, s, r) {
			current = *e
			return nil
		}
		current = newQuorum(s, r, p.withDeputies(ctx, s, panel), e)
		current.Quorum.Round, current.Quorum.Words = rand.Text(), words(ask)
		if e != nil && e.Quorum != nil {
			if current.Quorum.Waits, err = p.release(ctx, *e, parley.Decline, "it is asked anew"); err != nil {
				return err
			}
		}
		if err := p.enlist(ctx, s.owner(), current); err != nil {
			return err
		}
		return p.table.save(ctx, s.owner(), permissionKind, current)
	})
	if err == nil && current.Quorum.About != aboutOf(s, r) {
		ask, err = p.approverQuestion(s, r, current.Quorum.About) // as it was asked first
	}
	return current, ask, err
}

// round asks the approvers of a quorum, and reads what they said.
func (p *Permits) round(g *approval, ask parley.Request) quorum.Round {
	return quorum.Round{Hub: p.hub, Ask: ask, Judge: func(q parley.Request) quorum.Word {
		heard := p.hear(q)
		word := quorum.Word{Yes: (heard.choice == AllowOnce || heard.choice == Changed) && words(q) == g.Words, Why: heard.said}
		if word.Yes && heard.choice == Changed {
			word.Edit = appendCanonical(nil, heard.edit)
		}
		return word
	}}
}

// takeDown keeps what is new and decides. gone are the calls that do not wait any
// more. Of a quorum that another process has decided, or replaced by the next, it
// returns that.
func (p *Permits) takeDown(ctx context.Context, o owner, e entry, news quorum.Panel, gone map[string]wait) (current entry, err error) {
	decided := false
	err = p.table.persist(ctx, func() error {
		decided = false
		stored, err := p.table.load(ctx, o, permissionKind, e.id)
		if err != nil {
			return err
		}
		if stored == nil || stored.Quorum == nil {
			return fmt.Errorf("quorum %s: %w", e.id, parley.ErrNotFound)
		}
		current = *stored
		if !current.undecided() || current.Quorum.Round != e.Quorum.Round {
			return nil
		}
		heard, left := current.Quorum.Asked.Hear(news), current.Quorum.leave(gone)
		if !heard && !left {
			return nil
		}
		current.conclude(p.opts)
		decided = current.Effect != ""
		return p.table.save(ctx, o, permissionKind, current)
	})
	if err == nil && decided {
		p.logDecided(ctx, o, current)
	}
	return current, err
}

// approverQuestion is the question about a call to one who is not the person
// whose call it is; it is told who that is. It belongs to no session: none of
// the approver's, and in the person's own the questions would supersede each
// other.
func (p *Permits) approverQuestion(s subject, r ruling, a about) (parley.Request, error) {
	message, err := s.message(p.opts.CallBytes, a.head(s.User))
	if err != nil {
		return parley.Request{}, err
	}
	q := parley.Request{
		Tenant: s.Tenant, From: s.Server,
		Mode: parley.Form, Message: message, Schema: formWith(p.approverSchema, r.editsOf(s)), Trigger: parley.TriggerApproval,
		Labels: map[string]string{LabelServer: s.Server, LabelTool: s.Tool, LabelDigest: s.digest, LabelAsker: s.User},
	}
	if s.ServerTitle != "" {
		q.Labels[parley.LabelTitle] = s.ServerTitle
	}
	p.brief(&q, s, r.page, r.sign)
	if ttl := cmp.Or(r.ttl, p.ttl(s.Server)); ttl > 0 {
		q.Expires = time.Now().Add(ttl)
	}
	return q, nil
}
