package shipping_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/internal/demoprovider"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
	"github.com/parley-hq/parley/internal/testkit/servers"
)

const (
	trackerKey   = "the-key-of-the-tracker"
	setupKey     = "the-key-of-the-one-who-sets-up"
	releaseKey   = "the-key-of-the-release"
	metricsToken = "the-token-of-prometheus"
)

// world is who is there before Parley is: a database, people's sign-in, a model and the
// tracker, which wants a key.
type world struct {
	database, issuer, model, tracker string

	looking chan struct{} // somebody lists issues
	seen    chan struct{} // and may go on; closed: at once

	mu    sync.Mutex
	calls int // with the key
}

// newWorld makes one whose provider knows Parley at a public URL.
func newWorld(t *testing.T, public string) *world {
	t.Helper()
	w := &world{database: emptyDatabase(t), looking: make(chan struct{}, 100), seen: make(chan struct{})}

	var provider http.Handler
	people := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { provider.ServeHTTP(rw, r) }))
	t.Cleanup(people.Close)
	w.issuer = people.URL
	made, err := demoprovider.New(&demoprovider.Options{
		Issuer: w.issuer, Scopes: map[string]string{"email": "See your address"},
		Clients: []demoprovider.Client{{ID: "parley", Secret: "the-clients-secret", RedirectURIs: []string{public + "/login/callback"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	provider = made

	model := httptest.NewServer(fakemodel.New(trackerRule, &fakemodel.Options{Key: "the-key-of-the-model"}))
	t.Cleanup(model.Close)
	w.model = model.URL + "/v1"

	tracker := httptest.NewServer(w.serveTracker())
	t.Cleanup(tracker.Close)
	w.tracker = tracker.URL + "/mcp"
	return w
}

// trackerRule has a model look into the tracker and say what it says.
func trackerRule(r fakemodel.Request) fakemodel.Reply {
	if results := r.Last().Results; len(results) > 0 {
		return fakemodel.Reply{Text: "The tracker says: " + results[0].Text}
	}
	for _, tool := range r.Tools {
		if strings.HasSuffix(tool, "list_issues") {
			return fakemodel.Reply{Text: "I look. ", Calls: []fakemodel.Call{{Tool: tool, Args: "{}"}}}
		}
	}
	return fakemodel.Reply{Text: "I have no tracker."}
}

func (w *world) serveTracker() http.Handler {
	s := mcp.NewServer(&mcp.Implementation{Name: "tracker", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "list_issues", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			w.mu.Lock()
			w.calls++
			w.mu.Unlock()
			w.looking <- struct{}{}
			select {
			case <-w.seen:
			case <-ctx.Done():
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "two issues"}}}, nil, nil
		})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-API-Key") != trackerKey {
			http.Error(rw, "no key", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(rw, r)
	})
}

// secrets are the files of the configuration, for this world.
func (w *world) secrets() map[string]string {
	return map[string]string{
		"DATABASE_URL": w.database, "PARLEY_SECRET": "base64:" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("s"), 32)), "OIDC_SECRET": "the-clients-secret",
		"MODEL_KEY": "the-key-of-the-model", "SMTP_PASSWORD": "a-password", "METRICS_TOKEN": metricsToken,
	}
}

// variables are those of deploy/parley.env, for this world, whose secrets are in files.
func (w *world) variables(t *testing.T, public string) []string {
	t.Helper()
	dir := t.TempDir()
	for name, secret := range w.secrets() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(secret+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	digest := func(key string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(key))) }
	return []string{
		"PARLEY_URL=" + public, "PARLEY_PROXIES=127.0.0.1", "PARLEY_SECRETS=" + dir,
		"OIDC_ISSUER=" + w.issuer, "OIDC_KEYS=" + w.issuer + "/jwks",
		"MODEL_URL=" + w.model, "TRACKER_URL=" + w.tracker,
		"SMTP_HOST=smtp.acme.example",
		"SETUP_KEY_SHA256=" + digest(setupKey), "RELEASE_KEY_SHA256=" + digest(releaseKey),
	}
}

// emptyDatabase is the URL of one in a PostgreSQL of the test's own.
func emptyDatabase(t *testing.T) string {
	t.Helper()
	server := servers.OwnPostgres(t, nil).URL
	if out, err := exec.CommandContext(t.Context(), "createdb", "--maintenance-db="+server, "parley").CombinedOutput(); err != nil {
		t.Fatalf("createdb: %v\n%s", err, out)
	}
	base, query, _ := strings.Cut(server, "?")
	return strings.TrimSuffix(base[:strings.LastIndex(base, "/")]+"/parley?"+query, "?")
}

// fileOf is a file of deploy/.
func fileOf(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(deploy + name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
