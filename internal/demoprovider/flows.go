package demoprovider

import (
	"crypto/rand"
	"sync"
	"time"
)

const (
	keptFlows = 10_000
	flowTTL   = 30 * time.Minute
)

// flow is an authorization request while a person looks at it.
type flow struct {
	id, client, redirectURI   string
	state, nonce, challenge   string
	scopes, resources, prompt []string
	maxAge                    *int // in seconds
	hint                      string
	opened                    time.Time

	loggedIn string // the user who signed in within this flow
	shownTo  string // the user whose consent page was shown
}

// flows remembers authorization requests until they are answered.
type flows struct {
	mu   sync.Mutex
	kept *shelf[flow]
}

func newFlows() *flows { return &flows{kept: newShelf[flow](keptFlows)} }

// open keeps a request and returns it with its id.
func (f *flows) open(request flow) flow {
	f.mu.Lock()
	defer f.mu.Unlock()
	request.id, request.opened = rand.Text(), time.Now()
	f.kept.put(request.id, request)
	return request
}

// get returns a request that is open.
func (f *flows) get(id string) (flow, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.read(id)
}

// change keeps what change makes of a request that is open.
func (f *flows) change(id string, change func(*flow)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if request, ok := f.read(id); ok {
		change(&request)
		f.kept.put(id, request)
	}
}

// take ends a request. Of several who answer it at once one takes it.
func (f *flows) take(id string) (flow, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	request, ok := f.read(id)
	f.kept.drop(id)
	return request, ok
}

func (f *flows) read(id string) (flow, bool) {
	request, ok := f.kept.get(id)
	return request, ok && time.Since(request.opened) < flowTTL
}
