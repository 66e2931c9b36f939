package vault

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/parley-hq/parley/internal/loopback"
)

// clientURL is our name at authorization servers that read what is there.
func (v *Vault) clientURL(p Provider) string {
	return v.opts.PublicURL + "/oauth/client/" + pathSegment(p.Slug())
}

// public reports whether authorization servers can read our documents.
func (v *Vault) public() bool {
	u, err := url.Parse(v.opts.PublicURL)
	return err == nil && u.Scheme == "https" && !loopback.Host(u.Hostname())
}

// ClientDocument returns the client-id metadata document of a slug, as JSON:
// who we are to the authorization server of an MCP server. It is served to
// anybody, at the path /oauth/client/ and the slug. ErrUnknown for slugs that
// are no MCP server's of the configuration or of a tenant.
func (v *Vault) ClientDocument(ctx context.Context, slug string) ([]byte, error) {
	p, err := v.clientOf(ctx, slug)
	if err != nil {
		return nil, fmt.Errorf("client %.70q: %w", slug, err)
	}
	a := v.application(v.RedirectURI(p), "none")
	a.ClientURI = v.opts.PublicURL
	return json.Marshal(struct {
		ClientID string `json:"client_id"`
		*oauthex.ClientRegistrationMetadata
	}{v.clientURL(p), a})
}

// clientOf takes a slug apart. Anybody may send one.
func (v *Vault) clientOf(ctx context.Context, slug string) (Provider, error) {
	rest, isMCP := strings.CutPrefix(slug, mcpSlug)
	name, tenant, owned := strings.Cut(rest, "~")
	if !isMCP || !nameForm.MatchString(name) || owned && tenant == "" || strings.ContainsFunc(tenant, unprintable) {
		return Provider{}, ErrUnknown
	}
	server, known := v.servers.configured[name]
	if owned {
		var err error
		if server, known, err = v.servers.get(ctx, tenant, name); err != nil {
			return Provider{}, err
		}
	}
	if !known || server.Auth.Type != MCP {
		return Provider{}, ErrUnknown
	}
	return Provider{Name: name, server: name, Tenant: tenant}, nil
}

func unprintable(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }
