package mcpbridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync"
)

// HandlerTransport is a RoundTripper that calls a handler of this process,
// streaming bodies, without a socket. As over a network, the handler's context
// ends when the request's does or when the body of the response is closed, and a
// handler that writes waits for somebody to read. A trace of the request hears of
// its connection, and when its body was read.
func HandlerTransport(h http.Handler) http.RoundTripper { return handlerTransport{h} }

type handlerTransport struct{ handler http.Handler }

// errClosed is what a handler gets when nobody wants its response any more.
var errClosed = errors.New("mcpbridge: the response was closed")

func (t handlerTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	// The handler gets a context of its own: values of the caller's, such as
	// traces, would not have come over a network either.
	ctx, cancel := context.WithCancelCause(context.Background())
	unlink := context.AfterFunc(r.Context(), func() { cancel(context.Cause(r.Context())) })
	wrote := traced(r)
	body, pipe := io.Pipe()
	w := &responseWriter{header: http.Header{}, pipe: pipe, started: make(chan struct{})}
	w.ended = func() error { return context.Cause(ctx) }
	aborted := context.AfterFunc(ctx, func() { pipe.CloseWithError(context.Cause(ctx)) })
	go func() {
		err := serve(t.handler, w, incoming(ctx, r, wrote))
		wrote()
		if r.Body != nil {
			r.Body.Close()
		}
		w.finish(err)
		aborted()
		unlink()
		cancel(nil)
	}()
	select {
	case <-w.started:
	case <-r.Context().Done():
	}
	if r.Context().Err() != nil {
		return nil, context.Cause(r.Context())
	}
	if w.failed != nil {
		return nil, w.failed
	}
	return w.response(r, &responseBody{body, cancel}), nil
}

// traced tells the trace of a request that it has a connection, and returns what
// tells it that all was written.
func traced(r *http.Request) (wrote func()) {
	trace := httptrace.ContextClientTrace(r.Context())
	if trace == nil {
		return func() {}
	}
	if trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	return sync.OnceFunc(func() {
		if trace.WroteRequest != nil {
			trace.WroteRequest(httptrace.WroteRequestInfo{})
		}
	})
}

// watchedBody tells when it was read to its end.
type watchedBody struct {
	io.ReadCloser
	ended func()
}

func (b watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.ended()
	}
	return n, err
}

// incoming is the request as a server would hand it to its handler.
func incoming(ctx context.Context, r *http.Request, wrote func()) *http.Request {
	in := r.Clone(ctx)
	in.URL = &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	if in.URL.Path == "" {
		in.URL.Path = "/"
	}
	in.RequestURI = in.URL.RequestURI()
	if in.Host == "" {
		in.Host = r.URL.Host
	}
	if in.Body == nil {
		in.Body = http.NoBody
	}
	in.Body = watchedBody{in.Body, wrote}
	in.RemoteAddr = "@" // as of a peer without an address
	in.Proto, in.ProtoMajor, in.ProtoMinor = "HTTP/1.1", 1, 1
	in.GetBody = nil
	return in
}

// serve calls the handler. A panic ends the response and not the process, as in
// a server.
func serve(h http.Handler, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("mcpbridge: the handler panicked: %v", p)
		}
	}()
	h.ServeHTTP(w, r)
	return nil
}

// responseWriter makes a response of what a handler writes.
type responseWriter struct {
	header  http.Header
	pipe    *io.PipeWriter
	ended   func() error  // why nobody wants the response any more, or nil
	started chan struct{} // closed when the fields below are final

	once   sync.Once
	status int
	sent   http.Header
	failed error
}

func (w *responseWriter) Header() http.Header { return w.header }

func (w *responseWriter) WriteHeader(status int) {
	if status < 200 && status != http.StatusSwitchingProtocols {
		return // what comes before the response is of no interest here
	}
	w.once.Do(func() {
		w.status, w.sent = status, maps.Clone(w.header)
		close(w.started)
	})
}

func (w *responseWriter) Write(p []byte) (int, error) {
	// A handler that saw its context end must not be able to write; the pipe is
	// closed a moment later.
	if err := w.ended(); err != nil {
		return 0, err
	}
	if w.header.Get("Content-Type") == "" {
		w.header.Set("Content-Type", http.DetectContentType(p))
	}
	w.WriteHeader(http.StatusOK)
	return w.pipe.Write(p)
}

// Flush sends the header. What is written needs no flushing.
func (w *responseWriter) Flush() { w.WriteHeader(http.StatusOK) }

// finish ends the response.
func (w *responseWriter) finish(err error) {
	if err == nil {
		err = w.ended() // what is there is not the whole
	}
	if err != nil {
		w.once.Do(func() {
			w.failed = err
			close(w.started)
		})
	}
	w.WriteHeader(http.StatusOK)
	w.pipe.CloseWithError(err)
}

func (w *responseWriter) response(r *http.Request, body io.ReadCloser) *http.Response {
	length := int64(-1)
	if n, err := strconv.ParseInt(w.sent.Get("Content-Length"), 10, 64); err == nil {
		length = n
	}
	return &http.Response{
		Status:     fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)),
		StatusCode: w.status, Header: w.sent, Body: body, ContentLength: length, Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
}

// responseBody ends the handler when it is closed.
type responseBody struct {
	*io.PipeReader
	cancel context.CancelCauseFunc
}

func (b *responseBody) Close() error {
	b.cancel(errClosed)
	return b.PipeReader.CloseWithError(errClosed)
}
