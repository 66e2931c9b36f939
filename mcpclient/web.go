package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// web is a server over HTTP.
type web struct {
	conn  *Conn
	at    *endpoint
	head  atomic.Pointer[heading]
	lived atomic.Bool // the server has answered a call of the session
}

// post sends a call, an answer or a notification, as the era has it.
func (w *web) post(ctx context.Context, body []byte, call *Request) (*http.Response, error) {
	return w.at.post(ctx, w.head.Load(), body, call)
}

// start implements wire.
func (w *web) start(ctx, life context.Context, x *Exchange, body []byte, r *Request) error {
	if !x.direct {
		if !w.conn.spawn(func() { w.follow(life, x, body, r) }) {
			return w.conn.Err()
		}
		return x.box.waitOpen(ctx)
	}
	stop := context.AfterFunc(ctx, x.cancel)
	resp, err := w.post(life, body, r)
	if !stop() && ctx.Err() != nil {
		if err == nil {
			_ = resp.Body.Close()
		}
		return context.Cause(ctx)
	}
	var stream *reply
	if err == nil {
		stream, err = w.accept(resp, x)
		err = unanswered(err)
	}
	if err != nil {
		return x.because(x.own(err))
	}
	if r.Method == "initialize" {
		w.head.Store(&heading{session: resp.Header[SessionHeader]})
	}
	return x.attach(stream)
}

// attach gives a call the stream that its messages come on.
func (x *Exchange) attach(stream *reply) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.end != nil {
		stream.close()
		return x.end
	}
	x.stream = stream
	return nil
}

// accept returns the messages of a response, or the error that its status is. x
// is the call that it answers, nil for none.
func (w *web) accept(resp *http.Response, x *Exchange) (*reply, error) {
	head := w.head.Load()
	stream, refused, err := w.at.read(resp, head)
	switch {
	case err != nil:
		return nil, err
	case refused == nil:
		if x != nil && head.session != nil {
			w.lived.Store(true)
		}
		if x != nil && x.large {
			stream.large = x.id
		}
		return stream, nil
	case refused.gone:
		if x != nil {
			w.conn.forget(x) // the server did not take it, as it may have the others
		}
		lived := w.lived.Load()
		w.conn.retire()
		if !lived { // it was begun for this: beginning it again would lead here again
			return nil, refused.status
		}
		return nil, refused.err()
	case refused.rpc == nil || !refused.mayAnswer():
		return nil, refused.status
	}
	return refused.rpc, nil
}

// send implements wire.
func (w *web) send(ctx context.Context, body []byte, method string) error {
	resp, err := w.post(ctx, body, &Request{Method: method})
	if err != nil {
		return err
	}
	return taken(resp, func(resp *http.Response) (*reply, error) { return w.accept(resp, nil) })
}

// cancel implements wire. A server of 2026-07-28 is told by the end of the
// request itself.
func (w *web) cancel(x *Exchange) {
	if !x.direct {
		w.conn.sayCancelled(x)
	}
}

// sayCancelled sends notifications/cancelled, beside the caller. A connection that
// is closed right after that still says it: servers wait for their calls.
func (c *Conn) sayCancelled(x *Exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause != nil {
		return
	}
	c.telling.Go(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(c.life.Context()), byeTime)
		defer cancel()
		if err := c.wire.send(ctx, cancelledBody(x), "notifications/cancelled"); err != nil && !c.life.Over() {
			c.opts.Logger.Debug("cancellation not told to the server", "error", err)
		}
	})
}

func cancelledBody(x *Exchange) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, x.id)
}

// byeTime bounds how long a server may take to hear that a call is cancelled, and
// then to end a session: whoever stops waits for it.
const byeTime = time.Second

// close implements wire: it ends the session. The open calls are cancelled
// before, because servers wait for them.
func (w *web) close(open []*Exchange) error {
	if w.head.Load().session == nil || !errors.Is(w.conn.Err(), ErrClosed) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.conn.life.Context()), byeTime)
	defer cancel()
	for _, x := range open {
		if resp, err := w.post(ctx, cancelledBody(x), &Request{}); err == nil {
			_ = resp.Body.Close()
		}
	}
	return w.at.end(ctx, w.head.Load())
}
