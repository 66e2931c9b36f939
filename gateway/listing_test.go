package gateway_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/permit"
)

func TestOneToolThatCannotBeReadDoesNotHideTheOthers(t *testing.T) {
	url := scripted(t, map[string]string{
		"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sloppy","version":"1"}}`,
		"tools/list": `{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":""},null,"b",{"name":"c","inputSchema":{"type":"string"}},{"name":"d","inputSchema":{"type":"object"}}]}`,
		"tools/call": `["done"]`,
	})
	h := newHouse(t, catalogue{{Name: "sloppy", URL: url, Approve: permit.Never}}, nil)
	v := visit(t, h.url, "alice", legacy, nil)
	if diff := cmp.Diff([]string{"sloppy__a", "sloppy__d"}, toolNames(t, v)); diff != "" {
		t.Error(diff)
	}
	for range 2 { // the second time it is known
		if got, err := v.call(t, "sloppy__a", nil); err != nil || got != "ERROR sloppy answered with what cannot be read: whether the call was carried out is not known. Find out before you call it again." {
			t.Errorf("%q, %v", got, err)
		}
	}
}

func TestContentOfAnUnknownKindIsNotLost(t *testing.T) {
	url := scripted(t, map[string]string{
		"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"later","version":"1"}}`,
		"tools/list": `{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}`,
		"tools/call": `{"content":[{"type":"text","text":"see"},{"type":"hologram","of":"tea"}],"structuredContent":{"n":9007199254740993},"isError":false}`,
	})
	h := newHouse(t, catalogue{{Name: "later", URL: url, Approve: permit.Always}}, nil)
	for _, era := range []string{legacy, modern} {
		got, err := visit(t, h.url, "alice", era, agreeing).call(t, "later__a", nil)
		if err != nil || got != `see {"type":"hologram","of":"tea"}` {
			t.Errorf("%s: %q, %v", era, got, err)
		}
	}
}
