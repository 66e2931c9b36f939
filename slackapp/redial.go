package slackapp

import (
	"net/http"
	"sync"
	"time"

	"github.com/parley-hq/parley/internal/patience"
)

// How soon another socket is asked for.
const (
	longLived    = 30 * time.Second // one that lived so long may be followed at once
	firstRedial  = 500 * time.Millisecond
	slowestRetry = time.Minute
)

// redial asks Slack for sockets: for one at once, and for others after pauses that grow
// while they end soon. Slack itself counts how often it is asked.
type redial struct {
	to interface {
		Do(*http.Request) (*http.Response, error)
	}

	mu    sync.Mutex
	last  time.Time
	pause time.Duration
}

// Do makes a call when it is time.
func (r *redial) Do(req *http.Request) (*http.Response, error) {
	if !patience.Sleep(req.Context(), r.next()) {
		return nil, req.Context().Err()
	}
	return r.to.Do(req)
}

// next is how long it is until the call that is to be made now.
func (r *redial) next() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pause = min(max(2*r.pause, firstRedial), slowestRetry)
	if time.Since(r.last) > max(longLived, 2*r.pause) {
		r.pause = 0
	}
	wait := max(0, time.Until(r.last.Add(r.pause)))
	r.last = time.Now().Add(wait)
	return wait
}
