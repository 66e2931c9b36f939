package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Exchange is one call. It ends with its response or with Close, whatever comes
// first; Close it in any case.
type Exchange struct {
	conn     *Conn
	id       int64
	progress json.RawMessage
	internal bool // the connection's own call: it is given no questions
	asked    int  // how many requests it was given by Conn.attribute and has not answered; guarded by Conn.mu

	direct bool // its messages are read from its own stream, by Next
	large  bool // its result may be read as it comes
	rest   atomic.Pointer[Rest]

	cancel context.CancelFunc // ends its HTTP request
	gone   <-chan struct{}    // closed by cancel

	box mailbox // not direct

	answered atomic.Bool
	heard    atomic.Bool // Next has returned the response
	mu       sync.Mutex  // direct: held while the stream is read
	stream   *reply      // nil until the server took the call
	end      error       // why the stream is not read further

	tasks  bool // the server may make a task of it
	tasked bool // it was told to

	closing sync.Mutex
	closed  error // why this side ended it
	task    *task // once the server has
}

// Next returns what the server sends about this call: notifications, requests,
// and last the response. After it comes io.EOF. It blocks; Close ends it, with
// ErrClosed. The other errors are ErrTooLarge, ErrProtocol, ErrUnreachable and
// ErrSessionGone, each with ErrUnderway unless the server did not get the call.
func (x *Exchange) Next() (Message, error) {
	if t := x.asTask(); t != nil {
		return t.next()
	}
	m, err := x.read()
	if err != nil || !m.Response() {
		return m, err
	}
	x.heard.Store(true)
	if m.Twice {
		return Message{}, x.own(underway(errTwice))
	}
	t := x.begun(m)
	if t == nil {
		return x.plain(m), nil
	}
	if !x.become(t) {
		t.close()
	}
	return t.next()
}

func (x *Exchange) asTask() *task {
	x.closing.Lock()
	defer x.closing.Unlock()
	return x.task
}

// become makes a task of the call, and reports whether anybody still wants it.
func (x *Exchange) become(t *task) bool {
	x.closing.Lock()
	defer x.closing.Unlock()
	x.task = t
	return x.closed == nil
}

// read returns what the server sends on the call itself.
func (x *Exchange) read() (Message, error) {
	if !x.direct {
		return x.box.take()
	}
	if rest := x.rest.Load(); rest != nil {
		<-rest.done
		x.took()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for x.end == nil {
		m, err := x.stream.next()
		if err != nil {
			x.finish(x.because(x.own(underway(early(err)))))
			break
		}
		deliver, last := x.sift(m, x.stream.size)
		if last && m.Rest != nil {
			x.rest.Store(m.Rest)
			return m, nil // the call ends with Close
		}
		if last {
			x.finish(io.EOF)
		}
		if deliver {
			return m, nil
		}
	}
	return Message{}, x.end
}

// finish ends the reading of the call's own stream. x.mu is held.
func (x *Exchange) finish(end error) {
	x.end = end
	x.conn.forget(x)
	if end == io.EOF {
		x.answered.Store(true)
		// The rest of the stream is read, so that its connection can be used again.
		if !x.stream.drained() && x.conn.spawn(func() { x.stream.drain(x.cancel) }) {
			return
		}
	}
	x.stream.close()
	x.cancel()
}

// own takes the mark off the errors of the connection's own calls: nobody's call
// was under way.
func (x *Exchange) own(err error) error {
	var marked *underwayError
	if x.internal && errors.As(err, &marked) {
		return marked.err
	}
	return err
}

// because returns why the reading really failed: we ended it, or err.
func (x *Exchange) because(err error) error {
	x.closing.Lock()
	defer x.closing.Unlock()
	if x.closed != nil {
		return x.closed
	}
	return err
}

// sift takes out what is not the caller's to see, of a message of so many bytes.
// It reports whether to deliver
// the message and whether it is the last one.
func (x *Exchange) sift(m Message, size int) (deliver, last bool) {
	c := x.conn
	switch {
	case m.Response():
		if mine := string(m.ID) == strconv.FormatInt(x.id, 10) || string(m.ID) == "null" || m.ID == nil && m.Rest != nil; mine {
			return true, true
		}
		c.opts.Logger.Debug("server answer without a request")
		return false, false
	case m.Request() && (x.internal || m.Method == "ping"):
		c.ask(m, size)
		return false, false
	case m.ID == nil && general(m.Method):
		c.notify(m)
		return false, false
	}
	return !x.internal, false
}

// general reports whether a notification is about no call, wherever it came.
func general(method string) bool {
	switch method {
	case "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed",
		"notifications/resources/updated", "notifications/elicitation/complete":
		return true
	}
	return false
}

// Reply answers a request of the server's that Next returned, with a result or
// with fail. Servers of 2026-07-28 send none over HTTP. An error without
// ErrUnderway says that the answer was not sent.
func (x *Exchange) Reply(ctx context.Context, id, result json.RawMessage, fail *Error) error {
	if t := x.asTask(); t != nil {
		return t.reply(ctx, id, result, fail)
	}
	if x.direct {
		return fmt.Errorf("%w: this server is answered by a new call", ErrProtocol)
	}
	if err := x.conn.Err(); err != nil {
		return err
	}
	if x.conn.passedOn(x, id) {
		return fmt.Errorf("%w: another call answers this", ErrClosed)
	}
	return x.conn.answer(ctx, id, result, fail)
}

// Close ends the call. If its response has not come, the server is told. It does
// not wait for the server, and may be called more than once.
func (x *Exchange) Close() {
	if x.abandon() {
		x.conn.spawn(x.skim) // whoever reads it, it is read
		return
	}
	x.hangUp()
}

// abandon gives up a call that an older server is just making a task of: what is
// read next names the task, and it is cancelled then. It reports false where there
// is nothing to wait for.
func (x *Exchange) abandon() bool {
	if !x.tasked || x.heard.Load() {
		return false
	}
	x.closing.Lock()
	first := x.closed == nil && x.task == nil
	if first {
		x.closed = ErrClosed
	}
	x.closing.Unlock()
	if first {
		time.AfterFunc(answerTime, x.hangUp)
	}
	return first
}

// skim reads a call that nobody waits for to its end.
func (x *Exchange) skim() {
	for {
		if m, err := x.Next(); err != nil || m.Response() {
			return
		}
	}
}

// hangUp ends the call at once.
func (x *Exchange) hangUp() {
	if rest := x.rest.Load(); rest != nil && rest.whole() {
		x.took()
	}
	if x.conn.forsake(x) {
		x.conn.wire.cancel(x)
	}
	x.abort(ErrClosed)
	if t := x.asTask(); t != nil {
		t.close()
	}
}

// took ends a call whose large result was read, to its end or to what broke it.
func (x *Exchange) took() {
	x.conn.forget(x)
	if !x.direct {
		x.answered.Store(true)
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.end == nil {
		x.finish(io.EOF)
	}
}

// drop ends a call of the handshake, of which the server is not told: it may not
// know what the call was about.
func (x *Exchange) drop() {
	x.conn.forsake(x)
	x.abort(ErrClosed)
}

// abort ends the call on this side.
func (x *Exchange) abort(cause error) {
	x.closing.Lock()
	if x.closed == nil {
		x.closed = cause
	}
	x.closing.Unlock()
	if !x.direct {
		x.box.close(cause)
		if x.answered.Load() {
			return
		}
		if rest := x.rest.Load(); rest != nil {
			rest.giveUp(cause)
		}
		x.cancel()
		return
	}
	if x.answered.Load() {
		return
	}
	x.cancel() // so that Next, and who reads a large result, lets go of the stream
	if rest := x.rest.Load(); rest != nil {
		rest.stop(cause)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.end != nil {
		return
	}
	x.end = cause
	if x.stream != nil {
		x.stream.close()
	}
}
