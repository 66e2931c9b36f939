package gateway_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/internal/crew"
	"github.com/parley-hq/parley/permit"
)

// fragile is a shop whose connection breaks under each call that mentions break.
func fragile(t *testing.T, era string) (*shop, string, *atomic.Int64) {
	s := newShop(t, era)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.Server }, &mcp.StreamableHTTPOptions{Stateless: era == modern})
	var broken atomic.Int64
	return s, serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if strings.Contains(string(body), `"break"`) {
			broken.Add(1)
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(w, r)
	})), &broken
}

func TestABrokenCallTakesTheServerFromNobody(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		t.Run(era, func(t *testing.T) {
			s, url, broken := fragile(t, era)
			h := newHouse(t, catalogue{{Name: "shop", URL: url, Approve: permit.Never}}, nil)
			alice, bob := visit(t, h.url, "alice", legacy, nil), visit(t, h.url, "bob", modern, agreeing)
			toolNames(t, bob)
			for n := range 5 {
				if text, err := alice.call(t, "shop__buy", map[string]any{"text": "break"}); err == nil && text == "" {
					t.Fatalf("the call went through: %q", text)
				}
				if text, err := bob.call(t, "shop__echo", map[string]any{"text": "still here"}); err != nil || text != "still here" {
					t.Errorf("round %d: bob's call: %q, %v", n, text, err)
				}
				if names := toolNames(t, bob); !has(names, "shop__") {
					t.Errorf("round %d: the tools are gone", n)
				}
				if st := h.Status(t.Context(), parley.DefaultTenant, "shop", ""); st.State != gateway.Up || st.Error != "" {
					t.Errorf("round %d: %+v", n, st)
				}
			}
			if n := broken.Load(); n != 5 {
				t.Errorf("the broken calls reached the server %d times, not 5", n)
			}
			if n := s.done.Load(); n != 5 {
				t.Errorf("the other calls reached the server %d times, not 5", n)
			}
		})
	}
}

func TestAServerThatIsBackIsCalledAtOnce(t *testing.T) {
	s := &shop{Server: mcp.NewServer(&mcp.Implementation{Name: "flaky", Version: "1"}, nil), life: crew.Begin(t.Context())}
	s.addTools()
	listener := lasting(t)
	address := listener.Addr().String()
	listener.Close()
	h := newHouse(t, catalogue{{Name: "flaky", URL: "http://" + address, Approve: permit.Never}}, nil)
	v := visit(t, h.url, "alice", modern, agreeing)
	down := func() bool { return h.Status(t.Context(), parley.DefaultTenant, "flaky", "").State == gateway.Down }
	for n, what := range []string{"a server that was never up", "a server that was up", "a server that was up before"} {
		if text, err := v.call(t, "flaky__echo", map[string]any{"text": "?"}); err != nil || !strings.HasPrefix(text, "ERROR flaky ") {
			t.Fatalf("%s: %q, %v", what, text, err)
		}
		eventually(t, what+" is down", down)
		var err error
		if listener, err = net.Listen("tcp", address); err != nil {
			t.Fatal(err)
		}
		stop := listening(s, listener)
		if text, err := v.call(t, "flaky__echo", map[string]any{"text": "back"}); err != nil || text != "back" {
			t.Errorf("%s is back: %q, %v", what, text, err)
		}
		eventually(t, what+" is listed", func() bool { return has(toolNames(t, v), "flaky__") })
		if got := s.done.Load(); got != int64(n+1) {
			t.Errorf("%s was called %d times", what, got)
		}
		stop()
	}
}

// A server may fail to list what it can do and do it all the same.
func TestAServerThatOnlyFailsToListIsCalled(t *testing.T) {
	s := newShop(t, modern)
	var failing atomic.Bool
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.Server }, &mcp.StreamableHTTPOptions{Stateless: true})
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if failing.Load() && r.Header.Get("Mcp-Method") == "tools/list" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	h := newHouse(t, catalogue{{Name: "shop", URL: url, Approve: permit.Never}}, func(o *gateway.Options) { o.ListTTL = 1 })
	for _, era := range []string{legacy, modern} {
		failing.Store(false)
		v := visit(t, h.url, "alice", era, agreeing)
		eventually(t, "the tools are listed", func() bool { return has(toolNames(t, v), "shop__") })
		failing.Store(true)
		eventually(t, "the list fails", func() bool {
			return h.Status(t.Context(), parley.DefaultTenant, "shop", "").State == gateway.Down
		})
		if text, err := v.call(t, "shop__echo", map[string]any{"text": "here"}); err != nil || text != "here" {
			t.Errorf("client %s: %q, %v", era, text, err)
		}
		if got, err := v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "shop://menu"}); err != nil || len(got.Contents) != 1 {
			t.Errorf("client %s: a resource: %+v, %v", era, got, err)
		}
	}
}

// Each of many broken calls is a reason to look whether the server is there, and
// all together are one.
func TestBrokenCallsHaveTheListReadNowAndThen(t *testing.T) {
	var lists, broken atomic.Int64
	s := newShop(t, modern)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.Server }, &mcp.StreamableHTTPOptions{Stateless: true})
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Header.Get("Mcp-Method") {
		case "tools/list":
			lists.Add(1)
		case "tools/call":
			broken.Add(1)
			panic(http.ErrAbortHandler)
		}
		handler.ServeHTTP(w, r)
	}))
	h := newHouse(t, catalogue{{Name: "shop", URL: url, Approve: permit.Never}}, nil)
	toolNames(t, visit(t, h.url, "alice", legacy, nil))
	before := lists.Load()
	for range 50 {
		w := httptest.NewRecorder()
		r := anonymous(context.Background(), "shop__buy")
		r.Header.Set("Authorization", "Bearer token-of-alice")
		h.ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), "shop") {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if n := broken.Load(); n != 50 {
		t.Errorf("%d calls reached the server, not 50", n)
	}
	if n := lists.Load() - before; n > 25 {
		t.Errorf("the tools were listed %d times for 50 broken calls", n)
	}
	eventually(t, "the list is read again", func() bool { return lists.Load() > before })
}
