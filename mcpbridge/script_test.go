package mcpbridge_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// script is a server up to 2025-11-25 that does what a test wants.
type script struct {
	// post answers requests but initialize; nil answers {}.
	post func(w http.ResponseWriter, r *http.Request, m wireMessage)
	// get serves the stream of a session; nil: there is none.
	get func(w http.ResponseWriter, r *http.Request)

	mu       sync.Mutex
	version  string // default 2025-11-25
	sessions int
	live     string   // the session that is known
	got      []string // what was posted without an answer, and methods other than POST, in order
}

type wireMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		RequestID json.RawMessage `json:"requestId"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m wireMessage
	raw, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(raw, &m)
	if m.Method == "initialize" {
		id, version := s.open()
		w.Header().Set("Mcp-Session-Id", id)
		respond(w, m, fmt.Sprintf(`{"protocolVersion":%q}`, version))
		return
	}
	if !s.knows(r.Header.Get("Mcp-Session-Id")) {
		http.Error(w, "session not found", http.StatusNotFound)
		return
	}
	switch {
	case r.Method == http.MethodDelete:
		s.note("DELETE")
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodGet && s.get == nil:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.Method == http.MethodGet:
		s.get(w, r)
	case m.Method == "" || m.ID == nil:
		s.note(m.Method + string(m.ID) + string(m.Params.RequestID) + string(m.Result) + string(m.Error))
		w.WriteHeader(http.StatusAccepted)
	case s.post != nil:
		s.post(w, r, m)
	default:
		respond(w, m, `{}`)
	}
}

func (s *script) open() (id, version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions++
	s.live = fmt.Sprintf("s%d", s.sessions)
	return s.live, cmp.Or(s.version, legacy)
}

// upgrade makes later sessions of another version.
func (s *script) upgrade(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
}

func (s *script) knows(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return id == s.live
}

// forget loses the session.
func (s *script) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live = "none"
}

func (s *script) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, what)
}

func (s *script) noted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.got...)
}

func respond(w http.ResponseWriter, m wireMessage, result string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": %s,\n  \"result\": %s\n}\n", m.ID, result)
}

// stream begins a response of events.
func stream(w http.ResponseWriter) func(event string) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(w).Flush()
	return func(event string) {
		_, _ = io.WriteString(w, event)
		_ = http.NewResponseController(w).Flush()
	}
}

func request(id, method string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q}`, id, method)
}
