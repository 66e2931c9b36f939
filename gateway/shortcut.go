package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/strictjson"
	"github.com/parley-hq/parley/tracing"
)

// patience is how long the shortcut waits for a server. A call that takes longer
// is left to mcptool, which keeps the client's connection alive.
const patience = 10 * time.Second

// shortcut answers what needs nobody to be asked: lists, and calls whose server
// answers at once. Whatever is unusual it leaves to the SDK and mcptool.
func (g *Gateway) shortcut(w http.ResponseWriter, r *http.Request, peer mcphttp.Peer, body []byte, next func(*http.Request)) {
	m, err := mcpclient.Envelope(body)
	if err == nil && m.Method == "notifications/cancelled" {
		g.requests.cancelled(peer.Session, m.Params)
	}
	if err != nil && bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("{")) {
		// Another reader might make out a message in it, and another one another.
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":"this is no JSON-RPC message: it is broken, a batch, or has a name twice or in other letters"}}`, jsonrpc.CodeInvalidRequest)
		return
	}
	if err != nil || !m.Request() || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		next(r)
		return
	}
	var declared json.RawMessage
	if modern := r.Header.Get("Mcp-Protocol-Version") >= mcpclient.ModernVersion; modern {
		var ok bool
		if declared, ok = wellFormed(r, m); !ok {
			next(r) // the SDK says what is wrong
			return
		}
	}
	if declared != nil && (listMember[m.Method] != "" || hasExtensions(declared)) && json.Unmarshal(declared, &peer.Capabilities) != nil {
		next(r)
		return
	}
	switch m.Method {
	case "tools/call":
		g.relay(w, r, peer, m, next)
	case "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		g.serveList(w, r, peer, m)
	case completionMethod:
		g.complete(w, r, peer, m)
	default:
		if peer.Session != "" && !served(m.Method) {
			writeMessage(w, m.ID, mcpclient.Message{Error: &mcpclient.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("method not found: %.100q", m.Method)}}, false)
			return
		}
		next(r)
	}
}

// served reports whether a method of the protocol up to 2025-11-25 is offered. To
// one that it does not know the SDK answers with a status and no response.
func served(method string) bool {
	return slices.Contains([]string{
		"initialize", "ping", "completion/complete", "logging/setLevel", "prompts/get",
		"resources/read", "resources/subscribe", "resources/unsubscribe",
	}, method)
}

// relay makes a call that nothing stands in the way of and writes its result. It
// makes it in the goroutine that it is called in: waking another one takes as
// long as all that is done here.
func (g *Gateway) relay(w http.ResponseWriter, r *http.Request, peer mcphttp.Peer, m mcpclient.Message, next func(*http.Request)) {
	name, arguments, continues, err := readCall(m.Params)
	if err != nil {
		writeMessage(w, m.ID, mcpclient.Message{Error: &mcpclient.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}}, false)
		return
	}
	meta, _ := mcpclient.Member(m.Params, "_meta")
	if continues || !sound(meta) {
		next(r)
		return
	}
	who := g.callerOfMessage(r, peer, m.Params)
	name = g.toolName(r.Context(), who, name)
	t, ok := g.cachedTool(r.Context(), who, name)
	if !ok || t.Tool.Task {
		next(r)
		return
	}
	relays, refused := g.calls.CanRelay(r.Context(), who, t, arguments)
	if refused != nil {
		writeMessage(w, m.ID, mcpclient.Message{Error: &mcpclient.Error{Code: refused.Code, Message: refused.Message, Data: refused.Data}}, peer.Session == "")
		return
	}
	if !relays || g.madeBefore(r.Context(), who, t, name, arguments) {
		next(r)
		return
	}
	_, progress := progressToken(m.Params)
	ctx, span := g.traced(mcptool.Traced(r.Context(), meta, r.Header), "gateway.call", t)
	defer span.End()
	f := g.calls.Request(ctx, who, t, withMeta(mcpcall.Params(t.Name, arguments), meta, theirOwn), progress)
	f.Large()
	landed := g.requests.run(requestKey{peer.Session, string(m.ID)}, f)
	defer landed()
	hand := func() {
		landed() // who cancels it from here on tells the SDK
		handed := g.requests.hand(g.life.Context(), f, r, peer.Session)
		span.Set("parley.way", "long")
		span.Set("outcome", "handed on")
		tracing.From(ctx).SetHeader(handed.Header) // what comes is a part of it
		next(handed)
	}
	late := handLate(f, g.patience, r, peer, hand)
	f.Do()
	if late() {
		return
	}
	sessionless := peer.Session == ""
	a := f.First()
	if a.Err == nil && a.Message.Rest != nil {
		if a.Err = g.relayLarge(w, r, peer, m.ID, f, a.Message.Rest, span); a.Err == nil {
			return
		}
	}
	switch {
	case a.Err == nil && final(a.Message):
		endedWith(span, a.Message)
		a.Message.Result = resultFor(sessionless, t.Tool, g.withLinks(r.Context(), who, t.Server, a.Message.Result))
		writeMessage(w, m.ID, a.Message, sessionless)
		f.Close()
	case f.Abandoned():
		span.Set("outcome", "cancelled")
		w.WriteHeader(http.StatusAccepted) // nobody waits for a response, and nobody makes the call again
	case sessionless && r.Context().Err() != nil:
		span.Set("outcome", "cancelled")
		f.Close()
	default:
		f.Unread(a)
		hand()
	}
}

// handLate leaves a request that takes long to the SDK, while it is under way. The
// returned function is called when the request has something; it reports whether
// it was left to the SDK, and returns then when the SDK is done.
func handLate(f *request, patience time.Duration, r *http.Request, peer mcphttp.Peer, hand func()) (late func() bool) {
	stop := func() bool { return true }
	if peer.Session == "" { // older clients cancel by a notification
		stop = context.AfterFunc(r.Context(), f.Close)
	}
	var done sync.WaitGroup
	done.Add(1)
	var failure any
	timer := time.AfterFunc(patience, func() {
		defer done.Done()
		defer func() { failure = recover() }()
		stop()
		hand()
	})
	return func() bool {
		if timer.Stop() {
			stop()
			return false
		}
		done.Wait()
		if failure != nil {
			panic(failure) // in the goroutine whose server expects it
		}
		return true
	}
}

// maxDepth is how many levels the parameters of a call may have.
const maxDepth = 64

// readCall reads a call strictly: what is ruled on, shown and sent are the
// returned bytes, the canonical form of its arguments. It reports whether the
// call continues another one, or is to be a task.
func readCall(params json.RawMessage) (name string, arguments json.RawMessage, continues bool, err error) {
	members, err := strictjson.Parts(params, maxDepth)
	if err != nil {
		return "", nil, false, err
	}
	for _, m := range members {
		switch m.Name {
		case "name":
			name = textOf(m.Value)
		case "arguments":
			var ok bool
			if arguments, ok = canonicalArguments(m.Value); !ok {
				return "", nil, false, errors.New("arguments: they must be a JSON object")
			}
		case "requestState", "inputResponses", "task":
			continues = true
		case "_meta":
		default:
			if known := strictjson.Fold(m.Name); slices.Contains([]string{"name", "arguments", "requeststate", "inputresponses", "task", "_meta"}, known) {
				return "", nil, false, fmt.Errorf("%.60q: the protocol writes this name in other letters, and some programs take one for the other", m.Name)
			}
		}
	}
	if name == "" {
		return "", nil, false, errors.New("name: a tool's name is needed")
	}
	return name, arguments, continues, nil
}

// canonicalArguments are the arguments of a call as they are ruled on, shown and
// sent; nil where there are none. They are an object, or none.
func canonicalArguments(canonical json.RawMessage) (json.RawMessage, bool) {
	if string(canonical) == "null" {
		return nil, true
	}
	return canonical, canonical[0] == '{'
}

// textOf is what a JSON string says; empty: it is none.
func textOf(value json.RawMessage) (text string) {
	_ = json.Unmarshal(value, &text) // anything else says nothing
	return text
}

func progressToken(params json.RawMessage) (json.RawMessage, bool) {
	meta, ok := mcpclient.Member(params, "_meta")
	if !ok {
		return nil, false
	}
	return mcpclient.Member(meta, "progressToken")
}

// cachedTool finds a tool that is listed already.
func (g *Gateway) cachedTool(ctx context.Context, who person, name string) (target, bool) {
	if !g.showsTools(ctx) {
		return target{}, false
	}
	s, own, ok, err := g.split(ctx, who.Tenant, name)
	if err != nil || !ok {
		return target{}, false
	}
	l := g.ownListing(who, s)
	if l == nil {
		l = g.toolCache.Of(who, s).Cached()
	}
	t, ok := l.tool(own)
	return target{Server: s, Tool: t.Tool, Method: "tools/call", Name: own}, ok && !t.AppOnly // see callable
}

// madeBefore reports whether the same call may have been made before, so that it is
// not made again but gone on with. What does no harm twice is not looked for: it is
// sent, and an earlier one is found when its server asks. Where nobody can look,
// nothing is sent.
func (g *Gateway) madeBefore(ctx context.Context, who person, t target, name string, arguments json.RawMessage) bool {
	if t.Tool.Repeatable() {
		return false
	}
	earlier, err := g.asker.Earlier(ctx, who.Principal, name, arguments)
	return earlier || err != nil
}

// final reports whether a message is a response that asks for nothing.
func final(m mcpclient.Message) bool {
	if !m.Response() {
		return false
	}
	if m.Error != nil {
		return m.Error.Code != mcpclient.CodeVisit
	}
	return bytes.HasPrefix(m.Result, []byte("{")) && !mcpclient.InputRequired(m.Result)
}

// wellFormed reports whether a request of 2026-07-28 says of itself what it
// must, and returns what it says its client can do.
func wellFormed(r *http.Request, m mcpclient.Message) (json.RawMessage, bool) {
	meta, ok := mcpclient.Member(m.Params, "_meta")
	if !ok || r.Header.Get("Mcp-Method") != m.Method || r.Header.Get("Mcp-Protocol-Version") != mcpclient.ModernVersion {
		return nil, false
	}
	if version, _ := mcpclient.Member(meta, mcpclient.MetaVersion); !says(version, mcpclient.ModernVersion) {
		return nil, false
	}
	if m.Method == "tools/call" {
		if name, _ := mcpclient.Member(m.Params, "name"); !says(name, r.Header.Get("Mcp-Name")) {
			return nil, false
		}
	}
	capabilities, ok := mcpclient.Member(meta, mcpclient.MetaCapabilities)
	return capabilities, ok && capabilities[0] == '{'
}

// hasExtensions reports whether a client of 2026-07-28 says that it has any: of a call
// nothing else that it can do matters before somebody is to be asked.
func hasExtensions(declared json.RawMessage) bool {
	_, ok := mcpclient.Member(declared, "extensions")
	return ok
}

// says reports whether a JSON string is text, written without escapes: what is
// written otherwise is left to who decodes it.
func says(quoted json.RawMessage, text string) bool {
	return len(quoted) == len(text)+2 && quoted[0] == '"' && string(quoted[1:len(quoted)-1]) == text && !strings.ContainsRune(text, '\\')
}

// bodies are those of responses that were written. A longer one than maxKept is
// not kept.
var bodies = sync.Pool{New: func() any { return new([]byte) }}

const maxKept = 1 << 20

// writeMessage writes a response of the server's under the id of the client's.
// Results for clients of 2026-07-28 say that they are complete.
func writeMessage(w http.ResponseWriter, id json.RawMessage, m mcpclient.Message, modern bool) {
	kept := bodies.Get().(*[]byte)
	body := slices.Grow((*kept)[:0], len(id)+len(m.Result)+128)
	body = append(append(body, `{"jsonrpc":"2.0","id":`...), id...)
	if m.Error != nil {
		wire, _ := json.Marshal(errorFor(m.Error, modern))
		body = append(append(body, `,"error":`...), wire...)
	} else {
		body = append(body, `,"result":`...)
		body = appendResult(body, m.Result, modern)
	}
	body = append(body, '}')
	writeJSON(w, body)
	if cap(body) <= maxKept {
		*kept = body
		bodies.Put(kept)
	}
}

// writeJSON does not keep body. Its length is said, so that the client can set
// memory aside, and a long one is not sent in chunks.
func writeJSON(w http.ResponseWriter, body []byte) {
	header := w.Header()
	header["Content-Type"] = []string{"application/json"}
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	_, _ = w.Write(body)
}

// appendResult adds a result. For a client of 2026-07-28 that of an older server
// says that it is complete.
func appendResult(body []byte, result json.RawMessage, modern bool) []byte {
	if !modern || len(result) == 0 || result[0] != '{' {
		return append(body, result...)
	}
	if _, said := mcpclient.Member(result, "resultType"); said {
		return append(body, result...)
	}
	body = append(body, `{"resultType":"complete"`...)
	rest := bytes.TrimLeft(result[1:], " \t\r\n")
	if len(rest) > 0 && rest[0] != '}' {
		body = append(body, ',')
	}
	return append(body, rest...)
}
