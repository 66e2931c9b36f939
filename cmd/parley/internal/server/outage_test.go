package server_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
	"github.com/parley-hq/parley/internal/testkit/servers"
)

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`

// surface is a request to one of the surfaces.
type surface struct{ method, path, body string }

var surfaces = map[string]surface{
	"chat page":      {http.MethodGet, "/", ""},
	"a question":     {http.MethodGet, "/answer/q", ""},
	"sign-in page":   {http.MethodGet, "/login", ""},
	"sign-out page":  {http.MethodGet, "/logout", ""},
	"chat":           {http.MethodGet, "/run/api/chat/c", ""},
	"stream":         {http.MethodGet, "/run/api/chat/c/stream", ""},
	"answers":        {http.MethodPost, "/run/api/elicitation-responses", `{"conversationId":"c","elicitationId":"q","action":"accept"}`},
	"OpenAI's API":   {http.MethodGet, "/run/v1/models", ""},
	"old chat":       {http.MethodPost, "/run/sse", `{"message":"hello"}`},
	"management API": {http.MethodGet, "/api/connections", ""},
	"agent over MCP": {http.MethodPost, "/mcp/agents/assistant", listTools},
	"gateway":        {http.MethodPost, "/mcp", listTools},
}

// asksAt is what a surface answers, with these headers.
func asksAt(s *server.Server, at surface, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(at.method, at.path, strings.NewReader(at.body))
	r.Host = "127.0.0.1:8420"
	if at.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if strings.HasPrefix(at.path, "/mcp") {
		for name, value := range map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list", "Accept": "application/json, text/event-stream"} {
			r.Header.Set(name, value)
		}
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

// cookieOf signs somebody in at a server for development.
func cookieOf(t *testing.T, s *server.Server, user string) string {
	t.Helper()
	w := asksAt(s, surface{http.MethodPost, "/login", url.Values{"user": {user}}.Encode()}, "Content-Type", "application/x-www-form-urlencoded")
	cookies := w.Result().Cookies()
	if len(cookies) == 0 {
		t.Fatalf("nobody is signed in: %d %s", w.Code, w.Body)
	}
	return cookies[0].Name + "=" + cookies[0].Value
}

const forDevelopment = "dev: true\nmodels: {demo: {kind: demo}}\nagents: {assistant: {model: demo}}\ngateway: {}\n"

// A database that is away has signed nobody out.
func TestWhoIsSignedInIsNotSentToSignInWhileTheStoreIsAway(t *testing.T) {
	s, _ := built(t, forDevelopment+"store: sqlite:"+filepath.Join(t.TempDir(), "parley.db")+"\n")
	cookie := cookieOf(t, s, "alice")
	if w := asksAt(s, surfaces["chat page"], "Cookie", cookie); w.Code != http.StatusOK {
		t.Fatalf("while it is there: %d %s", w.Code, w.Body)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for name, at := range surfaces {
		if at.path == "/mcp" {
			continue // no cookie counts there
		}
		w := asksAt(s, at, "Cookie", cookie)
		if said := w.Body.String(); w.Code != http.StatusServiceUnavailable || !strings.Contains(strings.ToLower(said), "try again in a m") || !strings.Contains(said, "still signed in") {
			t.Errorf("%s: %d %s %s", name, w.Code, w.Header().Get("Location"), said)
		}
	}
	for name, at := range surfaces { // a token holds without the store, and what it is for does not
		if at.method == http.MethodPost && strings.HasPrefix(at.path, "/run/") { // the hub is patient
			continue
		}
		if w := asksAt(s, at, "Authorization", "Bearer "+server.DevToken("alice")); w.Code == http.StatusUnauthorized || strings.Contains(w.Body.String(), "database is closed") {
			t.Errorf("%s, with a token: %d %s", name, w.Code, w.Body)
		}
	}
	w := asksAt(s, surfaces["gateway"], "Authorization", "Bearer "+server.DevToken("alice"))
	if said := w.Body.String(); !strings.Contains(said, "send the same request again later (err_") {
		t.Errorf("gateway: %d %s", w.Code, said)
	}
}

// Keys that cannot be had are no fault of whoever has a token.
func TestATokenIsNotRefusedWhileTheIssuersKeysCannotBeHad(t *testing.T) {
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	t.Cleanup(down.Close)
	s, _ := built(t, strings.Replace(forDevelopment, "dev: true\n", `dev: true
store: "memory:"
auth: {jwt: {issuer: https://app.example, audience: parley, jwks_url: "`+down.URL+`"}}
`, 1))
	key := newKey(t)
	bearer := "Bearer " + token(t, jose.ES256, jose.JSONWebKey{Key: key, KeyID: "1"}, claims(nil))
	for name, at := range surfaces {
		if !strings.HasPrefix(at.path, "/run/") && !strings.HasPrefix(at.path, "/api/") && !strings.HasPrefix(at.path, "/mcp") {
			continue
		}
		w := asksAt(s, at, "Authorization", bearer)
		if said := w.Body.String(); w.Code != http.StatusServiceUnavailable || !strings.Contains(strings.ToLower(said), "try again in a m") || strings.Contains(said, down.URL) {
			t.Errorf("%s: %d %s", name, w.Code, said)
		}
	}
}

// Who has a token of the wrong kind learns which would do, wherever they come.
func TestATokenThatIsRefusedIsToldWhyOnEverySurface(t *testing.T) {
	s, _ := built(t, forDevelopment+`store: "memory:"
auth: {jwt: {issuer: https://app.example, audience: parley, hmac_key: "`+hmacKey+`", tenant_claim: org}}
`)
	for want, change := range map[string]func(map[string]any){
		"has expired":              func(m map[string]any) { m["exp"] = time.Now().Add(-time.Hour).Unix() },
		"has no exp":               func(m map[string]any) { delete(m, "exp") },
		"is of another issuer":     func(m map[string]any) { m["iss"] = "https://evil.example" },
		"is for another audience":  func(m map[string]any) { m["aud"] = "other" },
		`claim \"sub\" is missing`: func(m map[string]any) { delete(m, "sub") },
	} {
		for name, at := range surfaces {
			if !strings.HasPrefix(at.path, "/run/") && !strings.HasPrefix(at.path, "/api/") && !strings.HasPrefix(at.path, "/mcp") {
				continue
			}
			w := asksAt(s, at, "Authorization", "Bearer "+token(t, jose.HS256, []byte(hmacKey), claims(change)))
			said, challenge := w.Body.String(), w.Header().Get("WWW-Authenticate")
			if !json.Valid(w.Body.Bytes()) { // plain text is not quoted
				said = strings.ReplaceAll(said, `"`, `\"`)
			}
			if w.Code != http.StatusUnauthorized || !strings.Contains(said, want) || strings.Contains(said, "not signed in") {
				t.Errorf("%s, a token that %s: %d %s", name, want, w.Code, said)
			}
			if !strings.HasPrefix(challenge, "Bearer ") || !strings.Contains(challenge, `error="invalid_token"`) || !strings.Contains(challenge, `error_description="`) {
				t.Errorf("%s, a token that %s: WWW-Authenticate %s", name, want, challenge)
			}
		}
	}
	if w := asksAt(s, surfaces["chat"], "Authorization", "Bearer "+signed(t, "aud", "other")); !strings.Contains(w.Body.String(), `\"parley\"`) {
		t.Errorf("the audience that is needed is not said: %s", w.Body)
	}
}

// Clocks differ by the same half minute everywhere.
func TestATokenEndsAtTheSameMomentOnEverySurface(t *testing.T) {
	base := started(t, "gateway: {}\n")
	for ago, want := range map[time.Duration]int{20 * time.Second: http.StatusOK, 40 * time.Second: http.StatusUnauthorized} {
		for place, got := range everywhere(t, base, signed(t, "exp", time.Now().Add(-ago).Unix())) {
			if got != want {
				t.Errorf("%s, a token that expired %v ago: %d, want %d", place, ago, got, want)
			}
		}
	}
}

// Where people are sent comes from public_url, whatever a header says.
func TestNobodyIsSentWhereAForwardedHeaderSays(t *testing.T) {
	s, _ := built(t, forDevelopment+"store: \"memory:\"\n")
	for _, path := range []string{"/", "/login", "/answer/q", "/inbox", "/.well-known/agent-card.json", "/.well-known/oauth-protected-resource/mcp"} {
		w := asksAt(s, surface{http.MethodGet, path, ""},
			"X-Forwarded-Host", "evil.example", "X-Forwarded-Proto", "https", "Forwarded", "host=evil.example;proto=https", "X-Forwarded-Server", "evil.example", "X-Original-URL", "https://evil.example/")
		plain := asksAt(s, surface{http.MethodGet, path, ""})
		if w.Code != plain.Code || w.Header().Get("Location") != plain.Header().Get("Location") || strings.Contains(w.Body.String()+strings.Join(w.Header().Values("Set-Cookie"), ""), "evil.example") {
			t.Errorf("%s: %d %v\n%s", path, w.Code, w.Header(), w.Body)
		}
	}
}

// A database that stops and comes back has signed nobody out, and no cookie is taken away
// meanwhile.
func TestACookieOutlivesAnOutageOfTheDatabase(t *testing.T) {
	for name, database := range map[string]*servers.Server{"PostgreSQL": servers.OwnPostgres(t, nil), "Redis": servers.OwnRedis(t, nil)} {
		s, _ := built(t, strings.Replace(forDevelopment, "gateway: {}\n", "", 1)+"store: "+database.URL+"\n")
		cookie := cookieOf(t, s, "alice")
		if err := database.Stop(); err != nil {
			t.Fatal(err)
		}
		for what, at := range surfaces {
			if at.path == "/mcp" || at.method == http.MethodPost {
				continue
			}
			w := asksAt(s, at, "Cookie", cookie)
			if said := w.Body.String(); w.Code != http.StatusServiceUnavailable || !strings.Contains(said, "still signed in") || len(w.Result().Cookies()) > 0 {
				t.Errorf("%s, %s: %d %v %s", name, what, w.Code, w.Result().Cookies(), said)
			}
		}
		if w := asksAt(s, surface{http.MethodGet, "/readyz", ""}); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "the store does not answer") || strings.Contains(w.Body.String(), database.URL) {
			t.Errorf("%s: readyz: %d %s", name, w.Code, w.Body)
		}
		if w := asksAt(s, surface{http.MethodGet, "/healthz", ""}); w.Code != http.StatusOK {
			t.Errorf("%s: healthz: %d", name, w.Code) // a restart would help nobody
		}
		if err := database.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		for { // connections are made anew
			if w := asksAt(s, surface{http.MethodGet, "/readyz", ""}); w.Code == http.StatusOK {
				break
			}
		}
		if w := asksAt(s, surfaces["chat page"], "Cookie", cookie); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "alice") {
			t.Errorf("%s, once it is back: %d %s", name, w.Code, w.Body)
		}
	}
}

// retention.questions is how long the store keeps them, on their way to the store.
func TestQuestionsAreForgottenWhenTheConfigurationSaysSo(t *testing.T) {
	for said, kept := range map[string]bool{"1d": false, "30d": true} {
		s, _ := built(t, "dev: true\nstore: sqlite:"+filepath.Join(t.TempDir(), "parley.db")+"\nretention: {questions: "+said+"}\n")
		q, err := s.Hub.Open(t.Context(), parley.Request{To: "alice", Mode: parley.Form, Message: "Now?"})
		if err != nil {
			t.Fatal(err)
		}
		alice := parley.Principal{User: "alice"}
		if err := s.Hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept}); err != nil {
			t.Fatal(err)
		}
		if err := s.Swept(t.Context(), time.Now().Add(48*time.Hour)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Hub.Get(t.Context(), alice, q.ID); kept != (err == nil) {
			t.Errorf("two days later, kept for %s: %v", said, err)
		}
	}
}
