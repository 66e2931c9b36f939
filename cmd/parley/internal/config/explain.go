package config

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/parley-hq/parley/internal/userinfo"
	"github.com/parley-hq/parley/vault"
)

// Explain says what a configuration means, without its secrets.
func (c *Config) Explain() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("listens on %s; people reach it at %s", c.Listen, c.PublicURL)
	if c.TLS != nil {
		line("speaks https itself, with the certificate in %s; a renewed one is taken up without a restart", c.TLS.Cert)
	}
	line("keeps its data in %s%s", withoutSecrets(c.Store), c.explainSpace())
	switch {
	case c.Auth.OIDC != nil:
		line("people sign in at %s", withoutSecrets(c.Auth.OIDC.Issuer))
	case c.Auth.Verifier != nil:
		line("people are signed in by %s", withoutSecrets(c.Auth.Verifier.URL))
	case !c.Dev:
		line("nobody can sign in at the hosted pages: neither auth.oidc nor auth.verifier is there. Questions are answered where they are asked")
	default:
		line("development: anybody on this machine signs in as anybody")
	}
	if c.Auth.JWT != nil {
		line("believes tokens of %s for %s", issuerName(c.Auth.JWT.Issuer), c.Auth.JWT.Audience)
	}
	c.explainPeople(line)
	for i, key := range c.Auth.APIKeys {
		manages := "which it manages"
		if !c.manages(key) {
			manages = "which it does not manage"
		}
		line("a program comes in by its key: %s, of the tenant %s, %s", cmp.Or(key.Name, fmt.Sprintf("auth.api_keys[%d], which has no name", i)), cmp.Or(key.Tenant, "default"), manages)
	}
	c.explainAsking(line)
	for _, name := range Keys(c.Models) {
		line("%s", explainModel(name, c.Models[name]))
	}
	for _, name := range Keys(c.Providers) {
		p := c.Providers[name]
		explainLent(line, "provider "+name, p.Tenants, p.AllowedScopes, p.Scopes)
	}
	for _, name := range Keys(c.Services) {
		s := c.Services[name]
		explainLent(line, "service "+name, s.Tenants, s.AllowedScopes, s.Scopes)
	}
	for _, name := range Keys(c.Servers) {
		s := c.Servers[name]
		where := withoutSecrets(s.URL)
		if len(s.Command) > 0 {
			where = "the program " + s.Command[0]
			switch n := len(s.Command) - 1; {
			case n == 1:
				where += " with 1 argument" // it may be a key
			case n > 1:
				where += fmt.Sprintf(" with %d arguments", n)
			}
		}
		signed := ""
		if s.Sign != "" {
			signed = "; sign: " + s.Sign + ", to connect an account"
		}
		line("server %s: %s; credential: %s; approvals: %s%s", name, where, explainCredential(s.Auth), cmp.Or(s.Approve, "unsafe unless a tenant says otherwise"), signed)
	}
	for _, r := range c.Rules {
		line("%s", c.explainRule(r))
	}
	line("questions are kept for %s after they were settled; decisions: %s", cmp.Or(c.Retention.Questions, "7d"), cmp.Or(c.Retention.Audit, forever))
	if len(c.Agents) > 0 {
		line("turns of conversations are kept: %s", cmp.Or(c.Retention.Runs, "30d"))
	}
	for _, name := range Keys(c.Agents) {
		a := c.Agents[name]
		if a.A2A != "" {
			line("agent %s: remote, at %s, by A2A; credential: %s", name, withoutSecrets(a.A2A), explainCredential(a.Auth))
			continue
		}
		line("agent %s: model %s, servers [%s], delegates [%s]", name, a.Model, strings.Join(a.Servers, " "), strings.Join(a.Delegates, " "))
	}
	if c.Gateway != nil {
		servers := c.Gateway.Servers
		if len(servers) == 0 {
			servers = Keys(c.Servers)
		}
		line("gateway at %s/mcp: servers [%s], listed as %s; clients that cannot ask: %s; approvals of theirs: %s", c.PublicURL, strings.Join(servers, " "),
			cmp.Or(c.Gateway.Expose, "tools"), c.Gateway.Clients(), c.explainApprovals())
	}
	c.explainChannels(line)
	c.explainSlack(line)
	c.Limits.explain(line)
	c.explainMetrics(line)
	c.explainOTLP(line)
	c.explainRedirects(line)
	for _, w := range c.Warnings() {
		line("WARNING: %s", w)
	}
	return b.String()
}

// explainApprovals says what becomes of calls that need an approval where the client
// cannot ask for it.
func (c *Config) explainApprovals() string {
	switch approvals := c.Approvals(); {
	case approvals == "page" && !c.SignIn():
		return "page, where nobody can sign in, so that they are refused"
	case approvals == "page":
		return "page, signed in"
	case approvals == "app" && !c.SignIn():
		return "app"
	case approvals == "app":
		return "app, else page"
	case approvals == "deny" && c.Gateway.Approvals == "" && c.Gateway.Clients() == "app":
		return "deny, since nobody can sign in to give them on their page"
	default:
		return approvals
	}
}

func explainCredential(a vault.Auth) string {
	if a.Type == "" || a.Type == vault.None {
		return "it takes none"
	}
	whose := map[vault.Scope]string{vault.User: "each person's own", vault.Mentor: "each agent's own"}[a.Scope]
	return string(a.Type) + ", " + cmp.Or(whose, "one for all")
}

func explainModel(name string, m Model) string {
	if m.Kind == "demo" {
		return "model " + name + ": demo, which works by rules"
	}
	said := "model " + name + ": " + m.Kind + ", " + m.Model
	if m.BaseURL != "" {
		said += ", at " + withoutSecrets(m.BaseURL)
	}
	return said
}

// explainLent says who besides the configuration may use a client.
func explainLent(line func(string, ...any), what string, tenants, allowed, scopes []string) {
	if len(tenants) == 0 {
		return
	}
	if len(allowed) == 0 {
		allowed = scopes
	}
	line("%s: open to servers that the tenants [%s] add, for the scopes [%s]", what, strings.Join(tenants, " "), strings.Join(allowed, " "))
}

func (c *Config) explainRule(r Rule) string {
	said := fmt.Sprintf("rule %s: server %s, tool %s", r.Name, cmp.Or(r.Server, "any"), cmp.Or(r.Tool, "any"))
	for _, one := range []struct {
		name  string
		value *bool
	}{{"read_only", r.ReadOnly}, {"destructive", r.Destructive}, {"idempotent", r.Idempotent}, {"open_world", r.OpenWorld}} {
		if one.value != nil {
			said += fmt.Sprintf(", %s %t", one.name, *one.value)
		}
	}
	if r.When != "" {
		said += ", when " + r.When
	}
	said += ": approve " + cmp.Or(r.Approve, "always")
	if r.Approvers != "" {
		said += " by " + r.Approvers
	}
	if r.TTL != "" || r.Approvers != "" {
		ttl, says := c.lasts(r)
		said += fmt.Sprintf("; open for %s (%s)", short(ttl), says)
	}
	if r.Sign != "" {
		said += "; sign: " + r.Sign + ", on its page only"
	} else if r.Page {
		said += "; decided on its page only"
	}
	if r.Slack != "" {
		said += "; asked in Slack's channel " + r.Slack
	}
	if condition, err := r.condition(0, nil); err == nil && len(r.Choices) > 0 {
		var may []string
		for _, choice := range condition.Offers() {
			may = append(may, string(choice))
		}
		said += "; who is asked may say " + strings.Join(may, ", ")
	}
	return said
}

// explainPeople says which tenant somebody is of, and who is the same person.
func (c *Config) explainPeople(line func(string, ...any)) {
	if c.Auth.TenantRequired {
		line("a token that does not name its tenant is refused")
	}
	switch {
	case !c.TwoIssuers():
	case c.Auth.People == Separate:
		line("people of %s and of %s are different people, also where their sub is the same", issuerName(c.Auth.JWT.Issuer), c.Auth.OIDC.Issuer)
	case c.Auth.People == Shared:
		line("the same sub of %s and of %s is the same person", issuerName(c.Auth.JWT.Issuer), c.Auth.OIDC.Issuer)
	}
}

// TwoIssuers reports whether people are named by two issuers: then somebody has
// to know whether the same name is the same person.
func (c *Config) TwoIssuers() bool {
	return c.Auth.JWT != nil && c.Auth.OIDC != nil && c.Auth.JWT.Issuer != c.Auth.OIDC.Issuer
}

// explainSpace names the space of the store, if there is one.
func (c *Config) explainSpace() string {
	u, err := url.Parse(c.Store)
	if err != nil || u.Query().Get("space") == "" {
		return ""
	}
	return fmt.Sprintf(", in the space %.40q", u.Query().Get("space"))
}

// issuerName is what tokens say of their issuer: any text, and mostly a URL.
func issuerName(issuer string) string {
	if strings.Contains(issuer, "@") {
		return withoutSecrets(issuer)
	}
	return issuer
}

// withoutSecrets is an address without the user, the password and what follows
// the path, which may be keys.
func withoutSecrets(address string) string {
	u, err := url.Parse(address)
	if err != nil || userinfo.Spills(address, userinfo.Last) {
		scheme, _, _ := strings.Cut(address, ":")
		return scheme + ":…"
	}
	if u.Opaque != "" && u.Scheme != "sqlite" { // no host, no path: whatever it is
		return u.Scheme + ":…"
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = nil, "", false, "", ""
	return u.String()
}
