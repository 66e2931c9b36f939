package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/internal/toolname"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/strictjson"
	"github.com/parley-hq/parley/vault"
)

// The tools of the gateway itself.
const (
	findTools   = "find_tools"
	executeTool = "execute_tool"
	connectName = "connect" // of a server: server__connect, while the person has not connected
)

var (
	findSchema = json.RawMessage(`{"name":"find_tools","title":"Find tools","description":"Finds tools for what is needed, best first. Each result has the name and the input schema for execute_tool.",` +
		`"inputSchema":{"type":"object","properties":{` +
		`"query":{"type":"string","description":"What is needed, in a few words, or the name of a tool; empty: all tools"},` +
		`"server":{"type":"string","description":"Only the tools of this server"},` +
		`"limit":{"type":"integer","minimum":1,"maximum":50,"description":"At most so many results; default 10"}}},` +
		`"annotations":{"readOnlyHint":true,"openWorldHint":false}}`)
	executeSchema = json.RawMessage(`{"name":"execute_tool","title":"Execute a tool","description":"Calls a tool that find_tools has found.",` +
		`"inputSchema":{"type":"object","properties":{` +
		`"name":{"type":"string","description":"The tool's name, as find_tools has it"},` +
		`"arguments":{"type":"object","description":"Arguments that fit the tool's input schema"}},"required":["name"]}}`)
)

// connectTool stands for the tools of a server that lists them only to who has
// connected.
func connectTool(s Server) json.RawMessage {
	raw, _ := json.Marshal(map[string]any{
		"name": toolname.Join(s.Name, connectName), "title": "Connect " + s.Label(),
		"description": "The user has not connected their account at " + s.Label() + " yet. Call this to have them asked; the tools of " + s.Label() + " appear then.",
		"inputSchema": map[string]any{"type": "object"},
		"annotations": map[string]any{"readOnlyHint": true},
	})
	return raw
}

// ownTool answers for the tools of the gateway itself.
func (g *Gateway) ownTool(ctx context.Context, call *mcptool.Call, who person, name string, arguments json.RawMessage) (*mcp.CallToolResult, bool, error) {
	if g.opts.Ask != nil && name == AskPerson && onlyServer(ctx) == "" {
		result, err := g.askPerson(ctx, call, who, arguments)
		return result, true, err
	}
	if g.opts.Expose == Execute {
		switch name {
		case findTools:
			result, err := g.findTools(ctx, who, arguments, call.Modern())
			return result, true, err
		case executeTool:
			result, err := g.executeTool(ctx, call, arguments)
			return result, true, err
		}
	}
	if !strings.HasSuffix(name, connectName) {
		return nil, false, nil
	}
	s, own, ok, err := g.split(ctx, who.Tenant, name)
	if err != nil || !ok || own != connectName || !s.Personal {
		return nil, false, nil
	}
	if l, _, _ := g.toolCache.Of(who, s).Ready(); l != nil {
		if _, its := l.tool(connectName); its {
			return nil, false, nil
		}
	}
	c := g.newCall(call, who)
	c.Target = target{Server: s, Method: "tools/call", Name: connectName}
	if err := c.EnsureCredential(ctx); err != nil {
		result, err := toolFailure(err)
		return result, true, err
	}
	return text("%s is connected. Its tools can be listed now.", s.Label()), true, nil
}

func text(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

// findTools looks for tools.
func (g *Gateway) findTools(ctx context.Context, who person, arguments json.RawMessage, modern bool) (*mcp.CallToolResult, error) {
	in := struct {
		Query  string `json:"query"`
		Server string `json:"server"`
		Limit  int    `json:"limit"`
	}{}
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &in); err != nil {
			return toolFailure(failed("find_tools takes query, server and limit."))
		}
	}
	if in.Limit < 1 || in.Limit > 50 {
		in.Limit = 10
	}
	all, err := g.offers(ctx, who)
	if err != nil {
		return nil, err
	}
	found, total := search(all, in.Query, in.Server, in.Limit, modern)
	raw, err := json.Marshal(map[string]any{"tools": found, "total": total})
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(raw)}}, StructuredContent: json.RawMessage(raw)}, nil
}

// connectable reports whether the server lists nothing until the person connects
// their account. Where it is not theirs, they cannot.
func (s offer) connectable() bool {
	return s.server.Personal && errors.Is(s.err, vault.ErrRequired) && !s.unconnectable
}

// offered are the tools of a server, or the one that connects it.
func (s offer) offered() []tool {
	switch {
	case s.listing != nil:
		return s.listing.tools
	case s.connectable():
		return []tool{{item: item{name: connectName, raw: connectTool(s.server)}, Tool: mcpcall.Tool{Title: s.server.Label()}}}
	}
	return nil
}

// executeTool calls a tool by its name. It is the same call as one that names
// the tool itself: what is approved is that one.
func (g *Gateway) executeTool(ctx context.Context, call *mcptool.Call, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	name, given, ok := executed(arguments)
	if !ok {
		return toolFailure(failed("execute_tool takes the name of a tool and its arguments."))
	}
	if name == executeTool || name == findTools {
		return toolFailure(failed("execute_tool calls the tools of servers."))
	}
	return g.CallTool(ctx, call, name, given)
}

// executed reads the arguments of execute_tool: exactly these two members, so that
// nobody reads them as another call than this.
func executed(arguments json.RawMessage) (name string, given json.RawMessage, ok bool) {
	members, err := strictjson.Parts(arguments, maxDepth)
	if err != nil {
		return "", nil, false
	}
	for _, m := range members {
		switch m.Name {
		case "name":
			name = textOf(m.Value)
		case "arguments":
			if given, ok = canonicalArguments(m.Value); !ok {
				return "", nil, false
			}
		default:
			return "", nil, false
		}
	}
	return name, given, name != ""
}
