package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley/internal/patience"
)

// hearTime is how long a server may take to open the stream on which it speaks
// without being asked, or to say that it has none, before it is called.
const hearTime = 2 * time.Second

// ear is whether such a stream is open: what a server says there before is lost.
type ear struct {
	open chan struct{} // closed when it is, or when the first try has failed
	late bool          // the server was called before; set ahead of these calls
	mu   sync.Mutex
}

func newEar() *ear { return &ear{open: make(chan struct{})} }

// tried notes the end of the first try, and reports whether something may have been
// missed.
func (e *ear) tried() (missed bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(e.open)
	return e.late
}

// wait returns when the server may be called.
func (e *ear) wait(ctx context.Context, c *Conn) error {
	late := time.NewTimer(hearTime)
	defer late.Stop()
	select {
	case <-e.open:
	case <-late.C:
		e.mu.Lock()
		e.late = true
		e.mu.Unlock()
	case <-c.done:
		return c.Err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// hearken opens the GET stream of an older server, and waits for it.
func (w *web) hearken(ctx context.Context) error {
	e := newEar()
	if !w.conn.spawn(func() { w.listen(e) }) {
		return w.conn.Err()
	}
	return e.wait(ctx, w.conn)
}

// listen reads the GET stream of an older server while the connection lives.
func (w *web) listen(e *ear) {
	c, first, gone := w.conn, true, false
	_ = attend(c.life.Context(), w.get, func(last string, err error) {
		away := errors.Is(err, ErrUnreachable)
		switch {
		case first && !e.tried():
		case first, away && !gone, err == nil && last == "":
			c.missed() // who keeps lists sees for themselves whether it is gone
		}
		first, gone = false, away
	}, w.hear)
}

// hear routes the messages of a GET stream and returns how many there were.
func (w *web) hear(stream *reply) (n int) {
	defer stream.close()
	for {
		m, err := stream.next()
		if errors.Is(err, ErrProtocol) && !stream.ended {
			continue // one event that is no message
		}
		if err != nil {
			if !w.conn.life.Over() {
				w.conn.opts.Logger.Debug("server stream ended", "error", err)
			}
			return n
		}
		n++
		w.conn.route(m, stream.size)
	}
}

// attune has a server of 2026-07-28 tell of changed lists while the connection lives,
// and waits until it will. It is not worth an error: lists have a time to live too.
// Where nobody wants to hear of them, a stream to each server would be kept for nothing.
func (c *Conn) attune(ctx context.Context) error {
	kinds := c.server.changing()
	if len(kinds) == 0 || c.opts.Notify == nil || c.opts.SessionOnly {
		return nil
	}
	wanted := json.RawMessage(`{"notifications":{"` + strings.Join(kinds, `ListChanged":true,"`) + `ListChanged":true}}`)
	e := newEar()
	if !c.spawn(func() { c.subscribe(wanted, e) }) {
		return c.Err()
	}
	return e.wait(ctx, c)
}

// subscribe keeps a stream of what is wanted open.
func (c *Conn) subscribe(wanted json.RawMessage, e *ear) {
	pause := firstPause
	for first := true; ; first = false {
		began := time.Now()
		x, err := c.call(c.life.Context(), &Request{Method: "subscriptions/listen", Params: wanted}, true)
		missed := !first
		if first {
			missed = e.tried()
		}
		if err == nil {
			if missed {
				c.missed()
			}
			_, err = x.await(c.life.Context())
			x.Close()
		}
		if lacking(err) || c.Err() != nil {
			return
		}
		if pause = min(2*pause, longPause); time.Since(began) > longPause {
			pause = firstPause
		}
		if !patience.Sleep(c.life.Context(), pause) {
			return
		}
	}
}
