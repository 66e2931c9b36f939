package stdiobridge

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"github.com/parley-hq/parley/mcpclient"
)

// setModernHeaders repeats what a message from 2026-07-28 on says of itself, so
// that the way to the server can see it.
func (b *bridge) setModernHeaders(h http.Header, m *message) {
	h.Set(versionHeader, m.version)
	h.Set("Mcp-Method", m.method)
	var p struct {
		Name      string          `json:"name"`
		URI       string          `json:"uri"`
		TaskID    string          `json:"taskId"`
		Arguments json.RawMessage `json:"arguments"`
	}
	_ = json.Unmarshal(m.params, &p)
	name := ""
	switch {
	case m.method == "tools/call":
		name = p.Name
		b.tools.set(h, p.Name, p.Arguments)
	case m.method == "prompts/get":
		name = p.Name
	case m.method == "resources/read":
		name = p.URI
	case strings.HasPrefix(m.method, "tasks/"):
		name = p.TaskID
	}
	if name != "" {
		h.Set("Mcp-Name", mcpclient.HeaderText(name))
	}
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

// set adds the headers of a call.
func (t *toolHeaders) set(h http.Header, tool string, arguments json.RawMessage) {
	t.mu.Lock()
	wanted := t.tools[tool]
	t.mu.Unlock()
	for _, m := range wanted {
		m.Set(h, arguments)
	}
}
