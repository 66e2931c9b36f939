package mcptool

import (
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/lately"
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
	known lately.Map[parley.Address, handedOne]
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
	h.known.Put(record.Address, handedOne{record, time.Now()}, handedMost)
}

// take returns a journal, once.
func (h *handed) take(at parley.Address) (parley.Record, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	found, there := h.known.Get(at)
	h.known.Delete(at)
	return found.record, there && time.Since(found.since) < handedFor
}
