package parley

import (
	"context"
	"sync/atomic"
)

// memoryWatcher carries hints from Settle, which holds the store's lock, to the
// goroutine that waits in Watch.
type memoryWatcher struct {
	ids  chan ID
	lost atomic.Bool // the channel was full: say so once it has room again
}

func (w *memoryWatcher) hint(id ID) {
	select {
	case w.ids <- id:
	default:
		w.lost.Store(true)
	}
}

// Watch implements Store.
func (m *MemoryStore) Watch(ctx context.Context, settled func(ID)) error {
	w := &memoryWatcher{ids: make(chan ID, 1024)}
	m.mu.Lock()
	m.watchers[w] = struct{}{}
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		delete(m.watchers, w)
		m.mu.Unlock()
	}()
	settled("")
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case id := <-w.ids:
			// A hint is lost only while the channel is full, so one is always
			// left in it to come by here afterwards.
			if w.lost.Swap(false) {
				settled("")
			}
			settled(id)
		}
	}
}
