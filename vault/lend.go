package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// ErrNotOpen is for a tenant's server that would use the operator's client at a
// provider where the operator has not opened that, or for more than was opened.
var ErrNotOpen = errors.New("the operator has not opened this to servers of this tenant")

// everyOne in a list of tenants, or of integrations, stands for all of them.
const everyOne = "*"

// terms are what the operator lets servers of tenants do with a client.
type terms struct {
	what    string // as in the configuration
	tenants []string
	scopes  []string
}

func (p Provider) terms() terms {
	return terms{"providers." + p.Name, p.Tenants, orElse(p.AllowedScopes, p.Scopes)}
}

// terms of a service without scopes have those of its provider's.
func (s Service) terms(p Provider) terms {
	return terms{"services." + s.Name, s.Tenants, orElse(s.AllowedScopes, orElse(s.Scopes, p.terms().scopes))}
}

func orElse(list, other []string) []string {
	if len(list) > 0 {
		return list
	}
	return other
}

// refuses says why a tenant may not ask for these scopes, or nothing. member is
// what of a server or a service is at fault.
func (o terms) refuses(tenant string, scopes []string) (member string, err error) {
	if !slices.Contains(o.tenants, tenant) && !slices.Contains(o.tenants, everyOne) {
		return "provider", fmt.Errorf("%w: the operator can name the tenant in %s.tenants", ErrNotOpen, o.what)
	}
	for _, one := range scopes {
		if !slices.Contains(o.scopes, one) {
			return "scopes", fmt.Errorf("%w for the scope %.100q: the operator can add it to %s.allowed_scopes", ErrNotOpen, one, o.what)
		}
	}
	return "", nil
}

// issuance is where the tokens of a server come from.
type issuance struct {
	provider Provider
	service  Service // zero: the server names its provider itself
	scopes   []string
}

// admit says whether a server may ask for scopes with the client of its provider.
// Whoever brings the client decides: a tenant about its own, and the operator
// about the configuration's, for what a tenant has written: the server, or the
// service that says what is asked for.
func (s issuance) admit(tenant string, server Server) (member string, err error) {
	if s.provider.Tenant != "" || s.provider.server != "" || server.Tenant == "" && s.service.Tenant == "" {
		return "", nil
	}
	byService := s.service.Name != "" && s.service.Tenant == ""
	if byService {
		if member, err = s.service.terms(s.provider).refuses(tenant, s.scopes); err == nil {
			return "", nil
		}
	}
	byProvider, refusal := s.provider.terms().refuses(tenant, s.scopes)
	if refusal == nil || !byService {
		return byProvider, refusal
	}
	if member == "provider" {
		member = "service"
	}
	return member, err
}

// lent says why a server of the tenant cannot be stored as it is. A provider
// that is not there yet is no reason: it can be added later.
func (v *Vault) lent(ctx context.Context, tenant string, server Server) error {
	if server.Auth.Type != OAuth2 || server.Auth.Source != "" {
		return nil
	}
	server.Tenant = tenant
	from, err := v.resolve(ctx, tenant, server)
	if errors.Is(err, ErrUnknown) {
		return nil
	}
	if err != nil {
		return err
	}
	if member, err := from.admit(tenant, server); err != nil {
		return invalid("server", server.Name, []error{fmt.Errorf("auth.%s: %w", member, err)})
	}
	return nil
}

// lentService is the same for a service of the tenant.
func (v *Vault) lentService(ctx context.Context, tenant string, s Service) error {
	p, err := v.Provider(ctx, tenant, s.Provider)
	if errors.Is(err, ErrUnknown) {
		return nil
	}
	if err != nil {
		return err
	}
	s.Tenant = tenant
	if member, err := (issuance{provider: p, service: s, scopes: orElse(s.Scopes, p.Scopes)}).admit(tenant, Server{}); err != nil {
		return invalid("service", s.Name, []error{fmt.Errorf("%s: %w", member, err)})
	}
	return nil
}

// stillLent says whether a stored token of a tenant's server may be used. It was
// asked for when more was open, perhaps.
func (v *Vault) stillLent(ctx context.Context, server Server, key Key, s stored) error {
	if server.Tenant == "" || server.Auth.Type != OAuth2 {
		return nil
	}
	from, err := v.resolve(ctx, key.Tenant, server)
	if errors.Is(err, ErrUnknown) {
		return nil // it was removed; the token is as good as before
	}
	if err != nil {
		return err
	}
	if _, err := from.admit(key.Tenant, server); err != nil {
		return fmt.Errorf("server %s: %w", server.Name, err)
	}
	from.scopes = orElse(s.Asked, s.Scopes)
	if _, err := from.admit(key.Tenant, server); err != nil {
		return v.required(ctx, server, key, Missing, nil)
	}
	return nil
}

// SourceTerms are what the operator lets servers of tenants use of a source.
type SourceTerms struct {
	Tenants      []string // "*": every one
	Integrations []string // by name, of a server that names none its own; "*": every one
}

// refuses says why a server may not use what the source keeps. Those of the
// configuration may.
func (o SourceTerms) refuses(server Server) error {
	if server.Tenant == "" {
		return nil
	}
	if !slices.Contains(o.Tenants, server.Tenant) && !slices.Contains(o.Tenants, everyOne) {
		return fmt.Errorf("%w: the operator can name the tenant in %s.tenants", ErrNotOpen, server.Auth.Source)
	}
	if integration := cmp.Or(server.Auth.Integration, server.Name); !slices.Contains(o.Integrations, integration) && !slices.Contains(o.Integrations, everyOne) {
		return fmt.Errorf("%w for the integration %.100q: the operator can add it to %s.integrations", ErrNotOpen, integration, server.Auth.Source)
	}
	return nil
}
