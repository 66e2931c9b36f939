package gateway_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
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

// Its name is all that it takes to speak in a session of nobody.
func TestApproversDoNotLearnASessionsName(t *testing.T) {
	s := newCounter(t, legacy)
	h := newNode(t, parley.NewMemoryStore(), catalogue{{Name: "shop", URL: s.url}}, &permit.Options{
		Conditions: []permit.Condition{{Name: "four eyes", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob"}}}},
	}, func(o *gateway.Options) { o.Verify, o.Anonymous = nil, true })
	over := make(chan struct{})
	v := visit(t, h.url, "", legacy, func(*mcp.ElicitParams) *mcp.ElicitResult {
		<-over
		return &mcp.ElicitResult{Action: "cancel"}
	})
	go func() { _, _ = v.call(t, "shop__pay", payment()) }()
	var asked []parley.Request
	eventually(t, "bob is not asked", func() bool {
		asked, _ = h.hub.List(t.Context(), parley.Principal{User: "bob"}, parley.Query{Pending: true})
		return len(asked) == 1
	})
	defer close(over)
	told, err := json.Marshal(asked[0])
	if err != nil || v.ID() == "" || !strings.Contains(asked[0].Message, "Asked by: somebody who is not signed in (mcp-session:") {
		t.Fatalf("%s, session %q, %v", told, v.ID(), err)
	}
	if strings.Contains(string(told), v.ID()) {
		t.Errorf("%s has the name of session %s", told, v.ID())
	}
}

// However the question is ended by which a call waits, the call is not made.
func TestACallWhoseWaitingQuestionIsWithdrawnIsNotMade(t *testing.T) {
	for i := range 10 {
		s := newCounter(t, legacy)
		h := newNode(t, parley.NewMemoryStore(), catalogue{{Name: "shop", URL: s.url}}, &permit.Options{
			Conditions: []permit.Condition{{Name: "four eyes", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob"}}}},
		}, nil)
		over := make(chan struct{})
		v := visit(t, h.url, "alice", legacy, func(*mcp.ElicitParams) *mcp.ElicitResult {
			<-over
			return &mcp.ElicitResult{Action: "cancel"}
		})
		said := make(chan error, 1)
		go func() {
			_, err := v.call(t, "shop__pay", payment())
			said <- err
		}()
		bob := parley.Principal{User: "bob"}
		var asked, waiting []parley.Request
		eventually(t, "the call does not wait", func() bool {
			asked, _ = h.hub.List(t.Context(), bob, parley.Query{Pending: true})
			waiting, _ = h.hub.List(t.Context(), alice, parley.Query{Pending: true})
			return len(asked) == 1 && len(waiting) == 1
		})
		var both sync.WaitGroup
		var withdrawn error
		begin := make(chan struct{})
		both.Go(func() { <-begin; withdrawn = h.hub.Cancel(t.Context(), waiting[0].ID, "by an administrator") })
		if i > 0 { // at the same moment
			both.Go(func() {
				<-begin
				_ = h.hub.Answer(t.Context(), bob, asked[0].ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "page"})
			})
		}
		close(begin)
		both.Wait()
		err := <-said
		close(over)
		if made := len(s.payments()); withdrawn == nil && (made != 0 || err == nil || !strings.Contains(err.Error(), "by an administrator")) || withdrawn != nil && made != 1 {
			t.Errorf("withdrawn %v, %d times made: %v", withdrawn, made, err)
		}
	}
}
