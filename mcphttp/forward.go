package mcphttp

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/loopback"
)

const (
	// forwardedHeader says that a node forwarded a request, by its letter or its
	// name. Anyone can send a name: all it does is that the request is not
	// forwarded again.
	forwardedHeader = "Parley-Forwarded"

	maxSessionID     = 256
	dialTimeout      = 5 * time.Second
	codeNoSession    = -32001 // as other SDKs answer it
	codeNoHeader     = -32000 // the same
	codeNodeUnknown  = -32000
	sessionNotFound  = "session not found: begin a new one with initialize"
	nodeDidNotAnswer = "the node that holds this session does not answer: it is unknown whether the request was carried out. " +
		"Send it again if that does no harm; when the answer is 404, begin a new session"
	nodeNotKnown = "it cannot be found out which node holds this session: send the request again"
)

// cutSessionID takes apart the id that a client has of its session: the id of
// its node, and the one by which that node knows it.
func cutSessionID(id string) (node, session string, ok bool) {
	node, session, ok = strings.Cut(id, "-")
	return node, session, ok && len(id) <= maxSessionID && session != "" && len(node) == parley.NodeIDLength &&
		strings.Trim(node, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

func refuseSession(w http.ResponseWriter) {
	// The id is null: clients that find a response to their request here take
	// it for that, instead of beginning a new session.
	rpcError(w, http.StatusNotFound, nil, codeNoSession, sessionNotFound)
}

// newTransport returns the connections to other nodes. A stream between nodes
// lasts as long as the one it serves, so there is no time-out but for dialling.
func newTransport(publicURL string) *http.Transport {
	dialer := &net.Dialer{Timeout: dialTimeout}
	return &http.Transport{
		DialContext: dialer.DialContext,
		DialTLSContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			secure := tls.Dialer{NetDialer: dialer, Config: &tls.Config{MinVersion: tls.VersionTLS12, ServerName: certified(address, publicURL), NextProtos: []string{"h2", "http/1.1"}}}
			ctx, stop := context.WithTimeout(ctx, 2*dialTimeout)
			defer stop()
			return secure.DialContext(ctx, network, address)
		},
		MaxIdleConnsPerHost: 256,
		// Below what servers commonly have: a request on a connection that the
		// other side just closes could not be sent again.
		IdleConnTimeout:    30 * time.Second,
		DisableCompression: true,
		ForceAttemptHTTP2:  true,
	}
}

// certified is whom the certificate at an address has to be for.
func certified(address, publicURL string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	if _, err := netip.ParseAddr(host); err != nil {
		return host
	}
	if site, err := url.Parse(publicURL); err == nil && site.Hostname() != "" {
		return site.Hostname()
	}
	return host
}

// forward passes a request on to the node that holds its session.
func (h *Handler) forward(w http.ResponseWriter, r *http.Request, owner string) {
	if _, again := r.Header[forwardedHeader]; again || !h.node.Running() {
		refuseSession(w)
		return
	}
	target, ok := h.locate(w, r, owner)
	if !ok {
		return
	}
	f := &forwarding{handler: h, owner: owner, target: target, uri: requestURI(r)}
	if r.Method == http.MethodPost {
		if f.body, ok = h.readBody(w, r); !ok {
			return
		}
	}
	if !f.seal(w, r) {
		return
	}
	client := r.Context() // ends when the client leaves
	proxy := httputil.ReverseProxy{
		Rewrite:        f.rewrite,
		ModifyResponse: func(res *http.Response) error { return f.explainBreak(client, res) },
		ErrorHandler:   func(w http.ResponseWriter, _ *http.Request, err error) { f.failed(client, w, err) },
		Transport:      h.peers,
		FlushInterval:  -1,
		BufferPool:     &h.buffers,
		ErrorLog:       slog.NewLogLogger(h.opts.Logger.Handler(), slog.LevelDebug),
	}
	ctx, giveUp := context.WithCancel(client)
	defer giveUp()
	go func() {
		h.node.AwaitEnd(ctx, owner) // one that hangs never answers
		giveUp()
	}()
	proxy.ServeHTTP(w, r.WithContext(ctx))
}

// locate finds the node, or answers the request.
func (h *Handler) locate(w http.ResponseWriter, r *http.Request, owner string) (*url.URL, bool) {
	address, alive, err := h.node.Await(r.Context(), owner)
	if err != nil {
		h.opts.Logger.WarnContext(r.Context(), "request not forwarded", "node", owner, "err", err)
		w.Header().Set("Retry-After", "1")
		rpcError(w, http.StatusServiceUnavailable, nil, codeNodeUnknown, nodeNotKnown)
		return nil, false
	}
	if !alive {
		refuseSession(w)
		return nil, false
	}
	target, err := url.Parse(address)
	if err != nil || target.Host == "" {
		h.opts.Logger.WarnContext(r.Context(), "node address unknown: set Options.URL there", "node", owner, "url", address)
		refuseSession(w)
		return nil, false
	}
	return target, true
}

// requestURI is what the client asked for, before any http.StripPrefix.
func requestURI(r *http.Request) *url.URL {
	if uri, err := url.ParseRequestURI(r.RequestURI); err == nil {
		return uri
	}
	return r.URL
}

// forwarding is one request on its way to another node.
type forwarding struct {
	handler *Handler
	owner   string
	target  *url.URL
	uri     *url.URL
	body    []byte // of a POST
	letter  string // that stands for the client's credentials; empty: they go along
}

// seal writes the letter that takes the place of the client's credentials, or
// answers the request. Without one, nobody on the way may read them.
func (f *forwarding) seal(w http.ResponseWriter, r *http.Request) bool {
	h := f.handler
	if h.opts.Peers == nil {
		if f.target.Scheme == "https" || loopback.Address(f.target.Host) || !carries(r, credentials) {
			return true
		}
		h.opts.Logger.WarnContext(r.Context(), "credentials not forwarded in clear: use Options.Peers, or https in the node's URL", "node", f.owner, "url", f.target.String())
		refuseSession(w)
		return false
	}
	var err error
	if f.letter, err = h.opts.Peers.letters.write(r, f.owner, f.address(), f.body); err == nil {
		return true
	}
	h.opts.Logger.WarnContext(r.Context(), "request not forwarded", "node", f.owner, "err", err)
	w.Header().Set("Retry-After", "1")
	rpcError(w, http.StatusServiceUnavailable, nil, codeNodeUnknown, nodeNotKnown)
	return false
}

func carries(r *http.Request, headers []string) bool {
	return slices.ContainsFunc(headers, func(name string) bool { return r.Header.Get(name) != "" })
}

// address is where the request goes.
func (f *forwarding) address() *url.URL {
	return &url.URL{
		Scheme: f.target.Scheme, Host: f.target.Host,
		Path: f.uri.Path, RawPath: f.uri.RawPath, RawQuery: f.uri.RawQuery,
	}
}

func (f *forwarding) rewrite(p *httputil.ProxyRequest) {
	out := p.Out
	out.URL = f.address()
	// The origin was checked here, against the host that the client named.
	out.Host = ""
	out.Header.Del("Origin")
	for name := range out.Header {
		if strings.HasPrefix(name, "Sec-Fetch-") {
			out.Header.Del(name)
		}
	}
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if values, there := p.In.Header[name]; there {
			out.Header[name] = values // httputil has removed them
		}
	}
	out.Header.Del("Expect") // the body is here already
	out.Header.Set(forwardedHeader, f.handler.node.ID())
	if f.letter != "" {
		for _, name := range credentials {
			out.Header.Del(name)
		}
		out.Header.Set(forwardedHeader, f.letter)
	}
	if f.body != nil {
		// A body that can be had again lets the transport use another connection
		// when an idle one turns out to be closed.
		out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(f.body)), nil }
		out.Body, _ = out.GetBody()
		out.ContentLength = int64(len(f.body))
	}
}

// failed answers a request that the owner did not.
func (f *forwarding) failed(client context.Context, w http.ResponseWriter, err error) {
	h := f.handler
	if client.Err() == nil { // else the client went first
		h.opts.Logger.WarnContext(client, "node does not answer", "node", f.owner, "url", f.target.String(), "err", err)
		h.node.Forget(f.owner)
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		refuseSession(w) // nothing listens there: the session went with its process, and nothing was carried out
		return
	}
	if _, alive, err := h.node.Find(client, f.owner); err == nil && !alive {
		refuseSession(w)
		return
	}
	rpcError(w, http.StatusBadGateway, f.callID(), codeNodeUnknown, nodeDidNotAnswer)
}

// callID is the id of the call that the body carries, or nil.
func (f *forwarding) callID() json.RawMessage {
	var message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(f.body, &message) != nil || message.Method == "" {
		return nil
	}
	return message.ID
}

// explainBreak has the stream of a call end with an error for it when the owner
// breaks off.
func (f *forwarding) explainBreak(client context.Context, res *http.Response) error {
	if id := f.callID(); id != nil && ofEvents(res.Header) {
		res.Body = &explainedBody{
			ReadCloser: res.Body, between: true,
			left:        func() bool { return client.Err() != nil },
			explanation: func() []byte { return messageEvent(rpcErrorBody(id, codeNodeUnknown, nodeDidNotAnswer)) },
		}
	}
	return nil
}

// explainedBody is an event stream that ends with an explanation when it breaks
// between two events. One that breaks within an event cannot be mended.
type explainedBody struct {
	io.ReadCloser
	left        func() bool // whether the client did
	explanation func() []byte
	tail        [2]byte
	between     bool
	rest        *bytes.Reader // of the explanation, once it is due
}

func (b *explainedBody) Read(p []byte) (int, error) {
	if b.rest != nil {
		return b.rest.Read(p)
	}
	n, err := b.ReadCloser.Read(p)
	switch {
	case n == 1:
		b.tail = [2]byte{b.tail[1], p[0]}
	case n > 1:
		b.tail = [2]byte(p[n-2 : n])
	}
	if n > 0 {
		b.between = b.tail == [2]byte{'\n', '\n'}
	}
	if err == nil || errors.Is(err, io.EOF) || !b.between || b.left() {
		return n, err
	}
	b.rest = bytes.NewReader(b.explanation())
	return n, nil
}

// bufferPool has small buffers for copying streams: most streams wait, each with
// its buffer.
type bufferPool struct{ pool sync.Pool }

func (b *bufferPool) Get() []byte {
	if p, ok := b.pool.Get().(*[4096]byte); ok {
		return p[:]
	}
	return make([]byte, 4096)
}

func (b *bufferPool) Put(p []byte) { b.pool.Put((*[4096]byte)(p)) }
