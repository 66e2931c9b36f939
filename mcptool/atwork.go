package mcptool

import (
	"context"
	"sync"
	"time"
)

// putAwayTime is how long the same call waits for one that was just given up to
// be put away. A handler that goes on without its client is waited for if it has
// a journal: the same call goes on with that, and not beside it.
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
	gone    <-chan struct{} // the connection that hears its result has ended
	put     chan struct{}   // closed after that, when its journal says how it stands
	over    chan struct{}
	kept    func() bool // whether it has a journal that nobody else goes on with
}

// begin notes a call, whose result is heard until heard ends. The returned function
// ends it.
func (w *atWork) begin(ctx, heard context.Context, prefix string, kept func() bool) (one *work, end func()) {
	one = &work{givenUp: ctx.Done(), gone: heard.Done(), put: make(chan struct{}), over: make(chan struct{}), kept: kept}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls == nil {
		w.calls = map[string]map[*work]struct{}{}
	}
	if w.calls[prefix] == nil {
		w.calls[prefix] = map[*work]struct{}{}
	}
	w.calls[prefix][one] = struct{}{}
	return one, func() {
		close(one.over)
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.calls[prefix], one)
		if len(w.calls[prefix]) == 0 {
			delete(w.calls, prefix)
		}
	}
}

// await returns when the calls that were given up have been put away, or with why
// ctx ended first.
func (w *atWork) await(ctx context.Context, prefix string) error {
	leaving := w.leaving(prefix)
	if len(leaving) == 0 {
		return nil
	}
	patience := time.NewTimer(putAwayTime)
	defer patience.Stop()
	for _, one := range leaving {
		select {
		case <-one.over:
			continue
		case <-one.put:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-patience.C:
			patience.Reset(0)
		}
		if !one.kept() {
			continue
		}
		select {
		case <-one.over:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (w *atWork) leaving(prefix string) (leaving []*work) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for one := range w.calls[prefix] {
		select {
		case <-one.givenUp:
			leaving = append(leaving, one)
		case <-one.gone:
			leaving = append(leaving, one)
		default:
		}
	}
	return leaving
}
