package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

// codeNotFound is the code of older eras for what is not there.
const codeNotFound = -32002

// journal is that of a call of mcptool's, for mcpcall.
type journal struct{ *mcptool.Call }

// Once implements mcpcall.Journal.
func (j journal) Once(ctx context.Context, name string, do func(context.Context) (mcpcall.Reply, error)) (mcpcall.Reply, error) {
	return mcptool.OnceOrLast(ctx, j.Call, name, func(r mcpcall.Reply) bool { return !r.Asks() }, do)
}

// Ask implements mcpcall.Journal.
func (j journal) Ask(ctx context.Context, all []mcptool.Asking) ([]mcptool.Answer[json.RawMessage], []error) {
	return mcptool.AskRequests(ctx, j.Call, all)
}

// newCall is a call of a client's, for a server.
func (g *Gateway) newCall(call *mcptool.Call, who person) *mcpcall.Call {
	return g.calls.Call(mcpcall.Call{
		Journal: journal{call}, Past: call, Client: call, Who: who,
		Begun:   func() (*request, bool) { return g.begunFor(call) },
		Renamed: func() person { return g.callerOfCall(call) },
	})
}

// begunFor is the request that the shortcut made for a call, and whether it did.
func (g *Gateway) begunFor(call *mcptool.Call) (f *request, begun bool) {
	request := call.Request()
	if request == nil || request.Extra == nil || request.Extra.Header == nil {
		return nil, false
	}
	id := request.Extra.Header.Get(begunHeader)
	return g.requests.take(id), id != ""
}

// CallTool implements mcptool.Relay.
func (g *Gateway) CallTool(ctx context.Context, call *mcptool.Call, name string, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	who := g.callerOfCall(call)
	if result, ours, err := g.ownTool(ctx, call, who, name, arguments); ours {
		return result, err
	}
	c := g.newCall(call, who)
	c.Arguments, c.Progress = arguments, wantsProgress(call)
	c.Callable = func(t target) error { return g.callable(ctx, call, t) }
	err := c.Aim(ctx, func(ctx context.Context) (target, error) {
		t, err := g.lookUpTool(ctx, who, name)
		if err == nil {
			err = g.callable(ctx, call, t)
		}
		return t, err
	})
	if err != nil {
		return toolFailure(err)
	}
	call.ToolID(c.Target.Server.Name)
	call.Accounted() // that it was sent, or is parked, is in its journal, unless twice does no harm
	// Of a call that was approved nothing else is passed on: the person did not see it.
	c.Params, c.Unruled = mcpcall.Params(c.Target.Name, arguments), withMeta(mcpcall.Params(c.Target.Name, arguments), metaOf(call), theirOwn)
	r, err := c.Run(ctx)
	if err != nil {
		return toolFailure(err)
	}
	if r.Error != nil {
		return nil, errorFor(r.Error, call.Modern())
	}
	return toolResult(c.Target, resultFor(call.Modern(), c.Target.Tool, g.withLinks(ctx, who, c.Target.Server, r.Result)))
}

func wantsProgress(call *mcptool.Call) bool {
	request := call.Request()
	return request != nil && request.Params.GetProgressToken() != nil
}

// GetPrompt implements mcptool.Relay.
func (g *Gateway) GetPrompt(ctx context.Context, call *mcptool.Call, name string, arguments map[string]string) (*mcp.GetPromptResult, error) {
	given, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	if arguments == nil {
		given = nil
	}
	c := g.newCall(call, g.callerOfCall(call))
	err = c.Aim(ctx, func(ctx context.Context) (target, error) {
		s, own, ok, err := g.split(ctx, c.Who.Tenant, name)
		if err == nil && !ok {
			err = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown prompt %.100q", name)}
		}
		return mcpcall.Reading(s, "prompts/get", own), err
	})
	if err != nil {
		return nil, protocolFailure(err)
	}
	call.ToolID(c.Target.Server.Name)
	c.Params = mcpcall.Params(c.Target.Name, given)
	result := &mcp.GetPromptResult{}
	return result, g.read(ctx, c, call.Modern(), result)
}

// ReadResource implements mcptool.Relay.
func (g *Gateway) ReadResource(ctx context.Context, call *mcptool.Call, uri string) (*mcp.ReadResourceResult, error) {
	c := g.newCall(call, g.callerOfCall(call))
	err := c.Aim(ctx, func(ctx context.Context) (target, error) {
		s, own, ok, err := g.resourceOwner(ctx, c.Who, uri)
		if err == nil && !ok {
			err = mcp.ResourceNotFoundError(uri)
		}
		return mcpcall.Reading(s, "resources/read", own), err
	})
	if err != nil {
		return nil, protocolFailure(err)
	}
	call.ToolID(c.Target.Server.Name)
	own := c.Target.Name
	if c.Params, err = json.Marshal(map[string]string{"uri": own}); err != nil {
		return nil, err
	}
	result := &mcp.ReadResourceResult{}
	err = g.read(ctx, c, call.Modern(), result)
	for _, content := range result.Contents {
		if content != nil && content.URI == own && onlyServer(ctx) == "" {
			content.URI = uri // as it is called here: the server's own may be another server's
		}
	}
	result.CacheScope = cmp.Or(result.CacheScope, "private") // what one person may read another may not
	return result, err
}

// read makes a request for something that is read.
func (g *Gateway) read(ctx context.Context, c *mcpcall.Call, modern bool, result any) error {
	r, err := c.Run(ctx)
	switch {
	case err != nil:
		return protocolFailure(err)
	case r.Error != nil:
		return errorFor(r.Error, modern)
	}
	if json.Unmarshal(g.withLinks(ctx, c.Who, c.Target.Server, r.Result), result) != nil {
		return protocolFailure(mcpcall.Failed("The server's result cannot be read."))
	}
	return nil
}

// errorFor is a server's error for a client. Codes that 2026-07-28 does away
// with are replaced.
func errorFor(e *mcpclient.Error, modern bool) *jsonrpc.Error {
	code := e.Code
	if modern && (code == codeNotFound || code == mcpclient.CodeVisit) {
		code = jsonrpc.CodeInvalidParams
	}
	return &jsonrpc.Error{Code: code, Message: e.Message, Data: e.Data}
}
