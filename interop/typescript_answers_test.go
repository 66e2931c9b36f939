package interop_test

import (
	"slices"
	"strings"
	"testing"
)

func errorsAsAnswers(t *testing.T, program fixtureProgram) {
	base := program.serve(t)
	each(t, everyOne, func(t *testing.T, command []string) {
		c := startClient(t, base, command...)
		call := c.call("ask", fields{"q": "Sure?"})
		c.send(fields{"answer": c.question().N, "error": fields{"code": -32000, "message": "no window to ask in"}})
		if modern(command) {
			// The client fails by itself, and the server hears nothing.
			if err := c.failure(call); !strings.Contains(err.Message, "no window to ask in") {
				t.Errorf("error %+v", err)
			}
		} else if r := c.result(call); !r.IsError || !strings.Contains(r.Content[0].Text, "no window to ask in") {
			t.Errorf("result %+v", r)
		}
		call = c.call("ask", fields{"q": "Sure?"})
		c.answer(c.question(), "accept", yesConfirmed)
		c.returns(call, `{"status":"accept","confirmed":true}`)
	})
}

func badContent(t *testing.T, program fixtureProgram) {
	base := program.serve(t)
	bad := map[string]fields{"wrong type": {"confirmed": "yes"}, "nothing in it": {}, "nothing at all": nil}
	each(t, everyOne, func(t *testing.T, command []string) {
		c := startClient(t, base, command...)
		for name, content := range bad {
			call := c.call("ask", fields{"q": name + "?"})
			c.answer(c.questionAbout(name), "accept", content)
			if modern(command) {
				again := c.questionAbout(name)
				if again.Params.Message == name+"?" {
					t.Errorf("%s: asked again without a reason", name)
				}
				c.answer(again, "accept", yesConfirmed)
				c.returns(call, `{"status":"accept","confirmed":true}`)
				continue
			}
			r := c.result(call)
			if !r.IsError || r.Meta.Code != "INVALID_INPUT" || !strings.Contains(r.Content[0].Text, "Invalid elicitation result content") {
				t.Errorf("%s: result %+v", name, r)
			}
			if name == "wrong type" && (len(r.Meta.Violations) != 1 || r.Meta.Violations[0].Path != "confirmed" || !strings.Contains(r.Content[0].Text, `"path":["confirmed"]`)) {
				t.Errorf("%s: %+v; want the path of the field", name, r)
			}
		}
		call := c.call("wizard", fields{})
		c.answer(c.questionAbout("name"), "accept", fields{"name": "Ada"})
		c.answer(c.questionAbout("color"), "accept", fields{"color": "mauve"})
		if modern(command) {
			c.answer(c.questionAbout("color"), "accept", fields{"color": "red"})
			c.returns(call, `{"status":"accept","name":"Ada","color":"red"}`)
		} else if r := c.result(call); !r.IsError || len(r.Meta.Violations) != 1 || r.Meta.Violations[0].Path != "color" {
			t.Errorf("result %+v", r)
		}
	})
}

// strayAnswers answers past the client's SDK, which would not do such things.
func strayAnswers(t *testing.T, program fixtureProgram) {
	base := program.serve(t)
	yes := fields{"action": "accept", "content": yesConfirmed}
	each(t, legacyOnes, func(t *testing.T, command []string) {
		c := startClient(t, base, command...)
		early := c.call("ask", fields{"q": "A?", "ttl": 3000})
		a := c.questionAbout("A?")
		if r := c.result(early); !r.IsError || r.Meta.Code != "ELICITATION_TIMEOUT" {
			t.Errorf("result %+v", r)
		}
		late := c.call("ask", fields{"q": "B?"})
		b := c.questionAbout("B?")
		for _, id := range []any{a.RequestID, 987654321, "nobody's"} {
			c.end(c.do("send", fields{"message": fields{"jsonrpc": "2.0", "id": id, "result": yes}}))
		}
		// A call that begins after them ends: they have been dealt with.
		after := c.call("ask", fields{"q": "C?"})
		c.answer(c.questionAbout("C?"), "accept", yesConfirmed)
		c.returns(after, `{"status":"accept","confirmed":true}`)
		c.answer(b, "decline", nil)
		c.returns(late, `{"status":"decline","confirmed":false}`)
	})
	t.Run("2026-07-28", func(t *testing.T) {
		c := startClient(t, base, with(client2026, "--manual")...)
		first := c.result(c.call("ask", fields{"q": "A?"}))
		ask := func(state string, responses fields) tsResult {
			return c.result(c.do("call", fields{"name": "ask", "arguments": fields{"q": "A?"}, "requestState": state, "inputResponses": responses}))
		}
		again := ask(first.RequestState, fields{"q2": yes, "nobody's": yes})
		if again.ResultType != "input_required" || !slices.Equal(keys(again), keys(first)) {
			t.Fatalf("answers to other questions: %+v", again)
		}
		if done := ask(again.RequestState, fields{keys(again)[0]: yes, "nobody's": yes}); !sameJSON(done.StructuredContent, `{"status":"accept","confirmed":true}`) {
			t.Errorf("result %+v", done)
		}
	})
}

// keys returns the keys of the questions that a result asks.
func keys(r tsResult) []string {
	var all []string
	for key := range r.InputRequests {
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}
