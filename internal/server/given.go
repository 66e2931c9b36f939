package server

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/mcpcall/toolbox"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

// boxes are toolboxes of servers of the management API. A server that moves, or
// comes to want a credential, gets another one.
type boxes struct {
	mu     sync.Mutex
	all    map[boxKey]*toolbox.Box
	closed bool
}

type boxKey struct {
	tenant, server, url string
	auth                vault.AuthType
}

// given returns the toolboxes of the servers that the management API gives to
// the caller's agent.
func (s *Server) given(ctx context.Context, who agent.Caller) ([]agent.Toolbox, error) {
	tenant := cmp.Or(who.Tenant, parley.DefaultTenant)
	all, err := s.servers.List(ctx, tenant)
	if err != nil {
		return nil, err
	}
	var list []agent.Toolbox
	there := map[boxKey]bool{}
	for _, one := range all {
		key := keyOf(tenant, one)
		there[key] = true
		if one.Configured || !one.Enabled || !slices.Contains(one.Agents, who.Agent) {
			continue
		}
		box, err := s.boxes.get(key, toolbox.Options{
			Name: one.Name, URL: one.URL, Access: s.access(one.Name, one.Auth.Type, one.Namer()), PublicURL: s.cfg.PublicURL,
			CallTime: s.cfg.Limits.Call(), Hub: s.Hub, Permits: s.Permits, Records: seal.Records(s.store, s.keys, nil), Logger: s.opts.Logger,
		})
		if err != nil {
			return nil, err
		}
		list = append(list, box.Ruled(one.Title, one.Approve))
	}
	return list, s.boxes.prune(tenant, there)
}

func keyOf(tenant string, one api.Server) boxKey {
	return boxKey{tenant, one.Name, one.URL, one.Auth.Type}
}

func (b *boxes) get(key boxKey, opts toolbox.Options) (*toolbox.Box, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if box := b.all[key]; box != nil {
		return box, nil
	}
	if b.closed {
		return nil, errors.New("the server is closed")
	}
	box, err := toolbox.New(opts)
	if err != nil {
		return nil, err
	}
	if b.all == nil {
		b.all = map[boxKey]*toolbox.Box{}
	}
	b.all[key] = box
	return box, nil
}

// prune closes the boxes of a tenant's servers that are not there any more. A
// call that is under way ends without a result.
func (b *boxes) prune(tenant string, there map[boxKey]bool) error {
	return b.drop(func(key boxKey) bool { return key.tenant == tenant && !there[key] })
}

func (b *boxes) drop(which func(boxKey) bool) error {
	var gone []*toolbox.Box
	b.mu.Lock()
	maps.DeleteFunc(b.all, func(key boxKey, box *toolbox.Box) bool {
		if !which(key) {
			return false
		}
		gone = append(gone, box)
		return true
	})
	b.mu.Unlock()
	var problems []error
	for _, box := range gone {
		problems = append(problems, box.Close())
	}
	return errors.Join(problems...)
}

// close closes all.
func (b *boxes) close() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	return b.drop(func(boxKey) bool { return true })
}
