package gateway

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

// begunHeader leads from a client's request to the one that the shortcut has begun for it.
// Nobody outside knows the ids.
const begunHeader = "Parley-Begun"

// requests are those that were begun by the shortcut: on their way to a client
// that can be told no more than a result, or to a call of mcpcall.
type requests struct {
	mu      sync.Mutex
	handed  map[string]*request
	running map[requestKey]*request
}

// requestKey is a client's name for a request.
type requestKey struct{ session, id string }

func (a *requests) init() {
	a.handed, a.running = map[string]*request{}, map[requestKey]*request{}
}

// handedFor is how long a request waits for the call of a session's request.
const handedFor = 30 * time.Second

// hand leaves a request to the call that it was begun for, which is told of it
// by the header of the request that is returned. One that nobody takes is closed:
// when the request is over, or, since requests of sessions outlive their
// connections, after a while.
func (a *requests) hand(ctx context.Context, f *request, r *http.Request, session string) *http.Request {
	id := rand.Text()
	a.mu.Lock()
	a.handed[id] = f
	a.mu.Unlock()
	drop := func() {
		if f := a.take(id); f != nil {
			f.Close()
		}
	}
	if session == "" {
		context.AfterFunc(r.Context(), drop)
	} else {
		waiting, over := context.WithTimeout(ctx, handedFor)
		context.AfterFunc(waiting, func() {
			over()
			drop()
		})
	}
	handed := *r
	handed.Header = r.Header.Clone()
	handed.Header.Set(begunHeader, id)
	return &handed
}

// begun reports whether one was begun for a client's request and waits for its call.
func (a *requests) begun(header http.Header) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.handed[header.Get(begunHeader)] != nil
}

func (a *requests) take(id string) *request {
	if id == "" {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	f := a.handed[id]
	delete(a.handed, id)
	return f
}

// run remembers a request of a session while the shortcut waits for it, so that
// its client can cancel it.
func (a *requests) run(key requestKey, f *request) (end func()) {
	if key.session == "" {
		return func() {}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.running[key] = f
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.running[key] == f {
			delete(a.running, key)
		}
	}
}

// cancelled ends the request that a client of a session no longer wants.
func (a *requests) cancelled(session string, params json.RawMessage) {
	id, ok := mcpclient.Member(params, "requestId")
	if !ok {
		return
	}
	a.mu.Lock()
	f := a.running[requestKey{session, string(id)}]
	a.mu.Unlock()
	if f != nil {
		f.Abandon()
	}
}
