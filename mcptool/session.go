package mcptool

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// ErrSessionEnded is the cause of a call's context when its client ends the session.
var ErrSessionEnded = errors.New("the client ended the session")

// ErrGivenUp is the cause of a call's context when the call is given up because its
// client has left, and too many have, of which its caller has the most: nobody comes
// back for it, and nobody needs to be asked any more.
var ErrGivenUp = fmt.Errorf("%w: it had left, and too many had", ErrSessionEnded)

// Session is the session of a client up to 2025-11-25, as whoever serves it over
// HTTP knows it.
type Session interface {
	// Heard is a context that ends when the client can no longer hear the results of
	// the request with this header; one without end where that is not known.
	Heard(request http.Header) context.Context
}

type sessionKey struct{}

// WithSession returns a context for the calls of a session.
func WithSession(ctx context.Context, s Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// heard is a context that ends when the client can no longer hear the result of the
// call with this context; one without end where that is not known.
func (c client) heard(ctx context.Context) context.Context {
	session, _ := ctx.Value(sessionKey{}).(Session)
	if session == nil || c.header == nil {
		return context.Background()
	}
	return session.Heard(c.header)
}
