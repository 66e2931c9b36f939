package demoprovider

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley/internal/loopback"
)

const maxClientName = 100

// registration is what an application says of itself (RFC 7591). Other members
// mean nothing here, but for those that would have to be looked at.
type registration struct {
	ClientID      string   `json:"client_id"`
	RedirectURIs  []string `json:"redirect_uris"`
	Name          string   `json:"client_name"`
	Type          string   `json:"application_type"`
	Method        string   `json:"token_endpoint_auth_method"`
	GrantTypes    []string `json:"grant_types"`
	ResponseTypes []string `json:"response_types"`
	Scope         string   `json:"scope"`
	Sector        string   `json:"sector_identifier_uri"`
}

// register takes an application up.
func (p *Provider) register(w http.ResponseWriter, r *http.Request) {
	var asked registration
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		p.refuse(w, r, &refusal{"invalid_client_metadata", "the body is not such a JSON object"})
		return
	}
	asked.complete(p.scopeNames())
	if refused := asked.check(p.scopeNames()); refused != nil {
		p.refuse(w, r, refused)
		return
	}
	app := application{
		id: rand.Text(), name: asked.Name, redirectURIs: asked.RedirectURIs, scopes: strings.Fields(asked.Scope),
		registered: true, native: asked.Type == "native", token: rand.Text(),
	}
	app.metadata = map[string]any{
		"client_id": app.id, "client_id_issued_at": time.Now().Unix(),
		"registration_client_uri": p.opts.Issuer + registerURL + "/" + app.id, "registration_access_token": app.token,
		"redirect_uris": asked.RedirectURIs, "application_type": asked.Type, "token_endpoint_auth_method": asked.Method,
		"grant_types": asked.GrantTypes, "response_types": asked.ResponseTypes, "scope": asked.Scope,
	}
	if asked.Name != "" {
		app.metadata["client_name"] = asked.Name
	}
	if asked.Method != "none" {
		app.secret = rand.Text()
		app.metadata["client_secret"], app.metadata["client_secret_expires_at"] = app.secret, 0
	}
	p.clients.register(app)
	writeJSON(w, http.StatusCreated, app.metadata)
}

// complete fills in the defaults of RFC 7591, section 2. Many MCP clients leave
// application_type out, whose default is "web", which must not have plain http
// redirect URIs: one with nothing but loopback ones can only mean "native".
func (a *registration) complete(scopes []string) {
	if a.Type == "" {
		a.Type = "web"
		if !slices.ContainsFunc(a.RedirectURIs, func(uri string) bool { return !isPlainLoopback(uri) }) {
			a.Type = "native"
		}
	}
	if a.Method == "" {
		a.Method = "client_secret_basic"
	}
	if len(a.GrantTypes) == 0 {
		a.GrantTypes = []string{"authorization_code"}
	}
	if len(a.ResponseTypes) == 0 {
		a.ResponseTypes = []string{"code"}
	}
	if a.Scope == "" {
		a.Scope = strings.Join(scopes, " ")
	}
}

func isPlainLoopback(uri string) bool {
	u, err := url.Parse(uri)
	return err == nil && u.Scheme == "http" && loopback.Host(u.Hostname())
}

func (a *registration) check(scopes []string) *refusal {
	invalid := func(description string) *refusal { return &refusal{"invalid_client_metadata", description} }
	switch {
	case len(a.RedirectURIs) == 0 || slices.ContainsFunc(a.RedirectURIs, func(uri string) bool { return !a.mayRedirectTo(uri) }):
		return &refusal{"invalid_redirect_uri", "redirect_uris is empty, or one of them is not allowed"}
	case a.ClientID != "":
		return invalid("client_id is the provider's to choose")
	case a.Sector != "":
		return invalid("sector_identifier_uri is not supported")
	case len(a.Name) > maxClientName:
		return invalid("client_name is too long")
	case a.Type != "web" && a.Type != "native":
		return invalid("application_type is not supported")
	case !slices.Contains(authMethods, a.Method):
		return invalid("token_endpoint_auth_method is not supported")
	case !contains(grantTypes, a.GrantTypes) || !contains([]string{"code"}, a.ResponseTypes):
		return invalid("a grant type or a response type is not supported")
	case !contains(scopes, strings.Fields(a.Scope)):
		return invalid("a scope is not known")
	}
	return nil
}

// mayRedirectTo allows https, and to native applications loopback addresses and
// schemes of their own.
func (a *registration) mayRedirectTo(uri string) bool {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme == "" || strings.Contains(uri, "#") {
		return false
	}
	switch u.Scheme {
	case "https":
		return u.Host != ""
	case "http":
		return a.Type == "native" && loopback.Host(u.Hostname())
	}
	return a.Type == "native" && strings.Contains(u.Scheme, ".") // RFC 8252, section 7.1
}

// manageRegistration lets an application read and delete what it registered (RFC
// 7592).
func (p *Provider) manageRegistration(w http.ResponseWriter, r *http.Request) {
	app, ok := p.clients.get(r.PathValue("client"))
	if !ok || !app.registered || subtle.ConstantTimeCompare([]byte(app.token), []byte(bearer(r))) != 1 {
		p.refuse(w, r, &refusal{"invalid_token", "there is no such registration, or the token is wrong"})
		return
	}
	if r.Method == http.MethodDelete {
		p.clients.forget(app.id)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeJSON(w, http.StatusOK, app.metadata)
}

func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return token
}
