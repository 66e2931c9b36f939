package permit

import (
	"context"
	"fmt"
	"slices"

	"github.com/parley-hq/parley"
)

// Source is where a condition comes from.
type Source string

// The sources.
const (
	FromTenant        Source = "tenant"        // PutCondition
	FromConfiguration Source = "configuration" // Options.Conditions
)

// PlacedCondition is a condition with its place among those of a tenant.
type PlacedCondition struct {
	Condition
	Source   Source `json:"source"`
	Position int    `json:"position"` // from 1; the first of its source that fits a call counts
}

// PutCondition stores a condition of a tenant's own, in the place of the one of
// the same name, or behind the tenant's others. In this process it holds for
// every call that begins after it has returned, in others a second later. The
// caller has verified that whoever asks for it may set rules.
//
// Errors: ErrCondition; the store's.
func (p *Permits) PutCondition(ctx context.Context, tenant string, c Condition) error {
	c = c.clone()
	ready, err := compile(c, p.opts.Groups)
	if err != nil {
		return err
	}
	c.Approve = ready.Approve
	if slices.ContainsFunc(p.rules.configured, named(c.Name)) {
		return fmt.Errorf("%w: the name %q is taken by the configuration", ErrCondition, c.Name)
	}
	return p.rules.change(ctx, tenantOf(tenant), func(list []Condition) ([]Condition, error) {
		at := slices.IndexFunc(list, func(old Condition) bool { return old.Name == c.Name })
		switch {
		case at >= 0:
			list[at] = c
			return list, nil
		case len(list) >= maxConditions:
			return nil, fmt.Errorf("%w: the tenant has %d already", ErrCondition, len(list))
		}
		return append(list, c), nil
	})
}

func named(name string) func(condition) bool {
	return func(c condition) bool { return c.Name == name }
}

// RemoveCondition removes a condition of a tenant's own, as quickly as
// PutCondition. Errors: parley.ErrNotFound, also for one of the configuration;
// the store's.
func (p *Permits) RemoveCondition(ctx context.Context, tenant, name string) error {
	attempted := false
	return p.rules.change(ctx, tenantOf(tenant), func(list []Condition) ([]Condition, error) {
		left := slices.DeleteFunc(slices.Clone(list), func(c Condition) bool { return c.Name == name })
		if len(left) == len(list) && !attempted {
			return nil, fmt.Errorf("condition %.80q: %w", name, parley.ErrNotFound)
		}
		attempted = true // from now on it may be gone by an attempt whose reply was lost
		return left, nil
	})
}

// Conditions returns the conditions that hold for a tenant in the order in which
// they are tried, as they are stored now.
func (p *Permits) Conditions(ctx context.Context, tenant string) ([]PlacedCondition, error) {
	b, err := p.rules.open(ctx, tenantOf(tenant))
	if err != nil {
		return nil, err
	}
	all := make([]PlacedCondition, 0, len(b.Conditions)+len(p.rules.configured))
	for _, c := range b.Conditions {
		all = append(all, PlacedCondition{Condition: c, Source: FromTenant, Position: len(all) + 1})
	}
	for _, c := range p.rules.configured {
		all = append(all, PlacedCondition{Condition: c.clone(), Source: FromConfiguration, Position: len(all) + 1})
	}
	return all, nil
}
