package demoprovider

import (
	"context"
	"maps"
	"sync"

	"github.com/luikyv/go-oidc/pkg/goidc"
)

const keptFlows = 10_000

// flows remembers authorization requests while a person looks at them. One that
// was answered is known no more: the library alone would grant it again.
type flows struct {
	mu   sync.Mutex
	kept *shelf[goidc.AuthnSession]
}

func newFlows() *flows {
	return &flows{kept: newShelf[goidc.AuthnSession](keptFlows)}
}

// SaveSession keeps the request. Of two answers to one request the second fails
// here, before anything is granted.
func (f *flows) SaveSession(_ context.Context, request *goidc.AuthnSession) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if kept, ok := f.kept.get(request.ID); ok && kept.Status != goidc.StatusPending {
		return goidc.NewError(goidc.ErrorCodeInvalidRequest, "the request was answered already")
	}
	saved := *request
	saved.Store = maps.Clone(request.Store)
	f.kept.put(saved.ID, saved)
	return nil
}

// Session returns the request with that id if it is still open.
func (f *flows) Session(_ context.Context, id string) (*goidc.AuthnSession, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	request, ok := f.kept.get(id)
	if !ok || request.Status != goidc.StatusPending {
		return nil, goidc.ErrNotFound
	}
	request.Store = maps.Clone(request.Store)
	return &request, nil
}
