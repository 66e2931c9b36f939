package permit

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley/form"
)

// answer is the content of an accepted question.
type answer struct {
	Decision Choice `json:"decision"`
	Scope    scope  `json:"scope"`
	Until    string `json:"until"`
	Reason   string `json:"reason"`
}

// because adds the person's own words to a sentence for the model, in quotes: they
// cannot pass for ours.
func (a answer) because(sentence string) string {
	if strings.TrimSpace(a.Reason) == "" {
		return sentence + "."
	}
	return sentence + ". They say: " + quoted(a.Reason)
}

// scope is what an always_allow covers.
type scope string

const (
	scopeServer    scope = "server" // only where the program offers it
	scopeTool      scope = "tool"
	scopeArguments scope = "arguments" // the tool, with exactly these
)

// term is how long an always_allow can be made to last.
type term struct {
	value, title string
	lasts        time.Duration
}

// untilRevoked has no end.
const untilRevoked = "revoked"

func terms() []term {
	return []term{
		{untilRevoked, "Until I take it back", 0},
		{"hour", "For an hour", time.Hour},
		{"day", "For a day", 24 * time.Hour},
		{"week", "For a week", 7 * 24 * time.Hour},
	}
}

// terms are those that are offered: none that is longer than AlwaysTTL.
func (o Options) terms() (offered []term) {
	for _, t := range terms() {
		if o.AlwaysTTL == 0 || t.lasts > 0 && t.lasts < o.AlwaysTTL {
			offered = append(offered, t)
		}
	}
	return offered
}

// widest is what an always_allow covers that says nothing of it.
func (o Options) widest() scope {
	if o.WholeServer {
		return scopeServer
	}
	return scopeTool
}

// HoldsUnsaid reports whether the first option of a field that narrows an always_allow is what holds without it.
func HoldsUnsaid(first string) bool {
	return first == string(scopeServer) || first == string(scopeTool) || first == untilRevoked
}

// narrowed reads what an always_allow says of itself. It reports false for what
// was not offered.
func (a answer) narrowed(o Options) (word, bool) {
	said := word{choice: AlwaysAllow, scope: o.widest(), lasts: o.AlwaysTTL}
	switch a.Scope {
	case "":
	case scopeTool, scopeArguments:
		said.scope = a.Scope
	case scopeServer:
		if !o.WholeServer {
			return word{}, false
		}
	default:
		return word{}, false
	}
	if a.Until == "" {
		return said, true
	}
	for _, t := range o.terms() {
		if t.value == a.Until {
			said.lasts = t.lasts
			return said, true
		}
	}
	return word{}, false
}

// questionSchema is one choice without a default: nothing but an answer decides.
// The other fields narrow an always_allow. They have no default either, so that
// an answer says no more than the person did.
func questionSchema(o Options, choices []Choice) json.RawMessage {
	covered, scopes := "this tool", ""
	if o.WholeServer {
		covered = "every tool of this service"
		scopes = option(string(scopeServer), "Every tool of this service") + ","
	}
	always := "Always allow " + covered
	if o.AlwaysTTL > 0 {
		always = "Allow " + covered + " for " + inWords(o.AlwaysTTL)
	}
	scopes += option(string(scopeTool), "This tool, whatever the arguments") + "," +
		option(string(scopeArguments), "This tool with exactly these arguments")
	var offered []string
	for _, one := range []struct {
		choice Choice
		title  string
	}{{AllowOnce, "Allow once"}, {AlwaysAllow, always}, {Refuse, "Deny"}, {AskBack, "Ask back"}} {
		if offers(choices, one.choice) {
			offered = append(offered, option(string(one.choice), one.title))
		}
	}
	fields := []string{fieldOf("decision", "Decision", "", strings.Join(offered, ","))}
	reason := reasonField(offers(choices, AskBack))
	if !offers(choices, AlwaysAllow) {
		return formOf(append(fields, reason)...)
	}
	fields = append(fields, fieldOf("scope", "Always allow what", "Only for a permission that stays.", scopes))
	var untils []string
	for _, t := range o.terms() {
		untils = append(untils, option(t.value, t.title))
	}
	if len(untils) > 0 {
		fields = append(fields, fieldOf("until", "For how long", "Only for a permission that stays.", strings.Join(untils, ",")))
	}
	return formOf(append(fields, reason)...)
}

// reasonField takes the person's own words, for the model. It speaks of asking back only
// where that is offered.
func reasonField(asksBack bool) string {
	with := "With a denial."
	if asksBack {
		with = "With a denial, or when you ask back."
	}
	return fmt.Sprintf(`"reason":{"type":"string","title":"What the agent is told","description":%q,"maxLength":1000}`, with)
}

// offers reports whether a choice is among those of a condition. A person can always
// deny.
func offers(choices []Choice, c Choice) bool {
	return choices == nil || c == Refuse || slices.Contains(choices, c)
}

// common are the choices that both offer.
func common(a, b []Choice) []Choice {
	if a == nil || b == nil {
		return append(a, b...)
	}
	both := []Choice{Refuse}
	for _, c := range a {
		if c != Refuse && slices.Contains(b, c) {
			both = append(both, c)
		}
	}
	return both
}

// Offers are the choices of those who are asked about the calls of a condition: who may
// say what. Nil: everything that there is.
func (c Condition) Offers() (all []Choice) {
	switch {
	case c.Approvers != nil:
		all = []Choice{AllowOnce, Refuse}
		if c.Approvers.Need == 1 && offers(c.Choices, Changed) {
			all = append(all, Changed)
		}
		return all
	case c.Choices == nil:
		return nil
	}
	all = slices.Clone(c.Choices)
	if !slices.Contains(all, Refuse) { // a person can always deny
		all = append(all, Refuse)
	}
	return all
}

func checkChoices(choices []Choice) error {
	for _, c := range choices {
		if !slices.Contains([]Choice{AllowOnce, AlwaysAllow, Changed, Refuse, AskBack}, c) {
			return fmt.Errorf("%.40q is none of allow_once, always_allow, changed, deny and asked_back", c)
		}
	}
	switch {
	case len(choices) == 0 || slices.Contains(choices, AllowOnce) || slices.Contains(choices, AlwaysAllow):
	case slices.Contains(choices, Changed):
		return errors.New("changed alone is not enough: it is for the arguments that can be changed, which not every call has, and never for approvers. Add allow_once")
	default:
		return errors.New("nobody could allow such a call: to forbid it, say approve: refuse")
	}
	return nil
}

// formFor is the form of a question about a call, as the hub stores it.
func (p *Permits) formFor(s subject) json.RawMessage {
	base := p.schema
	if s.Choices != nil {
		base = questionSchema(p.opts, s.Choices)
	}
	var fields []form.Field
	if offers(s.Choices, Changed) {
		fields = s.editable()
	}
	return formWith(base, fields)
}

// formWith is a form of ours with fields for arguments, where they can be had.
func formWith(base json.RawMessage, fields []form.Field) json.RawMessage {
	schema, err := withEdits(base, fields)
	if err != nil {
		schema, _ = withEdits(base, nil) // it is ours, and none of it comes from outside
	}
	return schema
}

// approverSchema is what approvers are asked: they allow this call, nothing
// more.
func approverSchema() json.RawMessage {
	return formOf(fieldOf("decision", "Decision", "", option(string(AllowOnce), "Allow once")+","+option(string(Refuse), "Deny")), reasonField(false))
}

func formOf(fields ...string) json.RawMessage {
	return fmt.Appendf(nil, `{"type":"object","properties":{%s},"required":["decision"]}`, strings.Join(fields, ","))
}

func fieldOf(name, title, description, options string) string {
	if description != "" {
		description = fmt.Sprintf(`"description":%q,`, description)
	}
	return fmt.Sprintf(`%q:{"type":"string","title":%q,%s"oneOf":[%s]}`, name, title, description, options)
}

func option(value, title string) string { return fmt.Sprintf(`{"const":%q,"title":%q}`, value, title) }

// inWords writes a duration in the largest unit that fits it.
func inWords(d time.Duration) string {
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		switch n := d / unit.size; {
		case d%unit.size != 0:
		case n == 1:
			return "1 " + unit.name
		default:
			return fmt.Sprintf("%d %ss", n, unit.name)
		}
	}
	return d.String()
}

// checkAskBack refuses a question back that asks nothing, where the form has a field
// for the words.
func checkAskBack(schema, content json.RawMessage) error {
	var a answer
	if json.Unmarshal(content, &a) != nil || a.Decision != AskBack || strings.TrimSpace(a.Reason) != "" {
		return nil
	}
	parsed, err := form.Parse(schema, nil)
	if err != nil {
		return nil // the hub says so
	}
	words, asks := false, false
	for _, f := range parsed.Fields() {
		words = words || f.Name == "reason"
		asks = asks || f.Name == "decision" && slices.ContainsFunc(f.Options, func(o form.Option) bool { return o.Value == string(AskBack) })
	}
	if !words || !asks {
		return nil
	}
	return &form.ContentError{Violations: []form.Violation{{Path: "reason", Rule: "required", Message: "To ask back, write what you want to know."}}}
}
