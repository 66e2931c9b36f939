package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley/gateway"
)

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
			mu.Lock()
			lists++
			n := lists
			mu.Unlock()
			name := "new"
			if n == 1 {
				name = "old"
				events <- `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
				<-told
			}
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":%q,"inputSchema":{"type":"object"}}]}}`, m.ID, name)
		default:
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
		}
	}))
	h := newHouse(t, catalogue{{Name: "s", URL: url}}, func(o *gateway.Options) { o.Fresh = time.Hour })
	v := visit(t, h.url, "alice", legacy, nil)
	eventually(t, "the change was not noticed", func() bool { return slices.Contains(toolNames(t, v), "s__new") })
}
