package vault_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// lent is a world in which the operator has opened the provider acme and the
// service boards, or as change says.
func lent(t testing.TB, change func(*vault.Provider, *vault.Service)) *world {
	t.Helper()
	return newWorld(t, func(o *vault.Options) { change(&o.Providers[0], &o.Services[0]) })
}

func crm(auth vault.Auth) vault.Server {
	auth.Type, auth.Scope = vault.OAuth2, vault.User
	return vault.Server{Name: "crm", URL: "https://crm.example/mcp", Auth: auth}
}

func TestATenantsServerUsesTheOperatorsClientOnlyWhereItWasOpened(t *testing.T) {
	open := []string{"globex"}
	for name, c := range map[string]struct {
		change func(*vault.Provider, *vault.Service)
		auth   vault.Auth
		scopes []string // empty: refused
	}{
		"nothing is opened":               {func(*vault.Provider, *vault.Service) {}, vault.Auth{Provider: "acme"}, nil},
		"no service is opened":            {func(*vault.Provider, *vault.Service) {}, vault.Auth{Service: "boards"}, nil},
		"to another tenant":               {func(p *vault.Provider, _ *vault.Service) { p.Tenants = []string{"initech"} }, vault.Auth{Provider: "acme"}, nil},
		"to one of a longer name":         {func(p *vault.Provider, _ *vault.Service) { p.Tenants = []string{"globex2", "glob"} }, vault.Auth{Provider: "acme"}, nil},
		"the provider":                    {func(p *vault.Provider, _ *vault.Service) { p.Tenants = open }, vault.Auth{Provider: "acme"}, []string{"read"}},
		"the provider, to everybody":      {func(p *vault.Provider, _ *vault.Service) { p.Tenants = []string{"*"} }, vault.Auth{Provider: "acme"}, []string{"read"}},
		"the provider, and more is asked": {func(p *vault.Provider, _ *vault.Service) { p.Tenants = open }, vault.Auth{Provider: "acme", Scopes: []string{"read", "admin"}}, nil},
		"the provider, with more": {func(p *vault.Provider, _ *vault.Service) {
			p.Tenants, p.AllowedScopes = open, []string{"read", "admin"}
		}, vault.Auth{Provider: "acme", Scopes: []string{"admin"}}, []string{"admin"}},
		"the provider, with less":        {func(p *vault.Provider, _ *vault.Service) { p.Tenants, p.AllowedScopes = open, []string{"none"} }, vault.Auth{Provider: "acme"}, nil},
		"the service":                    {func(_ *vault.Provider, s *vault.Service) { s.Tenants = open }, vault.Auth{Service: "boards"}, []string{"boards.read", "boards.write"}},
		"the service, and more is asked": {func(_ *vault.Provider, s *vault.Service) { s.Tenants = open }, vault.Auth{Service: "boards", Scopes: []string{"read"}}, nil},
		"the service, not its provider":  {func(_ *vault.Provider, s *vault.Service) { s.Tenants = open }, vault.Auth{Provider: "acme"}, nil},
		"the provider, not its service":  {func(p *vault.Provider, _ *vault.Service) { p.Tenants = open }, vault.Auth{Service: "boards"}, nil},
		"the provider, for its service": {func(p *vault.Provider, _ *vault.Service) {
			p.Tenants, p.AllowedScopes = open, []string{"read", "boards.read", "boards.write"}
		}, vault.Auth{Service: "boards"}, []string{"boards.read", "boards.write"}},
		"a service of the tenant's own":    {func(*vault.Provider, *vault.Service) {}, vault.Auth{Service: "wide"}, nil},
		"the provider, for the tenant's":   {func(p *vault.Provider, _ *vault.Service) { p.Tenants, p.AllowedScopes = open, []string{"read", "wide"} }, vault.Auth{Service: "wide"}, []string{"wide"}},
		"the provider, not for the wider ": {func(p *vault.Provider, _ *vault.Service) { p.Tenants = open }, vault.Auth{Service: "wide"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := lent(t, c.change)
			stored := w.tenantRecord("service", "wide", `{"name":"wide","provider":"acme","scopes":["wide"]}`)
			stored("server", "crm", mustJSON(t, crm(c.auth)))
			if err := w.PutServer(t.Context(), "globex", crm(c.auth)); (len(c.scopes) == 0) != errors.Is(err, vault.ErrNotOpen) {
				t.Errorf("storing it: %v", err)
			}
			_, err := w.Credential(t.Context(), vault.Need{Tenant: "globex", Server: "crm", User: "alice"})
			if len(c.scopes) == 0 {
				if !errors.Is(err, vault.ErrNotOpen) {
					t.Errorf("looking for a credential: %v", err)
				}
				return
			}
			q, err := w.hub.Open(t.Context(), w.Question(required(t, err), rival, ""))
			if err != nil {
				t.Fatal(err)
			}
			offer, err := w.Offer(t.Context(), rival, q.ID)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.scopes, offer.Scopes); diff != "" {
				t.Errorf("the page shows: %s", diff)
			}
			if got := query(t, w.begin(rival, q, "acme")).Get("scope"); got != strings.Join(c.scopes, " ") {
				t.Errorf("the provider is asked for %q", got)
			}
		})
	}
}

// tenantRecord writes what a store may have from before there was a check.
func (w *world) tenantRecord(kind, key, data string) func(kind, key, data string) {
	w.t.Helper()
	write := func(kind, key, data string) {
		w.t.Helper()
		if _, err := sealed(w).Save(w.t.Context(), parley.Record{Address: parley.Address{Tenant: "globex", Kind: kind, Key: key}, Data: []byte(data)}); err != nil {
			w.t.Fatal(err)
		}
	}
	write(kind, key, data)
	return write
}

func TestAServerOfTheConfigurationUsesItsProviderForEveryTenant(t *testing.T) {
	w := newWorld(t, nil)
	w.connect(rival, "tracker", w.acme, "acme")
	if _, err := w.Credential(t.Context(), vault.Need{Tenant: "globex", Server: "tracker", User: "alice"}); err != nil {
		t.Error(err)
	}
}

// The operator's server names a service, and a tenant has one of the same name.
func TestATenantsServiceDoesNotWidenWhatTheOperatorsClientAsksFor(t *testing.T) {
	w := newWorld(t, nil)
	w.tenantRecord("service", "boards", `{"name":"boards","provider":"acme","scopes":["boards.admin"]}`)
	_, err := w.Credential(t.Context(), vault.Need{Tenant: "globex", Server: "boards", User: "alice"})
	if !errors.Is(err, vault.ErrNotOpen) {
		t.Errorf("got %v", err)
	}
	if err := w.PutService(t.Context(), "globex", vault.Service{Name: "more", Provider: "acme", Scopes: []string{"boards.admin"}}); !errors.Is(err, vault.ErrNotOpen) {
		t.Errorf("storing one: %v", err)
	}
}

// What was agreed to with the operator's service is not taken away by a tenant's
// of the same name, nor given to it.
func TestATenantsServiceTakesNothingFromAServerOfTheOperators(t *testing.T) {
	w := newWorld(t, nil)
	w.connect(rival, "boards", w.acme, "acme")
	need := vault.Need{Tenant: "globex", Server: "boards", User: "alice"}
	before, err := w.Credential(t.Context(), need)
	if err != nil {
		t.Fatal(err)
	}
	w.tenantRecord("service", "boards", `{"name":"boards","provider":"acme","scopes":["boards.admin"]}`)
	if after, err := w.Credential(t.Context(), need); err != nil || after.Grant() != before.Grant() {
		t.Errorf("got %v, %v", after, err)
	}
}

func TestAServerCannotAskForMoreScopesThanItsTenantMay(t *testing.T) {
	w := lent(t, func(p *vault.Provider, _ *vault.Service) { p.Tenants = []string{"globex"} })
	if err := w.PutServer(t.Context(), "globex", crm(vault.Auth{Provider: "acme"})); err != nil {
		t.Fatal(err)
	}
	w.connect(rival, "crm", w.acme, "acme")
	need := vault.Need{Tenant: "globex", Server: "crm", User: "alice"}
	cred, err := w.Credential(t.Context(), need)
	if err != nil {
		t.Fatal(err)
	}
	answer := &http.Response{StatusCode: http.StatusForbidden, Header: http.Header{"Www-Authenticate": {`Bearer error="insufficient_scope", scope="read admin"`}}}
	if err := w.Reject(t.Context(), cred, answer); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Credential(t.Context(), need); !errors.Is(err, vault.ErrNotOpen) {
		t.Errorf("got %v", err)
	}
	// A question that says so all the same, as one from before.
	server, err := w.Server(t.Context(), "globex", "crm")
	if err != nil {
		t.Fatal(err)
	}
	q, err := w.hub.Open(t.Context(), w.Question(&vault.RequiredError{Key: cred.Key, Server: server, Reason: vault.Insufficient, Scopes: []string{"read", "admin"}}, rival, ""))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Offer(t.Context(), rival, q.ID); !errors.Is(err, vault.ErrNotOpen) {
		t.Errorf("the page: %v", err)
	}
	if to, err := w.Begin(t.Context(), rival, q.ID, "acme"); !errors.Is(err, vault.ErrNotOpen) {
		t.Errorf("beginning: %s, %v", to, err)
	}
}

func TestWhatIsClosedAgainIsNotUsedAnyMore(t *testing.T) {
	w := lent(t, func(p *vault.Provider, _ *vault.Service) {
		p.Tenants, p.AllowedScopes = []string{"globex"}, []string{"read", "admin"}
	})
	if err := w.PutServer(t.Context(), "globex", crm(vault.Auth{Provider: "acme", Scopes: []string{"read", "admin"}})); err != nil {
		t.Fatal(err)
	}
	w.connect(rival, "crm", w.acme, "acme")
	need := vault.Need{Tenant: "globex", Server: "crm", User: "alice"}
	if _, err := w.Credential(t.Context(), need); err != nil {
		t.Fatal(err)
	}
	w.opts.Providers[0].AllowedScopes = nil
	if _, err := w.another().Credential(t.Context(), need); !errors.Is(err, vault.ErrNotOpen) {
		t.Errorf("with fewer scopes: %v", err)
	}
	narrow := w.another()
	if err := narrow.PutServer(t.Context(), "globex", crm(vault.Auth{Provider: "acme"})); err != nil {
		t.Fatal(err)
	}
	if _, err := narrow.Credential(t.Context(), need); !errors.Is(err, vault.ErrRequired) {
		t.Errorf("with a token of more scopes than the server asks for now: %v", err)
	}
	w.opts.Providers[0].Tenants = nil
	if _, err := w.another().Credential(t.Context(), need); !errors.Is(err, vault.ErrNotOpen) {
		t.Errorf("closed: %v", err)
	}
	if err := w.another().Disconnect(t.Context(), vault.Key{Tenant: "globex", Server: "crm", Scope: vault.User, Owner: "alice"}); err != nil || len(w.acme.revoked) != 2 {
		t.Errorf("what was granted is given back all the same: %v, %d tokens", err, len(w.acme.revoked))
	}
}

// reservedNames are what an authorization request says by itself.
var reservedNames = []string{
	"client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge", "code_challenge_method", "nonce", "resource",
	"request", "request_uri", "response_mode", "authorization_details", "client_secret",
}

func TestReservedParametersAreNotSetByAProvider(t *testing.T) {
	good := newAuthServer("acme.example").provider("acme")
	var names []string
	for _, name := range reservedNames {
		names = append(names, name, strings.ToUpper(name), strings.ToUpper(name[:1])+name[1:])
	}
	names = append(names, "scope[]", " scope", "scope ", "redirect.uri", "ſcope", "sco\x00pe", "")
	for _, name := range names {
		p := change(good, func(p *vault.Provider) { p.AuthParams = map[string]string{name: "admin"} })
		if err := p.Validate(); !errors.Is(err, vault.ErrInvalid) || !strings.Contains(err.Error(), "auth_params") {
			t.Errorf("auth_params %q: %v", name, err)
		}
		p = change(good, func(p *vault.Provider) { p.AuthURL += "?" + url.QueryEscape(name) + "=admin" })
		if err := p.Validate(); name != "" && (!errors.Is(err, vault.ErrInvalid) || !strings.Contains(err.Error(), "auth_url")) {
			t.Errorf("auth_url with %q: %v", name, err)
		}
	}
	for _, query := range []string{"?a=1;scope=admin", "?%zz=1"} {
		if err := change(good, func(p *vault.Provider) { p.AuthURL += query }).Validate(); !errors.Is(err, vault.ErrInvalid) {
			t.Errorf("auth_url with %s: %v", query, err)
		}
	}
	p := change(good, func(p *vault.Provider) {
		p.AuthURL += "?p=b2c_1_signin"
		p.AuthParams = map[string]string{"access_type": "offline", "prompt": "consent", "login_hint": "x", "audience": "y"}
	})
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
}

// A record from before the check must not get past it.
func TestReservedParametersAreRefusedWhereTheRequestIsMade(t *testing.T) {
	for name, bad := range map[string]func(*vault.Provider){
		"auth_params": func(p *vault.Provider) { p.AuthParams = map[string]string{"scope": "admin"} },
		"in capitals": func(p *vault.Provider) { p.AuthParams = map[string]string{"SCOPE": "admin"} },
		"auth_url":    func(p *vault.Provider) { p.AuthURL += "?scope=admin" },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			if err := w.PutServer(t.Context(), "globex", crm(vault.Auth{Provider: "idp"})); err != nil {
				t.Fatal(err)
			}
			w.tenantRecord("provider", "idp", mustJSON(t, struct {
				vault.Provider
				ClientSecret string `json:"client_secret"`
			}{change(w.other.provider("idp"), bad), w.other.secret}))
			q := w.ask(rival, "crm")
			if offer, err := w.Offer(t.Context(), rival, q.ID); !errors.Is(err, vault.ErrInvalid) {
				t.Errorf("the page: %+v, %v", offer, err)
			}
			if to, err := w.Begin(t.Context(), rival, q.ID, "idp~globex"); !errors.Is(err, vault.ErrInvalid) {
				t.Errorf("the request: %s, %v", to, err)
			}
		})
	}
}

func TestThePageIsToldWhatElseAProviderIsSent(t *testing.T) {
	w := newWorld(t, func(o *vault.Options) {
		o.Providers[0].AuthParams = map[string]string{"user_scope": "chat:write", "access_type": "offline"}
		o.Providers[0].AuthURL += "?p=signin"
	})
	offer, err := w.Offer(t.Context(), alice, w.ask(alice, "tracker").ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"access_type=offline", "p=signin", "user_scope=chat:write"}, offer.Params); diff != "" {
		t.Error(diff)
	}
	to := w.begin(alice, offer.Question, "acme")
	for _, name := range append([]string{"p"}, reservedNames...) {
		if n := len(query(t, to)[name]); n > 1 {
			t.Errorf("%s is there %d times: %s", name, n, to)
		}
	}
	if fmt.Sprint(query(t, to)["scope"]) != "[read]" {
		t.Errorf("sent to %s", to)
	}
}

// What a source keeps is got with the operator's key: a tenant's server has none
// of it that the operator has not opened, and nobody is sent to connect it.
func TestATenantsServerUsesASourceOnlyWhereItWasOpened(t *testing.T) {
	for name, c := range map[string]struct {
		terms vault.SourceTerms
		open  bool
	}{
		"nothing is open":       {},
		"to others":             {terms: vault.SourceTerms{Tenants: []string{"acme"}, Integrations: []string{"*"}}},
		"another integration":   {terms: vault.SourceTerms{Tenants: []string{"globex"}, Integrations: []string{"calendar"}}},
		"no integration":        {terms: vault.SourceTerms{Tenants: []string{"globex"}}},
		"the integration":       {vault.SourceTerms{Tenants: []string{"globex"}, Integrations: []string{"github"}}, true},
		"all of it, to anybody": {vault.SourceTerms{Tenants: []string{"*"}, Integrations: []string{"*"}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			c2 := &cupboard{gone: map[vault.Place]bool{}}
			w := newWorld(t, func(o *vault.Options) {
				o.Sources = map[string]vault.Source{"cupboard": c2}
				o.Lent = map[string]vault.SourceTerms{"cupboard": c.terms}
			})
			w.put(mail(func(s *vault.Server) { s.Auth.Integration = "github" }))
			_, err := w.Credential(t.Context(), vault.Need{Tenant: "globex", Server: "mail", User: "alice"})
			if c.open != !errors.Is(err, vault.ErrNotOpen) {
				t.Errorf("%v", err)
			}
		})
	}
}
