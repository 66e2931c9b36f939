package vault_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/net/html"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/demoprovider"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/vault"
)

// realWorld is the SDK's MCP server with its own middleware, and the demo
// provider as the authorization server that it names.
type realWorld struct {
	*mcpWorld
	provider *demoprovider.Provider
	resource string

	mu     sync.Mutex
	tokens []demoprovider.Info // with which the server was called
}

func newRealWorld(t *testing.T, change func(*demoprovider.Options)) *realWorld {
	t.Helper()
	r := &realWorld{}
	issuer, server := httptest.NewUnstartedServer(nil), httptest.NewUnstartedServer(nil)
	t.Cleanup(issuer.Close)
	t.Cleanup(server.Close)
	base := "http://" + server.Listener.Addr().String()
	r.resource = base + "/mcp"
	opts := &demoprovider.Options{
		Issuer: "http://" + issuer.Listener.Addr().String(), Registration: true, Resources: []string{r.resource},
	}
	if change != nil {
		change(opts)
	}
	var err error
	if r.provider, err = demoprovider.New(opts); err != nil {
		t.Fatal(err)
	}
	issuer.Config.Handler = r.provider
	server.Config.Handler = r.handler(base)
	issuer.Start()
	server.Start()

	client := outbound.Client(&outbound.Options{Loopback: true, Timeout: -1, MaxBytes: -1})
	t.Cleanup(client.CloseIdleConnections)
	r.mcpWorld = newMCPWorld(t, func(o *vault.Options) {
		o.Client, o.TenantClient, o.PublicURL = client, client, "http://127.0.0.1:8420"
		configured(func(s *vault.Server) { s.URL = r.resource })(o)
	})
	return r
}

// handler is an MCP server as its authors would write it.
func (r *realWorld) handler(base string) http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "board", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "whoami"}, func(_ context.Context, q *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: q.Extra.TokenInfo.UserID}}}, nil, nil
	})
	verify := func(ctx context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		info, err := r.provider.Introspect(ctx, token)
		if err != nil || !info.Active || !slices.Contains(info.Audience, r.resource) {
			return nil, fmt.Errorf("%w: %v", auth.ErrInvalidToken, err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.tokens = append(r.tokens, info)
		return &auth.TokenInfo{UserID: info.User, Scopes: info.Scopes, Expiration: info.Expires}, nil
	}
	protect := auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{
		ResourceMetadataURL: base + boardPath, Scopes: []string{"read"},
	})
	mux := http.NewServeMux()
	mux.Handle(boardPath, auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
		Resource: r.resource, AuthorizationServers: []string{r.provider.Issuer()}, ScopesSupported: []string{"read", "write"},
	}))
	mux.Handle("/mcp", protect(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)))
	return mux
}

// whoami calls the server's tool with alice's credential.
func (r *realWorld) whoami(t *testing.T) string {
	t.Helper()
	transport := &mcp.StreamableClientTransport{
		Endpoint: r.resource, DisableStandaloneSSE: true,
		HTTPClient: &http.Client{Transport: &vault.Transport{Vault: r.Vault, Need: needs("board")}},
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "parley", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "whoami"})
	if err != nil {
		t.Fatal(err)
	}
	return result.Content[0].(*mcp.TextContent).Text
}

func TestARealServerIsConnectedAndCalled(t *testing.T) {
	r := newRealWorld(t, nil)
	opened, done := make(chan parley.Request, 1), make(chan error, 1)
	go func() {
		_, err := r.Obtain(t.Context(), alice, vault.Need{Server: "board"}, &vault.ObtainOptions{Opened: func(q parley.Request) { opened <- q }})
		done <- err
	}()
	q := <-opened
	offer, err := r.Offer(t.Context(), alice, q.ID)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.TrimPrefix(r.provider.Issuer(), "http://"); offer.Provider != want || strings.Join(offer.Scopes, " ") != "read offline_access" {
		t.Errorf("the page shows %s and %v", offer.Provider, offer.Scopes)
	}
	answer := visit(t, r.begin(alice, q, offer.Slug))
	if answer.Get("iss") != r.provider.Issuer() {
		t.Errorf("iss is %q", answer.Get("iss"))
	}
	if _, err := r.Callback(t.Context(), alice, offer.Slug, answer); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatalf("the call that waited: %v", err)
	}
	if got := r.whoami(t); got != "alice" {
		t.Errorf("the server takes us for %q", got)
	}
	r.mu.Lock()
	first := r.tokens[0]
	r.mu.Unlock()
	if !slices.Contains(first.Scopes, "read") || slices.Contains(first.Scopes, "write") || !slices.Equal(first.Audience, []string{r.resource}) {
		t.Errorf("the token is good for %v at %v", first.Scopes, first.Audience)
	}
}

func TestARealServersTokensAreRefreshed(t *testing.T) {
	r := newRealWorld(t, nil)               // its tokens last five minutes
	r.opts.RefreshBefore = 10 * time.Minute // so that each use refreshes
	r.Vault = r.another()
	q := r.ask(alice, "board")
	if _, err := r.Callback(t.Context(), alice, boardSlug, visit(t, r.begin(alice, q, boardSlug))); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if got := r.whoami(t); got != "alice" {
			t.Errorf("the server takes us for %q", got)
		}
	}
	if n := r.provider.TokenRequests("refresh_token"); n < 3 {
		t.Errorf("%d refreshes", n)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range r.tokens {
		if !slices.Equal(one.Audience, []string{r.resource}) {
			t.Fatalf("a refreshed token is for %v", one.Audience)
		}
	}
}

// visit is the person's browser at the provider: it signs in as alice, allows,
// and stops before it comes back. It returns the query of the callback.
func visit(t *testing.T, to string) url.Values {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	var back *url.URL
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(r.URL.Path, "/oauth/callback/") {
			back = r.URL
			return http.ErrUseLastResponse
		}
		return nil
	}}
	answer, err := client.Get(to)
	for _, button := range []string{"user=alice", "step=allow"} {
		if err != nil {
			t.Fatal(err)
		}
		action, fields := form(t, answer, button)
		r, reqErr := http.NewRequestWithContext(t.Context(), http.MethodPost, action, strings.NewReader(fields.Encode()))
		if reqErr != nil {
			t.Fatal(reqErr)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		answer, err = client.Do(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if back == nil {
		t.Fatalf("the browser stayed at %s with status %d", answer.Request.URL, answer.StatusCode)
	}
	return back.Query()
}

// form returns where the form with that button goes, and what it sends.
func form(t *testing.T, page *http.Response, button string) (string, url.Values) {
	t.Helper()
	defer page.Body.Close()
	root, err := html.Parse(page.Body)
	if err != nil {
		t.Fatal(err)
	}
	attributes := func(n *html.Node) map[string]string {
		all := map[string]string{}
		for _, a := range n.Attr {
			all[a.Key] = a.Val
		}
		return all
	}
	for n := range root.Descendants() {
		if n.Data != "form" {
			continue
		}
		fields, pressed := url.Values{}, false
		for in := range n.Descendants() {
			a := attributes(in)
			switch {
			case in.Data == "button" && a["name"]+"="+a["value"] == button:
				pressed = true
				fields.Set(a["name"], a["value"])
			case in.Data == "input" && a["type"] == "hidden":
				fields.Add(a["name"], a["value"])
			}
		}
		if pressed {
			action, err := page.Request.URL.Parse(attributes(n)["action"])
			if err != nil {
				t.Fatal(err)
			}
			return action.String(), fields
		}
	}
	t.Fatalf("no button %s at %s (status %d)", button, page.Request.URL, page.StatusCode)
	return "", nil
}
