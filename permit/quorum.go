package permit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/quorum"
)

// approval is whom an entry asks, and what they said. It belongs to the person
// whose call it is and is found by agent and digest, so that a client that
// repeats a call later finds it again, and so does another conversation. The
// effect of its entry is empty until it is decided.
type approval struct {
	Round     string          `json:"round"` // tells it from the one before and the next
	Approvers Approvers       `json:"approvers"`
	Asked     quorum.Panel    `json:"asked"` // by approver
	About     about           `json:"about"`
	Edits     string          `json:"edits,omitempty"` // what of the call they can change: see editsOf
	Page      bool            `json:"page,omitempty"`  // it is decided on its page only
	Sign      string          `json:"sign,omitempty"`  // the rule that has it signed
	Words     string          `json:"words"`           // what they are asked: see words
	Base      Rule            `json:"base,omitempty"`  // the rule of the call's server
	Tool      *reading        `json:"tool,omitempty"`  // the annotations of its tool; nil: nobody wrote them down
	Waits     map[string]wait `json:"waits,omitempty"` // who waits for it, by Call.ID
	Left      time.Time       `json:"left,omitzero"`   // since when all of them have taken their call back
}

// newQuorum asks everybody of a panel. It takes the place of the entry old,
// if there is one.
func newQuorum(s subject, r ruling, panel quorum.Panel, old *entry) entry {
	e := entry{
		Server: s.Server, Place: s.Place, Tool: s.Tool, Digest: s.digest, Said: now(), id: gatherID(s),
		Quorum: &approval{Approvers: *r.approvers, Asked: panel, About: aboutOf(s, r), Edits: fieldsID(r.editsOf(s)), Page: r.page, Sign: r.sign, Base: r.base, Tool: readingOf(s.Call)},
	}
	if old != nil {
		e.version = old.version
	}
	return e
}

// round names the quorum of an entry for those who are asked and those who wait.
func (e entry) round() string { return e.id + "." + e.Quorum.Round }

// undecided reports whether something can still be said to the quorum of an entry.
func (e entry) undecided() bool { return e.Quorum != nil && e.Effect == "" && e.Quorum.Left.IsZero() }

// why is what those said who denied it, each behind their name.
func (g *approval) why() (text string) {
	for _, name := range g.Asked.Names() {
		if a := g.Asked[name]; !a.Yes && a.Why != "" {
			text += " " + label(name, "") + " says: " + quoted(a.Why) + "."
		}
	}
	return text
}

// without says of how many there is no yes, and why.
func (g *approval) without(no int) string {
	withdrawn := g.withdrawn()
	if withdrawn == "" {
		return fmt.Sprintf("%d denied it or did not answer", no)
	}
	return fmt.Sprintf("%d denied it, did not answer or cannot any more: %s", no, withdrawn)
}

// withdrawn says whose questions somebody withdrew, and who, as far as that is known;
// empty: nobody's. Of a voice that has spoken it does not matter.
func (g *approval) withdrawn() string {
	by := map[string][]string{}
	for _, voice := range g.Asked.Voices() {
		for _, name := range voice {
			if a := g.Asked[name]; a.Withdrawn != "" && !g.Asked.Spoke(name) {
				by[a.Withdrawn] = append(by[a.Withdrawn], name)
			}
		}
	}
	var all []string
	for _, why := range slices.Sorted(maps.Keys(by)) {
		what := "the question to " + inSeries(by[why]) + " was withdrawn"
		if len(by[why]) > 1 {
			what = "the questions to " + inSeries(by[why]) + " were withdrawn"
		}
		all = append(all, fmt.Sprintf("%s (%.200s)", what, legible.Line(why)))
	}
	return strings.Join(all, ", ")
}

// allowedBy returns who said yes, in order.
func (g *approval) allowedBy() []string {
	if g == nil {
		return nil
	}
	return g.Asked.Agreed()
}

// conclude gives the entry of a quorum its effect, if what was said decides.
func (e *entry) conclude(o Options) {
	yes, no := e.Quorum.Asked.Words()
	need, voices := e.Quorum.Approvers.Need, len(e.Quorum.Asked.Voices())
	spare := voices - need
	switch {
	case len(no) <= spare && e.Quorum.allLeft(): // whatever was said since
		e.Quorum.Left = now()
	case len(yes) >= need: // the time runs from the answer that decided
		e.Effect, e.Said = Allow, yes[need-1]
		e.Until = e.Said.Add(o.OnceTTL)
	case len(no) > spare:
		e.Effect, e.Said = Deny, no[spare]
		e.Until = e.Said.Add(o.Quiet)
		e.Reason = fmt.Sprintf("%d of %d approvers must allow this call, and %s, so it is denied.",
			need, voices, e.Quorum.without(len(no))) + e.Quorum.why()
	}
}

// over reports whether an entry, if there is one, is of no use for the next
// call: it was used, its time has passed, or the rule asks other people now, or asks
// them something else.
func (p *Permits) over(e *entry, s subject, r ruling) bool {
	switch {
	case e == nil || e.Quorum == nil || e.used() || !e.Quorum.Left.IsZero() || !e.Quorum.Approvers.equal(r.approvers):
		return true
	case e.undecided() && (e.Quorum.Edits != fieldsID(r.editsOf(s)) || e.Quorum.Page != r.page || e.Quorum.Sign != r.sign):
		return true
	case r.sign != "" && e.Quorum.Sign == "": // what was said of it is not signed
		return true
	case e.revoked():
		return !now().Before(e.Revoked.Add(p.opts.Quiet))
	}
	return e.lapsed()
}

// findGathered looks for what approvers said.
func (p *Permits) findGathered(ctx context.Context, s subject, r ruling) (finding, error) {
	_, d := r.panel(s)
	if d.Status == Denied {
		return finding{Decision: d}, nil
	}
	e, err := p.table.load(ctx, s.owner(), permissionKind, gatherID(s))
	if err == nil {
		e, err = p.heeded(ctx, s.owner(), e)
	}
	switch {
	case err != nil:
		return finding{}, err
	case e != nil && e.used() && e.Call == s.ID:
		return finding{used: e}, nil
	case p.over(e, s, r):
		return finding{Decision: d}, nil
	}
	return p.changed(ctx, s, r, e.gathered(s, d))
}

// panel returns who is asked about a call, and the decision while nobody has
// said anything: Denied when there are too few, else Required.
func (r ruling) panel(s subject) ([]string, Decision) {
	panel := r.approvers.known().without(s.User)
	d := Decision{Status: Required, Approvers: r.approvers.distinct(), TTL: r.ttl}
	if len(panel) < r.approvers.Need {
		d.Status = Denied
		d.Reason = r.because(fmt.Sprintf("%s must allow this call, and there %s besides the person whose call it is, so it is denied",
			counted(r.approvers.Need, "approver"), beThere(len(panel))))
		return nil, d
	}
	d.Reason = r.because(fmt.Sprintf("%d of %d approvers must allow this call before it is made", r.approvers.Need, len(panel)))
	return panel, d
}

// counted is a number of things in words: "1 approver", "2 approvers".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// beThere says how many there are: "is nobody", "is 1", "are 2".
func beThere(n int) string {
	switch n {
	case 0:
		return "is nobody"
	case 1:
		return "is 1"
	}
	return fmt.Sprintf("are %d", n)
}

// gathered completes a decision by a quorum that is not over.
func (e *entry) gathered(s subject, d Decision) finding {
	d.Have = len(e.Quorum.allowedBy())
	f := finding{Decision: d}
	switch {
	case e.revoked():
		f.Status, f.Grant, f.Reason = Denied, e.id, "What the approvers allowed was revoked."
	case e.Effect == Allow && e.takenBack(s):
		f.Status, f.Grant, f.Reason = Denied, e.id, "The person took this call back while it waited for its approvers."
	case e.Effect == Allow:
		f.Status, f.Grant, f.grant = Granted, e.id, e
		f.Reason = fmt.Sprintf("%d of %d approvers allowed this call.", d.Have, len(e.Quorum.Asked.Voices()))
	case e.Effect == Deny:
		f.Status, f.Grant, f.Reason = Denied, e.id, e.Reason
	}
	return f
}
