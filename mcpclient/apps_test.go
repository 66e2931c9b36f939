package mcpclient_test

import (
	"encoding/json"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

func TestAToolIsForModelsUnlessItSaysOtherwise(t *testing.T) {
	for tool, only := range map[string]bool{
		`{"name":"t"}`:            false,
		`{"name":"t","_meta":{}}`: false,
		`{"name":"t","_meta":{"ui":{"resourceUri":"ui://a"}}}`:                        false,
		`{"name":"t","_meta":{"ui":{"visibility":["model","app"]}}}`:                  false,
		`{"name":"t","_meta":{"ui":{"visibility":["model"]}}}`:                        false,
		`{"name":"t","_meta":{"ui":{"visibility":null}}}`:                             false,
		`{"name":"t","_meta":{"ui":{"visibility":["app"]}}}`:                          true,
		`{"name":"t","_meta":{"ui":{"visibility":[]}}}`:                               true,
		`{"name":"t","_meta":{"ui":{"visibility":"app"}}}`:                            true,
		`{"name":"t","_meta":{"ui":{"visibility":["Model"]}}}`:                        true,
		`{"name":"t","_meta":{"UI":{"visibility":["model"]},"ui":{"visibility":[]}}}`: true,
		`{"name":"t","_meta":{"openai/visibility":"private"}}`:                        true,
		`{"name":"t","_meta":{"openai/visibility":"public"}}`:                         false,
	} {
		if got := mcpclient.AppOnly(json.RawMessage(tool)); got != only {
			t.Errorf("%s: %t", tool, got)
		}
	}
}
