package mcpclient_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

func TestAToolThatCannotBeReadForSureIsRefused(t *testing.T) {
	for item, want := range map[string]error{
		`{"name":"a","name":"b"}`:       mcpclient.ErrProtocol,
		`{"name":"a","na\u006de":"b"}`:  mcpclient.ErrProtocol,
		`{"name":"a","inputSchema":[]}`: mcpclient.ErrProtocol,
		// What hints say must be sure: otherwise they say nothing, which counts as the worse.
		`{"name":"a","annotations":{"readOnlyHint":true,"readOnly\u0048int":false}}`:   nil,
		`{"name":"a","annotations":{"readOnlyHint":"true","openWorldHint":1}}`:         nil,
		`{"name":"a","annotations":[{"readOnlyHint":true}]}`:                           nil,
		`{"name":"a","NAME":"b","annotations":{"READONLYHINT":true,"title":null}}`:     nil, // other names say nothing
		`{"name":"a","annotations":null,"inputSchema":{"type":"object"},"title":null}`: nil,
	} {
		got, err := mcpclient.ReadTool(json.RawMessage(item))
		if !errors.Is(err, want) {
			t.Errorf("%.100s: %v, want %v", item, err, want)
		}
		if want == nil && (got.Name != "a" || got.ReadOnly != nil || got.OpenWorld != nil) {
			t.Errorf("%s: %+v", item, got)
		}
	}
}

func TestHintsOfWhichOneCannotBeReadForSureSayNothing(t *testing.T) {
	for annotations, said := range map[string]string{
		`"annotations":{"readOnlyHint":true,"ReadOnlyHint":false}`:                                "readOnlyHint: it is given in other letters",
		`"annotations":{"ReadOnlyHint":true,"idempotentHint":true}`:                               "readOnlyHint: it is given in other letters",
		`"annotations":{"readOnlyHint":true,"DestructiveHint":true}`:                              "destructiveHint: it is given in other letters",
		`"annotations":{"readOnlyHint":true,"de\u017ftructiveHint":true}`:                         "destructiveHint: it is given in other letters",
		`"annotations":{"readOnlyHint":true,"IDEMPOTENTHINT":null}`:                               "idempotentHint: it is given in other letters",
		`"annotations":{"readOnlyHint":true,"openworldhint":false,"OpenWorldHint":true}`:          "openWorldHint: it is given in other letters",
		`"annotations":{"readOnlyHint":true,"readOnlyHint":false}`:                                "has a name twice",
		`"annotations":{"readOnlyHint":true,"destructiveHint":false,"destructive\u0048int":true}`: "has a name twice",
		`"annotations":{"readOnlyHint":true,"title":"A","title":"B"}`:                             "has a name twice",
		`"annotations":{"readOnlyHint":"true"}`:                                                   "readOnlyHint: it is neither true nor false",
		`"annotations":{"readOnlyHint":1,"idempotentHint":true,"openWorldHint":false}`:            "readOnlyHint: it is neither true nor false",
		`"annotations":{"readOnlyHint":true,"destructiveHint":"true"}`:                            "destructiveHint: it is neither true nor false",
		`"annotations":{"readOnlyHint":true,"destructiveHint":[true],"openWorldHint":{}}`:         "destructiveHint: it is neither true nor false; openWorldHint: it is neither true nor false",
		`"annotations":[{"readOnlyHint":true}]`:                                                   "it is no object",
		`"annotations":{"readOnlyHint":true},"Annotations":{"destructiveHint":true}`:              "they are given in other letters",
		`"ANNOTATIONS":{"readOnlyHint":true}`:                                                     "they are given in other letters",
		`"annotations":{"readOnlyHint":true,"idempotentHint":"yes","title":"\u200b"}`:             "idempotentHint: it is neither true nor false; title: it has characters that nobody sees",
	} {
		got, err := mcpclient.ReadTool(json.RawMessage(`{"name":"a","inputSchema":{"type":"object"},` + annotations + `}`))
		if err != nil || got.ReadOnly != nil || got.Destructive != nil || got.Idempotent != nil || got.OpenWorld != nil {
			t.Errorf("%s: %+v, %v", annotations, got, err)
		}
		if len(got.Faults) != 1 || got.Faults[0].Part != "annotations" || !strings.Contains(got.Faults[0].Reason, said) {
			t.Errorf("%s: %v", annotations, got.Faults)
		}
		if strings.Contains(strings.ToLower(string(got.Raw)), "hint") { // nor to clients
			t.Errorf("%s: %s", annotations, got.Raw)
		}
	}
}

func TestHintsThatAreSureAreRead(t *testing.T) {
	for annotations, left := range map[string]string{
		`{"readOnlyHint":true,"destructiveHint":false,"x":{"A":1,"a":2},"X":1}`:           `{"readOnlyHint":true,"destructiveHint":false,"x":{"A":1,"a":2},"X":1}`,
		`{"title":null,"readOnlyHint":true,"destructiveHint":false,"openWorldHint":null}`: `{"readOnlyHint":true,"destructiveHint":false}`,
		`{"title":7,"readOnlyHint":true,"destructiveHint":false}`:                         `{"readOnlyHint":true,"destructiveHint":false}`,
	} {
		got, err := mcpclient.ReadTool(json.RawMessage(`{"name":"a","inputSchema":{"type":"object"},"annotations":` + annotations + `}`))
		if err != nil || got.ReadOnly == nil || !*got.ReadOnly || got.Destructive == nil || *got.Destructive || got.Idempotent != nil || got.OpenWorld != nil {
			t.Errorf("%s: %+v, %v", annotations, got, err)
		}
		if want := `{"name":"a","inputSchema":{"type":"object"},"annotations":` + left + `}`; string(got.Raw) != want {
			t.Errorf("%s: %s", annotations, got.Raw)
		}
	}
}
