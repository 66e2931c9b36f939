package mcpclient_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

// A server pays for every byte that we read: what is packed is not unpacked.
func TestAPackedResponseIsNotUnpacked(t *testing.T) {
	var asked string
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
		asked = r.Header.Get("Accept-Encoding")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer z.Close()
		fmt.Fprintf(z, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"%s"}]}}`, m.ID, strings.Repeat("x", 1<<20))
	}))
	defer web.Close()
	c, err := mcpclient.Connect(t.Context(), &mcpclient.Options{URL: web.URL, Client: web.Client()})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if items, err := c.List(t.Context(), "tools/list", "tools"); err == nil {
		t.Errorf("%d items were unpacked", len(items))
	}
	if asked != "identity" {
		t.Errorf("asked for %q", asked)
	}
}
