package mcpcall

import (
	"encoding/json"
	"net/http"

	"github.com/parley-hq/parley/mcpclient"
)

// Tool is what is known of a tool.
type Tool struct {
	Name    string // the server's own; empty: it is not known what it is
	Title   string
	Mirrors []mcpclient.Mirror
	Wraps   bool // older clients get what it gives under "result"
	AppOnly bool // it is for the server's user interface, not for models
	ForApps bool // it is for the server's user interface, whether or not for models
	Task    bool // it is called as a task of 2025-11-25, or not at all
	// Schema is its input schema, by which whoever approves a call can change it. nil:
	// nobody can.
	Schema json.RawMessage
	// What it says of itself, if it does.
	ReadOnly, Destructive, Idempotent, OpenWorld *bool
}

// ToolOf is a tool as its server lists it.
func ToolOf(t mcpclient.Tool) Tool {
	return Tool{
		Name: t.Name, Title: t.Title, Mirrors: mcpclient.Mirrors(t.InputSchema), Wraps: t.Wraps, AppOnly: t.AppOnly, ForApps: t.ForApps, Task: t.Task,
		ReadOnly: t.ReadOnly, Destructive: t.Destructive, Idempotent: t.Idempotent, OpenWorld: t.OpenWorld,
	}
}

// Repeatable reports whether the server says that making a call twice does no
// more than making it once.
func (t Tool) Repeatable() bool {
	return t.ReadOnly != nil && *t.ReadOnly || t.Idempotent != nil && *t.Idempotent
}

// headers are those of a call with these parameters.
func (t Tool) headers(params json.RawMessage) http.Header {
	if len(t.Mirrors) == 0 {
		return nil
	}
	arguments, _ := mcpclient.Member(params, "arguments")
	headers := http.Header{}
	for _, m := range t.Mirrors {
		m.Set(headers, arguments)
	}
	return headers
}

// Target is what a call is for.
type Target struct {
	Server Server
	Tool   Tool        // of tools/call
	Method string      // tools/call, prompts/get, resources/read or completion/complete
	Name   string      // the server's own: of the tool or prompt, or the URI
	header http.Header // that its calls have, where that is known already
}

// Reading is the target of a request for something that is read, not done.
func Reading(s Server, method, name string) Target {
	yes := true
	return Target{Server: s, Method: method, Name: name, Tool: Tool{ReadOnly: &yes}}
}

// headers are those of a call with these parameters.
func (t Target) headers(params json.RawMessage) http.Header {
	if t.header != nil {
		return t.header
	}
	return t.Tool.headers(params)
}

// Params are the parameters of a call, for the server.
func Params(name string, arguments json.RawMessage) json.RawMessage {
	quoted, _ := json.Marshal(name)
	params := make([]byte, 0, len(quoted)+len(arguments)+32)
	params = append(append(params, `{"name":`...), quoted...)
	if len(arguments) > 0 {
		params = append(append(params, `,"arguments":`...), arguments...)
	}
	return append(params, '}')
}
