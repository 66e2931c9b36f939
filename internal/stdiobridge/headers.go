package stdiobridge

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
)

// setModernHeaders repeats what a message from 2026-07-28 on says of itself, so
// that the way to the server can see it.
func (b *bridge) setModernHeaders(h http.Header, m *message) {
	h.Set(versionHeader, m.version)
	h.Set("Mcp-Method", m.method)
	var p struct {
		Name      string                     `json:"name"`
		URI       string                     `json:"uri"`
		TaskID    string                     `json:"taskId"`
		Arguments map[string]json.RawMessage `json:"arguments"`
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
		h.Set("Mcp-Name", headerValue(name))
	}
}

// headerValue encodes text as the protocol wants it in its headers.
func headerValue(text string) string {
	const prefix, suffix = "=?base64?", "?="
	plain := strings.TrimSpace(text) == text && !(strings.HasPrefix(text, prefix) && strings.HasSuffix(text, suffix))
	for _, c := range []byte(text) {
		plain = plain && c >= 0x20 && c <= 0x7e
	}
	if plain {
		return text
	}
	return prefix + base64.StdEncoding.EncodeToString([]byte(text)) + suffix
}

// toolHeaders knows which arguments of which tools are repeated in headers. A
// server says so in the schemas of its tools (x-mcp-header) and refuses calls
// without; the client on the lines knows nothing of headers.
type toolHeaders struct {
	mu    sync.Mutex
	tools map[string][]argumentHeader
}

type argumentHeader struct {
	path []string
	name string
}

// property is the part of a JSON schema that says what goes into headers.
type property struct {
	Header     string                     `json:"x-mcp-header"`
	Properties map[string]json.RawMessage `json:"properties"`
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
		t.tools = map[string][]argumentHeader{}
	}
	for _, tool := range list.Tools {
		if found := argumentHeaders(tool.Schema, nil); found != nil {
			t.tools[tool.Name] = found
		} else {
			delete(t.tools, tool.Name)
		}
	}
}

func argumentHeaders(schema json.RawMessage, path []string) []argumentHeader {
	var p property
	if json.Unmarshal(schema, &p) != nil {
		return nil
	}
	var found []argumentHeader
	if p.Header != "" && len(path) > 0 {
		found = append(found, argumentHeader{path, p.Header})
	}
	for name, inner := range p.Properties {
		found = append(found, argumentHeaders(inner, append(path[:len(path):len(path)], name))...)
	}
	return found
}

// set adds the headers of a call.
func (t *toolHeaders) set(h http.Header, tool string, arguments map[string]json.RawMessage) {
	t.mu.Lock()
	wanted := t.tools[tool]
	t.mu.Unlock()
	for _, a := range wanted {
		if text, ok := argument(arguments, a.path); ok {
			h.Set("Mcp-Param-"+a.name, headerValue(text))
		}
	}
}

// argument returns the text of a string, a number or a truth value.
func argument(arguments map[string]json.RawMessage, path []string) (string, bool) {
	raw, ok := arguments[path[0]]
	if !ok {
		return "", false
	}
	if len(path) > 1 {
		var inner map[string]json.RawMessage
		if json.Unmarshal(raw, &inner) != nil {
			return "", false
		}
		return argument(inner, path[1:])
	}
	var text string
	if json.Unmarshal(raw, &text) == nil && raw[0] == '"' {
		return text, true
	}
	switch raw[0] {
	case 'n', '{', '[':
		return "", false
	}
	return string(raw), true
}
