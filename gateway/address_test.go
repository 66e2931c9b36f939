package gateway_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// lapse ends the leases of all nodes that are gone: everything a killed node leaves
// behind.
func lapse(t *testing.T, store parley.Records) {
	t.Helper()
	at := parley.Address{Kind: "mcp.node"}
	left, err := store.Scan(t.Context(), at, "", 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range left {
		if err := store.Delete(t.Context(), record.Address, 0); err != nil {
			t.Fatal(err)
		}
	}
}

// Two machines on which every node listens at the same local address find themselves,
// or nobody, where they look for the other.
func TestALiveQuestionIsNotWithdrawnForAnAddressThatLeadsElsewhere(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]func(t *testing.T, other *house) string{
		"to the node that looks": func(_ *testing.T, other *house) string { return other.url },
		"to a third one": func(t *testing.T, _ *house) string {
			third := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Parley-Node", "abcdefghijklmnop")
				w.WriteHeader(http.StatusNoContent)
			}))
			t.Cleanup(third.Close)
			return third.URL
		},
		"to nobody": func(t *testing.T, _ *house) string {
			nobody := httptest.NewServer(http.NotFoundHandler())
			nobody.Close()
			return nobody.URL
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, legacy)
			servers, store := catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, parley.NewMemoryStore()
			other := newNode(t, store, servers, nil, nil)
			h := newNode(t, store, servers, nil, func(o *gateway.Options) { o.URL = address(t, other) })
			question := vanish(t, h, "shop__order")
			other.WithdrawLost(t.Context())
			if q, err := other.hub.Get(t.Context(), alice, question); err != nil || !q.Pending() {
				t.Fatalf("the question of a live call is withdrawn: %+v, %v", q.Outcome, err)
			}
			if err := other.hub.Answer(t.Context(), alice, question, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"size":"S"}`), Via: "page"}); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the server goes on", func() bool { return s.done.Load() == 1 })
		})
	}
}
