package vault

import (
	"context"
	"fmt"
	"strings"

	"github.com/parley-hq/parley"
)

// Server returns a server with its defaults filled in, or ErrUnknown.
func (v *Vault) Server(ctx context.Context, tenant, name string) (Server, error) {
	s, own, err := v.servers.get(ctx, tenantOf(tenant), name)
	if err != nil {
		return Server{}, err
	}
	if own {
		s.Tenant = tenantOf(tenant)
	}
	return s.withDefaults(), nil
}

// HasSource reports whether a source of credentials is there: a server names its
// by Auth.Source.
func (v *Vault) HasSource(name string) bool {
	_, ok := v.opts.Sources[name]
	return ok
}

// Servers returns the tenant's servers.
func (v *Vault) Servers(ctx context.Context, tenant string) ([]Server, error) {
	all, own, err := v.servers.list(ctx, tenantOf(tenant))
	for i := range all {
		all[i] = all[i].withDefaults()
		if own[all[i].Name] {
			all[i].Tenant = tenantOf(tenant)
		}
	}
	return all, err
}

// CheckServer says why a server cannot be a tenant's own: what is wrong with it,
// that people could take it for one of the operator's, and ErrNotOpen when it would
// use a client of the operator's that is not open to the tenant. All are ErrInvalid.
func (v *Vault) CheckServer(ctx context.Context, tenant string, s Server) error {
	if err := s.Validate(); err != nil {
		return err
	}
	if err := invalid("server", s.Name, s.passesFor(v.servers.configured)); err != nil {
		return err
	}
	return v.lent(ctx, tenantOf(tenant), s)
}

// PutServer stores a tenant's own server. Errors as of CheckServer.
func (v *Vault) PutServer(ctx context.Context, tenant string, s Server) error {
	if err := v.CheckServer(ctx, tenant, s); err != nil {
		return err
	}
	return v.servers.put(ctx, tenantOf(tenant), s)
}

// RemoveServer forgets a tenant's own server. Its connections stay until they
// are disconnected.
func (v *Vault) RemoveServer(ctx context.Context, tenant, name string) error {
	return v.servers.remove(ctx, tenantOf(tenant), name)
}

// Provider returns a provider, or ErrUnknown.
func (v *Vault) Provider(ctx context.Context, tenant, name string) (Provider, error) {
	p, own, err := v.providers.get(ctx, tenantOf(tenant), name)
	if own {
		p.Tenant = tenantOf(tenant)
	}
	return p, err
}

// Providers returns the tenant's providers.
func (v *Vault) Providers(ctx context.Context, tenant string) ([]Provider, error) {
	all, own, err := v.providers.list(ctx, tenantOf(tenant))
	for i := range all {
		if own[all[i].Name] {
			all[i].Tenant = tenantOf(tenant)
		}
	}
	return all, err
}

// PutProvider stores a tenant's own provider.
func (v *Vault) PutProvider(ctx context.Context, tenant string, p Provider) error {
	if err := p.Validate(); err != nil {
		return err
	}
	return v.providers.put(ctx, tenantOf(tenant), p)
}

// RemoveProvider forgets a tenant's own provider.
func (v *Vault) RemoveProvider(ctx context.Context, tenant, name string) error {
	return v.providers.remove(ctx, tenantOf(tenant), name)
}

// Service returns a service, or ErrUnknown.
func (v *Vault) Service(ctx context.Context, tenant, name string) (Service, error) {
	s, own, err := v.services.get(ctx, tenantOf(tenant), name)
	if own {
		s.Tenant = tenantOf(tenant)
	}
	return s, err
}

// Services returns the tenant's services.
func (v *Vault) Services(ctx context.Context, tenant string) ([]Service, error) {
	all, own, err := v.services.list(ctx, tenantOf(tenant))
	for i := range all {
		if own[all[i].Name] {
			all[i].Tenant = tenantOf(tenant)
		}
	}
	return all, err
}

// PutService stores a tenant's own service. ErrNotOpen as of CheckServer.
func (v *Vault) PutService(ctx context.Context, tenant string, s Service) error {
	if err := s.Validate(); err != nil {
		return err
	}
	if err := v.lentService(ctx, tenantOf(tenant), s); err != nil {
		return err
	}
	return v.services.put(ctx, tenantOf(tenant), s)
}

// RemoveService forgets a tenant's own service.
func (v *Vault) RemoveService(ctx context.Context, tenant, name string) error {
	return v.services.remove(ctx, tenantOf(tenant), name)
}

// authority returns the provider that issues tokens for a server, and the scopes
// to ask for: the usual ones, and more if the server asked for it. ErrNotOpen when
// the server may not ask for them with that provider's client.
func (v *Vault) authority(ctx context.Context, tenant string, server Server, more []string) (Provider, []string, error) {
	from, err := v.resolve(ctx, tenant, server)
	if err != nil {
		return Provider{}, nil, err
	}
	from.scopes = union(from.scopes, more)
	if _, err := from.admit(tenant, server); err != nil {
		return Provider{}, nil, fmt.Errorf("server %s: %w", server.Name, err)
	}
	return from.provider, from.scopes, nil
}

// consent is authority for a request that a person is sent to the provider with.
func (v *Vault) consent(ctx context.Context, tenant string, server Server, q parley.Request) (Provider, []string, error) {
	p, scopes, err := v.authority(ctx, tenant, server, strings.Fields(q.Labels[LabelScopes]))
	if err != nil {
		return p, scopes, err
	}
	return p, scopes, invalid("provider", p.Name, p.paramProblems())
}

// resolve finds where the tokens of a server come from.
func (v *Vault) resolve(ctx context.Context, tenant string, server Server) (from issuance, err error) {
	if server.Auth.Type == MCP {
		from.provider, from.scopes, err = v.discover(ctx, tenant, server)
		return from, err
	}
	name := server.Auth.Provider
	if server.Auth.Service != "" {
		if from.service, err = v.Service(ctx, tenant, server.Auth.Service); err != nil {
			return from, fmt.Errorf("server %s: %w", server.Name, err)
		}
		name = from.service.Provider
	}
	if from.provider, err = v.Provider(ctx, tenant, name); err != nil {
		return from, fmt.Errorf("server %s: %w", server.Name, err)
	}
	from.scopes = orElse(server.Auth.Scopes, orElse(from.service.Scopes, from.provider.Scopes))
	return from, nil
}

// scopes is what will be asked for, as far as that is known without asking the
// server, and more if the server asked for it.
func (v *Vault) scopes(ctx context.Context, tenant string, server Server, more []string) ([]string, error) {
	if server.Auth.Type != OAuth2 || server.Auth.Source != "" {
		return union(server.Auth.Scopes, more), nil
	}
	_, scopes, err := v.authority(ctx, tenant, server, more)
	return scopes, err
}

// RedirectURI is the provider's own callback, as it has to be registered there:
// no two providers share one.
func (v *Vault) RedirectURI(p Provider) string {
	return v.opts.PublicURL + "/oauth/callback/" + pathSegment(p.Slug())
}

// pathSegment escapes what a tenant's name may hold besides the plain
// characters.
func pathSegment(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-_.~", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
