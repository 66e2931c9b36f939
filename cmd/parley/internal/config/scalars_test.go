package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

func TestAVariableThatStandsAloneIsReadAsItsKeyTakesIt(t *testing.T) {
	c, err := config.Parse([]byte(`dev: ${TR}
title: ${N}
limits:
  turns: ${N}
  call_time: ${TIME}
  questions: ${UNSET:-7}
  streams: ${UNSET:-}
  trusted_proxies: [10.0.0.0/8, "${PROXY}"]
  person:
    per_second: ${HALF}
    burst: ${N}
models:
  demo: {kind: demo}
agents:
  helper: &helper
    model: demo
    steps: ${N}
  other: *helper
  third: {<<: *helper, title: ""}
servers:
  shop: {url: "http://127.0.0.1:9100/mcp"}
rules:
  - name: safe
    server: shop
    approve: always
    page: ${TR}
    read_only: ${FA}
`), env(map[string]string{"TR": "true", "FA": "false", "N": "5", "TIME": "90s", "PROXY": "192.0.2.7", "HALF": "2.5"}))
	if err != nil {
		t.Fatal(err)
	}
	l := c.Limits
	if !c.Dev || c.Title != "5" || l.Turns != 5 || l.CallTime != "90s" || l.Questions != 7 || l.Streams != 200 || l.TrustedProxies[1] != "192.0.2.7" || l.Person.PerSecond != 2.5 || l.Person.Burst != 5 {
		t.Errorf("%v, %q, %+v", c.Dev, c.Title, l)
	}
	for _, name := range []string{"helper", "other", "third"} {
		if c.Agents[name].Steps != 5 {
			t.Errorf("%s: %+v", name, c.Agents[name])
		}
	}
	if r := c.Rules[0]; !r.Page || r.ReadOnly == nil || *r.ReadOnly {
		t.Errorf("%+v", r)
	}
}

// What the variable holds may be a secret that was put into the wrong one.
func TestAVariableThatDoesNotFitIsNamedAndNotShown(t *testing.T) {
	holds := env(map[string]string{"V": "hunter2", "EMPTY": "", "ON": "yes", "HALF": "2.5", "MANY": "99999999999999999999", "INF": "inf", "PART": "1"})
	for text, want := range map[string]string{
		"dev: ${V}":                                  "line 2: dev: it must be true or false, and what the variable V holds is something else",
		"dev: ${ON}":                                 "line 2: dev: it must be true or false, and what the variable ON holds is something else",
		"dev: ${NOWHERE}":                            "line 2: dev: the environment has no NOWHERE",
		"dev: ${EMPTY}":                              "line 2: dev: the environment has EMPTY, with nothing in it; where it may be empty write ${EMPTY:-}",
		"dev: ${NOWHERE:-hunter2}":                   "line 2: dev: it must be true or false, and the text for where NOWHERE is not set is something else",
		"limits:\n  turns: ${V}":                     "line 3: limits.turns: it must be a whole number, and what the variable V holds is something else",
		"limits:\n  turns: ${HALF}":                  "line 3: limits.turns: it must be a whole number, and what the variable HALF holds is something else",
		"limits:\n  turns: ${MANY}":                  "line 3: limits.turns: it must be a whole number, and what the variable MANY holds is something else",
		"limits:\n  turns: 1${PART}":                 "line 3: limits.turns: it must be a whole number, or a variable that stands alone, such as ${NAME}",
		"limits:\n  turns: \"${PART}\"":              "line 3: limits.turns: it must be a whole number; in quotes a variable is a text: write it without them, and outside of braces",
		"limits:\n  turns: '5'":                      "line 3: limits.turns: it must be a whole number",
		"limits:\n  call_time: ${V}":                 "line 3: limits.call_time: what ${V} stands for is no duration such as 30s, nor -1 for no limit",
		"limits:\n  person: {burst: many}":           "line 3: limits.person.burst: it must be a whole number",
		"limits:\n  person:\n    per_second: ${INF}": "line 4: limits.person.per_second: it must be a number, and what the variable INF holds is something else",
		"limits:\n  person:\n    per_second: many":   "line 4: limits.person.per_second: it must be a number",
		"rules:\n  - name: a\n    page: ${V}":        "line 4: rules[0].page: it must be true or false, and what the variable V holds is something else",
	} {
		_, err := config.Parse([]byte("store: \"memory:\"\n"+text+"\n"), holds)
		if !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v, want\n%s", text, err, want)
			continue
		}
		if strings.Count(err.Error(), "line ") != 1 && !strings.Contains(text, "call_time") {
			t.Errorf("%s: what follows is said, too:\n%v", text, err)
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the value is shown: %v", text, err)
		}
	}
}
