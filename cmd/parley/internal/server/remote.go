package server

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/parley-hq/parley/a2a/remote"
	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpcall/toolbox"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

// ofOthers is what models are told of an agent elsewhere that nobody describes.
const ofOthers = "It is an agent of others."

// remote is an agent of the configuration that is elsewhere.
func (s *Server) remote(name string, c config.Agent) (*remote.Remote, error) {
	opts := s.elsewhere(c.Vault(name), outbound.Operator)
	opts.Description, opts.TTL = cmp.Or(c.Description, ofOthers), config.Lasts(c.TTL)
	there, err := remote.New(opts)
	if err == nil {
		s.remotes = append(s.remotes, there)
	}
	return there, err
}

// elsewhere is how an agent elsewhere is reached: the way is that of whoever wrote its
// URL, and the vault has the credential that it takes.
func (s *Server) elsewhere(one vault.Server, by outbound.Namer) *remote.Options {
	way := s.stream.For(by).Transport
	opts := &remote.Options{
		Name: one.Name, Title: one.Title, URL: one.URL, Base: way, Cards: s.client.For(by).Transport,
		Hub: s.Hub, Records: seal.Records(s.store, s.keys, nil), PublicURL: s.cfg.PublicURL, CallTime: s.cfg.Limits.Call(), Logger: s.opts.Logger,
	}
	if one.Auth.Type != "" && one.Auth.Type != vault.None {
		opts.Access = &toolbox.Account{Name: one.Name, Title: one.Title, Vault: s.Vault, Base: way, Unready: chat.NoOAuthURL, Unprovided: chat.NoConnectedService}
	}
	return opts
}

// delegates are the agents elsewhere of the management API, as long as they stay what
// they are: their cards are kept here, and nothing else.
type delegates struct {
	mu  sync.Mutex
	all map[delegateKey]*remote.Remote
}

// delegateKey is all that makes an agent of the management API.
type delegateKey struct {
	tenant, name, title, url, door string
	approve                        permit.Rule
}

// maxDelegates is how many agents of the API are known at a time. All are forgotten when
// there are more: their cards are read again.
const maxDelegates = 1000

// delegate is an agent elsewhere of the management API.
func (s *Server) delegate(tenant string, one api.Server) (*remote.Remote, error) {
	key := delegateKey{tenant, one.Name, one.Title, one.URL, doorOf(one.Auth), one.Approve}
	s.delegates.mu.Lock()
	defer s.delegates.mu.Unlock()
	if there := s.delegates.all[key]; there != nil {
		return there, nil
	}
	opts := s.elsewhere(one.Server, one.Namer())
	opts.Tenant, opts.Door = tenant, key.door
	opts.Leave = s.leaves.Of(mcpcall.Server{Name: one.Name, Title: one.Title, URL: one.URL, Approve: one.Approve})
	there, err := remote.New(opts)
	if err != nil {
		return nil, err
	}
	if s.delegates.all == nil || len(s.delegates.all) >= maxDelegates {
		s.delegates.all = map[delegateKey]*remote.Remote{}
	}
	s.delegates.all[key] = there
	return there, nil
}

// doorOf tells one kind of credential from another. A token that is replaced is the same.
func doorOf(a vault.Auth) string {
	if a.Type == "" || a.Type == vault.None {
		return ""
	}
	return strings.Join([]string{string(a.Type), string(a.Scope), a.Provider, a.Service, a.Issuer, a.Source, a.Integration, a.Header}, "|")
}

// delegated reports whether a server of the management API is an agent elsewhere that
// others may delegate to. One that has the name of an agent of the configuration, which
// came later, is none.
func (s *Server) delegated(one api.Server) bool {
	_, taken := s.cfg.Agents[one.Name]
	return one.Protocol == vault.A2A && !one.Configured && one.Enabled && !taken
}

// lookout looks after the questions of the agents of the management API.
func (s *Server) lookout() remote.Lookout {
	return remote.Lookout{Hub: s.Hub, Records: seal.Records(s.store, s.keys, nil), Logger: s.opts.Logger, Find: func(ctx context.Context, tenant, name string) (*remote.Remote, error) {
		one, err := s.servers.Get(ctx, tenant, name)
		switch {
		case errors.Is(err, vault.ErrUnknown):
			return nil, nil
		case err != nil || !s.delegated(one):
			return nil, err
		}
		return s.delegate(tenant, one)
	}}
}

// elsewhereStatus is how an agent elsewhere is, by its card and the credential that
// somebody has to provide.
func (s *Server) elsewhereStatus(ctx context.Context, tenant string, one api.Server) (api.Status, error) {
	var there *remote.Remote
	var err error
	switch _, taken := s.cfg.Agents[one.Name]; {
	case one.Configured:
		there = s.configured(one.Name)
	case taken:
		return api.Status{State: api.Down, Error: "The configuration has an agent of this name by now: remove this one, and add it under another name."}, nil
	default:
		there, err = s.delegate(tenant, one)
	}
	if err != nil || there == nil {
		return api.Status{State: api.Unknown}, err
	}
	since, problem := there.Status(ctx)
	if problem != nil {
		return api.Status{State: api.Down, Error: problem.Error(), Since: since}, nil
	}
	if one.Auth.Scope == vault.Platform {
		if _, err := s.Vault.Credential(ctx, vault.Need{Tenant: tenant, Server: one.Name}); errors.Is(err, vault.ErrRequired) {
			return api.Status{State: api.NeedsConnection}, nil
		}
	}
	return api.Status{State: api.Up, Since: since}, nil
}

// configured is an agent elsewhere of the configuration.
func (s *Server) configured(name string) *remote.Remote {
	for _, there := range s.remotes {
		if there.Name() == name {
			return there
		}
	}
	return nil
}
