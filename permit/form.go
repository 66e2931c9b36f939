package permit

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// answer is the content of an accepted question.
type answer struct {
	Decision Choice `json:"decision"`
	Scope    scope  `json:"scope"`
	Until    string `json:"until"`
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
func questionSchema(o Options) json.RawMessage {
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
	fields := []string{
		field("decision", "Decision", "", option(string(AllowOnce), "Allow once")+","+
			option(string(AlwaysAllow), always)+","+option(string(Refuse), "Deny")),
		field("scope", "Always allow what", "Only for a permission that stays.", scopes),
	}
	var untils []string
	for _, t := range o.terms() {
		untils = append(untils, option(t.value, t.title))
	}
	if len(untils) > 0 {
		fields = append(fields, field("until", "For how long", "Only for a permission that stays.", strings.Join(untils, ",")))
	}
	return formOf(fields...)
}

// approverSchema is what approvers are asked: they allow this call, nothing
// more.
func approverSchema() json.RawMessage {
	return formOf(field("decision", "Decision", "", option(string(AllowOnce), "Allow once")+","+option(string(Refuse), "Deny")))
}

func formOf(fields ...string) json.RawMessage {
	return fmt.Appendf(nil, `{"type":"object","properties":{%s},"required":["decision"]}`, strings.Join(fields, ","))
}

func field(name, title, description, options string) string {
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
