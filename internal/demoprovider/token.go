package demoprovider

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"time"
)

// takeToken is the token endpoint.
func (p *Provider) takeToken(w http.ResponseWriter, r *http.Request) {
	app, ok := p.sender(w, r)
	if !ok {
		return
	}
	resources := r.PostForm["resource"]
	if len(p.opts.Resources) == 0 {
		resources = nil
	}
	scopes := strings.Fields(r.PostForm.Get("scope"))
	check := func(g grant) *refusal {
		switch {
		case g.client != app.id:
			return invalidGrant
		case !contains(g.resources, resources):
			return &refusal{"invalid_target", "a resource was not granted"}
		case !contains(g.scopes, scopes):
			return &refusal{"invalid_scope", "a scope was not granted"}
		}
		return nil
	}
	var given grant
	var refused *refusal
	switch r.PostForm.Get("grant_type") {
	case "authorization_code":
		given, refused = p.grants.redeem(r.PostForm.Get("code"), func(g grant) *refusal {
			if g.redirectURI != r.PostForm.Get("redirect_uri") || !proves(r.PostForm.Get("code_verifier"), g.challenge) {
				return invalidGrant
			}
			return check(g)
		})
	case "refresh_token":
		given, refused = p.grants.renew(r.PostForm.Get("refresh_token"), check)
	default:
		refused = &refusal{"unsupported_grant_type", "grant_type is not supported"}
	}
	if refused != nil {
		p.refuse(w, r, refused)
		return
	}
	if len(resources) > 0 {
		given.resources = resources
	}
	if len(scopes) > 0 {
		given.scopes = scopes
	}
	p.writeTokens(w, r, given)
}

// proves reports whether a verifier is that of a challenge (RFC 7636, section 4.6).
func proves(verifier, challenge string) bool {
	sum := sha256.Sum256([]byte(verifier))
	return subtle.ConstantTimeCompare([]byte(base64.RawURLEncoding.EncodeToString(sum[:])), []byte(challenge)) == 1
}

// sender reads a form and says which application sent it.
func (p *Provider) sender(w http.ResponseWriter, r *http.Request) (application, bool) {
	if err := r.ParseForm(); err != nil {
		p.refuse(w, r, &refusal{"invalid_request", "the body is not a form"})
		return application{}, false
	}
	app, refused := p.clients.authenticated(r)
	if refused != nil {
		p.refuse(w, r, refused)
		return app, false
	}
	return app, true
}

func (p *Provider) writeTokens(w http.ResponseWriter, r *http.Request, given grant) {
	now, ttl := time.Now(), p.opts.AccessTTL
	access, err := p.signer.sign(accessToken, claims{
		Issuer: p.opts.Issuer, Subject: given.user, Client: given.client, Audience: given.resources, Scope: strings.Join(given.scopes, " "),
		Issued: now.Unix(), Expires: now.Add(ttl).Unix(), Grant: given.id,
	})
	answer := map[string]any{
		"access_token": access, "token_type": "Bearer", "expires_in": int(ttl / time.Second),
		"refresh_token": given.refresh, "scope": strings.Join(given.scopes, " "),
	}
	if err == nil && slices.Contains(given.scopes, "openid") {
		answer["id_token"], err = p.signer.sign(idToken, claims{
			Issuer: p.opts.Issuer, Subject: given.user, Audience: []string{given.client}, Issued: now.Unix(), Expires: now.Add(ttl).Unix(),
			Nonce: given.nonce, AuthTime: given.signedIn, Name: displayName(given.user), Username: given.user,
		})
	}
	if err != nil {
		p.refuse(w, r, &refusal{"server_error", "the tokens could not be signed"})
		return
	}
	writeJSON(w, http.StatusOK, answer)
}

// revoke ends the grant of a token (RFC 7009). Of a token that is not known there is
// nothing to end.
func (p *Provider) revoke(w http.ResponseWriter, r *http.Request) {
	app, ok := p.sender(w, r)
	if !ok {
		return
	}
	token := r.PostForm.Get("token")
	id := p.grants.ofRefresh(token)
	if said, ok := p.signer.read(accessToken, token); id == "" && ok {
		id = said.Grant
	}
	if of, ok := p.grants.get(id); ok {
		if of.client != app.id {
			p.refuse(w, r, &refusal{"invalid_grant", "the token is another application's"})
			return
		}
		p.grants.end(id)
	}
	w.WriteHeader(http.StatusOK)
}

func (p *Provider) userInfo(w http.ResponseWriter, r *http.Request) {
	info, err := p.Introspect(r.Context(), bearer(r))
	if err != nil || !info.Active || !slices.Contains(info.Scopes, "openid") {
		p.refuse(w, r, &refusal{"invalid_token", "the token is not good for this"})
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"sub": info.User, "name": displayName(info.User), "preferred_username": info.User})
}
