package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
	"github.com/parley-hq/parley/permit"
)

// An approver is absent and another does not answer: the deputy and the next are
// asked, everybody is told, and when one has decided everybody's question closes.
func TestAnApproversQuestionGoesToTheDeputyAndToTheNext(t *testing.T) {
	events := make(chan string, 100)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var e struct {
			Type string
			Data struct{ To string }
		}
		_ = json.Unmarshal(body, &e)
		events <- e.Type + " " + e.Data.To
	}))
	defer hook.Close()
	today := time.Now().UTC().Format(time.DateOnly)
	cfg, err := config.Parse(fmt.Appendf(nil, `dev: true
listen: 127.0.0.1:0
public_url: http://127.0.0.1:1
store: "memory:"
channels:
  webhooks: [{name: ops, url: %q, secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=", after: 1ms}]
groups: {oncall: [dora, emil]}
people: {alice: {deputy: bob, absent: {from: %s, to: %s}}}
rules: [{name: money, tool: transfer, approvers: "1 of [alice, carol]", escalate: [{after: 1s, to: oncall}]}]
`, hook.URL, today, today), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(t.Context(), cfg, &server.Options{Listener: listener, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { _ = s.Run(ctx) })
	defer func() {
		stop()
		done.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	call := permit.Call{ID: "1", User: "eve", Server: "bank", Tool: "transfer", Args: json.RawMessage(`{"amount":1}`), Session: "chat"}
	if _, open, err := s.Permits.Gather(t.Context(), permit.Always, call); err != nil || len(open) != 3 {
		t.Fatalf("%d are asked at once, %v; want alice, carol, and bob for alice", len(open), err)
	}
	gather := func(event string, people ...string) {
		t.Helper()
		want := map[string]bool{}
		for _, name := range people {
			want[event+" "+name] = true
		}
		for len(want) > 0 {
			got := <-events
			if !want[got] {
				t.Errorf("told %q, while %v are missing", got, want)
			}
			delete(want, got)
		}
	}
	gather("question.opened", "alice", "bob", "carol", "dora", "emil")
	emil := parley.Principal{User: "emil"}
	open, err := s.Hub.List(t.Context(), emil, parley.Query{Pending: true})
	if err != nil || len(open) != 1 {
		t.Fatalf("%v, %v", open, err)
	}
	if err := s.Hub.Answer(t.Context(), emil, open[0].ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "page"}); err != nil {
		t.Fatal(err)
	}
	if d, _, err := s.Permits.Gather(t.Context(), permit.Always, call); err != nil || d.Status != permit.Granted {
		t.Errorf("%+v, %v", d, err)
	}
	gather("question.closed", "alice", "bob", "carol", "dora", "emil")
}
