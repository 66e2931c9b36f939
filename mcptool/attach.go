package mcptool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpclient"
)

// attached is a server whose tools an asker runs.
type attached struct {
	asker *Asker

	mu    sync.Mutex
	tools map[string]*addedTool
	relay Relay         // for what is not there, if anybody
	named func() string // how its server calls itself
}

// Attach makes the asker the one that asks for a server. Whatever adds tools, prompts
// or resources to it does so too.
func (a *Asker) Attach(server *mcp.Server) { a.attach(server) }

// attach prepares a server, once.
func (a *Asker) attach(server *mcp.Server) *attached {
	a.mu.Lock()
	defer a.mu.Unlock()
	if at := a.servers[server]; at != nil {
		return at
	}
	at := &attached{asker: a, tools: map[string]*addedTool{}, named: sync.OnceValue(func() string { return nameOf(server) })}
	a.servers[server] = at
	server.AddSendingMiddleware(a.sending)
	server.AddSendingMiddleware(uncheckedContent)
	at.addTasks(server)
	at.addFallbackTools(server)
	server.AddReceivingMiddleware(at.receive)
	return at
}

func (at *attached) add(tool *addedTool) {
	at.mu.Lock()
	defer at.mu.Unlock()
	at.tools[tool.name] = tool
}

func (at *attached) tool(name string) *addedTool {
	at.mu.Lock()
	defer at.mu.Unlock()
	if tool := at.tools[name]; tool != nil || at.relay == nil {
		return tool
	}
	return relayedTool(at.relay, name)
}

// receive is the middleware for what the SDK has no other place for.
func (at *attached) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (_ mcp.Result, err error) {
		defer func() { err = sendable(err) }()
		if handle, ok := at.taskMethods()[method]; ok {
			result, err := handle(ctx, req)
			return result, at.asker.public(ctx, err)
		}
		declared(req)
		if err := cmp.Or(at.refuseHidden(method, req), at.refuseApp(req)); err != nil {
			return nil, err
		}
		end, err := at.counted(req)
		if err != nil {
			return nil, err
		}
		defer end()
		ctx, req = at.relayed(ctx, method, req)
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch result := result.(type) {
		case *mcp.CallToolResult:
			if created, ok := result.Meta[taskKey].(*createTaskResult); ok {
				return created, nil
			}
		case *mcp.ReadResourceResult:
			return whole(result), nil
		case *mcp.ListToolsResult:
			return at.hide(req, result), nil
		case *mcp.ListResourcesResult:
			return at.hideApp(req, result), nil
		case *mcp.InitializeResult:
			return at.announceInitialized(result), nil
		case *mcp.DiscoverResult:
			return at.announceApps(at.announceTasks(result)), nil
		}
		return result, err
	}
}

// sendable is an error that can be sent. The SDK quotes what it does not find as Go
// does: of some characters that makes no JSON, and an error that cannot be written ends
// its session.
func sendable(err error) error {
	var e *jsonrpc.Error
	if !errors.As(err, &e) || len(e.Data) == 0 || json.Valid(e.Data) {
		return err
	}
	plain := *e
	plain.Data = nil
	return &plain
}

// announceTasks tells clients of 2026-07-28 that there may be tasks.
func (at *attached) announceTasks(result *mcp.DiscoverResult) *mcp.DiscoverResult {
	at.mu.Lock()
	tasks := slices.ContainsFunc(slices.Collect(maps.Values(at.tools)), func(t *addedTool) bool { return t.task != TaskNever })
	_, relayed := at.relay.(TaskRelay)
	at.mu.Unlock()
	if !tasks && !relayed {
		return result
	}
	r := *result
	capabilities := mcp.ServerCapabilities{}
	if result.Capabilities != nil {
		capabilities = *result.Capabilities
	}
	capabilities.Extensions = maps.Clone(capabilities.Extensions)
	if capabilities.Extensions == nil {
		capabilities.Extensions = map[string]any{}
	}
	capabilities.Extensions[mcpclient.TasksExtension] = map[string]any{}
	r.Capabilities = &capabilities
	return &r
}
