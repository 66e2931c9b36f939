package mcptool

import (
	"bytes"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
)

// Peer is the client that sent a message, as far as it is known before the
// message is read.
type Peer struct {
	// Session names the session as Call.Session does; empty in the sessionless
	// era.
	Session string
	// Capabilities are those that the session began with; nil in the sessionless
	// era, whose messages carry them.
	Capabilities *mcp.ClientCapabilities
}

// Supports reports whether the client declared that it asks in that mode.
func (p Peer) Supports(mode parley.Mode) bool {
	return client{capabilities: p.Capabilities}.supports(mode)
}

// Shortcut answers a message and returns true, or leaves it to the SDK and
// returns false and the request to go on with: the one that it was given, or one
// with another header. Whoever sent it has been let in, and the session is
// theirs. The message has not been looked at.
type Shortcut func(w http.ResponseWriter, r *http.Request, peer Peer, message []byte) (*http.Request, bool)

// shortcut offers a POST to the Shortcut. session is nil in the sessionless era.
// It reports true when the request is answered.
func (h *handler) shortcut(w http.ResponseWriter, r *http.Request, session *liveSession) (*http.Request, bool) {
	if h.opts.Shortcut == nil || r.Method != http.MethodPost {
		return r, false
	}
	var peer Peer
	if session != nil {
		if !session.belongsTo(r) {
			return r, false // the SDK says so
		}
		conn := session.connection()
		if conn == nil || conn.InitializeParams() == nil {
			return r, false
		}
		peer = Peer{Session: conn.ID(), Capabilities: conn.InitializeParams().Capabilities}
	}
	body, ok := h.readBody(w, r)
	if !ok {
		return r, true
	}
	r, done := h.opts.Shortcut(w, r, peer, body)
	if !done {
		again := *r
		again.Body = io.NopCloser(bytes.NewReader(body))
		r = &again
	}
	return r, done
}

func (l *liveSession) connection() *mcp.ServerSession {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.conn
}

// FallbackTools are the tools that a client sees because it cannot ask all that
// there may be to ask: a list that is not the SDK's has to show them.
func (a *Asker) FallbackTools(peer Peer) []*mcp.Tool {
	c := client{capabilities: peer.Capabilities}
	switch a.opts.Fallback {
	case Model:
		if !c.supports(parley.Form) {
			return []*mcp.Tool{sendToolListed()}
		}
	case Page:
		if !c.supports(parley.Form) || !c.supports(parley.URL) {
			return []*mcp.Tool{waitToolListed()}
		}
	}
	return nil
}
