package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

const askers = `dev: true
groups: {oncall: [alice, bob]}
auth:
  api_keys:
    - {name: ci, sha256: 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae, may_ask: [alice, "group:oncall"], webhook_secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw}
    - {name: ops, sha256: 3c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae}
gateway: {ask: {people: [me, bob], groups: [oncall]}}
`

func TestWhoMayAskWhomIsExplained(t *testing.T) {
	c, err := config.Parse([]byte(askers), env(nil))
	if err != nil {
		t.Fatal(err)
	}
	if keys := c.Auth.APIKeys; keys[0].Manages() || !keys[1].Manages() {
		t.Error("a key that asks manages nothing, unless it says so")
	}
	for _, want := range []string{
		"group oncall: alice, bob\n", "program ci may ask alice, group:oncall, and may be called back\n",
		"assistants at the gateway may ask people [me bob], groups [oncall]\n", "a program: 20 questions open for one person, 60 an hour\n",
	} {
		if said := c.Explain(); !strings.Contains(said, want) || strings.Contains(said, "whsec") {
			t.Errorf("%q is not in:\n%s", want, said)
		}
	}
}

// An empty list is a list: who asks nobody is not made an administrator by it.
func TestAKeyWhoseListOfPeopleIsEmptyManagesNothing(t *testing.T) {
	for says, want := range map[string]bool{"": true, ", may_ask: []": false, ", may_ask: [], manage: true": true, ", may_ask: [], manage: false": false, ", manage: false": false, ", may_ask: [alice]": false} {
		c, err := config.Parse([]byte("dev: true\nauth: {api_keys: [{name: ci, tenant: acme, sha256: "+strings.Repeat("0a", 32)+says+"}]}\n"), nothing)
		if err != nil {
			t.Fatalf("%s: %v", says, err)
		}
		if got := c.Auth.APIKeys[0].Manages(); got != want {
			t.Errorf("%q: it manages: %t", says, got)
		}
		line := "a program comes in by its key: ci, of the tenant acme, which it " + map[bool]string{true: "manages", false: "does not manage"}[want] + "\n"
		if said := c.Explain(); !strings.Contains(said, line) {
			t.Errorf("%q: without %q:\n%s", says, line, said)
		}
	}
	const two = "dev: true\nauth: {api_keys: [{name: ci, sha256: 1a%s, may_ask: []}, {name: ci, sha256: 1b%[1]s}, {name: ci, tenant: acme, sha256: 1c%[1]s, may_ask: []}]}\n"
	c, err := config.Parse(fmt.Appendf(nil, two, strings.Repeat("00", 31)), nothing)
	if err != nil {
		t.Fatal(err)
	}
	said := c.Explain()
	if strings.Count(said, "ci, of the tenant default, which it manages\n") != 2 || !strings.Contains(said, "ci, of the tenant acme, which it does not manage\n") {
		t.Errorf("keys of one program:\n%s", said)
	}
	for _, text := range []string{"may_ask: ", "may_ask: null"} { // such as where all that followed became comments
		_, err := config.Parse([]byte("dev: true\nauth:\n  api_keys:\n    - name: ci\n      sha256: "+strings.Repeat("0a", 32)+"\n      "+text+"\n"), nothing)
		if err == nil || !strings.Contains(err.Error(), "line 6: auth.api_keys[0].may_ask: nobody is named: write []") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWhatIsWrongWithAskingIsNamed(t *testing.T) {
	for name, one := range map[string]struct{ old, new, want string }{
		"a group that is not there": {`"group:oncall"`, `"group:night"`, "auth.api_keys[0].may_ask[1]: there is no group"},
		"a group that is almost":    {`"group:oncall"`, `"group:onkall"`, `auth.api_keys[0].may_ask[1]: there is no group "onkall" in groups; did you mean oncall?`},
		"a group as a person":       {`"group:oncall"`, `oncall`, `auth.api_keys[0].may_ask[1]: "oncall" is a group: write "group:oncall"`},
		"an assistant's person":     {"people: [me, bob]", "people: [me, oncall]", `gateway.ask.people[1]: "oncall" is a group: write groups: [oncall]`},
		"a group as a deputy":       {"dev: true", "dev: true\npeople: {alice: {deputy: oncall}}", `people.alice.deputy: "oncall" is a group, and a deputy is a person: name one of its people: alice, bob`},
		"nobody's name":             {"may_ask: [alice", `may_ask: [""`, "auth.api_keys[0].may_ask[0]"},
		"a key without a name":      {"{name: ci, ", "{", "auth.api_keys[0].name: people are shown who asks"},
		"no secret":                 {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "hush", "auth.api_keys[0].webhook_secret"},
		"an empty group":            {"[alice, bob]}", "[]}", "groups.oncall: it has 0 people"},
		"a group with a program":    {"[alice, bob]}", `["parley-program:x"]}`, "groups.oncall[0]"},
		"an assistant's group":      {"groups: [oncall]", "groups: [night]", "gateway.ask.groups[0]"},
		"an assistant asks nobody":  {"{people: [me, bob], groups: [oncall]}", "{}", "gateway.ask: it names nobody"},
		"a limit":                   {"dev: true", "dev: true\nlimits: {questions: -2}", "limits.questions"},
		"a key that is not known":   {"may_ask:", "may_ak:", "may_ak"},
	} {
		text := strings.Replace(askers, one.old, one.new, 1)
		if _, err := config.Parse([]byte(text), env(nil)); err == nil || !strings.Contains(err.Error(), one.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNoServerIsCalledAsTheProductNorMisread(t *testing.T) {
	for text, want := range map[string]string{
		"servers: {parley: {url: https://x.example/mcp}}":                  "servers.parley: name: parley is this program's own",
		"servers: {Parley__x: {url: https://x.example/mcp}}":               "servers.Parley__x: name: ",
		"servers: {x: {url: https://x.example/mcp, title: \"a\\u202Eb\"}}": "servers.x.title: ",
		"servers: {x: {url: https://x.example/mcp, title: \"x] [Bank\"}}":  "servers.x.title: it has brackets",
	} {
		if _, err := config.Parse([]byte("dev: true\n"+text), env(nil)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAPersonWhoIsAlmostAGroupIsWarnedOf(t *testing.T) {
	const key = "auth: {api_keys: [{name: ci, sha256: 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae, may_ask: ["
	const person = ` is taken for a person, and there is a group oncall: if that is meant, `
	for text, want := range map[string]string{
		"rules: [{name: a, approvers: \"1 of [bob]\", escalate: [{after: 1m, to: onkall}]}]": `rules[0].escalate[0].to: "onkall"` + person + "write oncall",
		"rules: [{name: a, approvers: \"1 of [bob]\", escalate: [{after: 1m, to: oncall}]}]": "",
		"rules: [{name: a, approvers: \"1 of [bob, oncal]\"}]":                               `rules[0].approvers: "oncal"` + person + "name one of its people",
		key + "alice, oncal]}]}":                   `auth.api_keys[0].may_ask[1]: "oncal"` + person + `write "group:oncall"`,
		key + "alice, \"group:oncall\", \"*\"]}]}": "",
		"servers: {x: {url: https://x.example/mcp}}\ngateway: {ask: {people: [onccall, me]}}": `gateway.ask.people[0]: "onccall"` + person + "write groups: [oncall]",
		"people: {alice: {deputy: on-call}}":                                                  `people.alice.deputy: "on-call"` + person + "name one of its people",
		"people: {alice: {deputy: onca}, onca: {email: a@a.example}}":                         "",
		"people: {bob: {deputy: encall}}":                                                     "",
	} {
		c, err := config.Parse([]byte("dev: true\ngroups: {oncall: [dora, emil], me2: [encall]}\n"+text+"\n"), nothing)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if said := c.Explain(); !strings.Contains(said, want) || (want == "") == strings.Contains(said, "taken for a person") {
			t.Errorf("%s: %q is not in\n%s", text, want, said)
		}
	}
}
