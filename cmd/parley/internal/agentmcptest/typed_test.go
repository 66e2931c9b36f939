package agentmcptest

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcptool"
)

const expenses = `
  expenses: {model: script, description: Files expenses., input: {type: object, properties: {description: {type: string}, amount: {type: number, minimum: 0}}, required: [description, amount]}}
`

func TestAnAgentTakesATypedInput(t *testing.T) {
	w := newWorld(t)
	w.yaml = strings.TrimRight(w.yaml, "\n") + expenses
	n := w.node(t, mcptool.Options{})
	inBothEras(t, func(t *testing.T, era string) {
		c := n.connect(t, clientOptions{era: era, agent: "expenses"})
		list, err := c.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != 1 {
			t.Fatal(list, err)
		}
		raw, err := json.Marshal(list.Tools[0].InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"amount":{`, `"description":{`, `"conversation":{`, `"required":["description","amount"]`} {
			if !strings.Contains(string(raw), want) {
				t.Errorf("no %s in %s", want, raw)
			}
		}
		if strings.Contains(string(raw), `"message"`) {
			t.Errorf("it takes a message: %s", raw)
		}
		files := func(arguments map[string]any) (*mcp.CallToolResult, error) {
			return c.CallTool(t.Context(), &mcp.CallToolParams{Name: "expenses", Arguments: arguments})
		}
		r, err := files(map[string]any{"amount": 12.5, "description": "tea & cake"})
		if err != nil || r.IsError || text(r) != `You said: {"amount":12.5,"description":"tea & cake"}` {
			t.Fatalf("got %q, %v", text(r), err)
		}
		first := output(t, r).Conversation
		r, err = files(map[string]any{"amount": 1, "description": "more", "conversation": first})
		if err != nil || output(t, r).Conversation != first || strings.Contains(text(r), "conversation") {
			t.Errorf("got %q, %v", text(r), err)
		}
		for name, wrong := range map[string]map[string]any{
			"a text for a number": {"amount": "much", "description": "x"},
			"too little":          {"amount": -1, "description": "x"},
			"one missing":         {"amount": 1},
			"a message":           {"message": "hello"},
		} {
			if r, err := files(wrong); err == nil && !r.IsError {
				t.Errorf("%s: %q", name, text(r))
			}
		}
	})
}

func TestAClientIsToldHowFarAnAgentIs(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	inBothEras(t, func(t *testing.T, era string) {
		var mu sync.Mutex
		var told []mcp.ProgressNotificationParams
		screen := decides("allow_once")
		c := n.connect(t, clientOptions{era: era, person: screen.person, told: func(p *mcp.ProgressNotificationParams) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, *p)
		}})
		params := saying(order)
		params.SetProgressToken("p1")
		if r, err := c.CallTool(t.Context(), params); err != nil || !strings.Contains(text(r), "ordered pens") {
			t.Fatalf("%q, %v", text(r), err)
		}
		mu.Lock()
		defer mu.Unlock()
		said := false
		for i, p := range told {
			said = said || strings.Contains(p.Message, "Calls ") && strings.Contains(p.Message, "order")
			if i > 0 && era != modern && p.Progress <= told[i-1].Progress {
				t.Errorf("progress goes back: %+v", told)
			}
		}
		if !said {
			t.Errorf("told %+v", told)
		}
	})
}

func TestAClientIsToldHowFarTheCallsOfAnAgentAre(t *testing.T) {
	w := newWorld(t)
	n := w.node(t, mcptool.Options{})
	inBothEras(t, func(t *testing.T, era string) {
		c := n.connect(t, clientOptions{era: era, told: func(p *mcp.ProgressNotificationParams) {
			if p.Message == "travel: 3 of 10, packing" {
				w.heard <- struct{}{}
			}
		}})
		params := saying("travel__pack {}")
		params.SetProgressToken("p1")
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if r, err := c.CallTool(ctx, params); err != nil || !strings.Contains(text(r), "packed") {
			t.Fatalf("%q, %v", text(r), err)
		}
	})
}
