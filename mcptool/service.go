package mcptool

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// service is who asks: as the author said, or as the server calls itself.
func (a *Asker) service() string {
	if a.opts.Service != "" {
		return a.opts.Service
	}
	a.mu.Lock()
	all := slices.Collect(maps.Values(a.servers))
	a.mu.Unlock()
	name := ""
	for i, at := range all {
		if i > 0 && at.named() != name {
			return "" // whose question it is cannot be told from here
		}
		name = at.named()
	}
	return name
}

const (
	longestService = 200
	nameTime       = 5 * time.Second
)

// nameOf is how a server calls itself. The SDK keeps that to itself and tells clients:
// so this is one, for a moment.
func nameOf(server *mcp.Server) string {
	ctx, cancel := context.WithTimeout(context.Background(), nameTime)
	defer cancel()
	ours, theirs := mcp.NewInMemoryTransports()
	session, err := server.Connect(ctx, theirs, nil)
	if err != nil {
		return ""
	}
	defer session.Close()
	conn, err := ours.Connect(ctx)
	if err != nil {
		return ""
	}
	defer conn.Close()
	id, err := jsonrpc.MakeID("name")
	if err != nil {
		return ""
	}
	hello := json.RawMessage(`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"parley","version":"1"}}`)
	if err := conn.Write(ctx, &jsonrpc.Request{ID: id, Method: "initialize", Params: hello}); err != nil {
		return ""
	}
	answer, err := conn.Read(ctx)
	if err != nil {
		return ""
	}
	var said struct {
		ServerInfo struct{ Name, Title string } `json:"serverInfo"`
	}
	response, ok := answer.(*jsonrpc.Response)
	if !ok || json.Unmarshal(response.Result, &said) != nil {
		return ""
	}
	name := cmp.Or(said.ServerInfo.Title, said.ServerInfo.Name)
	if len(name) > longestService {
		return ""
	}
	return name
}
