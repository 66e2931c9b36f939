package pages_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

// vaultSite is a site with a real vault behind it.
type vaultSite struct {
	*site
	vault  *vault.Vault
	acme   *idp // at login.acme.co.uk
	hooli  *idp
	source *shelf
}

// shelf is a source that keeps credentials in another place.
type shelf struct {
	mu   sync.Mutex
	have bool
}

func (s *shelf) Fetch(context.Context, vault.Place) (vault.Secret, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.have {
		return vault.Secret{}, vault.ErrNoCredential
	}
	return vault.Secret{Value: "kept-elsewhere"}, nil
}

func (s *shelf) Connect(_ context.Context, _ vault.Place, question string) (string, error) {
	return "https://connect.shelf.example/?q=" + question, nil
}

func newVaultSite(t *testing.T) *vaultSite {
	v := &vaultSite{acme: newIDP(t, "https://login.acme.co.uk"), hooli: newIDP(t, "https://hooli.example"), source: &shelf{}}
	v.site = newSite(t, local, func(s *site, o *pages.Options) {
		s.web.serve("login.acme.co.uk", v.acme)
		s.web.serve("hooli.example", v.hooli)
		user := func(a vault.Auth) vault.Auth { a.Scope = vault.User; return a }
		hooli := v.hooli.asProvider("hooli", "")
		hooli.AuthParams = map[string]string{"user_scope": "<b>everything</b>"}
		var err error
		v.vault, err = vault.New(s.hub, s.store, s.keys, &vault.Options{
			PublicURL: local, Client: &http.Client{Transport: s.web}, TenantClient: &http.Client{Transport: s.web}, Logger: o.Logger,
			Providers: []vault.Provider{v.acme.asProvider("acme", "Acme <b>Cloud</b>"), hooli},
			Sources:   map[string]vault.Source{"shelf": v.source},
			Servers: []vault.Server{
				{Name: "tracker", Title: "Issue <i>Tracker</i>", URL: "https://mcp.tracker.example/mcp", Auth: user(vault.Auth{Type: vault.OAuth2, Provider: "acme", Scopes: []string{"issues:read", "<u>all</u>"}})},
				{Name: "wiki", Title: "Team <i>Wiki</i>", URL: "https://mcp.wiki.example/mcp", Auth: user(vault.Auth{Type: vault.OAuth2, Provider: "acme", Scopes: []string{"issues:read"}})},
				{Name: "notes", URL: "https://notes.example/mcp", Auth: user(vault.Auth{Type: vault.OAuth2, Provider: "hooli"})},
				{Name: "search", Title: "Search", URL: "https://api.search.example/mcp", Auth: user(vault.Auth{Type: vault.APIKey})},
				{Name: "mail", Title: "Mail", URL: "https://mail.example/mcp", Auth: user(vault.Auth{Type: vault.OAuth2, Source: "shelf"})},
				{Name: "board", URL: "https://eu.board.example/mcp", Auth: user(vault.Auth{Type: vault.MCP})},
				{Name: "shared", URL: "https://shared.example/mcp", Auth: vault.Auth{Type: vault.APIKey, Scope: vault.Platform}},
				{Name: "agents", URL: "https://agents.example/mcp", Auth: vault.Auth{Type: vault.APIKey, Scope: vault.Mentor}},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		o.Connections = v.vault
	})
	return v
}

func (p *idp) asProvider(name, title string) vault.Provider {
	return vault.Provider{
		Name: name, Title: title, Issuer: p.issuer, AuthURL: p.issuer + "/authorize", TokenURL: p.issuer + "/token",
		ClientID: p.client, ClientSecret: parley.Secret(p.secret), SecretIn: "header",
	}
}

// ask opens a question for a server's credential.
func (v *vaultSite) ask(server string, scope vault.Scope, owner, to string) parley.Request {
	v.t.Helper()
	found, err := v.vault.Server(v.t.Context(), "", server)
	if err != nil {
		v.t.Fatal(err)
	}
	q, err := v.hub.Open(v.t.Context(), v.vault.Question(&vault.RequiredError{
		Key: vault.Key{Tenant: "default", Server: server, Scope: scope, Owner: owner}, Server: found, Reason: vault.Missing,
	}, parley.Principal{User: to}, ""))
	if err != nil {
		v.t.Fatal(err)
	}
	return q
}

// askAlice asks her for her own.
func (v *vaultSite) askAlice(server string) parley.Request {
	v.t.Helper()
	return v.ask(server, vault.User, "alice", "alice")
}

func (v *vaultSite) connected(server string) bool {
	v.t.Helper()
	_, err := v.vault.Credential(v.t.Context(), vault.Need{Server: server, User: "alice"})
	return err == nil
}

func connectPath(q parley.Request) string { return "/auth/connect?elicitation_id=" + string(q.ID) }

func oauthPath(slug string, q parley.Request) string {
	return "/oauth/connect/" + slug + "?elicitation_id=" + string(q.ID)
}

var agree, refuse = url.Values{"action": {"connect"}}, url.Values{"action": {"decline"}}

// consent goes from our page to the provider and returns where that sends the
// browser.
func (v *vaultSite) consent(b *browser, slug string, q parley.Request) string {
	v.t.Helper()
	to, ok := strings.CutPrefix(b.post(oauthPath(slug, q), agree).want(http.StatusOK).Header.Get("Refresh"), "0; url=")
	if !ok {
		v.t.Fatal("the page does not forward")
	}
	return b.get(to).want(http.StatusFound).Header.Get("Location")
}

func TestConnectPageSaysWhoAsksForWhatWhereAndAsWhom(t *testing.T) {
	v := newVaultSite(t)
	q := v.askAlice("tracker")
	b := v.as("alice")
	for _, where := range []string{connectPath(q), oauthPath("acme", q)} {
		a := b.get(where).want(http.StatusOK).says(
			"Connect Issue <i>Tracker</i>", "Asked by Issue <i>Tracker</i>", "Provider Acme <b>Cloud</b>", "acme.co.uk (login.acme.co.uk)",
			"The credential goes to tracker.example (mcp.tracker.example)", "issues:read", "<u>all</u>", "Your account here alice", "Open until", "Connect at acme.co.uk", "Decline")
		if len(a.find("b"))+len(a.find("i"))+len(a.find("u")) > 0 {
			t.Error("names are markup")
		}
		if got := attr(a.one("button", "value=connect").Parent.Parent, "action"); got != oauthPath("acme", q) {
			t.Errorf("the form goes to %s", got)
		}
		main := a.one("main")
		if attr(main, "data-watch") != "/auth/status?elicitation_id="+string(q.ID) || attr(main, "data-then") != connectPath(q) {
			t.Errorf("the page watches %v", main.Attr)
		}
	}
	if n := v.web.count("login.acme.co.uk/authorize") + v.web.count("login.acme.co.uk/token"); n != 0 {
		t.Errorf("the provider was contacted %d times", n)
	}
	if flows, err := v.store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: "oauth_flow"}, "", 10); err != nil || len(flows) != 0 {
		t.Errorf("%d attempts before anybody agreed, %v", len(flows), err)
	}
}

func TestConnectingAnAccount(t *testing.T) {
	v := newVaultSite(t)
	q := v.askAlice("tracker")
	b := v.as("alice")
	forward := b.post(oauthPath("acme", q), agree).want(http.StatusOK).says("You are being taken to acme.co.uk")
	to := strings.TrimPrefix(forward.Header.Get("Refresh"), "0; url=")
	forward.one("a", "href="+to)
	back := b.get(to).want(http.StatusFound).Header.Get("Location")
	if !strings.HasPrefix(back, local+"/oauth/callback/acme?") {
		t.Fatalf("the provider sends to %s", back)
	}
	b.get(back).leads(connectPath(q)).lacks("code=")
	a := b.get(connectPath(q)).want(http.StatusOK).says("Connected", "Your account is connected")
	if main := a.one("main"); attr(main, "data-settled") != string(q.ID) || attr(main, "data-action") != "accept" {
		t.Errorf("the opener is told %v", main.Attr)
	}
	o := v.get(q.ID, "alice").Outcome
	if o == nil || o.Action != parley.Accept || o.By != "alice" || !v.connected("tracker") {
		t.Errorf("outcome %+v, connected %t", o, v.connected("tracker"))
	}
	b.get(back).want(http.StatusBadRequest).says("used already").lacks("Connect at")
	b.get(path(q)).leads(connectPath(q))
	b.post(oauthPath("acme", q), agree).want(http.StatusOK).says("Connected") // too late to start again
	for _, secret := range []string{mustQuery(t, back).Get("code"), mustQuery(t, to).Get("state"), v.acme.secret} {
		if secret == "" || strings.Contains(v.log.String(), secret) {
			t.Errorf("the log has %q", secret)
		}
	}
}

func mustQuery(t *testing.T, raw string) url.Values {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()
}

func TestConnectLinkOfSomebodyElseIsRefusedBeforeAnybodyIsContacted(t *testing.T) {
	v := newVaultSite(t)
	q := v.askAlice("tracker")
	bob, nobody := v.as("bob"), v.browser()
	for _, where := range []string{connectPath(q), oauthPath("acme", q)} {
		for _, a := range []*answer{bob.get(where), bob.post(where, agree), bob.post(where, refuse)} {
			a.want(http.StatusNotFound).says("for somebody else or does not exist", "signed in as bob").lacks("Tracker", "acme.co.uk", "Acme")
		}
		nobody.get(where).leads("/login?next=" + url.QueryEscape(where)).lacks("Tracker")
		nobody.post(where, agree).want(http.StatusUnauthorized).lacks("Tracker")
	}
	if n := v.web.count("login.acme.co.uk/authorize") + v.web.count("login.acme.co.uk/token"); n != 0 || !v.get(q.ID, "alice").Pending() {
		t.Errorf("the provider was contacted %d times; pending %t", n, v.get(q.ID, "alice").Pending())
	}
}

func TestCallbackChecksThePersonBeforeTheProviderIsContacted(t *testing.T) {
	v := newVaultSite(t)
	q := v.askAlice("tracker")
	alice, bob, nobody := v.as("alice"), v.as("bob"), v.browser()
	back := v.consent(alice, "acme", q)
	a := nobody.get(back).want(http.StatusUnauthorized).says("Nobody is signed in").lacks("code=", mustQuery(t, back).Get("code"))
	if a.Header.Get("Location") != "" {
		t.Error("the code was carried on")
	}
	bob.get(back).want(http.StatusForbidden).says("Somebody else started this", "Use another account").lacks("Tracker", "alice")
	swapped := strings.Replace(back, "/acme?", "/hooli?", 1)
	alice.get(swapped).want(http.StatusBadRequest).says("another provider")
	query := mustQuery(t, back)
	for name, change := range map[string]func(url.Values){
		"no state":      func(q url.Values) { q.Del("state") },
		"another state": func(q url.Values) { q.Set("state", strings.Repeat("A", 52)) },
	} {
		changed := mustQuery(t, back)
		change(changed)
		if a := alice.get("/oauth/callback/acme?" + changed.Encode()); a.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d", name, a.StatusCode)
		}
	}
	if n := v.web.count("login.acme.co.uk/token"); n != 0 || v.connected("tracker") {
		t.Fatalf("the provider was contacted %d times", n)
	}
	query.Set("iss", "https://hooli.example")
	alice.get("/oauth/callback/acme?"+query.Encode()).want(http.StatusForbidden).says("does not come from the provider", "Try again")
	if n := v.web.count("login.acme.co.uk/token"); n != 0 || !v.get(q.ID, "alice").Pending() {
		t.Errorf("the provider was contacted %d times", n)
	}
	alice.get(v.consent(alice, "acme", q)).leads(connectPath(q)) // her own way still works
}

func TestDecliningToConnect(t *testing.T) {
	for server, where := range map[string]func(parley.Request) string{
		"tracker": func(q parley.Request) string { return oauthPath("acme", q) }, "search": connectPath, "mail": connectPath,
	} {
		v := newVaultSite(t)
		q := v.askAlice(server)
		b := v.as("alice")
		b.follow(b.post(where(q), refuse).leads(connectPath(q))).want(http.StatusOK).says("Not connected", "You declined")
		if o := v.get(q.ID, "alice").Outcome; o.Action != parley.Decline {
			t.Errorf("%s: %+v", server, o)
		}
		q = v.askAlice(server)
		b.post(where(q), url.Values{"action": {"whatever"}}).want(http.StatusBadRequest)
		if !v.get(q.ID, "alice").Pending() {
			t.Errorf("%s: settled without a choice", server)
		}
	}
}

func TestProvidersThatDoNotConnect(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*idp)
		says    string
		settled parley.Action // empty: it stays open
	}{
		"declined there": {func(p *idp) { p.answers["error"], p.answers["code"] = "access_denied", "" }, "You declined at Acme", parley.Decline},
		"out of order": {func(p *idp) {
			p.token = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }
		}, "cannot be reached just now", ""},
		"our secret":      {func(p *idp) { p.secret = "another" }, "does not accept this application's registration", parley.Cancel},
		"the code":        {func(p *idp) { p.answers["code"] = "x" }, "refused the connection (invalid_grant)", ""},
		"with a scripted": {func(p *idp) { p.answers["error"] = "<script>alert(1)</script>" }, "not connected", ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVaultSite(t)
			q := v.askAlice("tracker")
			b := v.as("alice")
			v.acme.set(func() {
				c.change(v.acme)
				v.acme.answers["error_description"] = "<script>alert(2)</script>"
			})
			a := b.get(v.consent(b, "acme", q))
			if failed := a.StatusCode >= 400; failed == (name == "declined there") { // which is an answer
				t.Errorf("status %d", a.StatusCode)
			}
			if name != "with a scripted" {
				a.says(c.says)
			}
			a.lacks("alert(1)", "alert(2)", "secret words")
			got := v.get(q.ID, "alice")
			if main := a.one("main"); c.settled == "" {
				if !got.Pending() || attr(a.one("a", "class=button primary"), "href") != connectPath(q) {
					t.Errorf("it cannot be tried again: %+v", got.Outcome)
				}
				a.one("button", "value=decline")
			} else if got.Pending() || got.Outcome.Action != c.settled || attr(main, "data-action") != string(c.settled) {
				t.Errorf("outcome %+v, the opener is told %v", got.Outcome, main.Attr)
			}
			if v.connected("tracker") {
				t.Error("connected")
			}
		})
	}
}

func TestEnteringAKey(t *testing.T) {
	const key = "sk-live-0123456789"
	v := newVaultSite(t)
	q := v.askAlice("search")
	b := v.as("alice")
	a := b.get(connectPath(q)).want(http.StatusOK).says("Connect Search", "The credential goes to search.example (api.search.example)", "Key or token for Search")
	input := a.one("input", "name=key")
	if attr(input, "type") != "password" || attr(input, "autocomplete") != "off" || has(input, "value") {
		t.Errorf("the input is %v", input.Attr)
	}
	const nothing, character, long = "Nothing was entered.", "This has a character that a key or token cannot have.", "This is too long. A key or token has at most 16384 characters."
	for bad, says := range map[string]string{
		"": nothing, "   ": nothing, key + " " + key: character, key + "\n" + key: character, "kéy": character, strings.Repeat("x", 20_000): long,
	} {
		a := b.post(connectPath(q), url.Values{"action": {"connect"}, "key": {bad}}).
			want(http.StatusUnprocessableEntity).says(says).lacks(key)
		if input := a.one("input", "name=key"); has(input, "value") || attr(input, "aria-invalid") != "true" || !strings.Contains(attr(input, "aria-describedby"), "key-error") {
			t.Errorf("the input is %v", input.Attr)
		}
	}
	b.follow(b.post(connectPath(q), url.Values{"action": {"connect"}, "key": {key}}).leads(connectPath(q))).says("Connected").lacks(key)
	if !v.connected("search") || v.get(q.ID, "alice").Outcome.Action != parley.Accept {
		t.Error("not connected")
	}
	if strings.Contains(v.log.String(), key) {
		t.Error("the log has the key")
	}
	records, err := v.store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: "connection"}, "", 10)
	if err != nil || len(records) != 1 || !seal.Sealed(records[0].Data) {
		t.Errorf("%d records, %v", len(records), err)
	}
}

func TestKeysForOthersSayForWhom(t *testing.T) {
	v := newVaultSite(t)
	b := v.as("admin")
	b.get(connectPath(v.ask("shared", vault.Platform, "", "admin"))).want(http.StatusOK).says("Everybody who works with this site")
	b.get(connectPath(v.ask("agents", vault.Mentor, "helper", "admin"))).want(http.StatusOK).says("The agent helper")
}

func TestConnectingElsewhereWaitsForTheSource(t *testing.T) {
	v := newVaultSite(t)
	q := v.askAlice("mail")
	b := v.as("alice")
	a := b.get(connectPath(q)).want(http.StatusOK).says("Connect Mail", "Kept by shelf")
	form := a.one("button", "value=connect").Parent.Parent
	if attr(form, "target") != "_blank" || !has(form, "data-waits") {
		t.Errorf("the form is %v", form.Attr)
	}
	status := attr(a.one("main"), "data-watch")
	if got := b.post(connectPath(q), agree).want(http.StatusOK).Header.Get("Refresh"); got != "0; url=https://connect.shelf.example/?q="+string(q.ID) {
		t.Errorf("Refresh: %s", got)
	}
	state := func(want string) {
		t.Helper()
		if got := strings.TrimSpace(b.get(status).want(http.StatusOK).body); got != `{"state":"`+want+`"}` {
			t.Errorf("status %s, want %s", got, want)
		}
	}
	state("pending")
	v.as("bob").get(status).want(http.StatusNotFound)
	v.source.mu.Lock()
	v.source.have = true
	v.source.mu.Unlock()
	state("accept")
	b.get(connectPath(q)).want(http.StatusOK).says("Connected")
}

func TestAlreadyConnectedSettlesAtOnce(t *testing.T) {
	v := newVaultSite(t)
	b := v.as("alice")
	first := v.askAlice("tracker")
	b.get(v.consent(b, "acme", first)).leads(connectPath(first))
	second := v.askAlice("tracker")
	b.get(connectPath(second)).want(http.StatusOK).says("Connected")
	if o := v.get(second.ID, "alice").Outcome; o == nil || o.Action != parley.Accept {
		t.Errorf("outcome %+v", o)
	}
}

func TestConnectPathsMustFitTheQuestion(t *testing.T) {
	v := newVaultSite(t)
	b := v.as("alice")
	tracker, search, plain := v.askAlice("tracker"), v.askAlice("search"), v.open(parley.Request{})
	b.get(oauthPath("hooli", tracker)).want(http.StatusBadRequest).says("another provider", "Try again")
	b.post(oauthPath("hooli", tracker), agree).want(http.StatusBadRequest).says("another provider")
	b.get(oauthPath("acme", search)).want(http.StatusBadRequest)
	b.post(oauthPath("acme", search), url.Values{"action": {"connect"}, "key": {"k"}}).want(http.StatusBadRequest)
	b.post(connectPath(tracker), agree).want(http.StatusBadRequest).says("another provider") // agreed to a page that named none
	b.get(connectPath(plain)).leads(path(plain))
	b.post(connectPath(plain), refuse).leads(path(plain))
	for _, q := range []parley.Request{tracker, search, plain} {
		if !v.get(q.ID, "alice").Pending() {
			t.Error("settled")
		}
	}
	if n := v.web.count("login.acme.co.uk/authorize"); n != 0 {
		t.Error("somebody was sent to the provider")
	}
}

func TestWithoutAVaultNothingCanBeConnected(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{})
	b := s.as("alice")
	for _, where := range []string{connectPath(q), oauthPath("acme", q), "/oauth/callback/acme?code=x&state=y"} {
		b.get(where).want(http.StatusNotFound).says("Accounts cannot be connected on this site.")
	}
	b.post(connectPath(q), agree).want(http.StatusNotFound)
}

// oddVault answers with whatever error a test wants.
type oddVault struct {
	pages.Connections
	err error
}

func (o oddVault) Offer(context.Context, parley.Principal, parley.ID) (vault.Offer, error) {
	return vault.Offer{}, o.err
}

func TestEveryErrorOfTheVaultIsASentence(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		status int
		says   string
	}{
		"provider down": {&vault.ProviderError{Provider: "Acme", Temporary: true}, http.StatusBadGateway, "Acme cannot be reached just now."},
		"removed":       {vault.ErrUnknown, http.StatusConflict, "was changed or removed meanwhile"},
		"changed":       {vault.ErrNotConnecting, http.StatusConflict, "was changed or removed meanwhile"},
		"no source":     {vault.ErrSource, http.StatusConflict, "was changed or removed meanwhile"},
		"anything else": {errBroken, http.StatusServiceUnavailable, "Something is wrong on our side."},
	} {
		s := newSite(t, local, func(_ *site, o *pages.Options) { o.Connections = oddVault{err: c.err} })
		q := s.open(parley.Request{Trigger: parley.TriggerCredential, Mode: parley.URL, URL: local + "/x"})
		a := s.as("alice").get(connectPath(q)).want(c.status).says(c.says).lacks("fire")
		if c.status != http.StatusServiceUnavailable {
			if got := attr(a.one("a", "class=button primary"), "href"); got != connectPath(q) {
				t.Errorf("%s: again at %s", name, got)
			}
			a.one("button", "value=decline")
		}
	}
}

func TestOpenersAreToldAtTheirExactOriginsOnly(t *testing.T) {
	s := newSite(t, local, func(_ *site, o *pages.Options) {
		o.Origins = []string{"https://app.example", "http://localhost:3000"}
	})
	q := s.open(parley.Request{})
	b := s.as("alice")
	if has(b.get(path(q)).one("main"), "data-settled") {
		t.Error("an open question is told of")
	}
	a := b.follow(b.post(path(q), refuse))
	got := strings.Fields(attr(a.one("main"), "data-origins"))
	if diff := cmp.Diff([]string{local, "https://app.example", "http://localhost:3000"}, got); diff != "" {
		t.Errorf("origins (-want +got):\n%s", diff)
	}
}
