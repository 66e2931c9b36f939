package permit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/parley-hq/parley"
)

// quorum is whom an entry asks, and what they said. It belongs to the person
// whose call it is and is found by session and digest, so that a client that
// repeats a call later finds it again. The effect of its entry is empty until it
// is decided.
type quorum struct {
	Approvers Approvers        `json:"approvers"`
	Asked     map[string]asked `json:"asked"` // by approver
}

// asked is a question to one approver. Its id is written down before it is
// opened: whoever comes back after a crash opens the same.
type asked struct {
	ID      parley.ID `json:"id"`
	Expires time.Time `json:"expires,omitzero"` // zero: nobody has seen it open yet
	Said    time.Time `json:"said,omitzero"`    // zero: nothing so far
	Yes     bool      `json:"yes,omitempty"`
}

// newQuorum asks everybody of a panel. It takes the place of the entry old,
// if there is one.
func newQuorum(s subject, r ruling, panel []string, old *entry) entry {
	e := entry{
		Server: s.Server, Place: s.Place, Tool: s.Tool, Session: s.Session, Digest: s.digest, Said: now(), id: gatherID(s),
		Quorum: &quorum{Approvers: *r.approvers, Asked: map[string]asked{}},
	}
	for _, approver := range panel {
		e.Quorum.Asked[approver] = asked{ID: parley.NewID()}
	}
	if old != nil {
		e.version = old.version
	}
	return e
}

// panel returns who is asked, in order.
func (g *quorum) panel() []string { return slices.Sorted(maps.Keys(g.Asked)) }

// allowedBy returns who said yes, in order.
func (g *quorum) allowedBy() (names []string) {
	if g == nil {
		return nil
	}
	for _, name := range g.panel() {
		if g.Asked[name].Yes {
			names = append(names, name)
		}
	}
	return names
}

// is reports whether g asks the very questions that other does.
func (g *quorum) is(other *quorum) bool {
	return maps.EqualFunc(g.Asked, other.Asked, func(a, b asked) bool { return a.ID == b.ID })
}

// lasts is until when one of its questions may be open, as far as that is known.
func (g *quorum) lasts() (until time.Time) {
	for _, a := range g.Asked {
		if a.Expires.After(until) {
			until = a.Expires
		}
	}
	return until
}

// hear takes down what is new about the questions, and reports whether anything
// is. A word about a question that is no longer asked does not count.
func (g *quorum) hear(news map[string]asked) (changed bool) {
	for name, next := range news {
		old := g.Asked[name]
		if old.ID != next.ID || !old.Said.IsZero() || next.Said.IsZero() && !old.Expires.IsZero() {
			continue
		}
		g.Asked[name], changed = next, true
	}
	return changed
}

// conclude gives the entry of a quorum its effect, if what was said decides.
func (e *entry) conclude(o Options) {
	var yes, no []time.Time
	for _, a := range e.Quorum.Asked {
		switch {
		case a.Yes:
			yes = append(yes, a.Said)
		case !a.Said.IsZero():
			no = append(no, a.Said)
		}
	}
	slices.SortFunc(yes, time.Time.Compare)
	slices.SortFunc(no, time.Time.Compare)
	need, spare := e.Quorum.Approvers.Need, len(e.Quorum.Asked)-e.Quorum.Approvers.Need
	switch {
	case len(yes) >= need: // the time runs from the answer that decided
		e.Effect, e.Said = Allow, yes[need-1]
		e.Until = e.Said.Add(o.OnceTTL)
	case len(no) > spare:
		e.Effect, e.Said = Deny, no[spare]
		e.Until = e.Said.Add(o.Quiet)
		e.Reason = fmt.Sprintf("%d of %d approvers must allow this call, and %d denied it or did not answer, so it is denied.",
			need, len(e.Quorum.Asked), len(no))
	}
}

// over reports whether an entry, if there is one, is of no use for the next
// call: it was used, its time has passed, or the rule asks other people now.
func (p *Permits) over(e *entry, r ruling) bool {
	switch {
	case e == nil || e.Quorum == nil || e.used() || !e.Quorum.Approvers.equal(r.approvers):
		return true
	case e.revoked():
		return !now().Before(e.Revoked.Add(p.opts.Quiet))
	}
	return e.lapsed()
}

// findGathered looks for what approvers said.
func (p *Permits) findGathered(ctx context.Context, s subject, r ruling) (finding, error) {
	panel, d := r.panel(s)
	if d.Status == Denied {
		return finding{Decision: d}, nil
	}
	e, err := p.table.load(ctx, s.owner(), permissionKind, gatherID(s))
	switch {
	case err != nil:
		return finding{}, err
	case e != nil && e.used() && e.Call == s.ID:
		return finding{used: e}, nil
	case p.over(e, r):
		return finding{Decision: d}, nil
	}
	return e.gathered(d, len(panel)), nil
}

// panel returns who is asked about a call, and the decision while nobody has
// said anything: Denied when there are too few, else Required.
func (r ruling) panel(s subject) ([]string, Decision) {
	panel := r.approvers.without(s.User)
	d := Decision{Status: Required, Approvers: r.approvers.distinct()}
	if len(panel) < r.approvers.Need {
		d.Status = Denied
		d.Reason = r.because(fmt.Sprintf("%d approvers must allow this call, and there are %d besides the person whose call it is, so it is denied",
			r.approvers.Need, len(panel)))
		return nil, d
	}
	d.Reason = r.because(fmt.Sprintf("%d of %d approvers must allow this call before it is made", r.approvers.Need, len(panel)))
	return panel, d
}

// gathered completes a decision by a quorum that is not over.
func (e *entry) gathered(d Decision, of int) finding {
	d.Have = len(e.Quorum.allowedBy())
	f := finding{Decision: d}
	switch {
	case e.revoked():
		f.Status, f.Grant, f.Reason = Denied, e.id, "What the approvers allowed was revoked."
	case e.Effect == Allow:
		f.Status, f.Grant, f.grant = Granted, e.id, e
		f.Reason = fmt.Sprintf("%d of %d approvers allowed this call.", d.Have, of)
	case e.Effect == Deny:
		f.Status, f.Grant, f.Reason = Denied, e.id, e.Reason
	}
	return f
}
