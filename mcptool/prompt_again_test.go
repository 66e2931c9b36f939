package mcptool

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"testing"

	"github.com/parley-hq/parley"
)

// screen is a client that answers while a question is taken back.
type screen struct {
	Session
	shown    int
	on       map[int]func(json.RawMessage, error)
	answer   string // to what is taken back first
	late     bool   // it comes when the question has been asked again
	deferred func()
}

func (s *screen) Prompt(_ http.Header, _ string, _ json.RawMessage, said func(json.RawMessage, error)) (func(), error) {
	s.shown++
	n := s.shown
	s.on[n] = said
	return func() {
		answer := s.answer
		delete(s.on, n)
		if s.answer = ""; answer == "" {
			return
		}
		say := func() { said(json.RawMessage(answer), nil) }
		if s.late {
			s.deferred = say
		} else {
			say()
		}
	}, nil
}

// A node dies while the client's answer is on its way in: what was asked again is taken
// off the screen.
func TestNothingStaysOnTheScreenWhenANodeDiesWhileTheClientAnswers(t *testing.T) {
	for _, one := range []struct {
		answer string
		late   bool
	}{
		{`{"action":"accept","content":{"confirmed":true}}`, true},
		{`{"action":"accept","content":{"confirmed":1}}`, false},
		{`{"action":"accept","content":{"confirmed":1}}`, true},
	} {
		quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
		hub := parley.New(parley.NewMemoryStore(), &parley.Options{Logger: quiet})
		asker, err := New(hub, &Options{Logger: quiet})
		if err != nil {
			t.Fatal(err)
		}
		client0 := &screen{on: map[int]func(json.RawMessage, error){}, answer: one.answer, late: one.late}
		ctx := WithSession(t.Context(), client0)
		q := &question{mode: parley.Form, opts: ElicitOptions{Retries: 3}}
		opened, err := hub.Open(ctx, parley.Request{To: "alice", Message: "Sure?", Schema: json.RawMessage(`{"type":"object","properties":{"confirmed":{"type":"boolean"}}}`)})
		if err != nil {
			t.Fatal(err)
		}
		r := &run{asker: asker, who: parley.Principal{Tenant: parley.DefaultTenant, User: "alice", Method: "token"}, client: client{header: http.Header{}}}
		_, giveUp := context.WithCancelCause(ctx)
		p := r.show(ctx, q, &opened, giveUp)
		p.again(ctx)
		if client0.deferred != nil {
			client0.deferred()
		}
		p.end(nil)
		if len(client0.on) != 0 {
			t.Errorf("%+v: %d of %d questions stay on the screen", one, len(client0.on), client0.shown)
		}
	}
}
