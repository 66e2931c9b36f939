package gateway_test

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/internal/testkit/readfirst"
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

// What became of a call is told with the name by which people know the server.
func TestWhatBecameOfACallIsToldWithTheServersTitle(t *testing.T) {
	s := newShop(t, modern)
	var refuse atomic.Bool
	behind, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := readfirst.Handler(httputil.NewSingleHostReverseProxy(behind))
	front := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuse.Load() {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	h := newHouse(t, catalogue{{Name: "shop", Title: "Office shop", URL: front, Approve: permit.Never}}, nil)
	v := visit(t, h.url, "alice", modern, agreeing)
	if got, err := v.call(t, "shop__look", map[string]any{}); err != nil {
		t.Fatalf("%q, %v", got, err)
	}
	refuse.Store(true)
	if got, _ := v.call(t, "shop__order", map[string]any{}); !strings.HasPrefix(got, "ERROR Office shop refused the call: HTTP status 403.") {
		t.Errorf("the client reads %q", got)
	}
}
