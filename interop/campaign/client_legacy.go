package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// legacyClient is a client of 2025-11-25 on the go-sdk. Each attempt is a session.
type legacyClient struct {
	call   *call
	ledger *ledger
	web    *http.Client
}

func (l *legacyClient) anew() {}

// codeTransport is the SDK's own, for a connection that broke.
const codeTransport = -32005

// attempt implements client.
func (l *legacyClient) attempt(ctx context.Context) answer {
	c := mcp.NewClient(&mcp.Implementation{Name: "campaign", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: l.asked,
		Capabilities:       &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}},
	})
	session, err := c.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: "http://parley/mcp", MaxRetries: -1, HTTPClient: l.web, DisableStandaloneSSE: true,
	}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		return answer{words: "no session: " + err.Error(), failed: true, unsent: true}
	}
	defer func() { go session.Close() }() // a node that stands still would not hear of it
	go l.ledger.reach(l.call.key, sent)
	result, err := session.CallTool(ctx, &mcp.CallToolParams{
		Name: l.call.server + "__" + l.call.tool, Arguments: map[string]any{"key": l.call.key},
	})
	var wire *jsonrpc.Error
	switch {
	case errors.As(err, &wire) && wire.Code != codeTransport:
		return answer{words: fmt.Sprintf("error %d: %s", wire.Code, wire.Message), failed: true}
	case err != nil:
		return answer{err: err}
	}
	words := ""
	if len(result.Content) > 0 {
		if text, ok := result.Content[0].(*mcp.TextContent); ok {
			words = text.Text
		}
	}
	return answer{words: words, failed: result.IsError}
}

func (l *legacyClient) asked(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	l.ledger.reach(l.call.key, asked)
	if l.call.elsewhere { // the person answers on another surface
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if r.Params.Mode == "url" {
		l.call.visit(ctx, r.Params.URL)
		return &mcp.ElicitResult{Action: "accept"}, nil
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(l.call.think):
	}
	l.ledger.reach(l.call.key, answered)
	schema, err := json.Marshal(r.Params.RequestedSchema)
	if err != nil {
		return nil, err
	}
	return &mcp.ElicitResult{Action: "accept", Content: l.ledger.consent(l.call, string(schema))}, nil
}
