package outbound_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parley-hq/parley/outbound"
)

// credentials are headers that somebody might send a secret in.
func credentials() http.Header {
	return http.Header{
		"Authorization": {"Bearer s3cret"}, "Cookie": {"id=s3cret"}, "Proxy-Authorization": {"Basic s3cret"},
		"X-Api-Key": {"s3cret"}, "Mcp-Session-Id": {"s3cret"}, "Referer": {"https://app.example/?s3cret"}, "Accept": {"application/json"},
		"Accept-Language": {"eo"}, "Accept-Encoding": {"identity"}, "User-Agent": {"parley"},
	}
}

// to redirects everything to what location returns.
func to(status int, location func() string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", location())
		w.WriteHeader(status)
	}
}

func at(s *site) func() string { return func() string { return s.URL } }

func send(t testing.TB, c *http.Client, method, url, body string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body == "" {
		req.Body, req.GetBody = nil, nil
	}
	req.Header = credentials()
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func TestRedirectToAnotherOriginCarriesOnlyHarmlessHeaders(t *testing.T) {
	harmless := http.Header{
		"Accept": {"application/json"}, "Accept-Language": {"eo"}, "Accept-Encoding": {"identity"}, "User-Agent": {"parley"},
	}
	var got http.Header
	second := newSite(t, false, func(_ http.ResponseWriter, r *http.Request) { got = r.Header })
	for _, status := range []int{301, 302, 303, 307, 308} {
		first := newSite(t, false, to(status, at(second)))
		got = nil
		if err := send(t, newClient(t, &outbound.Options{Loopback: true}), http.MethodGet, first.URL, ""); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(harmless, got); diff != "" {
			t.Errorf("%d: headers at the other origin (-want +got):\n%s", status, diff)
		}
	}
}

// adding is a transport that adds a token to every request, as x/oauth2's does.
type adding struct{ http.RoundTripper }

func (a adding) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer s3cret")
	return a.RoundTripper.RoundTrip(req)
}

func TestTokenThatATransportAddsStaysWithItsOrigin(t *testing.T) {
	var got []string
	note := func(r *http.Request) { got = append(got, r.URL.Path+" "+r.Header.Get("Authorization")) }
	second := newSite(t, false, func(_ http.ResponseWriter, r *http.Request) { note(r) })
	first := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		note(r)
		if r.URL.Path == "/a" {
			http.Redirect(w, r, "/b", http.StatusFound)
			return
		}
		http.Redirect(w, r, second.URL+"/c", http.StatusFound)
	})
	guarded := outbound.Transport(&outbound.Options{Loopback: true})
	c := &http.Client{Transport: adding{guarded}}
	t.Cleanup(guarded.(interface{ CloseIdleConnections() }).CloseIdleConnections)
	if _, err := get(c, first.URL+"/a"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"/a Bearer s3cret", "/b Bearer s3cret", "/c "}, got); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
}

func TestRedirectWithinTheOriginKeepsMethodBodyAndHeaders(t *testing.T) {
	var got, key string
	s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/moved", http.StatusTemporaryRedirect)
			return
		}
		b, _ := io.ReadAll(r.Body)
		got, key = r.Method+" "+string(b), r.Header.Get("X-Api-Key")
	})
	if err := send(t, newClient(t, &outbound.Options{Loopback: true}), http.MethodPost, s.URL, "form"); err != nil {
		t.Fatal(err)
	}
	if got != "POST form" || key != "s3cret" {
		t.Errorf("arrived as %q with the key %q", got, key)
	}
}

func TestCredentialsDoNotComeBackByADetour(t *testing.T) {
	var back http.Header
	var second *site
	first := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/back" {
			back = r.Header
			return
		}
		http.Redirect(w, r, second.URL, http.StatusFound)
	})
	second = newSite(t, false, to(http.StatusFound, func() string { return first.URL + "/back" }))
	if err := send(t, newClient(t, &outbound.Options{Loopback: true}), http.MethodGet, first.URL, ""); err != nil {
		t.Fatal(err)
	}
	if back == nil || back.Get("Authorization") != "" || back.Get("X-Api-Key") != "" {
		t.Errorf("headers after the detour: %v", back)
	}
}

func TestRedirectThatWouldRepeatAMethodOrBodyElsewhereIsRefused(t *testing.T) {
	for _, status := range []int{307, 308} {
		for _, request := range []struct{ method, body string }{
			{http.MethodPost, "code=s3cret"}, {http.MethodPut, "s3cret"}, {http.MethodGet, "s3cret"},
			{http.MethodPost, ""}, {http.MethodDelete, ""},
		} {
			t.Run(strconv.Itoa(status)+request.method+request.body, func(t *testing.T) {
				second := newSite(t, false, hello)
				first := newSite(t, false, to(status, at(second)))
				wantForbidden(t, send(t, newClient(t, &outbound.Options{Loopback: true}), request.method, first.URL, request.body))
				second.untouched(t)
			})
		}
	}
}

func TestRedirectAfterAPostReadsTheResultElsewhere(t *testing.T) {
	var got string
	second := newSite(t, false, func(_ http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got = r.Method + string(b) + r.Header.Get("Authorization") + r.Header.Get("Content-Type")
	})
	first := newSite(t, false, to(http.StatusSeeOther, at(second)))
	if err := send(t, newClient(t, &outbound.Options{Loopback: true}), http.MethodPost, first.URL, "code=s3cret"); err != nil {
		t.Fatal(err)
	}
	if got != "GET" {
		t.Errorf("arrived as %q; want a bare GET", got)
	}
}

func TestAtMostFiveRedirectsAreFollowed(t *testing.T) {
	s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if n == 0 {
			hello(w, r)
			return
		}
		http.Redirect(w, r, "/"+strconv.Itoa(n-1), http.StatusFound)
	})
	c := newClient(t, &outbound.Options{Loopback: true})
	wantHello(t, c, s.URL+"/5")
	s.requests.Store(0)
	_, err := get(c, s.URL+"/6")
	wantForbidden(t, err)
	if n := s.requests.Load(); n != 6 {
		t.Errorf("%d requests; want the first and five more", n)
	}
}

func TestRedirectFromHTTPSToHTTPIsRefusedEvenWhereHTTPIsAllowed(t *testing.T) {
	plain := newSite(t, false, hello)
	secure := newSite(t, true, to(http.StatusFound, at(plain)))
	for name, o := range map[string]outbound.Options{
		"loopback": {Loopback: true},
		"trusted":  {Trusted: []string{plain.Listener.Addr().String(), secure.Listener.Addr().String()}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := get(newClient(t, secure.trusting(o)), secure.URL)
			wantForbidden(t, err)
			plain.untouched(t)
		})
	}
}

func TestRedirectIsCheckedLikeAFirstRequest(t *testing.T) {
	hidden := newSite(t, false, hello)
	hiddenTLS := newSite(t, true, hello)
	for _, location := range []string{
		hidden.URL, hiddenTLS.URL, "https://example.com:" + hiddenTLS.port, "http://localhost:" + hidden.port,
		"https://169.254.169.254/latest/meta-data/", "https://[::ffff:127.0.0.1]:" + hiddenTLS.port,
		"http://93.184.216.34/", "https://user:pass@93.184.216.34/", "file:///etc/passwd", "ftp://93.184.216.34/",
		"data:text/plain,hello", "javascript:alert(1)", "https:opaque", "gopher://127.0.0.1:" + hidden.port,
		"//2130706433:" + hidden.port + "/",
	} {
		t.Run(location, func(t *testing.T) {
			open := newSite(t, false, to(http.StatusFound, func() string { return location }))
			o := hiddenTLS.trusting(outbound.Options{Resolver: always("127.0.0.1"), Trusted: []string{"start.example:" + open.port}})
			_, err := get(newClient(t, o), "http://start.example:"+open.port)
			wantForbidden(t, err)
			if open.requests.Load() != 1 {
				t.Error("the trusted host was not reached")
			}
			hidden.untouched(t)
			hiddenTLS.untouched(t)
		})
	}
}

func TestRedirectFromATrustedHostToAnotherTrustedOneIsFollowed(t *testing.T) {
	second := newSite(t, false, hello)
	first := newSite(t, false, to(http.StatusFound, at(second)))
	o := &outbound.Options{Trusted: []string{first.Listener.Addr().String(), second.Listener.Addr().String()}}
	wantHello(t, newClient(t, o), first.URL)
}

// A public host cannot be had in a test, so the transport is told what
// http.Client tells it: which response led to the request.
func TestRedirectFromAPublicHostToOneOfTheOperatorIsRefused(t *testing.T) {
	s := newSite(t, true, hello)
	for name, o := range map[string]outbound.Options{
		"loopback": {Loopback: true},
		"trusted":  {Trusted: []string{s.Listener.Addr().String()}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, s.trusting(o))
			request := func(from string) (*http.Response, error) {
				r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, nil)
				r.Response = &http.Response{Request: &http.Request{URL: parsed(t, from)}}
				return c.Transport.RoundTrip(r)
			}
			for _, from := range []string{"https://public.example/", "https://93.184.216.34/", "ftp://public.example/"} {
				_, err := request(from)
				wantForbidden(t, err)
			}
			s.untouched(t)
			resp, err := request(s.URL + "/before")
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			s.connections.Store(0)
			s.requests.Store(0)
		})
	}
}

func TestRedirectOfUnknownOriginCarriesNoCredentials(t *testing.T) {
	var got http.Header
	var host string
	s := newSite(t, false, func(_ http.ResponseWriter, r *http.Request) { got, host = r.Header, r.Host })
	c := newClient(t, &outbound.Options{Loopback: true})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, nil)
	r.Header, r.Host, r.Response = credentials(), "other.example", &http.Response{}
	resp, err := c.Transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if got.Get("Authorization") != "" || got.Get("Accept") == "" || host != s.Listener.Addr().String() {
		t.Errorf("headers that arrived at %s: %v", host, got)
	}
	if r.Header.Get("Authorization") == "" || resp.Request != r {
		t.Error("the caller's request was changed")
	}
}
