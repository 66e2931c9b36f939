package mcpclient_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

// What an older server says on its own stream before anybody hears it is lost.
func TestAnOlderServerIsCalledOnceItsStreamIsOpen(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter){
		"it opens late": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
		},
		"it has none": func(w http.ResponseWriter) { w.WriteHeader(http.StatusMethodNotAllowed) },
	} {
		t.Run(name, func(t *testing.T) {
			var answered atomic.Bool
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					time.Sleep(50 * time.Millisecond)
					answered.Store(true)
					answer(w)
					if name == "it opens late" {
						<-r.Context().Done()
					}
					return
				}
				var m struct {
					ID     json.RawMessage
					Method string
				}
				_ = json.NewDecoder(r.Body).Decode(&m)
				w.Header().Set("Content-Type", "application/json")
				switch m.Method {
				case "initialize":
					w.Header().Set("Mcp-Session-Id", "s1")
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"late","version":"1"}}}`, m.ID)
				case "tools/call":
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%v"}]}}`, m.ID, answered.Load())
				case "notifications/initialized":
					w.WriteHeader(http.StatusAccepted)
				default:
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
				}
			}))
			t.Cleanup(web.Close)
			c := connect(t, mcpclient.Options{URL: web.URL})
			result, err := c.Do(t.Context(), "tools/call", json.RawMessage(`{"name":"x","arguments":{}}`))
			if err != nil || string(result) != `{"content":[{"type":"text","text":"true"}]}` {
				t.Errorf("called before the stream was answered: %s, %v", result, err)
			}
		})
	}
}

// A list that was read before the server would tell of changes may be an old one for as
// long as it is kept.
func TestAServerIsCalledOnceItTellsOfChangesOrItsListsAreReadAgain(t *testing.T) {
	for name, c := range map[string]struct {
		takes time.Duration
		told  string // what the owner hears
	}{
		"soon": {takes: 50 * time.Millisecond},
		"late": {takes: mcpclient.HearTime + 100*time.Millisecond, told: "notifications/tools/list_changed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tells atomic.Bool
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var m struct {
					ID     json.RawMessage
					Method string
				}
				_ = json.NewDecoder(r.Body).Decode(&m)
				switch m.Method {
				case "server/discover":
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}}}}`, m.ID)
				case "subscriptions/listen":
					time.Sleep(c.takes)
					tells.Store(true)
					w.Header().Set("Content-Type", "text/event-stream")
					w.(http.Flusher).Flush()
					<-r.Context().Done()
				default:
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%v"}]}}`, m.ID, tells.Load())
				}
			}))
			t.Cleanup(web.Close)
			heard := make(chan string, 10)
			conn := connect(t, mcpclient.Options{URL: web.URL, Notify: func(m mcpclient.Message) { heard <- m.Method }})
			result, err := conn.Do(t.Context(), "tools/call", json.RawMessage(`{"name":"x","arguments":{}}`))
			if want := fmt.Sprintf(`{"content":[{"type":"text","text":"%v"}]}`, c.told == ""); err != nil || string(result) != want {
				t.Errorf("%s, %v; want %s", result, err, want)
			}
			if c.told != "" {
				if got := <-heard; got != c.told {
					t.Errorf("heard %s", got)
				}
			}
			if len(heard) > 0 {
				t.Errorf("heard %s", <-heard)
			}
		})
	}
}
