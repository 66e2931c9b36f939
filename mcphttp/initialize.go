package mcphttp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley/strictjson"
)

// What a client says of itself is kept for as long as its session lives, so it is
// little.
const (
	maxInitialize = 64 << 10 // of the message: clients may have icons in it
	maxClient     = 4 << 10  // of what is kept of it
	maxClientName = 256
	initializing  = 64 // levels
)

// beginning reads a message that belongs to no session, and returns what of it is
// given to the SDK, which keeps it; or answers it.
func (h *Handler) beginning(w http.ResponseWriter, body []byte) ([]byte, bool) {
	if len(body) > maxInitialize {
		rpcError(w, http.StatusRequestEntityTooLarge, nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("initialize is too large: send %d KiB at most", maxInitialize>>10))
		return nil, false
	}
	value, err := strictjson.Read(body, initializing)
	message, ok := value.(strictjson.Object)
	if err != nil || !ok || !isMessage(body, false) {
		rpcError(w, http.StatusBadRequest, nil, jsonrpc.CodeInvalidRequest, notAMessage)
		return nil, false
	}
	kept := pickMembers(message, "jsonrpc", "id", "method")
	switch method, _ := message.Get("method"); method {
	case "initialize":
		if params, ok := message.Get("params"); ok {
			kept = append(kept, strictjson.Member{Name: "params", Value: clientOf(params)})
		}
	case "ping":
	default:
		rpcError(w, http.StatusBadRequest, nil, codeNoHeader, "the header Mcp-Session-Id is missing: begin a session with initialize")
		return nil, false
	}
	short := strictjson.Append(nil, kept, nil)
	if len(short) > maxClient {
		rpcError(w, http.StatusRequestEntityTooLarge, idOf(message), jsonrpc.CodeInvalidRequest, fmt.Sprintf("initialize: capabilities, id and protocolVersion have %d KiB at most together", maxClient>>10))
		return nil, false
	}
	return short, true
}

// clientOf is what is used of the parameters of initialize.
func clientOf(params any) any {
	all, ok := params.(strictjson.Object)
	if !ok {
		return params // the SDK says what is wrong
	}
	kept := pickMembers(all, "protocolVersion")
	if value, ok := all.Get("capabilities"); ok {
		if able, ok := value.(strictjson.Object); ok {
			value = abilitiesOf(able)
		}
		kept = append(kept, strictjson.Member{Name: "capabilities", Value: value})
	}
	if value, ok := all.Get("clientInfo"); ok {
		if info, ok := value.(strictjson.Object); ok {
			value = calledSo(info)
		}
		kept = append(kept, strictjson.Member{Name: "clientInfo", Value: value})
	}
	return kept
}

// abilitiesOf is what is used of a client's capabilities.
func abilitiesOf(able strictjson.Object) strictjson.Object {
	kept := pickMembers(able, "elicitation", "sampling", "roots", "tasks", "extensions")
	value, _ := able.Get("experimental")
	if tried, ok := value.(strictjson.Object); ok {
		if tried = pickMembers(tried, "elicitation"); len(tried) > 0 {
			kept = append(kept, strictjson.Member{Name: "experimental", Value: tried})
		}
	}
	return kept
}

// calledSo is what a client is called, as long as names are.
func calledSo(info strictjson.Object) strictjson.Object {
	kept := pickMembers(info, "name", "title", "version")
	for i, m := range kept {
		if text, ok := m.Value.(string); ok && len(text) > maxClientName {
			kept[i].Value = strings.ToValidUTF8(text[:maxClientName], "")
		}
	}
	return kept
}

func pickMembers(o strictjson.Object, names ...string) strictjson.Object {
	kept := strictjson.Object{}
	for _, name := range names {
		if value, ok := o.Get(name); ok {
			kept = append(kept, strictjson.Member{Name: name, Value: value})
		}
	}
	return kept
}

func idOf(message strictjson.Object) json.RawMessage {
	id, ok := message.Get("id")
	if !ok {
		return nil
	}
	if raw := strictjson.Append(nil, id, nil); len(raw) <= maxClientName {
		return raw
	}
	return nil
}
