package parley

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Load implements Records.
func (m *MemoryStore) Load(ctx context.Context, at Address) (Record, error) {
	if err := ctx.Err(); err != nil {
		return Record{}, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	r, ok := m.records[at]
	if !ok || expired(r, time.Now()) {
		return Record{}, fmt.Errorf("%s %q: %w", at.Kind, at.Key, ErrNotFound)
	}
	return r.Clone(), nil
}

// Save implements Records.
func (m *MemoryStore) Save(ctx context.Context, r Record) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	old, there := m.records[r.Address]
	there = there && !expired(old, time.Now())
	switch {
	case r.Version == 0 && there:
		return 0, fmt.Errorf("%s %q: %w", r.Kind, r.Key, ErrExists)
	case r.Version != 0 && (!there || old.Version != r.Version):
		return 0, fmt.Errorf("%s %q: %w", r.Kind, r.Key, ErrConflict)
	}
	m.version++
	r = r.Clone()
	r.Version = m.version
	m.records[r.Address] = r
	return r.Version, nil
}

// Delete implements Records.
func (m *MemoryStore) Delete(ctx context.Context, at Address, version int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.records[at]
	if !ok || expired(r, time.Now()) {
		return fmt.Errorf("%s %q: %w", at.Kind, at.Key, ErrNotFound)
	}
	if version != 0 && version != r.Version {
		return fmt.Errorf("%s %q: %w", at.Kind, at.Key, ErrConflict)
	}
	delete(m.records, at)
	return nil
}

// Scan implements Records.
func (m *MemoryStore) Scan(ctx context.Context, from Address, after string, limit int) ([]Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	now := time.Now()
	var keys []string
	for at, r := range m.records {
		if at.Tenant == from.Tenant && at.Kind == from.Kind && at.Key > after &&
			strings.HasPrefix(at.Key, from.Key) && !expired(r, now) {
			keys = append(keys, at.Key)
		}
	}
	slices.Sort(keys)
	keys = keys[:min(len(keys), ScanLimit(limit))]
	list := make([]Record, 0, len(keys))
	for _, key := range keys {
		list = append(list, m.records[Address{from.Tenant, from.Kind, key}].Clone())
	}
	return list, nil
}

func expired(r Record, now time.Time) bool {
	return !r.Expires.IsZero() && !r.Expires.After(now)
}
