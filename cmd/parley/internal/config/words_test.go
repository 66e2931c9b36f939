package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

// What an operator writes wrong is told at the key that was written, with what to write.
func TestWhatIsWrittenWrongIsToldInWords(t *testing.T) {
	const server = "servers: {shop: {url: https://shop.example/mcp}}\n"
	for text, want := range map[string]string{
		"origins: [\"https://app.example/\"]":                                                      `line 2: origins[0]: "https://app.example/" is not of the form https://host, with no user before it and no / behind it`,
		"groups: {me: [alice]}":                                                                    "line 2: groups.me: in gateway.ask that is whoever the assistant acts for: give the group another name",
		"limits: {questions_per_hour: -2}":                                                         "line 2: limits.questions_per_hour: -2; it is 1 or more, or -1 for no limit",
		"limits: {person: {per_second: -3}}":                                                       "line 2: limits.person.per_second: -3; it is more than 0, or -1 for no limit",
		server + "gateway: {issuers: [https://id.example, id.example]}":                            "line 3: gateway.issuers[1]: the URL's scheme is not https; write https://host/path",
		server + "rules: [{server: shop, approve: always}]":                                        "line 3: rules[0].name: it is missing: reasons call the rule by it",
		server + "rules: [{name: a, approvers: bob}]":                                              `line 3: rules[0].approvers: "bob" does not read like 2 of [alice, bob]`,
		server + "rules: [{name: a, approvers: \"1 of [bob]\", ttl: 2d, escalate: [{after: 1d}]}]": "line 3: rules[0].escalate[0].to: whom? Name a person, or one of groups",
	} {
		_, err := config.Parse([]byte("dev: true\n"+text+"\n"), env(nil))
		if err == nil || strings.TrimPrefix(err.Error(), "invalid configuration: ") != want {
			t.Errorf("%s\n%v\nwant\n%s", text, err, want)
		}
	}
}

// So many days that their number overflows are none that was meant, and not half an hour.
func TestTimesAreNotLongerThanTheyCanBe(t *testing.T) {
	for _, long := range []string{"213504d", "-213503d", "99999999999999999999d", "36501d"} {
		for key, text := range map[string]string{
			"agents.a.ttl":               "models: {m: {kind: demo}}\nagents: {a: {model: m, ttl: " + long + "}}",
			"servers.a.ttl":              "servers: {a: {url: https://a.example/mcp, ttl: " + long + "}}",
			"channels.web_push.after":    "channels: {web_push: {subject: \"mailto:a@b.example\", after: " + long + "}}",
			"rules[0].ttl":               "rules: [{name: a, approvers: \"1 of [b]\", ttl: " + long + "}]",
			"rules[0].escalate[0].after": "rules: [{name: a, approvers: \"1 of [b]\", ttl: 2d, escalate: [{after: " + long + ", to: c}]}]",
			"retention.runs":             "retention: {runs: " + long + "}",
			"auth.logins":                "auth: {logins: " + long + "}",
			"limits.call_time":           "limits: {call_time: " + long + "}",
		} {
			if _, err := config.Parse([]byte("dev: true\n"+text+"\n"), env(nil)); err == nil || !strings.Contains(err.Error(), key+": ") {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	cfg, err := config.Parse([]byte("dev: true\nlimits: {call_time: 1d}\n"), env(nil))
	if err != nil || cfg.Limits.Call() != 24*time.Hour {
		t.Errorf("a day: %v", err)
	}
}

func TestTheArgumentsOfAProgramAreCounted(t *testing.T) {
	for command, want := range map[string]string{
		"[python3]":               "server x: the program python3; ",
		"[python3, x.py]":         "server x: the program python3 with 1 argument; ",
		"[python3, x.py, HUNTER]": "server x: the program python3 with 2 arguments; ",
	} {
		c, err := config.Parse([]byte("dev: true\nservers: {x: {command: "+command+"}}\n"), nothing)
		if err != nil || !strings.Contains(c.Explain(), want) {
			t.Errorf("%s: %v, want %s", command, err, want)
		}
	}
}
