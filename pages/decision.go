package pages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/permit"
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
		!slices.ContainsFunc(fields[1:], func(f form.Field) bool {
			return f.Required || f.Kind != form.Choice && !isRemark(f) && !isArgument(f)
		})
}

// isArgument reports whether a field of an approval changes an argument of its call.
func isArgument(f form.Field) bool { return strings.HasPrefix(f.Name, permit.ArgumentPrefix) }

// isRemark reports whether a field of an approval takes what the program is told.
func isRemark(f form.Field) bool { return f.Kind == form.String && f.Name == "reason" }

// decided says what was decided of an approval. It is false for what is none.
func decided(q parley.Request) (heading, sentence string, ok bool) {
	choice, limits := permit.Decided(q)
	switch choice {
	case permit.AllowOnce:
		return "Allowed once", "You allowed this call, this once. The program was told.", true
	case permit.Refuse:
		return "Denied", "You denied this call: it is not made. The program was told.", true
	case permit.Changed:
		return "Allowed with changes", "You allowed this call, this once, with the arguments as you changed them: " + permit.Edited(q) + ". The program was told.", true
	case permit.AskBack:
		return "Asked back", "The agent was told what you wrote. The call is not made.", true
	case permit.AlwaysAllow:
	default:
		return "", "", false
	}
	fields, err := fieldsOf(q)
	if err != nil {
		return "", "", false
	}
	var said []string
	for _, f := range fields {
		value := limits[f.Name]
		if f.Name == fields[0].Name {
			value = string(choice)
		}
		if i := slices.IndexFunc(f.Options, func(o form.Option) bool { return o.Value == value }); i >= 0 {
			said = append(said, f.Options[i].Label())
		}
	}
	return "Allowed", fmt.Sprintf("You chose “%s”. The program was told.", strings.Join(said, "”, “")), true
}

// unusedLimits says what is wrong with limits beside a permission for one call:
// they would be dropped without a word.
func unusedLimits(fields []form.Field, entered *entries) (wrong []form.Violation) {
	if decision, _ := entered.entered().Value(fields[0]); decision != allowsOnce {
		return nil
	}
	always := slices.IndexFunc(fields[0].Options, func(o form.Option) bool { return o.Value == allowsAlways })
	if always < 0 {
		return nil
	}
	for _, f := range fields[1:] {
		if f.Kind != form.Choice || isArgument(f) {
			continue // what the agent is told, or the call itself
		}
		if _, given := entered.entered().Value(f); given {
			wrong = append(wrong, form.Violation{
				Path: f.Name, Rule: "unused",
				Message: fmt.Sprintf("You chose limits for a permission that stays. Press “%s” to use them, or take them back.", fields[0].Options[always].Label()),
			})
		}
	}
	return wrong
}
