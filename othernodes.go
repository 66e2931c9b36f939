package parley

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley/internal/patience"
)

const (
	// foundFor is how long a look-up of another node is believed.
	foundFor = time.Second
	foundMax = 1024
)

type foundNode struct {
	url   string
	alive bool
	until time.Time
}

// Await finds a node as Find does, and waits for a store that is away for a moment,
// for as long as the node's lease may last: a client whose answer to a question is
// refused does not send it again.
func (n *Node) Await(ctx context.Context, id string) (url string, alive bool, err error) {
	over := time.Now().Add(n.opts.Lease)
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		url, alive, err = n.Find(ctx, id)
		if err == nil || time.Now().Add(pause).After(over) {
			return url, alive, err
		}
		select {
		case <-ctx.Done():
			return url, alive, err
		case <-time.After(pause):
		}
	}
}

// Find returns where the node with that id is reached and whether it is alive,
// as of a second ago at most.
func (n *Node) Find(ctx context.Context, id string) (url string, alive bool, err error) {
	now := time.Now()
	n.mu.Lock()
	known, cached := n.cache[id]
	own := id == n.id && n.runs
	n.mu.Unlock()
	switch {
	case own:
		return n.opts.URL, true, nil
	case id == n.id, n.records == nil:
		return "", false, nil
	case cached && now.Before(known.until):
		return known.url, known.alive, nil
	}

	found := foundNode{until: now.Add(foundFor)}
	_, r, err := n.load(ctx, id)
	switch {
	case errors.Is(err, ErrNotFound):
	case err != nil:
		return "", false, err
	default:
		found.url, found.alive = r.URL, true
	}
	n.remember(id, found)
	return found.url, found.alive, nil
}

// load reads the record of a node as it is now.
func (n *Node) load(ctx context.Context, id string) (record Record, r nodeRecord, err error) {
	if record, err = n.records.Load(ctx, nodeAddress(id)); err != nil {
		return record, r, fmt.Errorf("looking for node %s: %w", id, err)
	}
	if err = json.Unmarshal(record.Data, &r); err != nil {
		return record, r, fmt.Errorf("the record of node %s: %w", id, err)
	}
	return record, r, nil
}

func (n *Node) remember(id string, found foundNode) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.cache) >= foundMax {
		clear(n.cache) // ids come from clients: whoever invents many costs look-ups, not memory
	}
	n.cache[id] = found
}

// Forget makes the next Find look again.
func (n *Node) Forget(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.cache, id)
}

// standing is what is known of another node.
type standing int

const (
	inDoubt standing = iota // its lease runs: it may have ended since it was renewed
	present
	ended
)

// Alive reports whether a node may be there. It is false if the node has certainly
// ended: its lease is over, or it attended and the store misses it.
func (n *Node) Alive(ctx context.Context, id string) (bool, error) {
	if id == n.id {
		return true, nil
	}
	stands, _, err := n.standing(ctx, id)
	return err == nil && stands != ended, err
}

// Sure is Alive for whoever can wait until it is known. A node that died a moment ago
// may still be seen: it is there once the store has seen it for seenTime, or it has
// renewed its lease.
func (n *Node) Sure(ctx context.Context, id string) (alive bool, err error) {
	if id == n.id {
		return true, nil
	}
	began, first := time.Now(), int64(0)
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, seenTime/4) {
		stands, version, err := n.standing(ctx, id)
		switch {
		case err != nil:
			return false, err
		case stands == ended:
			return false, nil
		case stands == present && time.Since(began) >= seenTime, first != 0 && version != first:
			return true, nil
		}
		if first == 0 {
			first = version
		}
		if !patience.Sleep(ctx, pause) {
			return false, context.Cause(ctx)
		}
	}
}

// Absent reports whether a node that attended has certainly ended, as the store says. In
// doubt it has not. Where it is not known that the node attended, its own record has to
// say so: one without a record may only have begun.
func (n *Node) Absent(ctx context.Context, id string, attended bool) bool {
	if n.attendance == nil {
		return false
	}
	stands, version, err := n.standing(ctx, id)
	if err != nil || stands != ended || version != 0 || !attended {
		return err == nil && stands == ended && version != 0
	}
	// Its record may be still to be written, after the store was away: who attends is there.
	absent, err := n.attendance.Absent(ctx, id)
	return err == nil && absent
}

// AwaitEnd returns when the lease of a node has ended, or ctx has: one that hangs, or
// whose machine is gone, says nothing any more.
func (n *Node) AwaitEnd(ctx context.Context, id string) {
	for patience.Sleep(ctx, n.opts.Lease/4) {
		if _, alive, err := n.Find(ctx, id); err == nil && !alive {
			return
		}
	}
}

// standing tells how a node stands, and the version of its record, which grows while
// the node is there; 0 is that there is none.
func (n *Node) standing(ctx context.Context, id string) (standing, int64, error) {
	_, alive, err := n.Find(ctx, id)
	switch {
	case err != nil:
		return inDoubt, 0, err
	case !alive:
		return ended, 0, nil
	case id == n.id:
		return present, 0, nil
	}
	before, attends, err := n.look(ctx, id)
	if err != nil || n.attendance == nil || !attends {
		return byRecord(before, err)
	}
	absent, err := n.attendance.Absent(ctx, id)
	if err != nil {
		return inDoubt, before, nil
	}
	if !absent {
		return present, before, nil
	}
	after, _, err := n.look(ctx, id)
	if err != nil || after != before { // only its connection had broken
		return byRecord(after, err)
	}
	n.remember(id, foundNode{until: time.Now().Add(foundFor)})
	return ended, after, nil
}

// byRecord is how a node stands by its record alone.
func byRecord(version int64, err error) (standing, int64, error) {
	if errors.Is(err, ErrNotFound) {
		return ended, 0, nil
	}
	return inDoubt, version, err
}

// look returns the version of a node's record as it is now, and whether the node
// attends.
func (n *Node) look(ctx context.Context, id string) (version int64, attends bool, err error) {
	record, r, err := n.load(ctx, id)
	return record.Version, r.There, err
}

// seenTime is how long a node that has died may look as if it were there: its
// connections are closed at once, and noticed under load.
const seenTime = time.Second

// A Witness has seen how other nodes stood for a while.
type Witness struct {
	node  *Node
	began time.Time
	at    map[string]int64 // the version first seen of a node's record
}

// Witness begins to look at other nodes.
func (n *Node) Witness() *Witness {
	return &Witness{node: n, began: time.Now(), at: map[string]int64{}}
}

// Doubts reports whether a node may have died a moment ago: a store notices that
// after the client that lost its connection. It is over when the node has renewed its
// lease or that has ended, and, if seen is enough, when the store has seen the node
// for seenTime.
func (w *Witness) Doubts(ctx context.Context, id string, seen bool) (bool, error) {
	if id == "" || id == w.node.id {
		return false, nil
	}
	stands, version, err := w.node.standing(ctx, id)
	switch {
	case err != nil:
		return false, err
	case stands == ended:
		return true, nil // since: whoever asks looks once more
	case stands == present && seen:
		return time.Since(w.began) < seenTime, nil
	}
	first, known := w.at[id]
	if !known {
		w.at[id], first = version, version
	}
	return version == first, nil
}

// Count returns how many nodes there are, this one among them, by their leases.
func (n *Node) Count(ctx context.Context) (count int, err error) {
	if n.records == nil {
		return 1, nil
	}
	for _, err := range Each(ctx, n.records, nodeAddress(""), "") {
		if err != nil {
			return 0, err
		}
		count++
	}
	return count, nil
}
