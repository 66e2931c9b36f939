package toolbox_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall/toolbox"
)

func TestAnOlderServerHearsThatNobodyCouldBeAskedAndItsToolFails(t *testing.T) {
	asked := 0
	result, err := newBox(t, toolbox.Options{URL: serve(t, false, nil)}).Call(t.Context(), &agent.Invocation{
		Caller: alice, ID: "1", Tool: agent.Tool{Name: "twice"}, Args: json.RawMessage(`{}`),
		Ask: func(context.Context, string, parley.Request) (parley.Outcome, error) {
			asked++
			return parley.Outcome{}, agent.ErrNobodyAsked
		},
	})
	if err != nil || !result.Failed || !strings.Contains(result.Text, "the user's client cannot show questions") {
		t.Errorf("%+v, %v", result, err)
	}
	if asked != 1 {
		t.Errorf("it asked %d times", asked)
	}
}
