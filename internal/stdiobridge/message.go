package stdiobridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// modernVersion is the first version of MCP without sessions.
const modernVersion = "2026-07-28"

const (
	methodInitialize  = "initialize"
	methodInitialized = "notifications/initialized"
	methodCancelled   = "notifications/cancelled"
)

// Codes of JSON-RPC. codeTransport is from the range that is left to servers.
const (
	codeParse     = -32700
	codeInvalid   = -32600
	codeTransport = -32000
)

var (
	errNotJSON = errors.New("the line is not JSON")
	errBatch   = errors.New("batches are not supported: send one message per line")
	errMessage = errors.New("the line is not a JSON-RPC message")
)

// message is one JSON-RPC message, of either side.
type message struct {
	raw     []byte
	id      json.RawMessage // nil for a notification
	method  string          // empty for a response
	params  json.RawMessage
	result  json.RawMessage
	failure json.RawMessage
	version string // what the message says of itself; empty up to 2025-11-25
}

func (m *message) request() bool  { return m.method != "" && m.id != nil }
func (m *message) response() bool { return m.method == "" }
func (m *message) modern() bool   { return m.version >= modernVersion }

// parseMessage reads one message. With an error, the message has the id if one
// was found.
func parseMessage(raw []byte) (*message, error) {
	m := &message{raw: raw}
	if !json.Valid(raw) {
		return m, errNotJSON
	}
	if bytes.HasPrefix(raw, []byte("[")) {
		return m, errBatch
	}
	var wire struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(raw, &wire); err != nil {
		return m, errMessage
	}
	m.id, m.method, m.params, m.result, m.failure = rawID(wire.ID), wire.Method, wire.Params, wire.Result, wire.Error
	answer := wire.Result != nil || wire.Error != nil
	switch {
	case wire.Version != "2.0",
		wire.ID != nil && m.id == nil && !(answer && string(wire.ID) == "null"),
		(m.method != "") == answer:
		return m, errMessage
	}
	m.version = namedVersion(wire.Params)
	return m, nil
}

// namedVersion returns the protocol version that a message of the new era
// carries.
func namedVersion(params json.RawMessage) string {
	var p struct {
		Meta struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	}
	if json.Unmarshal(params, &p) != nil {
		return ""
	}
	return p.Meta.Version
}

// rawID returns the id in one spelling, so that equal ids are equal bytes, or
// nil if it is not one.
func rawID(raw json.RawMessage) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var id any
	if decoder.Decode(&id) != nil || decoder.More() {
		return nil
	}
	switch id.(type) {
	case string, json.Number:
		return encode(id)
	}
	return nil
}

// encode is json.Marshal that leaves text as it is, for values that cannot fail.
func encode(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n")
}

// oneLine returns JSON without line breaks, or nil if it is not JSON.
func oneLine(raw []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return nil
	}
	return b.Bytes()
}

// errorMessage is the response that reports a failure. A nil id is null.
func errorMessage(id json.RawMessage, code int, text string) []byte {
	type wireError struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	return encode(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   wireError       `json:"error"`
	}{"2.0", id, wireError{code, text}})
}

// withID returns a message with another id.
func withID(raw []byte, id json.RawMessage) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return raw
	}
	members["id"] = id
	return encode(members)
}

// Sessions number their requests from one again. A person may still look at a
// question of the session that was lost; the answer must not become that to a
// question of the new one. So the ids of later sessions say which one it was.

const idPrefix = "parley/"

// clientID is the id under which the client gets request id of session number n.
func clientID(n int, id json.RawMessage) json.RawMessage {
	if n <= 1 {
		return id
	}
	return encode(fmt.Sprintf("%s%d/%s", idPrefix, n, id))
}

// serverID reverses clientID. It returns nil if the id is of another session.
func serverID(n int, id json.RawMessage) json.RawMessage {
	var text string
	_ = json.Unmarshal(id, &text)
	own := fmt.Sprintf("%s%d/", idPrefix, n)
	switch rest, ok := strings.CutPrefix(text, own); {
	case n <= 1:
		return id
	case ok:
		return rawID(json.RawMessage(rest))
	}
	return nil
}

// forClient returns a message of session number n as the client gets it.
func forClient(n int, m *message) []byte {
	switch {
	case n <= 1:
	case m.request():
		return withID(m.raw, clientID(n, m.id))
	case m.method == methodCancelled:
		return withCancelled(m, func(id json.RawMessage) json.RawMessage { return clientID(n, id) })
	}
	return m.raw
}

// cancelledID returns the id that notifications/cancelled is about.
func (m *message) cancelledID() json.RawMessage {
	var p struct {
		ID json.RawMessage `json:"requestId"`
	}
	_ = json.Unmarshal(m.params, &p)
	return rawID(p.ID)
}

func withCancelled(m *message, change func(json.RawMessage) json.RawMessage) []byte {
	var members, params map[string]json.RawMessage
	id := m.cancelledID()
	if id == nil || json.Unmarshal(m.raw, &members) != nil || json.Unmarshal(m.params, &params) != nil {
		return m.raw
	}
	params["requestId"] = change(id)
	members["params"] = encode(params)
	return encode(members)
}
