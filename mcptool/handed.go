package mcptool

import (
	"sync"
	"time"

	"github.com/parley-hq/parley"
)

const (
	handedMost  = 256         // calls
	handedBytes = 16 << 10    // of the journal of one
	handedFor   = time.Minute // since it was written
)

// handed are the journals of the calls whose requestStates this node has handed out a moment
// ago: who comes back does not read what this process has just written. Another node may
// have gone on with the call; then the journal has another version by now.
type handed struct {
	mu    sync.Mutex
	known map[parley.Address]handedOne
	order [handedMost]parley.Address // whose place is taken next: that of next
	next  int
}

type handedOne struct {
	record parley.Record
	since  time.Time
}

func (h *handed) add(record parley.Record) {
	if len(record.Data) > handedBytes {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.known == nil {
		h.known = map[parley.Address]handedOne{}
	}
	if _, there := h.known[record.Address]; !there {
		delete(h.known, h.order[h.next])
		h.order[h.next] = record.Address
		h.next = (h.next + 1) % handedMost
	}
	h.known[record.Address] = handedOne{record, time.Now()}
}

// take returns a journal, once.
func (h *handed) take(at parley.Address) (parley.Record, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	found, there := h.known[at]
	delete(h.known, at)
	return found.record, there && time.Since(found.since) < handedFor
}
