package gateway_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
)

// restless is a server that lists other tools each time, and says all the time that its
// lists have changed. It counts how often it was asked for them, until now and until it
// last said so.
func restless(t *testing.T, lists, told *atomic.Int64, still <-chan struct{}) string {
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "text/event-stream")
			for r.Context().Err() == nil {
				told.Store(lists.Load())
				fmt.Fprint(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n")
				_ = http.NewResponseController(w).Flush()
				select {
				case <-still:
					<-r.Context().Done()
				case <-time.After(time.Millisecond):
				}
			}
			return
		}
		listsOne(w, r, func() string { return fmt.Sprintf("t%d", lists.Add(1)) })
	}))
}

func TestAFloodOfChangesIsReadOnceASecondAndLoggedOnce(t *testing.T) {
	var lists, told atomic.Int64
	still := make(chan struct{})
	log := &book{}
	h := newHouse(t, catalogue{{Name: "s", URL: restless(t, &lists, &told, still)}}, func(o *gateway.Options) {
		o.ListTTL, o.Logger = time.Hour, slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	})
	// These hear nothing but what answers them.
	var clients []*mcp.ClientSession
	for range 5 {
		client := mcp.NewClient(&mcp.Implementation{Name: "deaf", Version: "1"}, nil)
		v, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: h.url, HTTPClient: &http.Client{Transport: bearer{"token-of-alice"}}, DisableStandaloneSSE: true,
		}, &mcp.ClientSessionOptions{ProtocolVersion: legacy})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = v.Close() })
		clients = append(clients, v)
	}
	began, before := time.Now(), lists.Load()
	time.Sleep(3500 * time.Millisecond) // the server is a real one
	eventually(t, "a change is not read", func() bool { return lists.Load()-before >= 2 })
	// Once for those who use the lists, once for a session of their own: without a bound
	// there are hundreds a second.
	took := time.Since(began)
	if n, most := lists.Load()-before, 4*int64(took/time.Second+1); n > most {
		t.Errorf("the server listed its tools %d times in %v", n, took)
	}
	if n := log.count("list_changed"); n > 1+int(took/time.Minute) {
		t.Errorf("%d lines in the log:\n%s", n, log.text.String()[:min(log.text.Len(), 2000)])
	}
	// The last change is seen, though nothing more is said: what is shown was listed after it.
	close(still)
	shown := func() (n int64) {
		all, err := clients[0].ListTools(t.Context(), nil)
		if err != nil || len(all.Tools) != 1 {
			t.Fatalf("lists %v, %v", all, err)
		}
		if _, err := fmt.Sscanf(all.Tools[0].Name, "s__t%d", &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	eventually(t, "the last list is not shown", func() bool { return shown() > told.Load() })
}

// What a server says besides takes no change's place, and there are three kinds of lists.
func TestAChangeIsHeardWhateverElseIsSaid(t *testing.T) {
	if got := gateway.HeardOf(10000, "tools", "prompts", "tools", "x", "tools/y"); !slices.Equal(got, []string{"prompts", "tools"}) {
		t.Errorf("changed: %q", got)
	}
}
