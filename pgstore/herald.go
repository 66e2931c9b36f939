package pgstore

import (
	"context"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
)

const (
	// heraldRoom is how many hints wait for their turn before they become one that
	// says to look at everything.
	heraldRoom = 10_000

	// heraldPause is how long a herald waits after it could not be heard.
	heraldPause = 200 * time.Millisecond

	// lastWords is how long Close waits for the hints that are still to be sent.
	lastWords = time.Second
)

// herald tells who watches of what this process settled. It does so after the
// commit and in batches: PostgreSQL lets commits that notify happen one at a time,
// each with its own write to the disk, in the whole database.
//
// A process that dies between commit and hint leaves waiters in others to their own
// looking: see Hub.LookAgain.
type herald struct {
	send func(context.Context, []string) error

	mu    sync.Mutex
	ids   []string
	awake chan struct{} // holds one value while there is something to send
	idle  chan struct{} // closed when the last words are said
}

func newHerald(send func(context.Context, []string) error) *herald {
	return &herald{send: send, awake: make(chan struct{}, 1), idle: make(chan struct{})}
}

// tell has a hint sent soon. It does not block.
func (h *herald) tell(id parley.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.keep(string(id))
}

// keep adds ids to those that are to be sent. The caller holds the lock.
func (h *herald) keep(ids ...string) {
	if h.ids = append(h.ids, ids...); len(h.ids) > heraldRoom {
		h.ids = []string{""}
	}
	select {
	case h.awake <- struct{}{}:
	default:
	}
}

func (h *herald) take() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	ids := h.ids
	h.ids = nil
	return ids
}

// run sends hints until closed is closed and what was told before is sent, or
// cannot be. What could not be sent is sent with what comes next.
func (h *herald) run(closed <-chan struct{}) {
	defer close(h.idle)
	open, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-closed:
			cancel()
		case <-open.Done():
		}
	}()
	for open.Err() == nil {
		select {
		case <-h.awake:
			if !h.deliver(open, answerTime) {
				patience.Sleep(open, heraldPause)
			}
		case <-open.Done():
		}
	}
	h.deliver(context.Background(), lastWords)
}

// deliver sends what there is, and keeps it if that fails.
func (h *herald) deliver(ctx context.Context, within time.Duration) bool {
	ids := h.take()
	if len(ids) == 0 {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	if h.send(ctx, ids) == nil {
		return true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.keep(ids...)
	return false
}
