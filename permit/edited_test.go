package permit_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/parley-hq/parley/permit"
)

func TestWhatWasChangedOfACallIsWhatDiffersInWhatIsSent(t *testing.T) {
	for _, c := range []struct{ shown, sent, want string }{
		{`{"to":"bob","amount":100,"n":{"b":1,"a":2}}`, `{"amount":50,"n":{"a":2,"b":1},"to":"carol"}`, `{"amount":50,"to":"carol"}`},
		{`{"to":"bob"}`, `{"to":"bob"}`, ""},
		{`{"to":"bob"}`, `{"to":"bob","more":null}`, `{"more":null}`},
		{``, `{"a":1}`, `{"a":1}`},
		{`{"to":"bob"}`, ``, ""}, // as it was shown
	} {
		call := permit.Call{Args: json.RawMessage(c.shown)}
		if c.sent != "" {
			call.Changed = json.RawMessage(c.sent)
		}
		if got, err := call.Edited(); err != nil || string(got) != c.want {
			t.Errorf("%s, sent as %s: %s, %v", c.shown, c.sent, got, err)
		}
	}
	for _, wrong := range []permit.Call{{Args: json.RawMessage(`[]`)}, {Args: json.RawMessage(`{}`), Changed: json.RawMessage(`{"a":1,"a":2}`)}} {
		if _, err := wrong.Edited(); !errors.Is(err, permit.ErrArguments) {
			t.Errorf("%s: %v", wrong.Changed, err)
		}
	}
}
