package permit

import (
	"context"
	"fmt"
	"slices"
)

// Verdict is what the rules want for a call.
type Verdict string

// The verdicts, from the least to the most.
const (
	Passes        Verdict = "pass"      // nobody is asked
	AsksPerson    Verdict = "ask"       // the person whose call it is
	AsksApprovers Verdict = "approvers" // others
	Forbids       Verdict = "refuse"
	Unknown       Verdict = "unknown" // what was kept of the call does not say
)

// Standing is what the rules say about a call, whatever people have said about it.
type Standing struct {
	Verdict   Verdict
	Rule      string     // the condition that decides, if one does
	Approvers *Approvers // of AsksApprovers
	Why       string     // why nobody can tell whether the condition is about it, so that the strictest reading holds
}

// Tried is what the rules say about a call now, and what they would say.
type Tried struct{ Now, Then Standing }

// Changed reports whether the tried condition makes a difference to what is asked
// of whom.
func (t Tried) Changed() bool {
	same := t.Now.Verdict == t.Then.Verdict
	if same && t.Then.Verdict == AsksApprovers {
		return !t.Now.Approvers.distinct().equal(t.Then.Approvers.distinct())
	}
	return !same
}

// Trial judges calls as if a tenant had one condition more, or another one in the
// place of that name. It asks nobody and changes nothing. It is for one goroutine.
type Trial struct {
	permits   *Permits
	now, then []condition
}

// Try returns a trial of a condition that PutCondition would take. Errors: as
// there.
func (p *Permits) Try(ctx context.Context, tenant string, c Condition) (*Trial, error) {
	ready, err := compile(c.clone(), p.opts.Groups)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(p.rules.configured, named(c.Name)) {
		return nil, fmt.Errorf("%w: the name %q is taken by the configuration", ErrCondition, c.Name)
	}
	own, err := p.rules.of(ctx, tenantOf(tenant))
	if err != nil {
		return nil, err
	}
	t := &Trial{permits: p, now: own, then: slices.Clone(own)}
	at := slices.IndexFunc(own, named(c.Name))
	switch {
	case at >= 0:
		t.then[at] = ready
	case len(own) >= maxConditions:
		return nil, fmt.Errorf("%w: the tenant has %d already", ErrCondition, len(own))
	default:
		t.then = append(t.then, ready)
	}
	return t, nil
}

// Judge judges a call that was made, or was to be made, by the rules as they are
// now and by those that are tried. rule is that of its server. Each is as much work as
// Check, and ends with ctx. Errors: as of Check.
func (t *Trial) Judge(ctx context.Context, rule Rule, c Call) (tried Tried, err error) {
	if tried.Now, err = t.standing(ctx, t.now, rule, c); err != nil {
		return tried, err
	}
	tried.Then, err = t.standing(ctx, t.then, rule, c)
	return tried, err
}

func (t *Trial) standing(ctx context.Context, own []condition, rule Rule, c Call) (Standing, error) {
	r, err := t.permits.judgeBy(ctx, own, rule, c)
	if err != nil {
		return Standing{}, err
	}
	s := Standing{Verdict: Passes, Rule: r.name}
	switch r.need {
	case byPerson:
		s.Verdict = AsksPerson
	case byApprovers:
		s.Verdict, s.Approvers = AsksApprovers, r.approvers
	case forbidden:
		s.Verdict = Forbids
	}
	if r.failed {
		s.Why = r.failure.Error()
	}
	return s, nil
}

// JudgeOutline judges a call of which only server, tool, user and tenant were
// kept, and that somebody was asked about. Where a condition could be about its
// arguments or the tool's annotations, nobody can tell: Unknown.
func (t *Trial) JudgeOutline(ctx context.Context, rule Rule, c Call) (Tried, error) {
	tried, err := t.Judge(ctx, rule, c)
	if err != nil {
		return tried, err
	}
	if unclear(t.permits.rules.configured, c) || unclear(t.now, c) {
		tried.Now = Standing{Verdict: Unknown}
	}
	if unclear(t.permits.rules.configured, c) || unclear(t.then, c) {
		tried.Then = Standing{Verdict: Unknown}
	}
	return tried, nil
}

// unclear reports whether more would have to be known of a call to say which of
// the conditions is the first that fits, and what it wants.
func unclear(list []condition, c Call) bool {
	for _, one := range list {
		if one.server != nil && !one.server.MatchString(c.Server) || one.tool != nil && !one.tool.MatchString(c.Tool) {
			continue
		}
		return one.when != nil || one.ReadOnly != nil || one.Destructive != nil || one.Idempotent != nil || one.OpenWorld != nil || one.Approve == Unsafe
	}
	return false
}
