package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/notify"
)

const told = `dev: true
channels:
  web_push: {subject: "mailto:ops@example.com"}
  smtp: {host: mail.example.com, from: "Parley <parley@example.com>", after: 1h}
  webhooks:
    - {name: ops, url: "https://ops.example/hook", secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="}
groups: {oncall: [dora, emil]}
people:
  alice: {email: alice@example.com, deputy: bob, absent: {from: 2026-12-20, to: 2027-01-06}, admin: true}
models: {default: {kind: demo}}
servers: {tracker: {url: "https://tracker.example/mcp", ttl: 3d}}
agents: {assistant: {model: default, ttl: 12h}}
rules:
  - name: money
    tool: transfer
    approvers: 1 of [alice, carol]
    escalate: [{after: 4h, to: carla}, {after: 2d, to: oncall}]
`

func TestChannelsAreReadAndExplained(t *testing.T) {
	c, err := config.Parse([]byte(told), env(nil))
	if err != nil {
		t.Fatal(err)
	}
	opts, err := c.Notices()
	if err != nil {
		t.Fatal(err)
	}
	want := []notify.Choice{{Channel: "web_push", After: 30 * time.Second}, {Channel: "webhook:ops", After: time.Minute}, {Channel: "email", After: time.Hour}}
	if len(opts.Channels) != 3 || opts.Channels[0] != want[0] || opts.Channels[1] != want[1] || opts.Channels[2] != want[2] {
		t.Errorf("%+v", opts.Channels)
	}
	stages, first := c.Escalates("money")
	if len(stages) != 2 || stages[1].After != 48*time.Hour || strings.Join(stages[1].To, " ") != "dora emil" || first.Need != 1 {
		t.Errorf("%+v, %v", stages, first)
	}
	said := c.Explain()
	for _, want := range []string{"told by web_push after 30s", "told by email after 1h0m0s", "mail goes by mail.example.com", "alice is absent until 2027-01-06; deputy: bob", "after 4h the person carla is asked too", "after 2d the group oncall is asked too: dora, emil", "by 1 of [alice, carol]; open for 3d (servers.tracker.ttl)",
		"alice manages the tenant default, signed in at the hosted pages", "questions of agent assistant stay open for 12h", "questions about calls of server tracker stay open for 3d"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	if strings.Contains(said, "whsec_") {
		t.Error("a secret is explained")
	}
}

func TestAMistakeInChannelsIsNamedWithItsLine(t *testing.T) {
	for _, one := range []struct{ old, wrong, want string }{
		{`subject: "mailto:ops@example.com"`, "", "line 3: channels.web_push.subject"},
		{"host: mail.example.com, ", "", "line 4: channels.smtp.host"},
		{"after: 1h", "after: soon", "line 4: channels.smtp.after"},
		{`from: "Parley <parley@example.com>"`, "from: nobody", "line 4: channels.smtp.from"},
		{"whsec_MDEy", "wh", "line 6: channels.webhooks[0].secret"},
		{"https://ops.example/hook", "ops", "line 6: channels.webhooks[0].url"},
		{"email: alice@example.com", "email: alice", "line 9: people.alice.email"},
		{"deputy: bob", "deputy: alice", "line 9: people.alice.deputy"},
		{"to: 2027-01-06", "to: 2020-01-06", "line 9: people.alice.absent"},
		{"oncall: [dora, emil]", "oncall: []", "line 7: groups.oncall"},
		{"    approvers: 1 of [alice, carol]\n", "    approve: always\n", "rules[0].escalate"},
		{"after: 2d", "after: 1h", "rules[0].escalate[1].after"},
		{"to: carla", `to: ""`, "rules[0].escalate[0].to"},
		{"ttl: 3d", "ttl: long", "line 11: servers.tracker.ttl"},
		{"ttl: 12h", "ttl: 1ms", "line 12: agents.assistant.ttl"},
		{"web_push", "webpush", "did you mean web_push?"},
	} {
		if _, err := config.Parse([]byte(strings.Replace(told, one.old, one.wrong, 1)), env(nil)); err == nil || !strings.Contains(err.Error(), one.want) {
			t.Errorf("%q: %v", one.wrong, err)
		}
	}
}
