package demoprovider_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"golang.org/x/oauth2"

	"github.com/parley-hq/parley/internal/demoprovider"
)

const (
	// Nothing listens there: browsers stop before they go.
	callback = "http://127.0.0.1:8420/oauth/callback/acme"
	tracker  = "http://127.0.0.1:9100/mcp"
	secret   = "a secret+with/odd signs: äß%"
	state    = "the-state"
)

// fixture is a provider at work, with one confidential and one public client.
type fixture struct {
	*demoprovider.Provider
	transport http.RoundTripper
}

// start serves a provider on a loopback port; change may adapt its options.
func start(t *testing.T, change func(*demoprovider.Options)) *fixture {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	opts := options("http://" + server.Listener.Addr().String())
	if change != nil {
		change(opts)
	}
	p := newProvider(t, opts)
	mux := http.NewServeMux()
	for _, path := range p.Paths() {
		mux.Handle(path, p)
	}
	server.Config.Handler = mux
	server.Start()
	t.Cleanup(server.Close)
	return &fixture{Provider: p, transport: server.Client().Transport}
}

// inMemory is a provider without a network: faster where only order matters,
// and at home in a bubble of synctest.
func inMemory(t *testing.T) *fixture {
	t.Helper()
	p := newProvider(t, options("http://127.0.0.1:9000"))
	return &fixture{Provider: p, transport: inProcess{p}}
}

// inProcess calls a handler for every request.
type inProcess struct{ handler http.Handler }

func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	in := r.Clone(r.Context())
	in.Host = r.URL.Host
	if in.Body == nil {
		in.Body = http.NoBody
	}
	t.handler.ServeHTTP(w, in)
	resp := w.Result()
	resp.Request = r
	return resp, nil
}

// atOnce releases n calls together and waits for them.
func atOnce(n int, call func()) {
	var wg sync.WaitGroup
	begin := make(chan struct{})
	for range n {
		wg.Go(func() {
			<-begin
			call()
		})
	}
	close(begin)
	wg.Wait()
}

func options(issuer string) *demoprovider.Options {
	return &demoprovider.Options{
		Issuer:    issuer,
		Resources: []string{tracker, "http://127.0.0.1:9200/mcp"},
		Clients: []demoprovider.Client{
			{ID: "parley", Name: "Parley", Secret: secret, RedirectURIs: []string{callback}},
			{ID: "public", RedirectURIs: []string{callback}},
		},
	}
}

func newProvider(t *testing.T, opts *demoprovider.Options) *demoprovider.Provider {
	t.Helper()
	p, err := demoprovider.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// client returns the configuration of the confidential client.
func (f *fixture) client(scopes ...string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: "parley", ClientSecret: secret, RedirectURL: callback, Scopes: scopes,
		Endpoint: oauth2.Endpoint{
			AuthURL: f.Issuer() + "/authorize", TokenURL: f.Issuer() + "/token", AuthStyle: oauth2.AuthStyleInHeader,
		},
	}
}

// ctx makes the oauth2 package use the provider's transport.
func (f *fixture) ctx(t *testing.T) context.Context {
	return context.WithValue(t.Context(), oauth2.HTTPClient, &http.Client{Transport: f.transport})
}

// connect goes the whole way as a user and returns the tokens.
func (f *fixture) connect(t *testing.T, user string, config *oauth2.Config, more ...oauth2.AuthCodeOption) *oauth2.Token {
	t.Helper()
	code, verifier := f.code(t, user, config, more...)
	token, err := config.Exchange(f.ctx(t), code, oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatalf("the exchange: %v", err)
	}
	return token
}

// code goes the way to the application's callback.
func (f *fixture) code(t *testing.T, user string, config *oauth2.Config, more ...oauth2.AuthCodeOption) (code, verifier string) {
	t.Helper()
	verifier = oauth2.GenerateVerifier()
	b := f.visitor(t)
	b.open(config.AuthCodeURL(state, append(more, oauth2.S256ChallengeOption(verifier))...))
	b.press("user", user)
	b.press("step", "allow")
	return b.arrived("code"), verifier
}

// refresh sends a refresh token and returns the new tokens.
func (f *fixture) refresh(t *testing.T, config *oauth2.Config, token string) (*oauth2.Token, error) {
	t.Helper()
	return config.TokenSource(f.ctx(t), &oauth2.Token{RefreshToken: token}).Token()
}

// introspect asks the provider about a token.
func (f *fixture) introspect(t *testing.T, token string) demoprovider.Info {
	t.Helper()
	info, err := f.Introspect(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// post sends a form as a program would and returns status and body.
func (f *fixture) post(t *testing.T, path string, form url.Values) (int, string) {
	t.Helper()
	resp, err := (&http.Client{Transport: f.transport}).PostForm(f.Issuer()+path, form)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, read(t, resp)
}

func read(t *testing.T, resp *http.Response) string {
	t.Helper()
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// errorCode returns the OAuth error of a failed token request.
func errorCode(t *testing.T, err error) string {
	t.Helper()
	var failed *oauth2.RetrieveError
	if !errors.As(err, &failed) {
		t.Fatalf("got %v, want an OAuth error", err)
	}
	return failed.ErrorCode
}

// visitor follows links and sends forms as a browser does. It stops
// where the provider sends it elsewhere.
type visitor struct {
	t    *testing.T
	http *http.Client
	home string // the provider

	status int
	header http.Header
	url    *url.URL // of the page, or of the callback
	body   string
	forms  []pageForm
}

func (f *fixture) visitor(t *testing.T) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &visitor{t: t, home: f.Issuer()}
	b.http = &http.Client{Transport: f.transport, Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if !strings.HasPrefix(r.URL.String(), b.home+"/") {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	return b
}

func (b *visitor) open(address string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, address, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	b.do(r)
}

// press sends the form that has a button with that name and value.
func (b *visitor) press(name, value string) {
	b.t.Helper()
	for _, form := range b.forms {
		if form.buttons[name+"="+value] {
			fields := url.Values{name: {value}}
			for field, values := range form.hidden {
				fields[field] = values
			}
			b.send(form.action, fields, "same-origin")
			return
		}
	}
	b.t.Fatalf("the page has no button %s=%s:\n%s", name, value, b.body)
}

// send posts a form as a page of that relation to the provider would.
func (b *visitor) send(action string, fields url.Values, site string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.resolve(action), strings.NewReader(fields.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", site)
	b.do(r)
}

func (b *visitor) resolve(address string) string {
	b.t.Helper()
	base, err := url.Parse(b.home)
	if err != nil {
		b.t.Fatal(err)
	}
	u, err := base.Parse(address)
	if err != nil {
		b.t.Fatal(err)
	}
	return u.String()
}

func (b *visitor) do(r *http.Request) {
	b.t.Helper()
	resp, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	b.body = read(b.t, resp)
	b.status, b.header, b.url = resp.StatusCode, resp.Header, resp.Request.URL
	if away, err := resp.Location(); err == nil {
		b.url = away
	}
	b.forms = parseForms(b.t, b.body)
}

// arrived checks that the browser is at the callback, with the state and the
// issuer, and returns a parameter.
func (b *visitor) arrived(parameter string) string {
	b.t.Helper()
	query := b.url.Query()
	at := *b.url
	at.RawQuery, at.Fragment, at.RawFragment = "", "", ""
	if b.url.Fragment != "" { // where the answer to an implicit request goes
		query, _ = url.ParseQuery(b.url.EscapedFragment())
	}
	if at.String() != callback {
		b.t.Fatalf("the browser is at %s with status %d:\n%s", b.url, b.status, b.body)
	}
	if got := query.Get("iss"); got != b.home {
		b.t.Errorf("got iss %q, want %q", got, b.home)
	}
	if got := query.Get("state"); got != state {
		b.t.Errorf("got state %q, want %q", got, state)
	}
	if query.Get(parameter) == "" {
		b.t.Fatalf("no %s in %s", parameter, b.url)
	}
	return query.Get(parameter)
}

// stayed checks that the browser is on a page of the provider that says so.
func (b *visitor) stayed(status int, text string) {
	b.t.Helper()
	if b.status != status || !strings.Contains(b.body, text) || !strings.Contains(b.body, "Demo provider - not a real service") {
		b.t.Fatalf("got status %d at %s, want %d and a page with %q:\n%s", b.status, b.url, status, text, b.body)
	}
}
