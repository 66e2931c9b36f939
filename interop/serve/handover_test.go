package serve_test

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/interop/kit"
)

// A node that is told to stop says so at once to whoever asks whether it is ready, and
// serves as before until proxies know. Then its streams end, without the end of the turn;
// it signs off, and the other node goes on with its conversations.
func TestANodeThatStopsHandsOverToTheOther(t *testing.T) {
	program := withParley(t)
	shared(t, func(t *testing.T, store string) {
		addresses := kit.FreeAddresses(t, 2)
		s := newSite(t, program, store, addresses[1])
		s.more = "limits: {drain_time: 2s}\n"
		a, b := s.start(t, addresses[0]), s.start(t, addresses[1])
		s.signIn(t)
		stream := s.person.Say(t, a.Url, "tickets", "List the tickets in my tracker")
		q := stream.Question(t)
		told := time.Now()
		if err := a.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		kit.Eventually(t, "the node is not ready", func() bool {
			status, _, said, err := kit.HttpTry(t.Context(), http.MethodGet, a.Url+"/readyz", nil, "")
			if err != nil {
				t.Fatalf("the node was gone before it said that it is not ready: %v", err)
			}
			return status == http.StatusServiceUnavailable && strings.Contains(string(said), "being stopped")
		})
		if r := s.person.Reload(t, a.Url, "tickets"); !r.Active {
			t.Errorf("while proxies learn of it, it does not serve: %+v", r)
		}
		if over, kinds := stream.Rest(t); over {
			t.Errorf("the turn is told to be over: %s", kinds)
		}
		handed := time.Now()
		again := s.person.Resume(t, b.Url, "tickets")
		if shown := again.Question(t); shown.ID != q.ID {
			t.Errorf("the other node asks %s, the first one asked %s", shown.ID, q.ID)
		}
		t.Logf("from SIGTERM to the end of the stream %v, of which 2 s for proxies; from there to the question at the other node %v", handed.Sub(told), time.Since(handed))
		<-a.Ended
		t.Logf("from SIGTERM to the end of the process %v", time.Since(told))
		nodes, err := s.store.Scan(t.Context(), parley.Address{Kind: "mcp.node"}, "", 10)
		if err != nil || len(nodes) != 1 {
			t.Errorf("%d nodes are known, %v: the one that stopped has not signed off", len(nodes), err)
		}
		answered := s.connect(t, q)
		again.End(t)
		t.Logf("from the answer to the end of the turn at the other node %v", time.Since(answered))
		if diff := cmp.Diff(connected(), s.finished(t, b.Url, "tickets")); diff != "" {
			t.Errorf("the reloaded chat (-want +got):\n%s", diff)
		}
		s.tickets.called(t, map[string]int{"list_tickets": 1})
		s.asked(t, 1)
	})
}
