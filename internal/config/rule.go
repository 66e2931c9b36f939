package config

import (
	"fmt"

	"github.com/parley-hq/parley/permit"
)

// Conditions are the rules as permit has them.
func (c *Config) Conditions() ([]permit.Condition, error) {
	var all []permit.Condition
	names := map[string]int{}
	for i, r := range c.Rules {
		if other, taken := names[r.Name]; taken {
			return nil, fmt.Errorf("rules[%d].name: %.100q is the name of rules[%d] already", i, r.Name, other)
		}
		names[r.Name] = i
		condition := permit.Condition{
			Name: r.Name, Server: r.Server, Tool: r.Tool, ReadOnly: r.ReadOnly, Destructive: r.Destructive, Idempotent: r.Idempotent,
			OpenWorld: r.OpenWorld, When: r.When, Approve: permit.Rule(r.Approve),
		}
		if r.Approvers != "" {
			var err error
			if condition.Approvers, err = permit.ParseApprovers(r.Approvers); err != nil {
				return nil, fmt.Errorf("rules[%d].approvers: %w", i, err)
			}
		}
		if err := condition.Validate(); err != nil {
			return nil, fmt.Errorf("rules[%d]: %w", i, err)
		}
		all = append(all, condition)
	}
	return all, nil
}
