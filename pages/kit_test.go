package pages_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
)

const (
	secure = "https://parley.example"
	local  = "http://127.0.0.1:8420"
)

var secret = []byte("a secret of 32 random bytes here")

// web is a network of handlers by host, without sockets: it works in a
// synctest bubble, and it counts.
type web struct {
	mu    sync.Mutex
	hosts map[string]http.Handler
	seen  map[string]int // by host and path
}

func newWeb() *web { return &web{hosts: map[string]http.Handler{}, seen: map[string]int{}} }

func (w *web) serve(host string, h http.Handler) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hosts[host] = h
}

func (w *web) count(path string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen[path]
}

func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	handler := w.hosts[r.URL.Host]
	w.seen[r.URL.Host+r.URL.Path]++
	w.mu.Unlock()
	if handler == nil {
		return nil, fmt.Errorf("dial %s: no such host", r.URL.Host)
	}
	in := r.Clone(r.Context())
	in.RequestURI = r.URL.RequestURI()
	if in.Host == "" {
		in.Host = r.URL.Host
	}
	in.URL.Scheme, in.URL.Host = "", ""
	if in.Body == nil {
		in.Body = http.NoBody
	}
	out := httptest.NewRecorder()
	handler.ServeHTTP(out, in)
	if r.Method == http.MethodHead {
		out.Body.Reset()
	}
	response := out.Result()
	response.Request = r
	return response, nil
}

// site is the pages under test with everything around them.
type site struct {
	*pages.Pages
	t     testing.TB
	web   *web
	url   string
	store *parley.MemoryStore
	hub   *parley.Hub
	keys  *seal.Keyring
	log   *syncBuffer
}

// newSite returns a site with the options that the test changes.
func newSite(t testing.TB, public string, change func(*site, *pages.Options)) *site {
	t.Helper()
	s := &site{t: t, web: newWeb(), url: public, store: parley.NewMemoryStore(), log: &syncBuffer{}}
	logger := slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s.hub = parley.New(s.store, &parley.Options{Logger: logger, Limits: parley.Limits{CallBytes: 256 << 10}, Hooks: []parley.Hook{permit.Guard()}})
	var err error
	if s.keys, err = seal.New(secret); err != nil {
		t.Fatal(err)
	}
	opts := &pages.Options{PublicURL: public, Records: s.store, Keys: s.keys, Logger: logger}
	if strings.HasPrefix(public, "http://") {
		opts.SignIn = pages.Dev("alice", "bob")
	}
	if change != nil {
		change(s, opts)
	}
	if s.Pages, err = pages.New(s.hub, opts); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(public)
	if err != nil {
		t.Fatal(err)
	}
	s.web.serve(u.Host, s.Pages)
	return s
}

// devSite is a site where people sign in by name.
func devSite(t testing.TB) *site { return newSite(t, local, nil) }

// open asks alice something.
func (s *site) open(r parley.Request) parley.Request {
	s.t.Helper()
	if r.To == "" {
		r.To = "alice"
	}
	if r.Message == "" {
		r.Message = "Shall I?"
	}
	q, err := s.hub.Open(s.t.Context(), r)
	if err != nil {
		s.t.Fatal(err)
	}
	return q
}

// get reads a question back as its owner.
func (s *site) get(id parley.ID, user string) parley.Request {
	s.t.Helper()
	q, err := s.hub.Get(s.t.Context(), parley.Principal{User: user}, id)
	if err != nil {
		s.t.Fatal(err)
	}
	return q
}

// browser is somebody's browser: it keeps cookies, and follows redirects only
// when told to.
type browser struct {
	t      testing.TB
	site   *site
	client *http.Client
}

func (s *site) browser() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &browser{t: s.t, site: s, client: &http.Client{
		Transport: s.web, Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// as returns a browser in which somebody is signed in at a development site.
func (s *site) as(user string) *browser {
	s.t.Helper()
	b := s.browser()
	b.post("/login", url.Values{"user": {user}}).want(http.StatusSeeOther)
	return b
}

// answer is what the site said.
type answer struct {
	*http.Response
	t    testing.TB
	body string
}

func (b *browser) do(r *http.Request) *answer {
	b.t.Helper()
	response, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return &answer{Response: response, t: b.t, body: string(body)}
}

func (b *browser) request(method, where string, body io.Reader) *http.Request {
	b.t.Helper()
	if strings.HasPrefix(where, "/") {
		where = b.site.url + where
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, where, body)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b *browser) get(where string) *answer {
	b.t.Helper()
	return b.do(b.request(http.MethodGet, where, nil))
}

// post sends a form from a page of the site itself.
func (b *browser) post(where string, form url.Values) *answer {
	b.t.Helper()
	r := b.request(http.MethodPost, where, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Origin", b.site.url)
	return b.do(r)
}

// follow goes where a redirect leads, up to a page.
func (b *browser) follow(a *answer) *answer {
	b.t.Helper()
	for range 10 {
		where := a.Header.Get("Location")
		if where == "" {
			return a
		}
		to, err := a.Request.URL.Parse(where)
		if err != nil {
			b.t.Fatal(err)
		}
		a = b.get(to.String())
	}
	b.t.Fatal("redirects without end")
	return nil
}

// cookie returns the value of a cookie that the browser has for the site.
func (b *browser) cookie(name string) string {
	u, _ := url.Parse(b.site.url)
	for _, c := range b.client.Jar.Cookies(u) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

func (b *browser) setCookie(name, value string) {
	u, _ := url.Parse(b.site.url)
	b.client.Jar.SetCookies(u, []*http.Cookie{{Name: name, Value: value, Path: "/", Secure: u.Scheme == "https"}})
}

// want ends the test if the status is another.
func (a *answer) want(status int) *answer {
	a.t.Helper()
	if a.StatusCode != status {
		a.t.Fatalf("%s %s: status %d, want %d; Location %q\n%s", a.Request.Method, a.Request.URL, a.StatusCode, status, a.Header.Get("Location"), a.text())
	}
	return a
}

// leads ends the test if the redirect goes elsewhere.
func (a *answer) leads(where string) *answer {
	a.t.Helper()
	a.want(http.StatusSeeOther)
	if got := a.Header.Get("Location"); got != where {
		a.t.Fatalf("%s leads to %q, want %q", a.Request.URL, got, where)
	}
	return a
}

// forwards ends the test if the page goes on to another place.
func (a *answer) forwards(where string) *answer {
	a.t.Helper()
	a.want(http.StatusOK)
	if got := a.Header.Get("Refresh"); got != "0; url="+where {
		a.t.Fatalf("%s forwards to %q, want %q", a.Request.URL, got, where)
	}
	a.one("a", "href="+where)
	return a
}

// says ends the test if the page's text lacks any of these.
func (a *answer) says(texts ...string) *answer {
	a.t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.text(), text) {
			a.t.Fatalf("%s %s does not say %q:\n%s", a.Request.Method, a.Request.URL, text, a.text())
		}
	}
	return a
}

// lacks ends the test if any of these is anywhere in what was sent.
func (a *answer) lacks(texts ...string) *answer {
	a.t.Helper()
	for _, text := range texts {
		if strings.Contains(a.body, text) || strings.Contains(a.text(), text) {
			a.t.Fatalf("%s %s says %q:\n%s", a.Request.Method, a.Request.URL, text, a.body)
		}
	}
	return a
}

func (a *answer) dom() *html.Node {
	a.t.Helper()
	doc, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		a.t.Fatal(err)
	}
	return doc
}

// text is the page as somebody reads it, with single spaces.
func (a *answer) text() string {
	var b strings.Builder
	for n := range a.dom().Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "script" && n.Parent.Data != "style" {
			b.WriteString(n.Data)
			if !inline(n.Parent.Data) {
				b.WriteByte(' ')
			}
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func inline(tag string) bool {
	return tag == "bdi" || tag == "strong" || tag == "time" || tag == "span" || tag == "p" || tag == "code"
}

// find returns the elements with the tag whose attributes are these, written
// as name=value.
func (a *answer) find(tag string, attributes ...string) []*html.Node {
	a.t.Helper()
	var found []*html.Node
nodes:
	for n := range a.dom().Descendants() {
		if n.Type != html.ElementNode || n.Data != tag {
			continue
		}
		for _, want := range attributes {
			name, value, _ := strings.Cut(want, "=")
			if got, ok := attribute(n, name); !ok || got != value {
				continue nodes
			}
		}
		found = append(found, n)
	}
	return found
}

// one ends the test unless there is exactly one such element.
func (a *answer) one(tag string, attributes ...string) *html.Node {
	a.t.Helper()
	found := a.find(tag, attributes...)
	if len(found) != 1 {
		a.t.Fatalf("%d elements <%s %s> in\n%s", len(found), tag, strings.Join(attributes, " "), a.body)
	}
	return found[0]
}

func attribute(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func attr(n *html.Node, name string) string {
	value, _ := attribute(n, name)
	return value
}

func has(n *html.Node, name string) bool {
	_, ok := attribute(n, name)
	return ok
}

// content is the text inside an element, as it stands.
func content(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// syncBuffer is a log that goroutines may share.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
