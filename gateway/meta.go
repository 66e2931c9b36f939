package gateway

import (
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcptool"
)

// metaOf is the _meta of the client's request.
func metaOf(call *mcptool.Call) json.RawMessage {
	request := call.Request()
	if request == nil || len(request.Params.Meta) == 0 {
		return nil
	}
	meta, _ := json.Marshal(request.Params.Meta) // it was JSON
	return meta
}

// withMeta adds what the client says of its call besides to the parameters of
// callParams, as far as it is passed on.
func withMeta(params, meta json.RawMessage, passed func(name string) bool) json.RawMessage {
	if len(meta) < len(`{"":0}`) || meta[0] != '{' {
		return params
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(meta, &all) != nil {
		return params
	}
	for name := range all {
		if !passed(name) {
			delete(all, name)
		}
	}
	if len(all) == 0 {
		return params
	}
	theirs, err := json.Marshal(all)
	if err != nil {
		return params
	}
	return append(append(append(params[:len(params)-1], `,"_meta":`...), theirs...), '}')
}

// sound reports whether the SDK takes what a client says of its call. What it
// refuses must be refused before the call is sent.
func sound(meta json.RawMessage) bool {
	if meta == nil {
		return true
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(meta, &all) != nil {
		return false
	}
	if info, ok := all[mcp.MetaKeyClientInfo]; ok && json.Unmarshal(info, new(*mcp.Implementation)) != nil {
		return false
	}
	able, ok := all[mcp.MetaKeyClientCapabilities]
	return !ok || json.Unmarshal(able, new(*mcp.ClientCapabilities)) == nil
}

// theirOwn reports whether a member of _meta is between the client and the
// server. What the protocol says there is between each of them and us.
func theirOwn(name string) bool {
	return name != "progressToken" && !strings.HasPrefix(name, "io.modelcontextprotocol/")
}
