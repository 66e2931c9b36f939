package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// Escalation is what happens to a question that approvers leave open.
type Escalation struct {
	After string `yaml:"after"`
	To    string `yaml:"to"` // a person, or a group
}

// Stage is one step of an escalation.
type Stage struct {
	After time.Duration
	To    []string // people
}

// Escalates are the steps of a rule, in their order, and whom it asks at first.
func (c *Config) Escalates(rule string) (stages []Stage, first *permit.Approvers) {
	for _, r := range c.Rules {
		if r.Name != rule || len(r.Escalate) == 0 {
			continue
		}
		first, _ = permit.ParseApprovers(r.Approvers) // checked
		for _, e := range r.Escalate {
			after, _ := parseSpan(e.After, 0) // checked
			stages = append(stages, Stage{After: after, To: c.members(e.To)})
		}
	}
	return stages, first
}

// members are the people of a group, or the person who is named.
func (c *Config) members(name string) []string {
	if group, ok := c.Groups[name]; ok {
		return group
	}
	return []string{name}
}

// usualTTL is how long a question stays open of which nothing else is said, as of
// parley.Options.TTL.
const usualTTL = 10 * time.Minute

// lasts is how long approvers of a rule may take, and who says so: the rule, or else
// the server of this file among those it is for whose questions close first.
func (c *Config) lasts(r Rule) (ttl time.Duration, says string) {
	if d, err := parseDays(r.TTL); r.TTL != "" && err == nil {
		return d, "the rule's ttl"
	}
	for _, name := range Keys(c.Servers) {
		if !fits(r.Server, name) {
			continue
		}
		d, whose := usualTTL, "the default"
		if own := Lasts(c.Servers[name].TTL); own > 0 {
			d, whose = own, "servers."+name+".ttl"
		}
		if says == "" || d < ttl {
			ttl, says = d, whose
		}
	}
	if says == "" {
		return usualTTL, "the default"
	}
	return ttl, says
}

// escalationProblems are what is wrong with whom rules ask: also steps that would never be
// taken, since the question is closed by then, and groups where people are to be.
func (c *Config) escalationProblems(bad func(string, ...any)) {
	for i, r := range c.Rules {
		if len(r.Escalate) > 0 && r.Approvers == "" {
			bad("rules[%d].escalate: it takes a question of approvers further, and the rule %q has none", i, r.Name)
		}
		var before time.Duration
		for j, e := range r.Escalate {
			at := fmt.Sprintf("rules[%d].escalate[%d]", i, j)
			after, err := parseSpan(e.After, 0)
			switch {
			case err != nil:
				bad("%s.after: %w", at, err)
			case after == 0 || after < before:
				bad("%s.after: %q is not behind the step before", at, e.After)
			}
			before = after
			if !slices.ContainsFunc(c.members(e.To), parley.ValidName) {
				bad("%s.to: whom? Name a person, or one of groups", at)
			}
		}
		c.tooLate(bad, i, r)
	}
}

// tooLate refuses the first step that comes when the question is closed.
func (c *Config) tooLate(bad func(string, ...any), i int, r Rule) {
	ttl, says := c.lasts(r)
	var last time.Duration
	for _, e := range r.Escalate {
		after, _ := parseSpan(e.After, 0) // refused elsewhere
		last = max(last, after)
	}
	for j, e := range r.Escalate {
		if after, err := parseSpan(e.After, 0); err == nil && after >= ttl {
			bad("rules[%d].escalate[%d].after: the rule %q: the question is closed after %s (%s), before %s is asked after %s: give the rule a ttl, such as %dd",
				i, j, r.Name, short(ttl), says, e.To, e.After, last/day+1)
			return
		}
	}
}

// askedAlready warns of steps that ask nobody who was not asked before.
func (c *Config) askedAlready(warn func(string, ...any), i int, r Rule) {
	first, err := permit.ParseApprovers(r.Approvers)
	if err != nil || first == nil {
		return
	}
	asked := slices.Clone(first.Of)
	for j, e := range r.Escalate {
		news := slices.DeleteFunc(slices.Clone(c.members(e.To)), func(name string) bool { return slices.Contains(asked, name) })
		if len(news) == 0 {
			warn("rules[%d].escalate[%d].to: everybody of %s is asked before: name somebody else", i, j, e.To)
		}
		asked = append(asked, news...)
	}
}

func (c *Config) explainEscalation(line func(string, ...any)) {
	for _, r := range c.Rules {
		for _, e := range r.Escalate {
			if people, is := c.Groups[e.To]; is {
				line("rule %s: after %s the group %s is asked too: %s", r.Name, e.After, e.To, strings.Join(people, ", "))
			} else {
				line("rule %s: after %s the person %s is asked too", r.Name, e.After, e.To)
			}
		}
	}
}

// short writes a time as people do: 10m, 4h, 3d.
func short(d time.Duration) string {
	if d >= day && d%day == 0 {
		return fmt.Sprintf("%dd", d/day)
	}
	said := d.String()
	if strings.HasSuffix(said, "m0s") {
		said = strings.TrimSuffix(said, "0s")
	}
	if strings.HasSuffix(said, "h0m") {
		said = strings.TrimSuffix(said, "0m")
	}
	return said
}
