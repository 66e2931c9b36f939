package a2a

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/form"
)

// Clients that do not know the extension answer with a text.

// yes are the texts that say that something was done, or is confirmed, where there is nothing
// to enter. Nothing else does: a text that means something else is not taken for a yes.
var yes = []string{"done", "ok", "okay", "yes", "accept", "accepted", "confirm", "confirmed", "continue", "finished", "ready"}

func saysYes(text string) bool {
	return slices.Contains(yes, strings.ToLower(strings.Trim(text, " \t\r\n.!\"'")))
}

// worded is the answer that a text is: the value of a form's one field, and a yes where there
// is none to enter and no page settles it.
func (t *taking) worded(q parley.Request) (given, bool) {
	g := given{question: q, answer: parley.Answer{Action: parley.Accept, Via: Via}}
	var texts []string
	for _, p := range t.message.Parts {
		text, ok := p.Content.(a2a.Text)
		if !ok {
			return g, false
		}
		texts = append(texts, string(text))
	}
	text, s := strings.Join(texts, "\n"), t.shown(q)
	if confirms(s) {
		return g, saysYes(text)
	}
	fields, err := fieldsOf(s)
	if err != nil || len(fields) != 1 {
		return g, false
	}
	g.answer.Content, err = json.Marshal(map[string]any{fields[0].Name: valueOf(fields[0], text)})
	return fitting(g), err == nil
}

// confirms reports whether a question is answered by a yes, by message: there is nothing to
// enter, and no page that settles it.
func confirms(s elicitation.Question) bool {
	fields, err := fieldsOf(s)
	return s.SettledBy == "" && err == nil && len(fields) == 0
}

// fieldsOf are the fields of a form; what is no form has none.
func fieldsOf(s elicitation.Question) ([]form.Field, error) {
	if s.Mode != elicitation.Form {
		return nil, nil
	}
	schema, err := form.Parse(orEmpty(s.RequestedSchema), nil)
	if err != nil {
		return nil, err
	}
	return schema.Fields(), nil
}

// hint says how to answer what a text does not.
func (t *taking) hint(open []parley.Request) string {
	if len(open) == 1 {
		switch s := t.shown(open[0]); {
		case confirms(s) && s.Mode == elicitation.URL:
			return "This is not understood: say \"done\" once the person for whom you act has been at the address below, or send a data part with elicitationId and action (" + elicitation.URI + ")."
		case confirms(s):
			return "This is not understood: say \"done\" to confirm, or send a data part with elicitationId and action (" + elicitation.URI + ")."
		}
	}
	switch {
	case !slices.ContainsFunc(open, func(q parley.Request) bool { return t.shown(q).SettledBy == "" }):
		return "A message does not settle this: the person for whom you act does, at the address below."
	case len(open) > 1:
		return "A text alone does not say which question it answers: send a data part with elicitationId, action and content for each (" + elicitation.URI + ")."
	}
	return "A text alone does not say which field it answers: send a data part with elicitationId, action and content (" + elicitation.URI + ")."
}
