package mcpbridge

import (
	"context"
	"encoding/json"
	"sync"
)

// call is a request of the client that has no answer yet.
type call struct {
	key     string
	modern  bool
	cancel  context.CancelCauseFunc
	sent    func()        // the server has the request, or never will
	isSent  chan struct{} // closed by sent
	heard   func()        // the server gave a sign of life, or never will
	isHeard chan struct{} // closed by heard

	// Guarded by calls.mu.
	session int  // the number of the session that it is made in
	taken   bool // the server said that it works on it
	ended   bool // somebody cancelled it
}

// calls are the open requests of the client. The zero value is empty.
type calls struct {
	mu   sync.Mutex
	open map[string]*call
}

// add enters a request, whose context ends with it, or returns nil if there is
// one with its id.
func (cs *calls) add(ctx context.Context, m *message) (context.Context, *call) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	key := string(m.id)
	if cs.open[key] != nil {
		return nil, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	c := &call{key: key, modern: m.modern(), cancel: cancel, isSent: make(chan struct{}), isHeard: make(chan struct{})}
	c.sent = sync.OnceFunc(func() { close(c.isSent) })
	c.heard = sync.OnceFunc(func() { close(c.isHeard) })
	if cs.open == nil {
		cs.open = map[string]*call{}
	}
	cs.open[key] = c
	return ctx, c
}

// release frees the id of a request. It comes before the answer: the client may
// use the id again as soon as it has that.
func (cs *calls) release(c *call) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.open[c.key] == c {
		delete(cs.open, c.key)
	}
}

// remove ends a request.
func (cs *calls) remove(c *call) {
	cs.release(c)
	c.sent()
	c.heard()
	c.cancel(nil)
}

// find returns the open request with an id, or nil.
func (cs *calls) find(id json.RawMessage) *call {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return cs.open[string(id)]
}

// enter notes the session that a request is made in.
func (cs *calls) enter(c *call, session int) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c.session = session
}

// take notes that the server works on a request.
func (cs *calls) take(c *call) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c.taken = true
}

// underWay reports whether the server works on requests of a session, other than
// self.
func (cs *calls) underWay(session int, self *call) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.open {
		if c != self && c.session == session && c.taken && !c.ended && !c.modern {
			return true
		}
	}
	return false
}

// fail ends all requests of a session but self.
func (cs *calls) fail(session int, self *call, cause error) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.open {
		if c != self && c.session == session && !c.modern {
			c.ended = true
			c.cancel(cause)
		}
	}
}
