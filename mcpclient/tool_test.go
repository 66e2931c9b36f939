package mcpclient_test

import (
	"encoding/json"
	"errors"
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
