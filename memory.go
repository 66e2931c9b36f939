package parley

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// MemoryStore is a Store and Records that lives and dies with its process: for
// tests, and for programs that run on one node and may lose their questions.
type MemoryStore struct {
	// Retention is how long an outcome is kept after it was settled. Zero means
	// an hour. Set it before the first use.
	Retention time.Duration

	mu       sync.RWMutex
	requests map[ID]*memoryRequest
	owners   map[[2]string]map[ID]struct{} // pending, by tenant and user
	sessions map[[2]string]map[ID]struct{} // pending, by tenant and session
	expiries expiryHeap                    // pending, soonest first
	settled  []settledAt                   // oldest first, for the retention
	records  map[Address]Record
	keys     map[shelf][]string // of the records, sorted
	version  int64
	watchers map[*memoryWatcher]struct{}
}

type memoryRequest struct {
	Request
	place int // in the expiry heap
}

type settledAt struct {
	at time.Time
	id ID
}

// NewMemoryStore returns an empty store.
func NewMemoryStore() *MemoryStore {
	return &MemoryStore{
		requests: map[ID]*memoryRequest{},
		owners:   map[[2]string]map[ID]struct{}{},
		sessions: map[[2]string]map[ID]struct{}{},
		records:  map[Address]Record{},
		keys:     map[shelf][]string{},
		watchers: map[*memoryWatcher]struct{}{},
	}
}

// Close does nothing. It is there so that a memory store can stand where others
// must be closed.
func (m *MemoryStore) Close() error { return nil }

// Put implements Store.
func (m *MemoryStore) Put(ctx context.Context, r Request, maxPending int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(time.Now(), 4) // a few at a time, so that Put stays cheap without a sweep
	if _, taken := m.requests[r.ID]; taken {
		return fmt.Errorf("request %s: %w", r.ID, ErrExists)
	}
	owner := [2]string{r.Tenant, r.To}
	if maxPending > 0 && len(m.owners[owner]) >= maxPending {
		return fmt.Errorf("%d pending: %w", len(m.owners[owner]), ErrTooManyPending)
	}
	e := &memoryRequest{Request: r.Clone()}
	e.Outcome = nil
	m.requests[r.ID] = e
	heap.Push(&m.expiries, e)
	addTo(m.owners, owner, r.ID)
	if r.Session != "" {
		addTo(m.sessions, [2]string{r.Tenant, r.Session}, r.ID)
	}
	return nil
}

// Get implements Store.
func (m *MemoryStore) Get(ctx context.Context, id ID) (Request, error) {
	if err := ctx.Err(); err != nil {
		return Request{}, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	e, ok := m.requests[id]
	if !ok {
		return Request{}, fmt.Errorf("request %s: %w", id, ErrNotFound)
	}
	return e.Clone(), nil
}

// Settle implements Store.
func (m *MemoryStore) Settle(ctx context.Context, id ID, o Outcome) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.requests[id]
	if !ok {
		return fmt.Errorf("request %s: %w", id, ErrNotFound)
	}
	if e.Outcome != nil {
		return fmt.Errorf("request %s: %w", id, ErrSettled)
	}
	o = o.Clone()
	e.Outcome = &o
	heap.Remove(&m.expiries, e.place)
	removeFrom(m.owners, [2]string{e.Tenant, e.To}, id)
	if e.Session != "" {
		removeFrom(m.sessions, [2]string{e.Tenant, e.Session}, id)
	}
	m.settled = append(m.settled, settledAt{at: o.At, id: id})
	for w := range m.watchers {
		w.hint(id)
	}
	return nil
}

// List implements Store.
func (m *MemoryStore) List(ctx context.Context, q Query) ([]Request, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	q, err := q.Normal()
	if err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	var found []*memoryRequest
	consider := func(e *memoryRequest) {
		behind := q.After == "" || (e.ID > q.After) != q.Newest && e.ID != q.After
		if behind && q.Matches(e.Request) {
			found = append(found, e)
		}
	}
	switch {
	case q.Pending && q.Session != "":
		for id := range m.sessions[[2]string{q.Tenant, q.Session}] {
			consider(m.requests[id])
		}
	case q.Pending && q.To != "":
		for id := range m.owners[[2]string{q.Tenant, q.To}] {
			consider(m.requests[id])
		}
	case q.Pending && !q.ExpiresBefore.IsZero():
		m.expiries.until(q.ExpiresBefore, consider)
	default:
		for _, e := range m.requests {
			consider(e)
		}
	}
	slices.SortFunc(found, func(a, b *memoryRequest) int {
		if q.Newest {
			a, b = b, a
		}
		if order := a.Expires.Compare(b.Expires); q.Soonest && order != 0 {
			return order
		}
		return strings.Compare(string(a.ID), string(b.ID))
	})
	list := make([]Request, 0, min(len(found), q.Limit))
	for _, e := range found[:min(len(found), q.Limit)] {
		list = append(list, e.Clone())
	}
	return list, nil
}

// CountPending implements Counter.
func (m *MemoryStore) CountPending(ctx context.Context) (int, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.expiries), ctx.Err()
}

// Sweep implements Sweeper.
func (m *MemoryStore) Sweep(ctx context.Context, now time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(now, len(m.settled))
	for at, r := range m.records {
		if expired(r, now) {
			m.remove(at)
		}
	}
	return nil
}

// forget drops at most n outcomes whose retention is over. The caller holds mu.
func (m *MemoryStore) forget(now time.Time, n int) {
	before := now.Add(-cmp.Or(m.Retention, time.Hour))
	i := 0
	for i < min(n, len(m.settled)) && m.settled[i].at.Before(before) {
		delete(m.requests, m.settled[i].id)
		i++
	}
	m.settled = m.settled[i:]
}

func addTo(index map[[2]string]map[ID]struct{}, key [2]string, id ID) {
	if index[key] == nil {
		index[key] = map[ID]struct{}{}
	}
	index[key][id] = struct{}{}
}

func removeFrom(index map[[2]string]map[ID]struct{}, key [2]string, id ID) {
	delete(index[key], id)
	if len(index[key]) == 0 {
		delete(index, key)
	}
}

// expiryHeap orders pending requests by expiry.
type expiryHeap []*memoryRequest

func (h expiryHeap) Len() int           { return len(h) }
func (h expiryHeap) Less(i, j int) bool { return h[i].Expires.Before(h[j].Expires) }
func (h expiryHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}
func (h *expiryHeap) Push(x any) {
	e := x.(*memoryRequest)
	e.place = len(*h)
	*h = append(*h, e)
}
func (h *expiryHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return last
}

// until visits what expires at t or before, and nothing below the first that
// does not: a sweep costs what it finds, not what is pending.
func (h expiryHeap) until(t time.Time, visit func(*memoryRequest)) {
	stack := []int{0}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if i >= len(h) || h[i].Expires.After(t) {
			continue
		}
		visit(h[i])
		stack = append(stack, 2*i+1, 2*i+2)
	}
}
