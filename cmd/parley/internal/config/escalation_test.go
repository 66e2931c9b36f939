package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

// escalating is a configuration whose one rule, on line 5, has these servers and this end.
func escalating(servers, rule string) string {
	return "dev: true\ngroups: {oncall: [dora, emil]}\nservers: {" + servers + "}\nrules:\n" +
		"  - {name: money, approvers: \"1 of [alice, carol]\", escalate: [{after: 4h, to: dave}, {after: 2d, to: oncall}]" + rule + "}\n"
}

// A step after the question is closed would never be taken.
func TestAnEscalationThatWouldNeverHappenIsRefused(t *testing.T) {
	const bank, slow = "bank: {url: https://bank.example/mcp}", "slow: {url: https://slow.example/mcp, ttl: 3d}"
	const never = `line 5: rules[0].escalate[0].after: the rule "money": the question is closed after 10m (the default), before dave is asked after 4h: give the rule a ttl, such as 3d`
	for _, one := range []struct{ servers, rule, want string }{
		{bank, "", never},
		{"", "", never},
		{bank, ", ttl: 1h", `closed after 1h (the rule's ttl), before dave is asked after 4h`},
		{bank, ", ttl: 4h", `closed after 4h (the rule's ttl), before dave`},
		{bank, ", ttl: 1d", `rules[0].escalate[1].after: the rule "money": the question is closed after 1d (the rule's ttl), before oncall is asked after 2d: give the rule a ttl, such as 3d`},
		{bank, ", ttl: 3d", ""},
		{slow, "", ""},
		{slow, ", ttl: 90m", "closed after 1h30m (the rule's ttl)"},
		{bank + ", " + slow, "", never},
		{bank + ", " + slow, ", server: slow", ""},
		{strings.Replace(slow, "3d", "5h", 1), "", "closed after 5h (servers.slow.ttl), before oncall"},
	} {
		_, err := config.Parse([]byte(escalating(one.servers, one.rule)), env(nil))
		if (err == nil) != (one.want == "") || err != nil && !strings.Contains(err.Error(), one.want) {
			t.Errorf("servers %q, rule %q: %v, want %q", one.servers, one.rule, err, one.want)
		}
	}
}

// The default that is told is the hub's.
func TestTheDefaultThatIsToldIsTheHubs(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	before := time.Now()
	r, err := hub.Open(t.Context(), parley.Request{To: "alice", Message: "?"})
	if err != nil {
		t.Fatal(err)
	}
	if lasts := r.Expires.Sub(before).Round(time.Minute); lasts != 10*time.Minute {
		t.Errorf("questions are open for %v", lasts)
	}
}

func TestAGroupIsNoApprover(t *testing.T) {
	for name, people := range map[string]string{"oncall": "dora, emil", "group:oncall": "dora, emil", "group:nobody": "bob, carol"} {
		_, err := config.Parse([]byte(strings.Replace(escalating("", ", ttl: 3d"), "alice, carol", "alice, "+name, 1)), env(nil))
		want := `line 5: rules[0].approvers: the rule "money": "` + name + `" is a group, and approvers are people: groups are for escalate and may_ask. List the people instead: ` + people
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatARulesQuestionIsLikeIsExplained(t *testing.T) {
	c, err := config.Parse([]byte(escalating("", ", ttl: 72h, choices: [allow_once, deny]")), env(nil))
	if err != nil {
		t.Fatal(err)
	}
	if said, want := c.Explain(), "by 1 of [alice, carol]; open for 3d (the rule's ttl); who is asked may say allow_once, deny\n"; !strings.Contains(said, want) {
		t.Errorf("%q is not in\n%s", want, said)
	}
}

// Whoever is asked can deny, and of several approvers nobody can do more than allow.
func TestWhatMayBeSaidIsWhatIsOffered(t *testing.T) {
	for rule, want := range map[string]string{
		"approve: always, choices: [allow_once]":                                       "allow_once, deny",
		"approve: always, choices: [allow_once, changed, always_allow]":                "allow_once, changed, always_allow, deny",
		"approvers: '2 of [bob, carol]', choices: [allow_once, changed, always_allow]": "allow_once, deny",
		"approvers: '1 of [bob, carol]', choices: [allow_once, changed, always_allow]": "allow_once, deny, changed",
		"approvers: '1 of [bob, carol]', choices: [allow_once]":                        "allow_once, deny",
	} {
		c, err := config.Parse([]byte(strings.Replace(escalating("", ", ttl: 3d"), "rules:", "rules:\n  - {name: choices, "+rule+"}", 1)), env(nil))
		if err != nil {
			t.Fatal(err)
		}
		if said := c.Explain(); !strings.Contains(said, "; who is asked may say "+want+"\n") {
			t.Errorf("%s: no %q in\n%s", rule, want, said)
		}
	}
}

func TestChoicesAreNotEmpty(t *testing.T) {
	for choices, want := range map[string]string{
		"[]":              `rules[0].choices: the rule "money": name what may be said`,
		"[changed, deny]": "changed alone is not enough",
		"[deny]":          "to forbid it, say approve: refuse",
	} {
		if _, err := config.Parse([]byte(escalating("", ", ttl: 3d, choices: "+choices)), env(nil)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", choices, err)
		}
	}
}

func TestAStepThatAsksNobodyNewIsWarnedOf(t *testing.T) {
	for steps, want := range map[string]string{
		"{after: 1m, to: oncall}":                         "rules[0].escalate[0].to: everybody of oncall is asked before",
		"{after: 1m, to: bob}":                            "rules[0].escalate[0].to: everybody of bob is asked before",
		"{after: 1m, to: dora}, {after: 2m, to: dora}":    "rules[0].escalate[1].to: everybody of dora is asked before",
		"{after: 1m, to: desk}":                           "",
		"{after: 1m, to: dora}, {after: 2m, to: oncall2}": "",
	} {
		c, err := config.Parse([]byte("dev: true\ngroups: {oncall: [alice, bob], desk: [bob, dora], oncall2: [dora, emil]}\nrules: [{name: a, approvers: \"1 of [alice, bob]\", escalate: ["+steps+"]}]\n"), nothing)
		if err != nil {
			t.Fatalf("%s: %v", steps, err)
		}
		if said := c.Explain(); !strings.Contains(said, want) || (want == "") == strings.Contains(said, "is asked before") {
			t.Errorf("%s: %q is not in\n%s", steps, want, said)
		}
	}
}
