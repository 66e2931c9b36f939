package demoprovider

import (
	"crypto/rand"
	"maps"
	"sync"
	"time"
)

const (
	keptGrants = 10_000
	codeTTL    = time.Minute
)

// grant is what a person has allowed an application.
type grant struct {
	id, user, client              string
	redirectURI, nonce, challenge string
	scopes, resources             []string
	signedIn                      int64 // when the person did, in seconds
	codeUntil                     time.Time
	redeemed, revoked             bool
	refresh                       string // the newest refresh token
}

// grants remembers what people have granted. Reading a grant, checking it and
// changing it is one step, so that of several who redeem one thing at once one
// succeeds.
type grants struct {
	mu    sync.Mutex
	kept  *shelf[grant]
	codes map[string]string // authorization code → grant
	fresh map[string]string // refresh token, used ones too → grant
}

func newGrants() *grants {
	return &grants{kept: newShelf[grant](keptGrants), codes: map[string]string{}, fresh: map[string]string{}}
}

// add keeps a grant and returns its code.
func (g *grants) add(made grant) (code string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	made.id, code, made.codeUntil = rand.Text(), rand.Text(), time.Now().Add(codeTTL)
	if gone, full := g.kept.put(made.id, made); full {
		g.forgetTokens(gone.id)
	}
	g.codes[code] = made.id
	return code
}

// redeem uses a code up. One that comes back, or that check refuses, revokes the
// grant.
func (g *grants) redeem(code string, check func(grant) *refusal) (grant, *refusal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	found, ok := g.kept.get(g.codes[code])
	if !ok || found.revoked || found.redeemed || !time.Now().Before(found.codeUntil) {
		g.revoke(found)
		return grant{}, invalidGrant
	}
	if refused := check(found); refused != nil {
		g.revoke(found)
		return grant{}, refused
	}
	found.redeemed = true
	return g.rotate(found), nil
}

// renew replaces a refresh token. An older one was copied by somebody, and nobody
// can tell which of the two is the thief: the grant is revoked (RFC 9700, section
// 4.14.2).
func (g *grants) renew(token string, check func(grant) *refusal) (grant, *refusal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	found, ok := g.kept.get(g.fresh[token])
	if !ok || found.revoked {
		return grant{}, invalidGrant
	}
	if refused := check(found); refused != nil {
		return grant{}, refused
	}
	if found.refresh != token {
		g.revoke(found)
		return grant{}, invalidGrant
	}
	return g.rotate(found), nil
}

var invalidGrant = &refusal{"invalid_grant", "the code or the token is not good any more, or never was"}

// rotate gives a grant its next refresh token, which has no dots, so that it cannot
// be taken for an access token.
func (g *grants) rotate(of grant) grant {
	of.refresh = "demo_refresh_" + rand.Text()
	g.fresh[of.refresh] = of.id
	g.kept.put(of.id, of)
	return of
}

// get returns a grant that holds.
func (g *grants) get(id string) (grant, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	found, ok := g.kept.get(id)
	return found, ok && !found.revoked
}

// ofRefresh returns the id of a refresh token's grant.
func (g *grants) ofRefresh(token string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.fresh[token]
}

// end revokes a grant.
func (g *grants) end(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if found, ok := g.kept.get(id); ok {
		g.revoke(found)
	}
}

func (g *grants) revoke(found grant) {
	if found.id == "" || found.revoked {
		return
	}
	found.revoked = true
	g.kept.put(found.id, found)
	g.forgetTokens(found.id)
}

// forgetTokens makes the code and the refresh tokens of a grant unknown.
func (g *grants) forgetTokens(id string) {
	of := func(_, grant string) bool { return grant == id }
	maps.DeleteFunc(g.codes, of)
	maps.DeleteFunc(g.fresh, of)
}

// revokeUser revokes what a person has granted and returns how many grants
// that were.
func (g *grants) revokeUser(user string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := 0
	for found := range g.kept.all {
		if found.user == user && !found.revoked {
			g.revoke(found)
			n++
		}
	}
	return n
}
