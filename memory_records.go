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
	m.put(r)
	return r.Version, nil
}

// shelf is where the keys of one kind are kept in their order, so that a scan
// reads what it returns and no more.
type shelf struct{ tenant, kind string }

func (m *MemoryStore) put(r Record) {
	if _, there := m.records[r.Address]; !there {
		at := shelf{r.Tenant, r.Kind}
		i, _ := slices.BinarySearch(m.keys[at], r.Key)
		m.keys[at] = slices.Insert(m.keys[at], i, r.Key)
	}
	m.records[r.Address] = r
}

func (m *MemoryStore) remove(a Address) {
	at := shelf{a.Tenant, a.Kind}
	if i, there := slices.BinarySearch(m.keys[at], a.Key); there {
		m.keys[at] = slices.Delete(m.keys[at], i, i+1)
		if len(m.keys[at]) == 0 {
			delete(m.keys, at)
		}
	}
	delete(m.records, a)
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
	m.remove(at)
	return nil
}

// Scan implements Records.
func (m *MemoryStore) Scan(ctx context.Context, from Address, after string, limit int) ([]Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	now, most := time.Now(), ScanLimit(limit)
	keys := m.keys[shelf{from.Tenant, from.Kind}]
	i, _ := slices.BinarySearch(keys, max(after, from.Key))
	var list []Record
	for ; i < len(keys) && len(list) < most && strings.HasPrefix(keys[i], from.Key); i++ {
		if r := m.records[Address{from.Tenant, from.Kind, keys[i]}]; keys[i] > after && !expired(r, now) {
			list = append(list, r.Clone())
		}
	}
	return list, nil
}

func expired(r Record, now time.Time) bool {
	return !r.Expires.IsZero() && !r.Expires.After(now)
}
