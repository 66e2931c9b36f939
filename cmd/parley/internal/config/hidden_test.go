package config_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

// What a variable holds is not in the error, at whatever key it is: it may have been put into
// the wrong one.
func TestNoErrorShowsWhatAVariableHolds(t *testing.T) {
	keys := writable(reflect.TypeFor[config.Config](), 0)
	if len(keys) < 150 {
		t.Fatalf("only %d keys were found", len(keys))
	}
	refused := 0
	for _, value := range []string{
		"hunter2", "-hunter2 s", "https://parley:hunter2@x y/hunter2", "https://hunter2.example:hunter2/?hunter2#hunter2", "hunter2: hunter2, hunter2@", "4 of [hunter2, \"hunter2\"]",
		"hunter2" + strings.Repeat(" of which errors have the beginning alone,", 10),
	} {
		for _, key := range keys {
			if strings.HasPrefix(key, "{tls: ") {
				continue // the path of a file is told, so that it can be found
			}
			text := "dev: true\n" + strings.TrimSuffix(strings.TrimPrefix(key, "{"), "}") + "\n"
			text = strings.Replace(text, "dev: true\ndev: ", "dev: ", 1)
			_, err := config.Parse([]byte(text), env(map[string]string{"V": value}))
			if err == nil {
				continue
			}
			refused++
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s with %q:\n%v", text, value, err)
			}
		}
	}
	if refused < 500 {
		t.Errorf("only %d were refused", refused)
	}
}

// writable is YAML with the variable V for each key that a type has.
func writable(of reflect.Type, depth int) (all []string) {
	within := func(before, after string, inner reflect.Type) {
		for _, text := range writable(inner, depth+1) {
			all = append(all, before+text+after)
		}
	}
	switch {
	case depth > 8:
	case of.Kind() == reflect.Pointer:
		return writable(of.Elem(), depth)
	case of.Kind() == reflect.Struct:
		for f := range of.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			if name == "" || name == "-" || !f.IsExported() {
				continue
			}
			within("{"+name+": ", "}", f.Type)
		}
	case of.Kind() == reflect.Map:
		within("{a: ", "}", of.Elem())
	case of.Kind() == reflect.Slice:
		within("[", "]", of.Elem())
	default:
		return []string{`"${V}"`}
	}
	return all
}

func TestATimeOfAVariableOutsideItsLimitsIsNamedAndNotShown(t *testing.T) {
	for text, c := range map[string]struct{ holds, want string }{
		"models: {m: {kind: demo}}\nagents: {a: {model: m, ttl: \"${V}\"}}":                 {"400d", "line 3: agents.a.ttl: what ${V} stands for is no time such as 30s, 12h or 3d, of 366d at most"},
		"servers: {a: {url: \"https://a.example/mcp\", ttl: \"${V}\"}}":                     {"1ms", "line 2: servers.a.ttl: what ${V} stands for is no time in which anybody could answer"},
		"rules: [{name: a, approvers: \"1 of [b]\", ttl: \"${V}\"}]":                        {"-3h", "line 2: rules[0].ttl: what ${V} stands for is no time such as 3d or 12h"},
		"rules: [{name: a, approvers: \"1 of [b]\", escalate: [{after: \"${V}\", to: c}]}]": {"0s", "line 2: rules[0].escalate[0].after: what ${V} stands for is not behind the step before"},
		"retention: {runs: \"${V}\"}":                                                       {"3m", "line 2: retention.runs: what ${V} stands for is neither forever nor a time of an hour or more, such as 30d or 12h"},
		"retention: {questions: \"${V}\"}":                                                  {"3h", "line 2: retention.questions: what ${V} stands for is less than 1d"},
		"auth: {logins: \"${V}\"}":                                                          {"400d", "line 2: auth.logins: what ${V} stands for is no time from an hour to 366 days"},
		"limits:\n  stop_time: ${V}":                                                        {"-7s", "line 3: limits.stop_time: what ${V} stands for is no duration such as 10s"},
		"limits:\n  stop_time: ${V}0s":                                                      {"-7", "line 3: limits.stop_time: what ${V}0s stands for is no duration such as 10s"},
		"limits:\n  turns: ${V}":                                                            {"-7", "line 3: limits.turns: what ${V} stands for; it is 1 or more, or -1 for no limit"},
		"channels: {webhooks: [{name: a, url: \"https://a.example\", after: \"${V}\"}]}":    {"-1s", "line 2: channels.webhooks[0].after: what ${V} stands for is no time"},
		"models: {m: {kind: demo}}\nagents: {a: {model: \"${V}\"}}":                         {"gpt-5", "line 3: agents.a.model: there is no model \"${V}\""},
		"models: {m: {kind: demo}}\nagents: {a: {model: gpt-5}}":                            {"gpt-5", "line 3: agents.a.model: there is no model \"gpt-5\""},
	} {
		_, err := config.Parse([]byte("dev: true\n"+text+"\n"), env(map[string]string{"V": c.holds}))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), c.holds) && strings.Contains(text, "V") {
			t.Errorf("%s:\n%v, want\n%s", text, err, c.want)
		}
	}
}

// Whoever uses what is configured does not show it either.
func TestWhatALocatedErrorQuotesOfAVariableIsNotShown(t *testing.T) {
	cfg, err := config.Parse([]byte("dev: true\ntitle: \"${V}\"\n"), env(map[string]string{"V": "hunter2"}))
	if err != nil {
		t.Fatal(err)
	}
	cause := errors.New("odd")
	said := cfg.Locate(fmt.Errorf("title: %q is %w", "hunter2", cause))
	if said.Error() != "line 2: title: what ${V} stands for is odd" || !errors.Is(said, cause) {
		t.Error(said)
	}
}
