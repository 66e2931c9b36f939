package config_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

func TestLimitsHaveDefaults(t *testing.T) {
	for text, want := range map[string]config.Limits{
		"dev: true\n": {
			Connections: 10_000, ConnectionsPerAddress: 1000, Turns: 512, TurnsPerTenant: 512, TurnsPerPerson: 32, Questions: 20, QuestionsPerHour: 60, QuestionsOfAgents: 50, Streams: 200, Programs: 64, ProgramsPerPerson: 8,
			Sessions: 1000, SessionsLeft: 200, Calls: 4096, CallsPerPerson: 512, CallTime: "10m", ListTime: "15s", StopTime: "3s",
			SignIn: config.Rate{PerSecond: 20, Burst: 500}, Failures: config.Rate{PerSecond: 20, Burst: 500},
			Anonymous: config.Rate{PerSecond: 2000, Burst: 20_000}, // in development: as a person
			Person:    config.Rate{PerSecond: 2000, Burst: 20_000}, Tenant: config.Rate{PerSecond: 10_000, Burst: 100_000},
		},
		"dev: true\nlimits: {connections: -1, turns: -1, turns_per_person: 3, programs: 4, sessions: 5, sessions_left: -1, calls: -1, calls_per_person: 7, call_time: 30s, list_time: -1, stop_time: 0, body_time: 5s, idle_time: -1, sign_in: {per_second: 0.5}, failures: {burst: 7}, person: {per_second: -1}, anonymous: {per_second: 3, burst: 9}}\n": {
			Connections: -1, ConnectionsPerAddress: 1000, Turns: -1, TurnsPerTenant: 512, TurnsPerPerson: 3, Questions: 20, QuestionsPerHour: 60, QuestionsOfAgents: 50, Streams: 200, Programs: 4, ProgramsPerPerson: 8, BodyTime: "5s", IdleTime: "-1",
			Sessions: 5, SessionsLeft: -1, Calls: -1, CallsPerPerson: 7, CallTime: "30s", ListTime: "-1", StopTime: "3s",
			SignIn: config.Rate{PerSecond: 0.5, Burst: 1}, Failures: config.Rate{PerSecond: 20, Burst: 7}, Anonymous: config.Rate{PerSecond: 3, Burst: 9},
			Person: config.Rate{PerSecond: -1, Burst: 1}, Tenant: config.Rate{PerSecond: 10_000, Burst: 100_000},
		},
	} {
		c, err := config.Parse([]byte(text), env(nil))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, c.Limits); d != "" {
			t.Errorf("%s(-want +got):\n%s", text, d)
		}
	}
	c, err := config.Parse([]byte(contract), env(nil))
	if err != nil {
		t.Fatal(err)
	}
	if want := (config.Rate{PerSecond: 200, Burst: 5000}); c.Limits.Anonymous != want {
		t.Errorf("anonymous: %+v", c.Limits.Anonymous)
	}
}

func TestWrongLimitsAreNamed(t *testing.T) {
	for limits, want := range map[string]string{
		"trusted_proxies: [10.0.0.0/8, gateway]": "limits.trusted_proxies[1]",
		"trusted_proxies: ['10.0.0.1, gateway']": "limits.trusted_proxies[0]: \"gateway\" is no address",
		"trusted_proxies: ['', 10.0.0.1]":        "limits.trusted_proxies[0]",
		"trusted_proxies: [10.0.0.1, ' ,']":      "limits.trusted_proxies[1]",
		"trusted_proxies: [10.0.0.0/33]":         "limits.trusted_proxies[0]",
		"person: {per_second: 1, burst: -1}":     "limits.person.burst",
		"persons: {per_second: 1}":               "persons",
		"body_time: soon":                        "limits.body_time: \"soon\" is no duration",
		"idle_time: -5s":                         "limits.idle_time: \"-5s\" is no duration",
		"call_time: long":                        "limits.call_time: \"long\" is no duration",
		"sessions: -2":                           "limits.sessions: -2; it is 1 or more, or -1 for no limit",
		"sessions_left: -9":                      "limits.sessions_left: -9",
		"calls: -2":                              "limits.calls: -2; it is 1 or more, or -1 for no limit",
		"calls_per_person: -2":                   "limits.calls_per_person",
		"list_time: never":                       "limits.list_time: \"never\" is no duration",
		"call_time: -5s":                         "limits.call_time: \"-5s\" is no duration",
		"stop_time: -1":                          "limits.stop_time: \"-1\" is no duration such as 10s",
		"streams: -2":                            "limits.streams: -2; it is 1 or more, or -1 for no limit",
		"turns: -2":                              "limits.turns: -2; it is 1 or more, or -1 for no limit",
		"turns_per_tenant: -2":                   "limits.turns_per_tenant",
		"turns_per_person: -2":                   "limits.turns_per_person",
		"questions_of_agents: -2":                "limits.questions_of_agents",
		"programs_per_person: -7":                "limits.programs_per_person",
		"tenant: {per_second: -3}":               "limits.tenant.per_second: -3; it is more than 0, or -1 for no limit",
	} {
		_, err := config.Parse([]byte("dev: true\nlimits: {"+limits+"}\n"), env(nil))
		if !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want one that has %q", limits, err, want)
		}
	}
}

func TestLimitsAreExplained(t *testing.T) {
	c, err := config.Parse([]byte("dev: true\nlimits: {person: {per_second: -1}, sign_in: {per_second: 2, burst: 10}, streams: -1, trusted_proxies: [10.0.0.0/8, '::1']}\n"), env(nil))
	if err != nil {
		t.Fatal(err)
	}
	said := c.Explain()
	for _, want := range []string{
		"an address: sign-in 2 a second, 10 at once; refused tokens 20 a second, 500 at once;",
		"a person: no limit; any number of open streams, 1000 sessions, 8 programs. A tenant: 10000 a second, 100000 at once\n",
		"turns in progress: 512, 512 of a tenant, 32 of a person\n",
		"calls in progress: 4096, 512 of a person\n",
		"in all: 10000 connections (1000 of an address), 64 programs, 200 sessions whose clients have left\n", "a server: silent in a call for 10m0s; of an agent: 15s to list its tools\n",
		"told to stop: 3s to finish\n", "believes X-Forwarded-For of 10.0.0.0/8, ::1\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}

func TestAWrongBudgetOfHistoryIsNamed(t *testing.T) {
	_, err := config.Parse([]byte("dev: true\nmodels: {demo: {kind: demo}}\nagents: {assistant: {model: demo, history: -2}}\n"), env(nil))
	if !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), "agents.assistant.history: -2; it is 1 or more KiB, or -1") {
		t.Error(err)
	}
}

// A variable of the environment holds all proxies in one entry.
func TestAnEntryOfTrustedProxiesMayHaveSeveral(t *testing.T) {
	for _, text := range []string{"10.0.0.1,10.0.0.2", "10.0.0.1 10.0.0.2", "10.0.0.1, 10.0.0.2"} {
		c, err := config.Parse([]byte("dev: true\nlimits: {trusted_proxies: [\"${PROXIES}\", '::1']}\n"), env(map[string]string{"PROXIES": text}))
		if err != nil {
			t.Fatal(err)
		}
		if all, err := c.Limits.Proxies(); err != nil || fmt.Sprint(all) != "[10.0.0.1/32 10.0.0.2/32 ::1/128]" {
			t.Errorf("%s: %v, %v", text, all, err)
		}
	}
}
