package mcpclient

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// endpoint is where a server is over HTTP: how messages are sent there, and how
// its responses are read, whoever wrote the messages.
type endpoint struct {
	client *http.Client
	base   *http.Request // what every request has
	header http.Header   // sent with each of them, besides its own; in its canonical form
	limit  int64         // of a message in bytes
}

func newEndpoint(at string, client *http.Client, limit int64) (*endpoint, error) {
	where, err := url.Parse(at)
	if err != nil || where.Host == "" {
		return nil, fmt.Errorf("%w: this is no URL of a server", ErrProtocol)
	}
	where.Fragment, where.RawFragment = "", ""
	base := &http.Request{URL: where, Host: where.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	return &endpoint{client: stays(client), base: base, limit: limit}, nil
}

// stays has requests go to the server's own address and no other, but for a slash
// at its end: what was approved, and whose credential it is, is for that address.
// A redirect that would make a GET of a call is not followed either.
func stays(c *http.Client) *http.Client {
	own := *c
	own.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		from := via[len(via)-1].URL
		if len(via) > 1 || next.Method != via[0].Method || next.URL.Scheme != from.Scheme || next.URL.Host != from.Host ||
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
	VersionHeader = "Mcp-Protocol-Version"
	SessionHeader = "Mcp-Session-Id"
	MethodHeader  = "Mcp-Method"
	NameHeader    = "Mcp-Name"
	headerLast    = "Last-Event-Id"
)

// request makes an HTTP request. Its headers share their values with others:
// whoever changes one has to set it anew, as http.Header does.
func (e *endpoint) request(ctx context.Context, method string, head *heading, body []byte) *http.Request {
	h := make(http.Header, 8+len(e.header))
	for name, values := range e.header {
		h[name] = values
	}
	if head.version != nil {
		h[VersionHeader] = head.version
	}
	if head.session != nil {
		h[SessionHeader] = head.session
	}
	h["Accept-Encoding"] = unpacked
	r := e.base.WithContext(ctx)
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
func (e *endpoint) post(ctx context.Context, head *heading, body []byte, call *Request) (*http.Response, error) {
	var s Sent
	r := e.request(s.Watch(ctx), http.MethodPost, head, body)
	if head.modern && call.Method != "" {
		r.Header[MethodHeader] = []string{call.Method}
		if call.Name != "" {
			r.Header[NameHeader] = []string{HeaderText(call.Name)}
		}
	}
	call.Trace.SetHeader(r.Header)
	for name, values := range call.Header {
		if name = http.CanonicalHeaderKey(name); r.Header[name] == nil {
			r.Header[name] = values
		}
	}
	resp, err := e.do(r)
	if err != nil {
		return nil, s.Mark(err)
	}
	return resp, nil
}

// get asks for a stream: the rest of one after an event, or the one for all else.
func (e *endpoint) get(ctx context.Context, head *heading, last string) (*http.Response, error) {
	r := e.request(ctx, http.MethodGet, head, nil)
	r.Header["Accept"] = acceptEvents
	if last != "" {
		r.Header[headerLast] = []string{last}
	}
	return e.do(r)
}

// end ends a session. A server may refuse: it keeps the session then.
func (e *endpoint) end(ctx context.Context, head *heading) error {
	resp, err := e.do(e.request(ctx, http.MethodDelete, head, nil))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (e *endpoint) do(r *http.Request) (*http.Response, error) {
	resp, err := e.client.Do(r)
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
