package stdiobridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"
)

const (
	versionHeader = "Mcp-Protocol-Version"
	sessionHeader = "Mcp-Session-Id"
	eventHeader   = "Last-Event-Id"

	typeJSON   = "application/json"
	typeEvents = "text/event-stream"
)

// errBroken: the connection ended before the answer came.
var errBroken = errors.New("connection broken")

// exchange posts a request and passes on what comes back. It returns nil if that
// included the answer.
func (b *bridge) exchange(ctx, callCtx context.Context, c *call, m *message) error {
	var s session
	if !m.modern() && m.method != methodInitialize {
		var err error
		if s, err = b.usableSession(ctx, callCtx, c); err != nil {
			return err
		}
	}
	resp, err := b.postCall(callCtx, s, m, c)
	if err != nil {
		return err
	}
	if sessionGone(resp, s, m) {
		// The server did not look at the request, so it can be made again.
		resp.Body.Close()
		b.session.lose(s)
		if s, err = b.usableSession(ctx, callCtx, c); err != nil {
			return err
		}
		if resp, err = b.postCall(callCtx, s, m, c); err != nil {
			return err
		}
	}
	defer func() { resp.Body.Close() }()
	r := &reply{bridge: b, session: s, to: m, call: c, header: resp.Header}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case sessionGone(resp, s, m):
		b.session.lose(s)
		return errReconnect
	case resp.StatusCode == http.StatusOK && kind == typeEvents:
		b.calls.take(c)
		resp, err = b.follow(ctx, callCtx, r, resp)
		return err
	case kind == typeJSON && resp.StatusCode != http.StatusUnauthorized:
		return r.body(ctx, resp)
	}
	return &statusError{resp.StatusCode, resp.Header.Get("Location")}
}

func (b *bridge) postCall(ctx context.Context, s session, m *message, c *call) (*http.Response, error) {
	b.calls.enter(c, s.number)
	resp, err := b.post(ctx, s, m, c)
	if err != nil && c.wasSent() {
		return nil, fmt.Errorf("%w: %w", errBroken, err)
	}
	c.heard()
	return resp, err
}

// post sends a message. With a call, it notes when the message was sent.
func (b *bridge) post(ctx context.Context, s session, m *message, c *call) (*http.Response, error) {
	body := func() (io.ReadCloser, error) { return &sentBody{bytes.NewReader(m.raw), c}, nil }
	reader, _ := body()
	r, err := b.newRequest(ctx, http.MethodPost, s, reader)
	if err != nil {
		return nil, err
	}
	r.GetBody, r.ContentLength = body, int64(len(m.raw))
	r.Header.Set("Content-Type", typeJSON)
	r.Header.Set("Accept", typeJSON+", "+typeEvents)
	if m.modern() {
		b.setModernHeaders(r.Header, m)
	}
	return b.client.Do(r)
}

// get opens a stream of the session, after a position if there is one.
func (b *bridge) get(ctx context.Context, s session, at position) (*http.Response, error) {
	r, err := b.newRequest(ctx, http.MethodGet, s, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", typeEvents)
	if at.lastID != "" {
		r.Header.Set(eventHeader, at.lastID)
	}
	return b.client.Do(r)
}

func (b *bridge) newRequest(ctx context.Context, method string, s session, body io.Reader) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, b.opts.URL, body)
	if err != nil {
		return nil, err
	}
	for name, values := range b.opts.Header {
		r.Header[http.CanonicalHeaderKey(name)] = values
	}
	if s.id != "" {
		r.Header.Set(sessionHeader, s.id)
	}
	if s.version != "" {
		r.Header.Set(versionHeader, s.version)
	}
	return r, nil
}

// sentBody tells a call when its last byte was taken.
type sentBody struct {
	*bytes.Reader
	call *call
}

func (s *sentBody) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil || s.Len() == 0 {
		s.note()
	}
	return n, err
}

func (s *sentBody) WriteTo(w io.Writer) (int64, error) {
	defer s.note()
	return s.Reader.WriteTo(w)
}

func (s *sentBody) Close() error { return nil }

func (s *sentBody) note() {
	if s.call != nil {
		s.call.sent()
	}
}

// follow reads the events that answer a request, and takes the stream up again
// where the server allows it. It returns the last response, to be closed.
func (b *bridge) follow(ctx, callCtx context.Context, r *reply, resp *http.Response) (*http.Response, error) {
	var at position
	var pause backoff
	for {
		before := at.lastID
		err := readEvents(resp.Body, b.opts.MaxMessage, &at, func(data []byte) bool { return !r.take(ctx, data) })
		switch {
		case r.answered:
			return resp, nil
		case errors.Is(err, errTooLarge):
			return resp, err
		case at.lastID == "" || r.session.number == 0 || callCtx.Err() != nil:
			return resp, errBroken
		case at.lastID != before:
			pause.reset()
		}
		resp.Body.Close()
		for {
			if pause.tries() >= 5 || !pause.sleep(callCtx, at.retry) {
				return resp, errBroken
			}
			next, err := b.get(callCtx, r.session, at)
			if err != nil {
				continue
			}
			resp = next
			if resp.StatusCode == http.StatusOK {
				break
			}
			resp.Body.Close()
			if resp.StatusCode < 500 {
				return resp, errBroken
			}
		}
	}
}

// reply passes on what the server sends in answer to a request.
type reply struct {
	bridge   *bridge
	session  session
	to       *message
	call     *call
	header   http.Header // of the first response
	answered bool
}

// body passes on an answer that is one JSON document.
func (r *reply) body(ctx context.Context, resp *http.Response) error {
	limit := r.bridge.opts.MaxMessage
	raw, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return errBroken
	}
	if int64(len(raw)) > limit {
		return errTooLarge
	}
	var several []json.RawMessage
	if json.Unmarshal(raw, &several) != nil {
		several = []json.RawMessage{raw}
	}
	for _, raw := range several {
		r.take(ctx, raw)
	}
	if r.answered {
		return nil
	}
	if resp.StatusCode/100 != 2 {
		return &statusError{resp.StatusCode, ""}
	}
	return errNoAnswer
}

// take passes on one message and reports whether the request is answered.
func (r *reply) take(ctx context.Context, raw []byte) bool {
	m, err := parseMessage(oneLine(raw))
	switch {
	case err != nil:
		r.bridge.opts.Logger.Warn("the server sent something that is not a message", "err", err)
	case !m.response():
		r.bridge.send(ctx, forClient(r.session.number, m))
	case m.id == nil && m.failure != nil:
		// The server could not tell the id, but there is only one request here.
		r.answered = true
		r.bridge.calls.release(r.call)
		r.bridge.send(ctx, withID(m.raw, r.to.id))
	case bytes.Equal(m.id, r.to.id):
		r.answered = true
		r.bridge.learn(ctx, r, m)
		r.bridge.calls.release(r.call)
		r.bridge.send(ctx, m.raw)
	default:
		r.bridge.opts.Logger.Warn("the server answered another request than this", "method", r.to.method)
	}
	return r.answered
}

// learn keeps what the bridge needs to know of an answer.
func (b *bridge) learn(ctx context.Context, r *reply, m *message) {
	switch {
	case m.result == nil:
	case r.to.method == methodInitialize:
		if replaced := b.session.begin(r.to, r.header, m); replaced.id != "" {
			b.background.Go(func() { b.deleteSession(ctx, replaced) })
		}
	case r.to.method == "tools/list":
		b.tools.learn(m.result)
	case r.to.method == "logging/setLevel":
		b.session.noteLevel(r.to)
	case r.to.method == "resources/subscribe":
		b.session.tie(r.session)
	}
}

// backoff spaces out attempts. The zero value begins with a second.
type backoff struct{ n int }

func (p *backoff) reset()     { p.n = 0 }
func (p *backoff) tries() int { return p.n }

// sleep pauses before the next attempt: for as long as the server wishes, or
// else longer each time up to half a minute. It returns false if ctx ends.
func (p *backoff) sleep(ctx context.Context, wish time.Duration) bool {
	d := min(time.Second<<min(p.n, 5), 30*time.Second)
	if wish > 0 && p.n == 0 {
		d = min(wish, 30*time.Second)
	}
	p.n++
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
