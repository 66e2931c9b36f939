package gateway

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

// toolFailure is a result for the model where an error is for it, and otherwise
// the error.
func toolFailure(err error) (*mcp.CallToolResult, error) {
	var told *failure
	if errors.As(err, &told) {
		result := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: told.Text}}}
		if told.ErrorID != "" {
			result.Meta = mcp.Meta{"code": mcptool.InternalCode, "errorId": told.ErrorID}
		}
		return result, nil
	}
	return nil, err
}

// protocolFailure is for what has no error results.
func protocolFailure(err error) error {
	var told *failure
	if errors.As(err, &told) {
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: told.Text}
	}
	return err
}

// resultFor is a server's result as clients of an era take it.
func resultFor(modern bool, of mcpcall.Tool, result json.RawMessage) json.RawMessage {
	if modern || len(result) == 0 {
		return result
	}
	return mcpclient.OlderResult(result, of.Wraps)
}

// toolResult reads the result of a call. What it holds as data stays as it came.
func toolResult(t target, raw json.RawMessage) (*mcp.CallToolResult, error) {
	result := &mcp.CallToolResult{}
	if json.Unmarshal(raw, result) != nil {
		plain, meta := readable(raw)
		if result = (&mcp.CallToolResult{}); json.Unmarshal(plain, result) != nil {
			return toolFailure(failed("%s", t.Fate(fmt.Errorf("%w, %w", mcpclient.ErrUnderway, mcpclient.ErrProtocol))))
		}
		result.Meta = meta
	}
	if data, ok := mcpclient.Member(raw, "structuredContent"); ok {
		result.StructuredContent = data
	}
	return result, nil
}

// readable is a result with its content of unknown kinds as text, and without the
// data that stays as it came, in which there may be numbers that no program reads:
// the call was made, and what came of it is not lost.
func readable(raw json.RawMessage) (plain json.RawMessage, meta mcp.Meta) {
	var members, said map[string]json.RawMessage
	var content []json.RawMessage
	if json.Unmarshal(raw, &members) != nil || json.Unmarshal(members["content"], &content) != nil {
		return raw, nil
	}
	if json.Unmarshal(members["_meta"], &said) == nil && len(said) > 0 {
		meta = mcp.Meta{}
		for name, value := range said {
			meta[name] = value
		}
	}
	delete(members, "_meta")
	delete(members, "structuredContent")
	for i, block := range content {
		one, _ := json.Marshal(map[string]any{"content": []json.RawMessage{block}})
		if json.Unmarshal(one, &mcp.CallToolResult{}) != nil {
			content[i], _ = json.Marshal(&mcp.TextContent{Text: string(block)})
		}
	}
	members["content"], _ = json.Marshal(content)
	plain, _ = json.Marshal(members)
	return plain, meta
}
