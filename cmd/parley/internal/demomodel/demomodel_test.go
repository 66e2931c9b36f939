package demomodel_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/cmd/parley/internal/demomodel"
)

var tools = []agent.Tool{
	{Name: "tracker", Description: "Makes the tools of tracker available."},
	{Name: "shop__order", Description: "Orders something for the office.", Schema: json.RawMessage(`{"properties":{"item":{"type":"string"},"quantity":{"type":"integer"}},"required":["quantity","item"]}`)},
	{Name: "delegate_to_researcher", Description: "Hands a task to the agent researcher.", Schema: json.RawMessage(`{"properties":{"task":{"type":"string"}},"required":["task"]}`)},
}

func ask(t *testing.T, tools []agent.Tool, messages ...agent.PromptMessage) (agent.Reply, string) {
	t.Helper()
	var streamed strings.Builder
	reply, err := demomodel.New().Generate(t.Context(), agent.Prompt{Messages: messages, Tools: tools}, func(s string) { streamed.WriteString(s) })
	if err != nil || streamed.String() != reply.Text {
		t.Errorf("streamed %q of %q, %v", streamed.String(), reply.Text, err)
	}
	if len(reply.Calls) == 0 {
		return reply, ""
	}
	return reply, reply.Calls[0].Tool + " " + string(reply.Calls[0].Args)
}

func user(text string) agent.PromptMessage {
	return agent.PromptMessage{Role: agent.FromUser, Text: text}
}

func TestTheToolThatFitsBestIsCalled(t *testing.T) {
	for said, want := range map[string]string{
		"What is in my tracker?":         "tracker {}",
		"Please order 3 boxes of pens":   `shop__order {"item":"boxes of pens","quantity":3}`,
		"Ask the researcher about tea":   `delegate_to_researcher {"task":"about tea"}`,
		"Sing":                           "",
		"order for the shop and tracker": `shop__order {"item":"tracker","quantity":1}`,
	} {
		if _, got := ask(t, tools, user(said)); got != want {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
}

func TestWhatToolsReturnedIsSaid(t *testing.T) {
	reply, call := ask(t, tools, user("order tea"), agent.PromptMessage{Role: agent.FromModel}, agent.PromptMessage{Role: agent.FromTools, Results: []agent.ToolResult{
		{Tool: "shop__order", Text: "Ordered."}, {Tool: "x", Text: "no tea", Failed: true},
	}})
	if call != "" || reply.Text != "Ordered.\n\nThat did not work: no tea" {
		t.Errorf("%q, %s", reply.Text, call)
	}
}

func TestToolsThatCameWithAConnectionAreUsed(t *testing.T) {
	more := append([]agent.Tool{{Name: "tracker__list_tickets", Description: "Lists tickets."}}, tools[1:]...)
	_, call := ask(t, more, user("Which tickets are in my tracker?"), agent.PromptMessage{Role: agent.FromModel},
		agent.PromptMessage{Role: agent.FromTools, Results: []agent.ToolResult{{Tool: "tracker", Text: "tracker is connected. You can use these tools now: tracker__list_tickets"}}})
	if call != "tracker__list_tickets {}" {
		t.Errorf("got %s", call)
	}
}

func TestInstructionsSayWhatAToolIsFor(t *testing.T) {
	instructions := "Help the user. Their tickets are in the tracker: list or close them.\nOrder nothing twice."
	for said, want := range map[string]string{
		"Close ticket 7":   "tracker {}",
		"Order tea":        `shop__order {"item":"tea","quantity":1}`,
		"Order it twice":   `shop__order {"item":"twice","quantity":1}`,
		"Help":             "", // of no tool in particular
		"Nothing to do":    "",
		"tracker, please":  "tracker {}",
		"Tickets? No, tea": "tracker {}",
	} {
		reply, err := demomodel.New().Generate(t.Context(), agent.Prompt{Instructions: instructions, Messages: []agent.PromptMessage{user(said)}, Tools: tools}, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, call := range reply.Calls {
			got += call.Tool + " " + string(call.Args)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		}
	}
}

func TestWithoutAnythingThatFitsItSaysWhatItCan(t *testing.T) {
	if reply, _ := ask(t, tools, user("Sing")); !strings.Contains(reply.Text, "`shop__order`: Orders something for the office.") {
		t.Errorf("got %q", reply.Text)
	}
	if reply, _ := ask(t, nil, user("Sing")); !strings.Contains(reply.Text, "no tools") {
		t.Errorf("got %q", reply.Text)
	}
}
