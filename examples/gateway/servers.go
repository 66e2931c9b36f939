package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var anything = json.RawMessage(`{"type":"object"}`)

func said(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

// form is a question with one field.
func form(message, field string) *mcp.ElicitParams {
	return &mcp.ElicitParams{
		Message: message,
		RequestedSchema: json.RawMessage(fmt.Sprintf(
			`{"type":"object","properties":{%q:{"type":"string"}},"required":[%q]}`, field, field)),
	}
}

// newShop is a server of 2025-11-25: it asks on the open call, and waits.
func newShop() http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "order", Description: "Orders a shirt", InputSchema: anything},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			given, err := r.Session.Elicit(ctx, form("Which size?", "size"))
			if err != nil {
				return nil, err
			}
			if given.Action != "accept" {
				return said("not ordered: %s", given.Action), nil
			}
			return said("ordered a shirt in %v", given.Content["size"]), nil
		})
	return tokenless(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
}

// newTravel is a server of 2026-07-28: it keeps nothing, returns its question
// and is called again with the answer.
func newTravel() http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "travel", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "book", Description: "Books a train", InputSchema: anything},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if r.Params.RequestState == "" {
				return &mcp.CallToolResult{
					RequestState: "asked", InputRequests: mcp.InputRequestMap{"day": form("Which day?", "day")},
				}, nil
			}
			given, ok := r.Params.InputResponses["day"].(*mcp.ElicitResult)
			if !ok {
				return nil, errors.New("the answer is missing")
			}
			if given.Action != "accept" {
				return said("not booked: %s", given.Action), nil
			}
			return said("booked a train on %v", given.Content["day"]), nil
		})
	return tokenless(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
}

// tokenless refuses requests with a token: the gateway's is not for its servers.
func tokenless(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			http.Error(w, "this token is not for me", http.StatusBadRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
