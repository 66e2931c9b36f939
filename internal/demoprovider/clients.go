package demoprovider

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/luikyv/go-oidc/pkg/goidc"

	"github.com/parley-hq/parley/internal/loopback"
)

const (
	keptClients   = 1_000
	maxClientName = 100
)

// knownClients are the applications of the options. As "web" applications their
// redirect URIs are compared to the letter; for "native" ones the library drops
// the port first, so that it never finds a URI with one.
func (p *Provider) knownClients() []*goidc.Client {
	var known []*goidc.Client
	for _, c := range p.opts.Clients {
		method := goidc.AuthnMethodSecretPost // the header becomes a body in [Provider.credentials]
		if c.Secret == "" {
			method = goidc.AuthnMethodNone
		}
		known = append(known, &goidc.Client{
			ID: c.ID, Secret: c.Secret,
			ClientMeta: goidc.ClientMeta{
				Name:             cmp.Or(c.Name, c.ID),
				ApplicationType:  goidc.ApplicationTypeWeb,
				RedirectURIs:     slices.Clone(c.RedirectURIs),
				GrantTypes:       []goidc.GrantType{goidc.GrantAuthorizationCode, goidc.GrantRefreshToken},
				ResponseTypes:    []goidc.ResponseType{goidc.ResponseTypeCode},
				TokenAuthnMethod: method,
				ScopeIDs:         strings.Join(p.scopeNames(), " "),
			},
		})
	}
	return known
}

func (p *Provider) isKnown(id string) bool {
	return slices.ContainsFunc(p.opts.Clients, func(c Client) bool { return c.ID == id })
}

// credentials puts a known client's credentials from the header into the body,
// decoded as RFC 6749, section 2.3.1 has it, so that both ways work. A request
// that has them in both places stays as it is and is refused.
func (p *Provider) credentials(r *http.Request) {
	user, password, ok := r.BasicAuth()
	if !ok || r.PostForm.Has("client_secret") {
		return
	}
	id, err := url.QueryUnescape(user)
	if err != nil || !p.isKnown(id) || r.PostForm.Has("client_id") && r.PostForm.Get("client_id") != id {
		return
	}
	secret, err := url.QueryUnescape(password)
	if err != nil {
		return
	}
	r.PostForm.Set("client_id", id)
	if secret != "" {
		r.PostForm.Set("client_secret", secret)
	}
	r.Header = r.Header.Clone()
	r.Header.Del("Authorization")
}

// registered remembers applications that registered themselves.
type registered struct {
	mu   sync.Mutex
	kept *shelf[goidc.Client]
}

func newRegistered() *registered {
	return &registered{kept: newShelf[goidc.Client](keptClients)}
}

// SaveClient keeps the application.
func (s *registered) SaveClient(_ context.Context, c *goidc.Client) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.put(c.ID, *c)
	return nil
}

// Client returns the application with that id. A native one may use any port of
// a loopback address (RFC 8252, section 7.3): the library compares without the
// port, so its URIs are listed in that form as well.
func (s *registered) Client(_ context.Context, id string) (*goidc.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.kept.get(id)
	if !ok {
		return nil, goidc.ErrNotFound
	}
	c.RedirectURIs = slices.Clone(c.RedirectURIs)
	if c.ApplicationType == goidc.ApplicationTypeNative {
		for _, uri := range c.RedirectURIs {
			if portless := withoutPort(uri); !slices.Contains(c.RedirectURIs, portless) {
				c.RedirectURIs = append(c.RedirectURIs, portless)
			}
		}
	}
	return &c, nil
}

// DeleteClient forgets the application.
func (s *registered) DeleteClient(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.drop(id)
	return nil
}

func withoutPort(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Port() == "" || !loopback.Host(u.Hostname()) || u.Hostname() == "localhost" {
		return uri
	}
	u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	return u.String()
}

// checkRegistration completes what the library has checked already.
func (p *Provider) checkRegistration(_ context.Context, _ string, meta *goidc.ClientMeta) error {
	if len(meta.RedirectURIs) == 0 {
		return errors.New("redirect_uris is empty")
	}
	if len(meta.Name) > maxClientName {
		return errors.New("client_name is too long")
	}
	meta.ScopeIDs = cmp.Or(meta.ScopeIDs, strings.Join(p.scopeNames(), " "))
	return nil
}

// assumeNative fills in the application_type that many MCP clients leave out.
// The default is "web", which must not have plain http redirect URIs; a
// registration with nothing but loopback ones can only mean "native".
func assumeNative(body []byte) []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil || fields["application_type"] != nil {
		return body
	}
	var uris []string
	if json.Unmarshal(fields["redirect_uris"], &uris) != nil || len(uris) == 0 {
		return body
	}
	for _, uri := range uris {
		if u, err := url.Parse(uri); err != nil || u.Scheme != "http" || !loopback.Host(u.Hostname()) {
			return body
		}
	}
	fields["application_type"] = json.RawMessage(`"native"`)
	if out, err := json.Marshal(fields); err == nil {
		return out
	}
	return body
}
