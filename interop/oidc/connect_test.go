package oidc_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/demoprovider"
	"github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/interop/kit"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

// authority is a provider that people connect their accounts at.
type authority struct {
	provider vault.Provider
	signIn   func(w *browser.Window, name string) // as far as the consent page
	agree    string                               // its buttons
	refuse   string
	tokens   func() int               // token requests so far
	visits   func() int               // all requests so far
	secrets  func() map[string]string // what it gave out, with its kind
	fail     func()                   // its token endpoint fails from now on
}

// consent signs in there and agrees.
func (a authority) consent(w *browser.Window, name string) { a.consentAnd(w, name, func() {}) }

// consentAnd agrees after something else has happened.
func (a authority) consentAnd(w *browser.Window, name string, something func()) {
	a.signIn(w, name)
	something()
	w.Follow(a.agree)
}

func (a authority) deny(w *browser.Window, name string) {
	a.signIn(w, name)
	w.Follow(a.refuse)
}

// thirdParty is npm's oidc-provider.
func thirdParty(t *testing.T, redirect string) authority {
	p := startProvider(t, kit.Fields{
		"host":    "localhost",
		"clients": []kit.Fields{{"client_id": "parley", "client_secret": "the-clients-secret", "redirect_uris": []string{redirect}}},
	})
	signIn := func(w *browser.Window, name string) {
		w.WaitFor("Sign-in")
		w.Fill("login", name)
		w.Fill("password", "whatever "+name+" typed")
		w.Screenshot("provider sign-in")
		w.Follow("Sign-in")
		w.WaitFor("Authorize")
		w.Screenshot("provider consent")
	}
	return authority{
		provider: vault.Provider{
			Name: "acme", Title: "Acme Cloud", Issuer: p.Issuer, RequireIss: true, AuthURL: p.Issuer + "/auth", TokenURL: p.Issuer + "/token",
			RevokeURL: p.Issuer + "/token/revocation", ClientID: "parley", ClientSecret: "the-clients-secret", Scopes: []string{"openid", "read"},
		},
		signIn: signIn, agree: "Continue", refuse: "[ Cancel ]",
		tokens: func() int {
			n := 0
			for _, count := range p.grants() {
				n += count
			}
			return n
		},
		visits:  func() int { return len(p.requests()) },
		secrets: p.secrets,
		fail:    func() { p.fail("/token", http.StatusServiceUnavailable, 1000) },
	}
}

// demonstration is the demo provider.
func demonstration(t *testing.T, redirect string) authority {
	var mu sync.Mutex
	visits, secrets, down := 0, map[string]string{}, false
	var provider *demoprovider.Provider
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		mu.Lock()
		visits++
		for _, kind := range []string{"code", "code_verifier", "refresh_token", "client_secret", "state"} {
			if value := r.Form.Get(kind); value != "" {
				secrets[value] = kind
			}
		}
		broken := down && r.URL.Path == "/token"
		mu.Unlock()
		if broken {
			http.Error(w, "out of order", http.StatusServiceUnavailable)
			return
		}
		provider.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	issuer := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	var err error
	provider, err = demoprovider.New(&demoprovider.Options{
		Issuer:  issuer,
		Clients: []demoprovider.Client{{ID: "parley", Secret: "the-clients-secret", Name: "Parley", RedirectURIs: []string{redirect}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	signIn := func(w *browser.Window, name string) {
		w.WaitFor("Pick a user")
		w.Screenshot("provider sign-in")
		w.Follow(name)
		w.WaitFor("It will be able to")
		w.Screenshot("provider consent")
	}
	return authority{
		provider: vault.Provider{
			Name: "acme", Title: "Acme Tracker", Issuer: issuer, RequireIss: true, AuthURL: issuer + "/authorize", TokenURL: issuer + "/token",
			RevokeURL: issuer + "/revoke", ClientID: "parley", ClientSecret: "the-clients-secret", Scopes: []string{"read"},
		},
		signIn: signIn, agree: "Allow", refuse: "Deny",
		tokens:  func() int { return provider.TokenRequests("") },
		visits:  func() int { mu.Lock(); defer mu.Unlock(); return visits },
		secrets: func() map[string]string { mu.Lock(); defer mu.Unlock(); return secrets },
		fail:    func() { mu.Lock(); defer mu.Unlock(); down = true },
	}
}

// station is a server with everything that connecting needs: store, vault,
// pages, and a provider for people to sign in with.
type station struct {
	t     *testing.T
	URL   string
	hub   *parley.Hub
	vault *vault.Vault
	acme  authority
	logs  *kit.Output
	file  string // the database

	aliceCookies []*http.Cookie // as they were when she left for the provider

	mu       sync.Mutex
	callback url.Values // what a provider last sent a browser back with
}

func newStation(t *testing.T, acme func(*testing.T, string) authority, change func(*vault.Options)) *station {
	t.Helper()
	s := &station{t: t, logs: &kit.Output{}, file: filepath.Join(t.TempDir(), "parley.db")}
	logger := slog.New(slog.NewJSONHandler(s.logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	var site http.Handler
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/oauth/callback/") {
			s.mu.Lock()
			s.callback = r.URL.Query()
			s.mu.Unlock()
		}
		site.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	s.URL = front.URL

	store, err := backend.Open(t.Context(), "sqlite:"+s.file, &backend.Options{Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := seal.New([]byte(kit.Secret))
	if err != nil {
		t.Fatal(err)
	}
	s.hub = parley.New(store, &parley.Options{Sealer: keys, Logger: logger})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.hub.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done; store.Close() })

	s.acme = acme(t, s.URL+"/oauth/callback/acme")
	client := outbound.Client(&outbound.Options{Loopback: true})
	t.Cleanup(client.CloseIdleConnections)
	opts := &vault.Options{
		PublicURL: s.URL, Client: client, TenantClient: client, Logger: logger, Providers: []vault.Provider{s.acme.provider},
		Servers: []vault.Server{
			{Name: "tracker", Title: "Issue Tracker", URL: "https://tracker.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Provider: "acme"}},
			{Name: "search", Title: "Search", URL: "https://search.example/mcp", Auth: vault.Auth{Type: vault.APIKey, Scope: vault.User}},
		},
	}
	if change != nil {
		change(opts)
	}
	if s.vault, err = vault.New(s.hub, store, keys, opts); err != nil {
		t.Fatal(err)
	}
	site, err = pages.New(s.hub, &pages.Options{
		PublicURL: s.URL, Records: store, Keys: keys, Connections: s.vault, Logger: logger, SignIn: s.identity(t, client),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// identity is where people sign in: an OpenID provider of their own.
func (s *station) identity(t *testing.T, client *http.Client) pages.SignIn {
	var provider http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { provider.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	p, err := demoprovider.New(&demoprovider.Options{
		Issuer: server.URL, Title: "Company sign-in",
		Clients: []demoprovider.Client{{ID: "pages", Secret: "secret-of-the-pages", Name: "Parley", RedirectURIs: []string{s.URL + "/login/callback"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	provider = p
	return pages.OIDC(&pages.OIDCOptions{Issuer: server.URL, ClientID: "pages", ClientSecret: "secret-of-the-pages", Scopes: []string{"profile"}, Client: client})
}

// call is a program that needs Alice's credential; it waits for it.
func (s *station) call(server string) (parley.Request, func() (string, error)) {
	return s.callFor(server, 0)
}

// callFor is a call whose question stays open for a while only; 0: for long.
func (s *station) callFor(server string, ttl time.Duration) (parley.Request, func() (string, error)) {
	s.t.Helper()
	opened := make(chan parley.Request, 1)
	type result struct {
		cred vault.Credential
		err  error
	}
	done := make(chan result, 1)
	go func() {
		cred, err := s.vault.Obtain(s.t.Context(), kit.Alice, vault.Need{Server: server}, &vault.ObtainOptions{
			Session: "a conversation", TTL: ttl, Opened: func(q parley.Request) { opened <- q },
		})
		done <- result{cred, err}
	}()
	q := <-opened
	return q, func() (string, error) {
		r := <-done
		value, _ := r.cred.Env()
		return value, r.err
	}
}

// signIn signs a person in at the company's provider.
func signIn(w *browser.Window, name string) {
	w.WaitFor("Pick a user")
	w.Follow(name)
	w.WaitFor("wants to use your")
	w.Follow("Allow")
}

func TestConnectingInChromium(t *testing.T) {
	kit.NeedNode(t)
	chromium := browser.Start(t)
	for name, acme := range map[string]func(*testing.T, string) authority{"oidc-provider": thirdParty, "demo provider": demonstration} {
		t.Run(name, func(t *testing.T) {
			t.Run("from the question to the credential", func(t *testing.T) { connects(t, chromium, acme) })
			t.Run("Bob with Alice's link", func(t *testing.T) { strangers(t, chromium, acme) })
			t.Run("nobody comes in time", func(t *testing.T) { expires(t, chromium, acme) })
			t.Run("how it may end otherwise", func(t *testing.T) { endings(t, chromium, acme) })
		})
	}
}

func connects(t *testing.T, chromium *browser.Browser, acme func(*testing.T, string) authority) {
	s := newStation(t, acme, nil)
	q, wait := s.call("tracker")
	person := chromium.Person(t)
	person.Open(q.URL)
	signIn(person.Window, "alice")
	person.WaitFor("Connect Issue Tracker")
	person.Screenshot("connect")
	person.CheckAccessible()
	person.Emulate(browser.View{Dark: true, Width: 390})
	person.Screenshot("connect dark phone")
	person.CheckAccessible()
	person.Emulate(browser.View{})
	person.Follow("[value=connect]")
	s.acme.consent(person.Window, "alice")
	person.WaitForURL(s.URL + "/auth/connect")
	person.WaitFor("Your account is connected")
	person.Screenshot("connected")
	person.CheckAccessible()
	if address := person.URL(); strings.Contains(address, "code=") || strings.Contains(address, "state=") {
		t.Errorf("the address bar has %s", address)
	}
	token, err := wait()
	if err != nil || token == "" {
		t.Fatalf("the call got %q, %v", token, err)
	}
	if n := s.acme.tokens(); n != 1 {
		t.Errorf("%d token requests", n)
	}

	// A key, typed by the same person, who is signed in already.
	const key = "sk-live-4242-the-key-that-alice-typed"
	keyed, waitKey := s.call("search")
	person.Open(keyed.URL)
	person.WaitFor("Connect Search")
	person.Screenshot("key")
	person.CheckAccessible()
	person.Fill("key", key)
	person.Follow("[value=connect]")
	person.WaitFor("Your account is connected")
	if got, err := waitKey(); err != nil || got != key {
		t.Errorf("the call got %q, %v", got, err)
	}

	secrets := s.acme.secrets()
	secrets[token], secrets[key], secrets["secret-of-the-pages"] = "access_token", "key", "client_secret"
	for _, c := range person.Cookies() {
		if strings.Contains(c.Name, "parley") {
			secrets[c.Value] = "session cookie"
		}
	}
	s.keepsSecret(secrets)
}

// keepsSecret looks for secrets in the logs and in every file of the database.
func (s *station) keepsSecret(secrets map[string]string) {
	s.t.Helper()
	files, err := filepath.Glob(s.file + "*")
	if err != nil || len(files) == 0 {
		s.t.Fatalf("no database: %v", err)
	}
	places := map[string]string{"the logs": s.logs.String()}
	size := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			s.t.Fatal(err)
		}
		places[filepath.Base(file)] = string(data)
		size += len(data)
	}
	if !strings.Contains(places["the logs"], "account connected") || size < 8<<10 {
		s.t.Errorf("there is nothing to look at: %d bytes of database, logs %.200s", size, places["the logs"])
	}
	looked := 0
	for value, kind := range secrets {
		if len(value) < 8 {
			continue
		}
		looked++
		for place, text := range places {
			for _, spelled := range []string{value, url.QueryEscape(value)} {
				if strings.Contains(text, spelled) {
					s.t.Errorf("%s are in %s: a %s", "secrets", place, kind)
				}
			}
		}
	}
	if looked < 5 {
		s.t.Errorf("only %d secrets were looked for", looked)
	}
	s.t.Logf("looked for %d secrets in %d bytes of logs and %d bytes of database", looked, len(places["the logs"]), size)
}

// strangers plays what others can do with Alice's link and with the answer that
// the provider gives her.
func strangers(t *testing.T, chromium *browser.Browser, acme func(*testing.T, string) authority) {
	s := newStation(t, acme, func(o *vault.Options) {
		other := o.Providers[0]
		other.Name = "other"
		o.Providers = append(o.Providers, other)
	})
	q, _ := s.call("tracker")
	before := s.acme.visits()
	bob := chromium.Person(t)
	bob.Expect("404")
	bob.Open(q.URL)
	signIn(bob.Window, "bob")
	bob.WaitFor("This question is for somebody else or does not exist.")
	bob.Screenshot("Bob")
	if said := bob.Text("main"); strings.Contains(said, "Tracker") || strings.Contains(said, "Acme") {
		t.Errorf("Bob is told %s", said)
	}
	if n := s.acme.visits() - before; n != 0 {
		t.Errorf("the provider was contacted %d times", n)
	}

	// Alice goes as far as the provider's consent, and the answer is stopped on its way.
	answer := s.intercepted(chromium, t, q)
	tokens := s.acme.tokens()
	refuse := func(who string, jar []*http.Cookie, path string, change func(url.Values), status int) {
		t.Helper()
		query := url.Values{}
		for name, values := range answer {
			query[name] = append([]string{}, values...)
		}
		if change != nil {
			change(query)
		}
		got, body := s.get(path+"?"+query.Encode(), jar)
		if got != status || strings.Contains(body, answer.Get("code")) || !strings.Contains(body, "othing was connected") {
			t.Errorf("%s: status %d: %.300s", who, got, body)
		}
		if n := s.acme.tokens() - tokens; n != 0 {
			t.Errorf("%s: %d token requests", who, n)
		}
		if now, err := s.hub.Get(t.Context(), kit.Alice, q.ID); err != nil || !now.Pending() {
			t.Errorf("%s: the question is settled: %v", who, err)
		}
	}
	alices := s.aliceCookies
	const callback = "/oauth/callback/acme"
	refuse("nobody", nil, callback, nil, http.StatusUnauthorized)
	refuse("Bob's cookies", bob.Cookies(), callback, nil, http.StatusForbidden)
	refuse("a forged cookie", []*http.Cookie{{Name: "parley_session", Value: strings.Repeat("A", 26)}}, callback, nil, http.StatusUnauthorized)
	refuse("another state", alices, callback, func(v url.Values) { v.Set("state", strings.Repeat("B", 52)) }, http.StatusBadRequest)
	refuse("another provider's callback", alices, "/oauth/callback/other", nil, http.StatusBadRequest)
	refuse("another issuer", alices, callback, func(v url.Values) { v.Set("iss", "https://evil.example") }, http.StatusForbidden)
	refuse("the same state again", alices, callback, nil, http.StatusBadRequest)
}

// intercepted is Alice's way to the provider, whose answer never reaches her
// browser's callback; it returns the answer.
func (s *station) intercepted(chromium *browser.Browser, t *testing.T, q parley.Request) url.Values {
	t.Helper()
	person := chromium.Person(t)
	person.Open(q.URL)
	signIn(person.Window, "alice")
	person.WaitFor("Connect Issue Tracker")
	s.aliceCookies = nil
	for _, c := range person.Cookies() {
		if strings.HasPrefix(c.Name, "parley") {
			s.aliceCookies = append(s.aliceCookies, c)
		}
	}
	person.Follow("[value=connect]")
	// The browser that comes back is signed out, so the answer is not used.
	for _, c := range s.aliceCookies {
		gone := *c
		gone.MaxAge, gone.Value = 0, "gone"
		person.SetCookie(s.URL, &gone)
	}
	person.Expect("401")
	s.acme.consent(person.Window, "alice")
	person.WaitFor("Nobody is signed in in this browser")
	person.Screenshot("signed out at the callback")
	if strings.Contains(person.URL(), "code=") {
		t.Errorf("the code is still in the address bar")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.callback.Get("code") == "" {
		t.Fatal("the provider sent no code")
	}
	return s.callback
}

func (s *station) get(path string, cookies []*http.Cookie) (int, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.URL+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, c := range cookies {
		r.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// expires is a person who closed the window and comes back too late.
func expires(t *testing.T, chromium *browser.Browser, acme func(*testing.T, string) authority) {
	s := newStation(t, acme, nil)
	person := chromium.Person(t)
	person.Open(s.URL + "/login")
	signIn(person.Window, "alice")
	person.WaitFor("You are signed in")
	q, wait := s.callFor("tracker", time.Second)
	person.Open(q.URL)
	person.Open("about:blank")
	var ended *vault.NotConnectedError
	if _, err := wait(); !errors.As(err, &ended) || ended.Outcome.Action != parley.Expire {
		t.Errorf("the call got %v", err)
	}
	person.Open(q.URL)
	person.WaitFor("Nobody waits for this any more. You can still connect this account")
	person.Screenshot("expired")
	if n := s.acme.tokens(); n != 0 {
		t.Errorf("%d token requests", n)
	}
}

// endings are the ways in which nothing is connected: the person sees a
// sentence, and the call gets the outcome.
func endings(t *testing.T, chromium *browser.Browser, acme func(*testing.T, string) authority) {
	for name, c := range map[string]struct {
		change func(*vault.Options)
		play   func(t *testing.T, s *station, p *browser.Person)
		says   string
		want   parley.Action // empty: the question is still open
	}{
		"declined on our page": {
			play: func(_ *testing.T, _ *station, p *browser.Person) { p.Follow("[value=decline]") },
			says: "declined", want: parley.Decline,
		},
		"declined at the provider": {
			play: func(_ *testing.T, s *station, p *browser.Person) {
				p.Follow("[value=connect]")
				s.acme.deny(p.Window, "alice")
			},
			says: "You declined at", want: parley.Decline,
		},
		"the provider is down": {
			play: func(_ *testing.T, s *station, p *browser.Person) {
				p.Expect("502")
				p.Follow("[value=connect]")
				s.acme.consentAnd(p.Window, "alice", s.acme.fail)
			},
			says: "cannot be reached just now",
		},
		"a wrong client secret": {
			change: func(o *vault.Options) { o.Providers[0].ClientSecret = "wrong-client-secret" },
			play: func(_ *testing.T, s *station, p *browser.Person) {
				p.Expect("502")
				p.Follow("[value=connect]")
				s.acme.consent(p.Window, "alice")
			},
			says: "does not accept this application", want: parley.Cancel,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStation(t, acme, c.change)
			q, wait := s.call("tracker")
			p := chromium.Person(t)
			p.Open(q.URL)
			signIn(p.Window, "alice")
			p.WaitFor("Connect Issue Tracker")
			c.play(t, s, p)
			p.WaitForURL(s.URL)
			p.WaitFor(c.says)
			p.Screenshot(name)
			p.CheckAccessible()
			now, err := s.hub.Get(t.Context(), kit.Alice, q.ID)
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				if !now.Pending() {
					t.Errorf("the question ended with %+v", now.Outcome)
				}
				if err := s.hub.Cancel(t.Context(), q.ID, "the test is over"); err != nil {
					t.Fatal(err)
				}
			} else if now.Pending() || now.Outcome.Action != c.want {
				t.Errorf("the question: %+v", now.Outcome)
			}
			var ended *vault.NotConnectedError
			if _, err := wait(); !errors.As(err, &ended) {
				t.Errorf("the call got %v", err)
			}
		})
	}
}
