package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// bank is a server of one era, by hand, with a tool that takes money. It counts.
type bank struct {
	era  string
	asks bool   // which note it gets, before it takes any
	hint string // the tool's annotations
	// end answers a call that was carried out. Default: with a result.
	end func(w http.ResponseWriter, id json.RawMessage)

	called func() // with each call, before it is answered

	calls atomic.Int64 // that came, without those that bring an answer
	done  atomic.Int64 // that were carried out

	mu      sync.Mutex
	waiting map[string]chan struct{} // by the id of a question
}

const paid = `{"resultType":"complete","content":[{"type":"text","text":"paid"}]}`

func (s *bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m wireMessage
	_ = json.NewDecoder(r.Body).Decode(&m)
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case m.Method == "" && m.ID != nil:
		s.answered(string(m.ID))
		w.WriteHeader(http.StatusAccepted)
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "server/discover" && s.era == modern:
		tell(w, m.ID, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"bank","version":"1"}}`)
	case m.Method == "initialize" && s.era == legacy:
		w.Header().Set("Mcp-Session-Id", "one")
		tell(w, m.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bank","version":"1"}}`)
	case m.Method == "tools/list":
		tell(w, m.ID, `{"resultType":"complete","tools":[{"name":"pay","inputSchema":{"type":"object"},"annotations":{`+s.hint+`}},{"name":"crash","inputSchema":{"type":"object"}}]}`)
	case m.Method == "tools/call" && string(m.Params["name"]) == `"crash"`:
		hangUp(w)
	case m.Method == "tools/call":
		s.pay(w, r, m)
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
	}
}

const noteForm = `{"message":"Which note?","requestedSchema":{"type":"object","properties":{"size":{"type":"string"}}}}`

func (s *bank) pay(w http.ResponseWriter, r *http.Request, m wireMessage) {
	if m.Params["requestState"] == nil {
		s.calls.Add(1)
		if s.called != nil {
			s.called()
		}
		switch {
		case s.asks && s.era == modern:
			tell(w, m.ID, `{"resultType":"input_required","requestState":"asked","inputRequests":{"q":{"method":"elicitation/create","params":`+noteForm+`}}}`)
			return
		case s.asks && !s.ask(w, r):
			return
		}
	}
	s.done.Add(1)
	if s.end != nil {
		s.end(w, m.ID)
		return
	}
	tell(w, m.ID, paid)
}

// ask asks on the open connection, and reports whether there was an answer.
func (s *bank) ask(w http.ResponseWriter, r *http.Request) bool {
	s.mu.Lock()
	if s.waiting == nil {
		s.waiting = map[string]chan struct{}{}
	}
	id, answered := fmt.Sprintf("%d", 1000+s.calls.Load()), make(chan struct{})
	s.waiting[id] = answered
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"elicitation/create\",\"params\":%s}\n\n", id, noteForm)
	_ = http.NewResponseController(w).Flush()
	select {
	case <-answered:
		return true
	case <-r.Context().Done():
		return false
	}
}

func (s *bank) answered(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting[id] != nil {
		close(s.waiting[id])
		delete(s.waiting, id)
	}
}

// tell writes a result, in the way in which the response was begun.
func tell(w http.ResponseWriter, id json.RawMessage, result string) {
	if w.Header().Get("Content-Type") == "text/event-stream" {
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", id, result)
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// hangUp ends the connection of a request without a word.
func hangUp(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

func shopAt(url string) gateway.Server {
	return gateway.Server{Name: "shop", URL: url, Approve: permit.Never}
}

// eachEra runs a test with every client and every server.
func eachEra(t *testing.T, test func(t *testing.T, client, server string)) {
	t.Helper()
	eachServer(t, []string{legacy, modern}, test)
}

// eachServer runs a test with clients of these eras, and servers of both.
func eachServer(t *testing.T, clients []string, test func(t *testing.T, client, server string)) {
	t.Helper()
	for _, client := range clients {
		for _, server := range []string{legacy, modern} {
			t.Run(fmt.Sprintf("client %s, server %s", client, server), func(t *testing.T) { test(t, client, server) })
		}
	}
}

// says is all that a client is told of a call.
func says(text string, err error) string {
	if err != nil {
		text = strings.TrimSpace(text + " " + err.Error())
	}
	return text
}
