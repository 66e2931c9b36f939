package server

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/pages"
)

// person is whose token it is: its sub, in the tenant of its claim.
func (i *identity) person(ctx context.Context, all map[string]any) (parley.Principal, error) {
	who, err := parley.Claims{Tenant: i.auth.JWT.TenantClaim, Required: i.auth.TenantRequired}.Person(all, "jwt")
	if err == nil && i.signsIn(who.User) {
		err = &parley.ClaimError{Claim: "sub", Reason: "is the name of a person who signs in by auth.oidc"}
	}
	if err != nil {
		return parley.Principal{}, err
	}
	if email, _ := all["email"].(string); email != "" && all["email_verified"] == true && i.reached != nil {
		i.reached(ctx, who, email)
	}
	return who, nil
}

// signsIn reports whether a name is that of a person who signs in by auth.oidc,
// where those are other people than the tokens'.
func (i *identity) signsIn(name string) bool {
	return i.apart != "" && strings.HasPrefix(name, i.apart)
}

// knowPeople decides whether the same sub of two issuers is the same person. The
// operator alone can know; who has not said so is warned at every start.
func (s *Server) knowPeople() {
	if !s.cfg.TwoIssuers() {
		return
	}
	if at := s.cfg.Auth; at.People == config.Separate {
		s.identity.apart = pages.QualifiedName(at.OIDC.Issuer, "")
	}
}

// programOf is the program that has a key. Keys of one name are one program's, so
// that it can change its key; one without a name is known by its digest.
func programOf(key config.APIKey) parley.Principal {
	const enough = 16
	return parley.Principal{
		Tenant: cmp.Or(key.Tenant, parley.DefaultTenant), Method: "api_key", Kind: parley.KindProgram,
		Key: cmp.Or(key.Name, "sha256:"+strings.ToLower(key.SHA256)[:enough]),
	}
}

// tokenInfo says to the gateway and the SDK, which binds sessions to its UserID,
// who it is. People of one name in two tenants do not share sessions, nor do two
// keys of one tenant; no person has the empty name in front of a key's.
func tokenInfo(who parley.Principal) *auth.TokenInfo {
	tenant := cmp.Or(who.Tenant, parley.DefaultTenant)
	info := &auth.TokenInfo{
		UserID: url.PathEscape(tenant) + "/" + url.PathEscape(who.User),
		Extra:  map[string]any{"tenant": tenant, "user": who.User},
	}
	if who.Kind == parley.KindProgram {
		info.UserID += "/" + url.PathEscape(who.Key)
		info.Extra["key"] = who.Key
	}
	return info
}
