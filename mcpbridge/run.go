// Package mcpbridge lets programs that speak MCP over standard input and
// output (editors, assistants) use a server that speaks it over streamable
// HTTP: a remote one, or a handler of the same process.
//
//	err := mcpbridge.Run(ctx, os.Stdin, os.Stdout, &mcpbridge.Options{
//		URL:    "https://parley.example/mcp",
//		Header: http.Header{"Authorization": {"Bearer " + token}},
//	})
//
// Each line from the client is one message and becomes one POST. What the server
// answers, on that POST or on the stream of its session, becomes lines. Calls
// run side by side: one that waits for a person blocks no other. Only the
// beginning of a session keeps its order, since the rest depends on it.
//
// The eras of MCP differ in HTTP, not on the lines. Up to 2025-11-25 there is a
// session, which the bridge keeps and, where nobody can tell the difference,
// begins anew when the server lost it. From 2026-07-28 on each message says its
// version, and the bridge repeats in headers what the protocol wants there.
package mcpbridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

// Options configures [Run]. Zero fields mean the defaults.
type Options struct {
	// URL is the server's endpoint. Required.
	URL string
	// Client makes the requests, and follows redirects to a slash at the end of
	// the address alone. It should have no time-out: calls wait for people.
	// Default one of its own.
	Client *http.Client
	// Header is added to every request: Authorization.
	Header http.Header
	// MaxMessage is the size of the largest message in bytes, either way.
	// Default 32 MiB.
	MaxMessage int64

	Logger *slog.Logger // default slog.Default(), which must not write to out
}

// grace is how long open requests may take to end once the client has gone, and
// how long a server may take to hear of it.
const grace = 2 * time.Second

// errEnded is the cause when the client has gone and its time is up.
var errEnded = errors.New("the client has gone")

// Run reads messages from in, sends them to the server and writes what comes
// back to out, until in ends or ctx does. It returns nil when in ended.
//
// A Read or Write that blocks cannot be interrupted: when ctx ends first, the
// goroutine that reads in stays until in is closed, or the process ends.
func Run(ctx context.Context, in io.Reader, out io.Writer, opts *Options) error {
	b, err := newBridge(opts)
	if err != nil {
		return err
	}
	defer b.closeIdle()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	written := make(chan struct{})
	go func() {
		defer close(written)
		if err := writeLines(out, b.lines); err != nil {
			cancel(fmt.Errorf("mcpbridge: write: %w", err))
		}
	}()
	err = b.read(ctx, in)
	b.settle(ctx, cancel)
	b.endSession(ctx)
	close(b.lines)
	select {
	case <-written:
	case <-time.After(grace): // nobody takes the last lines
	}
	return err
}

// bridge is one run.
type bridge struct {
	opts      Options
	endpoint  string // as people may see it
	relay     *mcpclient.Relay
	closeIdle func()
	lines     chan []byte // to the writer, without newline

	gate       chan struct{} // closed when the last message that others wait for is through; of the reading goroutine
	calls      calls
	session    sessionState
	tools      toolHeaders
	handlers   sync.WaitGroup // messages of the client under way
	background sync.WaitGroup // streams of sessions
}

func newBridge(o *Options) (*bridge, error) {
	opts := *o
	u, err := url.Parse(opts.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("mcpbridge: %q is not the http or https address of a server", opts.URL)
	}
	opts.MaxMessage = cmp.Or(opts.MaxMessage, 32<<20)
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	b := &bridge{opts: opts, endpoint: u.Redacted(), closeIdle: func() {}, lines: make(chan []byte)}
	b.session.turn = make(chan struct{}, 1)
	if opts.Client == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		opts.Client, b.closeIdle = &http.Client{Transport: transport}, transport.CloseIdleConnections
	}
	b.relay, err = mcpclient.NewRelay(&mcpclient.RelayOptions{
		URL: opts.URL, Client: opts.Client, Header: opts.Header, MaxMessage: opts.MaxMessage, Logger: opts.Logger,
	})
	return b, err
}

// read takes lines until in ends or ctx does.
func (b *bridge) read(ctx context.Context, in io.Reader) error {
	type arrival struct {
		line line
		err  error
	}
	arrivals := make(chan arrival)
	go func() {
		lines := newLineReader(in, b.opts.MaxMessage)
		for {
			l, err := lines.next()
			select {
			case arrivals <- arrival{l, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case a := <-arrivals:
			if errors.Is(a.err, io.EOF) {
				return nil
			}
			if a.err != nil {
				return fmt.Errorf("mcpbridge: read: %w", a.err)
			}
			b.take(ctx, a.line)
		}
	}
}

// settle gives the open requests their grace and then ends them.
func (b *bridge) settle(ctx context.Context, cancel context.CancelCauseFunc) {
	done := make(chan struct{})
	go func() {
		b.handlers.Wait()
		close(done)
	}()
	patience := time.NewTimer(grace)
	defer patience.Stop()
	select {
	case <-done:
	case <-patience.C:
	case <-ctx.Done():
	}
	cancel(errEnded)
	<-done
	b.background.Wait()
}

// send writes one message to the client, unless the run ends first.
func (b *bridge) send(ctx context.Context, message []byte) {
	select {
	case b.lines <- message:
	case <-ctx.Done():
	}
}
