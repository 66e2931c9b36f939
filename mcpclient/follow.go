package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"syscall"
	"time"

	"github.com/parley-hq/parley/internal/patience"
)

// How often and how fast a stream is asked for again.
const (
	firstPause = time.Second // unless the server says another
	longPause  = 30 * time.Second
	maxResumes = 5 // in a row that bring nothing
)

// follow makes a call to an older server and reads what comes of it. It runs
// beside the caller, because the server may ask by the GET stream before it
// answers the POST at all.
func (w *web) follow(life context.Context, x *Exchange, body []byte, r *Request) {
	err := w.pursue(life, x, body, r)
	w.conn.forget(x)
	if err != nil {
		x.box.close(x.because(x.own(err)))
	}
	x.cancel()
}

func (w *web) pursue(life context.Context, x *Exchange, body []byte, r *Request) error {
	resp, err := w.post(life, body, r)
	if err != nil {
		return err
	}
	stream, err := w.accept(resp, x)
	if err != nil {
		return unanswered(err)
	}
	x.box.opened()
	last, pause := "", time.Duration(0)
	for tries := 0; ; {
		end := x.deliver(life, stream)
		if end == nil {
			return nil
		}
		if e := stream.events; e != nil && e.Last != "" && e.Last != last {
			last, tries = e.Last, 0
		}
		if e := stream.events; e != nil && e.Retry > 0 {
			pause = e.Retry
		}
		if last == "" || errors.Is(end, ErrTooLarge) || errors.Is(end, ErrProtocol) {
			return underway(early(end))
		}
		if tries++; tries > maxResumes {
			return underway(early(end))
		}
		if stream, err = w.resume(life, last, pause, !errors.Is(end, io.EOF)); err != nil {
			return underway(err)
		}
	}
}

// deliver hands a stream's messages on. It returns nil once the response came,
// and otherwise why the stream ended.
func (x *Exchange) deliver(life context.Context, stream *reply) error {
	for {
		m, err := stream.next()
		if err != nil {
			stream.close()
			return err
		}
		deliver, last := x.sift(m, stream.size)
		if last && m.Rest != nil {
			return x.leave(life, m, stream)
		}
		if last {
			x.conn.forget(x)
			x.answered.Store(true)
			x.box.put(m, stream.size, io.EOF)
			stream.drain(x.cancel)
			return nil
		}
		if deliver {
			x.box.waitRoom(stream.size)
			x.box.put(m, stream.size, nil)
		}
	}
}

// leave lets the caller read a large result from the stream, and waits until that
// is over.
func (x *Exchange) leave(life context.Context, m Message, stream *reply) error {
	x.rest.Store(m.Rest)
	x.box.put(m, stream.size, io.EOF)
	select {
	case <-m.Rest.done:
	case <-life.Done():
		m.Rest.stop(x.because(ErrClosed))
	}
	if !m.Rest.whole() {
		stream.close()
		return nil // the caller knows
	}
	x.conn.forget(x)
	x.answered.Store(true)
	stream.drain(x.cancel)
	return nil
}

// resume asks for the rest of a stream: after a pause if the server ended it, at
// once if it broke. A server that cannot be reached just now is asked again a few
// times. One where nothing listens any more has died, and what it was to say with
// it.
func (w *web) resume(ctx context.Context, last string, pause time.Duration, broke bool) (*reply, error) {
	if pause <= 0 {
		pause = firstPause
	}
	for tries := 1; ; tries++ {
		if tries > 1 || !broke {
			if !patience.Sleep(ctx, min(pause, longPause)) {
				return nil, context.Cause(ctx)
			}
			pause *= 2
		}
		stream, err := w.get(ctx, last)
		if err == nil || !errors.Is(err, ErrUnreachable) || errors.Is(err, syscall.ECONNREFUSED) || tries >= maxResumes {
			return stream, err
		}
	}
}

// get opens a stream by GET: the rest of one, or the one for all else.
func (w *web) get(ctx context.Context, last string) (*reply, error) {
	r := w.request(ctx, http.MethodGet, nil)
	r.Header["Accept"] = acceptEvents
	if last != "" {
		r.Header[headerLast] = []string{last}
	}
	resp, err := w.do(r)
	if err != nil {
		return nil, err
	}
	stream, err := w.accept(resp, nil)
	if err == nil && stream.events == nil {
		stream.close()
		return nil, fmt.Errorf("%w: a GET is answered with events", ErrProtocol)
	}
	return stream, err
}
