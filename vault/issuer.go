package vault

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/parley-hq/parley/outbound"

	"github.com/parley-hq/parley/internal/loopback"
)

// issuer returns an authorization server's description of itself (RFC 8414 and
// OpenID Connect Discovery), from the first place with one that can be used.
func (s *discoverer) issuer(ctx context.Context, issuer string) (*oauthex.AuthServerMeta, error) {
	u, err := url.Parse(issuer)
	if why := s.unfit(issuer); why != "" || err != nil {
		return nil, s.failed(&Problem{URL: shown(issuer), Field: "authorization_servers", Reason: why})
	}
	if u.RawQuery != "" || strings.Contains(issuer, "#") {
		return nil, s.failed(&Problem{URL: shown(issuer), Field: "authorization_servers", Reason: "has a query or a fragment, which no issuer has"})
	}
	for _, at := range issuerPlaces(u) {
		s.web.start()
		md, err := oauthex.GetAuthServerMeta(ctx, at, issuer, s.client)
		if err != nil || md == nil {
			s.problems = append(s.problems, s.issuerProblem(at, issuer, err))
			continue
		}
		problem := s.unusable(at, md)
		if problem == nil {
			return md, nil
		}
		s.problems = append(s.problems, problem)
	}
	return nil, s.failed()
}

func (s *discoverer) issuerProblem(at, issuer string, err error) *Problem {
	problem := s.web.problem(at, err)
	var said struct {
		Issuer string `json:"issuer"`
	}
	if !problem.absent && json.Unmarshal(s.web.last.body, &said) == nil && !sameIssuer(said.Issuer, issuer) {
		problem.Field, problem.Reason = "issuer", shortened(fmt.Sprintf("is %q, not %q", said.Issuer, issuer))
	}
	return problem
}

// issuerPlaces are in the order of the specification.
func issuerPlaces(issuer *url.URL) []string {
	base, path := issuer.Scheme+"://"+issuer.Host, strings.TrimSuffix(issuer.EscapedPath(), "/")
	all := []string{
		base + "/.well-known/oauth-authorization-server" + path,
		base + "/.well-known/openid-configuration" + path,
	}
	if path != "" {
		all = append(all, base+path+"/.well-known/openid-configuration")
	}
	return all
}

// unusable says what of a description cannot be used, beyond what the SDK has
// looked at: it lets endpoints be missing, any method of PKCE do, and any
// scheme to a loopback address.
func (s *discoverer) unusable(at string, md *oauthex.AuthServerMeta) *Problem {
	if !slices.Contains(md.CodeChallengeMethodsSupported, "S256") {
		return &Problem{URL: shown(at), Field: "code_challenge_methods_supported", Reason: "lacks S256"}
	}
	for _, endpoint := range []struct {
		field, url string
		required   bool
	}{
		{"authorization_endpoint", md.AuthorizationEndpoint, true},
		{"token_endpoint", md.TokenEndpoint, true},
		{"registration_endpoint", md.RegistrationEndpoint, false},
		{"revocation_endpoint", md.RevocationEndpoint, false},
	} {
		if endpoint.url == "" && !endpoint.required {
			continue
		}
		if why := s.unfit(endpoint.url); why != "" {
			return &Problem{URL: shown(at), Field: endpoint.field, Reason: why}
		}
	}
	return nil
}

// unfit says why a URL that a stranger named is not gone to, or nothing. The
// address behind it is checked when it is dialled.
func (s *discoverer) unfit(raw string) string {
	if raw == "" {
		return "is missing"
	}
	if _, err := outbound.DomainOf(raw); err != nil {
		return "is refused: " + shortened(err.Error())
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return "is not a URL"
	case loopback.Host(u.Hostname()) && !s.local():
		return "is this machine, which only a server on this machine may name"
	case u.Scheme != "https" && !loopback.Host(u.Hostname()):
		return "is not https"
	case u.Fragment != "":
		return "has a fragment"
	}
	return ""
}

// local reports whether the server is on this machine, as in development.
func (s *discoverer) local() bool {
	u, err := url.Parse(s.server.URL)
	return err == nil && loopback.Host(u.Hostname())
}

// sameIssuer lets a slash at the end go: with and without it an issuer has the
// same descriptions. What comes back from there is compared to the letter with
// what the description says.
func sameIssuer(a, b string) bool {
	return strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/")
}
