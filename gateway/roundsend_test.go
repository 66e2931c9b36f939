package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parley-hq/parley/permit"
)

// A server that asks too often has had the call all the while.
func TestACallWhoseServerAsksTooOftenMayHaveBeenCarriedOut(t *testing.T) {
	const asks = `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"Again?","requestedSchema":{"type":"object","properties":{}}}}}}`
	for hints, want := range map[string]string{
		`{}`:                    "ERROR s asked more than 20 times in one call, which was given up: whether it was carried out is not known. Find out before you call it again.",
		`{"readOnlyHint":true}`: "ERROR s asked more than 20 times in one call, which was given up. It may be called again.",
	} {
		url := scripted(t, map[string]string{
			"server/discover": `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`,
			"tools/list":      `{"tools":[{"name":"ask","inputSchema":{"type":"object"},"annotations":` + hints + `}]}`,
			"tools/call":      asks,
		})
		h := newHouse(t, catalogue{{Name: "s", URL: url, Approve: permit.Never}}, nil)
		v := visit(t, h.url, "alice", legacy, agreeing) // the SDK's client of 2026-07-28 gives up before
		if got, err := v.call(t, "s__ask", nil); err != nil || got != want {
			t.Errorf("%s: %q, %v", hints, got, err)
		}
	}
}

// Clients that check results by the protocol's schema take no null for a list.
func TestAQuestionInPlaceOfAResultHasNoNulls(t *testing.T) {
	server := &asker{modern: true, form: `{"message":"Well?","requestedSchema":{"type":"object","properties":{}}}`}
	h := newHouse(t, catalogue{{Name: "s", URL: serve(t, server), Approve: permit.Never}}, nil)
	awaitUp(t, h, "s")
	_, got := sendRaw(t, h.url, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"s__ask","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}}}`, modern),
		"Mcp-Protocol-Version", modern, "Mcp-Method", "tools/call", "Mcp-Name", "s__ask")
	if !strings.Contains(got, `"input_required"`) || strings.Contains(got, "null") {
		t.Error(got)
	}
}
