package mcpclient_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

func TestAToolIsForModelsUnlessItSaysOtherwise(t *testing.T) {
	for meta, want := range map[string]string{
		``:                                      "both",
		`{}`:                                    "both",
		`{"ui":{"resourceUri":"ui://a"}}`:       "both",
		`{"ui":{"visibility":["model","app"]}}`: "both",
		`{"ui":{"visibility":null}}`:            "both",
		`{"ui":{"visibility":["model"]}}`:       "model",
		`{"ui":{"visibility":["model","x"]}}`:   "model",
		`{"ui":{"visibility":["app"]}}`:         "app",
		`{"ui":{"visibility":[]}}`:              "nobody",
		`{"ui":{"visibility":"app"}}`:           "nobody",
		`{"ui":{"visibility":{"model":true}}}`:  "nobody",
		`{"ui":{"visibility":["Model"]}}`:       "nobody",
		`{"ui":{"visibility":["model",1]}}`:     "nobody",
		`{"UI":{"visibility":["model"]},"ui":{"visibility":["app"]}}`:                "app",
		`{"openai/visibility":"private"}`:                                            "app",
		`{"openai/visibility":"public"}`:                                             "both",
		`{"openai/visibility":"private","ui":{"visibility":["model"]}}`:              "nobody",
		`{"\u0075i":{"visib\u0069lity":["app"]},"ui/visibility":["model"],"ui2":{}}`: "app",
	} {
		item := `{"name":"t","inputSchema":{"type":"object"}}`
		if meta != "" {
			item = `{"name":"t","inputSchema":{"type":"object"},"_meta":` + meta + `}`
		}
		tool, err := mcpclient.ReadTool(json.RawMessage(item))
		got := "both"
		switch {
		case errors.Is(err, mcpclient.ErrProtocol):
			got = "nobody"
		case err != nil:
			t.Fatal(err)
		case tool.AppOnly && tool.ForApps:
			got = "app"
		case !tool.ForApps:
			got = "model"
		}
		if got != want {
			t.Errorf("%s: for %s, want %s", meta, got, want)
		}
	}
}
