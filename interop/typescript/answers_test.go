package typescript_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

func errorsAsAnswers(t *testing.T, program kit.FixtureProgram) {
	base := program.Serve(t)
	each(t, everyOne, func(t *testing.T, command []string) {
		c := kit.StartClient(t, base, command...)
		call := c.Call("ask", kit.Fields{"q": "Sure?"})
		c.Send(kit.Fields{"answer": c.Question().N, "error": kit.Fields{"code": -32000, "message": "no window to ask in"}})
		if kit.Modern(command) {
			// The client fails by itself, and the server hears nothing.
			if err := c.Failure(call); !strings.Contains(err.Message, "no window to ask in") {
				t.Errorf("error %+v", err)
			}
		} else if r := c.Result(call); !r.IsError || !strings.Contains(r.Content[0].Text, "no window to ask in") {
			t.Errorf("result %+v", r)
		}
		call = c.Call("ask", kit.Fields{"q": "Sure?"})
		c.Answer(c.Question(), "accept", yesConfirmed)
		c.Returns(call, `{"status":"accept","confirmed":true}`)
	})
}

func badContent(t *testing.T, program kit.FixtureProgram) {
	base := program.Serve(t)
	bad := map[string]kit.Fields{"wrong type": {"confirmed": "yes"}, "nothing in it": {}, "nothing at all": nil}
	each(t, everyOne, func(t *testing.T, command []string) {
		c := kit.StartClient(t, base, command...)
		for name, content := range bad {
			call := c.Call("ask", kit.Fields{"q": name + "?"})
			c.Answer(c.QuestionAbout(name), "accept", content)
			if kit.Modern(command) {
				again := c.QuestionAbout(name)
				if again.Params.Message == name+"?" {
					t.Errorf("%s: asked again without a reason", name)
				}
				c.Answer(again, "accept", yesConfirmed)
				c.Returns(call, `{"status":"accept","confirmed":true}`)
				continue
			}
			r := c.Result(call)
			if !r.IsError || r.Meta.Code != "INVALID_INPUT" || !strings.Contains(r.Content[0].Text, "Invalid elicitation result content") {
				t.Errorf("%s: result %+v", name, r)
			}
			if name == "wrong type" && (len(r.Meta.Violations) != 1 || r.Meta.Violations[0].Path != "confirmed" || !strings.Contains(r.Content[0].Text, `"path":["confirmed"]`)) {
				t.Errorf("%s: %+v; want the path of the field", name, r)
			}
		}
		call := c.Call("wizard", kit.Fields{})
		c.Answer(c.QuestionAbout("name"), "accept", kit.Fields{"name": "Ada"})
		c.Answer(c.QuestionAbout("color"), "accept", kit.Fields{"color": "mauve"})
		if kit.Modern(command) {
			c.Answer(c.QuestionAbout("color"), "accept", kit.Fields{"color": "red"})
			c.Returns(call, `{"status":"accept","name":"Ada","color":"red"}`)
		} else if r := c.Result(call); !r.IsError || len(r.Meta.Violations) != 1 || r.Meta.Violations[0].Path != "color" {
			t.Errorf("result %+v", r)
		}
	})
}

// strayAnswers answers past the client's SDK, which would not do such things.
func strayAnswers(t *testing.T, program kit.FixtureProgram) {
	base := program.Serve(t)
	yes := kit.Fields{"action": "accept", "content": yesConfirmed}
	each(t, legacyOnes, func(t *testing.T, command []string) {
		c := kit.StartClient(t, base, command...)
		early := c.Call("ask", kit.Fields{"q": "A?", "ttl": 3000})
		a := c.QuestionAbout("A?")
		if r := c.Result(early); !r.IsError || r.Meta.Code != "ELICITATION_TIMEOUT" {
			t.Errorf("result %+v", r)
		}
		late := c.Call("ask", kit.Fields{"q": "B?"})
		b := c.QuestionAbout("B?")
		for _, id := range []any{a.RequestID, 987654321, "nobody's"} {
			c.End(c.Do("send", kit.Fields{"message": kit.Fields{"jsonrpc": "2.0", "id": id, "result": yes}}))
		}
		// A call that begins after them ends: they have been dealt with.
		after := c.Call("ask", kit.Fields{"q": "C?"})
		c.Answer(c.QuestionAbout("C?"), "accept", yesConfirmed)
		c.Returns(after, `{"status":"accept","confirmed":true}`)
		c.Answer(b, "decline", nil)
		c.Returns(late, `{"status":"decline","confirmed":false}`)
	})
	t.Run("2026-07-28", func(t *testing.T) {
		c := kit.StartClient(t, base, kit.With(kit.Client2026, "--manual")...)
		first := c.Result(c.Call("ask", kit.Fields{"q": "A?"}))
		ask := func(state string, responses kit.Fields) kit.TsResult {
			return c.Result(c.Do("call", kit.Fields{"name": "ask", "arguments": kit.Fields{"q": "A?"}, "requestState": state, "inputResponses": responses}))
		}
		again := ask(first.RequestState, kit.Fields{"q2": yes, "nobody's": yes})
		if again.ResultType != "input_required" || !slices.Equal(keys(again), keys(first)) {
			t.Fatalf("answers to other questions: %+v", again)
		}
		if done := ask(again.RequestState, kit.Fields{keys(again)[0]: yes, "nobody's": yes}); !kit.SameJSON(done.StructuredContent, `{"status":"accept","confirmed":true}`) {
			t.Errorf("result %+v", done)
		}
	})
}

// keys returns the keys of the questions that a result asks.
func keys(r kit.TsResult) []string {
	var all []string
	for key := range r.InputRequests {
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}
