package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addSlow adds a tool that works until it is cancelled. It tells of its progress
// once, if the client wants to know.
func addSlow(server *mcp.Server, b *book) {
	mcp.AddTool(server, &mcp.Tool{Name: "slow", Description: "Works until it is cancelled."},
		func(ctx context.Context, req *mcp.CallToolRequest, in call) (*mcp.CallToolResult, any, error) {
			b.began(in.Token)
			if token := req.Params.GetProgressToken(); token != nil {
				progress := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1, Message: "working"}
				if err := req.Session.NotifyProgress(ctx, progress); err != nil {
					return nil, nil, err
				}
			}
			<-ctx.Done()
			b.stopped(in.Token)
			return nil, nil, ctx.Err()
		})
}
