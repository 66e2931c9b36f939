package agentmcp_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/internal/agentmcp"
)

// A client listens with a token that is good for an hour, or with the cookie of a
// person who signs out after one.
func TestTheStreamOfASessionEndsWithTheSignIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		until := time.Now().Add(time.Hour)
		store := parley.NewMemoryStore()
		hub := parley.New(store, &parley.Options{Logger: quiet})
		rt, err := agent.New(hub, store, nil, &agent.Options{Agents: []*agent.Agent{{Name: "assistant", Model: script{}}}, Logger: quiet})
		if err != nil {
			t.Fatal(err)
		}
		agents, err := agentmcp.New(rt, hub, &agentmcp.Options{Logger: quiet, Principal: func(r *http.Request) (parley.Principal, error) {
			if !time.Now().Before(until) {
				return parley.Principal{}, chat.ErrUnauthenticated
			}
			return principal(r)
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer agents.Close()
		mux := http.NewServeMux()
		mux.Handle(agentmcp.Path, agents)
		send := func(method, session, body string) *http.Response {
			r := httptest.NewRequestWithContext(t.Context(), method, "http://parley.example/mcp/agents/assistant", strings.NewReader(body))
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
		if answer := send(http.MethodGet, session, ""); answer.StatusCode != http.StatusOK {
			t.Error(answer.Status)
		}
		if over := time.Since(until); over < 0 || over > time.Minute {
			t.Errorf("it ended %v after the sign-in", over)
		}
		if answer := send(http.MethodGet, session, ""); answer.StatusCode != http.StatusUnauthorized {
			t.Error(answer.Status)
		}
	})
}
