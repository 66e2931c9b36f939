package config

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/asking"
	"github.com/parley-hq/parley/permit"
)

// GatewayAsk is whom assistants may ask through the gateway.
type GatewayAsk struct {
	People []string `yaml:"people"` // me: whoever the assistant acts for; and others by their names
	Groups []string `yaml:"groups"`
}

// Me in GatewayAsk.People is the person whose client it is.
const Me = "me"

// Manages reports whether a key manages its tenant through the API. One that asks
// people does that alone, unless the configuration says otherwise; so does one whose
// may_ask is an empty list, which asks nobody.
func (k APIKey) Manages() bool {
	if k.Manage != nil {
		return *k.Manage
	}
	return k.MayAsk == nil
}

// manages reports whether the program of a key manages its tenant: keys of one name and
// tenant are one program's, and it may what any of them may.
func (c *Config) manages(key APIKey) bool {
	return slices.ContainsFunc(c.Auth.APIKeys, func(other APIKey) bool {
		same := other.SHA256 == key.SHA256 || key.Name != "" && other.Name == key.Name
		return same && cmp.Or(other.Tenant, parley.DefaultTenant) == cmp.Or(key.Tenant, parley.DefaultTenant) && other.Manages()
	})
}

// mostPeople is how many a group has at most.
const mostPeople = 50

func (c *Config) askingProblems(bad func(string, ...any)) {
	for _, name := range Keys(c.Groups) {
		people := c.Groups[name]
		if name == Me {
			bad("groups.%s: in gateway.ask that is whoever the assistant acts for: give the group another name", name)
		} else if !parley.ValidName(name) || strings.ContainsAny(name, ":*[]") {
			bad("groups.%s: that cannot be the name of a group: write letters, digits and dashes", name)
		}
		if len(people) == 0 || len(people) > mostPeople {
			bad("groups.%s: it has %d people; a group has 1 to %d", name, len(people), mostPeople)
		}
		for i, one := range people {
			if !parley.ValidName(one) {
				bad("groups.%s[%d]: %.100q cannot be the name of a person", name, i, one)
			}
		}
	}
	for i, key := range c.Auth.APIKeys {
		if len(key.MayAsk) > 0 && (key.Name == "" || strings.ContainsAny(key.Name, "[]")) {
			bad("auth.api_keys[%d].name: people are shown who asks them: a key with may_ask has a name, without brackets", i)
		}
		if at := fmt.Sprintf("auth.api_keys[%d].may_ask", i); key.MayAsk == nil && c.written.has(at) {
			bad("%s: nobody is named: write [] for nobody; without may_ask the key manages its tenant", at)
		}
		for j, whom := range key.MayAsk {
			c.whomProblem(bad, i, j, whom)
		}
		if key.WebhookSecret != "" && !validSecret(string(key.WebhookSecret)) {
			bad("auth.api_keys[%d].webhook_secret: it is whsec_ and the base64 of 24 to 64 bytes; make one with: echo whsec_$(openssl rand -base64 32)", i)
		}
	}
	c.gatewayAskProblems(bad)
}

func (c *Config) whomProblem(bad func(string, ...any), i, j int, whom string) {
	group, isGroup := strings.CutPrefix(whom, asking.GroupPrefix)
	_, known := c.Groups[group]
	switch {
	case whom == asking.Everybody:
	case isGroup && !known:
		bad("auth.api_keys[%d].may_ask[%d]: there is no group %q in groups%s", i, j, group, meant(group, Keys(c.Groups)))
	case !isGroup && known:
		bad("auth.api_keys[%d].may_ask[%d]: %.100q is a group: write \"%s%s\"", i, j, whom, asking.GroupPrefix, whom)
	case !isGroup && !parley.ValidName(whom):
		bad("auth.api_keys[%d].may_ask[%d]: %.100q is no person: write a name, group:NAME, or \"*\" for everybody", i, j, whom)
	}
}

func (c *Config) gatewayAskProblems(bad func(string, ...any)) {
	if c.Gateway == nil || c.Gateway.Ask == nil {
		return
	}
	ask := c.Gateway.Ask
	if len(ask.People)+len(ask.Groups) == 0 {
		bad("gateway.ask: it names nobody: write people: [me], groups: [NAME] or both")
	}
	for i, name := range ask.Groups {
		if _, ok := c.Groups[name]; !ok {
			bad("gateway.ask.groups[%d]: there is no group %q in groups%s", i, name, meant(name, Keys(c.Groups)))
		}
	}
	for i, name := range ask.People {
		if _, is := c.Groups[name]; is {
			bad("gateway.ask.people[%d]: %.100q is a group: write groups: [%s]", i, name, name)
		}
		if !parley.ValidName(name) || strings.HasPrefix(name, asking.GroupPrefix) {
			bad("gateway.ask.people[%d]: %.100q is no person: write me, or a name", i, name)
		}
	}
}

// validSecret reports whether a secret is one of Standard Webhooks.
func validSecret(secret string) bool {
	text, is := strings.CutPrefix(secret, "whsec_")
	raw, err := base64.StdEncoding.DecodeString(text)
	return is && err == nil && len(raw) >= 24 && len(raw) <= 64
}

// explainAsking says who may ask whom.
func (c *Config) explainAsking(line func(string, ...any)) {
	for _, name := range Keys(c.Groups) {
		line("group %s: %s", name, strings.Join(c.Groups[name], ", "))
	}
	for _, key := range c.Auth.APIKeys {
		if len(key.MayAsk) == 0 {
			continue
		}
		whom, calls := strings.Join(key.MayAsk, ", "), "is not called back"
		if slices.Contains(key.MayAsk, asking.Everybody) {
			whom = "everybody"
		}
		if key.WebhookSecret != "" {
			calls = "may be called back"
		}
		also := ""
		if key.Manages() {
			also = "; it manages its tenant too"
		}
		line("program %s may ask %s, and %s%s", key.Name, whom, calls, also)
	}
	if c.Gateway != nil && c.Gateway.Ask != nil {
		line("assistants at the gateway may ask people [%s], groups [%s]", strings.Join(c.Gateway.Ask.People, " "), strings.Join(c.Gateway.Ask.Groups, " "))
	}
}

// personWarnings are about names that are taken for a person's, and are almost that of a group.
func (c *Config) personWarnings(warn func(string, ...any)) {
	const one = "name one of its people"
	for i, key := range c.Auth.APIKeys {
		for j, whom := range key.MayAsk {
			c.personWarning(warn, fmt.Sprintf("auth.api_keys[%d].may_ask[%d]", i, j), whom, `write "`+asking.GroupPrefix+`%s"`)
		}
	}
	if c.Gateway != nil && c.Gateway.Ask != nil {
		for i, name := range c.Gateway.Ask.People {
			c.personWarning(warn, fmt.Sprintf("gateway.ask.people[%d]", i), name, "write groups: [%s]")
		}
	}
	for i, r := range c.Rules {
		if first, err := permit.ParseApprovers(r.Approvers); err == nil && first != nil {
			for _, name := range first.Of {
				c.personWarning(warn, fmt.Sprintf("rules[%d].approvers", i), name, one)
			}
		}
		for j, e := range r.Escalate {
			c.personWarning(warn, fmt.Sprintf("rules[%d].escalate[%d].to", i, j), e.To, "write %s")
		}
	}
	for _, name := range Keys(c.People) {
		c.personWarning(warn, "people."+name+".deputy", c.People[name].Deputy, one)
	}
}

// personWarning says what to write if a group was meant; in write the group's name is %s.
// Who is named in groups or people is a person.
func (c *Config) personWarning(warn func(string, ...any), at, name, write string) {
	_, group := c.Groups[name]
	_, person := c.People[name]
	near := nearest(name, Keys(c.Groups))
	if near == "" || group || person || name == Me || strings.HasPrefix(name, asking.GroupPrefix) {
		return
	}
	for _, people := range c.Groups {
		if slices.Contains(people, name) {
			return
		}
	}
	warn("%s: %.100q is taken for a person, and there is a group %s: if that is meant, %s", at, name, near, strings.ReplaceAll(write, "%s", near))
}

// askingWarnings are about people who cannot answer, and those who are perhaps none.
func (c *Config) askingWarnings(signIn bool, warn func(string, ...any)) {
	c.personWarnings(warn)
	for i, key := range c.Auth.APIKeys {
		if len(key.MayAsk) > 0 && !signIn {
			warn("auth.api_keys[%d].may_ask: people answer on hosted pages, where nobody can sign in: configure auth.oidc or auth.verifier", i)
		}
		if _, is := c.Servers[key.Name]; is && len(key.MayAsk) > 0 {
			warn("auth.api_keys[%d].name: there is a server %s too, and people cannot tell who of the two asks", i, key.Name)
		}
	}
}
