package vault_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/storetest"
	"github.com/parley-hq/parley/vault"
)

func clientID(t testing.TB, to string) string { return query(t, to).Get("client_id") }

func TestARegistrationSaysWhoWeAre(t *testing.T) {
	for name, test := range map[string]struct {
		public string
		want   document
	}{
		"on the web": {"https://parley.example", document{
			"redirect_uris": []any{"https://parley.example/oauth/callback/mcp.board"}, "application_type": "web", "client_uri": "https://parley.example",
		}},
		"below a path": {"https://parley.example/hitl/", document{
			"redirect_uris": []any{"https://parley.example/hitl/oauth/callback/mcp.board"}, "application_type": "web", "client_uri": "https://parley.example/hitl",
		}},
		"on this machine": {"http://127.0.0.1:8420", document{
			"redirect_uris": []any{"http://127.0.0.1:8420/oauth/callback/mcp.board"}, "application_type": "native",
		}},
		"on this machine, by name": {"http://localhost:8420", document{
			"redirect_uris": []any{"http://localhost:8420/oauth/callback/mcp.board"}, "application_type": "native",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, func(o *vault.Options) { o.PublicURL = test.public })
			m.connectBoard()
			test.want["client_name"] = "Parley"
			test.want["grant_types"] = []any{"authorization_code", "refresh_token"}
			test.want["response_types"] = []any{"code"}
			test.want["token_endpoint_auth_method"] = "client_secret_basic"
			if diff := cmp.Diff([]document{test.want}, m.id.registrations()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestARegisteredClientAuthenticatesAsAgreed(t *testing.T) {
	for name, test := range map[string]struct {
		supported any
		answer    func(document)
		asked     string
		want      string
	}{
		"header":                 {[]string{"private_key_jwt", "client_secret_post", "client_secret_basic", "none"}, nil, "client_secret_basic", "client_secret_basic"},
		"body":                   {[]string{"none", "client_secret_post"}, nil, "client_secret_post", "client_secret_post"},
		"no secret":              {[]string{"private_key_jwt", "none"}, nil, "none", "none"},
		"nothing said":           {nil, nil, "client_secret_basic", "client_secret_basic"},
		"the server insists":     {nil, func(c document) { c["token_endpoint_auth_method"] = "client_secret_post" }, "client_secret_basic", "client_secret_post"},
		"the server wants none":  {nil, func(c document) { c["token_endpoint_auth_method"] = "none" }, "client_secret_basic", "none"},
		"the server is silent":   {[]string{"client_secret_post"}, func(c document) { delete(c, "token_endpoint_auth_method") }, "client_secret_post", "client_secret_post"},
		"silent with a secret":   {[]string{"none"}, func(c document) { delete(c, "token_endpoint_auth_method"); c["client_secret"] = "s" }, "none", "client_secret_basic"},
		"silent without methods": {[]string{"none"}, func(c document) { delete(c, "token_endpoint_auth_method") }, "none", "none"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, nil)
			m.id.change(document{"token_endpoint_auth_methods_supported": test.supported})
			m.id.answer = func(client document) (int, any) {
				if test.answer != nil {
					test.answer(client)
				}
				sent := document{}
				for name, value := range client {
					sent[name] = value
				}
				client["token_endpoint_auth_method"] = test.want // what it will insist on
				return http.StatusCreated, sent
			}
			m.connectBoard()
			if got := m.id.registrations()[0]["token_endpoint_auth_method"]; got != test.asked {
				t.Errorf("asked for %v", got)
			}
			if diff := cmp.Diff([]string{test.want}, m.id.shown); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestARegistrationThatCannotBeUsed(t *testing.T) {
	const at = "https://id.example/register"
	answers := func(status int, body any) func(document) (int, any) {
		return func(document) (int, any) { return status, body }
	}
	with := func(field string, value any) func(document) (int, any) {
		return func(client document) (int, any) {
			if client[field] = value; value == nil {
				delete(client, field)
			}
			return http.StatusCreated, client
		}
	}
	for name, test := range map[string]struct {
		answer        func(document) (int, any)
		temporary     bool
		code          string
		field, reason string
	}{
		"refused":                {answers(400, document{"error": "invalid_redirect_uri", "error_description": "no http"}), false, "invalid_redirect_uri", "", `invalid_redirect_uri, "no http"`},
		"refused in other words": {answers(400, document{"error": "<script>"}), false, "unknown_error", "", "refuses"},
		"closed":                 {answers(401, document{"error": "invalid_token"}), false, "", "", "registers nobody unknown"},
		"closed otherwise":       {answers(403, "no"), false, "", "", "status 403: it registers nobody unknown"},
		"down":                   {answers(503, "later"), true, "", "", "status 503"},
		"gone":                   {answers(404, "no"), false, "", "", "status 404"},
		"without an id":          {with("client_id", ""), false, "", "", "cannot be understood"},
		"with keys":              {with("token_endpoint_auth_method", "private_key_jwt"), false, "", "token_endpoint_auth_method", "private_key_jwt"},
		"without the secret":     {with("client_secret", nil), false, "", "client_secret", "missing"},
		"for somebody else":      {with("redirect_uris", []string{"https://rogue.example/callback"}), false, "", "redirect_uris", "lacks"},
		"expired":                {with("client_secret_expires_at", 1), false, "", "client_secret_expires_at", "past"},
		"too large":              {with("padding", strings.Repeat("x", 1<<20)), false, "", "", "too large"},
		"not JSON":               {answers(201, "issued-secret-in-the-wrong-place"), false, "", "", "cannot be understood"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, nil)
			m.id.answer = test.answer
			_, err := m.offer()
			hasProblem(t, refused(t, err, test.temporary), at, test.field, test.reason)
			var forPeople *vault.ProviderError
			if errors.As(err, &forPeople); forPeople.Code != test.code {
				t.Errorf("the code is %q", forPeople.Code)
			}
			if strings.Contains(m.logs.String(), "issued-secret") || strings.Contains(fmt.Sprintf("%+v %v", err, errors.Unwrap(err)), "issued-secret") {
				t.Error("a secret is in the log or the error")
			}
			if strings.Contains(m.rows(), "client mcp.board") {
				t.Error("it was kept")
			}
			m.id.answer = nil
			if _, err := m.offer(); err != nil {
				t.Errorf("another try: %v", err)
			}
		})
	}
	t.Run("elsewhere", func(t *testing.T) {
		m := newMCPWorld(t, nil)
		rogue := newIssuer("rogue.example")
		m.web.hosts["rogue.example"] = rogue
		m.web.hosts["id.example"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/register" {
				http.Redirect(w, r, "https://rogue.example/register", http.StatusTemporaryRedirect)
				return
			}
			m.id.ServeHTTP(w, r)
		})
		_, err := m.offer()
		hasProblem(t, refused(t, err, false), at, "", "status 307")
		if len(rogue.registrations()) != 0 {
			t.Error("we registered somewhere else")
		}
	})
	t.Run("unreachable", func(t *testing.T) {
		m := newMCPWorld(t, nil)
		m.id.change(document{"registration_endpoint": "https://gone.example/register"})
		_, err := m.offer()
		hasProblem(t, refused(t, err, true), "https://gone.example/register", "", "no such host")
	})
}

func TestNoWayToBecomeAClient(t *testing.T) {
	for name, test := range map[string]struct {
		public        string
		change        document
		field, reason string
	}{
		"no registration": {"https://parley.example", document{"registration_endpoint": nil}, "registration_endpoint",
			"client_id_metadata_document_supported is not true: register this application there with the redirect URI https://parley.example/oauth/callback/mcp.board"},
		"no public URL": {"http://127.0.0.1:8420", document{"registration_endpoint": nil, "client_id_metadata_document_supported": true},
			"registration_endpoint", "needs a public_url with https"},
		"no common method": {"https://parley.example", document{"token_endpoint_auth_methods_supported": []string{"private_key_jwt", "tls_client_auth"}},
			"token_endpoint_auth_methods_supported", "has none of"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, func(o *vault.Options) { o.PublicURL = test.public })
			m.id.change(test.change)
			_, err := m.offer()
			e := refused(t, err, false)
			if got := e.Problems[0]; got.Field != test.field || !strings.Contains(got.Reason, test.reason) {
				t.Errorf("administrators read: %v", e)
			}
			if n := len(m.id.registrations()); n != 0 {
				t.Errorf("%d registrations", n)
			}
		})
	}
}

func TestAClientDocumentIsPreferredToARegistration(t *testing.T) {
	const ours = "https://parley.example/oauth/client/mcp.board"
	for name, test := range map[string]struct {
		public  string
		methods []string
		closed  bool // no registration
		want    bool
	}{
		"when the server reads it":       {"https://parley.example", nil, false, true},
		"when it takes public clients":   {"https://parley.example", []string{"client_secret_basic", "none"}, false, true},
		"not when it takes none of them": {"https://parley.example", []string{"client_secret_basic"}, false, false},
		"unless there is nothing else":   {"https://parley.example", []string{"client_secret_basic"}, true, true},
		"not when it cannot reach us":    {"https://localhost:8420", nil, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, func(o *vault.Options) { o.PublicURL = test.public })
			m.id.change(document{"client_id_metadata_document_supported": true, "token_endpoint_auth_methods_supported": test.methods})
			if test.closed {
				m.id.change(document{"registration_endpoint": nil})
			}
			to, _ := m.sentTo(m.Vault)
			if got := clientID(t, to); (got == ours) != test.want {
				t.Errorf("client_id is %q", got)
			}
			if got := len(m.id.registrations()) == 0; got != test.want {
				t.Errorf("%d registrations", len(m.id.registrations()))
			}
			if !test.want {
				return
			}
			m.id.known(ours, "", "none")
			if _, err := m.Callback(t.Context(), alice, boardSlug, m.id.consent(t, to)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestARegistrationOutlivesTheProcess(t *testing.T) {
	m := newMCPWorld(t, nil)
	to, _ := m.sentTo(m.Vault)
	next := m.another()
	again, _ := m.sentTo(next)
	if clientID(t, to) != clientID(t, again) || len(m.id.registrations()) != 1 {
		t.Errorf("registered %d times", len(m.id.registrations()))
	}
	if _, err := next.Callback(t.Context(), alice, boardSlug, m.id.consent(t, to)); err != nil {
		t.Errorf("an attempt that began before: %v", err)
	}
}

func TestRegistrationsAreSealed(t *testing.T) {
	m := newMCPWorld(t, nil)
	m.connectBoard()
	m.id.at.Lock()
	defer m.id.at.Unlock()
	if len(m.id.clients) != 1 || !strings.Contains(m.rows(), "client board/") {
		t.Fatalf("%d clients", len(m.id.clients))
	}
	for id, client := range m.id.clients {
		for _, secret := range []string{id, client["client_secret"].(string)} {
			if strings.Contains(m.rows(), secret) || strings.Contains(m.logs.String(), secret) {
				t.Errorf("%s... is in the store or in the log", secret[:8])
			}
		}
	}
}

// Two processes register at the same moment: both get a client, and both go on
// with the same one.
func TestTwoProcessesThatRegisterAtOnceUseOneClient(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			m := newMCPWorld(t, nil)
			var arrived sync.WaitGroup
			arrived.Add(2)
			m.id.answer = func(client document) (int, any) {
				arrived.Done()
				arrived.Wait()
				return http.StatusCreated, client
			}
			first, second := m.ask(alice, "board"), m.ask(alice, "board")
			got := make(chan string, 2)
			for _, one := range []struct {
				v *vault.Vault
				q parley.Request
			}{{m.Vault, first}, {m.another(), second}} {
				go func() {
					to, err := one.v.Begin(t.Context(), alice, one.q.ID, boardSlug)
					if err != nil {
						t.Error(err)
					}
					got <- to
				}()
			}
			one, other := <-got, <-got
			if n := len(m.id.registrations()); n != 2 {
				t.Errorf("%d registrations: they were not at once", n)
			}
			if clientID(t, one) != clientID(t, other) {
				t.Errorf("two clients: %s and %s", clientID(t, one), clientID(t, other))
			}
			m.id.answer = nil
			third, _ := m.sentTo(m.another())
			if clientID(t, third) != clientID(t, one) {
				t.Error("a third process uses another client")
			}
			for _, to := range []string{one, other} {
				if _, err := m.Callback(t.Context(), alice, boardSlug, m.id.consent(t, to)); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestARegistrationIsKeptThoughTheStoreFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for seed := range uint64(20) {
			m := newMCPWorld(t, nil)
			q := m.ask(alice, "board")
			broken := storetest.Faulty(m.store, storetest.Faults{Save: storetest.Fault{Before: 0.4, After: 0.4}, Seed: seed})
			v, err := vault.New(m.hub, broken, m.keys, &m.opts)
			if err != nil {
				t.Fatal(err)
			}
			var offered error
			for range 5 {
				if _, offered = v.Offer(t.Context(), alice, q.ID); offered == nil {
					break
				}
			}
			if offered != nil {
				t.Fatal(offered)
			}
			if n := len(m.id.registrations()); n != 1 {
				t.Errorf("seed %d: %d registrations", seed, n)
			}
			to, _ := m.sentTo(m.another())
			m.id.at.Lock()
			if m.id.clients[clientID(t, to)] == nil {
				t.Errorf("seed %d: client %s is unknown there", seed, clientID(t, to))
			}
			m.id.at.Unlock()
		}
	})
}

func TestARegistrationCountsAtItsIssuerOnly(t *testing.T) {
	m := newMCPWorld(t, nil)
	to, _ := m.sentTo(m.Vault)
	rogue := newIssuer("rogue.example")
	m.web.hosts["rogue.example"] = rogue
	m.board.set(func(s *resourceServer) {
		s.pages[boardPath].(document)["authorization_servers"] = []string{"https://rogue.example"}
	})
	next := m.another()
	again, _ := m.sentTo(next)
	if clientID(t, to) == clientID(t, again) || len(rogue.registrations()) != 1 {
		t.Errorf("client %s, %d registrations at the other", clientID(t, again), len(rogue.registrations()))
	}
	if _, err := next.Callback(t.Context(), alice, boardSlug, rogue.consent(t, again)); err != nil {
		t.Fatal(err)
	}
	m.disconnectBoard(next)
	m.board.set(func(s *resourceServer) {
		s.pages[boardPath].(document)["authorization_servers"] = []string{"https://id.example"}
	})
	back, _ := m.sentTo(m.another())
	if clientID(t, back) != clientID(t, to) || len(m.id.registrations()) != 1 {
		t.Error("the first issuer's registration is lost")
	}
}

func TestEachTenantAndEachPublicURLHasItsOwnRegistration(t *testing.T) {
	m := newMCPWorld(t, nil)
	first, _ := m.sentTo(m.Vault)
	carol := parley.Principal{Tenant: "acme corp", User: "carol", Method: "test"}
	own := vault.Server{Name: "board", Title: "Board", URL: board, Auth: vault.Auth{Type: vault.MCP, Scope: vault.User}}

	q := m.ask(carol, "board") // the configuration's server, in another tenant
	shared := m.begin(carol, q, boardSlug)
	if clientID(t, shared) != clientID(t, first) {
		t.Error("the configuration's server has two clients")
	}
	if err := m.PutServer(t.Context(), carol.Tenant, own); err != nil {
		t.Fatal(err)
	}
	q = m.ask(carol, "board")
	to := m.begin(carol, q, "mcp.board~acme corp")
	if got := query(t, to).Get("redirect_uri"); got != "https://parley.example/oauth/callback/mcp.board~acme%20corp" {
		t.Errorf("redirect_uri is %s", got)
	}
	if clientID(t, to) == clientID(t, first) {
		t.Error("a tenant's own server uses the configuration's client")
	}
	m.opts.PublicURL = "https://moved.example"
	moved, _ := m.sentTo(m.another())
	if clientID(t, moved) == clientID(t, first) {
		t.Error("a client is used with a redirect URI that it was not registered with")
	}
	if n := len(m.id.registrations()); n != 3 {
		t.Errorf("%d registrations", n)
	}
}

func TestAnExpiredSecretIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMCPWorld(t, nil)
		m.id.answer = func(client document) (int, any) {
			client["client_secret_expires_at"] = time.Now().Add(24 * time.Hour).Unix()
			return http.StatusCreated, client
		}
		first, _ := m.sentTo(m.Vault)
		time.Sleep(23 * time.Hour)
		if to, _ := m.sentTo(m.Vault); clientID(t, to) != clientID(t, first) {
			t.Error("replaced an hour early")
		}
		time.Sleep(2 * time.Hour)
		if to, _ := m.sentTo(m.Vault); clientID(t, to) == clientID(t, first) {
			t.Error("still used an hour after its end")
		}
		if n := len(m.id.registrations()); n != 2 {
			t.Errorf("%d registrations", n)
		}
	})
}

// forget makes the authorization server know none of its clients any more.
func (i *issuer) forget() {
	i.at.Lock()
	defer i.at.Unlock()
	clear(i.clients)
}

func TestAClientThatIsNotKnownAnyMoreIsRegisteredAnew(t *testing.T) {
	m := newMCPWorld(t, nil)
	to, q := m.sentTo(m.Vault)
	answer := m.id.consent(t, to)
	m.id.forget()
	_, err := m.Callback(t.Context(), alice, boardSlug, answer)
	var failed *vault.ProviderError
	if !errors.As(err, &failed) || failed.Code != "invalid_client" || !failed.Settled {
		t.Fatalf("got %v", err)
	}
	if m.outcome(q.ID) == nil {
		t.Error("the question waits for what cannot come")
	}
	again, _ := m.sentTo(m.Vault)
	if clientID(t, again) == clientID(t, to) || len(m.id.registrations()) != 2 {
		t.Errorf("%d registrations", len(m.id.registrations()))
	}
	if _, err := m.Callback(t.Context(), alice, boardSlug, m.id.consent(t, again)); err != nil {
		t.Error(err)
	}
	if n := m.board.probed(); n != 1 {
		t.Errorf("%d probes", n)
	}
}

func TestOtherRefusalsDoNotConcernTheClient(t *testing.T) {
	m := newMCPWorld(t, nil)
	to, _ := m.sentTo(m.Vault)
	answer := m.id.consent(t, to)
	answer.Set("code", "another")
	_, err := m.Callback(t.Context(), alice, boardSlug, answer)
	var failed *vault.ProviderError
	if !errors.As(err, &failed) || failed.Code != "invalid_grant" {
		t.Fatalf("got %v", err)
	}
	if again, _ := m.sentTo(m.Vault); clientID(t, again) != clientID(t, to) || len(m.id.registrations()) != 1 {
		t.Errorf("%d registrations", len(m.id.registrations()))
	}
}

// A process that still has the old client must not drop the new one.
func TestARefusalOfTheOldClientDoesNotConcernTheNewOne(t *testing.T) {
	m := newMCPWorld(t, nil)
	early, _ := m.sentTo(m.Vault)
	late, _ := m.sentTo(m.Vault)
	answers := []map[string][]string{m.id.consent(t, early), m.id.consent(t, late)}
	m.id.forget()
	if _, err := m.Callback(t.Context(), alice, boardSlug, answers[0]); err == nil {
		t.Fatal("an unknown client was accepted")
	}
	fresh, _ := m.sentTo(m.Vault)
	if _, err := m.Callback(t.Context(), alice, boardSlug, answers[1]); !errors.Is(err, vault.ErrWrongProvider) {
		t.Errorf("got %v", err)
	}
	if again, _ := m.sentTo(m.Vault); clientID(t, again) != clientID(t, fresh) || len(m.id.registrations()) != 2 {
		t.Errorf("%d registrations", len(m.id.registrations()))
	}
}

func TestAConnectionWhoseClientIsGoneIsAskedForAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMCPWorld(t, nil)
		m.connectBoard()
		m.id.forget()
		time.Sleep(2 * time.Hour)
		_, err := m.boardToken()
		var failed *vault.ProviderError
		if !errors.As(err, &failed) || failed.Code != "invalid_client" {
			t.Errorf("got %v", err)
		}
		if _, err := m.boardToken(); !errors.Is(err, vault.ErrRequired) {
			t.Errorf("after that: %v", err)
		}
		m.connectBoard()
		if _, err := m.boardToken(); err != nil {
			t.Error(err)
		}
	})
}

// What the administrator or our own document says is not ours to drop.
func TestOnlyRegistrationsAreForgotten(t *testing.T) {
	m := newMCPWorld(t, nil)
	m.connectBoard() // registers
	m.opts.Servers = append([]vault.Server(nil), m.opts.Servers...)
	configured(func(s *vault.Server) { s.Auth.ClientID, s.Auth.Issuer = "us", "https://id.example" })(&m.opts)
	v := m.another()
	m.disconnectBoard(m.Vault)
	to, _ := m.sentTo(v)
	if _, err := v.Callback(t.Context(), alice, boardSlug, m.id.consent(t, to)); err == nil {
		t.Fatal("an unknown client was accepted")
	}
	if !strings.Contains(m.rows(), "client board/") {
		t.Error("the registration was dropped for somebody else's fault")
	}
}

func TestACallerThatLeavesDoesNotEndARegistration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMCPWorld(t, nil)
		release := make(chan struct{})
		m.id.answer = func(client document) (int, any) {
			<-release
			return http.StatusCreated, client
		}
		q := m.ask(alice, "board")
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			_, err := m.Offer(ctx, alice, q.ID)
			left <- err
		}()
		synctest.Wait()
		leave()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		close(release)
		synctest.Wait()
		if _, err := m.Offer(t.Context(), alice, q.ID); err != nil {
			t.Fatal(err)
		}
		if n := len(m.id.registrations()); n != 1 {
			t.Errorf("%d registrations", n)
		}
	})
}
