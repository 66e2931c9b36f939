package mcpclient

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
)

// leave lets the caller of a call read its large result from the line that begins
// with begun, and waits until that is over. It reports false where the line is no
// such result, or nobody knows whose: then nothing was read. Other messages come
// after the line in any case; a caller who does not read holds them up until its
// call is closed.
func (l *lines) leave(begun []byte, r *bufio.Reader) bool {
	at, said, ok := resultAt(begun)
	if !ok {
		return false
	}
	x := l.conn.largeFor(said.ID)
	if x == nil {
		return false
	}
	tail := &lineTail{from: r}
	m, ok := large(begun, tail, l.conn.opts.MaxMessage, x.id)
	if !ok || !l.conn.forget(x) {
		return false
	}
	l.left.Store(true)
	x.rest.Store(m.Rest)
	if !x.box.put(m, at, io.EOF) {
		m.Rest.stop(ErrClosed)
	}
	select {
	case <-m.Rest.done:
	case <-x.gone:
		m.Rest.stop(x.because(ErrClosed))
	}
	l.left.Store(false)
	if m.Rest.whole() {
		x.answered.Store(true)
		return true
	}
	if errors.Is(m.Rest.ended(), ErrTooLarge) || !tail.skip(l.conn.opts.MaxMessage) {
		l.conn.fail(ErrTooLarge)
	}
	return true
}

// largeFor is the call that a large result is for. Programs that say the id last
// leave it open: then it is the only open one's, unless a call was given up whose
// answer may still come.
func (c *Conn) largeFor(id json.RawMessage) *Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.open {
		only := id == nil && len(c.open) == 1 && !c.gaveUp
		if (only || id != nil && string(id) == strconv.FormatInt(x.id, 10)) && x.large && !x.internal && !x.tasked {
			return x
		}
	}
	return nil
}

// forsake forgets a call without an answer, and reports whether it was open. What it
// was asked is answered with a cancel where it may have been about another call.
func (c *Conn) forsake(x *Exchange) bool {
	c.mu.Lock()
	if _, open := c.index(x.id); open {
		c.gaveUp = true
	}
	c.mu.Unlock()
	known, last, left := c.cross(x)
	c.turnDown(left)
	if last {
		c.fail(ErrSessionGone)
	}
	return known
}

// lineTail is the rest of a line, without its end.
type lineTail struct {
	from *bufio.Reader
	over error
}

// Read implements io.Reader.
func (t *lineTail) Read(p []byte) (int, error) {
	if t.over == nil {
		_, t.over = t.from.Peek(1)
	}
	if t.over != nil {
		return 0, t.over
	}
	b, _ := t.from.Peek(min(len(p), t.from.Buffered()))
	n := bytes.IndexByte(b, '\n')
	if n >= 0 {
		t.over = io.EOF
		b = b[:n+1]
	} else {
		n = len(b)
	}
	copy(p, b[:n])
	_, _ = t.from.Discard(len(b))
	return n, nil
}

// skip reads on to the line's end, and reports whether that came within so many bytes.
func (t *lineTail) skip(most int64) bool {
	_, err := io.CopyN(io.Discard, t, most)
	return err != nil
}
