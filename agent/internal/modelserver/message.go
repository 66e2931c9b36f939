package modelserver

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
)

// kept is a model's message in the form of its server. Another server may not
// take it: fields that one adds, the next one refuses, and signatures are its own.
type kept struct {
	Kind    string          `json:"kind"`
	Server  string          `json:"server"`
	Message json.RawMessage `json:"message"`
}

// Keep returns a message of this server, to be handed back to Kept.
func (s *Server) Keep(kind string, message any) ([]byte, error) {
	raw, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	return json.Marshal(kept{Kind: kind, Server: s.name, Message: raw})
}

// Kept returns the message, or nothing if it is not of this kind and server.
func (s *Server) Kept(kind string, native []byte) json.RawMessage {
	var k kept
	if json.Unmarshal(native, &k) != nil || k.Kind != kind || k.Server != s.name {
		return nil
	}
	return k.Message
}

// NewCallID makes up the id of a call that came without.
func NewCallID() string { return "call_" + rand.Text()[:20] }

// IsObject reports whether the arguments of a call are complete: a JSON object.
func IsObject(args []byte) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal(args, &object) == nil && object != nil
}

// Schema returns the schema of a tool's arguments as servers insist on it: with
// the type object and with properties, be there none.
func Schema(schema json.RawMessage) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(schema, &fields) != nil || fields == nil {
		fields = map[string]json.RawMessage{}
	}
	fields["type"] = json.RawMessage(`"object"`)
	if p := fields["properties"]; len(p) == 0 || string(p) == "null" {
		fields["properties"] = json.RawMessage(`{}`)
	}
	return json.Marshal(fields)
}

// Fields takes a copy of what is to be added to each request. Names that the
// client itself writes are refused.
func Fields(fields map[string]any, reserved ...string) (map[string]any, error) {
	taken := map[string]any{}
	for name, value := range fields {
		if slices.Contains(reserved, name) {
			return nil, fmt.Errorf("the field %q cannot be set: it is written from the conversation and the other options", name)
		}
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("the field %q cannot be sent: %w", name, err)
		}
		taken[name] = json.RawMessage(raw)
	}
	return taken, nil
}
