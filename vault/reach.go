package vault

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/parley-hq/parley/outbound"
)

// named are the origins that the operator wrote down for a server or a provider.
// They are reached wherever they are. Everything else was named by somebody
// else, a tenant or a server, and is reached where it is public.
type named []string

// by says who wrote a URL.
func (n named) by(raw string) outbound.Namer {
	if at := origin(raw); at != "" && slices.Contains(n, at) {
		return outbound.Operator
	}
	return outbound.Stranger
}

// named is what the operator wrote of a server: nothing of a tenant's.
func (s Server) named() named {
	if s.Tenant != "" {
		return nil
	}
	return named{origin(s.URL), origin(s.Auth.Issuer)}
}

// named is what the operator wrote of a provider: nothing of a tenant's, and of
// one that a server named what is at the server's own place.
func (p Provider) named() named {
	switch {
	case p.Tenant != "":
		return nil
	case p.server != "":
		return p.of
	}
	return named{origin(p.AuthURL), origin(p.TokenURL), origin(p.RevokeURL)}
}

// reach returns the client for a server or a provider. Every request of the
// vault is made by one of these.
func (v *Vault) reach(n named) *http.Client {
	client := *v.ways.For(outbound.Stranger)
	if len(n) > 0 {
		client = *v.ways.For(outbound.Operator)
	}
	client.Transport = &carrier{ways: v.ways, named: n}
	return &client
}

// carrier sends each request by the way that is open to who wrote its URL, each
// hop of a redirect too.
type carrier struct {
	ways  *outbound.Clients
	named named
}

// RoundTrip implements http.RoundTripper.
func (c *carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	way := c.ways.For(c.named.by(r.URL.String()))
	return cmp.Or[http.RoundTripper](way.Transport, http.DefaultTransport).RoundTrip(r)
}
