package toolbox_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/parley-hq/parley/mcpcall/toolbox"
	"github.com/parley-hq/parley/outbound"
)

func TestAModelIsToldWhetherACallMayHaveBeenMade(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	says := func(status int) func(http.ResponseWriter, *http.Request, json.RawMessage) {
		return func(w http.ResponseWriter, _ *http.Request, _ json.RawMessage) { w.WriteHeader(status) }
	}
	t.Run("a server that is away", func(t *testing.T) {
		_, err := plain(t, newBox(t, toolbox.Options{URL: gone.URL}), alice)
		refused(t, err, "fixture cannot be reached just now; the call was not sent.")
	})
	for name, c := range map[string]struct {
		status int
		want   string
	}{
		"a server that refuses":          {429, "fixture refused the call: HTTP status 429."},
		"a server that fails":            {500, "fixture answered with HTTP status 500: whether the call was carried out is not known. Find out before you call it again."},
		"a server that knows no session": {404, "fixture refused the call: HTTP status 404."},
	} {
		t.Run(name, func(t *testing.T) {
			h := &hand{wait: says(c.status)}
			_, err := plain(t, newBox(t, toolbox.Options{URL: h.serve(t)}), alice)
			refused(t, err, c.want)
		})
	}
	t.Run("a server that sends it elsewhere", func(t *testing.T) {
		taken := 0
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { taken++ }))
		t.Cleanup(other.Close)
		h := &hand{wait: func(w http.ResponseWriter, r *http.Request, _ json.RawMessage) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}}
		guard := outbound.Transport(&outbound.Options{Loopback: true})
		t.Cleanup(guard.(interface{ CloseIdleConnections() }).CloseIdleConnections)
		_, err := plain(t, newBox(t, toolbox.Options{URL: h.serve(t), Client: &http.Client{Transport: guard}}), alice)
		refused(t, err, "fixture sends calls on to another address (HTTP status 307), which is not followed: its URL here has to be the final one. The call was not carried out.")
		if taken != 0 {
			t.Errorf("the other got %d requests", taken)
		}
	})
}

func TestAServerOf2026ThatAsksWithoutEndIsLeft(t *testing.T) {
	h := &hand{modern: true}
	h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) { sayJSON(w, id, asking(1, "more")) }
	_, asked, err := call(t, newBox(t, toolbox.Options{URL: h.serve(t)}), "plain", yes)
	refused(t, err, "fixture asked more than 20 times in one call, which was given up: whether it was carried out is not known. Find out")
	if len(asked) != 20 || h.calls.Load() != 21 {
		t.Errorf("asked %d times, called %d times", len(asked), h.calls.Load())
	}
}
