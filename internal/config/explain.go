package config

import (
	"cmp"
	"fmt"
	"strings"
)

// Explain says what a configuration means, without its secrets.
func (c *Config) Explain() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("listens on %s; people reach it at %s", c.Listen, c.PublicURL)
	store, _, _ := strings.Cut(c.Store, "@")
	line("keeps its data in %s", store)
	switch {
	case c.Auth.OIDC != nil:
		line("people sign in at %s", c.Auth.OIDC.Issuer)
	case c.Auth.Verifier != nil:
		line("people are signed in by %s", c.Auth.Verifier.URL)
	case !c.Dev:
		line("nobody can sign in at the hosted pages: neither auth.oidc nor auth.verifier is there. Questions are answered where they are asked")
	default:
		line("development: anybody on this machine signs in as anybody")
	}
	if c.Auth.JWT != nil {
		line("believes tokens of %s for %s", c.Auth.JWT.Issuer, c.Auth.JWT.Audience)
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
		address, _, _ := strings.Cut(s.URL, "?") // what follows may be a key
		where := cmp.Or(address, strings.Join(s.Command, " "))
		line("server %s: %s; credential: %s of the %s; approvals: %s", name, where, cmp.Or(s.Auth.Type, "none"), cmp.Or(s.Auth.Scope, "platform"), s.Approve)
	}
	for _, r := range c.Rules {
		line("%s", explainRule(r))
	}
	for _, name := range Keys(c.Agents) {
		a := c.Agents[name]
		if a.A2A != "" {
			line("agent %s: remote, at %s (A2A is not there yet)", name, a.A2A)
			continue
		}
		line("agent %s: model %s, servers [%s], delegates [%s]", name, a.Model, strings.Join(a.Servers, " "), strings.Join(a.Delegates, " "))
	}
	if c.Gateway != nil {
		servers := c.Gateway.Servers
		if len(servers) == 0 {
			servers = Keys(c.Servers)
		}
		line("gateway at %s/mcp: servers [%s], listed as %s; clients that cannot ask: %s", c.PublicURL, strings.Join(servers, " "),
			cmp.Or(c.Gateway.Expose, "tools"), cmp.Or(c.Gateway.Fallback, "deny"))
	}
	if c.Slack != nil {
		line("slack: not there yet")
	}
	return b.String()
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

func explainRule(r Rule) string {
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
	return said
}
