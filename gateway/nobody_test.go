package gateway_test

import (
	"net/http/httptest"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

func TestARuleAboutNobodyHoldsForCallsThatAreRelayed(t *testing.T) {
	s := newShop(t, modern)
	h := newNode(t, parley.NewMemoryStore(), catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}},
		&permit.Options{Conditions: []permit.Condition{{Name: "sign in", When: `user == ""`, Approve: permit.Forbid}}},
		func(o *gateway.Options) { o.Anonymous = true })
	eventually(t, "the server is not up", func() bool {
		return h.Status(t.Context(), parley.DefaultTenant, "shop", "").State == gateway.Up
	})
	h.ServeHTTP(httptest.NewRecorder(), anonymous(t.Context(), "shop__buy"))
	if n := s.done.Load(); n != 0 {
		t.Error("a call that is never allowed was made")
	}
}
