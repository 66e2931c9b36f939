package config

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/slackapp"
)

// Channels are the ways by which people are told of questions that nobody looks at.
type Channels struct {
	WebPush  *WebPush  `yaml:"web_push"`
	SMTP     *SMTP     `yaml:"smtp"`
	Webhooks []Webhook `yaml:"webhooks"`
}

// WebPush are notifications of browsers and phones.
type WebPush struct {
	Subject string `yaml:"subject"` // whom push services write to: mailto:… or https://…; default public_url where that is https
	After   string `yaml:"after"`   // default 30s
}

// SMTP is a mail server.
type SMTP struct {
	Host     string        `yaml:"host"`
	Port     int           `yaml:"port"` // default 587, with tls: tls 465, with tls: none 25
	TLS      string        `yaml:"tls"`  // starttls | tls | none; default starttls
	User     string        `yaml:"user"`
	Password parley.Secret `yaml:"password"`
	From     string        `yaml:"from"`  // such as: Parley <parley@example.com>
	After    string        `yaml:"after"` // default 5m
}

// Webhook is a URL of the operator's that is told of questions.
type Webhook struct {
	Name    string        `yaml:"name"`
	URL     string        `yaml:"url"`
	Secret  parley.Secret `yaml:"secret"`  // whsec_ and the base64 of 24 to 64 bytes
	Tenants []string      `yaml:"tenants"` // default: default; "*": every tenant
	After   string        `yaml:"after"`   // default 1m
}

// Person is what the operator says about somebody.
type Person struct {
	Tenant string  `yaml:"tenant"` // default: default
	Email  string  `yaml:"email"`
	Deputy string  `yaml:"deputy"` // an approver too while the person is absent
	Absent *Absent `yaml:"absent"`
	Admin  bool    `yaml:"admin"` // manages the tenant, signed in at the hosted pages
}

// Administers reports whether somebody who is signed in manages their tenant.
func (c *Config) Administers(tenant, user string) bool {
	p, ok := c.People[user]
	return ok && p.Admin && cmp.Or(p.Tenant, parley.DefaultTenant) == tenant
}

// Absent is from the beginning of one day to the end of another.
type Absent struct {
	From string `yaml:"from"` // 2026-12-20
	To   string `yaml:"to"`
}

// parseSpan reads a time such as 30s, 12h or 3d; empty is the default.
func parseSpan(text string, usual time.Duration) (time.Duration, error) {
	if text == "" {
		return usual, nil
	}
	d, err := parseDays(text)
	if err != nil || d < 0 || d > 366*day {
		return 0, fmt.Errorf("%.40q is no time such as 30s, 12h or 3d, of 366d at most", text)
	}
	return d, nil
}

func (c *Config) subject() string {
	if c.Channels.WebPush.Subject == "" && strings.HasPrefix(c.PublicURL, "https://") {
		return c.PublicURL
	}
	return c.Channels.WebPush.Subject
}

// Notices is how people are told of questions, as notify has it: without what the
// server adds.
func (c *Config) Notices() (*notify.Options, error) {
	opts := &notify.Options{PublicURL: c.PublicURL}
	var problems []error
	bad := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	channel := func(at, name, after string, usual time.Duration) {
		d, err := parseSpan(after, usual)
		if err != nil {
			bad("%s.after: %w", at, err)
		}
		opts.Channels = append(opts.Channels, notify.Choice{Channel: name, After: d})
	}
	if p := c.Channels.WebPush; p != nil {
		opts.Push = &notify.Push{Subject: c.subject()}
		if u, err := url.Parse(opts.Push.Subject); err != nil || !slices.Contains([]string{"mailto", "https"}, u.Scheme) {
			bad("channels.web_push.subject: push services want to know whom to write to: mailto:you@example.com or an https URL")
		}
		channel("channels.web_push", notify.WebPush, p.After, 30*time.Second)
	}
	if c.Slack != nil { // where people have linked their accounts
		channel("slack", slackapp.Via, "", 30*time.Second)
	}
	for i, w := range c.Channels.Webhooks {
		at := fmt.Sprintf("channels.webhooks[%d]", i)
		if !parley.ValidName(w.Name) || strings.ContainsAny(w.Name, ":/") {
			bad("%s.name: it needs a name, without colon and slash", at)
		}
		if slices.ContainsFunc(opts.Webhooks, func(o notify.Webhook) bool { return o.Name == w.Name }) {
			bad("%s.name: %q is the name of another", at, w.Name)
		}
		if err := notify.CheckWebhookSecret(w.Secret.Reveal()); err != nil {
			bad("%s.secret: %w", at, err)
		}
		opts.Webhooks = append(opts.Webhooks, notify.Webhook{Name: w.Name, URL: w.URL, Secret: w.Secret, Tenants: w.Tenants})
		channel(at, notify.WebhookChannel(w.Name), w.After, time.Minute)
	}
	if m := c.Channels.SMTP; m != nil {
		opts.Mail = &notify.SMTP{Host: m.Host, Port: m.Port, TLS: m.TLS, User: m.User, Password: m.Password, From: m.From}
		if err := opts.Mail.Validate(); err != nil {
			bad("channels.smtp.%w", err)
		}
		channel("channels.smtp", notify.Email, m.After, 5*time.Minute)
	}
	opts.People = c.known(bad)
	slices.SortStableFunc(opts.Channels, func(a, b notify.Choice) int { return cmp.Compare(a.After, b.After) })
	return opts, joined(problems)
}

// known are the people of whom the configuration says something.
func (c *Config) known(bad func(string, ...any)) (all []notify.Known) {
	for _, name := range Keys(c.People) {
		p := c.People[name]
		at := "people." + name
		if !parley.ValidName(name) {
			bad("people: %.100q cannot be the name of a person", name)
			continue
		}
		if p.Deputy != "" && !parley.ValidName(p.Deputy) {
			bad("%s.deputy: %.100q cannot be the name of a person", at, p.Deputy)
		}
		if people, is := c.Groups[p.Deputy]; is {
			bad("%s.deputy: %.100q is a group, and a deputy is a person: name one of its people: %s", at, p.Deputy, strings.Join(people, ", "))
		}
		if p.Email != "" {
			if err := notify.CheckEmail(p.Email); err != nil {
				bad("%s.email: %w", at, err)
			}
		}
		if p.Deputy == name {
			bad("%s.deputy: nobody is their own deputy", at)
		}
		known := notify.Known{Tenant: p.Tenant, User: name, Email: p.Email, Deputy: p.Deputy}
		if p.Absent != nil {
			from, err := time.Parse(time.DateOnly, p.Absent.From)
			to, err2 := time.Parse(time.DateOnly, p.Absent.To)
			if err != nil || err2 != nil || to.Before(from) {
				bad("%s.absent: from and to are days such as 2026-12-20, the first not behind the last", at)
			}
			known.Absent = &notify.Absence{From: from, Until: to.Add(day)}
		}
		all = append(all, known)
	}
	return all
}

// joined is an error of several, nil if there is none.
func joined(problems []error) error {
	if len(problems) == 0 {
		return nil
	}
	return &several{problems}
}

type several struct{ all []error }

func (s *several) Error() string   { return fmt.Sprint(s.all) }
func (s *several) Unwrap() []error { return s.all }

// Lasts is how long questions of an agent or a server stay open; zero: the default.
func Lasts(ttl string) time.Duration {
	d, _ := parseSpan(ttl, 0) // checked
	return d
}

func (c *Config) ttlProblems(bad func(string, ...any)) {
	check := func(at, ttl string) {
		if d, err := parseSpan(ttl, time.Minute); err != nil {
			bad("%s.ttl: %w", at, err)
		} else if d < time.Second {
			bad("%s.ttl: %q is no time in which anybody could answer", at, ttl)
		}
	}
	for _, name := range Keys(c.Agents) {
		check("agents."+name, c.Agents[name].TTL)
	}
	for _, name := range Keys(c.Servers) {
		check("servers."+name, c.Servers[name].TTL)
	}
}

func (c *Config) channelProblems(bad func(string, ...any)) {
	c.ttlProblems(bad)
	if _, err := c.Notices(); err != nil {
		for _, one := range err.(*several).all {
			bad("%w", one)
		}
	}
	c.escalationProblems(bad)
}

func (c *Config) explainChannels(line func(string, ...any)) {
	opts, err := c.Notices()
	if err != nil {
		return
	}
	for _, ch := range opts.Channels {
		line("questions that nobody looks at: told by %s after %v, unless the person chooses otherwise", ch.Channel, ch.After)
	}
	if m := c.Channels.SMTP; m != nil {
		line("mail goes by %s, from %s", m.Host, m.From)
	}
	for _, k := range opts.People {
		if k.Absent != nil {
			line("%s is absent until %s; deputy: %s", k.User, k.Absent.Until.Add(-day).Format(time.DateOnly), cmp.Or(k.Deputy, "none"))
		}
	}
	for _, name := range Keys(c.People) {
		if p := c.People[name]; p.Admin {
			line("%s manages the tenant %s, signed in at the hosted pages", name, cmp.Or(p.Tenant, parley.DefaultTenant))
		}
	}
	for _, name := range Keys(c.Agents) {
		if ttl := c.Agents[name].TTL; ttl != "" {
			line("questions of agent %s stay open for %s", name, ttl)
		}
	}
	for _, name := range Keys(c.Servers) {
		if ttl := c.Servers[name].TTL; ttl != "" {
			line("questions about calls of server %s stay open for %s", name, ttl)
		}
	}
	c.explainEscalation(line)
}
