package parley

import "context"

// watchRoom is how many hints wait for a slow reader before they become one that
// says to look at everything.
const watchRoom = 256

// Watch returns hints of requests that this hub opened, and of those that were
// settled, here or in another process that shares the store, until ctx ends. As with a
// store's, a hint may be late or repeated, and an empty id means that some may have
// been missed. Other processes' come only while the hub runs.
func (h *Hub) Watch(ctx context.Context) <-chan ID {
	hints := make(chan ID, watchRoom)
	h.mu.Lock()
	h.watchers[hints] = struct{}{}
	h.mu.Unlock()
	context.AfterFunc(ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.watchers, hints)
	})
	return hints
}

// opened tells all who watch of a request that was opened here, and who expects it.
func (h *Hub) opened(id ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.waiters[id] {
		poke(w, nil)
	}
	h.hint(id)
}

// hint tells all who watch. The caller holds the lock, so nobody else sends.
func (h *Hub) hint(id ID) {
	for hints := range h.watchers {
		select {
		case hints <- id:
			continue
		default:
		}
		for len(hints) > 0 {
			select {
			case <-hints:
			default: // the reader was faster
			}
		}
		hints <- ""
	}
}
