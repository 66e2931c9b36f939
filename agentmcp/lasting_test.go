package agentmcp_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agentmcp"
	"github.com/parley-hq/parley/chat"
)

var (
	quiet = slog.New(slog.NewTextHandler(io.Discard, nil))
	alice = parley.Principal{Tenant: "default", User: "alice", Method: "test"}
)

// silent is the model of an agent that nobody talks to.
type silent struct{}

func (silent) Generate(context.Context, agent.Prompt, func(string)) (agent.Reply, error) {
	return agent.Reply{}, errors.New("nobody was to talk to it")
}

// listens is a client with the stream of a session, until somebody ends it: how
// long that took, and what it is told when it comes again.
func listens(t *testing.T, who func(*http.Request) (parley.Principal, error)) (lasted time.Duration, then int) {
	t.Helper()
	store := parley.NewMemoryStore()
	hub := parley.New(store, &parley.Options{Logger: quiet})
	rt, err := agent.New(hub, store, nil, &agent.Options{Agents: []*agent.Agent{{Name: "assistant", Model: silent{}}}, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	agents, err := agentmcp.New(rt, hub, &agentmcp.Options{Logger: quiet, Principal: who})
	if err != nil {
		t.Fatal(err)
	}
	defer agents.Close()
	mux := http.NewServeMux()
	mux.Handle(agentmcp.Path, agents)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Hour)
	defer cancel()
	send := func(method, session, body string) *http.Response {
		r := httptest.NewRequestWithContext(ctx, method, "http://parley.example/mcp/agents/assistant", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer alice")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Mcp-Session-Id", session)
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		return w.Result()
	}
	session := send(http.MethodPost, "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`).Header.Get("Mcp-Session-Id")
	send(http.MethodPost, session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	begun := time.Now()
	if answer := send(http.MethodGet, session, ""); answer.StatusCode != http.StatusOK {
		t.Error(answer.Status)
	}
	return time.Since(begun), send(http.MethodGet, session, "").StatusCode
}

// A client listens with a token that is good for an hour, or with the cookie of a
// browser in which somebody else signs in after one. A host need not name tenants.
func TestTheStreamOfASessionEndsWithTheSignIn(t *testing.T) {
	for name, test := range map[string]struct {
		who, after parley.Principal // after the hour: nobody, if it has no user
		then       int
	}{
		"signed out":                 {who: alice, then: http.StatusUnauthorized},
		"signed out, without tenant": {who: parley.Principal{User: "alice"}, then: http.StatusUnauthorized},
		"another person":             {who: alice, after: parley.Principal{Tenant: alice.Tenant, User: "bob"}, then: http.StatusForbidden},
		"another tenant":             {who: alice, after: parley.Principal{Tenant: "acme", User: alice.User}, then: http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				until := time.Now().Add(time.Hour)
				lasted, then := listens(t, func(*http.Request) (parley.Principal, error) {
					switch {
					case time.Now().Before(until):
						return test.who, nil
					case test.after.User == "":
						return parley.Principal{}, chat.ErrUnauthenticated
					}
					return test.after, nil
				})
				if lasted < time.Hour || lasted > time.Hour+time.Minute {
					t.Errorf("it was open for %v", lasted)
				}
				if then != test.then {
					t.Errorf("then: %d", then)
				}
			})
		})
	}
}
