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

// flightHeader leads from a request that the shortcut has begun to its flight.
// Nobody outside knows the ids.
const flightHeader = "Parley-Flight"

// flights are those that were begun by the shortcut: on their way to a client
// that can be told no more than a result, or to a call of mcpcall.
type flights struct {
	mu      sync.Mutex
	handed  map[string]*flight
	running map[flightKey]*flight
}

// flightKey is a client's name for a request.
type flightKey struct{ session, id string }

func (a *flights) init() {
	a.handed, a.running = map[string]*flight{}, map[flightKey]*flight{}
}

// handedFor is how long a flight waits for the call of a session's request.
const handedFor = 30 * time.Second

// hand leaves a flight to the call of the same request, which is told of it
// by the header of the request that is returned. One that nobody takes is closed:
// when the request is over, or, since requests of sessions outlive their
// connections, after a while.
func (a *flights) hand(ctx context.Context, f *flight, r *http.Request, session string) *http.Request {
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
	handed.Header.Set(flightHeader, id)
	return &handed
}

// begun reports whether a request is that of a flight which waits for its call.
func (a *flights) begun(header http.Header) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.handed[header.Get(flightHeader)] != nil
}

func (a *flights) take(id string) *flight {
	if id == "" {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	f := a.handed[id]
	delete(a.handed, id)
	return f
}

// run remembers a flight of a session while the shortcut waits for it, so that
// its client can cancel it.
func (a *flights) run(key flightKey, f *flight) (end func()) {
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

// cancelled ends the flight that a client of a session no longer wants.
func (a *flights) cancelled(session string, params json.RawMessage) {
	id, ok := mcpclient.Member(params, "requestId")
	if !ok {
		return
	}
	a.mu.Lock()
	f := a.running[flightKey{session, string(id)}]
	a.mu.Unlock()
	if f != nil {
		f.Abandon()
	}
}
