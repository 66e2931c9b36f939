package mcphttp

import (
	"context"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/parley-hq/parley/mcpclient"
)

// recheck is how often who opened a stream is asked about again.
const recheck = 15 * time.Second

// lasts reports whether the answer to a request is a stream without an end of its
// own: that of a session up to 2025-11-25, or one of subscriptions since. A call
// in progress has one, and was let in when it was made.
func lasts(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Header.Get(mcpclient.MethodHeader) == "subscriptions/listen"
}

// whileLetIn returns r with a context that ends when who opened the stream would
// no longer be let in: their token has expired, or Recheck says so. The client
// sees the stream end, comes back, and is told what is wrong. The caller calls
// done.
func (h *Handler) whileLetIn(r *http.Request) (_ *http.Request, done func()) {
	var ctx context.Context
	var cancel context.CancelFunc
	if token := auth.TokenInfoFromContext(r.Context()); token != nil && !token.Expiration.IsZero() {
		ctx, cancel = context.WithDeadline(r.Context(), token.Expiration)
	} else {
		ctx, cancel = context.WithCancel(r.Context())
	}
	if h.opts.Recheck == nil {
		return r.WithContext(ctx), cancel
	}
	// A timer instead of a goroutine: most streams do nothing but wait. It is
	// made before it can fire.
	ready := make(chan struct{})
	var timer *time.Timer
	timer = time.AfterFunc(recheck, func() {
		<-ready
		switch {
		case ctx.Err() != nil:
		case h.opts.Recheck(r) != nil:
			cancel()
		default:
			timer.Reset(recheck)
		}
	})
	close(ready)
	return r.WithContext(ctx), func() {
		cancel()
		timer.Stop()
	}
}
