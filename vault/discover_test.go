package vault_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/vault"
)

func TestAServerNamesItsOwnAuthorizationServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMCPWorld(t, nil)
		q := m.ask(alice, "board")
		offer, err := m.Offer(t.Context(), alice, q.ID)
		if err != nil {
			t.Fatal(err)
		}
		if offer.Method != vault.ByConsent || offer.Provider != "id.example" || offer.Slug != boardSlug || offer.AuthURL != "https://id.example/authorize" {
			t.Errorf("offer: %+v", offer)
		}
		to := m.begin(alice, q, offer.Slug)
		asked := query(t, to)
		if got := asked.Get("resource"); got != board {
			t.Errorf("the authorization request is for the resource %q", got)
		}
		if got := asked.Get("redirect_uri"); got != "https://parley.example/oauth/callback/mcp.board" {
			t.Errorf("redirect_uri is %q", got)
		}
		if asked.Has("scope") {
			t.Errorf("nobody asked for the scope %q", asked.Get("scope"))
		}
		if id, err := m.Callback(t.Context(), alice, boardSlug, m.id.consent(t, to)); err != nil || id != q.ID {
			t.Fatalf("callback: %v, %v", id, err)
		}
		if m.outcome(q.ID) == nil {
			t.Error("the question is still open")
		}
		if got := m.id.last; got.Get("grant_type") != "authorization_code" || got.Get("resource") != board {
			t.Errorf("the token request was for %q of %q", got.Get("grant_type"), got.Get("resource"))
		}
		first, err := m.boardToken()
		if err != nil || !strings.HasPrefix(first, "access-") {
			t.Fatalf("token %q, %v", first, err)
		}
		time.Sleep(2 * time.Hour)
		if next, err := m.boardToken(); err != nil || next == first {
			t.Fatalf("not refreshed: %v", err)
		}
		if got := m.id.last; got.Get("grant_type") != "refresh_token" || got.Get("resource") != board {
			t.Errorf("the refresh was for %q of %q", got.Get("grant_type"), got.Get("resource"))
		}
	})
}

func TestTheProbeIsAnMCPRequestWithoutACredential(t *testing.T) {
	m := newMCPWorld(t, configured(func(s *vault.Server) {
		s.Auth.ClientID, s.Auth.ClientSecret, s.Auth.Issuer = "us", "our-secret", "https://id.example"
	}))
	if _, err := m.offer(); err != nil {
		t.Fatal(err)
	}
	if len(m.board.probes) != 1 {
		t.Fatalf("%d probes", len(m.board.probes))
	}
	got := m.board.probes[0]
	for _, name := range []string{"Authorization", "Cookie", "X-Api-Key", "Proxy-Authorization"} {
		if got.Get(name) != "" {
			t.Errorf("the probe has %s", name)
		}
	}
	if got.Get("Content-Type") != "application/json" || got.Get("Accept") != "application/json, text/event-stream" {
		t.Errorf("the probe's headers: %v", got)
	}
	if body := m.board.bodies[0]; !strings.Contains(body, `"method":"initialize"`) || strings.Contains(body, "secret") {
		t.Errorf("the probe says %s", body)
	}
}

func TestWhatElseAServerAnswersToTheProbe(t *testing.T) {
	for name, test := range map[string]struct {
		change    func(*resourceServer)
		temporary bool
		reason    string
	}{
		"no credential is needed": {func(s *resourceServer) { s.status = http.StatusOK }, false, "set auth.type to none"},
		"accepted":                {func(s *resourceServer) { s.status = http.StatusAccepted }, false, "set auth.type to none"},
		"down":                    {func(s *resourceServer) { s.status = http.StatusServiceUnavailable }, true, "status 503"},
		"busy":                    {func(s *resourceServer) { s.status = http.StatusTooManyRequests }, true, "status 429"},
		"elsewhere, to be asked again": {func(s *resourceServer) {
			s.status, s.location = http.StatusTemporaryRedirect, "https://elsewhere.example/mcp?key=hidden"
		}, false, "sends us on to https://elsewhere.example/mcp: configure"},
		"elsewhere, to be looked at": {func(s *resourceServer) {
			s.status, s.location = http.StatusFound, "https://elsewhere.example/mcp"
		}, false, "sends us on to https://elsewhere.example/mcp: configure"},
		"in circles": {func(s *resourceServer) { s.status, s.location = http.StatusTemporaryRedirect, "/mcp" }, false, "sends us on"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, nil)
			elsewhere := &resourceServer{status: http.StatusUnauthorized}
			m.web.hosts["elsewhere.example"] = elsewhere
			m.board.set(test.change)
			_, err := m.offer()
			hasProblem(t, refused(t, err, test.temporary), board, "", test.reason)
			if elsewhere.probed() != 0 || m.web.count("elsewhere.example/mcp") != 0 || m.web.count("id.example"+issuerPlace) != 0 {
				t.Error("another server was asked")
			}
			if strings.Contains(m.logs.String(), "hidden") {
				t.Error("a query is in the log")
			}
		})
	}
	t.Run("unreachable", func(t *testing.T) {
		m := newMCPWorld(t, nil)
		delete(m.web.hosts, "board.example")
		_, err := m.offer()
		hasProblem(t, refused(t, err, true), board, "", "no such host")
	})
	t.Run("a path with a slash", func(t *testing.T) {
		m := newMCPWorld(t, nil)
		mux := http.NewServeMux()
		mux.Handle("/mcp", http.RedirectHandler("/mcp/", http.StatusTemporaryRedirect))
		mux.Handle("/", m.board)
		m.web.hosts["board.example"] = mux
		if _, err := m.offer(); err != nil {
			t.Error(err)
		}
		m.opts.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		_, err := m.another().Offer(t.Context(), alice, m.ask(alice, "board").ID)
		hasProblem(t, refused(t, err, false), board, "", "sends us on to /mcp/")
	})
}

func TestConnectingAsksAServerOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMCPWorld(t, nil)
		for range 3 {
			m.connectBoard()
			m.disconnectBoard(m.Vault)
		}
		if n := m.board.probed(); n != 1 {
			t.Errorf("%d probes for three connections", n)
		}
		for _, page := range []string{"board.example" + boardPath, "id.example" + issuerPlace} {
			if n := m.web.count(page); n != 1 {
				t.Errorf("%s was fetched %d times", page, n)
			}
		}
		time.Sleep(time.Hour)
		m.connectBoard()
		if n := m.board.probed(); n != 2 {
			t.Errorf("%d probes, want another one after an hour", n)
		}
	})
}

func TestAnUnexpiredTokenNeedsNoDiscovery(t *testing.T) {
	m := newMCPWorld(t, nil)
	m.connectBoard()
	before := m.web.requests()
	if _, err := m.another().Credential(t.Context(), needs("board")); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Credential(t.Context(), vault.Need{Server: "board", User: "bob"}); !errors.Is(err, vault.ErrRequired) {
		t.Errorf("got %v", err)
	}
	if n := m.web.requests() - before; n != 0 {
		t.Errorf("%d requests for a credential that is there, and one that is not", n)
	}
}

func TestPeopleAtTheSameTimeShareADiscovery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMCPWorld(t, nil)
		release := make(chan struct{})
		m.web.hosts["board.example"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			<-release
			m.board.ServeHTTP(w, r)
		})
		var all sync.WaitGroup
		gone, leave := context.WithCancel(t.Context())
		q := m.ask(alice, "board")
		all.Go(func() {
			if _, err := m.Offer(gone, alice, q.ID); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
		synctest.Wait()
		for range 20 {
			q := m.ask(alice, "board")
			all.Go(func() {
				if _, err := m.Offer(t.Context(), alice, q.ID); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		leave() // the one who began
		synctest.Wait()
		close(release)
		all.Wait()
		if n := m.board.probed(); n != 1 {
			t.Errorf("%d probes", n)
		}
		if n := len(m.id.registrations()); n != 1 {
			t.Errorf("%d registrations", n)
		}
	})
}

func TestAFailureIsNotRemembered(t *testing.T) {
	m := newMCPWorld(t, nil)
	m.board.set(func(s *resourceServer) { s.status = http.StatusBadGateway })
	_, err := m.offer()
	refused(t, err, true)
	m.board.set(func(s *resourceServer) { s.status = http.StatusUnauthorized })
	if _, err := m.offer(); err != nil {
		t.Error(err)
	}
}

func TestAServerThatMovedIsAskedAnew(t *testing.T) {
	m := newMCPWorld(t, nil)
	m.web.hosts["moved.example"] = &resourceServer{status: http.StatusUnauthorized, pages: map[string]any{
		boardPath: about("https://moved.example/mcp"),
	}}
	for _, at := range []string{board, "https://moved.example/mcp"} {
		err := m.PutServer(t.Context(), "", vault.Server{Name: "board", URL: at, Auth: vault.Auth{Type: vault.MCP, Scope: vault.User}})
		if err != nil {
			t.Fatal(err)
		}
		to := m.begin(alice, m.ask(alice, "board"), "mcp.board~default")
		if got := query(t, to).Get("resource"); got != at {
			t.Errorf("the resource is %q, want %q", got, at)
		}
	}
}

// endless is a stream on which nothing comes.
type endless struct{ gone <-chan struct{} }

func (e endless) Read([]byte) (int, error) {
	<-e.gone
	return 0, context.Canceled
}

func (endless) Close() error { return nil }

type streaming struct{ status int }

func (s streaming) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: s.status, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: endless{r.Context().Done()}, Request: r}, nil
}

// Servers may answer the probe with a stream.
func TestTheProbeDoesNotWaitForTheEndOfAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMCPWorld(t, func(o *vault.Options) { o.Client = &http.Client{Transport: streaming{http.StatusOK}} })
		before := time.Now()
		_, err := m.offer()
		hasProblem(t, refused(t, err, false), board, "", "set auth.type to none")
		if waited := time.Since(before); waited != 0 {
			t.Errorf("waited %v", waited)
		}
	})
}

// stalled never answers for one host.
type stalled struct {
	http.RoundTripper
	host string
}

func (s stalled) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != s.host {
		return s.RoundTripper.RoundTrip(r)
	}
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestASilentServerIsNotWaitedForLong(t *testing.T) {
	for _, host := range []string{"board.example", "id.example"} {
		t.Run(host, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMCPWorld(t, nil)
				m.opts.Client = &http.Client{Transport: stalled{m.web, host}}
				m.opts.TenantClient = m.opts.Client
				m.Vault = m.another()
				before := time.Now()
				_, err := m.offer()
				refused(t, err, true)
				if waited := time.Since(before); waited > 10*time.Second {
					t.Errorf("waited %v", waited)
				}
				ctx, leave := context.WithTimeout(t.Context(), time.Second)
				defer leave()
				before = time.Now()
				if _, err := m.Offer(ctx, alice, m.ask(alice, "board").ID); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v", err)
				}
				if waited := time.Since(before); waited != time.Second {
					t.Errorf("waited %v for a caller that had a second", waited)
				}
				time.Sleep(time.Minute) // what was begun ends by itself
			})
		})
	}
}

// The person was sent to one authorization server; by the time they come back
// the server names another.
func TestAnAnswerAfterAChangeOfIssuerIsRefused(t *testing.T) {
	m := newMCPWorld(t, nil)
	to, q := m.sentTo(m.Vault)
	answer := m.id.consent(t, to)
	rogue := newIssuer("rogue.example")
	m.web.hosts["rogue.example"] = rogue
	m.board.set(func(s *resourceServer) {
		s.pages[boardPath] = document{"resource": board, "authorization_servers": []string{"https://rogue.example"}}
	})
	elsewhere := m.another() // has not heard of the first
	if _, err := elsewhere.Callback(t.Context(), alice, boardSlug, answer); !errors.Is(err, vault.ErrWrongProvider) {
		t.Errorf("got %v", err)
	}
	if m.web.count("rogue.example/token") != 0 || m.web.count("id.example/token") != 0 {
		t.Error("the code was taken somewhere")
	}
	if m.outcome(q.ID) != nil {
		t.Error("the question was settled")
	}
}

func TestARefreshAfterAChangeOfIssuerAsksThePerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMCPWorld(t, nil)
		m.connectBoard()
		m.web.hosts["rogue.example"] = newIssuer("rogue.example")
		m.board.set(func(s *resourceServer) {
			s.pages[boardPath] = document{"resource": board, "authorization_servers": []string{"https://rogue.example"}}
		})
		time.Sleep(2 * time.Hour)
		if _, err := m.boardToken(); !errors.Is(err, vault.ErrRequired) {
			t.Errorf("got %v", err)
		}
		if m.web.count("rogue.example/token") != 0 {
			t.Error("the refresh token was taken to another issuer")
		}
	})
}

func TestAnAnswerMustNameTheIssuerThatWasDiscovered(t *testing.T) {
	for name, test := range map[string]struct {
		announced bool
		iss       []string
		ok        bool
	}{
		"announced and right":    {true, []string{"https://id.example"}, true},
		"announced and missing":  {true, nil, false},
		"announced and wrong":    {true, []string{"https://rogue.example"}, false},
		"announced, with slash":  {true, []string{"https://id.example/"}, false},
		"unannounced and right":  {false, []string{"https://id.example"}, true},
		"unannounced, missing":   {false, nil, true},
		"unannounced and wrong":  {false, []string{"https://rogue.example"}, false},
		"unannounced, two of it": {false, []string{"https://id.example", "https://id.example"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, nil)
			m.id.change(document{"authorization_response_iss_parameter_supported": test.announced})
			to, _ := m.sentTo(m.Vault)
			answer := m.id.consent(t, to)
			delete(answer, "iss")
			if test.iss != nil {
				answer["iss"] = test.iss
			}
			_, err := m.Callback(t.Context(), alice, boardSlug, answer)
			if test.ok != (err == nil) || err != nil && !errors.Is(err, vault.ErrIssuer) {
				t.Errorf("got %v", err)
			}
			if !test.ok && m.web.count("id.example/token") != 0 {
				t.Error("the code was sent")
			}
		})
	}
}

func TestScopesAreTheConfiguredTheChallengedOrTheSupported(t *testing.T) {
	for name, test := range map[string]struct {
		configured, challenged, supported, offered []string
		want                                       string
	}{
		"none":                    {want: ""},
		"supported":               {supported: []string{"read", "write"}, want: "read write"},
		"challenged":              {challenged: []string{"read"}, supported: []string{"read", "write"}, want: "read"},
		"configured":              {configured: []string{"admin"}, challenged: []string{"read"}, supported: []string{"write"}, want: "admin"},
		"refresh tokens":          {challenged: []string{"read"}, offered: []string{"offline_access", "openid"}, want: "read offline_access"},
		"refresh tokens alone":    {offered: []string{"offline_access"}, want: "offline_access"},
		"refresh tokens, doubled": {configured: []string{"offline_access", "read"}, offered: []string{"offline_access"}, want: "offline_access read"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, configured(func(s *vault.Server) { s.Auth.Scopes = test.configured }))
			m.board.set(func(s *resourceServer) {
				s.pages[boardPath].(document)["scopes_supported"] = test.supported
				if test.challenged != nil {
					s.challenges = []string{`Bearer scope="` + strings.Join(test.challenged, " ") + `"`}
				}
			})
			m.id.change(document{"scopes_supported": test.offered})
			to, _ := m.sentTo(m.Vault)
			asked := query(t, to)
			if got := asked.Get("scope"); got != test.want {
				t.Errorf("asked for %q, want %q", got, test.want)
			}
			if consent := asked.Get("prompt") == "consent"; consent != (test.offered != nil) {
				t.Errorf("prompt is %q", asked.Get("prompt"))
			}
		})
	}
}

func TestScopesThatAreNoneAreRefused(t *testing.T) {
	long := strings.Repeat("x", 100) + " "
	for name, test := range map[string]struct {
		challenge string
		supported []string
		field     string
	}{
		"a quote":          {challenge: `Bearer scope="read \"all\""`, field: "scope"},
		"too many":         {challenge: `Bearer scope="` + strings.Repeat(long, 50) + `"`, field: "scope"},
		"a space":          {supported: []string{"read all"}, field: "scopes_supported"},
		"nothing":          {supported: []string{"read", ""}, field: "scopes_supported"},
		"another alphabet": {supported: []string{"чтение"}, field: "scopes_supported"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, nil)
			m.board.set(func(s *resourceServer) {
				s.challenges = []string{test.challenge}
				s.pages[boardPath].(document)["scopes_supported"] = test.supported
			})
			_, err := m.offer()
			hasProblem(t, refused(t, err, false), board, test.field, "has ")
		})
	}
}

func TestAServerThatWantsMoreScopesGetsTheOldOnesToo(t *testing.T) {
	m := newMCPWorld(t, nil)
	m.board.set(func(s *resourceServer) { s.challenges = []string{`Bearer scope="read list"`} })
	m.connectBoard()
	cred, err := m.Credential(t.Context(), needs("board"))
	if err != nil {
		t.Fatal(err)
	}
	err = m.Reject(t.Context(), cred, &http.Response{StatusCode: http.StatusForbidden, Header: http.Header{
		"Www-Authenticate": {`Bearer error="insufficient_scope", scope="write", resource_metadata="https://board.example` + boardPath + `"`},
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Credential(t.Context(), needs("board"))
	if e := required(t, err); e.Reason != vault.Insufficient {
		t.Errorf("the reason is %s", e.Reason)
	}
	to, _ := m.sentTo(m.Vault)
	if diff := cmp.Diff([]string{"read", "list", "write"}, strings.Fields(query(t, to).Get("scope"))); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
	if _, err := m.Callback(t.Context(), alice, boardSlug, m.id.consent(t, to)); err != nil {
		t.Fatal(err)
	}
	if _, err := m.boardToken(); err != nil {
		t.Error(err)
	}
}
