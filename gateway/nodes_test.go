package gateway_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// A new client and an old server: the call is parked on the node that made it.

const large = `{"action":"accept","content":{"size":"L"}}`

func oneAnswer(key, answer string) string { return `{"` + key + `":` + answer + `}` }

func TestARetryComesToAnyNode(t *testing.T) {
	t.Parallel()
	s := newShop(t, legacy)
	servers := catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}
	store := parley.NewMemoryStore()
	a, b := newNode(t, store, servers, nil, nil), newNode(t, store, servers, nil, nil)
	asked := post(t, a.url, "alice", "shop__twice", `{}`, "", "")
	asked = post(t, b.url, "alice", "shop__twice", `{}`, asked.Result.State, oneAnswer(asked.key(t), large))
	if asked.Result.Type != "input_required" {
		t.Fatalf("%+v", asked)
	}
	done := post(t, b.url, "alice", "shop__twice", `{}`, asked.Result.State, oneAnswer(asked.key(t), `{"action":"decline"}`))
	if done.text() != `accept {"size":"L"}; decline null` || s.done.Load() != 1 {
		t.Errorf("%+v; %d carried out", done, s.done.Load())
	}
}

func TestAnAnswerElsewhereReachesTheServerAtOnce(t *testing.T) {
	s := newShop(t, legacy)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
	asked := post(t, h.url, "alice", "shop__order", `{}`, "", "")
	alice := parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}
	open, err := h.hub.List(t.Context(), alice, parley.Query{Pending: true, Limit: 10})
	if err != nil || len(open) != 1 || open[0].From != "shop" || open[0].Message != "Which size?" {
		t.Fatalf("%+v, %v", open, err)
	}
	if err := h.hub.Answer(t.Context(), alice, open[0].ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"size":"S"}`), Via: "page"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the server goes on without the client", func() bool { return s.done.Load() == 1 })
	if done := post(t, h.url, "alice", "shop__order", `{}`, asked.Result.State, ""); done.text() != `accept {"size":"S"}` || s.done.Load() != 1 {
		t.Errorf("%+v; %d carried out", done, s.done.Load())
	}
}

func TestANodesDeathLosesNoCallThatCanBeMadeAgain(t *testing.T) {
	s := newShop(t, legacy)
	servers := catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}
	store := parley.NewMemoryStore()
	b := newNode(t, store, servers, nil, nil)
	for tool, want := range map[string]string{
		"shop__reorder": `accept {"size":"L"}`,
		"shop__order":   "whether order was carried out is not known",
	} {
		t.Run(tool, func(t *testing.T) {
			before := s.done.Load()
			var asked answered
			t.Run("on a node that dies", func(t *testing.T) {
				a := newNode(t, store, servers, nil, nil)
				asked = post(t, a.url, "alice", tool, `{}`, "", "")
			})
			got := post(t, b.url, "alice", tool, `{}`, asked.Result.State, oneAnswer(asked.key(t), large))
			if !strings.Contains(got.text(), want) {
				t.Errorf("%+v", got)
			}
			carriedOut := s.done.Load() - before
			if tool == "shop__reorder" && carriedOut != 1 || tool == "shop__order" && (carriedOut != 0 || !got.Result.IsError) {
				t.Errorf("%d carried out: %+v", carriedOut, got)
			}
		})
	}
}

// A question whose answer would reach nobody is taken off the screens by the node
// that stops; one whose call is made again waits for its answer.
func TestANodeThatStopsWithdrawsWhatNobodyWaitsFor(t *testing.T) {
	for tool, open := range map[string]int{"shop__order": 0, "shop__reorder": 1} {
		for _, era := range []string{legacy, modern} {
			t.Run(tool+"/"+era, func(t *testing.T) {
				s := newShop(t, legacy)
				servers := catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}
				store := parley.NewMemoryStore()
				alice := parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}
				other := newNode(t, store, servers, nil, nil)
				pending := func() int {
					all, err := other.hub.List(t.Context(), alice, parley.Query{Pending: true, Limit: 10})
					if err != nil {
						t.Fatal(err)
					}
					return len(all)
				}
				client := t // goes on waiting while the node stops: it takes nothing back and answers nothing
				t.Run("on a node that stops", func(t *testing.T) {
					a := newNode(t, store, servers, nil, nil)
					if era == modern {
						post(t, a.url, "alice", tool, `{}`, "", "")
					} else {
						asked := make(chan struct{})
						v := visit(client, a.url, "alice", era, func(*mcp.ElicitParams) *mcp.ElicitResult {
							close(asked)
							<-client.Context().Done()
							return &mcp.ElicitResult{Action: "cancel"}
						})
						go func() { _, _ = v.call(client, tool, nil) }()
						<-asked
					}
					if n := pending(); n != 1 {
						t.Fatalf("%d questions are open", n)
					}
				})
				if n := pending(); n != open {
					t.Errorf("%d questions are open, not %d", n, open)
				}
			})
		}
	}
}
