package mcpclient

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// web is a server over HTTP.
type web struct {
	conn  *Conn
	base  *http.Request // what every request has
	head  atomic.Pointer[heading]
	lived atomic.Bool   // the server has answered a call of the session
	hears chan struct{} // closed when the first GET was answered
}

// stays has requests go to the server's own address and no other, but for a slash
// at its end: what was approved, and whose credential it is, is for that address.
func stays(c *http.Client) *http.Client {
	own := *c
	own.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		from := via[len(via)-1].URL
		if len(via) > 1 || next.URL.Scheme != from.Scheme || next.URL.Host != from.Host ||
			strings.TrimSuffix(next.URL.Path, "/") != strings.TrimSuffix(from.Path, "/") || next.URL.RawQuery != from.RawQuery {
			return http.ErrUseLastResponse
		}
		if c.CheckRedirect != nil {
			return c.CheckRedirect(next, via)
		}
		return nil
	}
	return &own
}

// heading is what the requests say since the era is known.
type heading struct {
	version []string // nil: before initialize
	session []string // nil: there is none
	modern  bool     // what is called is said in headers too
}

var (
	acceptBoth   = []string{"application/json, text/event-stream"}
	acceptEvents = []string{"text/event-stream"}
	typeJSON     = []string{"application/json"}

	// Nothing is unpacked: a server could send a thousandth of what it has us read.
	unpacked = []string{"identity"}
)

// The names of headers, as net/http has them.
const (
	headerVersion = "Mcp-Protocol-Version"
	headerSession = "Mcp-Session-Id"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
	headerLast    = "Last-Event-Id"
)

// request makes an HTTP request. Its headers share their values with others:
// whoever changes one has to set it anew, as http.Header does.
func (w *web) request(ctx context.Context, method string, body []byte) *http.Request {
	h, head := make(http.Header, 8), w.head.Load()
	if head.version != nil {
		h[headerVersion] = head.version
	}
	if head.session != nil {
		h[headerSession] = head.session
	}
	h["Accept-Encoding"] = unpacked
	r := w.base.WithContext(ctx)
	r.Method, r.Header = method, h
	if body != nil {
		h["Accept"], h["Content-Type"] = acceptBoth, typeJSON
		r.ContentLength = int64(len(body))
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	return r
}

// post sends a call, an answer or a notification and returns its response,
// whatever its status. ErrUnderway: it may have reached the server.
func (w *web) post(ctx context.Context, body []byte, call *Request) (*http.Response, error) {
	var s sent
	r := w.request(s.watch(ctx), http.MethodPost, body)
	if w.head.Load().modern && call.Method != "" {
		r.Header[headerMethod] = []string{call.Method}
		if call.Name != "" {
			r.Header[headerName] = []string{HeaderText(call.Name)}
		}
	}
	for name, values := range call.Header {
		if name = http.CanonicalHeaderKey(name); r.Header[name] == nil {
			r.Header[name] = values
		}
	}
	resp, err := w.do(r)
	if err != nil {
		return nil, s.mark(err)
	}
	return resp, nil
}

func (w *web) do(r *http.Request) (*http.Response, error) {
	resp, err := w.conn.opts.Client.Do(r)
	if err != nil {
		return nil, unreachable(err)
	}
	return resp, nil
}

// HeaderText is a value as the specification has it in headers: plain if it is
// printable ASCII without spaces at its ends, otherwise in base64 with marks.
func HeaderText(s string) string {
	plain := strings.TrimSpace(s) == s && (!strings.HasPrefix(s, "=?base64?") || !strings.HasSuffix(s, "?="))
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] >= 0x20 && s[i] <= 0x7e
	}
	if plain {
		return s
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}

// start implements wire.
func (w *web) start(ctx, life context.Context, x *Exchange, body []byte, r *Request) error {
	if !x.direct {
		if !w.conn.spawn(func() { w.follow(life, x, body, r) }) {
			return w.conn.Err()
		}
		return x.box.waitOpen(ctx)
	}
	stop := context.AfterFunc(ctx, x.cancel)
	resp, err := w.post(life, body, r)
	if !stop() && ctx.Err() != nil {
		if err == nil {
			_ = resp.Body.Close()
		}
		return context.Cause(ctx)
	}
	var stream *reply
	if err == nil {
		stream, err = w.accept(resp, x)
		err = unanswered(err)
	}
	if err != nil {
		return x.because(x.own(err))
	}
	if r.Method == "initialize" {
		w.head.Store(&heading{session: resp.Header[headerSession]})
	}
	return x.attach(stream)
}

// attach gives a call the stream that its messages come on.
func (x *Exchange) attach(stream *reply) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.end != nil {
		stream.close()
		return x.end
	}
	x.stream = stream
	return nil
}

// maxRefusal is how much of a refusal's body is read.
const maxRefusal = 64 << 10

// accept returns the messages of a response, or the error that its status is. x
// is the call that it answers, nil for none.
func (w *web) accept(resp *http.Response, x *Exchange) (*reply, error) {
	switch code := resp.StatusCode; {
	case code == http.StatusOK:
		if x != nil && w.head.Load().session != nil {
			w.lived.Store(true)
		}
		r, err := newReply(resp, w.conn.opts.MaxMessage)
		if err == nil && x != nil && x.large {
			r.large = x.id
		}
		return r, err
	case code/100 == 2:
		_ = resp.Body.Close()
		return nil, fmt.Errorf("%w: status %d answers nothing", ErrProtocol, code)
	}
	defer resp.Body.Close()
	refused := &StatusError{Code: resp.StatusCode, WWWAuthenticate: resp.Header.Values("Www-Authenticate")}
	if refused.Code == http.StatusUnauthorized || refused.Code == http.StatusForbidden {
		return nil, refused
	}
	b, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // what is no JSON-RPC is only a status
	m, err := Envelope(b)
	isRPC := err == nil && m.Error != nil
	if w.lost(refused.Code, m, isRPC) {
		if x != nil {
			w.conn.forget(x) // the server did not take it, as it may have the others
		}
		lived := w.lived.Load()
		w.conn.retire()
		if !lived { // it was begun for this: beginning it again would lead here again
			return nil, refused
		}
		return nil, fmt.Errorf("%w: %w", ErrSessionGone, refused)
	}
	if !isRPC || refused.Code/100 != 4 {
		return nil, refused
	}
	return &reply{body: io.NopCloser(bytes.NewReader(b)), length: int64(len(b)), limit: maxRefusal}, nil
}

// lost reports whether a refusal means that the session is gone. The
// specification has 404 for it; servers after the example of the TypeScript SDK
// say 400, an error without an id, and the word.
func (w *web) lost(code int, m Message, isRPC bool) bool {
	if w.head.Load().session == nil {
		return false
	}
	return code == http.StatusNotFound ||
		code == http.StatusBadRequest && isRPC && string(m.ID) == "null" && m.Error.Code == codeServer && strings.Contains(strings.ToLower(m.Error.Message), "session")
}

// send implements wire.
func (w *web) send(ctx context.Context, body []byte, method string) error {
	resp, err := w.post(ctx, body, &Request{Method: method})
	if err != nil {
		return err
	}
	if resp.StatusCode/100 == 2 {
		if resp.ContentLength > 0 { // not a stream, which may have no end
			_, _ = io.CopyN(io.Discard, resp.Body, maxRefusal)
		}
		return resp.Body.Close()
	}
	r, err := w.accept(resp, nil)
	if err != nil {
		return err
	}
	defer r.close()
	m, err := r.next()
	if err != nil {
		return err
	}
	return m.Error
}

// cancel implements wire. A server of 2026-07-28 is told by the end of the
// request itself.
func (w *web) cancel(x *Exchange) {
	if !x.direct {
		w.conn.sayCancelled(x)
	}
}

// sayCancelled sends notifications/cancelled, beside the caller. A connection that
// is closed right after that still says it: servers wait for their calls.
func (c *Conn) sayCancelled(x *Exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause != nil {
		return
	}
	c.telling.Go(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(c.life), byeTime)
		defer cancel()
		if err := c.wire.send(ctx, cancelledBody(x), "notifications/cancelled"); err != nil && c.life.Err() == nil {
			c.opts.Logger.Debug("an MCP server was not told of a cancelled call", "error", err)
		}
	})
}

func cancelledBody(x *Exchange) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, x.id)
}

// byeTime bounds how long a server may take to hear that a call is cancelled, and
// then to end a session: whoever stops waits for it.
const byeTime = time.Second

// close implements wire: it ends the session. The open calls are cancelled
// before, because servers wait for them.
func (w *web) close(open []*Exchange) error {
	if w.head.Load().session == nil || !errors.Is(w.conn.Err(), ErrClosed) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.conn.life), byeTime)
	defer cancel()
	for _, x := range open {
		if resp, err := w.post(ctx, cancelledBody(x), &Request{}); err == nil {
			_ = resp.Body.Close()
		}
	}
	resp, err := w.do(w.request(ctx, http.MethodDelete, nil))
	if err != nil {
		return err
	}
	return resp.Body.Close() // a server may refuse: it keeps the session then
}
