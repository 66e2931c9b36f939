package pages_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
)

func TestEveryAnswerCarriesTheProtectiveHeaders(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{})
	alice, nobody := s.as("alice"), s.browser()
	for _, a := range []*answer{
		nobody.get("/login"), nobody.get("/logout"), nobody.get(path(q)), alice.get(path(q)), alice.get("/nowhere"), alice.get("/login"),
		alice.get("/auth/connect?elicitation_id=" + string(q.ID)), alice.get("/oauth/connect/x"), alice.get("/oauth/callback/x?code=1"),
		alice.get("/auth/status?elicitation_id=" + string(q.ID)), alice.post(path(q), url.Values{"action": {"decline"}}), alice.get(path(q)),
		alice.do(alice.request(http.MethodPut, "/login", nil)), alice.get("/pages/assets/0/pages.css"),
	} {
		h := a.Header
		for name, want := range map[string]string{
			"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Cache-Control": "no-store",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", a.Request.URL, name, got, want)
			}
		}
		csp := h.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
			if !strings.Contains(csp, want+";") && !strings.HasSuffix(csp, want) {
				t.Errorf("%s: the policy lacks %s: %s", a.Request.URL, want, csp)
			}
		}
		for _, not := range []string{"unsafe", "http:", "https:", "*"} {
			if strings.Contains(csp, not) {
				t.Errorf("%s: the policy has %s", a.Request.URL, not)
			}
		}
	}
}

func TestPagesHaveNothingInlineAndNothingFromElsewhere(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Schema: everyKind()})
	for _, a := range []*answer{s.as("alice").get(path(q)), s.browser().get("/login"), s.browser().get("/nowhere")} {
		for n := range a.dom().Descendants() {
			if n.Data == "script" && content(n) != "" || n.Data == "style" || has(n, "style") {
				t.Errorf("%s has an inline <%s>", a.Request.URL, n.Data)
			}
			for _, name := range []string{"src", "href", "action"} {
				if v := attr(n, name); v != "" && !strings.HasPrefix(v, "/") && !strings.HasPrefix(v, "#") && v != "data:," {
					t.Errorf("%s: %s=%s", a.Request.URL, name, v)
				}
			}
		}
	}
}

func TestAssetsAreKeptForEver(t *testing.T) {
	s := devSite(t)
	b := s.browser()
	page := b.get("/login")
	for where, kind := range map[string]string{
		attr(page.one("link", "rel=stylesheet"), "href"): "text/css", attr(page.one("script"), "src"): "text/javascript",
	} {
		a := b.get(where).want(http.StatusOK)
		if !strings.HasPrefix(a.Header.Get("Content-Type"), kind) || !strings.Contains(a.Header.Get("Cache-Control"), "immutable") || a.body == "" {
			t.Errorf("%s: %v", where, a.Header)
		}
		b.get(strings.Replace(where, "/assets/", "/assets/0", 1)).want(http.StatusNotFound)
	}
}

func TestOtherSitesCannotSendForms(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{})
	for name, header := range map[string]http.Header{
		"cross-site":            {"Sec-Fetch-Site": {"cross-site"}},
		"same site, other host": {"Sec-Fetch-Site": {"same-site"}},
		"older browser":         {"Origin": {"https://evil.example"}},
		"sandboxed frame":       {"Origin": {"null"}},
		"other port":            {"Origin": {"http://127.0.0.1:9999"}},
	} {
		b := s.as("alice")
		for where, form := range map[string]string{path(q): "action=accept", "/login": "user=mallory", "/logout": "", "/auth/connect?elicitation_id=" + string(q.ID): "action=connect"} {
			r := b.request(http.MethodPost, where, strings.NewReader(form))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			for k, v := range header {
				r.Header[k] = v
			}
			b.do(r).want(http.StatusForbidden).says("Another site sent this")
		}
		if who, err := principal(t, s, b); err != nil || who.User != "alice" {
			t.Errorf("%s: now %+v, %v", name, who, err)
		}
	}
	if !s.get(q.ID, "alice").Pending() {
		t.Error("another site answered")
	}
}

func TestFormsWorkBehindAProxyThatChangesTheHost(t *testing.T) {
	v := newVerifier(t)
	v.site.web.serve("10.1.2.3:8080", v.site.Pages)
	b := v.site.browser()
	v.signIn(b, pages.Identity{User: "alice"}).leads("/login")
	r := b.request(http.MethodPost, "/logout", nil)
	r.Host = "10.1.2.3:8080"
	r.Header.Set("Origin", secure)
	b.do(r).leads("/logout")
}

func TestNamesThatLeadHereAreNotOurs(t *testing.T) {
	s := devSite(t)
	for host, want := range map[string]int{
		"127.0.0.1:8420": http.StatusOK, "localhost:8420": http.StatusOK, "[::1]:8420": http.StatusOK, "localhost": http.StatusOK,
		"evil.example": http.StatusMisdirectedRequest, "evil.example:8420": http.StatusMisdirectedRequest,
		"127.0.0.1.evil.example:8420": http.StatusMisdirectedRequest, "": http.StatusMisdirectedRequest,
	} {
		r := httptest.NewRequest(http.MethodGet, "/login", nil)
		r.Host = host
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%q: %d, want %d", host, w.Code, want)
		}
	}
}

func TestMethodsAndPaths(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Message: "Only for Alice"})
	server := httptest.NewServer(s)
	defer server.Close()
	defer http.DefaultClient.CloseIdleConnections()
	key := s.as("alice").cookie(session)
	for _, c := range []struct {
		method, path string
		want         int
		allow        string
	}{
		{http.MethodHead, path(q), http.StatusOK, ""},
		{http.MethodHead, "/login", http.StatusOK, ""},
		{http.MethodPut, "/login", http.StatusMethodNotAllowed, "GET, HEAD, POST"},
		{http.MethodDelete, path(q), http.StatusMethodNotAllowed, "GET, HEAD, POST"},
		{http.MethodPost, "/auth/status", http.StatusMethodNotAllowed, "GET, HEAD"},
		{http.MethodPost, "/oauth/callback/acme", http.StatusMethodNotAllowed, "GET, HEAD"},
		{http.MethodGet, "/", http.StatusNotFound, ""},
		{http.MethodGet, "/answer", http.StatusNotFound, ""},
		{http.MethodGet, "/answer/", http.StatusNotFound, ""},
		{http.MethodGet, path(q) + "/x", http.StatusNotFound, ""},
		{http.MethodGet, "/login/callback", http.StatusNotFound, ""},
		{http.MethodPost, "/nowhere", http.StatusNotFound, ""},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, server.URL+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.AddCookie(&http.Cookie{Name: session, Value: key})
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != c.want || response.Header.Get("Allow") != c.allow {
			t.Errorf("%s %s: %d, Allow %q; want %d, %q", c.method, c.path, response.StatusCode, response.Header.Get("Allow"), c.want, c.allow)
		}
		if c.method == http.MethodHead && len(body) > 0 {
			t.Errorf("HEAD %s has a body", c.path)
		}
		if c.want >= 400 && !strings.Contains(string(body), "<h1>") {
			t.Errorf("%s %s is no page: %s", c.method, c.path, body)
		}
	}
}

func TestDamagedFormsAreRefused(t *testing.T) {
	s := devSite(t)
	b := s.as("alice")
	q := s.open(parley.Request{})
	for _, where := range []string{path(q), "/login", "/logout"} {
		r := b.request(http.MethodPost, where, strings.NewReader("a=%zz"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		b.do(r).want(http.StatusBadRequest).says("damaged")
		r = b.request(http.MethodPost, where, strings.NewReader("a="+strings.Repeat("x", 2<<20)))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		b.do(r).want(http.StatusRequestEntityTooLarge)
	}
	r := b.request(http.MethodPost, path(q), strings.NewReader(`{"action":"accept"}`))
	r.Header.Set("Content-Type", "application/json")
	b.do(r).want(http.StatusBadRequest)
	if _, err := principal(t, s, b); err != nil || !s.get(q.ID, "alice").Pending() {
		t.Error("something happened")
	}
}

func TestTitleIsTheHostApplications(t *testing.T) {
	s := newSite(t, local, func(_ *site, o *pages.Options) { o.Title = "Acme <Desk>" })
	if got := content(s.browser().get("/login").one("title")); got != "Sign in – Acme <Desk>" {
		t.Errorf("title %q", got)
	}
}
