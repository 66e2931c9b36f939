package permit

import (
	"encoding/json"
	"slices"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

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
