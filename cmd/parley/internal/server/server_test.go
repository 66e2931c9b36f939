package server_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"go.uber.org/goleak"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const hmacKey = "a key for tokens, thirty-two bytes or more"

// started is a server for development with an agent that only talks.
func started(t *testing.T, more string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte("the-key-of-a-program"))
	text := "listen: " + listener.Addr().String() + `
store: "memory:"
dev: true
auth:
  jwt: {issuer: https://app.example, audience: parley, hmac_key: "` + hmacKey + `", tenant_claim: org}
  api_keys: [{name: ci, sha256: ` + hex.EncodeToString(digest[:]) + `}]
models: {demo: {kind: demo}}
` + more
	if !strings.Contains(more, "agents:") {
		text += "agents: {assistant: {model: demo}}\n"
	}
	return servedAt(t, listener, text)
}

// servedAt is a server with this configuration.
func servedAt(t *testing.T, listener net.Listener, text string) string {
	t.Helper()
	return servedWith(t, listener, text, nil)
}

func servedWith(t *testing.T, listener net.Listener, text string, models map[string]agent.Model) string {
	t.Helper()
	cfg, err := config.Parse([]byte(text), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	return runs(t, cfg, listener, models)
}

// runs is a server that runs until the test ends.
func runs(t *testing.T, cfg *config.Config, listener net.Listener, models ...map[string]agent.Model) string {
	t.Helper()
	opts := &server.Options{Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Listener: listener}
	if len(models) > 0 {
		opts.Models = models[0]
	}
	servesUntilTheEnd(t, cfg, opts)
	return "http://" + listener.Addr().String()
}

// servesUntilTheEnd runs a server until the test ends.
func servesUntilTheEnd(t *testing.T, cfg *config.Config, opts *server.Options) {
	t.Helper()
	s, err := server.New(t.Context(), cfg, opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

func token(t *testing.T, alg jose.SignatureAlgorithm, key any, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func claims(change func(map[string]any)) map[string]any {
	all := map[string]any{"iss": "https://app.example", "aud": "parley", "sub": "alice", "exp": time.Now().Add(time.Hour).Unix()}
	if change != nil {
		change(all)
	}
	return all
}

// ask asks for a conversation, which is there for everybody who is somebody.
func ask(t *testing.T, base, authorization string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/run/api/chat/c", nil)
	if err != nil {
		t.Fatal(err)
	}
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	r.Close = true
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

func TestOnlyVerifiedTokensAreBelieved(t *testing.T) {
	base := started(t, "")
	unsigned := func(v string) string { return base64.RawURLEncoding.EncodeToString([]byte(v)) }
	good := token(t, jose.HS256, []byte(hmacKey), claims(nil))
	for name, c := range map[string]struct {
		authorization string
		want          int
	}{
		"a good token":       {"Bearer " + good, http.StatusOK},
		"in small letters":   {"bearer " + good, http.StatusOK},
		"nothing":            {"", http.StatusUnauthorized},
		"another scheme":     {"Basic YTpi", http.StatusUnauthorized},
		"another key":        {"Bearer " + token(t, jose.HS256, []byte(strings.Repeat("x", 40)), claims(nil)), http.StatusUnauthorized},
		"another issuer":     {"Bearer " + token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) { m["iss"] = "https://evil.example" })), http.StatusUnauthorized},
		"another audience":   {"Bearer " + token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) { m["aud"] = "other" })), http.StatusUnauthorized},
		"expired":            {"Bearer " + token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) { m["exp"] = time.Now().Add(-time.Hour).Unix() })), http.StatusUnauthorized},
		"without an end":     {"Bearer " + token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) { delete(m, "exp") })), http.StatusUnauthorized},
		"not yet":            {"Bearer " + token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) { m["nbf"] = time.Now().Add(time.Hour).Unix() })), http.StatusUnauthorized},
		"nobody's":           {"Bearer " + token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) { delete(m, "sub") })), http.StatusUnauthorized},
		"not signed":         {"Bearer " + unsigned(`{"alg":"none"}`) + "." + strings.Split(good, ".")[1] + ".", http.StatusUnauthorized},
		"changed":            {"Bearer " + strings.Split(good, ".")[0] + "." + unsigned(`{"sub":"bob"}`) + "." + strings.Split(good, ".")[2], http.StatusUnauthorized},
		"a program":          {"Bearer the-key-of-a-program", http.StatusOK},
		"an unknown program": {"Bearer some-other-key", http.StatusUnauthorized},
		"no name":            {"Bearer " + server.DevToken(""), http.StatusUnauthorized},
		"a session's name":   {"Bearer " + server.DevToken("mcp-session:x"), http.StatusUnauthorized},
	} {
		if got, body := ask(t, base, c.authorization); got != c.want {
			t.Errorf("%s: %d %s, want %d", name, got, body, c.want)
		}
	}
}

func TestAPersonOfAnotherTenantHasOtherConversations(t *testing.T) {
	base := started(t, "")
	say := func(tenant string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/run/api/chat",
			strings.NewReader(`{"id":"c","messages":[{"role":"user","parts":[{"type":"text","text":"secret plans"}]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Close = true
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+personOf(t, tenant))
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
	say("acme")
	for tenant, want := range map[string]bool{"acme": true, "globex": false, "": false} {
		_, body := ask(t, base, "Bearer "+personOf(t, tenant))
		if strings.Contains(body, "secret plans") != want {
			t.Errorf("%q: %s", tenant, body)
		}
	}
}

func TestPeopleOfTheBrowserAreKnownByTheirCookie(t *testing.T) {
	base := started(t, "")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/login", strings.NewReader(url.Values{"user": {"alice"}}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	cookies := answer.Cookies()
	for path, want := range map[string]int{"/": http.StatusOK, "/run/api/chat/c": http.StatusOK, "/healthz": http.StatusOK, "/readyz": http.StatusOK, "/widget.js": http.StatusOK, "/home.css": http.StatusOK, "/nowhere": http.StatusNotFound} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cookies {
			r.AddCookie(c)
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, answer.StatusCode, want)
		}
	}
}

func TestAStoreThatCannotBeOpenedIsNamed(t *testing.T) {
	cfg, err := config.Parse([]byte("dev: true\nstore: sqlite:/nowhere/at/all/parley.db\n"), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	if s, err := server.New(t.Context(), cfg, nil); err == nil {
		_ = s.Close()
		t.Error("it was opened")
	} else if !strings.Contains(err.Error(), "store") {
		t.Errorf("got %v", err)
	}
}

// The 400s of document 003 that a setup leads to.
func TestAServerSaysThatItServesOnceItsPortIsBound(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	run := func(listen string) (said []string, err error) {
		cfg, err := config.Parse([]byte("listen: "+listen+"\ndev: true\nstore: \"memory:\"\n"), func(string) (string, bool) { return "", false })
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s, err := server.New(ctx, cfg, &server.Options{Logger: slog.New(slog.DiscardHandler), Bound: func(at net.Addr) {
			said = append(said, at.String())
			cancel()
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		err = s.Run(ctx)
		return said, err
	}
	if said, err := run(taken.Addr().String()); err == nil || len(said) > 0 {
		t.Errorf("where another listens: %v, said %v", err, said)
	}
	if said, err := run("127.0.0.1:0"); err != nil || len(said) != 1 || strings.HasSuffix(said[0], ":0") {
		t.Errorf("%v, said %v", err, said)
	}
}

func TestAServerWithoutItsConnectionIsAnErrorOfTheOldChat(t *testing.T) {
	base := started(t, `providers: {acme: {auth_url: "https://acme.example/a", token_url: "https://acme.example/t", client_id: x}}
servers: {tracker: {title: Tracker, url: "https://tracker.example/mcp", auth: {type: oauth2, scope: platform, provider: acme}}}
agents: {assistant: {model: demo, servers: [tracker]}}
`)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/run/sse", strings.NewReader(`{"message":"hello"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Close = true
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token(t, jose.HS256, []byte(hmacKey), claims(nil)))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"error":"MCP connection for server 'Tracker' is configured for OAuth2 but has no connected service.","status_code":400}`
	if !strings.Contains(string(body), want) {
		t.Errorf("got %s", body)
	}
}
