package mcphttp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/loopback"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

// Options configures a Handler. Nil and zero fields mean the
// defaults.
type Options struct {
	// MaxBodyBytes is the most that a request may carry. Default 4 MiB.
	MaxBodyBytes int64
	// SessionTimeout is how long a session of a client up to 2025-11-25 lives
	// without an open request, an open stream, and a call in progress. Default
	// one hour; negative: for ever.
	SessionTimeout time.Duration
	// MaxSessions is how many of them a person with a token may have on one node.
	// With one more the one that was idle for longest ends, or else the one whose
	// client left first; where all are in use the new one is refused. All callers
	// without a token have ten times as many together. Default 1,000; negative: any
	// number.
	MaxSessions int
	// MaxLeft is how many of all sessions may go on with a call although their
	// clients have left: no request is open, so nobody can be asked there and
	// nobody hears the result. With one more the first of whoever has the most ends,
	// and its calls are given up (mcptool.ErrGivenUp): a person or a program has their own,
	// callers who are not known have theirs together, in each tenant. Default 200;
	// negative: any number.
	MaxLeft int
	// Ended is called with the name of a session that has ended (see Peer), on the
	// node that had it. Default nil.
	Ended func(session string)
	// KeepAlive is how long an event stream may be silent before a comment is
	// sent on it. Default 15 s; negative: for ever.
	KeepAlive time.Duration
	// TrustedOrigins are the web origins, such as "https://app.example", whose
	// pages may call although they come from another host. Default none.
	// Requests without an Origin are not from web pages and always pass.
	TrustedOrigins []string
	// Shortcut may answer a message by itself, before the SDK reads it. Default
	// nil: the SDK reads all.
	Shortcut Shortcut

	// Recheck says whether who sent a request is still let in. It is asked now
	// and then while a stream is open that has no end of its own, and an error
	// ends the stream. Default nil: a stream ends with its token, if that says
	// when (auth.TokenInfo.Expiration).
	Recheck func(*http.Request) error

	// Endpoint says by which of several endpoints a request came that one handler
	// serves. A session is that of the endpoint that it began at: at another it is not
	// found. Default nil: there is one.
	Endpoint func(*http.Request) string

	// Peers are the other nodes that share the store, by whom what is forwarded
	// carries no credentials. Default nil: what is forwarded carries them, over https
	// or on this machine only.
	Peers *Peers
	// PublicURL is where clients reach the site. Its host is what requests may be for
	// besides this machine's own names where they come in by a loopback address, from a
	// proxy beside the program; and the certificates of other nodes are for it where
	// their own URL has an address instead of a name. Default: requests by a loopback
	// address are for this machine, and certificates for that address.
	PublicURL string

	Logger *slog.Logger // default slog.Default()
}

// Handler serves one MCP server to clients of both eras. A client up to
// 2025-11-25 has a session, which lives on the node that it began on; its id
// names that node. It is an http.Handler and an io.Closer: closing it ends the
// sessions of its clients.
type Handler struct {
	node       *parley.Node
	contact    func(*mcp.ServerSession) *mcptool.Contact
	share      func(*mcp.RequestExtra) string
	relayed    func() // a request has come by way of another node
	count      func(*http.Request, mcpclient.Message) (*http.Request, func(), error)
	opts       Options
	publicHost string       // see Options.PublicURL
	stateful   http.Handler // up to 2025-11-25
	stateless  http.Handler
	origins    *http.CrossOriginProtection
	peers      *http.Transport // to other nodes
	buffers    bufferPool
	sessions   liveSessions
	notices    *limit.Notices
}

// New serves a server, whose tools the asker runs, to clients of both protocol eras
// on one URL.
func New(asker *mcptool.Asker, server *mcp.Server, opts *Options) *Handler {
	asker.Attach(server)
	h := newHandler(server, asker.Node(), asker.Share, opts)
	h.contact, h.relayed, h.count = asker.ContactOf, asker.Relayed, asker.Count
	return h
}

// newHandler serves server on a node; share is whose share a request takes from.
func newHandler(server *mcp.Server, n *parley.Node, share func(*mcp.RequestExtra) string, opts *Options) *Handler {
	h := &Handler{node: n, share: share, relayed: func() {}, count: uncounted, origins: http.NewCrossOriginProtection()}
	if opts != nil {
		h.opts = *opts
	}
	h.peers = newTransport(h.opts.PublicURL)
	if u, err := url.Parse(h.opts.PublicURL); err == nil {
		h.publicHost = u.Hostname()
	}
	h.opts.MaxBodyBytes = cmp.Or(h.opts.MaxBodyBytes, 4<<20)
	h.opts.SessionTimeout = cmp.Or(h.opts.SessionTimeout, time.Hour)
	h.opts.MaxSessions = cmp.Or(h.opts.MaxSessions, 1000)
	h.opts.MaxLeft = cmp.Or(h.opts.MaxLeft, 200)
	h.opts.KeepAlive = cmp.Or(h.opts.KeepAlive, 15*time.Second)
	if h.opts.Logger == nil {
		h.opts.Logger = slog.Default()
	}
	h.notices = limit.NewNotices(h.opts.Logger, 0)
	for _, origin := range h.opts.TrustedOrigins {
		if err := h.origins.AddTrustedOrigin(origin); err != nil {
			h.opts.Logger.Error("trusted origin not usable", "origin", origin, "err", err)
		}
	}
	h.sessions.over = h.opts.Ended
	get := func(*http.Request) *mcp.Server { return server }
	sdk := mcp.StreamableHTTPOptions{MaxRequestBodyBytes: h.opts.MaxBodyBytes, Logger: h.opts.Logger, DisableLocalhostProtection: true} // see rebound
	h.stateful = mcp.NewStreamableHTTPHandler(get, &sdk)
	sdk.Stateless, sdk.PropagateRequestCancellation = true, true
	h.stateless = mcp.NewStreamableHTTPHandler(get, &sdk)
	server.AddReceivingMiddleware(h.sessions.bind)
	server.AddSendingMiddleware(h.sessions.bind)
	return h
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h.checkOrigin(r); err != nil {
		http.Error(w, "Forbidden: "+err.Error(), http.StatusForbidden)
		return
	}
	if lasts(r) {
		var done func()
		r, done = h.whileLetIn(r)
		defer done()
	}
	if r.Header.Get(mcpclient.VersionHeader) >= mcpclient.ModernVersion {
		h.answer(w, withPlainName(withHeader(r, forwardedHeader, "")), nil, h.stateless)
		return
	}
	id := r.Header.Get(mcpclient.SessionHeader)
	if id == "" {
		h.serveNew(w, withHeader(r, forwardedHeader, ""))
		return
	}
	owner, session, ok := cutSessionID(id)
	switch {
	case !ok:
		refuseSession(w)
	case owner == h.node.ID():
		if _, came := r.Header[forwardedHeader]; came {
			h.relayed()
		}
		h.serveSession(w, withHeader(r, forwardedHeader, ""), session)
	default:
		h.forward(w, r, owner)
	}
}

// Close ends the sessions of this node. A request that comes after it finds none.
func (h *Handler) Close() error {
	for _, session := range h.sessions.all() {
		session.end(false)
	}
	h.peers.CloseIdleConnections()
	return nil
}

// checkOrigin refuses web pages of other origins, whatever the method: the
// specification exempts none.
func (h *Handler) checkOrigin(r *http.Request) error {
	if h.rebound(r) {
		return fmt.Errorf("invalid Host header %q", r.Host)
	}
	probe := *r
	probe.Method = http.MethodPost // the standard library lets a GET pass
	return h.origins.Check(&probe)
}

// rebound reports whether a request reached a loopback address by a name that is
// neither this machine's nor the site's: a web page may have had its name point here.
// The SDK would take a proxy on this machine for that.
func (h *Handler) rebound(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok || local == nil || !loopback.Address(local.String()) || loopback.Address(r.Host) {
		return false
	}
	host := (&url.URL{Host: r.Host}).Hostname()
	return host == "" || !strings.EqualFold(host, h.publicHost)
}

// serve answers r by one of the SDK's handlers. session is nil where r is none's, or
// begins it.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, session *liveSession, sdk http.Handler, announce func(string) string) {
	stream := newStreamWriter(w, h.opts.KeepAlive, announce)
	defer stream.stop()
	if session != nil {
		session.hearsBy(r.Header, stream)
	}
	sdk.ServeHTTP(stream, r)
}

// serveNew answers a request that belongs to no session: initialize, if all is
// well.
func (h *Handler) serveNew(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		h.serve(w, r, nil, h.stateful, nil)
		return
	}
	body, ok := h.readBody(w, r)
	if !ok {
		return
	}
	session := newLiveSession(&h.sessions, r, h.opts.SessionTimeout)
	session.share, session.endpoint = h.shareOf(r), h.endpoint(r)
	defer h.leave(session)
	r = r.WithContext(context.WithValue(mcptool.WithSession(r.Context(), session), liveSessionKey{}, session))
	r.Body = io.NopCloser(bytes.NewReader(body))
	if namesVersion(body) && isMessage(body, false) {
		// A request of the new era that lacks its header. Only the stateless
		// handler knows what is wrong with it.
		h.serve(w, r, nil, h.stateless, nil)
		return
	}
	if body, ok = h.beginning(w, body); !ok {
		return
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	if !h.sessions.makeRoom(session.user, h.opts.MaxSessions) {
		h.notices.Hit("sessions", "of", session.user)
		w.Header().Set("Retry-After", "60")
		rpcError(w, http.StatusTooManyRequests, nil, codeNoHeader, "you have too many sessions, all in use: end one first")
		return
	}
	h.serve(w, r, nil, h.stateful, func(id string) string {
		h.sessions.add(id, session)
		return h.node.ID() + "-" + id
	})
}

func (h *Handler) endpoint(r *http.Request) string {
	if h.opts.Endpoint == nil {
		return ""
	}
	return h.opts.Endpoint(r)
}

// shareOf is whose share a session takes from that r begins.
func (h *Handler) shareOf(r *http.Request) string {
	return h.share(&mcp.RequestExtra{TokenInfo: auth.TokenInfoFromContext(r.Context()), Header: r.Header})
}

// Contact is the client of a session up to 2025-11-25 on this node; nil: there is
// none of that name.
func (h *Handler) Contact(session string) *mcptool.Contact {
	live := h.sessions.get(session)
	if live == nil {
		return nil
	}
	if conn := live.connection(); conn != nil {
		return h.contact(conn)
	}
	return nil
}

// leave notes that a request of a session is over. An operator hears of a call
// that is given up for it, since its client never comes back for the reason.
func (h *Handler) leave(session *liveSession) {
	if given := session.leave(h.opts.MaxLeft); given != nil {
		h.notices.Hit("sessions_left", "of", given.user)
	}
}

// serveSession answers a request of a session of this node.
func (h *Handler) serveSession(w http.ResponseWriter, r *http.Request, id string) {
	session := h.sessions.get(id)
	switch {
	case session == nil || session.endpoint != h.endpoint(r):
		refuseSession(w)
		return
	case !session.belongsTo(r):
		rpcError(w, http.StatusForbidden, nil, codeNoSession, "the session is somebody else's: begin one of your own")
		return
	case !session.enter():
		refuseSession(w)
		return
	}
	defer h.leave(session)
	if r.Method == http.MethodDelete {
		session.end(false)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	r = withHeader(r, mcpclient.SessionHeader, id)
	if r.Method == http.MethodPost {
		defer session.hears(r)()
	}
	h.answer(w, r, session, h.stateful)
}

// readBody reads the whole body within the limit, or answers the request.
func (h *Handler) readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	body, err := readAll(http.MaxBytesReader(w, r.Body, h.opts.MaxBodyBytes), r.ContentLength)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		http.Error(w, "the request is too large: send less", http.StatusRequestEntityTooLarge)
	case err != nil:
		http.Error(w, "failed to read the body", http.StatusBadRequest)
	}
	return body, err == nil
}

// maxTrusted is the largest length that memory is set aside for before it came.
const maxTrusted = 64 << 10

// readAll reads a body whose length may be known; what the client says of it is
// only a hint.
func readAll(body io.Reader, length int64) ([]byte, error) {
	b := make([]byte, 0, min(max(length+1, 512), maxTrusted)) // one more, to see the end
	for {
		n, err := body.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if errors.Is(err, io.EOF) {
			return b, nil
		}
		if err != nil {
			return b, err
		}
		if len(b) == cap(b) {
			more := len(b) // twice as much
			if rest := length + 1 - int64(len(b)); rest > 0 && rest < int64(more) {
				more = int(rest) // all that comes: what is not used would be kept with it
			}
			b = slices.Grow(b, more)
		}
	}
}

// namesVersion reports whether a message names its protocol version, as only
// those of the new era do.
func namesVersion(body []byte) bool {
	var message struct {
		Params struct {
			Meta map[string]json.RawMessage `json:"_meta"`
		} `json:"params"`
	}
	if json.Unmarshal(body, &message) != nil {
		return false
	}
	_, ok := message.Params.Meta[mcp.MetaKeyProtocolVersion]
	return ok
}

// withPlainName returns r with its header Mcp-Name as it is meant: clients send
// what is not plain ASCII in base64 with marks, and the SDK compares what they
// sent. What cannot be decoded stays, and is another name than the body's.
func withPlainName(r *http.Request) *http.Request {
	marked, ok := strings.CutPrefix(r.Header.Get(mcpclient.NameHeader), "=?base64?")
	if !ok {
		return r
	}
	if marked, ok = strings.CutSuffix(marked, "?="); !ok {
		return r
	}
	name, err := base64.StdEncoding.DecodeString(marked)
	if err != nil {
		return r
	}
	return withHeader(r, mcpclient.NameHeader, string(name))
}

// withHeader returns r with one header changed, or removed when value is empty. A
// handler may not change the request that it was given.
func withHeader(r *http.Request, name, value string) *http.Request {
	if _, there := r.Header[name]; value == "" && !there {
		return r
	}
	changed := *r
	changed.Header = maps.Clone(r.Header)
	changed.Header.Del(name)
	if value != "" {
		changed.Header.Set(name, value)
	}
	return &changed
}

// rpcError answers a request with a JSON-RPC error. A nil id is null.
func rpcError(w http.ResponseWriter, status int, id json.RawMessage, code int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(rpcErrorBody(id, code, message))
}

func rpcErrorBody(id json.RawMessage, code int, message string) []byte {
	type wireError struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	body, _ := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   wireError       `json:"error"`
	}{"2.0", id, wireError{code, message}})
	return body
}
