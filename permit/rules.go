package permit

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/parley-hq/parley"
)

// ruleKind is the kind of the record that holds a tenant's conditions. There is
// one, because their order matters: two changes at once must not make a third
// order.
const ruleKind = "permission_rules"

// rulesFor is how long a tenant's conditions are believed without reading them
// again. A read for every call would cost each as much as looking for its
// permission does, also those that need none; and a second is less than a person
// needs to change a rule in one place and try it in another.
const rulesFor = time.Second

// rules are the conditions of all tenants.
type rules struct {
	table      *table
	configured []condition

	mu      sync.Mutex
	read    map[string]copied // by tenant
	changes int               // of conditions, by this process
}

// copied is what was read of a tenant's conditions.
type copied struct {
	list    []condition
	version int64 // of the record
	at      time.Time
}

// book is the record of a tenant's conditions.
type book struct {
	Conditions []Condition `json:"conditions"`

	version int64
}

func newRules(t *table, configured []Condition, groups map[string][]string) (*rules, error) {
	r := &rules{table: t, read: map[string]copied{}}
	names := map[string]bool{}
	for i, c := range configured {
		ready, err := compile(c.clone(), groups)
		if err != nil {
			return nil, fmt.Errorf("permit: condition %d: %w", i+1, err)
		}
		if names[c.Name] {
			return nil, fmt.Errorf("permit: condition %d: %w: the name %q is taken", i+1, ErrCondition, c.Name)
		}
		names[c.Name] = true
		r.configured = append(r.configured, ready)
	}
	return r, nil
}

func tenantOf(tenant string) string { return cmp.Or(tenant, parley.DefaultTenant) }

// of returns a tenant's own conditions, at most rulesFor old.
func (r *rules) of(ctx context.Context, tenant string) ([]condition, error) {
	r.mu.Lock()
	known, ok := r.read[tenant]
	before := r.changes
	r.mu.Unlock()
	if ok && time.Since(known.at) < rulesFor {
		return known.list, nil
	}
	at := time.Now() // before reading: what changes meanwhile is found in time
	b, err := r.open(ctx, tenant)
	if err != nil {
		return nil, err
	}
	if !ok || b.version != known.version { // compiling takes longer than reading
		if known.list, err = b.prepare(known.list); err != nil {
			return nil, err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.changes == before { // else it may be older than what this process has changed
		r.keep(tenant, copied{known.list, b.version, at})
	}
	return known.list, nil
}

// keep remembers what was read, and forgets what is too old once there is much.
func (r *rules) keep(tenant string, c copied) {
	const many = 1000
	if len(r.read) >= many {
		for other, old := range r.read {
			if time.Since(old.at) >= rulesFor {
				delete(r.read, other)
			}
		}
	}
	r.read[tenant] = c
}

func (r *rules) open(ctx context.Context, tenant string) (b book, err error) {
	err = r.table.persist(ctx, func() (err error) {
		b, err = r.load(ctx, tenant)
		return err
	})
	return b, err
}

func bookOf(tenant string) parley.Address {
	return parley.Address{Tenant: tenant, Kind: ruleKind, Key: "conditions"}
}

func (r *rules) load(ctx context.Context, tenant string) (book, error) {
	var b book
	record, err := r.table.records.Load(ctx, bookOf(tenant))
	if errors.Is(err, parley.ErrNotFound) {
		return b, nil
	}
	if err != nil {
		return b, err
	}
	b.version = record.Version
	if err := json.Unmarshal(record.Data, &b); err != nil {
		return b, fmt.Errorf("the conditions of %s: %w: %w", tenant, errDamaged, err)
	}
	return b, nil
}

// prepare makes conditions of what is stored; expressions that old ones have are
// not compiled again. What this program does not understand, for example because a
// later one has written it, lets nothing through; of an expression that is seen when
// a call needs it.
func (b book) prepare(old []condition) ([]condition, error) {
	known := map[string]*expression{}
	for _, c := range old {
		if c.when != nil {
			known[c.When] = c.when
		}
	}
	expressionOf := func(text string) *expression {
		if known[text] == nil {
			known[text] = newExpression(text)
		}
		return known[text]
	}
	list := make([]condition, 0, len(b.Conditions))
	for i, c := range b.Conditions {
		ready, err := prepare(c, expressionOf)
		if err != nil {
			return nil, fmt.Errorf("stored condition %d: %w: %w", i+1, errDamaged, err)
		}
		list = append(list, ready)
	}
	return list, nil
}

// change replaces a tenant's conditions by what edit makes of them. edit may be
// called again, and finds what an attempt whose reply was lost has written.
func (r *rules) change(ctx context.Context, tenant string, edit func([]Condition) ([]Condition, error)) error {
	// Also after an error: the write may have happened.
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.read, tenant)
		r.changes++
	}()
	return r.table.persist(ctx, func() error {
		b, err := r.load(ctx, tenant)
		if err != nil {
			return err
		}
		if b.Conditions, err = edit(slices.Clone(b.Conditions)); err != nil {
			return err
		}
		data, err := json.Marshal(b)
		if err != nil {
			return err
		}
		_, err = r.table.records.Save(ctx, parley.Record{Address: bookOf(tenant), Data: data, Version: b.version})
		return err
	})
}
