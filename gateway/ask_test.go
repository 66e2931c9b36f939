package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/parley-hq/parley/permit"
)

// survey is a server of 2026-07-28 that asks two questions at once.
func survey(t *testing.T) string {
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
			Params map[string]json.RawMessage
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		w.Header().Set("Content-Type", "application/json")
		result := `{"resultType":"complete","content":[{"type":"text","text":"thanks"}]}`
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case m.Method == "server/discover":
			result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
		case m.Method == "tools/list":
			result = `{"resultType":"complete","tools":[{"name":"fill","inputSchema":{"type":"object"}}]}`
		case m.Method == "tools/call" && m.Params["inputResponses"] == nil:
			form := func(what string) string {
				return fmt.Sprintf(`{"method":"elicitation/create","params":{"mode":"form","message":%q,"requestedSchema":%s}}`, what, sizeForm)
			}
			result = `{"resultType":"input_required","requestState":"x","inputRequests":{"a":` + form("First?") + `,"b":` + form("Second?") + `}}`
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}))
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
