package mcptool

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley/strictjson"
)

// target is what a call is about: the method, the name of the tool or prompt or
// the resource's URI, and the arguments.
type target struct {
	Method    string          `json:"method"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// maxDepth is how many levels arguments may have.
const maxDepth = 64

// read returns the target with its arguments in their one canonical form, and a
// digest that is the same for two requests exactly when they ask for the same.
// Arguments that two programs could read differently are refused: what is shown,
// ruled on, digested and handed on are these bytes, and nobody reads others.
func (t target) read() (target, string, error) {
	canonical := []byte("{}")
	switch given := bytes.TrimSpace(t.Arguments); {
	case len(given) == 0 || string(given) == "null":
		t.Arguments = nil
	default:
		var err error
		if canonical, err = strictjson.Canonical(given, maxDepth); err != nil {
			return t, "", unreadable(err.Error())
		}
		if canonical[0] != '{' {
			return t, "", unreadable("they must be a JSON object")
		}
		t.Arguments = canonical
	}
	return t, hash(t.Method, t.Name, string(canonical)), nil
}

func unreadable(why string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "arguments: " + why}
}

// hash is injective over its parts, as far as SHA-256 is.
func hash(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}
