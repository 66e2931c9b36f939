package gateway_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/permit"
)

func TestAServersQuestionsHaveItsTitle(t *testing.T) {
	s := newShop(t, modern)
	h := newHouse(t, catalogue{{Name: "shop", Title: "Office shop", URL: s.url, Approve: permit.Never}}, nil)
	v := visit(t, h.url, "alice", modern, agreeing)
	if got, err := v.call(t, "shop__order", map[string]any{}); err != nil || s.done.Load() != 1 {
		t.Fatalf("%q, %v", got, err)
	}
	if diff := cmp.Diff([]string{"[Office shop] Which size?"}, v.questions()); diff != "" {
		t.Error(diff)
	}
}
