// Package mcpclient is a client of one MCP server that relays messages as bytes
// and looks only into what it must. It exists because a gateway's calls cost
// little more than the server's own only if nothing is decoded on the way.
//
// Its nouns:
//
//   - Conn: a connection to one server, over HTTP, to a program that it started
//     or by a pipe; of either era, which Connect finds out.
//   - Exchange: one call. Its Next returns what the server sends about it:
//     notifications, questions, and last the response.
//   - Message: what was sent, with its envelope read and the rest as bytes.
//   - Round: what a response asks a person for, read within limits.
//
// A server is not trusted with this process: what it sends is taken up to
// Options.MaxMessage, counted after decompression, and lists, questions and what
// waits to be read have ends as well.
//
// An example:
//
//	c, err := mcpclient.Connect(ctx, &mcpclient.Options{URL: "https://tracker.example/mcp", Client: client})
//	...
//	x, err := c.Call(ctx, mcpclient.Request{Method: "tools/call", Name: "search", Params: params})
//	...
//	defer x.Close()
//	for {
//		m, err := x.Next()
//		if err != nil { ... }
//		if m.Response() {
//			return m
//		}
//		if m.Request() { // an older server asks in line
//			err = x.Reply(ctx, m.ID, answer, nil)
//		}
//	}
//
// The context of Call bounds only until the server took the call, which over
// HTTP is when the headers of its answer came, or a question by another way: an
// Exchange lives until its response or Close, because calls wait for people, and
// another request of the caller's goes on with them. Many servers send no header
// before they have something to say, so Call may take as long as the call.
//
// Whose a message is: what comes on the stream of a call's own POST belongs to
// that call. A request that comes by the GET stream of an older HTTP server, or
// over stdio, does not say which call it is about, and neither does a log message.
// It goes to the only open Exchange, or of several to the oldest that waits for no
// answer. That is safe only because a Conn is one person's: who gets the question is
// the same in any case. Do not share one between people. An Exchange that ends by its
// response leaves what it has not answered to the others; what one was asked that is
// closed is answered with a cancel, since it may have been about another. So each
// question has an answer.
//
// A Conn is safe for concurrent use, an Exchange too but for Next, which has one
// caller at a time. Close both.
package mcpclient

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"

	"github.com/parley-hq/parley/tracing"
)

// ModernVersion is the first version of MCP without sessions: from it on each
// message says its version. Versions are dates, so that they can be compared.
const ModernVersion = "2026-07-28"

// legacyVersions are the older ones that this client speaks: they start with
// initialize.
var legacyVersions = [...]string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// Older reports whether a version of MCP is one of those with sessions.
func Older(version string) bool { return slices.Contains(legacyVersions[:], version) }

// Options says where a server is. One of URL, Command and Pipe is set.
type Options struct {
	URL string
	// Client carries the requests, and the credential. It has no overall
	// timeout: calls wait for people. Default: http.DefaultClient.
	Client *http.Client

	Command []string  // a program to start, and its arguments
	Env     []string  // Command: its whole environment, as "NAME=value"
	Stderr  io.Writer // Command: what it says on stderr; default: to the Logger, line by line
	// Programs bounds how many run, and Use is whose this one is. Default: no
	// bound.
	Programs *Programs
	Use      Use

	// Pipe leads to a server that speaks lines, as a program does. Close closes
	// it; so does a Connect that fails.
	Pipe io.ReadWriteCloser

	Name, Version string // of this client; default: parley, 1
	// Capabilities are what the server is told that this client can do.
	// Default: elicitation by form and by URL.
	Capabilities json.RawMessage

	// Tasks says that a server may make tasks of calls: an Exchange waits for them
	// to end. Default: servers of 2026-07-28 are not told so.
	Tasks bool

	// Notify gets the notifications that belong to no call: changed lists,
	// updated resources, completed elicitations, and log messages that came
	// while no call was open. It must not block. Default: they are
	// dropped, and servers of 2026-07-28 are not asked for them.
	Notify func(Message)
	// SessionOnly says that Notify is for what belongs to this session: servers of
	// 2026-07-28 have none, and are not asked for changed lists.
	SessionOnly bool
	// Aside is told that the server asks about a call in a way that does not say which:
	// see the package comment. It does not block. Default: nobody is told.
	Aside func()
	// Request answers the requests of the server that belong to no call; a ping
	// is answered without it. It may block; a few run at a time. Default: they
	// are refused with -32601.
	Request func(Message) (json.RawMessage, *Error)

	MaxMessage int64        // the largest message in bytes, as it is when unpacked; default 32 MiB
	Logger     *slog.Logger // default: nowhere
}

func (given *Options) filled() Options {
	o := *given
	if o.Client == nil {
		o.Client = http.DefaultClient
	}
	o.Name, o.Version = cmp.Or(o.Name, "parley"), cmp.Or(o.Version, "1")
	if len(o.Capabilities) == 0 {
		o.Capabilities = json.RawMessage(`{"elicitation":{"form":{},"url":{}}}`)
	}
	if o.Aside == nil {
		o.Aside = func() {}
	}
	if o.Request == nil {
		o.Request = func(Message) (json.RawMessage, *Error) {
			return nil, &Error{Code: codeNotFound, Message: "method not found"}
		}
	}
	if o.MaxMessage <= 0 {
		o.MaxMessage = 32 << 20
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Stderr == nil {
		o.Stderr = &logWriter{log: o.Logger}
	}
	return o
}

// Connect connects to a server and finds its era: it is asked for
// server/discover first, and if it does not know that, it is initialized. A
// server that is silent for a while (a program for 3 s, over HTTP 10 s) is
// initialized too; a program that exits is started again for that. ctx bounds
// only this.
//
// The errors are *StatusError, *Error (initialize was refused), ErrUnreachable,
// ErrTooLarge, ErrProtocol and ErrTooManyPrograms.
func Connect(ctx context.Context, o *Options) (*Conn, error) {
	opts := o.filled()
	if (opts.URL == "") == (len(opts.Command) == 0 && opts.Pipe == nil) || len(opts.Command) > 0 && opts.Pipe != nil {
		return nil, fmt.Errorf("%w: a server has exactly one of a URL, a command and a pipe", ErrProtocol)
	}
	if !visit(opts.Capabilities, func(_, _ []byte) bool { return true }) {
		return nil, fmt.Errorf("%w: capabilities are a JSON object", ErrProtocol)
	}
	switch {
	case opts.URL != "":
		return connectWeb(ctx, opts)
	case opts.Pipe != nil:
		return connectPipe(ctx, opts)
	}
	return connectProgram(ctx, opts)
}

// Request is a call to make.
type Request struct {
	Method string
	// Name is what is called: the tool, the prompt or the resource's URI, for
	// the header Mcp-Name. Empty: no header.
	Name string
	// Params is a JSON object, or empty. It is sent as it is, but for its _meta:
	// the progress token, what 2026-07-28 says of the client there, and traces are
	// this client's to set.
	Params json.RawMessage
	// Progress is the token to ask progress with. Nil: none is asked for. Over
	// stdio it has to be unique among the open calls of a connection.
	Progress json.RawMessage
	// Task has an older server make a task of the call, if it knows them and
	// Options.Tasks is set: some of its tools cannot be called otherwise. One of
	// 2026-07-28 decides by itself.
	Task bool
	// LogLevel asks a server of 2026-07-28 for log messages of this call. Older
	// ones have a level for the connection (logging/setLevel).
	LogLevel string
	// Header is sent besides, such as Mcp-Param-*. It cannot replace the headers
	// of this client.
	Header http.Header
	// Trace is where the call belongs in a trace. The server is told in its _meta and,
	// over HTTP, by headers. Default: it is told nothing, whatever Params say.
	Trace tracing.Context
	// Large lets the response be a Message with Rest, if it is large and comes by
	// HTTP: it takes no memory then. The Exchange is closed after Rest was read.
	Large bool
}
