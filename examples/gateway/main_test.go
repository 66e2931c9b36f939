package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEachClientIsAskedOnceForEachServer(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	const want = `client of 2025-11-25 calls shop__order
  asked:  [shop] Which size?  answered: map[size:L]
  result: ordered a shirt in L
client of 2025-11-25 calls travel__book
  asked:  [travel] Which day?  answered: map[day:Friday]
  result: booked a train on Friday
client of 2026-07-28 calls shop__order
  asked:  [shop] Which size?  answered: map[size:L]
  result: ordered a shirt in L
client of 2026-07-28 calls travel__book
  asked:  [travel] Which day?  answered: map[day:Friday]
  result: booked a train on Friday
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// So the servers would have said so if the gateway had passed the token on.
func TestTheServersRefuseTheTokenOfAClient(t *testing.T) {
	for name, server := range map[string]http.Handler{"shop": newShop(), "travel": newTravel()} {
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		r.Header.Set("Authorization", "Bearer "+aliceToken)
		w := httptest.NewRecorder()
		if server.ServeHTTP(w, r); w.Code != http.StatusBadRequest || w.Body.String() != "this token is not for me\n" {
			t.Errorf("%s answers %d %s", name, w.Code, w.Body)
		}
	}
}
