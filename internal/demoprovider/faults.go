package demoprovider

import (
	"context"
	"net/http"
	"sync"
)

// Failure is a way not to work.
type Failure int

const (
	// Healthy answers as usual.
	Healthy Failure = iota
	// Down answers every request with 503.
	Down
	// Stalled answers nothing: every request waits until the failure ends or its
	// client gives up.
	Stalled
)

// faults is how the provider is made to fail, and what it has counted.
type faults struct {
	mu      sync.Mutex
	mode    Failure
	changed chan struct{} // closed when mode changes
	tokens  map[string]int
}

func newFaults() *faults {
	return &faults{changed: make(chan struct{}), tokens: map[string]int{}}
}

// Fail makes the provider fail from now on, or work again with [Healthy].
func (p *Provider) Fail(mode Failure) {
	p.faults.mu.Lock()
	defer p.faults.mu.Unlock()
	p.faults.mode = mode
	close(p.faults.changed)
	p.faults.changed = make(chan struct{})
}

// TokenRequests returns how many requests for a grant type, such as
// refresh_token, have reached the token endpoint, good or bad; those that it
// fails on purpose count too. An empty grant type counts all.
func (p *Provider) TokenRequests(grantType string) int {
	p.faults.mu.Lock()
	defer p.faults.mu.Unlock()
	if grantType != "" {
		return p.faults.tokens[grantType]
	}
	n := 0
	for _, count := range p.faults.tokens {
		n += count
	}
	return n
}

func (f *faults) countToken(grantType string) {
	switch grantType {
	case "authorization_code", "refresh_token":
	default:
		grantType = "other" // what clients make up does not fill the map
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tokens[grantType]++
}

// wait returns when the provider is not stalled, and whether it is down.
func (f *faults) wait(ctx context.Context) (down bool, err error) {
	for {
		f.mu.Lock()
		mode, changed := f.mode, f.changed
		f.mu.Unlock()
		if mode != Stalled {
			return mode == Down, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// failing stands before everything else.
func (f *faults) failing(w http.ResponseWriter, r *http.Request) bool {
	down, err := f.wait(r.Context())
	if down {
		http.Error(w, "The demo provider is down on purpose.", http.StatusServiceUnavailable)
	}
	return down || err != nil
}
