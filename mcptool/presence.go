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

// dead reports whether a node has certainly ended: its lease is over, or it attended
// and the store misses it. In doubt it is alive.
func (n *node) dead(ctx context.Context, id string) (bool, error) {
	_, alive, err := n.find(ctx, id)
	if err != nil || !alive {
		return err == nil, err
	}
	if id == n.id || n.attendance == nil {
		return false, nil
	}
	before, attends, err := n.look(ctx, id)
	if err != nil || !attends {
		return errors.Is(err, parley.ErrNotFound), notMissing(err)
	}
	absent, err := n.attendance.Absent(ctx, id)
	if err != nil || !absent {
		return false, nil // in doubt it is alive
	}
	after, _, err := n.look(ctx, id)
	if err != nil || after != before { // only its connection had broken
		return errors.Is(err, parley.ErrNotFound), notMissing(err)
	}
	n.remember(id, foundNode{until: time.Now().Add(foundFor)})
	return true, nil
}

// look returns the version of a node's record as it is now, and whether the node
// attends.
func (n *node) look(ctx context.Context, id string) (version int64, attends bool, err error) {
	record, r, err := n.load(ctx, id)
	return record.Version, r.There, err
}

func notMissing(err error) error {
	if errors.Is(err, parley.ErrNotFound) {
		return nil
	}
	return err
}
