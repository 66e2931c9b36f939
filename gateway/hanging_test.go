package gateway_test

import (
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

func TestAServerThatIsDownAndHangsDelaysNoList(t *testing.T) {
	var hangs atomic.Bool
	var waiting, left atomic.Int64
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !hangs.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body) // who has not read it does not hear that the client left
		waiting.Add(1)
		<-r.Context().Done()
		left.Add(1)
	}))
	s := newShop(t, modern)
	h := newHouse(t, catalogue{{Name: "gone", URL: url}, {Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
	v := visit(t, h.url, "alice", legacy, nil)
	eventually(t, "the server is not down", func() bool {
		return h.Status(t.Context(), parley.DefaultTenant, "gone", "").State == gateway.Down
	})
	hangs.Store(true)
	eventually(t, "the server is not tried again", func() bool { return waiting.Load() > 0 })
	before := left.Load()
	if names := toolNames(t, v); len(names) == 0 {
		t.Error("the other server's tools are not listed")
	}
	if left.Load() != before {
		t.Error("the list waited until the server was given up")
	}
}
