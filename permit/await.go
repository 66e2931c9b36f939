package permit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/legible"
)

// wait is the question by which a call waits for its approvers. Its id is written
// down before it is opened.
type wait struct {
	ID   parley.ID `json:"id"`
	At   time.Time `json:"at"`
	Gone bool      `json:"gone,omitempty"` // it ended before there was a decision
	Back bool      `json:"back,omitempty"` // because the call was taken back
}

// Bounds of those who wait for one quorum.
const (
	maxWaits   = 100
	openWithin = time.Hour        // after that a wait that nobody has seen open is none
	behind     = 10 * time.Second // the approvers' questions end, so that the reason is known: the person reads about the same time as they do
)

// Await is Gather with a question for the person whose call it is. It tells them
// whom the call waits for; they can take the call back by declining it, and not
// accept it (see Guard). It is settled when the approvers have decided: then, and
// when it ended in any other way, the caller calls Await again, unless its person
// took the call back.
//
// The caller opens the question under its id if the decision is to ask. The same
// call gets the same one for as long as it is open. Hooks must be there: Settled and
// Opened; and Run.
//
// Errors: those of Gather; parley.ErrTooManyPending also when too many calls wait
// for the same.
func (p *Permits) Await(ctx context.Context, rule Rule, c Call) (Decision, parley.Request, error) {
	s, r, d, err := p.subjectOfApprovers(ctx, rule, c)
	if err != nil || r.need != byApprovers {
		return d, parley.Request{}, err
	}
	for {
		g, err := p.gather(ctx, s, r)
		if err != nil || !g.Ask() {
			return g.Decision, parley.Request{}, err
		}
		e, err := p.join(ctx, s, g.entry)
		if err != nil {
			return Decision{}, parley.Request{}, err
		}
		if e != nil {
			return g.Decision, p.waitQuestion(s, *e, r.page), nil
		}
	}
}

// join writes down that a call waits for a quorum. It returns nil if that was decided
// or replaced meanwhile.
func (p *Permits) join(ctx context.Context, s subject, of entry) (joined *entry, err error) {
	err = p.table.persist(ctx, func() error {
		joined = nil
		e, err := p.table.load(ctx, s.owner(), permissionKind, of.id)
		if err != nil || e == nil || !e.undecided() || e.Quorum.Round != of.Quorum.Round {
			return err
		}
		w, known := e.Quorum.Waits[s.ID]
		if known && !w.Gone {
			ended, err := p.endOf(ctx, s.owner(), w)
			if err != nil {
				return err
			}
			if !ended.Gone {
				joined = e
				return nil
			}
		}
		if !known && len(e.Quorum.Waits) >= maxWaits {
			return fmt.Errorf("%d calls wait for the same approval: %w", maxWaits, parley.ErrTooManyPending)
		}
		if e.Quorum.Waits == nil {
			e.Quorum.Waits = map[string]wait{}
		}
		e.Quorum.Waits[s.ID] = wait{ID: parley.NewID(), At: now()}
		joined = e
		return p.table.save(ctx, s.owner(), permissionKind, *e)
	})
	return joined, err
}

// waitQuestion is the question of the person whose call waits. With page the approvers'
// are decided on their pages only, and it says so of its own: others may read along where
// the person is told.
func (p *Permits) waitQuestion(s subject, e entry, page bool) parley.Request {
	g := e.Quorum
	q := parley.Request{
		ID: g.Waits[s.ID].ID, Tenant: s.Tenant, To: s.User, From: s.Server, Session: s.Session,
		Mode: parley.Form, Message: p.waitMessage(s, g), Trigger: parley.TriggerApprovers,
		Labels: map[string]string{
			LabelServer: s.Server, LabelTool: s.Tool, LabelDigest: s.digest, LabelCall: s.ID, LabelQuorum: e.round(),
		},
	}
	if s.ServerTitle != "" {
		q.Labels[parley.LabelTitle] = s.ServerTitle
	}
	if page {
		q.Labels[parley.LabelPage] = "only"
	}
	if last := g.Asked.Lasts(); !last.IsZero() {
		q.Expires = last.Add(behind)
	}
	return q
}

// waitMessage is what the person reads. A call that is too long is on the approvers'
// pages; nobody decides by this.
func (p *Permits) waitMessage(s subject, g *approval) string {
	head := fmt.Sprintf("Waiting for %s to allow this call.\n\n", g.asking())
	if g.About.Rule != "" {
		head += "Rule: " + label(g.About.Rule, "") + "\n"
	}
	head += s.target()
	message := ""
	if s.size <= p.opts.MessageBytes {
		message = legible.Ordered(head + "Arguments:\n" + string(appendPretty(nil, s.args, "\n")))
	}
	if message == "" || len(message) > p.opts.MessageBytes {
		message = legible.Ordered(fmt.Sprintf("%sArguments: %d bytes (digest %s)", head, s.size, s.digest))
	}
	return message
}

// asking names those who are asked: "2 of bob (or dora), carol and dave".
func (g *approval) asking() string {
	var panel []string
	for _, voice := range g.Asked.Voices() {
		name := label(voice[0], "")
		if len(voice) > 1 {
			name += " (or " + inSeries(voice[1:]) + ")"
		}
		panel = append(panel, name)
	}
	if len(panel) == 1 || g.Approvers.Need == len(panel) {
		return series(panel)
	}
	return fmt.Sprintf("%d of %s", g.Approvers.Need, series(panel))
}

// inSeries writes names as a sentence has them.
func inSeries(names []string) string {
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = label(name, "")
	}
	return series(shown)
}

// series joins the members of a list as a sentence does.
func series(members []string) (text string) {
	for i, one := range members {
		switch {
		case i == 0:
		case i == len(members)-1:
			text += " and "
		default:
			text += ", "
		}
		text += one
	}
	return text
}

// leave notes calls that do not wait any more, and reports whether that is new.
func (g *approval) leave(gone map[string]wait) (changed bool) {
	for call, next := range gone {
		if w := g.Waits[call]; w.ID == next.ID && !w.Gone {
			g.Waits[call], changed = next, true
		}
	}
	return changed
}

// allLeft reports whether everybody who waited has taken their call back.
func (g *approval) allLeft() bool {
	for _, w := range g.Waits {
		if !w.Back {
			return false
		}
	}
	return len(g.Waits) > 0
}

// ended returns the calls whose question ended while there is no decision.
func (p *Permits) ended(ctx context.Context, o owner, g *approval) (map[string]wait, error) {
	gone := map[string]wait{}
	for call, w := range g.Waits {
		if w.Gone {
			continue
		}
		w, err := p.endOf(ctx, o, w)
		if err != nil {
			return nil, err
		}
		if w.Gone {
			gone[call] = w
		}
	}
	return gone, nil
}

// endOf returns a wait as its question stands.
func (p *Permits) endOf(ctx context.Context, o owner, w wait) (wait, error) {
	q, err := p.hub.Get(ctx, parley.OwnerOf(o.tenant, o.user), w.ID)
	if errors.Is(err, parley.ErrNotFound) {
		return w, nil // it is about to be opened
	}
	if err == nil && !q.Pending() && q.Outcome.Action != parley.Accept { // that is ours: they have decided
		w.Gone, w.Back = true, q.Outcome.Action != parley.Expire
	}
	return w, err
}

// TooFewAnswered is the reason of a question that waited for approvers until their time
// was over.
const TooFewAnswered = "too few approvers answered in time"

// verdict says how a quorum ended.
func (e entry) verdict() string {
	g := e.Quorum
	switch e.Effect {
	case Allow:
		if by, edit := g.edit(); len(edit) > 0 { // whoever else said yes meant another call
			return by + " allowed it with changes"
		}
		return inSeries(g.allowedBy()) + " allowed it"
	case Deny:
		if no := g.Asked.Refused(); len(no) > 0 {
			return inSeries(no) + " denied it"
		}
		return cmp.Or(g.withdrawn(), TooFewAnswered)
	}
	return "it was taken back"
}

// action is how the questions end that waited for a quorum.
func (e entry) action() parley.Action {
	if e.Effect == Allow {
		return parley.Accept
	}
	return parley.Decline
}

// release ends all questions of a quorum: those that wait, and those of approvers who
// said nothing. It returns the waits that nobody has opened yet.
func (p *Permits) release(ctx context.Context, e entry, action parley.Action, reason string) (unopened map[string]wait, err error) {
	if unopened, err = p.tell(ctx, e, action, reason); err != nil {
		return nil, err
	}
	return unopened, e.Quorum.Asked.Dismiss(ctx, p.hub, reason)
}

// tell settles the questions that wait for a quorum. It returns those that nobody has
// opened yet.
func (p *Permits) tell(ctx context.Context, e entry, action parley.Action, reason string) (unopened map[string]wait, err error) {
	for call, w := range e.Quorum.Waits {
		err := p.hub.Resolve(ctx, w.ID, cmp.Or(action, parley.Decline), reason)
		switch {
		case errors.Is(err, parley.ErrNotFound):
			if !w.Gone && time.Since(w.At) < openWithin {
				if unopened == nil {
					unopened = map[string]wait{}
				}
				unopened[call] = w
			}
		case err != nil && !errors.Is(err, parley.ErrSettled):
			return nil, err
		}
	}
	return unopened, nil
}
