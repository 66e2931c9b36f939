package modelserver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"
)

// errSilent ends a request whose server sent nothing for too long.
var errSilent = errors.New("the server sent nothing for too long")

// longestRetry is how long a server may ask us to wait before we try again by
// ourselves: a person waits with us.
const longestRetry = 20 * time.Second

// Exchange is one request and its repetitions.
type Exchange struct {
	server *Server
	timer  *time.Timer
	cancel context.CancelCauseFunc

	begun bool   // the server has accepted the request
	first []byte // how its answer begins
	lost  error  // why not all of its answer came
	fault *Fault // what it said instead, the last time
}

// Begin returns the context for a request, which ends when the server is silent
// for longer than it may be.
func (s *Server) Begin(ctx context.Context) (context.Context, *Exchange) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(s.patience, func() { cancel(errSilent) })
	return ctx, &Exchange{server: s, timer: timer, cancel: cancel}
}

// End lets go of the request.
func (x *Exchange) End() {
	x.timer.Stop()
	x.cancel(nil)
}

// Attempt makes the request once. Every byte of the answer is a sign of life,
// also of the parts that the library keeps to itself.
func (x *Exchange) Attempt(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	x.begun, x.fault, x.first, x.lost = false, nil, nil, nil
	x.alive()
	res, err := next(req)
	if err != nil {
		return res, err
	}
	res.Body = &heard{ReadCloser: res.Body, exchange: x}
	if res.StatusCode < 400 {
		x.begun = true
		return res, nil
	}
	// Read here, since the libraries lose the status where the body is not what
	// they expect, or not all of it comes.
	body, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	res.Body.Close()
	res.Body = io.NopCloser(bytes.NewReader(body))
	fault := ReadFault(res.StatusCode, body)
	x.fault = &fault
	if wait, ok := retryAfter(res.Header); ok && wait > longestRetry {
		res.Header.Set("X-Should-Retry", "false") // the libraries heed it
	}
	return res, nil
}

func (x *Exchange) alive() { x.timer.Reset(x.server.patience) }

func retryAfter(h http.Header) (time.Duration, bool) {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return time.Duration(ms * float64(time.Millisecond)), true
	}
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		return time.Duration(seconds * float64(time.Second)), true
	}
	if at, err := http.ParseTime(value); err == nil {
		return time.Until(at), true
	}
	return 0, false
}

type heard struct {
	io.ReadCloser
	exchange *Exchange
}

func (h *heard) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	x := h.exchange
	if n > 0 {
		x.alive()
		x.first = append(x.first, p[:min(n, mostFirst-len(x.first))]...)
	}
	if err != nil && err != io.EOF {
		x.lost = err
	}
	return n, err
}

// mostFirst is how much of an answer is kept to see what it is.
const mostFirst = 80

// streams reports whether what came of an answer may be the beginning of a stream
// of events.
func (x *Exchange) streams() bool {
	began := bytes.TrimSpace(x.first)
	for _, field := range []string{":", "data:", "event:", "id:", "retry:"} {
		if bytes.HasPrefix(began, []byte(field)) {
			return true
		}
	}
	return len(began) == 0
}
