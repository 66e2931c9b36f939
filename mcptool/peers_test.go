package mcptool_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

var peerSecrets = []string{"the secret of all nodes, 32 bytes"}

// peer is one of the nodes that share a store. It writes down what reaches it.
type peer struct {
	url   string
	calls atomic.Int64

	mu   sync.Mutex
	came []arrived
}

type arrived struct {
	method, uri string
	header      http.Header
	body        []byte
}

func newPeer(t *testing.T, store *parley.MemoryStore, secrets []string) *peer {
	t.Helper()
	p := &peer{}
	site := httptest.NewUnstartedServer(nil)
	p.url = "http://" + site.Listener.Addr().String()
	hub := parley.New(store, &parley.Options{Logger: quiet})
	asker := newAsker(t, hub, &mcptool.Options{Logger: quiet, Secrets: secrets, URL: p.url})
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Logger: quiet})
	mcp.AddTool(server, &mcp.Tool{Name: "whoami"}, func(_ context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		p.calls.Add(1)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.Extra.TokenInfo.UserID}}}, nil, nil
	})
	peers := mcphttp.NewPeers(asker, quiet)
	handler := mcphttp.New(asker, server, &mcphttp.Options{Peers: peers})
	verify := auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		if token != "token-of-alice" && token != "token-of-bob" {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: strings.TrimPrefix(token, "token-of-"), Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)
	entrance := peers.Entrance(verify(handler), handler)
	site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		p.mu.Lock()
		p.came = append(p.came, arrived{r.Method, r.RequestURI, r.Header.Clone(), body})
		p.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		entrance.ServeHTTP(w, r)
	})
	site.Start()
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { _ = asker.Run(ctx) })
	for !asker.Node().Joined() {
		time.Sleep(time.Millisecond)
	}
	t.Cleanup(func() {
		cancel()
		wg.Wait()
		_ = handler.Close()
		site.CloseClientConnections()
		site.Close()
	})
	return p
}

// forwarded are the requests that came from another node.
func (p *peer) forwarded() (all []arrived) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.came {
		if r.header.Get("Parley-Forwarded") != "" {
			all = append(all, r)
		}
	}
	return all
}

// send sends what came, perhaps changed, from anywhere.
func (r arrived) send(t *testing.T, to string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), r.method, to+r.uri, bytes.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = r.header.Clone()
	req.Close = true
	answer, err := http.DefaultClient.Do(req)
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

func (r arrived) with(change func(*arrived)) arrived {
	r.header = r.header.Clone()
	change(&r)
	return r
}

const whoami = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"whoami","arguments":{}}}`

// sessionAt begins a session of a person's and returns a call in it.
func sessionAt(t *testing.T, p *peer, token string) arrived {
	t.Helper()
	r := arrived{http.MethodPost, "/mcp", http.Header{
		"Authorization": {"Bearer " + token}, "Cookie": {"session=of-alice"}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
	}, []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)}
	req, err := http.NewRequestWithContext(t.Context(), r.method, p.url+r.uri, bytes.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header, req.Close = r.header.Clone(), true
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	r.header.Set("Mcp-Session-Id", answer.Header.Get("Mcp-Session-Id"))
	r.header.Set("Mcp-Protocol-Version", legacy)
	r.with(func(r *arrived) { r.body = []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`) }).send(t, p.url)
	return r.with(func(r *arrived) { r.body = []byte(whoami) })
}

func TestNodesForwardWhoItIsAndNoCredentials(t *testing.T) {
	for name, secrets := range map[string][]string{"a secret": peerSecrets, "the stored secret": nil} {
		t.Run(name, func(t *testing.T) {
			store := parley.NewMemoryStore()
			a, b := newPeer(t, store, secrets), newPeer(t, store, secrets)
			call := sessionAt(t, a, "token-of-alice")
			if status, body := call.send(t, b.url); status != http.StatusOK || !strings.Contains(body, `"text":"alice"`) {
				t.Fatalf("%d %s", status, body)
			}
			came := a.forwarded()
			if len(came) != 1 || a.calls.Load() != 1 {
				t.Fatalf("%d forwarded, %d calls", len(came), a.calls.Load())
			}
			for name, values := range came[0].header {
				if said := strings.Join(values, " "); name == "Authorization" || name == "Cookie" || strings.Contains(said, "alice") {
					t.Errorf("%s: %s went along", name, said)
				}
			}
			// Another person does not get into the session by another node.
			bob := call.with(func(r *arrived) { r.header.Set("Authorization", "Bearer token-of-bob") })
			if status, body := bob.send(t, b.url); status < 400 || a.calls.Load() != 1 {
				t.Errorf("%d %s, %d calls", status, body, a.calls.Load())
			}
			// And a bad token not even to the node.
			before := len(a.forwarded())
			bad := call.with(func(r *arrived) { r.header.Set("Authorization", "Bearer nonsense") })
			if status, _ := bad.send(t, b.url); status != http.StatusUnauthorized || len(a.forwarded()) != before {
				t.Errorf("%d, %d forwarded", status, len(a.forwarded())-before)
			}
		})
	}
}

// Somebody on the way has a request of one node to another.
func TestAForwardedRequestIsGoodOnceAndAsItIs(t *testing.T) {
	store := parley.NewMemoryStore()
	a, b := newPeer(t, store, peerSecrets), newPeer(t, store, peerSecrets)
	call := sessionAt(t, a, "token-of-alice")
	call.send(t, b.url)
	seen := a.forwarded()[0]
	stranger := newPeer(t, parley.NewMemoryStore(), []string{"another secret of thirty-two bytes"})
	theirs := sessionAt(t, stranger, "token-of-alice")
	for name, forged := range map[string]arrived{
		"as it was":       seen,
		"another call":    seen.with(func(r *arrived) { r.body = bytes.Replace(r.body, []byte("whoami"), []byte("whoamI"), 1) }),
		"another session": seen.with(func(r *arrived) { r.header.Set("Mcp-Session-Id", theirs.header.Get("Mcp-Session-Id")) }),
		"another path":    seen.with(func(r *arrived) { r.uri = "/mcp/other" }),
		"another method":  seen.with(func(r *arrived) { r.method = http.MethodDelete }),
		"another version": seen.with(func(r *arrived) { r.header.Set("Mcp-Protocol-Version", "2025-06-18") }),
		"a letter made up": seen.with(func(r *arrived) {
			r.header.Set("Parley-Forwarded", strings.Repeat("A", len(r.header.Get("Parley-Forwarded"))))
		}),
		"a letter cut short": seen.with(func(r *arrived) {
			r.header.Set("Parley-Forwarded", strings.TrimSuffix(r.header.Get("Parley-Forwarded"), r.header.Get("Parley-Forwarded")[200:]))
		}),
		"with a token of one's own": seen.with(func(r *arrived) { r.header.Set("Authorization", "Bearer token-of-bob") }),
	} {
		if status, body := forged.send(t, a.url); status != http.StatusForbidden || a.calls.Load() != 1 {
			t.Errorf("%s: %d %s, %d calls", name, status, body, a.calls.Load())
		}
	}
	// It is for that node alone, and a name instead of a letter is nobody's word.
	if status, _ := seen.send(t, b.url); status != http.StatusForbidden {
		t.Errorf("at another node: %d", status)
	}
	named := seen.with(func(r *arrived) { r.header.Set("Parley-Forwarded", "abcdefghijklmnop") })
	if status, _ := named.send(t, a.url); status != http.StatusUnauthorized {
		t.Errorf("with a name: %d", status)
	}
	if a.calls.Load() != 1 {
		t.Errorf("%d calls", a.calls.Load())
	}
}

// A program that does not use Peers forwards credentials where nobody else can
// read them.
func TestCredentialsAreNotForwardedInClear(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{Logger: quiet})
	away := newAsker(t, hub, &mcptool.Options{Logger: quiet, URL: "http://192.0.2.1:1/mcp"})
	here := newAsker(t, hub, &mcptool.Options{Logger: quiet, URL: "http://127.0.0.1:2/mcp"})
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for _, asker := range []*mcptool.Asker{away, here} {
		wg.Go(func() { _ = asker.Run(ctx) })
		for !asker.Node().Joined() {
			time.Sleep(time.Millisecond)
		}
	}
	handler := mcphttp.New(here, mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil), &mcphttp.Options{Logger: quiet})
	for _, name := range []string{"Authorization", "Cookie"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", strings.NewReader(whoami))
		r.Header.Set(name, "Bearer secret")
		r.Header.Set("Mcp-Session-Id", away.Node().ID()+"-session")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != http.StatusNotFound { // one that was sent to nobody's address ends otherwise
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}
