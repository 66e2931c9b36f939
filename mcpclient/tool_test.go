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
		`{"name":"a","name":"b"}`: mcpclient.ErrProtocol,
		`{"name":"a","annotations":{"readOnlyHint":true,"readOnly\u0048int":false}}`:   mcpclient.ErrProtocol,
		`{"name":"a","annotations":{"openWorldHint":1}}`:                               mcpclient.ErrProtocol,
		`{"name":"a","annotations":[]}`:                                                mcpclient.ErrProtocol,
		`{"name":"a","inputSchema":[]}`:                                                mcpclient.ErrProtocol,
		`{"name":"a","description":"` + strings.Repeat("x", mcpclient.MaxTool) + `"}`:  mcpclient.ErrTooLarge,
		`{"name":"a","NAME":"b","annotations":{"READONLYHINT":true,"title":null}}`:     nil, // other names say nothing
		`{"name":"a","annotations":null,"inputSchema":{"type":"object"},"title":null}`: nil,
	} {
		got, err := mcpclient.ReadTool(json.RawMessage(item))
		if !errors.Is(err, want) {
			t.Errorf("%.100s: %v, want %v", item, err, want)
		}
		if want == nil && (got.Name != "a" || got.ReadOnly != nil) {
			t.Errorf("%s: %+v", item, got)
		}
	}
}
