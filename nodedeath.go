package parley

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/parley-hq/parley/internal/patience"
)

// OnDeath has do called whenever another node has ended without signing off: killed,
// or cut off for longer than its lease. It is told some seconds later, while this node
// runs, and sooner where the store knows who attends. do must not block. forget ends
// that.
func (n *Node) OnDeath(do func()) (forget func()) {
	return n.mourners.add(do)
}

// mourners are those who want to know of deaths.
type mourners struct {
	mu   sync.Mutex
	all  map[int]func()
	last int
}

func (m *mourners) add(do func()) (forget func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil {
		m.all = map[int]func(){}
	}
	m.last++
	at := m.last
	m.all[at] = do
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.all, at)
	}
}

func (m *mourners) any() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.all) > 0
}

func (m *mourners) tell() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, do := range m.all {
		go do() // it may want to forget
	}
}

// watchOthers looks for nodes that have died, while somebody wants to know.
func (n *Node) watchOthers(ctx context.Context) {
	var seen others
	for patience.Sleep(ctx, n.opts.Lease/10) {
		if !n.mourners.any() {
			seen = nil
			continue
		}
		now, died, err := n.survey(ctx, seen)
		if err != nil {
			continue // a store that is away says nothing of the nodes
		}
		seen = now
		if died {
			n.mourners.tell()
		}
	}
}

// others is what was seen of other nodes: when their leases end, zero for one that is
// known to be dead.
type others map[string]time.Time

// survey looks at the other nodes, and reports whether one has died since before.
func (n *Node) survey(ctx context.Context, before others) (now others, died bool, err error) {
	now = others{}
	for record, err := range Each(ctx, n.records, Address{Kind: nodeKind}, "") {
		switch {
		case err != nil:
			return nil, false, err
		case record.Key == n.id:
			continue
		}
		now[record.Key] = record.Expires
		stands, _, err := n.standing(ctx, record.Key)
		if err != nil || stands != ended {
			continue
		}
		if _, err := n.records.Load(ctx, record.Address); errors.Is(err, ErrNotFound) && time.Now().Before(record.Expires) {
			delete(now, record.Key) // it has signed off since it was read
			continue
		}
		now[record.Key] = time.Time{}
		if until, known := before[record.Key]; !known || !until.IsZero() {
			died = true
		}
	}
	for id, until := range before {
		// One that signs off takes its record away before its lease ends.
		if _, there := now[id]; !there && !until.IsZero() && !time.Now().Before(until) {
			died = true
		}
	}
	return now, died, nil
}
