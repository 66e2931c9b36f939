package vault

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/sync/singleflight"

	"github.com/parley-hq/parley/outbound"
)

const (
	// discoveryTTL is how long a server's word about its authorization is
	// taken, so that a person who connects does not make us ask three times.
	discoveryTTL = 5 * time.Minute
	// discoveryTimeout bounds all requests of one discovery together, and those
	// of one registration. Whoever holds the lease on a refresh has time for a
	// discovery and a token request.
	discoveryTimeout = leaseTime - tokenTimeout - 2*time.Second
)

// discovery is what an MCP server and the authorization server that it names
// say about themselves. Nothing in it is secret, or any person's.
type discovery struct {
	resource string   // what tokens are asked for (RFC 8707)
	scopes   []string // what the server asks for
	metadata oauthex.AuthServerMeta
	until    time.Time
}

// discoveries remembers what was found, never what failed. Its zero value is
// ready.
type discoveries struct {
	running       singleflight.Group
	registrations singleflight.Group

	mu    sync.Mutex
	found map[string]discovery
}

func (d *discoveries) recall(key string, now time.Time) (discovery, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	one, ok := d.found[key]
	return one, ok && now.Before(one.until)
}

func (d *discoveries) keep(key string, one discovery, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.found == nil {
		d.found = map[string]discovery{}
	}
	maps.DeleteFunc(d.found, func(_ string, old discovery) bool { return !now.Before(old.until) })
	if len(d.found) >= maxDiscoveries {
		clear(d.found) // whoever names many servers costs requests, not memory
	}
	d.found[key] = one
}

// maxDiscoveries is how many are remembered. A server's word has up to 1 MiB
// (maxDocument).
const maxDiscoveries = 100

// discover returns the provider that an MCP server names, with us as its
// client, and the scopes to ask for. Whose tenant asks does not matter: a
// server of the configuration has one provider and one client for all.
//
// Errors: *ProviderError, which wraps a *DiscoveryError for the administrator.
func (v *Vault) discover(ctx context.Context, _ string, server Server) (Provider, []string, error) {
	found, err := v.discovered(ctx, server)
	if err != nil {
		return Provider{}, nil, err
	}
	md := found.metadata
	scopes := server.Auth.Scopes
	if len(scopes) == 0 {
		scopes = found.scopes
	}
	p := Provider{
		Name: server.Name, Title: issuerHost(md.Issuer), Tenant: server.Tenant, server: server.Name, of: server.named(),
		Issuer: md.Issuer, RequireIss: md.AuthorizationResponseIssParameterSupported,
		AuthURL: md.AuthorizationEndpoint, TokenURL: md.TokenEndpoint, RevokeURL: md.RevocationEndpoint,
		Resource: found.resource,
	}
	if slices.Contains(md.ScopesSupported, "offline_access") {
		// The resource does not ask for refresh tokens, we do; OpenID providers
		// give them only to clients that have the person asked.
		scopes = union(scopes, []string{"offline_access"})
		p.AuthParams = map[string]string{"prompt": "consent"}
	}
	p, err = v.identify(ctx, server, md, p)
	return p, slices.Clone(scopes), err
}

// Authority returns the issuer that an MCP server names as its authorization
// server, as it says now or said a few minutes ago: its metadata was found, and can
// be used. Errors are those of connecting: *ProviderError, which wraps a
// *DiscoveryError for the administrator.
func (v *Vault) Authority(ctx context.Context, server Server) (issuer string, err error) {
	found, err := v.discovered(ctx, server)
	return found.metadata.Issuer, err
}

// discovered returns what is known of a server, and asks if that is nothing or
// too old. Callers at the same time share one answer, and it is waited for to
// the end even if the first of them goes away.
func (v *Vault) discovered(ctx context.Context, server Server) (discovery, error) {
	key := fmt.Sprintf("%q", []string{server.Tenant, server.Name, server.URL, server.Auth.Issuer})
	if found, ok := v.discoveries.recall(key, v.now()); ok {
		return found, nil
	}
	result := v.discoveries.running.DoChan(key, func() (any, error) {
		if found, ok := v.discoveries.recall(key, v.now()); ok {
			return found, nil // it came between our look and our turn
		}
		detached, stop := context.WithTimeout(context.WithoutCancel(ctx), discoveryTimeout)
		defer stop()
		found, err := v.discoverer(server).discover(detached)
		if err != nil {
			return found, v.undiscovered(ctx, server, err)
		}
		found.until = v.now().Add(discoveryTTL)
		v.discoveries.keep(key, found, v.now())
		return found, nil
	})
	select {
	case <-ctx.Done():
		return discovery{}, ctx.Err()
	case r := <-result:
		return r.Val.(discovery), r.Err
	}
}

// undiscovered says the same to two readers: to the administrator in the log,
// to the person as the error's text.
func (v *Vault) undiscovered(ctx context.Context, server Server, err error) error {
	v.opts.Logger.WarnContext(ctx, "server authorization not usable", "server", server.Name, "err", err)
	e := &ProviderError{Provider: server.Label(), cause: err}
	e.Temporary, e.Code = summary(err)
	return e
}

// issuerHost is what people see of an authorization server. Its URL was
// checked.
func issuerHost(issuer string) string {
	domain, err := outbound.DomainOf(issuer)
	if err != nil {
		return issuer
	}
	return domain.Host
}

// discoverer asks a server and its authorization server, for one discovery. It is
// used by one goroutine.
type discoverer struct {
	server   Server
	client   *http.Client // for documents, over web
	prober   *http.Client // for the server itself
	web      *recorder
	problems []*Problem
}

func (v *Vault) discoverer(server Server) *discoverer {
	out := v.reach(server.named())
	web := &recorder{base: out.Transport}
	return &discoverer{server: server, web: web, client: web.client(out), prober: probing(out)}
}

func (s *discoverer) discover(ctx context.Context) (discovery, error) {
	asked, err := s.probe(ctx)
	if err != nil {
		return discovery{}, err
	}
	resource, err := s.resource(ctx, asked.metadata)
	if err != nil {
		return discovery{}, err
	}
	scopes, field := asked.scopes, "scope"
	if len(scopes) == 0 {
		scopes, field = resource.ScopesSupported, "scopes_supported"
	}
	if why := wrongScopes(scopes); why != "" {
		return discovery{}, s.failed(&Problem{URL: shown(s.server.URL), Field: field, Reason: why})
	}
	issuer, err := s.chooseIssuer(resource)
	if err != nil {
		return discovery{}, err
	}
	md, err := s.issuer(ctx, issuer)
	if err != nil {
		return discovery{}, err
	}
	return discovery{resource: resource.Resource, scopes: scopes, metadata: *md}, nil
}
