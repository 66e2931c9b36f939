package mcptool

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// target is what a call is about: the method, the name of the tool or prompt or
// the resource's URI, and the arguments.
type target struct {
	Method    string          `json:"method"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// digest is the same for two requests exactly when they ask for the same.
func (t target) digest() (string, error) {
	arguments := []byte("{}")
	if len(bytes.TrimSpace(t.Arguments)) > 0 {
		var err error
		if arguments, err = canonical(t.Arguments); err != nil {
			return "", fmt.Errorf("arguments: %w", err)
		}
	}
	return hash(t.Method, t.Name, string(arguments)), nil
}

// canonical writes a JSON value with sorted keys and without white space.
// Numbers keep their digits: 1 and 1.0 may not be the same to a tool.
func canonical(raw []byte) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// hash is injective over its parts, as far as SHA-256 is.
func hash(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}
