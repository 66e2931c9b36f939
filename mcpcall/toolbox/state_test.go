package toolbox_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall/toolbox"
)

// What a server was told already is not told again from the start, because the
// state of the call cannot be read.
func TestACallWhoseStateIsNotKnownIsNotMadeAnew(t *testing.T) {
	for _, state := range []string{`{"digest":"d","state":"e30="}`, `{"number":1,"state":"one"}`, `{`} {
		h := &hand{modern: true, tell: func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) { sayJSON(w, id, `{"content":[]}`) }}
		b := newBox(t, toolbox.Options{URL: h.serve(t)})
		_, err := b.Call(t.Context(), &agent.Invocation{Caller: alice, ID: "1", Tool: agent.Tool{Name: "any"}, Args: json.RawMessage(`{}`), State: []byte(state)})
		refused(t, err, "the call did not go on")
		if n := h.calls.Load(); n != 0 {
			t.Errorf("%s: %d calls", state, n)
		}
	}
}
