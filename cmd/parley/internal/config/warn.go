package config

import (
	"fmt"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/parley-hq/parley/vault"
)

// SignIn reports whether people can sign in on the hosted pages.
func (c *Config) SignIn() bool { return c.Dev || c.Auth.OIDC != nil || c.Auth.Verifier != nil }

// Warnings are what a configuration says that is allowed and probably not meant.
// parley check prints them, parley serve logs them.
func (c *Config) Warnings() (all []string) {
	all = append(all, c.readable...)
	warn := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	signIn := c.SignIn()
	if !signIn && c.Gateway != nil && c.Gateway.Fallback == "page" {
		warn("gateway.fallback: page sends people to hosted pages, where nobody can sign in: configure auth.oidc or auth.verifier")
	}
	if c.Gateway != nil {
		c.approvalWarnings(warn)
	}
	for i, r := range c.Rules {
		if r.Approvers != "" && !signIn {
			warn("rules[%d].approvers: nobody can sign in to approve: configure auth.oidc or auth.verifier", i)
		}
		c.askedAlready(warn, i, r)
		if !c.covers(r.Server) {
			warn("rules[%d].server: no server of this file is called %q; the rule is for servers that the management API adds", i, r.Server)
		}
	}
	for _, name := range Keys(c.Servers) {
		if err := vault.CheckPlain(name); err != nil {
			warn("servers.%s: %v", name, err)
		}
		if !signIn && c.Servers[name].Auth.Scope == "user" {
			warn("servers.%s.auth.scope: each person connects an account of their own on a hosted page, where nobody can sign in: configure auth.oidc or auth.verifier", name)
		}
	}
	c.tlsWarnings(warn)
	c.proxyWarnings(warn)
	c.askingWarnings(signIn, warn)
	c.slackWarnings(signIn, warn)
	c.otlpWarnings(warn)
	if c.sharedStore() && c.nowhere() {
		warn("advertise: %s leads every other node that shares this store to itself: write the address at which they reach this one, such as advertise: http://10.0.0.2:8420", withoutSecrets(c.Advertise))
	}
	switch {
	case c.TwoIssuers() && c.Auth.People == "":
		warn("auth.people: the same sub of %s and of %s is taken for the same person. If both issuers name the same people, say auth.people: shared; if not, auth.people: separate",
			issuerName(c.Auth.JWT.Issuer), c.Auth.OIDC.Issuer)
	case !c.TwoIssuers() && c.Auth.People == Separate:
		warn("auth.people: separate says nothing, since there are not two issuers")
	}
	return all
}

// approvalWarnings are about approvals that no signed-in person gives.
func (c *Config) approvalWarnings(warn func(string, ...any)) {
	switch c.Approvals() {
	case "page":
		if !c.SignIn() && c.Gateway.Fallback != "page" { // which has its own warning
			warn("gateway.approvals: page sends people to hosted pages, where nobody can sign in: configure auth.oidc or auth.verifier")
		}
	case "allow":
		warn("gateway.approvals: allow makes calls that need an approval without one, where the client cannot ask")
	case "app":
		warn("gateway.approvals: app takes the word of a client's app for an approval, not that of a signed-in browser: see docs/apps.md")
	}
}

// proxyWarnings are about believing everybody.
func (c *Config) proxyWarnings(warn func(string, ...any)) {
	for i, text := range c.Limits.TrustedProxies {
		some, _ := networks(text) // refused elsewhere
		for _, network := range some {
			if network.Bits() == 0 {
				warn("limits.trusted_proxies[%d]: %s is everybody: whoever connects says by X-Forwarded-For which address they have, and is limited as that. Name the addresses of your proxies", i, network)
			}
		}
	}
}

// sharedStore reports whether nodes on several machines may use the store.
func (c *Config) sharedStore() bool {
	scheme, _, _ := strings.Cut(c.Store, ":")
	return slices.Contains([]string{"postgres", "postgresql", "redis", "rediss"}, scheme)
}

// nowhere reports whether advertise is the address of no machine in particular, as
// it is by default where a node listens on all of its own.
func (c *Config) nowhere() bool {
	u, err := url.Parse(c.Advertise)
	if err != nil {
		return false // refused elsewhere
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "" || err == nil && ip.IsUnspecified()
}

// covers reports whether a rule's pattern is for one of the servers.
func (c *Config) covers(pattern string) bool {
	return pattern == "" || slices.ContainsFunc(Keys(c.Servers), func(name string) bool { return fits(pattern, name) })
}

// fits reports whether a rule's pattern is for a server.
func fits(pattern, server string) bool {
	fits, err := path.Match(pattern, server)
	return pattern == "" || fits || err != nil // a pattern that is none is refused elsewhere
}

// ruleProblems refuses rules for a server that is called almost like one: what it
// was to protect would not be.
func (c *Config) ruleProblems(bad func(string, ...any)) {
	for i, r := range c.Rules {
		if c.covers(r.Server) || strings.ContainsAny(r.Server, "*?") {
			continue
		}
		if near := nearest(r.Server, Keys(c.Servers)); near != "" {
			bad("rules[%d].server: there is no server %q; did you mean %s?", i, r.Server, near)
		}
	}
}

// UselessRules warns of rules that are for one server, by its name, and fit none of
// its tools: what they were to protect has another name.
func (c *Config) UselessRules(server string, tools []string) (all []string) {
	for _, i := range c.rulesOf(server) {
		if tool := c.Rules[i].Tool; !slices.ContainsFunc(tools, func(one string) bool { return fits(tool, one) }) {
			all = append(all, fmt.Sprintf("rules[%d].tool: no tool of %s fits %q", i, server, tool))
		}
	}
	return all
}

// UnseenRules warns that UselessRules could not be asked about a server, and why.
func (c *Config) UnseenRules(server, why string) []string {
	var keys []string
	for _, i := range c.rulesOf(server) {
		keys = append(keys, fmt.Sprintf("rules[%d].tool", i))
	}
	if len(keys) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: not looked at, whether a tool of %s fits: %s", strings.Join(keys, ", "), server, why)}
}

// rulesOf are those for tools of one server, by its name.
func (c *Config) rulesOf(server string) (all []int) {
	for i, r := range c.Rules {
		if r.Server == server && r.Tool != "" {
			all = append(all, i)
		}
	}
	return all
}
