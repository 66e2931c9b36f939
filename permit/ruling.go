package permit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// ruling is what the rules say about a call.
type ruling struct {
	need      need
	approvers *Approvers // of byApprovers
	ttl       time.Duration
	choices   []Choice // that the person has; nil: all
	page      bool     // it is decided on its page only
	sign      string   // the condition that has it signed with a passkey; empty: none does
	slack     string   // the channel in which approvers are asked
	name      string   // of the condition that decided, if one did
	failed    bool     // the condition could not be evaluated
	failure   error    // failed: what was wrong
	base      Rule     // that holds where no condition says anything
	lost      bool     // forbidden: whom it waited for is not known any more
}

// need is what a call needs, from the least to the most.
type need int

const (
	noApproval need = iota
	byPerson
	byApprovers
	forbidden // it is refused
)

// ruling says what a rule asks of a call, and of whom if it asks approvers.
func (r Rule) ruling(c Call, of *Approvers) (ruling, error) {
	applies, err := r.Applies(c)
	switch {
	case err != nil:
		return ruling{}, err
	case r == Forbid:
		return ruling{need: forbidden}, nil
	case !applies:
		return ruling{need: noApproval}, nil
	case of != nil:
		return ruling{need: byApprovers, approvers: of}, nil
	}
	return ruling{need: byPerson}, nil
}

// stricter returns the stricter of two rulings, a where they are equal. Where
// both want approvers, what it wants satisfies both.
func stricter(a, b ruling) ruling {
	switch {
	case b.need > a.need:
		return b
	case b.need < a.need || a.need != byApprovers || a.approvers.implies(b.approvers):
		return a
	case b.approvers.implies(a.approvers):
		return b
	}
	a.approvers = a.approvers.and(b.approvers)
	return a
}

// judge says what a call needs. The operator speaks by the first condition of
// the configuration that fits, else by the rule of the server; a tenant by the
// first of its own. The stricter of the two holds, so that nobody can take away
// what the other wants. Where neither says anything, rule does. Arguments are
// read only where a condition asks about them; those of which two programs could
// read different things are ErrArguments then, so that no condition is reached
// by them.
func (p *Permits) judge(ctx context.Context, rule Rule, c Call) (ruling, error) {
	own, err := p.rules.of(ctx, tenantOf(c.Tenant))
	if err != nil {
		return ruling{}, err
	}
	said, err := p.judgeBy(ctx, own, rule, c)
	if err == nil && errors.Is(said.failure, errTooMuch) {
		p.opts.Logger.WarnContext(ctx, "rule is too much work: an approval is needed", "tenant", tenantOf(c.Tenant), "rule", said.name, "err", said.failure)
	}
	if err != nil || c.Asked == AskedNobody || said.need > byPerson {
		return said, err
	}
	was, err := p.before(ctx, c)
	if err != nil || said.need >= was.need {
		return said, err
	}
	was.base = said.base
	return was, nil
}

// before is what a call needed when it was asked about. That its server calls the tool harmless
// by now, or that a rule is gone, is no answer to the question.
func (p *Permits) before(ctx context.Context, c Call) (ruling, error) {
	s, err := newSubject(c)
	if err != nil {
		return ruling{}, err
	}
	var round *entry
	err = p.table.persist(ctx, func() (err error) {
		round, err = p.table.load(ctx, s.owner(), permissionKind, gatherID(s))
		return err
	})
	switch {
	case err != nil:
		return ruling{}, err
	case round != nil && round.Quorum != nil:
		if _, waits := round.Quorum.Waits[c.ID]; waits || c.Asked == AskedApprovers {
			g := round.Quorum
			return ruling{need: byApprovers, approvers: &g.Approvers, page: g.Page, sign: g.Sign}, nil
		}
	case c.Asked == AskedApprovers: // its titles are others, or it is too long ago
		return ruling{need: forbidden, lost: true}, nil
	}
	return ruling{need: byPerson}, nil
}

// judgeBy is judge with these conditions of the tenant. All expressions together have
// one budget, and what is begun after it is spent has failed: so many rules, or such
// arguments, are never a way around one of them.
func (p *Permits) judgeBy(ctx context.Context, own []condition, rule Rule, c Call) (ruling, error) {
	last, err := rule.ruling(c, nil)
	if err != nil {
		return ruling{}, err
	}
	work, cancel := newBudget(ctx)
	defer cancel()
	look := lookOnce(c, work)
	operators, err := firstOf(p.rules.configured, c, look)
	if err != nil {
		return ruling{}, err
	}
	if floor, ok := p.opts.Servers[c.Server]; ok && operators.fitting == nil {
		r, err := floor.ruling(c, nil)
		if err != nil {
			return ruling{}, err
		}
		operators.fitting = &r
	}
	tenants, err := firstOf(own, c, look)
	if err != nil {
		return ruling{}, err
	}
	said := stricter(operators.doubt, tenants.doubt)
	for _, fitting := range []*ruling{operators.fitting, tenants.fitting} {
		if fitting != nil {
			said = stricter(said, *fitting)
		}
	}
	if operators.fitting == nil && tenants.fitting == nil {
		said = stricter(said, last)
	}
	if operators.fitting != nil && tenants.fitting != nil { // what one takes away stays away
		said.choices = common(operators.fitting.choices, tenants.fitting.choices)
	}
	for _, one := range []*ruling{&operators.doubt, &tenants.doubt, operators.fitting, tenants.fitting} {
		if one != nil { // what anybody wants
			said.page, said.sign, said.ttl = said.page || one.page, cmp.Or(said.sign, one.sign), max(said.ttl, one.ttl)
			if said.need == byApprovers {
				said.slack = cmp.Or(said.slack, one.slack)
			}
		}
	}
	if said.sign != "" {
		said.page, said.choices = true, common(said.choices, []Choice{AllowOnce, Changed, Refuse, AskBack})
	}
	said.base = rule
	return said, nil
}

// saying is what a list of conditions says about a call.
type saying struct {
	fitting *ruling // of the first that fits; nil: none does
	doubt   ruling  // the strictest of those before it that nobody could evaluate
}

func firstOf(list []condition, c Call, look func() (*facts, error)) (s saying, err error) {
	for _, cond := range list {
		fits, err := cond.fits(c, look)
		var failed *failedError
		if err != nil && !errors.As(err, &failed) {
			return s, err
		}
		if err == nil && !fits {
			continue
		}
		r, err := cond.ruling(c)
		if err != nil {
			return s, err
		}
		if failed == nil {
			s.fitting = &r
			return s, nil
		}
		r = stricter(r, ruling{need: byPerson, name: cond.Name})
		r.failed, r.failure = true, failed.err
		s.doubt = stricter(s.doubt, r)
	}
	return s, nil
}

func (c condition) ruling(call Call) (ruling, error) {
	r, err := c.Approve.ruling(call, c.Approvers)
	r.name, r.ttl, r.choices, r.page, r.slack = c.Name, c.TTL, c.Choices, c.Page, c.Slack
	if c.Sign != "" {
		r.sign = c.Name
	}
	return r, err
}

// failedError is for a condition of which nobody knows whether it fits.
type failedError struct{ err error }

func (e *failedError) Error() string { return e.err.Error() }

// fits reports whether the condition is about the call. It returns a failedError,
// or what look returns.
func (c condition) fits(call Call, look func() (*facts, error)) (bool, error) {
	if !c.covers(call) {
		return false, nil
	}
	if c.when == nil {
		return true, nil
	}
	seen, err := look()
	if err != nil {
		return false, err
	}
	yes, err := c.when.holds(seen)
	switch {
	case errors.Is(err, errDamaged):
		return false, fmt.Errorf("condition %q: %w", c.Name, err)
	case err != nil:
		return false, &failedError{err}
	}
	return yes, nil
}

// lookOnce returns what reads a call for expressions when the first one asks.
func lookOnce(c Call, work *budget) func() (*facts, error) {
	var seen *facts
	var err error
	return func() (*facts, error) {
		if seen != nil || err != nil {
			return seen, err
		}
		var s subject
		if s, err = c.subject(false); err != nil {
			return nil, err
		}
		if seen, err = s.facts(work); err != nil {
			err = &failedError{err}
		}
		return seen, err
	}
}

// settles returns the decision about a call that needs nobody's word.
func (r ruling) settles() (Decision, bool) {
	switch r.need {
	case noApproval:
		return Decision{Status: Granted, Reason: "This call needs no approval."}, true
	case forbidden:
		if r.lost {
			return Decision{Status: Denied, Reason: "What its approvers were asked about is not this call any more, so it is denied."}, true
		}
		return Decision{Status: Denied, Reason: r.because("This call is never allowed")}, true
	}
	return Decision{}, false
}

// because adds to a sentence why it holds, if a condition is the reason.
func (r ruling) because(sentence string) string {
	switch {
	case r.failed:
		return fmt.Sprintf("%s: nobody can tell whether the rule %q is about it (%.200s), so the strictest reading holds.", sentence, r.name, r.failure)
	case r.name != "":
		return fmt.Sprintf("%s, by the rule %q.", sentence, r.name)
	}
	return sentence + "."
}
