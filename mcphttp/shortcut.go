package mcphttp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/strictjson"
)

// Peer is the client that sent a message, as far as it is known before the
// message is read.
type Peer struct {
	// Session names the session as mcptool.Call.Session does; empty in the sessionless
	// era.
	Session string
	// Capabilities are those that the session began with; nil in the sessionless
	// era, whose messages carry them.
	Capabilities *mcp.ClientCapabilities
}

// Supports reports whether the client declared that it asks in that mode.
func (p Peer) Supports(mode parley.Mode) bool {
	return mcptool.Supports(p.Capabilities, mode)
}

// Shortcut answers a message, or has the SDK answer it by next: with the request
// that it was given, or one with another header. It calls next once at most, and
// returns when next has. Whoever sent the message has been let in, and the
// session is theirs. The call that it asks for, if any, is counted until the Shortcut
// returns (mcptool.Calls); nothing else of the message has been looked at.
type Shortcut func(w http.ResponseWriter, r *http.Request, peer Peer, message []byte, next func(*http.Request))

// answer answers a request by the Shortcut, or by one of the SDK's handlers.
// session is nil in the sessionless era.
//
// Its frame is there for as long as a person thinks: what is large is in others.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, session *liveSession, sdk http.Handler) {
	if r.Method != http.MethodPost || session != nil && !session.belongsTo(r) {
		h.serve(w, r, session, sdk, nil)
		return
	}
	r, body, end := h.take(w, r, session)
	if r == nil {
		return
	}
	defer end()
	next := func(r *http.Request) {
		if !isMessage(body, session != nil) {
			rpcError(w, http.StatusBadRequest, nil, jsonrpc.CodeInvalidRequest, notAMessage)
			return
		}
		h.serve(w, withBody(r, body), session, sdk, nil)
	}
	if peer, short := h.peer(r, session); short {
		h.opts.Shortcut(w, r, peer, body, next)
		return
	}
	next(r)
}

// take reads a message and counts the call that it may be; whoever is done with it
// calls end. It returns no request where it has answered itself.
func (h *Handler) take(w http.ResponseWriter, r *http.Request, session *liveSession) (_ *http.Request, body []byte, end func()) {
	body, ok := h.readBody(w, r)
	if !ok {
		return nil, nil, nil
	}
	message, err := mcpclient.Envelope(body)
	if err != nil {
		if session != nil {
			var over bool
			if body, over = session.replies(w, r, body); over {
				return nil, nil, nil
			}
		}
		return r, body, func() {} // who reads it says so
	}
	if session != nil && session.reply(w, r, body, message) {
		return nil, nil, nil
	}
	if r, end, err = h.count(r, message); err != nil {
		refuseCall(w, message.ID, err)
		return nil, nil, nil
	}
	return r, body, end
}

// withBody is r with its body to be read once more.
func withBody(r *http.Request, body []byte) *http.Request {
	again := *r
	again.Body = io.NopCloser(bytes.NewReader(body))
	return &again
}

// uncounted lets every message in.
func uncounted(r *http.Request, _ mcpclient.Message) (*http.Request, func(), error) {
	return r, func() {}, nil
}

// refuseCall answers a call that is one too many.
func refuseCall(w http.ResponseWriter, id json.RawMessage, err error) {
	code, text := jsonrpc.CodeInternalError, "The call was not begun."
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		code, text = int(wire.Code), wire.Message
	}
	rpcError(w, http.StatusOK, id, code, text)
}

const notAMessage = "this is no JSON-RPC message: it is broken, a batch, or has a name twice or in other letters"

// isMessage reports whether a body is for the SDK to read. What it says of another is
// about its own types, and it takes some that others read otherwise. Sessions of
// 2025-03-26 may have batches.
func isMessage(body []byte, batches bool) bool {
	var messages []json.RawMessage // decoding into one that has body would write over it
	if !bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		messages = []json.RawMessage{body}
	} else if !batches || json.Unmarshal(body, &messages) != nil {
		return false
	}
	for _, m := range messages {
		message, err := mcpclient.Envelope(m)
		if err != nil || message.Response() && !hasOneReading(m) {
			return false
		}
	}
	return len(messages) > 0
}

// hasOneReading reports whether every program reads a client's answer alike: no name
// is there twice, nor, in the result itself, in other letters. What a log or a proxy
// takes for a no must not be a yes here.
func hasOneReading(answer []byte) bool {
	value, err := strictjson.Read(answer, initializing)
	whole, ok := value.(strictjson.Object)
	if err != nil || !ok {
		return false
	}
	result, _ := whole.Get("result")
	members, _ := result.(strictjson.Object)
	seen := map[string]bool{}
	for _, member := range members {
		name := strictjson.Fold(member.Name)
		if seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

// peer is who sends a request that the Shortcut may answer.
func (h *Handler) peer(r *http.Request, session *liveSession) (Peer, bool) {
	if h.opts.Shortcut == nil {
		return Peer{}, false
	}
	if session == nil {
		return Peer{}, true
	}
	conn := session.connection()
	if conn == nil || conn.InitializeParams() == nil {
		return Peer{}, false // the SDK says what is wrong
	}
	return Peer{Session: conn.ID(), Capabilities: conn.InitializeParams().Capabilities}, true
}

func (l *liveSession) connection() *mcp.ServerSession {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.conn
}
