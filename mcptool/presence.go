package mcptool

import (
	"context"
	"errors"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
)

// A node that is killed keeps its lease for some seconds. A store that knows who
// attends tells sooner. Nobody else does: an address that nobody answers at, or
// another node, may be a balancer's, or lead elsewhere from here.

// attend lets the others know at once when this process ends, where the store can.
func (n *node) attend(ctx context.Context) {
	if n.attendance == nil {
		return
	}
	for failed := false; ctx.Err() == nil; {
		stood := false
		err := n.attendance.Attend(ctx, n.id, func() {
			stood = true
			n.stand(true)
		})
		n.stand(false)
		if ctx.Err() != nil || errors.Is(err, errors.ErrUnsupported) {
			return
		}
		if stood || !failed {
			n.logger.WarnContext(ctx, "attendance not told: the end of this node is noticed by its lease", "node", n.id, "err", err)
		}
		failed = !stood
		patience.Sleep(ctx, 250*time.Millisecond)
	}
}

// stand notes whether the node attends, and has its record say so without delay:
// who finds it absent reads that once more.
func (n *node) stand(there bool) {
	n.mu.Lock()
	changed := n.there != there
	n.there = there
	n.mu.Unlock()
	if !changed {
		return
	}
	select {
	case n.changed <- struct{}{}:
	default:
	}
}

// standing is what is known of another node.
type standing int

const (
	inDoubt standing = iota // its lease runs: it may have ended since it was renewed
	present
	ended
)

// dead reports whether a node has certainly ended: its lease is over, or it attended
// and the store misses it. In doubt it is alive.
func (n *node) dead(ctx context.Context, id string) (bool, error) {
	stands, _, err := n.standing(ctx, id)
	return stands == ended, err
}

// standing tells how a node stands, and the version of its record, which grows while
// the node is there.
func (n *node) standing(ctx context.Context, id string) (standing, int64, error) {
	_, alive, err := n.find(ctx, id)
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
	if errors.Is(err, parley.ErrNotFound) {
		return ended, 0, nil
	}
	return inDoubt, version, err
}

// look returns the version of a node's record as it is now, and whether the node
// attends.
func (n *node) look(ctx context.Context, id string) (version int64, attends bool, err error) {
	record, r, err := n.load(ctx, id)
	return record.Version, r.There, err
}

// seenTime is how long a node that has died may look as if it were there: its
// connections are closed at once, and noticed under load.
const seenTime = time.Second

// A witness has seen how other nodes stood for a while.
type witness struct {
	node  *node
	began time.Time
	at    map[string]int64 // the version first seen of a node's record
}

func (n *node) witness() *witness {
	return &witness{node: n, began: time.Now(), at: map[string]int64{}}
}

// doubts reports whether a node may have died a moment ago: a store notices that
// after the client that lost its connection. It is over when the node has renewed its
// lease or that has ended, and, if seen is enough, when the store has seen the node
// for seenTime.
func (w *witness) doubts(ctx context.Context, id string, seen bool) (bool, error) {
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
