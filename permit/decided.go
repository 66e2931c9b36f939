package permit

import (
	"encoding/json"
	"slices"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/legible"
)

// Edited says what whoever allowed a call changed, for those who show it: "amount 100 → 50".
// It is empty where nothing was.
func Edited(q parley.Request) string {
	if choice, _ := Decided(q); choice != Changed {
		return ""
	}
	changed, _ := edits(q.Schema, q.Outcome.Content)
	schema, err := form.Parse(q.Schema, nil)
	if err != nil {
		return ""
	}
	before := make(object, len(changed))
	for i, m := range changed {
		before[i] = m
		for _, f := range schema.Fields() {
			if f.Name == ArgumentPrefix+m.Name {
				before[i].Value, _ = parse(f.Default)
			}
		}
	}
	return legible.Ordered(difference(before, changed))
}

// Decided is what was decided of an approval, for those who show it: the choice,
// and how an AlwaysAllow was narrowed, by field. It has what was chosen among what
// the question offers, and nothing that anybody typed. It is empty for what is no
// approval, or was not answered.
func Decided(q parley.Request) (choice Choice, limits map[string]string) {
	if q.Trigger != parley.TriggerApproval || q.Outcome == nil || q.Outcome.Action != parley.Accept {
		return "", nil
	}
	var content map[string]any
	schema, err := form.Parse(q.Schema, nil)
	if err != nil || json.Unmarshal(q.Outcome.Content, &content) != nil {
		return "", nil
	}
	chosen := map[string]string{}
	for _, f := range schema.Fields() {
		value, _ := content[f.Name].(string)
		if value != "" && slices.ContainsFunc(f.Options, func(o form.Option) bool { return o.Value == value }) {
			chosen[f.Name] = value
		}
	}
	choice = Choice(chosen["decision"])
	if changed, _ := edits(q.Schema, q.Outcome.Content); choice == Changed && len(changed) == 0 {
		choice = AllowOnce // as it was
	}
	delete(chosen, "decision")
	if choice != AlwaysAllow || len(chosen) == 0 {
		chosen = nil // beside another decision they mean nothing
	}
	return choice, chosen
}
