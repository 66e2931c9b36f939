package server_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"github.com/parley-hq/parley/internal/visitor"
)

// heard is what a server answered.
type heard struct {
	status int
	header http.Header
	body   string
}

func request(t *testing.T, client *http.Client, method, to, token, kind, body string) heard {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, to, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return heard{answer.StatusCode, answer.Header, string(data)}
}

const formKind = "application/x-www-form-urlencoded"

func bare() *http.Client { return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} }

// deviceStart begins the login of a program, and returns its codes.
func deviceStart(t *testing.T, server, scope string) (device, user string) {
	t.Helper()
	got := request(t, bare(), http.MethodPost, server+"/device/authorize", "", formKind, url.Values{"client_id": {"a program"}, "scope": {scope}}.Encode())
	var begun struct {
		Device string `json:"device_code"`
		User   string `json:"user_code"`
	}
	if json.Unmarshal([]byte(got.body), &begun) != nil || begun.Device == "" {
		t.Fatalf("%+v", got)
	}
	return begun.Device, begun.User
}

// deviceAllow is somebody who signs in at a development server and allows it.
func deviceAllow(t *testing.T, server, person, code string) {
	t.Helper()
	v := visitor.New()
	defer v.Leave()
	err := v.Send(t.Context(), server+"/login", url.Values{"user": {person}})
	if err == nil {
		err = v.Open(t.Context(), "/device?user_code="+code)
	}
	if err == nil {
		err = v.Press(t.Context(), "The codes are the same", nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func deviceToken(t *testing.T, server, device string) string {
	t.Helper()
	got := request(t, bare(), http.MethodPost, server+"/device/token", "", formKind,
		url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}, "device_code": {device}}.Encode())
	var reply struct {
		Token string `json:"access_token"`
	}
	if json.Unmarshal([]byte(got.body), &reply) != nil || reply.Token == "" {
		t.Fatalf("%+v", got)
	}
	return reply.Token
}

func loginOf(t *testing.T, server, person, scope string) string {
	t.Helper()
	device, code := deviceStart(t, server, scope)
	deviceAllow(t, server, person, code)
	return deviceToken(t, server, device)
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// uses is what a token is answered with, by place.
func uses(t *testing.T, server, token string) map[string]int {
	t.Helper()
	got := map[string]int{}
	got["api"] = request(t, bare(), http.MethodGet, server+"/api/elicitations", token, "", "").status
	got["manage"] = request(t, bare(), http.MethodGet, server+"/api/servers", token, "", "").status
	got["chat"] = request(t, bare(), http.MethodGet, server+"/run/api/chat/none", token, "", "").status
	got["answer"] = request(t, bare(), http.MethodPost, server+"/answer/none", token, "application/json", `{"elicitationId":"none","action":"decline"}`).status
	got["a2a"] = request(t, bare(), http.MethodPost, server+"/a2a/assistant", token, "application/json", `{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{}}`).status
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server+"/mcp", strings.NewReader(initialize))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := bare().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	got["mcp"] = answer.StatusCode
	return got
}

func TestALoginIsGoodForWhatItsPersonAllowedUntilItEnds(t *testing.T) {
	server := started(t, "gateway: {}\n")
	token := loginOf(t, server, "alice", "")
	for place, want := range map[string]int{"api": 200, "manage": 403, "chat": 200, "answer": 404, "a2a": 200, "mcp": 200} {
		if got := uses(t, server, token)[place]; got != want {
			t.Errorf("%s: %d, not %d", place, got, want)
		}
	}
	only := loginOf(t, server, "alice", "mcp")
	for place, want := range map[string]int{"api": 401, "manage": 401, "chat": 401, "answer": 401, "a2a": 401, "mcp": 200} {
		if got := uses(t, server, only)[place]; got != want {
			t.Errorf("for MCP only, %s: %d, not %d", place, got, want)
		}
	}
	for _, one := range []string{token, only} {
		request(t, bare(), http.MethodPost, server+"/device/revoke", "", formKind, "token="+one)
		for place, got := range uses(t, server, one) {
			if got != http.StatusUnauthorized {
				t.Errorf("ended, %s: %d", place, got)
			}
		}
	}
}

func TestALoginIsRefusedWithWhatHelps(t *testing.T) {
	server := started(t, "")
	got := request(t, bare(), http.MethodGet, server+"/api/elicitations", "parley_login_AAAA", "", "")
	if got.status != http.StatusUnauthorized || !strings.Contains(got.body, "log in again with parley login") || !strings.Contains(got.header.Get("WWW-Authenticate"), "invalid_token") {
		t.Errorf("%+v", got)
	}
}

// Who may ask for scopes is the issuer's to say, and no person's.
func TestALoginHasNoScopesOfAnIssuer(t *testing.T) {
	server := started(t, "gateway: {scopes: [tools]}\n")
	if got := uses(t, server, loginOf(t, server, "alice", ""))["mcp"]; got != http.StatusForbidden {
		t.Errorf("%d", got)
	}
}

func TestAnAnswerComesFromAPersonsTokenAndNotFromAProgramsKey(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	key := sha256.Sum256([]byte("the-key-of-a-program"))
	server := servedAt(t, listener, fmt.Sprintf(`listen: %s
store: "memory:"
dev: true
auth:
  jwt: {issuer: https://app.example, audience: parley, hmac_key: %q, tenant_claim: org}
  api_keys: [{name: ci, sha256: %s, may_ask: ["*"]}]
`, listener.Addr(), hmacKey, hex.EncodeToString(key[:])))
	asked := request(t, bare(), http.MethodPost, server+"/api/elicitations", "the-key-of-a-program", "application/json", `{"to":"alice","message":"Shall I?","requested_schema":{"type":"object","properties":{}}}`)
	var q struct{ ID string }
	if err := json.Unmarshal([]byte(asked.body), &q); err != nil || q.ID == "" {
		t.Fatalf("%+v", asked)
	}
	send := func(token string) (int, string) {
		got := request(t, bare(), http.MethodPost, server+"/answer/"+q.ID, token, "application/json", fmt.Sprintf(`{"elicitationId":%q,"action":"decline"}`, q.ID))
		return got.status, got.body
	}
	answer := func(token string) int {
		status, _ := send(token)
		return status
	}
	other := token(t, jose.HS256, []byte(hmacKey), claims(func(c map[string]any) { c["org"] = "elsewhere" }))
	for name, test := range map[string]struct {
		token string
		want  int
	}{
		"the program that asked":       {"the-key-of-a-program", http.StatusUnauthorized},
		"somebody else":                {loginOf(t, server, "bob", ""), http.StatusNotFound},
		"a token of the issuer":        {token(t, jose.HS256, []byte(hmacKey), claims(nil)), http.StatusUnauthorized},
		"the same name elsewhere":      {other, http.StatusUnauthorized},
		"a login that is only for MCP": {loginOf(t, server, "alice", "mcp"), http.StatusUnauthorized},
	} {
		if got := answer(test.token); got != test.want {
			t.Errorf("%s: %d", name, got)
		}
	}
	for words, token := range map[string]string{
		"not accepted: it is a program's": "the-key-of-a-program", "not accepted: questions are answered by a person": token(t, jose.HS256, []byte(hmacKey), claims(nil)),
		"not accepted: this login is for MCP only": loginOf(t, server, "alice", "mcp"), "not signed in. Sign in": "",
	} {
		if _, said := send(token); !strings.Contains(said, words) || strings.Contains(said, "any more") {
			t.Errorf("no %q in %s", words, said)
		}
	}
	if got := answer(loginOf(t, server, "alice", "")); got != http.StatusOK {
		t.Errorf("alice: %d", got)
	}
	got := request(t, bare(), http.MethodGet, server+"/api/elicitations/"+q.ID, "the-key-of-a-program", "", "")
	if !strings.Contains(got.body, `"by":"alice"`) {
		t.Errorf("%+v", got)
	}
}

func TestALoginIsBegunConfirmedExchangedUsedAndEndedAtDifferentNodes(t *testing.T) {
	store := "sqlite:" + filepath.Join(t.TempDir(), "parley.db")
	var at []string
	for range 2 {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		at = append(at, servedAt(t, listener, fmt.Sprintf("listen: %s\nstore: %q\ndev: true\ngateway: {}\n", listener.Addr(), store)))
	}
	device, code := deviceStart(t, at[0], "")
	deviceAllow(t, at[1], "alice", code)
	token := deviceToken(t, at[0], device)
	if got := uses(t, at[1], token)["api"]; got != http.StatusOK {
		t.Errorf("%d", got)
	}
	request(t, bare(), http.MethodPost, at[1]+"/device/revoke", "", formKind, "token="+token)
	if got := uses(t, at[0], token)["api"]; got != http.StatusUnauthorized {
		t.Errorf("%d", got)
	}
}

func TestWhereLoginsAreOffThereAreNone(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	store := "sqlite:" + filepath.Join(t.TempDir(), "parley.db")
	text := fmt.Sprintf("store: %q\ndev: true\nagents: {assistant: {model: demo}}\nmodels: {demo: {kind: demo}}\n", store)
	server := servedAt(t, listener, "listen: "+listener.Addr().String()+"\n"+text)
	token := loginOf(t, server, "alice", "")
	if listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	off := servedAt(t, listener, "listen: "+listener.Addr().String()+"\nauth: {logins: off}\n"+text)
	for _, path := range []string{"/device/authorize", "/device/token", "/device"} {
		if got := request(t, bare(), http.MethodPost, off+path, "", formKind, "client_id=x"); got.status != http.StatusNotFound {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if got := uses(t, off, token)["api"]; got != http.StatusUnauthorized {
		t.Errorf("a token of before: %d", got)
	}
	if got := request(t, bare(), http.MethodGet, off+"/api/logins", "dev-user:alice", "", ""); got.status != http.StatusNotFound {
		t.Errorf("%+v", got)
	}
}
