package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/parley-hq/parley/permit"
)

// Conditions are the rules as permit has them. Its error is all that is wrong
// with them, joined.
func (c *Config) Conditions() ([]permit.Condition, error) {
	var all []permit.Condition
	var wrong []error
	names := map[string]int{}
	for i, r := range c.Rules {
		if other, taken := names[r.Name]; taken {
			wrong = append(wrong, fmt.Errorf("rules[%d].name: %.100q is the name of rules[%d] already", i, r.Name, other))
		}
		names[r.Name] = i
		condition, err := r.condition(i, c.Groups)
		if err != nil {
			wrong = append(wrong, err)
		}
		if r.Slack != "" && c.Slack == nil {
			wrong = append(wrong, fmt.Errorf("rules[%d].slack: there is no slack in this configuration, so nobody would be asked there", i))
		}
		all = append(all, condition)
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return all, nil
}

func (r Rule) condition(i int, groups map[string][]string) (permit.Condition, error) {
	condition := permit.Condition{
		Name: r.Name, Server: r.Server, Tool: r.Tool, ReadOnly: r.ReadOnly, Destructive: r.Destructive, Idempotent: r.Idempotent,
		OpenWorld: r.OpenWorld, When: r.When, Approve: permit.Rule(r.Approve), Page: r.Page, Sign: r.Sign, Slack: r.Slack,
	}
	if r.Name == "" {
		return condition, fmt.Errorf("rules[%d].name: it is missing: reasons call the rule by it", i)
	}
	if r.Approvers != "" {
		var err error
		if condition.Approvers, err = permit.ParseApprovers(r.Approvers); err != nil {
			return condition, fmt.Errorf("rules[%d].approvers: %s", i, strings.TrimPrefix(err.Error(), permit.ErrCondition.Error()+": "))
		}
		if err := condition.Approvers.Check(groups); err != nil {
			return condition, fmt.Errorf("rules[%d].approvers: the rule %q: %w", i, r.Name, err)
		}
	}
	if r.Choices != nil && len(r.Choices) == 0 {
		return condition, fmt.Errorf("rules[%d].choices: the rule %q: name what may be said, such as [allow_once, deny], or leave it out for everything", i, r.Name)
	}
	for _, choice := range r.Choices {
		condition.Choices = append(condition.Choices, permit.Choice(choice))
	}
	if r.TTL != "" {
		var err error
		if condition.TTL, err = parseDays(r.TTL); err != nil || condition.TTL <= 0 {
			return condition, fmt.Errorf("rules[%d].ttl: %.40q is no time such as 3d or 12h", i, r.TTL)
		}
	}
	var wrong *permit.ConditionError
	if err := condition.Validate(); errors.As(err, &wrong) {
		return condition, fmt.Errorf("rules[%d].%s: the rule %q: %w", i, wrong.Place, r.Name, wrong.Reason)
	} else if err != nil {
		return condition, fmt.Errorf("rules[%d]: %w", i, err)
	}
	return condition, nil
}
