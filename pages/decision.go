package pages

import (
	"fmt"
	"slices"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

// The decisions of an approval, of which the first is for one call and the second
// stays.
const (
	allowsOnce   = "allow_once"
	allowsAlways = "always_allow"
	denies       = "deny"
)

// isDecision reports whether a form is one choice that buttons can offer. Further
// choices may be left out.
func isDecision(q parley.Request, fields []form.Field) bool {
	return q.Trigger == parley.TriggerApproval && len(fields) > 0 &&
		fields[0].Kind == form.Choice && fields[0].Required && len(fields[0].Options) <= fewOptions &&
		!slices.ContainsFunc(fields[1:], func(f form.Field) bool { return f.Required || f.Kind != form.Choice })
}

// unusedLimits says what is wrong with limits beside a permission for one call:
// they would be dropped without a word.
func unusedLimits(fields []form.Field, entered *entries) (wrong []form.Violation) {
	if decision, _ := entered.value(fields[0]); decision != allowsOnce {
		return nil
	}
	always := slices.IndexFunc(fields[0].Options, func(o form.Option) bool { return o.Value == allowsAlways })
	if always < 0 {
		return nil
	}
	for _, f := range fields[1:] {
		if _, given := entered.value(f); given {
			wrong = append(wrong, form.Violation{
				Path: f.Name, Rule: "unused",
				Message: fmt.Sprintf("You chose limits for a permission that stays. Press “%s” to use them, or take them back.", fields[0].Options[always].Label()),
			})
		}
	}
	return wrong
}
