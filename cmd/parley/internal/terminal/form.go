package terminal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/strictjson"
)

// question is a question as the stream has it.
type question struct {
	ID      string          `json:"elicitationId"`
	Mode    string          `json:"mode"`
	Message string          `json:"message"`
	URL     string          `json:"url"`
	Schema  json.RawMessage `json:"requestedSchema"`
	Expires time.Time       `json:"expiresAt"`
	Context struct {
		Service   string `json:"service"`
		Title     string `json:"serviceTitle"`
		Agent     string `json:"agent"`
		Tool      string `json:"tool"`
		Arguments string `json:"arguments"`
		SettledBy string `json:"settledBy"`
		Trigger   string `json:"trigger"`
	} `json:"context"`
	Outcome *ending `json:"outcome"`
}

// ending is how a question ended.
type ending struct {
	Action   string    `json:"action"`
	Decision string    `json:"decision"` // of an approval
	By       string    `json:"by"`
	Via      string    `json:"via"`
	Reason   string    `json:"reason"` // where no person settled it
	At       time.Time `json:"at"`
}

// dialog asks one question: it says what it wants to know next and takes a line
// at a time.
type dialog struct {
	question
	fields []form.Field
	ask    []int // fields that are still to be asked, as indexes
	values map[string]any
}

// step is what a line led to.
type step int

const (
	more    step = iota // there is something else to ask
	ready               // accept, with what was entered
	decline             // the person declined
	leave               // the question stays open
)

// newDialog returns the dialog for a question. A form that we cannot read is for
// a newer client: it can be declined here, and answered on its page.
func newDialog(q question) (*dialog, error) {
	d := &dialog{question: q}
	if q.Mode != "url" && len(q.Schema) > 0 {
		schema, err := form.Parse(q.Schema, nil)
		if err != nil {
			return nil, err
		}
		d.fields = schema.Fields()
	}
	d.restart()
	return d, nil
}

// restart asks everything from the beginning.
func (d *dialog) restart() {
	d.values, d.ask = map[string]any{}, nil
	for i := range d.fields {
		d.ask = append(d.ask, i)
	}
}

// headingLine is the heading as screens take it.
func (d *dialog) headingLine() string { return strings.TrimSuffix(d.heading(), "\n") }

// heading is the question with all that one has to know to answer it.
func (d *dialog) heading() string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s] %s\n", d.service(), indent(d.words()))
	if d.Context.Agent != "" {
		fmt.Fprintf(&b, "  asked while %s works on it\n", legible.Line(d.Context.Agent))
	}
	if d.Context.Arguments != "" && !d.hasArguments() {
		fmt.Fprintf(&b, "  %s %s\n", legible.Line(d.Context.Tool), legible.Line(d.Context.Arguments))
	}
	if d.Mode == "url" {
		fmt.Fprintf(&b, "  %s\n", legible.Line(d.URL))
	}
	if !d.Expires.IsZero() {
		fmt.Fprintf(&b, "  open until %s\n", moment(d.Expires))
	}
	if len(d.fields) > 0 {
		b.WriteString("  /d declines, /l leaves it open\n")
	}
	return b.String()
}

// service is how people know who asks.
func (q question) service() string { return legible.Line(cmp.Or(q.Context.Title, q.Context.Service)) }

// hasArguments reports whether the message ends with the call's arguments, all of
// them and no others, as that of an approval does.
func (q question) hasArguments() bool {
	_, said, ok := strings.Cut(q.Message, "\nArguments:\n")
	shown, err := strictjson.Canonical([]byte(said), deepest)
	sent, unread := strictjson.Canonical([]byte(q.Context.Arguments), deepest)
	return ok && err == nil && unread == nil && bytes.Equal(shown, sent)
}

// deepest is how far inside each other arguments may be.
const deepest = 64

// words is what the service says. Of an approval it is what the person decides
// by.
func (q question) words() string {
	if q.Context.Trigger == parley.TriggerApproval || q.Context.Trigger == parley.TriggerApprovers {
		return exact(q.Message)
	}
	return clean(q.Message)
}

// prompt asks for the next line.
func (d *dialog) prompt() string {
	switch {
	case d.Context.Trigger == parley.TriggerApprovers:
		return "  others decide; d to take it back, empty to leave it: "
	case d.Mode == "url" && d.Context.SettledBy == "page":
		return "  open it in your browser; d to decline, empty to leave it open: "
	case d.Mode == "url":
		return "  open it in your browser, then y; d to decline, empty to leave it open: "
	case len(d.ask) == 0:
		return "  y to accept, d to decline, empty to leave it open: "
	}
	return fieldPrompt(d.fields[d.ask[0]])
}

// emptied is a form in which nobody entered anything: what such a field says here is what
// it says elsewhere, where an empty box is a no.
var emptied form.Entries

// fieldPrompt is a field: its label, what it takes, its choices and its default.
func fieldPrompt(f form.Field) string {
	var b strings.Builder
	b.WriteString("  " + word(f.Label()))
	if f.Required {
		b.WriteString(" *")
	}
	if kind := kindOf(f); kind != "" {
		fmt.Fprintf(&b, " (%s)", kind)
	}
	described := f.Description != "" && f.Description != f.Label()
	if described {
		fmt.Fprintf(&b, "\n    %s", indent(clean(f.Description)))
	}
	for i, o := range f.Options {
		fmt.Fprintf(&b, "\n    %d  %s", i+1, word(o.Label()))
	}
	if described || len(f.Options) > 0 { // what is entered stands below, not behind a sentence
		b.WriteString("\n   ")
	}
	if f.Default != nil {
		fmt.Fprintf(&b, " [%s]", shownDefault(f))
	} else if empty, _ := emptied.Value(f); empty == false {
		b.WriteString(" [n]")
	}
	return b.String() + ": "
}

// kindOf is what a field takes, with its limits in the words of every surface.
func kindOf(f form.Field) string {
	limits := strings.TrimSuffix(form.Hint(f), ".")
	if limits != "" {
		limits = strings.ToLower(limits[:1]) + limits[1:]
	}
	switch f.Kind {
	case form.Boolean:
		return "y or n"
	case form.Choice:
		return "a number"
	case form.Choices:
		if f.MinItems == nil && f.MaxItems == nil {
			return "numbers, such as 1,2"
		}
		return limits + " of the numbers, such as 1,2"
	case form.String:
		switch f.Format {
		case "date":
			return "date, such as 2026-12-24"
		case "date-time":
			return "date and time with its zone, such as 2026-12-24T18:30:00Z or 2026-12-24T18:30:00+01:00"
		}
		return limits
	}
	return cmp.Or(limits, string(f.Kind))
}

// shownDefault is a default as one would enter it.
func shownDefault(f form.Field) string {
	var value any
	if json.Unmarshal(f.Default, &value) != nil {
		return word(string(f.Default))
	}
	place := func(v any) string {
		i := slices.IndexFunc(f.Options, func(o form.Option) bool { return o.Value == v })
		return strconv.Itoa(i + 1)
	}
	switch v := value.(type) {
	case bool:
		return map[bool]string{true: "y", false: "n"}[v]
	case string:
		if f.Kind == form.Choice {
			return place(v)
		}
		return word(v)
	case []any:
		var all []string
		for _, one := range v {
			all = append(all, place(one))
		}
		return strings.Join(all, ",")
	}
	if f.Kind == form.Choice {
		return place(string(f.Default))
	}
	return word(string(f.Default)) // a number keeps its digits
}

// take takes a line; wrong says what is the matter with it, if it has to be
// entered again.
func (d *dialog) take(line string) (next step, wrong string) {
	line = strings.TrimSpace(line)
	if d.Mode == "url" || len(d.ask) == 0 {
		return d.takeWord(line)
	}
	f := d.fields[d.ask[0]]
	switch {
	case line == "/d" || line == "d" && f.Kind != form.String:
		return decline, ""
	case line == "/l" || line == "" && f.Default == nil && f.Required:
		return leave, ""
	case line == "//d", line == "//l":
		line = line[1:] // the text itself
	}
	switch {
	case line != "":
		value, wrong := valueOf(f, line)
		if wrong != "" {
			return more, wrong
		}
		d.values[f.Name] = value
	case f.Default != nil:
		d.values[f.Name] = f.Default
	default:
		delete(d.values, f.Name)
		if empty, given := emptied.Value(f); given {
			d.values[f.Name] = empty
		}
	}
	if d.ask = d.ask[1:]; d.Context.Trigger == parley.TriggerApproval && f.Name == "decision" {
		d.skipUnasked()
	}
	if len(d.ask) > 0 {
		return more, ""
	}
	return ready, ""
}

// skipUnasked leaves out what an approval asks besides and means nothing for its
// decision: choices narrow a permission that stays, arguments are for who changes them,
// and the person's own words are for any other but a yes.
func (d *dialog) skipUnasked() {
	decision, _ := d.values["decision"].(string)
	allows := []permit.Choice{permit.AllowOnce, permit.AlwaysAllow, permit.Changed}
	d.ask = slices.DeleteFunc(d.ask, func(i int) bool {
		switch f := d.fields[i]; {
		case strings.HasPrefix(f.Name, permit.ArgumentPrefix):
			return decision != string(permit.Changed)
		case f.Kind == form.String:
			return slices.Contains(allows, permit.Choice(decision))
		}
		return decision != string(permit.AlwaysAllow)
	})
}

// takeWord takes the answer to a question without fields.
func (d *dialog) takeWord(line string) (step, string) {
	switch strings.ToLower(line) {
	case "":
		return leave, ""
	case "d", "/d", "n", "no":
		return decline, ""
	case "y", "yes":
		if d.Context.Trigger == parley.TriggerApprovers {
			return more, "Others decide: you can take it back, or leave it."
		}
		if d.Mode != "url" || d.Context.SettledBy != "page" {
			return ready, ""
		}
		return more, "The page takes the answer; this goes on by itself when it has it."
	}
	return more, "That is not one of the answers."
}

// valueOf reads what was entered for a field. What is not a number goes to the
// server as it is: its message is the one that every surface shows.
func valueOf(f form.Field, line string) (value any, wrong string) {
	switch f.Kind {
	case form.Number, form.Integer:
		if n := json.Number(line); json.Valid([]byte(line)) && strings.ContainsAny(line[:1], "-0123456789") {
			return n, ""
		}
	case form.Boolean:
		switch strings.ToLower(line) {
		case "y", "yes", "true":
			return true, ""
		case "n", "no", "false":
			return false, ""
		}
		return nil, "Answer y or n."
	case form.Choice:
		return choiceOf(f, line)
	case form.Choices:
		all := []any{}
		for _, one := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' }) {
			value, wrong := choiceOf(f, one)
			if wrong != "" {
				return nil, wrong
			}
			all = append(all, value)
		}
		return all, ""
	}
	return line, ""
}

func choiceOf(f form.Field, line string) (any, string) {
	if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(f.Options) {
		return f.Options[n-1].Value, ""
	}
	return nil, fmt.Sprintf("Choose by number, from 1 to %d.", len(f.Options))
}

// about is what is wrong with a field. Our own sentences begin with its label, in
// quotes if it ends like a sentence.
func about(f form.Field, message string) string {
	for _, end := range []string{" ", ","} {
		if strings.HasPrefix(message, f.Label()+end) || strings.HasPrefix(message, "“"+f.Label()+"”"+end) {
			return word(message)
		}
	}
	return word(f.Label()) + ": " + word(message)
}

// correct asks again for the fields that the server did not take, and returns
// what it said of them.
func (d *dialog) correct(r *refusal) []string {
	var said []string
	d.ask = nil
	for i, f := range d.fields {
		for _, w := range r.Fields {
			name, _, _ := strings.Cut(w.Field, "[")
			if w.Field != f.Name && name != f.Name {
				continue
			}
			said = append(said, about(f, w.Message))
			if !slices.Contains(d.ask, i) {
				d.ask = append(d.ask, i)
			}
		}
	}
	if len(d.ask) == 0 { // nothing that we could ask for alone
		said = append(said, r.Error())
		d.restart()
	}
	return said
}
