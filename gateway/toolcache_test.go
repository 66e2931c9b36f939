package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/internal/crew"
	"github.com/parley-hq/parley/permit"
)

// eventually waits for something that happens in its own time.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 2400 {
		if is() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("it never happened: ", what)
}

func toolNames(t *testing.T, v *visitor) []string {
	t.Helper()
	list, err := v.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

func has(names []string, prefix string) bool {
	for _, name := range names {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// lasting listens on a port that no system gives to those who do not ask for one,
// so that nobody takes it while it is given up.
func lasting(t *testing.T) net.Listener {
	t.Helper()
	for range 1000 {
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20000+rand.IntN(12000))); err == nil {
			return l
		}
	}
	t.Fatal("no port is free")
	return nil
}

// listening serves a shop at an address that can be given up and taken again.
func listening(s *shop, listener net.Listener) (stop func()) {
	web := &http.Server{Handler: mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.Server }, nil)}
	done := make(chan struct{})
	go func() { defer close(done); _ = web.Serve(listener) }()
	return func() {
		for session := range s.Sessions() {
			_ = session.Close()
		}
		_ = web.Close()
		<-done
	}
}

func TestTheToolsOfAServerThatIsDownVanishAndReturn(t *testing.T) {
	flaky := &shop{Server: mcp.NewServer(&mcp.Implementation{Name: "flaky", Version: "1"}, nil), life: crew.Begin(t.Context())}
	flaky.addTools()
	listener := lasting(t)
	address, stop := listener.Addr().String(), listening(flaky, listener)
	steady := newShop(t, modern)
	h := newHouse(t, catalogue{
		{Name: "flaky", URL: "http://" + address, Approve: permit.Never}, {Name: "steady", URL: steady.url, Approve: permit.Never},
	}, nil)
	changed := make(chan struct{}, 100)
	client := mcp.NewClient(&mcp.Implementation{Name: "visitor", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: h.url, HTTPClient: &http.Client{Transport: bearer{"token-of-alice"}}}, &mcp.ClientSessionOptions{ProtocolVersion: legacy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	v := &visitor{ClientSession: session}

	if names := toolNames(t, v); !has(names, "flaky__") || !has(names, "steady__") {
		t.Fatalf("at first: %q", names)
	}
	stop()
	if got, err := v.call(t, "flaky__echo", map[string]any{"text": "?"}); err != nil || !strings.Contains(got, "flaky cannot be reached") {
		t.Errorf("a call to a server that is down: %q, %v", got, err)
	}
	eventually(t, "the tools vanish", func() bool { return !has(toolNames(t, v), "flaky__") })
	if st := h.Status(t.Context(), parley.DefaultTenant, "flaky", ""); st.State != gateway.Down || st.Error == "" {
		t.Errorf("%+v", st)
	}
	if names := toolNames(t, v); !has(names, "steady__") {
		t.Errorf("the other server's tools are gone as well: %q", names)
	}
	if got, err := v.call(t, "steady__echo", map[string]any{"text": "still here"}); err != nil || got != "still here" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := v.call(t, "flaky__echo", nil); err != nil || !strings.Contains(got, "cannot be reached") {
		t.Errorf("while it is down: %q, %v", got, err)
	}
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Fatal(err)
	}
	defer listening(flaky, listener)()
	eventually(t, "the tools return", func() bool { return has(toolNames(t, v), "flaky__") })
	if got, err := v.call(t, "flaky__echo", map[string]any{"text": "back"}); err != nil || got != "back" {
		t.Errorf("%q, %v", got, err)
	}
	if st := h.Status(t.Context(), parley.DefaultTenant, "flaky", ""); st.State != gateway.Up || st.Tools != 7 {
		t.Errorf("%+v", st)
	}
	<-changed // the client was told
}

func TestAListIsMadeAnewWhenItsServerSaysSo(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		t.Run(era, func(t *testing.T) {
			s := newShop(t, era)
			h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
			v := visit(t, h.url, "alice", modern, agreeing)
			if has(toolNames(t, v), "shop__late") {
				t.Fatal("it is there already")
			}
			mcp.AddTool(s.Server, &mcp.Tool{Name: "late"}, func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
				return said("here"), nil, nil
			})
			eventually(t, "the new tool is listed", func() bool { return has(toolNames(t, v), "shop__late") })
			if got, err := v.call(t, "shop__late", nil); err != nil || got != "here" {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

func TestAServerThatIsDownIsTriedAfterOneTwoAndFourSeconds(t *testing.T) {
	for failures, want := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 4 * time.Second} {
		if got := gateway.Backoff(failures); got != want {
			t.Errorf("after %d failures: %v", failures, got)
		}
	}
}

func TestAServerThatIsDownAndHangsDelaysNoList(t *testing.T) {
	var hangs atomic.Bool
	var waiting, left atomic.Int64
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !hangs.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body) // who has not read it does not hear that the client left
		waiting.Add(1)
		<-r.Context().Done()
		left.Add(1)
	}))
	s := newShop(t, modern)
	h := newHouse(t, catalogue{{Name: "gone", URL: url}, {Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
	v := visit(t, h.url, "alice", legacy, nil)
	eventually(t, "the server is not down", func() bool {
		return h.Status(t.Context(), parley.DefaultTenant, "gone", "").State == gateway.Down
	})
	hangs.Store(true)
	eventually(t, "the server is not tried again", func() bool { return waiting.Load() > 0 })
	before := left.Load()
	if names := toolNames(t, v); len(names) == 0 {
		t.Error("the other server's tools are not listed")
	}
	if left.Load() != before {
		t.Error("the list waited until the server was given up")
	}
}

// A server of an older era that changes its tools while they are being listed.
func TestAListThatChangesWhileItIsReadIsReadAgain(t *testing.T) {
	var mu sync.Mutex
	lists, events := 0, make(chan string, 1)
	told := make(chan struct{})
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "text/event-stream")
			_ = http.NewResponseController(w).Flush()
			select {
			case e := <-events:
				fmt.Fprintf(w, "data: %s\n\n", e)
				_ = http.NewResponseController(w).Flush()
				time.Sleep(200 * time.Millisecond) // so that it is heard before the list is there; else nothing is shown
				close(told)
			case <-r.Context().Done():
				return
			}
			<-r.Context().Done()
			return
		}
		listsOne(w, r, func() string {
			mu.Lock()
			lists++
			n := lists
			mu.Unlock()
			if n > 1 {
				return "new"
			}
			events <- `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
			<-told
			return "old"
		})
	}))
	h := newHouse(t, catalogue{{Name: "s", URL: url}}, func(o *gateway.Options) { o.ListTTL = time.Hour })
	v := visit(t, h.url, "alice", legacy, nil)
	eventually(t, "the change was not noticed", func() bool { return slices.Contains(toolNames(t, v), "s__new") })
}

// listsOne answers what is posted to a server of 2025-11-25 that has one tool, by its name
// of now.
func listsOne(w http.ResponseWriter, r *http.Request, tool func() string) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.NewDecoder(r.Body).Decode(&m)
	w.Header().Set("Content-Type", "application/json")
	switch {
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "initialize":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"}}}`, m.ID)
	case m.Method == "tools/list":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":%q,"inputSchema":{"type":"object"}}]}}`, m.ID, tool())
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
	}
}
