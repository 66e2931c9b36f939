package chat_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

// FuzzBodies sends whatever it likes to every path that takes a body.
func FuzzBodies(f *testing.F) {
	store := parley.NewMemoryStore()
	hub := parley.New(store, &parley.Options{Logger: quiet})
	rt, err := agent.New(hub, store, nil, &agent.Options{Agents: []*agent.Agent{echo("helper")}, Logger: quiet})
	if err != nil {
		f.Fatal(err)
	}
	surface, err := chat.New(rt, hub, &chat.Options{Principal: whoAsks, Logger: quiet})
	if err != nil {
		f.Fatal(err)
	}
	for _, a := range everywhere {
		f.Add(a.body)
	}
	f.Add(body("c1", said("m", "x"), decided(true, "a", "b")))
	f.Add(body("c1", responded("x", "accept", `{"a":1}`)))
	f.Add(`{"id":"c","messages":[{"role":"user","content":[{"type":"text","text":"x"},{"type":7}],"parts":[null,{"type":"text"}]}]}`)
	f.Add(`{"messages":[{"role":"user","content":{"a":1}}],"session_id":1e9,"mentor_id":null,"prompt":"x","stream":null}`)
	gone, cancel := context.WithCancel(context.Background())
	cancel() // nobody drives the runs, so nobody waits for them
	f.Fuzz(func(t *testing.T, body string) {
		for _, path := range []string{"/run/api/chat", "/run/api/elicitation-responses", "/run/v1/chat/completions", "/run/sse"} {
			r := httptest.NewRequestWithContext(gone, http.MethodPost, path, strings.NewReader(body))
			r.Header.Set("Authorization", "Bearer alice")
			r.Header.Set("x-supports-elicitation", "true")
			r.Header.Set("x-tool-approval", "suspend")
			w := httptest.NewRecorder()
			surface.ServeHTTP(w, r)
			if w.Header().Get("Content-Type") == "application/json" && !json.Valid(w.Body.Bytes()) {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
		}
	})
}
