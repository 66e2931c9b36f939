package mcpbridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/parley-hq/parley/mcpclient"
)

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
	mcpclient.Message
	raw     []byte          // in one line
	id      json.RawMessage // its ID in one spelling; nil for a notification, and for an answer to nobody knows what
	version string          // what the message says of itself; empty up to 2025-11-25
}

func (m *message) modern() bool { return m.version >= mcpclient.ModernVersion }

// parseMessage reads a line of the client. With an error, the message has the id if
// it is a request and has one.
func parseMessage(raw []byte) (*message, error) {
	found, err := mcpclient.Envelope(raw)
	switch {
	case err == nil && (found.ID == nil || rawID(found.ID) != nil || found.Response()):
		m := &message{Message: found, raw: raw, id: rawID(found.ID)}
		m.version = namedVersion(found.Params)
		return m, nil
	case !json.Valid(raw):
		return &message{}, errNotJSON
	case raw[0] == '[':
		return &message{}, errBatch
	}
	m := &message{}
	if method, ok := mcpclient.Member(raw, "method"); ok && method[0] == '"' {
		// Without a method the id is of a request of the server: an error with
		// it would answer one of the client.
		id, _ := mcpclient.Member(raw, "id")
		m.id = rawID(id)
	}
	return m, errMessage
}

// received is a message of the server's as it can be passed on: in one line.
func received(found mcpclient.Message, raw []byte) *message {
	var line bytes.Buffer
	_ = json.Compact(&line, raw) // it was read already
	return &message{Message: found, raw: line.Bytes(), id: rawID(found.ID)}
}

// namedVersion returns the protocol version that a message of the new era
// carries.
func namedVersion(params json.RawMessage) string {
	meta, _ := mcpclient.Member(params, "_meta")
	named, _ := mcpclient.Member(meta, mcpclient.MetaVersion)
	var version string
	_ = json.Unmarshal(named, &version)
	return version
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
	case m.Request():
		return withID(m.raw, clientID(n, m.id))
	case m.Method == methodCancelled:
		return withCancelled(m, func(id json.RawMessage) json.RawMessage { return clientID(n, id) })
	}
	return m.raw
}

// cancelledID returns the id that notifications/cancelled is about.
func (m *message) cancelledID() json.RawMessage {
	var p struct {
		ID json.RawMessage `json:"requestId"`
	}
	_ = json.Unmarshal(m.Params, &p)
	return rawID(p.ID)
}

func withCancelled(m *message, change func(json.RawMessage) json.RawMessage) []byte {
	var members, params map[string]json.RawMessage
	id := m.cancelledID()
	if id == nil || json.Unmarshal(m.raw, &members) != nil || json.Unmarshal(m.Params, &params) != nil {
		return m.raw
	}
	params["requestId"] = change(id)
	members["params"] = encode(params)
	return encode(members)
}
