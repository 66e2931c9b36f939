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

func TestANameThatIsAlmostThereIsAskedFor(t *testing.T) {
	const (
		acme  = "providers: {acme: {auth_url: https://a.example/a, token_url: https://a.example/t, client_id: x}}\n"
		drive = acme + "services: {drive: {provider: acme}}\n"
		shop  = "servers: {shop: {url: https://shop.example/mcp}}\n"
		main  = "models: {main: {kind: demo}, other: {kind: demo}}\n"
	)
	for text, want := range map[string]string{
		main + "agents: {a: {model: mian}}":                                                                                          `agents.a.model: there is no model "mian"; did you mean main?`,
		main + "agents: {a: {model: gpt-x}}":                                                                                         `agents.a.model: there is no model "gpt-x"; models has main, other`,
		main + "agents: {a: {instructions: Help.}}":                                                                                  `agents.a.model: it is missing; models has main, other`,
		"agents: {a: {instructions: Help.}}":                                                                                         `agents.a.model: it is missing; models names none`,
		main + shop + "agents: {a: {model: main, servers: [shp]}}":                                                                   `agents.a.servers: there is no server "shp"; did you mean shop?`,
		shop + "gateway: {servers: [shpo]}":                                                                                          `gateway.servers: there is no server "shpo"; did you mean shop?`,
		main + "agents: {clerk: {model: main}, b: {model: main, delegates: [clrek]}}":                                                `agents.b.delegates: there is no agent "clrek"; did you mean clerk?`,
		acme + "services: {drive: {provider: acne}}":                                                                                 `services.drive.provider: there is no provider "acne"; did you mean acme?`,
		acme + "servers: {x: {url: https://x.example, auth: {type: oauth2, provider: acmee}}}":                                       `servers.x.auth.provider: there is no provider "acmee"; did you mean acme?`,
		drive + "servers: {x: {url: https://x.example, auth: {type: oauth2, service: drvie}}}":                                       `servers.x.auth.service: there is no service "drvie"; did you mean drive?`,
		shop + "groups: {oncall: [a]}\ngateway: {ask: {groups: [onkall]}}":                                                           `gateway.ask.groups[0]: there is no group "onkall" in groups; did you mean oncall?`,
		main + "agents: {clerk: {model: main}}\nslack: {bot_token: xoxb-1, signing_secret: s, agent: clrk, channels: {C0123: clek}}": `slack.agent: there is no agent "clrk"; did you mean clerk?`,
	} {
		_, err := config.Parse([]byte("dev: true\n"+text+"\n"), nothing)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v\nwant\n%s", text, err, want)
		}
	}
}

// What else is wrong with it follows from that, and would be read as the cause.
func TestAVariableThatIsNotSetIsTheOnlyThingThatIsSaidOfItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"auth: {api_keys: [{name: ci, sha256: \"${DIGEST}\"}]}":                                    "line 2: auth.api_keys[0].sha256: the environment has no DIGEST",
		"auth: {api_keys: [{name: ci, sha256: \"${DIGEST}\"}, {name: cd, sha256: \"${DIGEST}\"}]}": "line 2: auth.api_keys[0].sha256: the environment has no DIGEST\nline 2: auth.api_keys[1].sha256: the environment has no DIGEST",
		"auth: {jwt: {issuer: \"${ISSUER}\", audience: a, hmac_key: \"${KEY}\"}}":                  "line 2: auth.jwt.issuer: the environment has no ISSUER\nline 2: auth.jwt.hmac_key: the environment has no KEY",
		"providers: {acme: {auth_url: https://a.example, token_url: \"${AT}\", client_id: x}}":     "line 2: providers.acme.token_url: the environment has no AT",
		"servers: {shop: {url: \"${AT}\"}}":                                                        "line 2: servers.shop.url: the environment has no AT",
		"store: \"${STORE}\"":                                                                      "line 2: store: the environment has no STORE",
	} {
		_, err := config.Parse([]byte("dev: true\n"+text+"\n"), nothing)
		if err == nil || strings.TrimLeft(strings.TrimPrefix(err.Error(), "invalid configuration:"), " \n") != want {
			t.Errorf("%s\n%v\nwant\n%s", text, err, want)
		}
	}
}
