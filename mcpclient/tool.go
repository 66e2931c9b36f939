package mcpclient

import (
	"bytes"
	"cmp"
	"encoding/json"
)

// MaxTool is how many bytes a tool has that a model wants to read.
const MaxTool = 256 << 10

// Tool is what a server says of a tool.
type Tool struct {
	Entry
	Title, Description string
	InputSchema        json.RawMessage // {"type":"object"} where there is none

	Task    bool // it is called as a task of 2025-11-25, or not at all
	AppOnly bool // it is for the server's user interface, not for models
	ForApps bool // it is for the server's user interface, whether or not for models

	// The annotations, nil where the server does not declare them.
	ReadOnly, Destructive, Idempotent, OpenWorld *bool
}

// ReadTool reads an item of tools/list. What nobody could call or list, or is for
// nobody, is ErrProtocol. Of a member that cannot be read for sure, because it is of another
// type, nothing is known.
func ReadTool(item json.RawMessage) (Tool, error) {
	e, err := ReadEntry(KindTool, item)
	if err != nil {
		return Tool{}, err
	}
	o := readObject(e.Raw)
	model, app := visibility(item)
	if !model && !app {
		return Tool{}, Fault{Kind: KindTool, Name: ShownName(e.Name), Reason: "its visibility names neither models nor apps"}
	}
	t := Tool{Entry: e, AppOnly: !model, ForApps: app, Title: o.text("title"), Description: o.text("description"), InputSchema: bytes.Clone(o.get("inputSchema"))}
	if said := readObject(o.get("annotations")); said != nil {
		t.Title = cmp.Or(t.Title, said.text("title"))
		t.ReadOnly, t.Destructive = said.truth("readOnlyHint"), said.truth("destructiveHint")
		t.Idempotent, t.OpenWorld = said.truth("idempotentHint"), said.truth("openWorldHint")
	}
	if said := readObject(o.get("execution")); said != nil {
		t.Task = said.text("taskSupport") == "required"
	}
	return t, nil
}
