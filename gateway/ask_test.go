package gateway_test

import (
	"fmt"
	"testing"

	"github.com/parley-hq/parley/permit"
)

// survey is a server of 2026-07-28 that asks two questions at once.
func survey(t *testing.T) string {
	form := func(what string) string {
		return fmt.Sprintf(`{"method":"elicitation/create","params":{"mode":"form","message":%q,"requestedSchema":%s}}`, what, sizeForm)
	}
	return scriptedBy(t, func(m wireMessage) string {
		switch {
		case m.Method == "server/discover":
			return `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
		case m.Method == "tools/list":
			return `{"resultType":"complete","tools":[{"name":"fill","inputSchema":{"type":"object"}}]}`
		case m.Params["inputResponses"] == nil:
			return `{"resultType":"input_required","requestState":"x","inputRequests":{"a":` + form("First?") + `,"b":` + form("Second?") + `}}`
		}
		return `{"resultType":"complete","content":[{"type":"text","text":"thanks"}]}`
	})
}

func TestQuestionsThatComeTogetherAfterAnApprovalAreAskedOnce(t *testing.T) {
	h := newHouse(t, catalogue{{Name: "survey", URL: survey(t), Approve: permit.Always}}, nil)
	v := visit(t, h.url, "alice", modern, agreeing)
	if text, err := v.call(t, "survey__fill", map[string]any{}); text != "thanks" {
		t.Fatal(text, err)
	}
	if asked := v.questions(); len(asked) != 3 {
		t.Errorf("an approval and two questions were asked as %d: %q", len(asked), asked)
	}
}
