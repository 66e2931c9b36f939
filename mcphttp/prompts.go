package mcphttp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"mime"
	"net/http"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

// The SDK asks a client by a call that blocks in a goroutine of its own for as long as
// the person thinks. So questions are written on the stream of their call here, and the
// answer is taken from the client's POST before the SDK reads it.

// firstPrompt is the lowest id of our own requests. The SDK counts its own from one.
const firstPrompt = 1_000_000_000

// prompt is a request to a client that it has not answered.
type prompt struct {
	said   func(result json.RawMessage, err error)
	cancel context.CancelCauseFunc // among the session's calls: it is busy while it asks
}

// errUnheard says that nobody can be asked on a request that is over.
var errUnheard = errors.New("the request has ended")

var _ mcptool.Prompter = (*liveSession)(nil)

// Prompt implements mcptool.Prompter.
func (l *liveSession) Prompt(request http.Header, method string, params json.RawMessage, said func(json.RawMessage, error)) (takeBack func(), err error) {
	stream := l.streamOf(request)
	if stream == nil {
		return nil, errUnheard
	}
	p := &prompt{said: said}
	id, ok := l.prompted(p)
	if !ok {
		return nil, mcptool.ErrSessionEnded
	}
	message := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
	if err := stream.message(message); err != nil {
		l.unprompt(id)
		return nil, fmt.Errorf("%w: %w", errUnheard, err)
	}
	return func() {
		if l.unprompt(id) != nil {
			// Who has gone does not need to know.
			_ = stream.message(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"it is no longer asked"}}`, id))
		}
	}, nil
}

// prompted notes a request to the client. It reports false when the session has ended.
func (l *liveSession) prompted(p *prompt) (id int64, ok bool) {
	l.mu.Lock()
	l.asked++
	id = firstPrompt + l.asked
	if l.prompts == nil {
		l.prompts = map[int64]*prompt{}
	}
	l.prompts[id] = p
	conn := l.conn
	p.cancel = func(cause error) {
		if l.unprompt(id) != nil {
			go p.said(nil, cause)
		}
	}
	l.mu.Unlock()
	if !l.begin(conn, &p.cancel) {
		l.mu.Lock()
		delete(l.prompts, id)
		l.mu.Unlock()
		return 0, false
	}
	return id, true
}

// unprompt takes a request to the client out, once; nil: it is over.
func (l *liveSession) unprompt(id int64) *prompt {
	l.mu.Lock()
	p := l.prompts[id]
	delete(l.prompts, id)
	l.mu.Unlock()
	if p != nil {
		l.done(&p.cancel)
	}
	return p
}

// reply gives a client's answer to one of our requests to who has asked. It reports
// false for a message that is for the SDK.
func (l *liveSession) reply(w http.ResponseWriter, r *http.Request, body []byte, message mcpclient.Message) bool {
	id, ours := promptOf(message)
	if !ours || !taken(r) {
		return false
	}
	if !hasOneReading(body) {
		rpcError(w, http.StatusBadRequest, nil, jsonrpc.CodeInvalidRequest, notAMessage)
		return true
	}
	l.hear(id, message)
	w.WriteHeader(http.StatusAccepted)
	return true
}

// replies is reply for a batch. It returns what is left of it for the SDK, or reports
// that there is nothing.
func (l *liveSession) replies(w http.ResponseWriter, r *http.Request, body []byte) (rest []byte, over bool) {
	var batch, others []json.RawMessage
	if r.Header.Get(mcpclient.VersionHeader) > lastOfBatches || !taken(r) || !isMessage(body, true) || json.Unmarshal(body, &batch) != nil {
		return body, false
	}
	for _, m := range batch {
		message, _ := mcpclient.Envelope(m)
		if id, ours := promptOf(message); ours {
			l.hear(id, message)
		} else {
			others = append(others, m)
		}
	}
	switch len(others) {
	case len(batch):
		return body, false
	case 0:
		w.WriteHeader(http.StatusAccepted)
		return nil, true
	}
	rest, _ = json.Marshal(others)
	return rest, false
}

// lastOfBatches is the last version of MCP that has them.
const lastOfBatches = "2025-03-26"

// promptOf returns which of our own requests a message answers, if any.
func promptOf(message mcpclient.Message) (id int64, ours bool) {
	n, err := strconv.ParseFloat(string(message.ID), 64)
	return int64(n), err == nil && message.Response() && n > firstPrompt && n < 1<<53 && n == math.Trunc(n)
}

// hear passes an answer on. One that comes late, or twice, changes nothing.
func (l *liveSession) hear(id int64, message mcpclient.Message) {
	p := l.unprompt(id)
	if p == nil {
		return
	}
	var refused error
	if message.Error != nil {
		refused = &jsonrpc.Error{Code: int64(message.Error.Code), Message: message.Error.Message, Data: message.Error.Data}
	}
	p.said(message.Result, refused)
}

// taken reports whether a POST is one that the SDK would not refuse.
func taken(r *http.Request) bool {
	content, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	version := r.Header.Get(mcpclient.VersionHeader)
	return err == nil && content == "application/json" && (version == "" || mcpclient.Older(version))
}
