package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/parley-hq/parley/internal/patience"
)

// hearTime is how long an older server may take to open its GET stream, or to say
// that it has none, before it is called.
const hearTime = 2 * time.Second

// hearken opens the GET stream. What a server says there before anybody hears it
// is lost, so that no call is made before.
func (w *web) hearken(ctx context.Context) error {
	if !w.conn.spawn(w.listen) {
		return w.conn.Err()
	}
	late := time.NewTimer(hearTime)
	defer late.Stop()
	select {
	case <-w.hears:
	case <-late.C:
	case <-w.conn.done:
		return w.conn.Err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// listen reads the GET stream of an older server while the connection lives.
func (w *web) listen() {
	c, first, gone := w.conn, true, false
	_ = attend(c.life.Context(), w.get, func(last string, err error) {
		away := errors.Is(err, ErrUnreachable)
		switch {
		case first:
			close(w.hears)
		case away && !gone, err == nil && last == "":
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

// subscribe hears of changed lists from a server of 2026-07-28 while the
// connection lives. It is not worth an error: lists have a time to live too. Where
// nobody wants to hear of them, a stream to each server would be kept for nothing.
func (c *Conn) subscribe() {
	kinds := c.server.changing()
	if len(kinds) == 0 || c.opts.Notify == nil || c.opts.SessionOnly {
		return
	}
	wanted := json.RawMessage(`{"notifications":{"` + strings.Join(kinds, `ListChanged":true,"`) + `ListChanged":true}}`)
	pause := firstPause
	for first := true; ; first = false {
		began := time.Now()
		x, err := c.call(c.life.Context(), &Request{Method: "subscriptions/listen", Params: wanted}, true)
		if err == nil {
			if !first {
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
