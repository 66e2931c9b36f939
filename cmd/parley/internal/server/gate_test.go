package server_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/go-jose/go-jose/v4"
)

// raw sends bytes to a server, and returns what it says until it closes the
// connection. One that stays open fails the test.
func raw(t *testing.T, base, sent string) string {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, sent); err != nil {
		t.Fatal(err)
	}
	_ = c.SetReadDeadline(time.Now().Add(20 * time.Second)) // only so that the test ends
	said, err := io.ReadAll(c)
	if err != nil && !strings.Contains(err.Error(), "reset") {
		t.Errorf("the connection stays open: %v after %q", err, said)
	}
	return string(said)
}

func TestConnectionsThatSendNothingAreClosed(t *testing.T) {
	base := started(t, "limits: {header_time: 200ms, body_time: 200ms, idle_time: 200ms}\n")
	good := "Authorization: Bearer " + token(t, jose.HS256, []byte(hmacKey), claims(nil)) + "\r\n"
	for name, sent := range map[string]string{
		"nothing":                "",
		"half a header":          "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAcc",
		"idle after an answer":   "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
		"no body for the pages":  "POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nuser=",
		"no body for the chat":   "POST /run/api/chat HTTP/1.1\r\nHost: 127.0.0.1\r\n" + good + "Content-Length: 100\r\n\r\n{",
		"no body for the API":    "POST /api/servers HTTP/1.1\r\nHost: 127.0.0.1\r\n" + good + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
		"no body for an agent":   "POST /mcp/agents/assistant HTTP/1.1\r\nHost: 127.0.0.1\r\n" + good + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
		"no body for nobody":     "POST /run/api/chat HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
		"no body for no page":    "POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
		"no body for a question": "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw(t, base, sent)
		})
	}
}

// get asks with a header or two.
func get(t *testing.T, target string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	r.Close = true
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

func bearerOf(t *testing.T, user, tenant string) string {
	t.Helper()
	return "Bearer " + token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) {
		if m["sub"] = user; tenant != "" {
			m["org"] = tenant
		}
	}))
}

// refusedLater asks until it is told to wait, and says after how many.
func refusedLater(t *testing.T, most int, target string, headers ...string) (answer *http.Response, body string, before int) {
	t.Helper()
	for n := range most {
		if answer, body = get(t, target, headers...); answer.StatusCode == http.StatusTooManyRequests {
			if wait, err := strconv.Atoi(answer.Header.Get("Retry-After")); err != nil || wait < 1 {
				t.Errorf("Retry-After is %q", answer.Header.Get("Retry-After"))
			}
			return answer, body, n
		}
	}
	t.Fatalf("%d requests to %s: the last was answered with %d %s", most, target, answer.StatusCode, body)
	return nil, "", 0
}

const slowly = "{per_second: 0.001, burst: 5}"

func TestAnAddressWithTokensThatAreRefusedIsToldToWait(t *testing.T) {
	base := started(t, "gateway: {}\nlimits: {failures: "+slowly+"}\n")
	_, body, n := refusedLater(t, 10, base+"/run/api/chat/c", "Authorization", "Bearer wrong")
	if n != 5 || !strings.Contains(body, `"success":false`) {
		t.Errorf("after %d: %s", n, body)
	}
	for path, want := range map[string]string{
		"/run/api/chat/c": `"error":"These are too many requests`, "/run/v1/chat/completions": `"type":"rate_limit_error"`,
		"/api/servers": `"status":429`, "/mcp": `"jsonrpc":"2.0"`, "/mcp/agents/assistant": `"jsonrpc":"2.0"`,
	} {
		answer, body := get(t, base+path, "Authorization", "Bearer wrong")
		if answer.StatusCode != http.StatusTooManyRequests || !strings.Contains(body, want) || !json.Valid([]byte(body)) {
			t.Errorf("%s: %d %s", path, answer.StatusCode, body)
		}
	}
	// Others at the same address are people with tokens that hold.
	if got, body := ask(t, base, bearerOf(t, "alice", "")); got != http.StatusOK {
		t.Errorf("alice: %d %s", got, body)
	}
	if answer, _ := get(t, base+"/healthz"); answer.StatusCode != http.StatusOK {
		t.Errorf("healthz: %d", answer.StatusCode)
	}
}

func TestTheSignInPageIsLimitedByAddress(t *testing.T) {
	base := started(t, "limits: {sign_in: "+slowly+", trusted_proxies: [127.0.0.1]}\n")
	answer, body, n := refusedLater(t, 10, base+"/login", "X-Forwarded-For", "198.51.100.7")
	if n != 5 || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") || !strings.Contains(body, "<p class=\"outcome\">These are too many requests") || answer.Header.Get("Content-Security-Policy") == "" {
		t.Errorf("after %d: %s %s", n, answer.Header.Get("Content-Type"), body)
	}
	for _, path := range []string{"/login", "/login/callback", "/login/verified"} {
		if answer, _ := get(t, base+path, "X-Forwarded-For", "203.0.113.1, 198.51.100.7"); answer.StatusCode != http.StatusTooManyRequests {
			t.Errorf("%s, and claims to be another: %d", path, answer.StatusCode)
		}
	}
	if answer, _ := get(t, base+"/login", "X-Forwarded-For", "198.51.100.8"); answer.StatusCode != http.StatusOK {
		t.Errorf("another address: %d", answer.StatusCode)
	}
}

func TestWithoutTrustedProxiesNobodySaysWhereTheyComeFrom(t *testing.T) {
	base := started(t, "limits: {anonymous: "+slowly+"}\n")
	for n := range 6 {
		answer, _ := get(t, base+"/widget.js", "X-Forwarded-For", fmt.Sprintf("198.51.100.%d", n))
		if limited := answer.StatusCode == http.StatusTooManyRequests; limited != (n == 5) {
			t.Errorf("request %d: %d", n, answer.StatusCode)
		}
	}
}

func TestAPersonAndATenantHaveTheirOwnLimits(t *testing.T) {
	base := started(t, "limits: {person: "+slowly+", tenant: {per_second: 0.001, burst: 8}}\n")
	alice, bob, carol := bearerOf(t, "alice", "acme"), bearerOf(t, "bob", "acme"), bearerOf(t, "alice", "globex")
	if _, _, n := refusedLater(t, 10, base+"/run/api/chat/c", "Authorization", alice); n != 5 {
		t.Errorf("alice was refused after %d", n)
	}
	if _, _, n := refusedLater(t, 10, base+"/run/api/chat/c", "Authorization", bob); n != 2 { // her refused one counted too
		t.Errorf("bob of the same tenant was refused after %d", n)
	}
	if got, body := ask(t, base, carol); got != http.StatusOK {
		t.Errorf("alice of another tenant: %d %s", got, body)
	}
}

// Programs have no names, but are not all the same one.
func TestAProgramHasALimitOfItsOwn(t *testing.T) {
	base := listening(t, gatewayHead("ADDRESS")+"  - {name: other, sha256: "+fmt.Sprintf("%x", sha256.Sum256([]byte("other-key-of-acme")))+", tenant: acme}\nlimits: {person: "+slowly+"}\n")
	if _, _, n := refusedLater(t, 10, base+"/api/servers", "Authorization", "Bearer "+tenantKeys["acme"]); n != 5 {
		t.Errorf("the program was refused after %d", n)
	}
	for who, bearer := range map[string]string{"another program of the tenant": "Bearer other-key-of-acme", "a program of another": "Bearer " + tenantKeys["globex"]} {
		if answer, said := get(t, base+"/api/servers", "Authorization", bearer); answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %s", who, answer.StatusCode, said)
		}
	}
}

func TestAPersonIsTheSameByCookieAndByToken(t *testing.T) {
	base := started(t, "limits: {person: "+slowly+"}\n")
	form, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/login", strings.NewReader(url.Values{"user": {"alice"}}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	form.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	form.Close = true
	signedIn, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(form)
	if err != nil {
		t.Fatal(err)
	}
	signedIn.Body.Close()
	cookie := strings.Split(signedIn.Header.Get("Set-Cookie"), ";")[0]
	if _, _, n := refusedLater(t, 10, base+"/run/api/chat/c", "Cookie", cookie); n != 5 {
		t.Errorf("by cookie: refused after %d", n)
	}
	if got, _ := ask(t, base, bearerOf(t, "alice", "")); got != http.StatusTooManyRequests {
		t.Errorf("by token: %d", got)
	}
	if got, _ := ask(t, base, bearerOf(t, "bob", "")); got != http.StatusOK {
		t.Errorf("bob: %d", got)
	}
}

// listen opens a socket, and says with which status.
func listen(t *testing.T, base, authorization string) (net.Conn, int) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	fmt.Fprintf(c, "GET /run/ws HTTP/1.1\r\nHost: %s\r\nAuthorization: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", strings.TrimPrefix(base, "http://"), authorization)
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, answer.StatusCode
}

func TestAPersonHasSoManyOpenStreams(t *testing.T) {
	base := started(t, "limits: {streams: 2}\n")
	alice, bob := bearerOf(t, "alice", ""), bearerOf(t, "bob", "")
	first, _ := listen(t, base, alice)
	for _, step := range []struct {
		who  string
		want int
	}{{alice, http.StatusSwitchingProtocols}, {alice, http.StatusTooManyRequests}, {bob, http.StatusSwitchingProtocols}} {
		if _, got := listen(t, base, step.who); got != step.want {
			t.Errorf("%d, want %d", got, step.want)
		}
	}
	_ = first.Close()
	for { // until the server has noticed
		c, got := listen(t, base, alice)
		if got == http.StatusSwitchingProtocols {
			break
		}
		_ = c.Close()
		time.Sleep(10 * time.Millisecond)
	}
}

// A stream lasts, whatever the times of a request are.
func TestAStreamOutlivesTheTimesOfItsRequest(t *testing.T) {
	base := started(t, "limits: {header_time: 200ms, body_time: 200ms, idle_time: 200ms, write_time: 200ms}\n")
	c, status := listen(t, base, bearerOf(t, "alice", ""))
	if status != http.StatusSwitchingProtocols {
		t.Fatal(status)
	}
	raw(t, base, "") // another connection is closed for being silent: so long it was
	raw(t, base, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
	if _, err := c.Write([]byte{0x89, 0x80, 0, 0, 0, 0}); err != nil { // a ping
		t.Fatal(err)
	}
	pong := make([]byte, 2)
	if _, err := io.ReadFull(c, pong); err != nil || pong[0] != 0x8a {
		t.Errorf("%x, %v", pong, err)
	}
}

func TestConnectionsInAllAreBounded(t *testing.T) {
	base := started(t, "limits: {connections: 3}\n")
	for range 3 {
		if _, status := listen(t, base, bearerOf(t, "alice", "")); status != http.StatusSwitchingProtocols {
			t.Fatal(status)
		}
	}
	if said := raw(t, base, ""); !strings.HasPrefix(said, "HTTP/1.1 503") || !strings.Contains(said, "Retry-After") {
		t.Errorf("one more: %q", said)
	}
}

// A socket outlives its token: what was found out when it was opened does not
// count for what it says later.
func TestASocketIsAskedAgainWhoItIs(t *testing.T) {
	base := started(t, "")
	expiring := "Bearer " + token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) {
		m["exp"] = time.Now().Add(-27 * time.Second).Unix() // clocks may be 30 s apart
	}))
	conn, _, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(base, "http")+"/run/ws", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {expiring}}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	for status := http.StatusOK; status == http.StatusOK; {
		status, _ = ask(t, base, expiring) // until it has expired
	}
	if err := wsjson.Write(t.Context(), conn, map[string]string{"message": "hello", "session_id": "c"}); err != nil {
		t.Fatal(err)
	}
	var said map[string]any
	if err := wsjson.Read(t.Context(), conn, &said); err != nil {
		t.Fatal(err)
	}
	if text, _ := said["error"].(string); !strings.Contains(text, "has expired") {
		t.Errorf("the server goes on with %v", said)
	}
}

// A body that is sent slowly holds its part of what its sender may send at once, and
// nobody else's.
func TestLargeBodiesOfAPersonAreReadAFewAtATime(t *testing.T) {
	base := started(t, "limits: {calls_per_person: 2}\n")
	bearer := func(user string) string {
		return "Authorization: Bearer " + token(t, jose.HS256, []byte(hmacKey), claims(func(c map[string]any) { c["sub"] = user })) + "\r\n"
	}
	begun := func(user, path string) string {
		c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%sContent-Type: application/json\r\nContent-Length: 200000\r\nExpect: 100-continue\r\n\r\n", path, bearer(user))
		_ = c.SetReadDeadline(time.Now().Add(20 * time.Second)) // only so that the test ends
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode == http.StatusTooManyRequests && answer.Header.Get("Retry-After") == "" {
			t.Error("it does not say when to try again")
		}
		return answer.Status
	}
	if got := begun("alice", "/run/api/chat"); got != "100 Continue" {
		t.Fatalf("alice: %s", got)
	}
	for _, path := range []string{"/run/api/chat", "/run/v1/chat/completions", "/mcp", "/mcp/agents/assistant", "/a2a/assistant", "/api/elicitations"} {
		if got := begun("alice", path); got != "429 Too Many Requests" {
			t.Errorf("alice once more at %s: %s", path, got)
		}
	}
	if got := begun("bob", "/run/api/chat"); got != "100 Continue" {
		t.Errorf("bob: %s", got)
	}
}

// A page of another site whose name leads to this machine is of the same origin as what it
// asks for, and on this machine anybody signs in as anybody.
func TestNoSurfaceAnswersByANameThatLeadsHere(t *testing.T) {
	base := started(t, "advertise: http://node-1:8420\n")
	port := strings.TrimPrefix(base, "http://127.0.0.1")
	for path, kind := range map[string]string{
		"/": "text/html", "/login": "text/html", "/inbox": "text/html", "/answer/x": "text/html", "/widget.js": "text/html",
		"/run/api/chat": "application/json", "/run/ws": "application/json", "/run/v1/chat/completions": "application/json",
		"/api/servers": "application/problem+json", "/api/elicitations": "application/problem+json",
		"/a2a/assistant": "application/json", "/device/token": "application/json",
	} {
		for host, ours := range map[string]bool{
			"evil.example" + port: false, "127.0.0.1.evil.example": false, "localhost.evil.example": false, "10.1.2.3" + port: false,
			"127.0.0.1" + port: true, "localhost" + port: true, "node-1:8420": true,
		} {
			said := raw(t, base, "GET "+path+" HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
			refused := strings.HasPrefix(said, "HTTP/1.1 421 Misdirected Request\r\n")
			if host == "node-1:8420" && (kind == "text/html" || strings.HasPrefix(path, "/device/")) { // a node hands no pages on
				continue
			}
			if refused == ours || refused && (!strings.Contains(said, "\r\nContent-Type: "+kind) || !strings.Contains(said, "This site is not known by that name. Open it at http://")) {
				t.Errorf("%s at %s: %s", path, host, said)
			}
		}
	}
	for path, want := range map[string]string{"/healthz": " 200 ", "/readyz": " 200 "} {
		if said := raw(t, base, "GET "+path+" HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"); !strings.HasPrefix(said, "HTTP/1.1"+want) {
			t.Errorf("%s: %s", path, said)
		}
	}
}
