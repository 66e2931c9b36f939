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
	"github.com/parley-hq/parley/internal/sse"
)

// How often and how fast a stream is asked for again.
const (
	firstPause = time.Second // unless the server says another
	longPause  = 30 * time.Second
	maxResumes = 5 // in a row that bring nothing
)

// position is how far a stream was read, and how often it was asked for again
// since it brought something.
type position struct {
	last  string
	wish  time.Duration // as the server has the first pause; 0: it did not say
	tries int
}

// read takes up where a stream ended. It reports whether that brought an event
// with an id.
func (p *position) read(e *sse.Events) bool {
	if e == nil {
		return false
	}
	if e.Retry > 0 {
		p.wish = e.Retry
	}
	moved := e.Last != "" && e.Last != p.last
	if moved {
		p.last = e.Last
	}
	return moved
}

// pause is how long to wait before the next try: as the server wishes, then
// longer each time.
func (p *position) pause() time.Duration {
	d := firstPause << min(p.tries, maxResumes)
	if p.tries == 0 && p.wish > 0 {
		d = p.wish
	}
	p.tries++
	return min(d, longPause)
}

// pursue reads the answer to a call of an older server, and takes its stream up
// again where the server allows it. deliver reads a stream and closes it; it
// returns nil once the response came. again opens the rest of the stream.
func pursue(ctx context.Context, stream *reply, deliver func(*reply) error, again func(ctx context.Context, last string) (*reply, error)) error {
	var at position
	for {
		end := deliver(stream)
		if end == nil {
			return nil
		}
		if at.read(stream.events) {
			at.tries = 0
		}
		if at.last == "" || errors.Is(end, ErrTooLarge) || errors.Is(end, ErrProtocol) {
			return underway(early(end))
		}
		var err error
		if stream, err = at.resume(ctx, end, again); err != nil {
			return underway(err)
		}
	}
}

// resume asks for the rest of a stream: after a pause if the server ended it, at
// once if it broke. A server that cannot be reached just now is asked again a few
// times. One where nothing listens any more has died, and what it was to say with
// it.
func (p *position) resume(ctx context.Context, end error, again func(ctx context.Context, last string) (*reply, error)) (*reply, error) {
	broke := !errors.Is(end, io.EOF)
	for err := early(end); ; {
		if p.tries >= maxResumes {
			return nil, err
		}
		if pause := p.pause(); !broke && !patience.Sleep(ctx, pause) {
			return nil, context.Cause(ctx)
		}
		broke = false
		var stream *reply
		if stream, err = again(ctx, p.last); err == nil || !passing(err) {
			return stream, err
		}
	}
}

// passing reports whether what failed may go by itself.
func passing(err error) bool {
	var status *StatusError
	if errors.As(err, &status) {
		return status.Code >= http.StatusInternalServerError && !errors.Is(err, ErrSessionGone)
	}
	return errors.Is(err, ErrUnreachable) && !errors.Is(err, syscall.ECONNREFUSED)
}

// events takes the answer to a GET.
func events(stream *reply, err error) (*reply, error) {
	if err == nil && stream.events == nil {
		stream.close()
		return nil, fmt.Errorf("%w: a GET is answered with events", ErrProtocol)
	}
	return stream, err
}

// attend opens the GET stream of an older server, and opens it again whenever it
// ends, while ctx lasts. opened hears of each try, hear reads a stream, closes it
// and returns how many messages there were. It returns why there is no such
// stream.
func attend(ctx context.Context, get func(ctx context.Context, last string) (*reply, error), opened func(last string, err error), hear func(*reply) int) error {
	var at position
	for {
		began := time.Now()
		stream, err := get(ctx, at.last)
		if opened(at.last, err); ctx.Err() != nil {
			if err == nil {
				stream.close()
			}
			return context.Cause(ctx)
		}
		switch {
		case err == nil:
			if n := hear(stream); n > 0 || time.Since(began) > longPause {
				at.tries = 0
			}
			at.read(stream.events)
		case lacking(err) && at.last != "" && !errors.Is(err, ErrSessionGone):
			at.last = "" // it cannot go on from there, and may have the stream all the same
		case lacking(err):
			return err
		}
		if !patience.Sleep(ctx, at.pause()) {
			return context.Cause(ctx)
		}
	}
}

// lacking reports whether an error means that the server does not have what it
// was asked for, so that it is not asked again.
func lacking(err error) bool {
	var status *StatusError
	if errors.As(err, &status) {
		switch status.Code {
		case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusNotImplemented:
			return true
		}
	}
	var refused *Error
	return errors.As(err, &refused) || errors.Is(err, ErrProtocol) || errors.Is(err, ErrSessionGone)
}
