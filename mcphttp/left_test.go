package mcphttp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

// startAndLeave makes a call of the tool that waits, and drops the connection.
func (s *stage) startAndLeave(t *testing.T, user string) *rawClient {
	t.Helper()
	c := newRawClient(t, false)
	if user != "" {
		c.header.Set("Authorization", "Bearer "+user)
	}
	c.initialize(s.http.URL)
	ctx, drop := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.http.URL, strings.NewReader(c.callMessage("wait", 0)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = c.header.Clone()
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set(mcpclient.SessionHeader, c.session)
	asked, dropped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(dropped)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			close(asked)
			return
		}
		defer answer.Body.Close()
		lines := bufio.NewScanner(answer.Body)
		for lines.Scan() && !strings.Contains(lines.Text(), "elicitation/create") {
			continue
		}
		close(asked)
		_, _ = io.Copy(io.Discard, answer.Body)
	}()
	<-s.started
	<-asked // what is not asked yet when its client leaves fails for that
	drop()
	<-dropped
	_, id, _ := cutSessionID(c.session)
	for ; ; time.Sleep(time.Millisecond) { // until the server has noticed
		session := s.handler.sessions.get(id)
		if session == nil {
			return c
		}
		session.mu.Lock()
		open := session.open
		session.mu.Unlock()
		if open == 0 {
			return c
		}
	}
}

func TestOfSessionsWhoseClientsLeftTheFirstEnd(t *testing.T) {
	s := newStage(t, nil, &Options{MaxLeft: 2})
	first, second := s.startAndLeave(t, "alice"), s.startAndLeave(t, "bob")
	first.expect(http.StatusOK, http.MethodPost, s.http.URL, listMessage) // it was there again, and left after the second
	third := s.startAndLeave(t, "carol")
	if err := <-s.ended; !errors.Is(err, mcptool.ErrSessionEnded) {
		t.Errorf("the call ended with %v", err)
	}
	second.expectNoSession(http.MethodPost, s.http.URL, listMessage)
	for _, c := range []*rawClient{first, third} {
		c.expect(http.StatusOK, http.MethodPost, s.http.URL, listMessage)
	}
	if len(s.ended) != 0 {
		t.Error("another call ended")
	}
}

// Its client never hears why, so the operator does.
func TestASessionThatIsGivenUpForOthersIsInTheLog(t *testing.T) {
	var log safeLog
	s := newStage(t, nil, &Options{MaxLeft: 1, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	s.startAndLeave(t, "alice")
	if got := log.String(); strings.Contains(got, "limit reached") {
		t.Errorf("nobody was given up, and the log says %s", got)
	}
	s.startAndLeave(t, "bob")
	<-s.ended
	deadline := time.Now().Add(30 * time.Second)
	for !strings.Contains(log.String(), `msg="limit reached"`) && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	if got := log.String(); !strings.Contains(got, "limit=sessions_left") || !strings.Contains(got, "of=") {
		t.Errorf("the log says %q", got)
	}
}

// safeLog is a log that is read while it is written.
type safeLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *safeLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *safeLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func TestASessionWhoseClientIsThereIsNotOfThoseThatLeft(t *testing.T) {
	s := newStage(t, nil, &Options{MaxLeft: 1})
	there := s.startAndLeave(t, "alice")
	stream := there.do(t.Context(), http.MethodGet, s.http.URL, "")
	defer stream.Body.Close()
	s.startAndLeave(t, "alice")
	s.startAndLeave(t, "alice")
	if err := <-s.ended; !errors.Is(err, mcptool.ErrGivenUp) {
		t.Errorf("the call ended with %v", err)
	}
	there.expect(http.StatusOK, http.MethodPost, s.http.URL, listMessage)
	if len(s.ended) != 0 {
		t.Error("another call ended")
	}
}

func TestOneSessionTooManyEndsOneWhoseClientLeft(t *testing.T) {
	s := newStage(t, nil, &Options{MaxSessions: 2})
	bobs := s.startAndLeave(t, "bob") // before all of hers
	first, second := s.startAndLeave(t, "alice"), s.startAndLeave(t, "alice")
	third := s.startAndLeave(t, "alice")
	first.expectNoSession(http.MethodPost, s.http.URL, listMessage)
	for _, c := range []*rawClient{bobs, second, third} {
		c.expect(http.StatusOK, http.MethodPost, s.http.URL, listMessage)
	}
}

func TestASessionThatGoesOnWithNothingHasNotBeenLeft(t *testing.T) {
	s := newStage(t, nil, &Options{MaxLeft: 1})
	for range 3 {
		c := newRawClient(t, false)
		c.initialize(s.http.URL)
		c.expect(http.StatusOK, http.MethodPost, s.http.URL, listMessage)
	}
	c := s.startAndLeave(t, "")
	c.expect(http.StatusNoContent, http.MethodDelete, s.http.URL, "")
	<-s.ended
	s.handler.sessions.mu.Lock()
	defer s.handler.sessions.mu.Unlock()
	if n := len(s.handler.sessions.left); n != 0 {
		t.Errorf("%d are kept for those that left", n)
	}
}

// stumbling is a store that cannot be read a few times.
type stumbling struct {
	parley.Records
	left atomic.Int64
}

func (s *stumbling) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	if s.left.Add(-1) >= 0 {
		return parley.Record{}, errors.New("the store is away")
	}
	return s.Records.Load(ctx, at)
}

func TestARequestForAnotherNodeWaitsForTheStore(t *testing.T) {
	shared := parley.NewMemoryStore()
	records := &stumbling{Records: shared}
	a, b := newStage(t, shared, nil).run(t), newStage(t, records, nil).run(t)
	c := newRawClient(t, false)
	c.initialize(a.http.URL)
	records.left.Store(3)
	c.expect(http.StatusOK, http.MethodPost, b.http.URL, listMessage)
	if n := records.left.Load(); n >= 0 {
		t.Errorf("the store was not read: %d", n)
	}
}
