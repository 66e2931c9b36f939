package mcpclient_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

// older serves an older server whose calls, and whose streams by GET, are the
// test's to answer.
func older(t *testing.T, call func(w http.ResponseWriter, m mcpclient.Message), get http.HandlerFunc) string {
	t.Helper()
	return serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			get(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		if m, _ := mcpclient.Envelope(body); m.Method == "tools/call" {
			call(w, m)
			return
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		fixed(false, false, "{}").ServeHTTP(w, r)
	}), nil)
}

// A proxy that is stopped ends its responses in good order, wherever they are.
func TestAnEventThatWasCutOffIsAskedForAgain(t *testing.T) {
	var id atomic.Value
	url := older(t, func(w http.ResponseWriter, m mcpclient.Message) {
		id.Store(string(m.ID))
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "retry: 1\nid: a\ndata:\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"resu", m.ID)
	}, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Last-Event-Id") != "a" {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{\"text\":\"whole\"}]}}\n\n", id.Load())
	})
	x := call(t, connect(t, mcpclient.Options{URL: url}), "any", `{}`)
	if got := textOf(t, next(t, x)); got != "whole" {
		t.Errorf("got %q", got)
	}
}

// Clients make a GET of a POST that 301 leads elsewhere: the call would be lost, and
// a stream that is about no call would be taken for its answer.
func TestARedirectMakesNoOtherRequestOfACall(t *testing.T) {
	var gets atomic.Int64
	url := older(t, func(w http.ResponseWriter, _ mcpclient.Message) {
		w.Header().Set("Location", "/mcp/")
		w.WriteHeader(http.StatusMovedPermanently)
	}, func(w http.ResponseWriter, _ *http.Request) {
		gets.Add(1)
		w.WriteHeader(http.StatusMethodNotAllowed)
	})
	c := connect(t, mcpclient.Options{URL: url + "/mcp"})
	before := gets.Load()
	_, err := c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Params: []byte(`{}`)})
	var status *mcpclient.StatusError
	if !errors.As(err, &status) || status.Code != http.StatusMovedPermanently || status.Location != "/mcp/" || errors.Is(err, mcpclient.ErrUnderway) {
		t.Errorf("got %v", err)
	}
	if n := gets.Load() - before; n != 0 {
		t.Errorf("%d requests by GET", n)
	}
}
