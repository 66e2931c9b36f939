package mcpclient

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley/internal/sse"
)

// reply is an HTTP response as a source of messages: one in a JSON body, or any
// number in a stream of events. It is read by one goroutine at a time.
type reply struct {
	body   io.ReadCloser
	length int64 // of a JSON body; -1: not known
	limit  int64
	events *sse.Events // nil: a JSON body
	ended  bool        // nothing more is to be read
	size   int         // of the last message
	raw    []byte      // the last message as it came

	large int64 // the call whose result may be read as it comes; 0: none
}

// newReply takes a response of status 200.
func newReply(resp *http.Response, limit int64) (*reply, error) {
	r := &reply{body: resp.Body, length: resp.ContentLength, limit: limit}
	switch kind := mediaType(resp.Header.Get("Content-Type")); kind {
	case "application/json":
	case "text/event-stream":
		r.events = sse.NewEvents(resp.Body, limit)
	default:
		_ = resp.Body.Close()
		return nil, fmt.Errorf("%w: the answer is neither JSON nor a stream of events", ErrProtocol)
	}
	return r, nil
}

// mediaType spares the parser for what servers send every day.
func mediaType(header string) string {
	switch header {
	case "application/json", "text/event-stream":
		return header
	}
	kind, _, err := mime.ParseMediaType(header)
	if err != nil {
		kind, _, _ = strings.Cut(header, ";")
	}
	return strings.ToLower(strings.TrimSpace(kind))
}

// next returns the next message, and io.EOF if there is none.
func (r *reply) next() (Message, error) {
	if r.ended && r.events == nil {
		return Message{}, fmt.Errorf("%w: the answer is to another call", ErrProtocol)
	}
	if r.ended {
		return Message{}, io.EOF
	}
	if r.events == nil {
		r.ended = true
		return r.only()
	}
	if r.events.Large = 0; r.large != 0 {
		r.events.Large = largeOver
	}
	data, err := r.events.Next()
	if err == sse.ErrLarge {
		return r.event(data)
	}
	if err != nil {
		r.ended = true
		if data == nil {
			return Message{}, err
		}
	}
	return r.message(data)
}

// message returns what was read. An event that was cut off is none: a server that
// can will send it again.
func (r *reply) message(b []byte) (Message, error) {
	r.size, r.raw = len(b), b
	m, err := Envelope(b)
	if err != nil && r.ended && r.events != nil {
		err = io.EOF
	}
	return m, err
}

// only returns the only message of a JSON body.
func (r *reply) only() (Message, error) {
	if r.large == 0 || r.length >= 0 && r.length <= largeOver {
		return r.buffered(readAll(r.body, r.length, r.limit))
	}
	if r.length > r.limit {
		return Message{}, ErrTooLarge
	}
	b, err := readUnknown(io.LimitReader(r.body, largeOver), r.limit)
	if err != nil || len(b) < largeOver {
		return r.buffered(b, err)
	}
	return r.begun(b, r.body)
}

// event returns a message that has begun as a large event.
func (r *reply) event(data []byte) (Message, error) { return r.begun(data, r.events) }

// begun returns a large message of which b has been read.
func (r *reply) begun(b []byte, from io.Reader) (Message, error) {
	if m, ok := large(b, from, r.limit, r.large); ok {
		r.size = len(b)
		return m, nil
	}
	return r.buffered(readUnknown(io.MultiReader(bytes.NewReader(b), from), r.limit))
}

func (r *reply) buffered(b []byte, err error) (Message, error) {
	if err != nil {
		return Message{}, err
	}
	return r.message(b)
}

// maxTrusted is the largest length that memory is set aside for before it came.
const maxTrusted = 1 << 20

// readAll reads a body whose length may be known.
func readAll(body io.Reader, length, limit int64) ([]byte, error) {
	if length > limit {
		return nil, ErrTooLarge
	}
	if length < 0 || length > maxTrusted {
		return readUnknown(body, limit)
	}
	b := make([]byte, length)
	if _, err := io.ReadFull(body, b); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b, nil
}

func readUnknown(body io.Reader, limit int64) ([]byte, error) {
	b := make([]byte, 0, 1<<10)
	for {
		n, err := body.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case int64(len(b)) > limit:
			return nil, ErrTooLarge
		case errors.Is(err, io.EOF):
			return b, nil
		case err != nil:
			return nil, err
		}
		if len(b) == cap(b) {
			b = slices.Grow(b, len(b)) // twice as much: a quarter more would be four times as much to be collected
		}
	}
}

// drained reports whether the connection can be used again as it is.
func (r *reply) drained() bool { return r.ended }

// drainTime is how long a server may take to end a stream after the response.
const drainTime = time.Second

// drain reads a stream to its end and closes it; cancel ends the request.
func (r *reply) drain(cancel func()) {
	defer time.AfterFunc(drainTime, cancel).Stop()
	for !r.ended {
		if _, err := r.events.Next(); err != nil {
			r.ended = true
		}
	}
	r.close()
	cancel()
}

// close ends it. A response that was not read to its end costs its connection.
func (r *reply) close() {
	_ = r.body.Close()
	r.ended = true
	if r.events != nil {
		r.events.Free()
	}
}
