package mcptool_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// showsApps is what clients declare that draw servers' user interfaces.
var showsApps = map[string]any{"mimeTypes": []string{"text/html;profile=mcp-app"}}

const askURI = "ui://parley/ask.html"

// appAsk is a question as an app reads it.
type appAsk struct {
	ElicitID, State, Outcome, Words, Nonce, Title, Message, Answer, Page, Problem string
	Schema                                                                        json.RawMessage
	FieldOrder                                                                    []string
	Approval                                                                      *struct {
		Tool, Server string
		Arguments    string
	}
	Expires, Now time.Time
	Violations   []struct{ Field, Message string }
	Next         *appAsk
}

// appSite is a site whose questions apps show, and what was refused there.
type appSite struct {
	*site
	mu      sync.Mutex
	refused []string
}

func newAppSite(t *testing.T, opts mcptool.Options) *appSite {
	return newAppSiteOn(t, parley.NewMemoryStore(), opts)
}

func newAppSiteOn(t *testing.T, store *parley.MemoryStore, opts mcptool.Options) *appSite {
	t.Helper()
	s := &appSite{}
	opts.Fallback = mcptool.App
	opts.Refused = func(reason string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.refused = append(s.refused, reason)
	}
	s.site = newSiteOn(t, store, opts)
	return s
}

// wantRefused checks what was refused since the last time.
func (s *appSite) wantRefused(t *testing.T, want ...string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Equal(s.refused, want) {
		t.Errorf("refused: %q, want %q", s.refused, want)
	}
	s.refused = nil
}

// host connects a client that shows apps and cannot ask.
func (s *appSite) host(t *testing.T, era, user string) *mcp.ClientSession {
	t.Helper()
	return s.connect(t, clientOptions{era: era, user: user, apps: showsApps})
}

func askOf(t *testing.T, r *mcp.CallToolResult) appAsk {
	t.Helper()
	raw, err := json.Marshal(r.Meta["parley/ask"])
	var a appAsk
	if err == nil {
		err = json.Unmarshal(raw, &a)
	}
	if err != nil || a.State == "" || r.StructuredContent != nil || a.Nonce != "" && strings.Contains(text(r), a.Nonce) {
		t.Fatalf("no question in %+v (%s): %v", r.Meta, text(r), err)
	}
	return a
}

func openApp(t *testing.T, c *mcp.ClientSession, id string) appAsk {
	t.Helper()
	return askOf(t, call(t, c, "parley_open", map[string]any{"elicitId": id}))
}

func answerApp(t *testing.T, c *mcp.ClientSession, id, nonce, action string, content any) appAsk {
	t.Helper()
	said := map[string]any{"elicitId": id, "nonce": nonce, "action": action}
	if content != nil {
		said["content"] = content
	}
	return askOf(t, call(t, c, "parley_answer", said))
}

// waitIn has a model wait, as it does while the person answers.
func waitIn(t *testing.T, c *mcp.ClientSession, id string) <-chan *mcp.CallToolResult {
	done := make(chan *mcp.CallToolResult, 1)
	go func() {
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "waitForElicitationResult", Arguments: map[string]any{"elicitId": id}})
		if err != nil {
			t.Error(err)
			r = &mcp.CallToolResult{}
		}
		done <- r
	}()
	return done
}

func sayYes(reason string) map[string]any { return map[string]any{"confirmed": true, "reason": reason} }

func toolNames(t *testing.T, c *mcp.ClientSession) (names []string) {
	t.Helper()
	for tool, err := range c.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	return names
}

// wantOpen checks that nobody has answered a question.
func (s *appSite) wantOpen(t *testing.T, id parley.ID) {
	t.Helper()
	if q, err := s.store.Get(t.Context(), id); err != nil || !q.Pending() {
		t.Errorf("question %s: %+v, %v; want it open", id, q.Outcome, err)
	}
}

// whose reads tokens such as alice@acme, a person of a tenant's, and key@acme, a
// program of its.
func whose(extra *mcp.RequestExtra) (parley.Principal, bool) {
	if extra == nil || extra.TokenInfo == nil {
		return parley.Principal{}, false
	}
	name, tenant, _ := strings.Cut(extra.TokenInfo.UserID, "@")
	if strings.HasPrefix(name, "key") {
		return parley.Principal{Tenant: tenant, Kind: parley.KindProgram, Key: name, Method: "api_key"}, true
	}
	return parley.Principal{Tenant: tenant, User: name, Method: "jwt"}, true
}
