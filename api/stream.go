package api

import (
	"net/http"
	"sync"
	"time"
)

const (
	// heartbeat is how often a stream says that it is there.
	heartbeat = 15 * time.Second
	// receiveWithin is how long a reader may take to receive something.
	receiveWithin = 30 * time.Second
)

// stream sends server-sent events to a caller.
type stream struct {
	caller Caller
	w      http.ResponseWriter

	mu    sync.Mutex // one writer at a time
	ended bool
	beat  *time.Timer
}

// begin says that events follow.
func (s *stream) begin() {
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	s.w.WriteHeader(http.StatusOK)
}

// send writes events, and reports whether there is somebody who may be told more: the
// reader is there, and is who they were.
func (s *stream) send(events []byte) bool {
	return s.caller.still() == nil && s.write(events)
}

func (s *stream) write(text []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	control := http.NewResponseController(s.w)
	_ = control.SetWriteDeadline(time.Now().Add(receiveWithin)) // where that is not possible, the server's limit holds
	_, err := s.w.Write(text)
	s.ended = err != nil || control.Flush() != nil
	return !s.ended
}

// keepAlive has the stream say that it is there, without a goroutine that waits for it.
// gone is called when nobody receives it. The caller calls stop before it leaves w.
func (s *stream) keepAlive(gone func()) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beat = time.AfterFunc(heartbeat, func() {
		if !s.write([]byte(": still here\n\n")) {
			gone()
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.ended {
			s.beat.Reset(heartbeat)
		}
	})
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ended = true
		s.beat.Stop()
	}
}
