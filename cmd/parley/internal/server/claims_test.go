package server_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
)

// signed is a token with one claim changed.
func signed(t *testing.T, claim string, value any) string {
	t.Helper()
	return token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) { m[claim] = value }))
}

// everywhere are the places that take a person's token, and what they answer.
func everywhere(t *testing.T, base, bearer string) map[string]int {
	t.Helper()
	got := map[string]int{}
	for what, one := range map[string]struct {
		method, path, body string
		more               []string
	}{
		"chat":           {http.MethodGet, "/run/api/chat/c", "", nil},
		"management API": {http.MethodGet, "/api/permissions", "", nil},
		"gateway": {http.MethodPost, "/mcp",
			`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			[]string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"}},
		"agent over MCP": {http.MethodPost, "/mcp/agents/assistant",
			`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			[]string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"}},
	} {
		got[what], _ = sent(t, one.method, base+one.path, bearer, one.body, one.more...)
	}
	return got
}

// notNames are what cannot be the name of a person or a tenant.
var notNames = map[string]any{
	"a number": 7, "a list": []string{"acme"}, "an object": map[string]any{"id": "acme"}, "true": true, "null": nil, "nothing": "", "a space": " ",
	"spaces around": " acme ", "a line break": "ac\nme", "a zero": "ac\x00me", "something that cannot be seen": "ac\u200bme", "text backwards": "ac\u202eme",
	"no text": "ac\ufffdme", "600 bytes": strings.Repeat("x", 600), "a session's name": "mcp-session:x", "a call's name": "mcp-call:x",
}

func TestATenantClaimThatIsNoNameIsRefusedEverywhere(t *testing.T) {
	base := started(t, "gateway: {}\n")
	for what, tenant := range notNames {
		for place, status := range everywhere(t, base, signed(t, "org", tenant)) {
			if status != http.StatusUnauthorized {
				t.Errorf("%s at the %s: status %d", what, place, status)
			}
		}
	}
	for _, tenant := range []string{"acme", "default", "Ärzte & Co. (東京)", strings.Repeat("x", 512)} {
		for place, status := range everywhere(t, base, signed(t, "org", tenant)) {
			if status != http.StatusOK {
				t.Errorf("%.20q at the %s: status %d", tenant, place, status)
			}
		}
	}
}

func TestASubThatIsNoNameIsRefusedEverywhere(t *testing.T) {
	base := started(t, "gateway: {}\n")
	for what, sub := range notNames {
		for place, status := range everywhere(t, base, signed(t, "sub", sub)) {
			if status != http.StatusUnauthorized {
				t.Errorf("%s at the %s: status %d", what, place, status)
			}
		}
	}
}

func TestATokenWithoutATenantIsRefusedWhereOneIsRequired(t *testing.T) {
	missing := token(t, jose.HS256, []byte(hmacKey), claims(nil))
	base := started(t, "gateway: {}\n")
	for place, status := range everywhere(t, base, missing) {
		if status != http.StatusOK {
			t.Errorf("without tenant_required, at the %s: status %d", place, status)
		}
	}
	text := strings.Replace(gatewayHead("ADDRESS"), "auth:\n", "auth:\n  tenant_required: true\n", 1) +
		"gateway: {}\nmodels: {demo: {kind: demo}}\nagents: {assistant: {model: demo}}\n"
	base = listening(t, text)
	for place, status := range everywhere(t, base, missing) {
		if status != http.StatusUnauthorized {
			t.Errorf("at the %s: status %d", place, status)
		}
	}
	for _, tenant := range []string{"acme", "default"} {
		for place, status := range everywhere(t, base, personOf(t, tenant)) {
			if status != http.StatusOK {
				t.Errorf("%q at the %s: status %d", tenant, place, status)
			}
		}
	}
}

// listening is a server with this configuration, which says ADDRESS where it
// listens.
func listening(t *testing.T, text string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return servedAt(t, listener, strings.ReplaceAll(text, "ADDRESS", listener.Addr().String()))
}

// logged is a log that can be read while it is written.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// built is a server that only its handler is used of, with its log.
func built(t *testing.T, text string) (*server.Server, *logged) {
	t.Helper()
	cfg, err := config.Parse([]byte(text), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	log := &logged{}
	s, err := server.New(t.Context(), cfg, &server.Options{Logger: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, log
}

func TestARefusedClaimIsLoggedWithoutTheToken(t *testing.T) {
	s, log := built(t, gatewayHead("127.0.0.1:0")+"models: {demo: {kind: demo}}\nagents: {assistant: {model: demo}}\n")
	bad := signed(t, "org", []string{"acme-and-its-secret"})
	answer := asks(t, s, bad)
	if answer.Code != http.StatusUnauthorized {
		t.Errorf("status %d", answer.Code)
	}
	said := log.String()
	if !strings.Contains(said, `level=WARN msg="token refused"`) || !strings.Contains(said, "org") || !strings.Contains(said, "is not a text") {
		t.Errorf("the log says %s", said)
	}
	if strings.Contains(said, bad) || strings.Contains(said, "acme-and-its-secret") {
		t.Errorf("the log has what the token says: %s", said)
	}
}

const twoIssuers = `
listen: 127.0.0.1:0
public_url: https://parley.example
store: "memory:"
secrets: [a secret of the tests that is long enough]
auth:
  %s
  jwt: {issuer: %q, audience: parley, hmac_key: %q}
  oidc: {issuer: "https://id.example", client_id: parley, client_secret: s}
models: {demo: {kind: demo}}
agents: {assistant: {model: demo}}
`

func TestTwoIssuersAreWarnedOfUntilTheOperatorHasSaidWhoTheirPeopleAre(t *testing.T) {
	const warning = "auth.people: the same sub of"
	for name, c := range map[string]struct {
		people, issuer string
		warns          bool
		explained      string
	}{
		"nothing is said":     {"", "https://app.example", true, "WARNING: auth.people: the same sub of https://app.example and of https://id.example is taken for the same person"},
		"they are shared":     {"people: shared", "https://app.example", false, "is the same person"},
		"they are separate":   {"people: separate", "https://app.example", false, "are different people"},
		"there is one issuer": {"", "https://id.example", false, ""},
	} {
		text := fmt.Sprintf(twoIssuers, c.people, c.issuer, hmacKey)
		_, log := built(t, text)
		if strings.Contains(log.String(), warning) != c.warns {
			t.Errorf("%s: the log says %s", name, log)
		}
		cfg, err := config.Parse([]byte(text), func(string) (string, bool) { return "", false })
		if err != nil {
			t.Fatal(err)
		}
		if said := cfg.Explain(); !strings.Contains(said, c.explained) || strings.Contains(said, "WARNING") != c.warns {
			t.Errorf("%s: parley check says %s", name, said)
		}
	}
}

// What a server for development believes, no other does.
func TestOnlyAServerForDevelopmentBelievesAName(t *testing.T) {
	s, _ := built(t, fmt.Sprintf(twoIssuers, "people: shared", "https://app.example", hmacKey))
	if got := asks(t, s, server.DevToken("alice")).Code; got != http.StatusUnauthorized {
		t.Errorf("status %d", got)
	}
	dev, _ := built(t, "dev: true\nmodels: {m: {kind: demo}}\nagents: {a: {model: m}}\nstore: \"memory:\"\n")
	if got := asks(t, dev, server.DevToken("alice")).Code; got != http.StatusOK {
		t.Errorf("in development: status %d", got)
	}
}

// Whoever signs tokens cannot name somebody who signs in elsewhere.
func TestATokenCannotNameAPersonOfTheOtherIssuer(t *testing.T) {
	for people, want := range map[string]int{"people: separate": http.StatusUnauthorized, "people: shared": http.StatusOK, "": http.StatusOK} {
		s, _ := built(t, fmt.Sprintf(twoIssuers, people, "https://app.example", hmacKey))
		if got := asks(t, s, signed(t, "sub", "https://id.example#alice")).Code; got != want {
			t.Errorf("%q: status %d, want %d", people, got, want)
		}
		if got := asks(t, s, signed(t, "sub", "alice")).Code; got != http.StatusOK {
			t.Errorf("%q: alice gets status %d", people, got)
		}
	}
}

func TestAnAnswerAboutPeopleThatIsNoneIsRefused(t *testing.T) {
	_, err := config.Parse(fmt.Appendf(nil, twoIssuers, "people: same", "https://app.example", hmacKey), func(string) (string, bool) { return "", false })
	if err == nil || !strings.Contains(err.Error(), "auth.people") {
		t.Errorf("got %v", err)
	}
	key := strings.Repeat("0", 64)
	_, err = config.Parse(fmt.Appendf(nil, twoIssuers, "api_keys: [{name: ci, sha256: \""+key+"\", tenant: \" acme\"}]", "https://app.example", hmacKey),
		func(string) (string, bool) { return "", false })
	if err == nil || !strings.Contains(err.Error(), "auth.api_keys[0].tenant") {
		t.Errorf("got %v", err)
	}
}

// asks is what a person's request for a conversation is answered.
func asks(t *testing.T, s *server.Server, bearer string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/run/api/chat/c", nil)
	r.Host = "localhost" // by any other name nothing is answered: see TestNoSurfaceAnswersByANameThatLeadsHere
	r.Header.Set("Authorization", "Bearer "+bearer)
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

// A token whose signature holds and that is refused for a claim says which: who reads that
// the signature does not hold changes keys. By a shared key and by published ones.
func TestAWellSignedTokenIsRefusedByTheNameOfItsClaim(t *testing.T) {
	key := newKey(t)
	url, _ := keyServer(t, key, "1")
	published, shared := believing(t, url), started(t, "")
	written := func(alg jose.SignatureAlgorithm, key any, payload string) string {
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, nil)
		if err != nil {
			t.Fatal(err)
		}
		signed, err := signer.Sign([]byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		text, err := signed.CompactSerialize()
		if err != nil {
			t.Fatal(err)
		}
		return "Bearer " + text
	}
	const rest = `"iss":"https://app.example","x":1`
	for payload, want := range map[string]string{
		`{"sub":"alice","aud":"parley","exp":99999999999,` + rest + `}`:                   "",
		`{"sub":5,"aud":"parley","exp":99999999999,` + rest + `}`:                         `"sub" is not a text`,
		`{"sub":["alice"],"aud":"parley","exp":99999999999,` + rest + `}`:                 `"sub" is not a text`,
		`{"sub":"alice","sub":"bob","aud":"parley","exp":99999999999,` + rest + `}`:       `"sub" is there twice`,
		`{"sub":"alice","x":2,"aud":"parley","exp":99999999999,` + rest + `}`:             `"x" is there twice`,
		`{"sub":"alice","aud":"parley","exp":"99999999999",` + rest + `}`:                 `"exp" is not a time in seconds`,
		`{"sub":"alice","aud":"parley","exp":1e300,` + rest + `}`:                         `"exp" is not a time in seconds`,
		`{"sub":"alice","aud":"parley","exp":99999999999,"nbf":"now",` + rest + `}`:       `"nbf" is not a time in seconds`,
		`{"sub":"alice","aud":5,"exp":99999999999,` + rest + `}`:                          `"aud" is neither a text nor a list of texts`,
		`{"sub":"alice","aud":"parley","exp":99999999999,"iss":7}`:                        `"iss" is not a text`,
		`{"sub":"alice","aud":"parley","EXP":99999999999,` + rest + `}`:                   "the token has no exp",
		`{"sub":"alice","aud":"parley","exp":99999999999,"a":{"b":1,"b":2},` + rest + `}`: "cannot be read",
		`["sub"]`: "cannot be read",
	} {
		for name, got := range map[string]func() (int, string){
			"shared": func() (int, string) { return ask(t, shared, written(jose.HS256, []byte(hmacKey), payload)) },
			"published": func() (int, string) {
				return ask(t, published, written(jose.ES256, jose.JSONWebKey{Key: key, KeyID: "1"}, payload))
			},
		} {
			status, said := got()
			said = strings.ReplaceAll(said, `\"`, `"`)
			if want == "" {
				if status != http.StatusOK {
					t.Errorf("%s, %s: %d %s", name, payload, status, said)
				}
				continue
			}
			if status != http.StatusUnauthorized || !strings.Contains(said, want) || strings.Contains(said, "signature") {
				t.Errorf("%s, %s: %d %s", name, payload, status, said)
			}
		}
	}
}
