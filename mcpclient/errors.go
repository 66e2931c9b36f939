package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/parley-hq/parley/internal/sse"
)

var (
	// ErrUnreachable: no connection, or it broke. What the HTTP client's
	// transport returned is wrapped beside it: look for errors of your own
	// transport first.
	ErrUnreachable = errors.New("server cannot be reached")

	// ErrTooLarge: a message has more bytes than Options.MaxMessage.
	ErrTooLarge = sse.ErrTooLarge

	// ErrProtocol: the server, or the caller, said something that is no MCP.
	ErrProtocol = errors.New("protocol violated")

	// ErrSessionGone: the server forgot the session, or its process ended.
	// Connect again.
	ErrSessionGone = errors.New("session is gone")

	// ErrUnderway: the server may have taken the call, and there is no response
	// that could be read: whether it was carried out is not known. Why is wrapped
	// beside it. What fails without it was not sent, or was refused (StatusError).
	// An error of the HTTP client's transport that has a method NotTaken() bool
	// and returns true is of a request that the server did not take.
	ErrUnderway = errors.New("the server had taken the call")

	// ErrClosed: the Exchange or the Conn was closed by its owner.
	ErrClosed = errors.New("closed")
)

// Error is an error of JSON-RPC, as the server sent it.
type Error struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error is cut: logs need not hold all that a server says.
func (e *Error) Error() string { return fmt.Sprintf("%.500s (%d)", e.Message, e.Code) }

// The codes of JSON-RPC that this package looks at.
const (
	codeNotFound = -32601
	codeServer   = -32000
)

// StatusError is an HTTP status that refuses a request without saying so in
// JSON-RPC: 401 and 403 always, others if their body is none.
type StatusError struct {
	Code            int
	WWWAuthenticate []string // the challenges that came with it
	Location        string   // where a redirect that is not followed leads
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("server answered with status %d %s", e.Code, http.StatusText(e.Code))
}

// unreachable marks an error of a connection. The address is left out: a query
// may hold a secret.
func unreachable(err error) error {
	var where *url.Error
	if errors.As(err, &where) {
		err = where.Err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrTooLarge) || errors.Is(err, ErrProtocol) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnreachable, err)
}

// early is the error of a stream that ended before the response.
func early(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: the stream ended before the response", ErrUnreachable)
	}
	return unreachable(err)
}

// underway marks the error of a call that the server may have taken.
func underway(err error) error {
	if err == nil || errors.Is(err, ErrUnderway) {
		return err
	}
	return &underwayError{err}
}

// underwayError is ErrUnderway, and why.
type underwayError struct{ err error }

func (e *underwayError) Error() string   { return ErrUnderway.Error() + ", " + e.err.Error() }
func (e *underwayError) Unwrap() []error { return []error{ErrUnderway, e.err} }
