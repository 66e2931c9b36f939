package mcphttp

import (
	"bytes"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

const (
	eventStream = "text/event-stream"
	comment     = ": waiting\n\n"
)

// streamWriter is the response to one request of the SDK's handlers. On event
// streams it writes a comment whenever nothing was written for a while, so that
// no proxy takes a person who thinks for a dead connection. A comment is only
// written between events: when nothing was written yet or the last thing was a
// flush.
//
// The SDK sends no header before the first event. It gets a header of its own,
// since the comment may have to send one while the SDK still writes its own.
type streamWriter struct {
	under  http.ResponseWriter
	header http.Header // the SDK's
	every  time.Duration
	// announce is called with the session id that the header announces, and
	// returns the one to announce. Nil: there is none, and so a comment may
	// send the header.
	announce func(session string) string

	mu      sync.Mutex
	timer   *time.Timer
	last    time.Time // of the last write
	stream  bool      // the header is one of an event stream
	sent    bool      // the header is sent
	dirty   bool      // written, not flushed
	frame   bool      // what comes is JSON that must become an event
	stopped bool
}

func newStreamWriter(w http.ResponseWriter, every time.Duration, announce func(string) string) *streamWriter {
	return &streamWriter{under: w, header: http.Header{}, every: every, announce: announce}
}

// Unwrap is for http.ResponseController.
func (w *streamWriter) Unwrap() http.ResponseWriter { return w.under }

// Header returns the SDK's header. Each call looks at what the calls before it
// left there: the SDK's goroutine is the only one that may.
func (w *streamWriter) Header() http.Header {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.sent && !w.stream && w.announce == nil && ofEvents(w.header) {
		w.begin()
	}
	return w.header
}

func ofEvents(h http.Header) bool {
	of := h["Content-Type"]
	return len(of) > 0 && strings.HasPrefix(of[0], eventStream)
}

// begin makes the response an event stream. mu is held.
func (w *streamWriter) begin() {
	w.stream = true
	w.last = time.Now()
	if w.every > 0 && !w.stopped {
		w.timer = time.AfterFunc(w.every, w.tick)
	}
}

func (w *streamWriter) WriteHeader(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writeHeader(status)
}

func (w *streamWriter) writeHeader(status int) {
	if !w.sent {
		w.send(w.header, status)
		return
	}
	// The SDK answers some errors as JSON with a status of its own, even when
	// the stream has begun. Then the error can only be an event.
	w.frame = w.stream && !ofEvents(w.header)
}

// send sends the header. mu is held.
func (w *streamWriter) send(header http.Header, status int) {
	w.sent = true
	to := w.under.Header()
	maps.Copy(to, header)
	if id := to[mcpclient.SessionHeader]; len(id) > 0 && w.announce != nil {
		to.Set(mcpclient.SessionHeader, w.announce(id[0]))
	}
	switch events := ofEvents(header) && status == http.StatusOK; {
	case !events:
		w.stream = false
	case !w.stream:
		w.begin()
	}
	if w.stream {
		to.Set("X-Accel-Buffering", "no")
	}
	w.under.WriteHeader(status)
}

func (w *streamWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.sent {
		w.writeHeader(http.StatusOK)
	}
	w.last = time.Now()
	w.dirty = true
	if !w.frame {
		return w.under.Write(p)
	}
	if _, err := w.under.Write(messageEvent(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// messageEvent is one JSON-RPC message as an event.
func messageEvent(message []byte) []byte {
	// A line break in JSON is only ever white space.
	line := bytes.ReplaceAll(bytes.TrimSpace(message), []byte("\n"), []byte(" "))
	return append(append([]byte("event: message\ndata: "), line...), "\n\n"...)
}

// Flush implements http.Flusher.
func (w *streamWriter) Flush() { _ = w.FlushError() }

// FlushError is for http.ResponseController.
func (w *streamWriter) FlushError() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.sent {
		w.writeHeader(http.StatusOK)
	}
	w.dirty = false
	return http.NewResponseController(w.under).Flush()
}

// tick writes a comment if it is time, and sets the timer again.
func (w *streamWriter) tick() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped || !w.stream {
		return
	}
	if rest := w.every - time.Since(w.last); rest > 0 {
		w.timer.Reset(rest)
		return
	}
	if w.dirty {
		w.timer.Reset(w.every)
		return
	}
	if w.event([]byte(comment)) != nil {
		return // the client is gone, the server will notice
	}
	w.timer.Reset(w.every)
}

// message writes a message of our own on the stream. The SDK writes each event in one
// piece, so that it does not come into another.
func (w *streamWriter) message(message []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped || !w.stream {
		return errUnheard
	}
	w.dirty = false
	return w.event(messageEvent(message))
}

// event sends an event, and before it the header, if that has to be. mu is held.
func (w *streamWriter) event(event []byte) error {
	if !w.sent {
		w.send(http.Header{"Content-Type": {eventStream}, "Cache-Control": {"no-cache, no-transform"}}, http.StatusOK)
	}
	w.last = time.Now()
	if _, err := w.under.Write(event); err != nil {
		return err
	}
	return http.NewResponseController(w.under).Flush()
}

// stop ends the comments; nothing is written after it returns.
func (w *streamWriter) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = true
	if w.timer != nil {
		w.timer.Stop()
	}
	if !w.sent {
		// The SDK left without a word: the session ended, or the client went.
		w.send(w.header, http.StatusOK)
	}
}
