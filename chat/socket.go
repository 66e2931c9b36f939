package chat

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/parley-hq/parley"
)

// socket is one client of /run/ws.
type socket struct {
	chat *Chat
	r    *http.Request
	who  parley.Principal
	conn *websocket.Conn

	session string // of the last message; only the reader has it
	all     sync.WaitGroup

	mu     sync.Mutex
	turns  int  // that go on
	failed bool // an error was told, so the socket closes when none does
}

// answerEvent says what became of an answer that came over a socket. It has no
// status_code: an error with one would be taken for the end of the turn.
type answerEvent struct {
	Type          string       `json:"type"` // elicitation_result
	ElicitationID string       `json:"elicitationId"`
	Success       bool         `json:"success"`
	Error         string       `json:"error,omitempty"`
	Fields        []fieldError `json:"fields,omitempty"`
}

// serveSocket talks with a client until either leaves. Turns go on without it.
func (c *Chat) serveSocket(w http.ResponseWriter, r *http.Request, p parley.Principal) error {
	if !c.known(r) {
		return errForeign
	}
	// The origin was checked just now, by our list.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return nil // it has told the client
	}
	defer conn.CloseNow()
	conn.SetReadLimit(c.opts.Limits.Body)
	s := &socket{chat: c, r: r, who: p, conn: conn}
	ctx, cancel := s.untilStopped()
	s.all.Go(func() { s.keepAlive(ctx, cancel) })
	s.read(ctx)
	cancel()
	s.all.Wait()
	return nil
}

// read takes what the client sends until the connection ends.
func (s *socket) read(ctx context.Context) {
	for {
		kind, raw, err := s.conn.Read(ctx)
		if err != nil {
			return
		}
		var m mcpMessage
		if kind == websocket.MessageText {
			err = decode(raw, &m)
			m.twofold = twofold(err)
		}
		if kind != websocket.MessageText || err != nil && m.twofold == nil {
			err = bad("A message is a JSON object with message or prompt.")
		} else {
			err = s.take(ctx, m)
		}
		if err != nil && s.refuse(ctx, m, err) {
			return
		}
	}
}

// refuse tells the client that a message is not taken, and reports whether that is
// the end of the socket. Turns that go on there are not the worse for it.
func (s *socket) refuse(ctx context.Context, m mcpMessage, err error) (over bool) {
	if errors.Is(err, ErrUnauthenticated) || errors.Is(err, errGone) {
		s.end(ctx, err)
		return true
	}
	said := s.chat.explainTo(s.r, err)
	if s.send(ctx, errorEvent{Error: said.text, StatusCode: said.status, MessageID: string(m.MessageID), RetryAfter: said.seconds()}) != nil {
		return true
	}
	return said.status != http.StatusTooManyRequests && s.failure()
}

// failure closes the socket, as clients expect it after an error, unless turns go
// on there: then the last of them does. It reports whether it is closed.
func (s *socket) failure() (closed bool) {
	s.mu.Lock()
	s.failed = true
	closed = s.turns == 0
	s.mu.Unlock()
	if closed {
		s.conn.Close(websocket.StatusNormalClosure, "")
	}
	return closed
}

// begin counts a turn, if there may be one more.
func (s *socket) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turns >= s.chat.opts.Limits.Turns {
		return false
	}
	s.turns++
	return true
}

// finish ends a turn, and the socket if an error was told and nothing goes on.
func (s *socket) finish(failed bool) {
	s.mu.Lock()
	s.turns--
	failed = failed || s.failed
	s.mu.Unlock()
	if failed {
		s.failure()
	}
}

// take takes one message. Who the client is is asked again each time: a socket
// outlives tokens, and people who sign out.
func (s *socket) take(ctx context.Context, m mcpMessage) error {
	p, err := s.chat.caller(s.r)
	if err != nil {
		return err
	}
	if !same(p, s.who) {
		return ErrUnauthenticated
	}
	if m.SessionID == "" {
		m.SessionID = text(s.session)
	}
	if m.Type == "elicitation_response" {
		return s.answer(ctx, m)
	}
	if m.twofold != nil {
		return m.twofold
	}
	if m.Type != "" && m.Message == "" && m.Prompt == "" {
		return nil // of a newer client: not for us
	}
	t, err := s.chat.mcpTurn(s.r, m)
	if err != nil {
		return err
	}
	s.session = t.Conversation
	if !s.begin() {
		return &refusal{status: http.StatusTooManyRequests, text: "These are too many messages at once. Wait for an answer first."}
	}
	s.all.Go(func() { s.turn(ctx, t) })
	return nil
}

func (s *socket) turn(ctx context.Context, t mcpTurn) {
	failed, err := s.chat.converse(ctx, s.r, s.who, t, func(events ...any) error { return s.send(ctx, events...) }, nil)
	switch {
	case ctx.Err() != nil, errors.Is(err, errGone):
	case errors.Is(err, ErrUnauthenticated):
		s.end(ctx, err)
	case err != nil:
		said := s.chat.explainTo(s.r, err)
		failed = said.status != http.StatusTooManyRequests
		_ = s.send(ctx, errorEvent{Error: said.text, StatusCode: said.status, MessageID: t.ID, RetryAfter: said.seconds()}) // gone: the reader sees it
	}
	s.finish(failed)
}

func (s *socket) answer(ctx context.Context, m mcpMessage) error {
	told := answerEvent{Type: "elicitation_result", ElicitationID: m.ElicitationID, Success: true}
	err := m.twofold
	if err == nil {
		err = s.chat.answer(ctx, s.who, response{
			ConversationID: string(m.SessionID), ElicitationID: m.ElicitationID, Action: m.Action, Content: m.Content,
		})
	}
	if err != nil {
		said := s.chat.explainTo(s.r, err)
		told.Success, told.Error, told.Fields = false, said.text, said.fields
	}
	return s.send(ctx, told)
}

// send writes events. Several turns may do so at once.
func (s *socket) send(ctx context.Context, events ...any) error {
	ctx, cancel := context.WithTimeout(ctx, writeWait)
	defer cancel()
	for _, e := range events {
		var raw bytes.Buffer
		if err := encode(&raw, e); err != nil {
			return err
		}
		if err := s.conn.Write(ctx, websocket.MessageText, bytes.TrimSpace(raw.Bytes())); err != nil {
			return fmt.Errorf("%w: %w", errGone, err)
		}
	}
	return nil
}

// end tells the client why, and closes the socket.
func (s *socket) end(ctx context.Context, err error) {
	said := s.chat.explainTo(s.r, err)
	if s.send(ctx, errorEvent{Error: said.text, StatusCode: said.status}) == nil {
		s.conn.Close(websocket.StatusNormalClosure, "")
	}
}

// keepAlive asks the client now and then whether it is there, and whether it
// would be let in now: a socket on which nothing is said outlives tokens too.
func (s *socket) keepAlive(ctx context.Context, gone context.CancelFunc) {
	t := time.NewTicker(s.chat.opts.Heartbeat)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if err := s.chat.still(s.r, s.who); err != nil {
			s.end(ctx, err)
			gone()
			return
		}
		ping, cancel := context.WithTimeout(ctx, writeWait)
		err := s.conn.Ping(ping)
		cancel()
		if err != nil {
			gone()
			return
		}
	}
}
