package mcpclient

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
)

// lines carries messages as lines: to a program's stdin and from its stdout, or
// by a pipe.
type lines struct {
	conn   *Conn
	in     io.WriteCloser // to the server
	out    io.ReadCloser  // from it
	queue  chan line
	silent chan struct{} // closed when all that the server said was read
	left   atomic.Bool   // a large result is being read by its caller
}

// line is a message on its way, of a call or of none.
type line struct {
	text []byte
	of   *Exchange
}

func newLines(c *Conn, in io.WriteCloser, out io.ReadCloser) lines {
	return lines{conn: c, in: in, out: out, queue: make(chan line), silent: make(chan struct{})}
}

// start implements wire.
func (l *lines) start(ctx, _ context.Context, x *Exchange, body []byte, r *Request) error {
	if err := l.put(ctx, body, x); err != nil {
		return err
	}
	x.box.opened()
	return nil
}

// send implements wire.
func (l *lines) send(ctx context.Context, body []byte, _ string) error {
	return l.put(ctx, body, nil)
}

// put has a message written. It is one line; a line end in it is white space,
// because the JSON was checked.
func (l *lines) put(ctx context.Context, body []byte, of *Exchange) error {
	for i, c := range body {
		if c == '\n' || c == '\r' {
			body[i] = ' '
		}
	}
	select {
	case l.queue <- line{append(body, '\n'), of}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-l.conn.done:
		return l.conn.Err()
	}
}

// write writes whole lines, so that a caller who gives up leaves no half one. A
// call whose line could not be written is not under way; those that are may yet
// be answered.
func (l *lines) write() {
	defer l.in.Close()
	deaf := false
	for {
		select {
		case line := <-l.queue:
			if !deaf {
				n, err := l.in.Write(line.text)
				deaf = err != nil && n < len(line.text)-1
			}
			if deaf && line.of != nil {
				l.conn.forget(line.of)
				line.of.abort(fmt.Errorf("%w: it takes no more calls", ErrSessionGone))
			}
		case <-l.conn.done:
			return
		}
	}
}

// read hands on what the server says.
func (l *lines) read() {
	defer close(l.silent)
	r, most := bufio.NewReaderSize(l.out, 64<<10), l.conn.opts.MaxMessage
	for {
		line, ended, err := readLine(r, nil, min(largeOver, most))
		if err == nil && !ended {
			if l.leave(line, r) {
				continue
			}
			line, ended, err = readLine(r, line, most)
		}
		if err == nil && (!ended || int64(len(line)) > most+1) {
			err = ErrTooLarge
		}
		if err != nil {
			if errors.Is(err, ErrTooLarge) {
				l.conn.fail(err) // whose message it is, nobody knows
			}
			return
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		m, err := Envelope(line)
		if err != nil {
			l.conn.opts.Logger.Debug("server output not a message", "error", err)
			continue
		}
		l.conn.route(m, len(line))
	}
}

// readLine reads on in a line, into memory of its own, until that has more than so
// many bytes. It reports whether the line ended.
func readLine(r *bufio.Reader, line []byte, most int64) ([]byte, bool, error) {
	for {
		piece, err := r.ReadSlice('\n')
		if len(line)+len(piece) > cap(line) {
			line = slices.Grow(line, max(len(line), len(piece))) // see readUnknown
		}
		line = append(line, piece...)
		switch {
		case err == nil:
			return line, true, nil
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, true, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		case int64(len(line)) > most:
			return line, false, nil
		}
	}
}

// cancel implements wire.
func (l *lines) cancel(x *Exchange) { l.conn.sayCancelled(x) }

// pipe is a server at the other end of one.
type pipe struct{ lines }

func connectPipe(ctx context.Context, opts Options) (*Conn, error) {
	c := newConn(ctx, opts)
	p := &pipe{newLines(c, opts.Pipe, opts.Pipe)}
	c.wire = p
	c.spawn(func() {
		p.read()
		c.fail(fmt.Errorf("%w: the pipe was closed", ErrSessionGone))
	})
	c.spawn(p.write)
	if err := c.greet(ctx); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// close implements wire.
func (p *pipe) close([]*Exchange) error { return p.in.Close() }
