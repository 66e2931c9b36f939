package config

import (
	"cmp"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/parley-hq/parley/limit"
)

// Limits is what those may take who send requests. Zero means the default,
// negative no limit.
type Limits struct {
	TrustedProxies []string `yaml:"trusted_proxies"` // addresses and networks whose X-Forwarded-For is believed

	Connections           int      `yaml:"connections"`             // open at once; default 10,000
	ConnectionsPerAddress int      `yaml:"connections_per_address"` // default 1,000
	HeaderTime            Duration `yaml:"header_time"`             // to send a request's header; default 10s
	BodyTime              Duration `yaml:"body_time"`               // to send its body; default 1m
	IdleTime              Duration `yaml:"idle_time"`               // between requests; default 2m
	WriteTime             Duration `yaml:"write_time"`              // to read 64 KiB of an answer; default 30s

	SignIn    Rate `yaml:"sign_in"`   // of an address, at /login and below it; default 20 a second, 500 at once
	Failures  Rate `yaml:"failures"`  // of an address, with a token that is refused; default 20 a second, 500 at once
	Anonymous Rate `yaml:"anonymous"` // of an address, without a credential; default 200 a second, 5,000 at once; with dev as person
	Person    Rate `yaml:"person"`    // of a person or program; default 2,000 a second, 20,000 at once
	Tenant    Rate `yaml:"tenant"`    // of everybody in a tenant; default 10,000 a second, 100,000 at once

	Turns          int `yaml:"turns"`            // of conversations, in progress at once; default 512
	TurnsPerTenant int `yaml:"turns_per_tenant"` // default 512
	TurnsPerPerson int `yaml:"turns_per_person"` // default 32

	Questions         int `yaml:"questions"`           // of a program, open at once for one person; default 20
	QuestionsPerHour  int `yaml:"questions_per_hour"`  // of a program to one person, at one node; default 60
	QuestionsOfAgents int `yaml:"questions_of_agents"` // of agents that programs call, open at once for one person; default 50

	Streams           int `yaml:"streams"`             // of a person, open at once; default 200
	Programs          int `yaml:"programs"`            // servers with a command, running at once; default 64
	ProgramsPerPerson int `yaml:"programs_per_person"` // default 8

	Sessions       int      `yaml:"sessions"`         // of a person with MCP up to 2025-11-25, at once; default 1,000
	SessionsLeft   int      `yaml:"sessions_left"`    // of all, that go on with a call although their clients have left; default 200
	Calls          int      `yaml:"calls"`            // in progress at once, tasks among them; default 4,096
	CallsPerPerson int      `yaml:"calls_per_person"` // default 512
	CallTime       Duration `yaml:"call_time"`        // that a server may be silent in a call, while it asks nobody; default 10m
	ListTime       Duration `yaml:"list_time"`        // for a server of an agent to list its tools; default 15s
	DrainTime      Duration `yaml:"drain_time"`       // that a server which was told to stop goes on as before, but for /readyz; default none
	StopTime       Duration `yaml:"stop_time"`        // to finish what is under way then; default 3s
}

// Duration is such as 30s; -1 is no limit.
type Duration string

func (d Duration) parse() (time.Duration, error) {
	switch d {
	case "":
		return 0, nil
	case "-1":
		return -1, nil
	}
	return parseDays(string(d))
}

func (d *Duration) fill(standard Duration) {
	if value, err := d.parse(); err == nil && value == 0 {
		*d = standard
	}
}

func (d Duration) limit() time.Duration {
	value, _ := d.parse() // checked
	return value
}

// Rate is how often something may happen.
type Rate struct {
	PerSecond float64 `yaml:"per_second"`
	Burst     int     `yaml:"burst"` // default: that of per_second's default, or one second's worth
}

func (c *Config) fillLimits() {
	l := &c.Limits
	l.SignIn.fill(20, 500)
	l.Failures.fill(20, 500)
	l.Person.fill(2000, 20_000)
	if c.Dev { // whoever has no token is the person who develops
		l.Anonymous.fill(l.Person.PerSecond, l.Person.Burst)
	}
	l.Anonymous.fill(200, 5000)
	l.Tenant.fill(10_000, 100_000)
	l.Connections = cmp.Or(l.Connections, 10_000)
	l.ConnectionsPerAddress = cmp.Or(l.ConnectionsPerAddress, 1000)
	l.Turns = cmp.Or(l.Turns, 512)
	l.TurnsPerTenant = cmp.Or(l.TurnsPerTenant, 512)
	l.TurnsPerPerson = cmp.Or(l.TurnsPerPerson, 32)
	l.Questions = cmp.Or(l.Questions, 20)
	l.QuestionsPerHour = cmp.Or(l.QuestionsPerHour, 60)
	l.QuestionsOfAgents = cmp.Or(l.QuestionsOfAgents, 50)
	l.Streams = cmp.Or(l.Streams, 200)
	l.Programs = cmp.Or(l.Programs, 64)
	l.ProgramsPerPerson = cmp.Or(l.ProgramsPerPerson, 8)
	l.Sessions = cmp.Or(l.Sessions, 1000)
	l.SessionsLeft = cmp.Or(l.SessionsLeft, 200)
	l.Calls = cmp.Or(l.Calls, 4096)
	l.CallsPerPerson = cmp.Or(l.CallsPerPerson, 512)
	l.CallTime.fill("10m")
	l.ListTime.fill("15s")
	l.StopTime.fill("3s")
}

func (r *Rate) fill(perSecond float64, burst int) {
	if r.PerSecond == 0 {
		r.PerSecond = perSecond
		r.Burst = cmp.Or(r.Burst, burst)
	}
	r.Burst = cmp.Or(r.Burst, max(1, int(r.PerSecond)))
}

// Limit is the rate as it is enforced.
func (r Rate) Limit() limit.Rate { return limit.Rate{PerSecond: max(0, r.PerSecond), Burst: r.Burst} }

func (r Rate) String() string {
	if r.PerSecond < 0 {
		return "no limit"
	}
	return fmt.Sprintf("%g a second, %d at once", r.PerSecond, r.Burst)
}

// Call is how long a server may be silent in a call, while it asks nobody;
// negative: for ever.
func (l Limits) Call() time.Duration { return l.CallTime.limit() }

// List is how long a server of an agent may take to list its tools; negative: for
// ever.
func (l Limits) List() time.Duration { return l.ListTime.limit() }

// Drain is how long a server that was told to stop goes on, so that proxies learn of it.
func (l Limits) Drain() time.Duration { return l.DrainTime.limit() }

// Stop is how long what is under way may take to finish when the server is told to
// stop.
func (l Limits) Stop() time.Duration { return l.StopTime.limit() }

// Web is the bounds of the listener.
func (l Limits) Web() limit.Web {
	trusted, _ := l.Proxies() // checked
	return limit.Web{
		Header: l.HeaderTime.limit(), Body: l.BodyTime.limit(), Idle: l.IdleTime.limit(), Write: l.WriteTime.limit(),
		Connections: l.Connections, PerAddress: l.ConnectionsPerAddress, Trusted: trusted,
	}
}

// Proxies are the networks whose X-Forwarded-For is believed.
func (l Limits) Proxies() (all []netip.Prefix, err error) {
	for i, text := range l.TrustedProxies {
		some, wrong := networks(text)
		if len(some) == 0 || wrong != "" {
			return nil, fmt.Errorf("limits.trusted_proxies[%d]: %.60q is no address and no network such as 10.0.0.0/8", i, wrong)
		}
		all = append(all, some...)
	}
	return all, nil
}

// networks are those of an entry, which may be several, between commas or spaces: a
// variable can hold all of them. wrong is the first that is none.
func networks(text string) (all []netip.Prefix, wrong string) {
	for _, one := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		at, err := netip.ParseAddr(one)
		if err == nil {
			all = append(all, netip.PrefixFrom(at, at.BitLen()))
			continue
		}
		network, err := netip.ParsePrefix(one)
		if err != nil {
			return nil, one
		}
		all = append(all, network.Masked())
	}
	return all, ""
}

func (c *Config) limitProblems(bad func(string, ...any)) {
	if _, err := c.Limits.Proxies(); err != nil {
		bad("%w", err)
	}
	for _, one := range []struct {
		name string
		time Duration
	}{
		{"header_time", c.Limits.HeaderTime}, {"body_time", c.Limits.BodyTime}, {"idle_time", c.Limits.IdleTime}, {"write_time", c.Limits.WriteTime},
		{"list_time", c.Limits.ListTime}, {"call_time", c.Limits.CallTime},
	} {
		if d, err := one.time.parse(); err != nil || d < 0 && one.time != "-1" {
			bad("limits.%s: %.40q is no duration such as 30s, nor -1 for no limit", one.name, one.time)
		}
	}
	for name, one := range map[string]Duration{"stop_time": c.Limits.StopTime, "drain_time": c.Limits.DrainTime} {
		if d, err := one.parse(); err != nil || d < 0 {
			bad("limits.%s: %.40q is no duration such as 10s", name, one)
		}
	}
	for _, one := range []struct {
		name string
		n    int
	}{
		{"connections", c.Limits.Connections}, {"connections_per_address", c.Limits.ConnectionsPerAddress}, {"streams", c.Limits.Streams},
		{"turns", c.Limits.Turns}, {"turns_per_tenant", c.Limits.TurnsPerTenant}, {"turns_per_person", c.Limits.TurnsPerPerson}, {"questions", c.Limits.Questions},
		{"questions_per_hour", c.Limits.QuestionsPerHour}, {"questions_of_agents", c.Limits.QuestionsOfAgents},
		{"programs", c.Limits.Programs}, {"programs_per_person", c.Limits.ProgramsPerPerson},
		{"sessions", c.Limits.Sessions}, {"sessions_left", c.Limits.SessionsLeft},
		{"calls", c.Limits.Calls}, {"calls_per_person", c.Limits.CallsPerPerson},
	} {
		if one.n < -1 {
			bad("limits.%s: %d; it is 1 or more, or -1 for no limit", one.name, one.n)
		}
	}
	for _, one := range []struct {
		name string
		rate Rate
	}{
		{"sign_in", c.Limits.SignIn}, {"failures", c.Limits.Failures}, {"anonymous", c.Limits.Anonymous},
		{"person", c.Limits.Person}, {"tenant", c.Limits.Tenant},
	} {
		if !c.written.has("limits." + one.name) {
			continue // it is the default, or with dev that of person
		}
		if one.rate.PerSecond < 0 && one.rate.PerSecond != -1 {
			bad("limits.%s.per_second: %g; it is more than 0, or -1 for no limit", one.name, one.rate.PerSecond)
		}
		if one.rate.Burst < 0 {
			bad("limits.%s.burst: %d; it is 1 or more. For no limit set per_second: -1", one.name, one.rate.Burst)
		}
	}
}

// explain says what the limits are.
func (l Limits) explain(line func(string, ...any)) {
	line("an address: sign-in %s; refused tokens %s; without a token %s", l.SignIn, l.Failures, l.Anonymous)
	line("a person: %s; %s open streams, %s sessions, %s programs. A tenant: %s", l.Person, count(l.Streams), count(l.Sessions), count(l.ProgramsPerPerson), l.Tenant)
	line("turns in progress: %s, %s of a tenant, %s of a person", count(l.Turns), count(l.TurnsPerTenant), count(l.TurnsPerPerson))
	line("calls in progress: %s, %s of a person", count(l.Calls), count(l.CallsPerPerson))
	line("a program: %s questions open for one person, %s an hour", count(l.Questions), count(l.QuestionsPerHour))
	line("agents that programs call: %s questions open for one person", count(l.QuestionsOfAgents))
	line("in all: %s connections (%s of an address), %s programs, %s sessions whose clients have left", count(l.Connections), count(l.ConnectionsPerAddress), count(l.Programs), count(l.SessionsLeft))
	line("a server: silent in a call for %s; of an agent: %s to list its tools", span(l.Call()), span(l.List()))
	if l.Drain() > 0 {
		line("told to stop: not ready, and %s as before", span(l.Drain()))
	}
	line("told to stop: %s to finish", span(l.Stop()))
	if len(l.TrustedProxies) > 0 {
		line("believes X-Forwarded-For of %s", strings.Join(l.TrustedProxies, ", "))
	}
}

func span(d time.Duration) string {
	if d < 0 {
		return "any time"
	}
	return d.String()
}

func count(n int) string {
	if n < 0 {
		return "any number of"
	}
	return fmt.Sprint(n)
}
