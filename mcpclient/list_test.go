package mcpclient_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

func TestAListOfManyLargePagesIsGivenUp(t *testing.T) {
	var pages atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		w.Header().Set("Content-Type", "application/json")
		if m.Method == "server/discover" {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`, m.ID)
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"nextCursor":"%d","tools":[{"name":"%s"}]}}`, m.ID, pages.Add(1), strings.Repeat("x", 60<<10))
	}))
	defer web.Close()
	c, err := mcpclient.Connect(t.Context(), &mcpclient.Options{URL: web.URL, Client: web.Client(), MaxMessage: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.List(t.Context(), "tools/list", "tools"); !errors.Is(err, mcpclient.ErrTooLarge) {
		t.Errorf("a list without end is %v", err)
	}
	if n := pages.Load(); n > 10 {
		t.Errorf("%d pages of the largest size were kept", n)
	}
}
