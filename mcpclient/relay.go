package mcpclient

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
)

// Relay carries messages that somebody else wrote to a server over HTTP, as they
// are: their ids, their version and what they say of their client are not looked
// at. It finds no era and begins no session; otherwise requests, streams that are
// taken up again, redirects, limits and errors are those of a Conn.
//
// It is safe for concurrent use.
type Relay struct {
	at  *endpoint
	log *slog.Logger
}

// RelayOptions says where the server of a Relay is.
type RelayOptions struct {
	URL    string       // required
	Client *http.Client // as in Options
	Header http.Header  // sent with every request, such as Authorization

	MaxMessage int64        // the largest message of the server in bytes; default 32 MiB
	Logger     *slog.Logger // default: nowhere
}

// NewRelay returns a Relay. It connects to nothing yet. The error is ErrProtocol.
func NewRelay(opts *RelayOptions) (*Relay, error) {
	filled := (&Options{Client: opts.Client, MaxMessage: opts.MaxMessage, Logger: opts.Logger}).filled()
	at, err := newEndpoint(opts.URL, filled.Client, filled.MaxMessage)
	if err != nil {
		return nil, err
	}
	at.header = make(http.Header, len(opts.Header))
	for name, values := range opts.Header {
		at.header[http.CanonicalHeaderKey(name)] = values
	}
	return &Relay{at: at, log: filled.Logger}, nil
}

// Session is what the requests of a session say besides their message. The zero
// value is that of initialize; one of 2026-07-28 has no ID.
type Session struct {
	ID      string
	Version string
}

func (s Session) heading() *heading {
	h := &heading{modern: s.Version >= ModernVersion}
	if s.ID != "" {
		h.session = []string{s.ID}
	}
	if s.Version != "" {
		h.version = []string{s.Version}
	}
	return h
}

// Post sends a request and returns once the server answers it. Of r, only Method,
// Name and Header are used. ctx bounds the answer too. The errors are those of
// Conn.Call; any error of JSON-RPC is an answer, whatever its status, but 401.
func (r *Relay) Post(ctx context.Context, s Session, body []byte, req Request) (*Response, error) {
	head := s.heading()
	resp, err := r.at.post(ctx, head, body, &req)
	if err != nil {
		return nil, err
	}
	begun := resp.Header.Get(SessionHeader)
	stream, err := r.accept(resp, head)
	if err != nil {
		return nil, unanswered(err)
	}
	return &Response{relay: r, head: head, stream: stream, session: begun}, nil
}

// Send sends what has no answer: a notification, or the answer to a request of
// the server. The errors are those of Conn.Notify.
func (r *Relay) Send(ctx context.Context, s Session, body []byte, req Request) error {
	head := s.heading()
	resp, err := r.at.post(ctx, head, body, &req)
	if err != nil {
		return err
	}
	return taken(resp, func(resp *http.Response) (*reply, error) { return r.accept(resp, head) })
}

// Listen calls each with what the server says about no call, on the stream of an
// older session, which is opened again whenever it ends. It returns when ctx ends,
// or why there is no such stream: ErrSessionGone, *StatusError, ErrProtocol.
func (r *Relay) Listen(ctx context.Context, s Session, each func(m Message, raw []byte)) error {
	head := s.heading()
	opened := func(_ string, err error) {
		if err != nil && ctx.Err() == nil {
			r.log.Debug("stream of the session not opened", "error", err)
		}
	}
	return attend(ctx, func(ctx context.Context, last string) (*reply, error) { return r.get(ctx, head, last) }, opened, func(stream *reply) (n int) {
		_ = r.each(stream, func(m Message, raw []byte) bool {
			n++
			each(m, raw)
			return false
		})
		return n
	})
}

// End tells the server that a session is over.
func (r *Relay) End(ctx context.Context, s Session) error { return r.at.end(ctx, s.heading()) }

func (r *Relay) get(ctx context.Context, head *heading, last string) (*reply, error) {
	resp, err := r.at.get(ctx, head, last)
	if err != nil {
		return nil, err
	}
	return events(r.accept(resp, head))
}

// accept returns the messages of a response, or the error that its status is.
func (r *Relay) accept(resp *http.Response, head *heading) (*reply, error) {
	stream, refused, err := r.at.read(resp, head)
	switch {
	case err != nil || refused == nil:
		return stream, err
	case refused.gone || refused.rpc == nil:
		return nil, refused.err()
	}
	return refused.rpc, nil
}

// each reads a stream until done returns true, which is nil, or it ends. What is
// no message is left out: there may be one behind it.
func (r *Relay) each(stream *reply, done func(m Message, raw []byte) bool) error {
	defer stream.close()
	for {
		m, err := stream.next()
		switch {
		case errors.Is(err, ErrProtocol) && !stream.ended:
			r.log.Warn("message of the server not readable", "error", err)
		case err != nil:
			return err
		case done(m, stream.raw):
			return nil
		}
	}
}

// Response is what a server says to a request of a Relay. Read or Close it.
type Response struct {
	relay   *Relay
	head    *heading
	stream  *reply
	session string
}

// Session is the id of the session that the request began; empty for none.
func (a *Response) Session() string { return a.session }

// Events reports whether it is a stream: the server works on the request.
func (a *Response) Events() bool { return a.stream.events != nil }

// Read calls done with each message until it returns true, because that was the
// answer. A stream of an older session is taken up again where it ended. The
// errors are those of Exchange.Next.
func (a *Response) Read(ctx context.Context, done func(m Message, raw []byte) bool) error {
	deliver := func(stream *reply) error { return a.relay.each(stream, done) }
	if a.head.modern {
		if err := deliver(a.stream); err != nil {
			return underway(early(err))
		}
		return nil
	}
	return pursue(ctx, a.stream, deliver, func(ctx context.Context, last string) (*reply, error) {
		return a.relay.get(ctx, a.head, last)
	})
}
