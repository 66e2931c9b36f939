package chat

import (
	"context"
	"errors"
	"net/http"

	"github.com/coder/websocket"
)

// ErrStopping is the cause with which a server ends the contexts of requests when
// it is being stopped and nothing runs there any more. Streams then end without the
// word that ends a turn, and sockets with the code 1012: the turn goes on, and the
// client takes it up again, elsewhere.
var ErrStopping = errors.New("the server is being stopped")

// stopping reports whether the server ends a request, and not its client.
func stopping(r *http.Request) bool { return errors.Is(context.Cause(r.Context()), ErrStopping) }

// untilStopped is the context of a socket. It outlives that of its request, so that
// the client can be told why the socket ends.
func (s *socket) untilStopped() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.r.Context()))
	leave := context.AfterFunc(s.r.Context(), func() {
		if stopping(s.r) {
			_ = s.conn.Close(websocket.StatusServiceRestart, "the server is being stopped; connect again")
		}
		cancel()
	})
	return ctx, func() {
		leave()
		cancel()
	}
}
