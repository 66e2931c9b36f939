package demoprovider

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/luikyv/go-oidc/pkg/goidc"
)

const keptGrants = 10_000

// storeVersion is where a grant carries its version, out of here and back.
const storeVersion = "version"

// grants remembers what people have granted. The library asks it by id, by code
// and by refresh token; values go in and out as copies.
//
// The library reads a grant, checks it and writes it back, and it only knows the
// newest refresh token of a grant. That two who redeem the same thing at once do
// not both succeed, and that an old refresh token revokes the grant, is our
// doing, in SaveGrant and in GrantByRefreshToken.
type grants struct {
	mu      sync.Mutex
	kept    *shelf[goidc.Grant]
	codes   map[string]string // authorization code → grant
	refresh map[string]string // refresh token, used ones too → grant
}

func newGrants() *grants {
	return &grants{kept: newShelf[goidc.Grant](keptGrants), codes: map[string]string{}, refresh: map[string]string{}}
}

// SaveGrant keeps the grant. A revocation always counts, and for good. Any other
// change must be to the grant as it is now: whoever changes it after somebody
// else did has redeemed the same code or refresh token, and that is a replay.
func (g *grants) SaveGrant(_ context.Context, grant *goidc.Grant) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	kept, ok := g.kept.get(grant.ID)
	switch {
	case !ok:
		g.save(*grant)
	case grant.RevokedAt != 0:
		g.revoke(kept)
	case kept.Store[storeVersion] != grant.Store[storeVersion]:
		g.revoke(kept)
		return goidc.NewError(goidc.ErrorCodeInvalidGrant, "invalid grant")
	default:
		g.save(*grant)
	}
	return nil
}

func (g *grants) save(grant goidc.Grant) {
	version, _ := grant.Store[storeVersion].(int)
	grant.Store = maps.Clone(grant.Store)
	if grant.Store == nil {
		grant.Store = map[string]any{}
	}
	grant.Store[storeVersion] = version + 1
	if gone, full := g.kept.put(grant.ID, grant); full {
		g.forgetTokens(gone.ID)
	}
	if grant.RevokedAt != 0 {
		g.forgetTokens(grant.ID)
		return
	}
	if grant.AuthCode != "" {
		g.codes[grant.AuthCode] = grant.ID
	}
	if grant.RefreshToken != "" {
		g.refresh[grant.RefreshToken] = grant.ID
	}
}

// forgetTokens makes the code and the refresh tokens of a grant unknown.
func (g *grants) forgetTokens(id string) {
	of := func(_, grant string) bool { return grant == id }
	maps.DeleteFunc(g.codes, of)
	maps.DeleteFunc(g.refresh, of)
}

// Grant returns the grant with that id.
func (g *grants) Grant(_ context.Context, id string) (*goidc.Grant, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.read(id)
}

// GrantByAuthCode returns the grant of a code, used or not: the library revokes
// it when a code comes back.
func (g *grants) GrantByAuthCode(_ context.Context, code string) (*goidc.Grant, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.read(g.codes[code])
}

// GrantByRefreshToken returns the grant of its newest refresh token. An older
// one was copied by somebody, and nobody can tell which of the two is the thief:
// the grant is revoked (RFC 9700, section 4.14.2).
func (g *grants) GrantByRefreshToken(_ context.Context, token string) (*goidc.Grant, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	grant, err := g.read(g.refresh[token])
	if err != nil {
		return nil, err
	}
	if grant.RefreshToken != token {
		g.revoke(*grant)
		return nil, goidc.ErrNotFound
	}
	return grant, nil
}

func (g *grants) read(id string) (*goidc.Grant, error) {
	grant, ok := g.kept.get(id)
	if !ok {
		return nil, goidc.ErrNotFound
	}
	grant.Store = maps.Clone(grant.Store)
	return &grant, nil
}

func (g *grants) revoke(grant goidc.Grant) {
	if grant.RevokedAt == 0 {
		grant.RevokedAt = int(time.Now().Unix())
		g.save(grant)
	}
}

// revokeUser revokes what a person has granted and returns how many grants
// that were.
func (g *grants) revokeUser(user string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for grant := range g.kept.all {
		if grant.Subject == user && grant.RevokedAt == 0 {
			g.revoke(grant)
			n++
		}
	}
	return n
}
