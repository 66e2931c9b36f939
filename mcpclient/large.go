package mcpclient

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
)

const (
	// largeOver is how many bytes of a message are read before it is large: what
	// asks something is smaller.
	largeOver = 2 << 20
	// maxTail is how much of an envelope may come after its result.
	maxTail = 64 << 10
)

// Rest is the result of a large message, read while it comes from the server. What
// was read is one JSON object when Read returns io.EOF, and only then: any other
// error is why the rest of it does not come. It is read by one goroutine; Close of
// its Exchange ends it.
type Rest struct {
	done    chan struct{}         // closed when it has an end
	givenUp atomic.Pointer[error] // why nobody wants more of it; nil: somebody does

	mu   sync.Mutex
	from io.Reader // of what comes after buf
	left int64     // how many bytes may come
	head []byte    // the envelope up to the result
	buf  []byte    // what was read and not given
	room []byte    // that buf is a part of, after the first
	scan valueScan
	id   int64 // of the call
	end  error

	older bool // it is an older server's
}

// large returns a message whose first bytes are b, if it is a response that has
// begun with its result. Members of the envelope may still come.
func large(b []byte, from io.Reader, limit, id int64) (Message, bool) {
	at, said, ok := resultAt(b)
	if !ok {
		return Message{}, false
	}
	r := &Rest{
		done: make(chan struct{}), from: from, left: limit - int64(len(b)), id: id,
		head: bytes.Clone(b[:at]), buf: b[at:],
	}
	return Message{ID: said.ID, Rest: r}, true
}

// resultAt finds where the result begins in the first bytes of an envelope.
func resultAt(b []byte) (at int, said envelope, ok bool) {
	i := space(b, 0)
	if i >= len(b) || b[i] != '{' {
		return 0, said, false
	}
	for i = space(b, i+1); i < len(b) && b[i] == '"'; i = space(b, i+1) {
		end := skipString(b, i)
		if end < 0 {
			return 0, said, false
		}
		name := b[i:end]
		if i = space(b, end); i >= len(b) || b[i] != ':' {
			return 0, said, false
		}
		if i = space(b, i+1); i < len(b) && equals(name, "result") {
			return i, said, b[i] == '{' && said.wrong == "" && said.has&^(hasVersion|hasID) == 0
		}
		if end = skip(b, i, 1); end < 0 {
			return 0, said, false
		}
		said.take(name, b[i:end])
		if i = space(b, end); i >= len(b) || b[i] != ',' {
			return 0, said, false
		}
	}
	return 0, said, false
}

// Read implements io.Reader.
func (r *Rest) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.end == nil {
		if cause := r.givenUp.Load(); cause != nil {
			r.ends(*cause)
			continue
		}
		if len(r.buf) == 0 {
			if err := r.more(); err != nil {
				r.ends(err)
			}
			continue
		}
		n, over, err := r.scan.feed(r.buf[:min(len(p), len(r.buf))])
		copy(p, r.buf[:n])
		r.buf = r.buf[n:]
		switch {
		case err != nil:
			r.ends(err)
		case over:
			r.ends(r.checkTail())
		}
		if n > 0 {
			return n, nil
		}
	}
	return 0, r.end
}

// more reads on. mu is held.
func (r *Rest) more() error {
	if r.room == nil {
		r.room = make([]byte, 64<<10)
	}
	n, err := r.from.Read(r.room)
	r.buf = r.room[:n]
	if r.left -= int64(n); r.left < 0 {
		return ErrTooLarge
	}
	switch {
	case n > 0:
		return nil // an error comes again
	case errors.Is(err, io.EOF):
		return early(io.ErrUnexpectedEOF)
	case err != nil:
		return early(err)
	}
	return nil
}

// checkTail reads what the envelope has after the result: together with what came
// before it is that of a response to this call. mu is held.
func (r *Rest) checkTail() error {
	whole := append(append(r.head, '{', '}'), r.buf...)
	rest, err := io.ReadAll(io.LimitReader(r.from, maxTail))
	if err != nil {
		return early(err)
	}
	if len(rest) == maxTail {
		return ErrTooLarge
	}
	m, err := Envelope(append(whole, rest...))
	if err != nil {
		return err
	}
	if string(m.ID) != strconv.FormatInt(r.id, 10) {
		return fmt.Errorf("%w: the answer is to another call", ErrProtocol)
	}
	return io.EOF
}

// ends notes how it ended. mu is held.
func (r *Rest) ends(with error) {
	if r.end == nil {
		r.end, r.buf, r.room = with, nil, nil
		close(r.done)
	}
}

// giveUp ends it before the next of it is read, and waits for nobody.
func (r *Rest) giveUp(cause error) { r.givenUp.Store(&cause) }

// stop ends it, unless it has an end. Whoever waits in Read has been woken.
func (r *Rest) stop(cause error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ends(cause)
}

// whole reports whether all of it was read.
func (r *Rest) whole() bool {
	select {
	case <-r.done:
		return r.end == io.EOF
	default:
		return false
	}
}

// ended is how it ended; nil: it has not.
func (r *Rest) ended() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.end
}

// Whole reads the rest of a large result into Result. Other messages stay as they
// are.
func (m *Message) Whole() error {
	if m.Rest == nil {
		return nil
	}
	b, err := readUnknown(m.Rest, m.Rest.limit())
	if err != nil {
		return underway(err) // some of the response had come
	}
	if hasTwice(b) {
		return underway(errTwice)
	}
	if m.Rest.older {
		b = PlainResult(b)
	}
	m.Result, m.Rest = b, nil
	return nil
}

func (r *Rest) limit() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return int64(len(r.buf)) + r.left
}
