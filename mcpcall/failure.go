package mcpcall

import (
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley"
)

// Failure is an outcome of a call that its model is told.
type Failure struct {
	Text    string
	Away    bool // nothing was sent, and in a moment it might be
	Cause   error
	ErrorID string // of a fault of ours: the log has the reason under it
}

func (f *Failure) Error() string { return f.Text }

// Unwrap returns why, if that is known.
func (f *Failure) Unwrap() error { return f.Cause }

// Failed is a Failure with that text.
func Failed(format string, args ...any) error { return &Failure{Text: fmt.Sprintf(format, args...)} }

// CodeNotAccepted is the protocol's error for an answer that is no yes.
const CodeNotAccepted = -32001

// notAccepted is the error of a call for which somebody, or a rule, did not say yes.
func notAccepted(action parley.Action, message string) error {
	data, _ := json.Marshal(map[string]any{"action": action})
	return &jsonrpc.Error{Code: CodeNotAccepted, Message: message, Data: data}
}
