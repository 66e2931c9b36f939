package permit

import (
	"context"
	"errors"
	"fmt"
)

// ruling is what the rules say about a call.
type ruling struct {
	need      need
	approvers *Approvers // of byApprovers
	name      string     // of the condition that decided, if one did
	failed    bool       // the condition could not be evaluated
}

// need is what a call needs, from the least to the most.
type need int

const (
	byNobody need = iota
	byPerson
	byApprovers
	byNone // it is refused
)

// ruling says what a rule asks of a call, and of whom if it asks approvers.
func (r Rule) ruling(c Call, of *Approvers) (ruling, error) {
	applies, err := r.Applies(c)
	switch {
	case err != nil:
		return ruling{}, err
	case r == Forbid:
		return ruling{need: byNone}, nil
	case !applies:
		return ruling{need: byNobody}, nil
	case of != nil:
		return ruling{need: byApprovers, approvers: of}, nil
	}
	return ruling{need: byPerson}, nil
}

// stricter returns the stricter of two rulings, a where they are equal.
func stricter(a, b ruling) ruling {
	if b.need > a.need || b.need == a.need && a.need == byApprovers && b.approvers.Need > a.approvers.Need {
		return b
	}
	return a
}

// judge says what a call needs: by the tenant's conditions, those of the
// configuration, and rule, in this order. Arguments are read only where a
// condition asks about them; those of which two programs could read different
// things are ErrArguments then, so that no condition is reached by them.
func (p *Permits) judge(ctx context.Context, rule Rule, c Call) (ruling, error) {
	last, err := rule.ruling(c, nil)
	if err != nil {
		return ruling{}, err
	}
	own, err := p.rules.of(ctx, tenantOf(c.Tenant))
	if err != nil {
		return ruling{}, err
	}
	look := lookOnce(c)
	var doubt ruling // the strictest of what nobody could evaluate
	for _, list := range [][]condition{own, p.rules.configured} {
		for _, cond := range list {
			fits, err := cond.fits(c, look)
			var failed *failedError
			switch {
			case errors.As(err, &failed):
				r, err := cond.ruling(c)
				if err != nil {
					return ruling{}, err
				}
				r = stricter(r, ruling{need: byPerson, name: cond.Name})
				r.failed = true
				doubt = stricter(doubt, r)
			case err != nil:
				return ruling{}, err
			case fits:
				r, err := cond.ruling(c)
				return stricter(doubt, r), err
			}
		}
	}
	return stricter(doubt, last), nil
}

func (c condition) ruling(call Call) (ruling, error) {
	r, err := c.Approve.ruling(call, c.Approvers)
	r.name = c.Name
	return r, err
}

// failedError is for a condition of which nobody knows whether it fits.
type failedError struct{ err error }

func (e *failedError) Error() string { return e.err.Error() }

// fits reports whether the condition is about the call. It returns a failedError,
// or what look returns.
func (c condition) fits(call Call, look func() (map[string]any, error)) (bool, error) {
	if !c.covers(call) {
		return false, nil
	}
	if c.when == nil {
		return true, nil
	}
	facts, err := look()
	if err != nil {
		return false, err
	}
	yes, err := c.when.holds(facts)
	if err != nil {
		return false, &failedError{err}
	}
	return yes, nil
}

// lookOnce returns what reads a call for expressions when the first one asks.
func lookOnce(c Call) func() (map[string]any, error) {
	var facts map[string]any
	var err error
	return func() (map[string]any, error) {
		if facts != nil || err != nil {
			return facts, err
		}
		var s subject
		if s, err = c.subject(false); err != nil {
			return nil, err
		}
		if facts, err = s.facts(); err != nil {
			err = &failedError{err}
		}
		return facts, err
	}
}

// settles returns the decision about a call that needs nobody's word.
func (r ruling) settles() (Decision, bool) {
	switch r.need {
	case byNobody:
		return Decision{Status: Granted, Reason: "This call needs no approval."}, true
	case byNone:
		return Decision{Status: Denied, Reason: r.because("This call is never allowed")}, true
	}
	return Decision{}, false
}

// because adds to a sentence why it holds, if a condition is the reason.
func (r ruling) because(sentence string) string {
	switch {
	case r.failed:
		return fmt.Sprintf("%s: nobody can tell whether the rule %q is about it, so the strictest reading holds.", sentence, r.name)
	case r.name != "":
		return fmt.Sprintf("%s, by the rule %q.", sentence, r.name)
	}
	return sentence + "."
}
