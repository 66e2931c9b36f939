package mcpclient

import (
	"context"
	"io"
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
	return pursue(life, stream, func(stream *reply) error { return x.deliver(life, stream) }, w.get)
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

// get opens a stream by GET: the rest of one, or the one for all else.
func (w *web) get(ctx context.Context, last string) (*reply, error) {
	resp, err := w.at.get(ctx, w.head.Load(), last)
	if err != nil {
		return nil, err
	}
	return events(w.accept(resp, nil))
}
