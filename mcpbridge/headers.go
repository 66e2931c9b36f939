package mcpbridge

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"github.com/parley-hq/parley/mcpclient"
)

// headers is what a message from 2026-07-28 on repeats of itself in headers, so
// that the way to the server can see it. Older ones say nothing there.
func (b *bridge) headers(m *message) mcpclient.Request {
	r := mcpclient.Request{Method: m.Method}
	if !m.modern() {
		return r
	}
	var p struct {
		Name      string          `json:"name"`
		URI       string          `json:"uri"`
		TaskID    string          `json:"taskId"`
		Arguments json.RawMessage `json:"arguments"`
	}
	_ = json.Unmarshal(m.Params, &p)
	switch {
	case m.Method == "tools/call":
		r.Name, r.Header = p.Name, b.tools.of(p.Name, p.Arguments)
	case m.Method == "prompts/get":
		r.Name = p.Name
	case m.Method == "resources/read":
		r.Name = p.URI
	case strings.HasPrefix(m.Method, "tasks/"):
		r.Name = p.TaskID
	}
	return r
}

// toolHeaders knows which arguments of which tools are repeated in headers. A
// server says so in the schemas of its tools (x-mcp-header) and refuses calls
// without; the client on the lines knows nothing of headers.
type toolHeaders struct {
	mu    sync.Mutex
	tools map[string][]mcpclient.Mirror
}

// learn takes up the tools of a list.
func (t *toolHeaders) learn(result json.RawMessage) {
	var list struct {
		Tools []struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"inputSchema"`
		} `json:"tools"`
	}
	if json.Unmarshal(result, &list) != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tools == nil {
		t.tools = map[string][]mcpclient.Mirror{}
	}
	for _, tool := range list.Tools {
		if found := mcpclient.Mirrors(tool.Schema); found != nil {
			t.tools[tool.Name] = found
		} else {
			delete(t.tools, tool.Name)
		}
	}
}

// of returns the headers of a call.
func (t *toolHeaders) of(tool string, arguments json.RawMessage) http.Header {
	t.mu.Lock()
	wanted := t.tools[tool]
	t.mu.Unlock()
	h := http.Header{}
	for _, m := range wanted {
		m.Set(h, arguments)
	}
	return h
}
