package mcptool

import (
	"context"
	"sync"
	"time"
)

// putAwayTime is how long the same call waits for one that was just given up to
// be put away. A handler that goes on without its client is not waited for.
const putAwayTime = 2 * time.Second

// atWork knows the calls that this node works on. A client that gives up and
// calls again may be faster than the end of the first call: the second one then
// waits until the first has left its journal behind.
type atWork struct {
	mu    sync.Mutex
	calls map[string]map[*work]struct{} // by the prefix of their journals' keys
}

type work struct {
	givenUp <-chan struct{}
	over    chan struct{}
}

// begin notes a call. The returned function ends it.
func (w *atWork) begin(ctx context.Context, prefix string) (end func()) {
	one := &work{givenUp: ctx.Done(), over: make(chan struct{})}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls == nil {
		w.calls = map[string]map[*work]struct{}{}
	}
	if w.calls[prefix] == nil {
		w.calls[prefix] = map[*work]struct{}{}
	}
	w.calls[prefix][one] = struct{}{}
	return func() {
		close(one.over)
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.calls[prefix], one)
		if len(w.calls[prefix]) == 0 {
			delete(w.calls, prefix)
		}
	}
}

// await returns when the calls that were given up have been put away.
func (w *atWork) await(ctx context.Context, prefix string) {
	ctx, cancel := context.WithTimeout(ctx, putAwayTime)
	defer cancel()
	for _, one := range w.leaving(prefix) {
		select {
		case <-one.over:
		case <-ctx.Done():
			return
		}
	}
}

func (w *atWork) leaving(prefix string) (leaving []*work) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for one := range w.calls[prefix] {
		select {
		case <-one.givenUp:
			leaving = append(leaving, one)
		default:
		}
	}
	return leaving
}
