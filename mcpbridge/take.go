package mcpbridge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

// errCancelled is the cause when the client cancelled a request: it wants no
// answer.
var errCancelled = errors.New("cancelled by the client")

// headStart is what a request gets before its cancellation follows.
const headStart = 100 * time.Millisecond

// take begins to handle a line.
func (b *bridge) take(ctx context.Context, l line) {
	if l.tooLong {
		b.refuseLine(ctx, l.found)
		return
	}
	m, err := parseMessage(l.text)
	if err != nil {
		code := codeInvalid
		if errors.Is(err, errNotJSON) {
			code = codeParse
		}
		b.handlers.Go(func() { b.send(ctx, errorMessage(m.id, code, err.Error())) })
		return
	}
	if m.Response() && m.id == nil {
		b.opts.Logger.Info("message not readable for the client", "err", m.Error)
		return
	}
	b.handle(ctx, m)
}

// refuseLine answers a message that is too large to be sent. One that is an
// answer itself is replaced, since the server waits for it.
func (b *bridge) refuseLine(ctx context.Context, e envelope) {
	text := fmt.Sprintf("the message is larger than %d bytes", b.opts.MaxMessage)
	switch {
	case e.id == nil:
		b.opts.Logger.Warn("notification dropped: too large", "limit", b.opts.MaxMessage)
	case e.method:
		b.handlers.Go(func() { b.send(ctx, errorMessage(e.id, codeInvalid, text)) })
	default:
		raw := errorMessage(e.id, codeTransport, text)
		b.handle(ctx, &message{raw: raw, id: e.id})
	}
}

// handle sends a message on its way. Those that begin a session hold up the ones
// behind them.
func (b *bridge) handle(ctx context.Context, m *message) {
	gate := b.gate
	through := func() {}
	if m.Method == methodInitialize || m.Method == methodInitialized {
		passed := make(chan struct{})
		b.gate, through = passed, func() { close(passed) }
	}
	if !m.Request() {
		b.handlers.Go(func() {
			defer through()
			if wait(ctx, gate) {
				b.tell(ctx, m)
			}
		})
		return
	}
	// Entered here and not in the goroutine: the next line may cancel it.
	callCtx, c := b.calls.add(ctx, m)
	if c == nil {
		b.opts.Logger.Warn("request dropped: another one with its id is open", "id", string(m.id))
		through()
		return
	}
	b.handlers.Go(func() {
		defer through()
		defer b.calls.remove(c)
		if wait(callCtx, gate) {
			b.ask(ctx, callCtx, c, m)
		}
	})
}

// wait returns when the gate is open, with false if ctx ends first.
func wait(ctx context.Context, gate <-chan struct{}) bool {
	if gate == nil {
		return true
	}
	select {
	case <-gate:
		return true
	case <-ctx.Done():
		return false
	}
}

// ask makes a request and sees to it that it is answered, unless the client
// cancelled it or has gone.
func (b *bridge) ask(ctx, callCtx context.Context, c *call, m *message) {
	err := b.exchange(ctx, callCtx, c, m)
	if err == nil || ctx.Err() != nil {
		return
	}
	if cause := context.Cause(callCtx); cause != nil {
		err = cause
	}
	if errors.Is(err, errCancelled) {
		return
	}
	b.opts.Logger.Warn("request failed", "method", m.Method, "err", err)
	b.calls.release(c)
	b.send(ctx, errorMessage(m.id, codeTransport, b.sentence(err)))
}

// tell sends a notification, or the answer to a request of the server.
func (b *bridge) tell(ctx context.Context, m *message) {
	if m.Method == methodCancelled {
		b.cancelCall(ctx, m)
		return
	}
	s := b.session.current()
	if m.Response() {
		id := serverID(s.number, m.id)
		if id == nil || s.number == 0 {
			b.opts.Logger.Info("answer to a question of an ended session dropped")
			return
		}
		if s.number > 1 {
			m.raw = withID(m.raw, id)
		}
	}
	if b.deliver(ctx, s, m) && m.Method == methodInitialized {
		b.session.noteReady(m)
		b.startListening(ctx, s)
	}
}

// deliver posts a message that has no answer, and reports whether the server
// took it.
func (b *bridge) deliver(ctx context.Context, s session, m *message) bool {
	err := b.relay.Send(ctx, s.said(m), m.raw, b.headers(m))
	if err == nil {
		return true
	}
	if errors.Is(err, mcpclient.ErrSessionGone) {
		b.session.lose(s)
	}
	if ctx.Err() == nil {
		b.opts.Logger.Warn("message not taken by the server", "method", m.Method, "err", err)
	}
	return false
}

// cancelCall passes on that the client lost interest in a request. In the new
// era that is the end of its connection, and nothing else.
func (b *bridge) cancelCall(ctx context.Context, m *message) {
	c := b.calls.find(m.cancelledID())
	if c == nil {
		return // it was answered meanwhile
	}
	if !c.modern {
		// A server that hears of the cancellation before the request ignores
		// it. Not all say that they have the request, so there is a limit.
		if !wait(ctx, c.isSent) {
			return
		}
		early, stop := context.WithTimeout(ctx, headStart)
		wait(early, c.isHeard)
		stop()
		b.deliver(ctx, b.session.current(), m)
	}
	c.cancel(errCancelled)
}
