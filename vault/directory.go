package vault

import (
	"context"
	"fmt"
	"strings"
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

// PutServer stores a tenant's own server.
func (v *Vault) PutServer(ctx context.Context, tenant string, s Server) error {
	if err := s.Validate(); err != nil {
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

// PutService stores a tenant's own service.
func (v *Vault) PutService(ctx context.Context, tenant string, s Service) error {
	if err := s.Validate(); err != nil {
		return err
	}
	return v.services.put(ctx, tenantOf(tenant), s)
}

// RemoveService forgets a tenant's own service.
func (v *Vault) RemoveService(ctx context.Context, tenant, name string) error {
	return v.services.remove(ctx, tenantOf(tenant), name)
}

// authority returns the provider that issues tokens for a server, and the
// scopes to ask for.
func (v *Vault) authority(ctx context.Context, tenant string, server Server) (Provider, []string, error) {
	if server.Auth.Type == MCP {
		return v.discover(ctx, tenant, server)
	}
	name, scopes := server.Auth.Provider, server.Auth.Scopes
	if server.Auth.Service != "" {
		service, err := v.Service(ctx, tenant, server.Auth.Service)
		if err != nil {
			return Provider{}, nil, fmt.Errorf("server %s: %w", server.Name, err)
		}
		name = service.Provider
		if len(scopes) == 0 {
			scopes = service.Scopes
		}
	}
	p, err := v.Provider(ctx, tenant, name)
	if err != nil {
		return Provider{}, nil, fmt.Errorf("server %s: %w", server.Name, err)
	}
	if len(scopes) == 0 {
		scopes = p.Scopes
	}
	return p, scopes, nil
}

// scopes is what will be asked for, as far as that is known without asking the
// server.
func (v *Vault) scopes(ctx context.Context, tenant string, server Server) ([]string, error) {
	if server.Auth.Type != OAuth2 || server.Auth.Source != "" {
		return server.Auth.Scopes, nil
	}
	_, scopes, err := v.authority(ctx, tenant, server)
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
