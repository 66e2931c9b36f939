package mcpclient

import (
	"context"
	"errors"
	"net/http/httptrace"
	"sync/atomic"
)

// Sent knows whether a request may have reached the server: it got the last
// connection that was looked for. A transport that looks for another one has had
// the request refused, or could not write it at all.
type Sent struct{ may atomic.Bool }

// Watch returns a context for the request.
func (s *Sent) Watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { s.may.Store(false) },
		GotConn: func(httptrace.GotConnInfo) { s.may.Store(true) },
	})
}

// Mark marks the error of a request that may have reached the server: ErrUnderway.
func (s *Sent) Mark(err error) error {
	var not interface{ NotTaken() bool }
	if !s.may.Load() || errors.As(err, &not) && not.NotTaken() {
		return err
	}
	return underway(err)
}

// unanswered marks what a server's answer to a call means when there is no
// response in it. By a status of 4xx it refuses; what stands before it may have
// lost the answer where it is 5xx.
func unanswered(err error) error {
	var status *StatusError
	if err == nil || errors.Is(err, ErrSessionGone) || errors.As(err, &status) && status.Code < 500 {
		return err
	}
	return underway(err)
}
