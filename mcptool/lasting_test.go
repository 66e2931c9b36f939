package mcptool_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

const listen = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{` +
	`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`

// sends sends a request and returns the answer when it is complete.
func sends(t *testing.T, h http.Handler, method, body string, headers map[string]string) *http.Response {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "http://parley.example/mcp", strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer alice")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

// streams are the requests for streams without an end, of both eras.
func streams(t *testing.T, h http.Handler) map[string]func() *http.Response {
	t.Helper()
	began := sends(t, h, http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`, nil)
	session := began.Header.Get("Mcp-Session-Id")
	if session == "" {
		body, _ := io.ReadAll(began.Body)
		t.Fatalf("%s %s", began.Status, body)
	}
	headers := map[string]string{"Mcp-Session-Id": session, "Mcp-Protocol-Version": legacy}
	sends(t, h, http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, headers)
	return map[string]func() *http.Response{
		"the stream of a session": func() *http.Response { return sends(t, h, http.MethodGet, "", headers) },
		"subscriptions": func() *http.Response {
			return sends(t, h, http.MethodPost, listen, map[string]string{"Mcp-Protocol-Version": modern, "Mcp-Method": "subscriptions/listen"})
		},
	}
}

func lastingSite(t testing.TB, opts *mcphttp.Options) (http.Handler, io.Closer) {
	store := parley.NewMemoryStore()
	asker := newAsker(t, parley.New(store, &parley.Options{Logger: quiet}), &mcptool.Options{Logger: quiet})
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Logger: quiet, Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}}})
	h := mcphttp.New(asker, server, opts)
	return h, h
}

// TestAStreamEndsWithItsToken opens each kind of stream with a token that is good
// for an hour, and comes back when it has ended.
func TestAStreamEndsWithItsToken(t *testing.T) {
	for _, name := range []string{"the stream of a session", "subscriptions"} {
		synctest.Test(t, func(t *testing.T) {
			until := time.Now().Add(time.Hour)
			h, closer := lastingSite(t, &mcphttp.Options{SessionTimeout: -1, KeepAlive: -1})
			defer closer.Close()
			guarded := auth.RequireBearerToken(func(context.Context, string, *http.Request) (*auth.TokenInfo, error) {
				return &auth.TokenInfo{UserID: "alice", Expiration: until}, nil
			}, nil)(h)
			open := streams(t, guarded)[name]
			if answer := open(); answer.StatusCode != http.StatusOK {
				t.Errorf("%s: %s", name, answer.Status)
			}
			if over := time.Since(until); over != 0 {
				t.Errorf("%s: it ended %v after its token", name, over)
			}
			time.Sleep(time.Second)
			if answer := open(); answer.StatusCode != http.StatusUnauthorized {
				t.Errorf("%s: %s", name, answer.Status)
			}
		})
	}
}

func TestAStreamEndsWhenItsPersonIsNoLongerLetIn(t *testing.T) {
	for _, name := range []string{"the stream of a session", "subscriptions"} {
		synctest.Test(t, func(t *testing.T) {
			until := time.Now().Add(time.Hour)
			h, closer := lastingSite(t, &mcphttp.Options{SessionTimeout: -1, KeepAlive: -1, Recheck: func(*http.Request) error {
				if time.Now().Before(until) {
					return nil
				}
				return errors.New("signed out")
			}})
			defer closer.Close()
			streams(t, h)[name]()
			if over := time.Since(until); over < 0 || over > time.Minute {
				t.Errorf("%s: it ended %v after its person had left", name, over)
			}
		})
	}
}
