package mcpclient_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

func TestAStreamWhosePositionTheServerForgotIsOpenedFromItsStart(t *testing.T) {
	var gets atomic.Int64
	again := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			switch n := gets.Add(1); {
			case n == 1:
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, "retry: 1\nid: 7\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n")
			case r.Header.Get("Last-Event-Id") != "":
				w.WriteHeader(http.StatusBadRequest) // it was started anew, and knows no such event
			default:
				if n == 3 {
					close(again)
				}
				w.Header().Set("Content-Type", "text/event-stream")
				w.WriteHeader(http.StatusOK)
				_ = http.NewResponseController(w).Flush()
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
		switch {
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		case m.Method == "initialize":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`, m.ID)
		default:
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
		}
	}))
	defer web.Close()
	c, err := mcpclient.Connect(t.Context(), &mcpclient.Options{URL: web.URL, Client: web.Client()})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	<-again
}
