package vault

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

const resourceWellKnown = "/.well-known/oauth-protected-resource"

// place is where a server may describe itself.
type place struct {
	url       string
	resources []string // whom a description from there may be about
}

// resource returns the server's description of itself (RFC 9728), from the
// first place with one that is about this server.
func (s *discoverer) resource(ctx context.Context, fromChallenge string) (*oauthex.ProtectedResourceMetadata, error) {
	before := len(s.problems)
	for _, at := range s.places(fromChallenge) {
		md, problem := s.resourceAt(ctx, at)
		if problem == nil {
			return md, nil
		}
		s.problems = append(s.problems, problem)
	}
	absent := !slices.ContainsFunc(s.problems[before:], func(p *Problem) bool { return !p.absent })
	if absent && s.server.Auth.Issuer != "" {
		// It says nothing, and the administrator said it instead. A query is no
		// part of the name: it may hold a key.
		name, _, _ := strings.Cut(s.server.URL, "?")
		return &oauthex.ProtectedResourceMetadata{Resource: name, AuthorizationServers: []string{s.server.Auth.Issuer}}, nil
	}
	if absent {
		return nil, s.failed(&Problem{
			URL:    shown(s.server.URL),
			Reason: "names no authorization server: configure auth.issuer and auth.client_id, or auth.type oauth2 with a provider",
		})
	}
	return nil, s.failed()
}

// places are in the order of the specification. The server's own URL is what a
// description must be about; the one at the root may be about the root.
func (s *discoverer) places(fromChallenge string) []place {
	u, err := url.Parse(s.server.URL)
	if err != nil {
		return nil // it was called at this URL just now
	}
	u.Fragment, u.RawFragment = "", ""
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	own := append([]string{s.server.URL}, spellings(u.String())...)
	base := u.Scheme + "://" + u.Host
	root := place{base + resourceWellKnown, append(own, spellings(base)...)}

	var all []place
	add := func(p place) {
		if !slices.ContainsFunc(all, func(q place) bool { return p.url == q.url }) {
			all = append(all, p)
		}
	}
	switch fromChallenge {
	case "":
	case root.url:
		add(root)
	default:
		add(place{fromChallenge, own})
	}
	if path := strings.TrimPrefix(u.RequestURI(), "/"); path != "" {
		add(place{base + resourceWellKnown + "/" + path, own})
	}
	add(root)
	return all
}

// spellings are an identifier with and without the slash at its end: both name
// one place, and servers are not of one mind.
func spellings(identifier string) []string {
	bare := strings.TrimSuffix(identifier, "/")
	return []string{identifier, bare, bare + "/"}
}

func (s *discoverer) resourceAt(ctx context.Context, at place) (*oauthex.ProtectedResourceMetadata, *Problem) {
	if why := s.unfit(at.url); why != "" {
		return nil, &Problem{URL: shown(at.url), Field: "resource_metadata", Reason: why}
	}
	s.web.start()
	md, err := oauthex.GetProtectedResourceMetadata(ctx, at.url, at.resources[0], s.client)
	if named, ok := s.namedResource(); err != nil && ok && named != at.resources[0] {
		if !slices.Contains(at.resources, named) {
			return nil, &Problem{
				URL: shown(at.url), Field: "resource",
				Reason: shortened(fmt.Sprintf("is %q, not %q", named, shown(s.server.URL))),
			}
		}
		md, err = oauthex.GetProtectedResourceMetadata(ctx, at.url, named, s.client) // of what we have: nothing is fetched
	}
	if err != nil {
		return nil, s.web.problem(at.url, err)
	}
	if md.DPOPBoundAccessTokensRequired {
		return nil, &Problem{URL: shown(at.url), Field: "dpop_bound_access_tokens_required", Reason: "is true, which is not supported"}
	}
	return md, nil
}

// namedResource is whom the description that was just read is about.
func (s *discoverer) namedResource() (string, bool) {
	var said struct {
		Resource string `json:"resource"`
	}
	last := s.web.last
	if last.status != http.StatusOK || !isJSON(last.header) || json.Unmarshal(last.body, &said) != nil {
		return "", false
	}
	return said.Resource, true
}

// chooseIssuer returns the authorization server to use: the first, or the one
// that we are registered with.
func (s *discoverer) chooseIssuer(md *oauthex.ProtectedResourceMetadata) (string, error) {
	problem := &Problem{URL: shown(md.Resource), Field: "authorization_servers"}
	if len(md.AuthorizationServers) == 0 {
		problem.Reason = "is empty"
		return "", s.failed(problem)
	}
	if s.server.Auth.Issuer == "" {
		return md.AuthorizationServers[0], nil
	}
	for _, one := range md.AuthorizationServers {
		if sameIssuer(one, s.server.Auth.Issuer) {
			return one, nil
		}
	}
	problem.Reason = shortened(fmt.Sprintf("is %q, and auth.client_id is registered with %q", md.AuthorizationServers, s.server.Auth.Issuer))
	return "", s.failed(problem)
}
