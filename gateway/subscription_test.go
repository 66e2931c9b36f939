package gateway_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// diary is a server whose resources change, and which knows who wants to hear of
// it.
type diary struct {
	*mcp.Server
	url string

	mu  sync.Mutex
	log []string
}

func newDiary(t *testing.T, era string) *diary {
	d := &diary{}
	note := func(what, uri string) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.log = append(d.log, what+" "+uri)
	}
	d.Server = mcp.NewServer(&mcp.Implementation{Name: "diary", Version: "1"}, &mcp.ServerOptions{
		SubscribeHandler: func(_ context.Context, r *mcp.SubscribeRequest) error { note("subscribe", r.Params.URI); return nil },
		UnsubscribeHandler: func(_ context.Context, r *mcp.UnsubscribeRequest) error {
			note("unsubscribe", r.Params.URI)
			return nil
		},
	})
	d.AddResource(&mcp.Resource{Name: "today", URI: "diary:today"}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: "rain"}}}, nil
	})
	d.url = serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return d.Server }, &mcp.StreamableHTTPOptions{Stateless: era == modern}))
	t.Cleanup(func() {
		for session := range d.Sessions() {
			_ = session.Close()
		}
	})
	return d
}

func (d *diary) heard() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.log...)
}

// reader is a client that hears of changed resources.
func reader(t *testing.T, url, user, era string) (*mcp.ClientSession, <-chan string) {
	t.Helper()
	heard := make(chan string, 100)
	client := mcp.NewClient(&mcp.Implementation{Name: "reader", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { heard <- r.Params.URI },
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer{"token-of-" + user}}}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session, heard
}

func TestAClientHearsOfTheResourcesItSubscribedTo(t *testing.T) {
	for _, server := range []string{legacy, modern} {
		for _, era := range []string{legacy, modern} {
			t.Run(fmt.Sprintf("client %s, server %s", era, server), func(t *testing.T) {
				other, d := newDiary(t, legacy), newDiary(t, server)
				h := newHouse(t, catalogue{{Name: "other", URL: other.url}, {Name: "diary", URL: d.url}}, nil)
				v, heard := reader(t, h.url, "alice", era)
				_, bobs := reader(t, h.url, "bob", era)
				const uri = "diary+diary:today" // other has one of that name
				if err := v.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
					t.Fatal(err)
				}
				eventually(t, "nobody subscribed", func() bool { return len(d.heard()) > 0 })
				// A server of 2026-07-28 may still be about to note it.
				for told := ""; told == ""; {
					if err := d.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "diary:today"}); err != nil {
						t.Fatal(err)
					}
					select {
					case told = <-heard:
						if told != uri {
							t.Errorf("heard of %s; want %s", told, uri)
						}
					case <-time.After(100 * time.Millisecond):
					}
				}
				if err := v.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
					t.Fatal(err)
				}
				want := []string{"subscribe diary:today", "unsubscribe diary:today"}
				eventually(t, "nobody unsubscribed", func() bool { return len(d.heard()) == len(want) })
				if diff := cmp.Diff(want, d.heard()); diff != "" {
					t.Errorf("the server heard (-want +got)\n%s", diff)
				}
				if len(bobs) > 0 || len(other.heard()) > 0 {
					t.Errorf("somebody else hears of %d changes, another server of %q", len(bobs), other.heard())
				}
			})
		}
	}
}

func TestASubscriptionEndsWithItsSession(t *testing.T) {
	d := newDiary(t, legacy)
	h := newHouse(t, catalogue{{Name: "diary", URL: d.url}}, nil)
	v, _ := reader(t, h.url, "alice", legacy)
	for range 2 { // the second time changes nothing
		if err := v.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "diary:today"}); err != nil {
			t.Fatal(err)
		}
	}
	_ = v.Close()
	want := []string{"subscribe diary:today", "unsubscribe diary:today"}
	eventually(t, "the subscription outlives its session", func() bool { return cmp.Equal(want, d.heard()) })
}

func TestAClientHearsOfAResourceAfterItsServerHasComeBack(t *testing.T) {
	d := newDiary(t, legacy)
	h := newHouse(t, catalogue{{Name: "diary", URL: d.url}}, nil)
	v, heard := reader(t, h.url, "alice", legacy)
	if err := v.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "diary:today"}); err != nil {
		t.Fatal(err)
	}
	for session := range d.Sessions() {
		_ = session.Close() // it forgets whom it knew
	}
	if got := next(t, heard, 1)[0]; got != "diary:today" { // it may have changed meanwhile
		t.Errorf("heard of %s", got)
	}
	if got := d.heard(); len(got) < 2 || got[len(got)-1] != "subscribe diary:today" {
		t.Errorf("the server heard %q", got)
	}
}

func TestWhatNoServerTellsOfIsNotSubscribed(t *testing.T) {
	s := newShop(t, legacy) // it has no subscriptions
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url}}, nil)
	v, _ := reader(t, h.url, "alice", legacy)
	if err := v.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "shop://menu"}); codeOf(err) != jsonrpc.CodeMethodNotFound {
		t.Errorf("got %v; want %d", err, jsonrpc.CodeMethodNotFound)
	}
	h = newHouse(t, catalogue{{Name: "shop", URL: s.url}, {Name: "diary", URL: newDiary(t, modern).url}}, nil)
	v, _ = reader(t, h.url, "alice", legacy)
	if err := v.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "nobody:knows"}); codeOf(err) != jsonrpc.CodeInvalidParams {
		t.Errorf("got %v; want %d", err, jsonrpc.CodeInvalidParams)
	}
}

func TestANameThatIsTooLongIsNotSubscribedTo(t *testing.T) {
	var asked atomic.Int64
	url := scriptedBy(t, func(m wireMessage) string {
		switch m.Method {
		case "initialize":
			return `{"protocolVersion":"2025-06-18","capabilities":{"resources":{"subscribe":true}},"serverInfo":{"name":"diary","version":"1"}}`
		case "resources/templates/list":
			return `{"resourceTemplates":[{"uriTemplate":"day://{day}","name":"day"}]}`
		case "resources/list":
			return `{"resources":[]}`
		case "resources/subscribe":
			asked.Add(1)
			return `{}`
		}
		return ""
	})
	h := newHouse(t, catalogue{{Name: "diary", URL: url}}, nil)
	awaitUp(t, h, "diary")
	c, _ := reader(t, h.url, "alice", legacy)
	const bound = 8 << 10
	if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "day://" + strings.Repeat("d", bound)}); err == nil || !strings.Contains(err.Error(), "uri: it has 8 KiB at most") {
		t.Error(err)
	}
	if asked.Load() != 0 {
		t.Errorf("%s: the server was asked", legacy)
	}
	if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "day://" + strings.Repeat("d", bound-6)}); err != nil || asked.Load() != 1 {
		t.Errorf("%v, asked %d times", err, asked.Load())
	}
}
