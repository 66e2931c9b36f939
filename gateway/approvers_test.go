package gateway_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// Two calls that are the same wait for the same yes, which is for one of them. The
// other is asked about once more.
func TestOfTwoCallsThatAreTheSameEachNeedsItsOwnApproval(t *testing.T) {
	for range 5 {
		s := newCounter(t, legacy)
		h := newNode(t, parley.NewMemoryStore(), catalogue{{Name: "shop", URL: s.url}}, &permit.Options{
			Conditions: []permit.Condition{{Name: "four eyes", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob"}}}},
		}, nil)
		over := make(chan struct{})
		waits := func(*mcp.ElicitParams) *mcp.ElicitResult { // who looks on says nothing
			<-over
			return &mcp.ElicitResult{Action: "cancel"}
		}
		var calls sync.WaitGroup
		for range 2 {
			v := visit(t, h.url, "alice", legacy, waits)
			calls.Go(func() {
				if text, err := v.call(t, "shop__pay", payment()); err != nil || text != "paid" {
					t.Errorf("%q, %v", text, err)
				}
			})
		}
		go func() {
			calls.Wait()
			close(over)
		}()
		bob, said := parley.Principal{User: "bob"}, 0
		for done := false; !done; {
			select {
			case <-over:
				done = true
				continue
			default:
			}
			open, err := h.hub.List(t.Context(), bob, parley.Query{Pending: true})
			if err != nil {
				t.Fatal(err)
			}
			waiting := 0
			if said == 0 { // both wait before he says anything
				waiting = h.pending(t, "alice")
			}
			if len(open) == 0 || said == 0 && waiting < 2 {
				continue
			}
			if err := h.hub.Answer(t.Context(), bob, open[0].ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "page"}); err != nil {
				t.Fatal(err)
			}
			said++
		}
		if paid := s.payments(); said != 2 || len(paid) != 2 {
			t.Errorf("bob said yes %d times, %d payments", said, len(paid))
		}
	}
}
