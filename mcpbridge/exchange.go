package mcpbridge

import (
	"bytes"
	"context"
	"errors"
	"net/http/httptrace"

	"github.com/parley-hq/parley/mcpclient"
)

// exchange posts a request and passes on what comes back. It returns nil if that
// included the answer.
func (b *bridge) exchange(ctx, callCtx context.Context, c *call, m *message) error {
	var s session
	if !m.modern() && m.Method != methodInitialize {
		var err error
		if s, err = b.usableSession(ctx, callCtx, c); err != nil {
			return err
		}
	}
	response, err := b.postCall(callCtx, s, m, c)
	if errors.Is(err, mcpclient.ErrSessionGone) {
		// The server did not look at the request, so it can be made again.
		b.session.lose(s)
		if s, err = b.usableSession(ctx, callCtx, c); err != nil {
			return err
		}
		response, err = b.postCall(callCtx, s, m, c)
	}
	if errors.Is(err, mcpclient.ErrSessionGone) {
		b.session.lose(s)
		return errReconnect
	}
	if err != nil {
		return err
	}
	if response.Events() {
		b.calls.take(c)
	}
	r := &reply{bridge: b, session: s, to: m, call: c, begun: response.Session()}
	return response.Read(callCtx, func(found mcpclient.Message, raw []byte) bool { return r.take(ctx, found, raw) })
}

// postCall makes a request in a session, and notes when it was sent and answered.
func (b *bridge) postCall(ctx context.Context, s session, m *message, c *call) (*mcpclient.Response, error) {
	b.calls.enter(c, s.number)
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { c.sent() }})
	response, err := b.relay.Post(ctx, s.said(m), m.raw, b.headers(m))
	if err == nil || !errors.Is(err, mcpclient.ErrUnderway) {
		c.heard()
	}
	return response, err
}

// reply passes on what the server sends in answer to a request.
type reply struct {
	bridge  *bridge
	session session
	to      *message
	call    *call
	begun   string // the session that it began
}

// take passes on one message and reports whether the request is answered.
func (r *reply) take(ctx context.Context, found mcpclient.Message, raw []byte) bool {
	m := received(found, raw)
	switch {
	case !m.Response():
		r.bridge.send(ctx, forClient(r.session.number, m))
		return false
	case m.id == nil:
		// The server could not tell the id, but there is only one request here.
		r.bridge.calls.release(r.call)
		r.bridge.send(ctx, withID(m.raw, r.to.id))
		return true
	case bytes.Equal(m.id, r.to.id):
		r.bridge.learn(ctx, r, m)
		r.bridge.calls.release(r.call)
		r.bridge.send(ctx, m.raw)
		return true
	}
	r.bridge.opts.Logger.Warn("answer to another request dropped", "method", r.to.Method)
	return false
}

// learn keeps what the bridge needs to know of an answer.
func (b *bridge) learn(ctx context.Context, r *reply, m *message) {
	switch {
	case m.Error != nil:
	case r.to.Method == methodInitialize:
		if replaced := b.session.begin(r.to, r.begun, m); replaced.id != "" {
			b.background.Go(func() { b.deleteSession(ctx, replaced) })
		}
	case r.to.Method == "tools/list":
		b.tools.learn(m.Result)
	case r.to.Method == "logging/setLevel":
		b.session.noteLevel(r.to)
	case r.to.Method == "resources/subscribe":
		b.session.tie(r.session)
	}
}
