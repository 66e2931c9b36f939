package mcptool

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// AddPrompt adds a prompt whose handler may ask.
func AddPrompt(a *Asker, server *mcp.Server, prompt *mcp.Prompt, handler func(context.Context, *Call, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error)) {
	a.attach(server)
	server.AddPrompt(prompt, func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return a.prompt(ctx, req, req.Params.Name, handler)
	})
}

func (a *Asker) prompt(ctx context.Context, req *mcp.GetPromptRequest, name string, handler func(context.Context, *Call, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error)) (*mcp.GetPromptResult, error) {
	arguments, err := json.Marshal(req.Params.Arguments)
	if err != nil {
		return nil, err
	}
	t := target{Method: "prompts/get", Name: name, Arguments: arguments}
	result, need, err := ask(ctx, a, req, t, req.Params.RequestState, req.Params.InputResponses,
		func(ctx context.Context, call *Call) (*mcp.GetPromptResult, error) { return handler(ctx, call, req) })
	if need != nil {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{}, InputRequests: need.requests, RequestState: need.state}, nil
	}
	return result, err
}

// AddResource adds a resource whose handler may ask.
func AddResource(a *Asker, server *mcp.Server, resource *mcp.Resource, handler func(context.Context, *Call, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error)) {
	a.attach(server)
	server.AddResource(resource, a.resourceHandler(handler))
}

// AddResourceTemplate adds a resource template whose handler may ask.
func AddResourceTemplate(a *Asker, server *mcp.Server, template *mcp.ResourceTemplate, handler func(context.Context, *Call, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error)) {
	a.attach(server)
	server.AddResourceTemplate(template, a.resourceHandler(handler))
}

func (a *Asker) resourceHandler(handler func(context.Context, *Call, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error)) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return a.resource(ctx, req, req.Params.URI, handler)
	}
}

func (a *Asker) resource(ctx context.Context, req *mcp.ReadResourceRequest, uri string, handler func(context.Context, *Call, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error)) (*mcp.ReadResourceResult, error) {
	t := target{Method: "resources/read", Name: uri}
	result, need, err := ask(ctx, a, req, t, req.Params.RequestState, req.Params.InputResponses,
		func(ctx context.Context, call *Call) (*mcp.ReadResourceResult, error) { return handler(ctx, call, req) })
	if need != nil {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{}, InputRequests: need.requests, RequestState: need.state}, nil
	}
	return result, err
}

// ask runs a handler of a prompt or a resource. These have no error results: a
// client that cannot be asked gets an error of the protocol.
func ask[R any](ctx context.Context, a *Asker, req serverRequest, t target, token string, responses mcp.InputResponseMap, handler func(context.Context, *Call) (R, error)) (result R, need *required, err error) {
	var none R
	ctx = a.traced(ctx, req)
	r, err := a.begin(ctx, req, t, token, responses)
	if err != nil {
		_, err = protocolError(a.public(ctx, err))
		return none, nil, err
	}
	ctx, span := r.beginSpan(ctx, spanNames[t.Method])
	defer func() { r.endSpan(span, need != nil, false, err) }()
	defer r.work(ctx)()
	for {
		r.reset()
		result, err := handler(ctx, &Call{run: r})
		if len(r.suspended()) == 0 {
			_, ended := r.end(ctx, nil, err)
			if err == nil {
				return result, nil, nil
			}
			if ended == nil {
				ended = err
			}
			return none, nil, ended
		}
		if _, ok := r.by.(suspending); ok {
			return none, nil, r.refuse(ctx)
		}
		again, err := r.worthHolding(ctx, token != "")
		if err != nil {
			r.abandon(ctx, nil)
			return none, nil, a.public(ctx, err)
		}
		if again {
			continue
		}
		need, err := r.require(ctx)
		if err != nil {
			r.abandon(ctx, nil)
			return none, nil, a.public(ctx, err)
		}
		return none, &need, nil
	}
}

// refuse ends a call that would have been left to the model.
func (r *run) refuse(ctx context.Context) error {
	refused := &NotSupportedError{Reason: "only tools can be continued by the model", modern: r.client.modern}
	for _, w := range r.waiting {
		refused.Mode = w.Mode
		r.withdraw(ctx, &w, refused.Reason)
	}
	r.finish(ctx)
	_, err := protocolError(refused)
	return err
}

// protocolError returns the protocol's error for err, or err itself.
func protocolError(err error) (*mcp.CallToolResult, error) {
	result, wire := failure(err)
	if wire != nil {
		return nil, wire
	}
	return result, err
}
