package modelserver

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/internal/sse"
)

// What is read of an answer. A message has [agent.MaxMessage] bytes, which come
// by words, each with some hundred bytes around it.
const (
	mostEvent  = 8 * agent.MaxMessage
	mostEvents = 1 << 18
	mostBytes  = 128 << 20
)

var (
	// errSilent ends a request whose server sent nothing for too long.
	errSilent = errors.New("the server sent nothing for too long")
	// errEndless ends an answer that is none.
	errEndless = errors.New("the server sends more than any message needs")
	// errNoStream ends an answer of which enough has come to see what it is.
	errNoStream = errors.New("the answer is no stream of events")
)

// Exchange is one request and its repetitions, and the answer to it.
type Exchange struct {
	server *Server
	timer  *time.Timer
	cancel context.CancelCauseFunc

	body   *heard
	events *sse.Events
	kind   string // what the server calls its answer
	count  int    // of the events that came
	whole  bool   // what is still to come is not wanted

	begun bool   // the server has accepted the request
	first []byte // how its answer begins, without the blanks ahead of it
	lost  error  // why not all of its answer came
	fault *Fault // what it said instead, the last time
}

// Begin returns the context for a request, which ends when the server is silent
// for longer than it may be.
func (s *Server) Begin(ctx context.Context) (context.Context, *Exchange) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(s.patience, func() { cancel(errSilent) })
	return ctx, &Exchange{server: s, timer: timer, cancel: cancel}
}

// End lets go of the request.
func (x *Exchange) End() {
	if x.events != nil {
		if x.whole {
			x.drain()
		}
		x.events.Free()
	}
	if x.body != nil {
		x.body.Close()
	}
	x.timer.Stop()
	x.cancel(nil)
}

// drainTime is how long a server may take to end an answer that is whole.
const drainTime = 50 * time.Millisecond

// drain reads an answer to its end, so that its connection is used again.
func (x *Exchange) drain() {
	x.timer.Reset(drainTime)
	_, _ = io.CopyN(io.Discard, x.body.ReadCloser, 4<<10) // without a sign of life
}

// Event is an event of an answer.
type Event struct {
	Name string // "" where it has none
	Data []byte
}

// Next returns the next event of the answer, and io.EOF at its end. Other errors
// are those of Failed; ctx is that of Begin.
func (x *Exchange) Next(ctx context.Context) (Event, error) {
	data, err := x.events.Next()
	if x.count++; x.count > mostEvents {
		return Event{}, x.Failed(ctx, errEndless)
	}
	// A last event that lacks only its empty line is one, if it is whole.
	if err == nil || errors.Is(err, io.EOF) && isWhole(data) {
		return Event{x.events.Name, data}, nil
	}
	x.count--
	if errors.Is(err, io.EOF) || errors.Is(err, errNoStream) {
		return Event{}, io.EOF
	}
	return Event{}, x.Failed(ctx, err)
}

// Whole says that the message is complete: what may still come is not wanted.
func (x *Exchange) Whole() { x.whole = true }

func (x *Exchange) alive() { x.timer.Reset(x.server.patience) }

// heard is the body of a response. Every byte of it is a sign of life.
type heard struct {
	io.ReadCloser
	exchange *Exchange
	bytes    int64
}

func (h *heard) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	x := h.exchange
	if n > 0 {
		x.alive()
		x.remember(p[:n])
	}
	if err != nil && err != io.EOF {
		x.lost = err
	}
	switch h.bytes += int64(n); {
	case h.bytes > mostBytes:
		return 0, errEndless
	case h.bytes > mostRefusal && x.document():
		return 0, errNoStream
	}
	return n, err
}
