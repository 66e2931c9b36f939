package mcptool

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Relay answers for tools, prompts and resources that a server does not have
// itself: those of other servers. Its methods may ask, as every handler may. Of
// their errors the client sees a *jsonrpc.Error and those of this package; all
// others are logged and hidden.
type Relay interface {
	CallTool(ctx context.Context, call *Call, name string, arguments json.RawMessage) (*mcp.CallToolResult, error)
	GetPrompt(ctx context.Context, call *Call, name string, arguments map[string]string) (*mcp.GetPromptResult, error)
	ReadResource(ctx context.Context, call *Call, uri string) (*mcp.ReadResourceResult, error)
}

// TaskRelay is a Relay that knows which tools run as tasks, for clients of
// 2026-07-28 that know tasks.
type TaskRelay interface {
	Relay
	TaskSupport(ctx context.Context, call *Call, name string) TaskSupport
}

// What the SDK knows in the place of everything that is relayed.
const (
	relayName = "parley.relay"
	relayURI  = "parley:relay"
)

// relayedKey is where a context has the real name of what is relayed: it comes
// by the SDK, which knows the stand-in alone.
type relayedKey struct{}

// Relay has what server does not have itself answered by to. Lists are not: they
// show one tool, prompt and resource that stand for all.
func (a *Asker) Relay(server *mcp.Server, to Relay) {
	at := a.attach(server)
	at.mu.Lock()
	at.relay = to
	at.mu.Unlock()
	server.AddTool(&mcp.Tool{Name: relayName, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		name, _ := ctx.Value(relayedKey{}).(string)
		return at.call(ctx, relayedTool(to, name), req)
	})
	server.AddPrompt(&mcp.Prompt{Name: relayName}, func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		name, _ := ctx.Value(relayedKey{}).(string)
		return a.prompt(ctx, req, name, func(ctx context.Context, call *Call, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			result, err := to.GetPrompt(ctx, call, name, req.Params.Arguments)
			return result, a.public(ctx, err)
		})
	})
	server.AddResource(&mcp.Resource{Name: relayName, URI: relayURI}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		uri, _ := ctx.Value(relayedKey{}).(string)
		return a.resource(ctx, req, uri, func(ctx context.Context, call *Call, _ *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			result, err := to.ReadResource(ctx, call, uri)
			return result, a.public(ctx, err)
		})
	})
}

func relayedTool(to Relay, name string) *addedTool {
	tool := &addedTool{name: name, run: func(ctx context.Context, call *Call, arguments json.RawMessage) (*mcp.CallToolResult, error) {
		result, err := to.CallTool(ctx, call, name, arguments)
		return result, call.run.asker.public(ctx, err)
	}}
	if tasks, ok := to.(TaskRelay); ok {
		tool.support = func(ctx context.Context, call *Call) TaskSupport { return tasks.TaskSupport(ctx, call, name) }
	}
	return tool
}

// relayed gives the SDK a request for what it has in the place of the one that
// is relayed.
func (at *attached) relayed(ctx context.Context, method string, req mcp.Request) (context.Context, mcp.Request) {
	at.mu.Lock()
	to := at.relay
	at.mu.Unlock()
	if to == nil {
		return ctx, req
	}
	switch r := req.(type) {
	case *mcp.CallToolRequest:
		if method != "tools/call" || at.hasOwn(r.Params.Name) {
			return ctx, req
		}
		params := *r.Params
		ctx = context.WithValue(ctx, relayedKey{}, params.Name)
		params.Name = relayName
		return ctx, &mcp.CallToolRequest{Session: r.Session, Params: &params, Extra: r.Extra}
	case *mcp.GetPromptRequest:
		params := *r.Params
		ctx = context.WithValue(ctx, relayedKey{}, params.Name)
		params.Name = relayName
		return ctx, &mcp.GetPromptRequest{Session: r.Session, Params: &params, Extra: r.Extra}
	case *mcp.ReadResourceRequest:
		if at.ownApp(r.Params.URI) {
			return ctx, req
		}
		params := *r.Params
		ctx = context.WithValue(ctx, relayedKey{}, params.URI)
		params.URI = relayURI
		return ctx, &mcp.ReadResourceRequest{Session: r.Session, Params: &params, Extra: r.Extra}
	}
	return ctx, req
}

// OwnTool reports whether a name is that of a tool which an asker adds to its servers,
// for clients that cannot ask: it is never relayed.
func OwnTool(name string) bool {
	return slices.Contains([]string{sendTool, waitTool, showTool, openTool, answerTool}, name)
}

// hasOwn reports whether a tool is the server's own.
func (at *attached) hasOwn(name string) bool {
	if OwnTool(name) || at.appTool(name) {
		return true
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	return at.tools[name] != nil
}
