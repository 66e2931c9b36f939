package mcpbridge

import (
	"context"
	"errors"
	"net/http"

	"github.com/parley-hq/parley/mcpclient"
)

// startListening opens the stream on which a server up to 2025-11-25 sends what
// belongs to no call.
func (b *bridge) startListening(ctx context.Context, s session) {
	if s.version >= mcpclient.ModernVersion {
		return
	}
	ctx, stop := context.WithCancel(ctx)
	b.session.mu.Lock()
	if b.session.now.number != s.number {
		b.session.mu.Unlock()
		stop()
		return
	}
	if b.session.stop != nil {
		b.session.stop()
	}
	b.session.stop = stop
	b.session.mu.Unlock()
	b.background.Go(func() {
		defer stop()
		b.listen(ctx, s)
	})
}

// listen passes on what comes on the stream of a session, until that ends or the
// server has no such stream.
func (b *bridge) listen(ctx context.Context, s session) {
	err := b.relay.Listen(ctx, s.said(nil), func(found mcpclient.Message, raw []byte) {
		m := received(found, raw)
		if m.Response() {
			b.opts.Logger.Warn("answer on the stream of the session dropped")
			return
		}
		b.send(ctx, forClient(s.number, m))
	})
	var status *mcpclient.StatusError
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, mcpclient.ErrSessionGone):
		b.session.lose(s)
	case errors.As(err, &status) && (status.Code == http.StatusMethodNotAllowed || status.Code == http.StatusNotFound):
		// The server has no such stream, which is fine.
	default:
		b.opts.Logger.Warn("stream of the session not heard", "err", err)
	}
}
