package anthropic_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/anthropic"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

// first answers the first request so, and others with a text.
func first(reply fakemodel.Reply) fakemodel.Rule {
	return func(r fakemodel.Request) fakemodel.Reply {
		if len(r.Messages) == 1 {
			return reply
		}
		return fakemodel.Reply{Text: "ok"}
	}
}

// again is the prompt that follows a reply. Every second call failed.
func again(r agent.Reply) agent.Prompt {
	said := agent.PromptMessage{Role: agent.FromModel, Text: r.Text, Calls: r.Calls, Native: r.Native}
	if len(r.Calls) == 0 {
		return fakemodel.Hello(said, agent.PromptMessage{Role: agent.FromUser, Text: "Go on"})
	}
	results := agent.PromptMessage{Role: agent.FromTools}
	for i, c := range r.Calls {
		results.Results = append(results.Results, agent.ToolResult{CallID: c.ID, Tool: c.Tool, Text: "done " + string(c.Args), Failed: i%2 == 1})
	}
	return fakemodel.Hello(said, results)
}

// thought is hard to keep: what is escaped in one way may come back in another.
const thought = "A <tag> & \"quotes\" \\ \u2028 größer 🤔\n\ttabs, \u0001 and so on."

func TestThoughtsGoBackByteForByte(t *testing.T) {
	// The fake refuses thinking whose signature is not that of its text.
	m, fake := serve(t, first(fakemodel.Reply{Thinking: thought, Text: "I look.", Calls: []fakemodel.Call{{ID: "toolu_1", Tool: "find", Args: `{"n": 1.0}`}}}),
		anthropic.Options{})
	reply, _ := generate(t, m, fakemodel.Hello())
	if reply.Text != "I look." {
		t.Errorf("the text is %q", reply.Text)
	}
	generate(t, m, again(reply))
	var came struct {
		Content []struct{ Type, Thinking, Signature, Text, ID, Name string }
	}
	raw := sent(t, fake.Requests()[1])[1]
	if err := json.Unmarshal(raw, &came); err != nil {
		t.Fatal(err)
	}
	if b := came.Content[0]; len(came.Content) != 3 || b.Thinking != thought || b.Signature != fakemodel.Signature(thought) {
		t.Errorf("sent %s", raw)
	}
	var kept struct{ Message json.RawMessage }
	if err := json.Unmarshal(reply.Native, &kept); err != nil {
		t.Fatal(err)
	}
	if want := `{"content":` + string(kept.Message) + `,"role":"assistant"}`; string(raw) != want {
		t.Errorf("sent\n%s, kept\n%s", raw, want)
	}
}

// The library's own parameters do not: read back from JSON, they have passed
// through floats.
func TestArgumentsGoBackAsTheyCame(t *testing.T) {
	const args = `{"z":1.0,"big":9007199254740993,"a":"<b>"}`
	m, fake := serve(t, first(fakemodel.Reply{Calls: []fakemodel.Call{{Tool: "find", Args: args}}}), anthropic.Options{})
	reply, _ := generate(t, m, fakemodel.Hello())
	generate(t, m, again(reply))
	want := strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(args) // the same text
	if got := fake.Requests()[1].Messages[1].Calls[0].Args; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
}

func TestThoughtsThatAreHiddenGoBack(t *testing.T) {
	m, fake := serve(t, first(fakemodel.Reply{Events: []string{
		began,
		block(0, `{"type":"redacted_thinking","data":"EmwKAhgB=="}`),
		block(1, `{"type":"thinking","thinking":"","signature":""}`, `{"type":"signature_delta","signature":"`+fakemodel.Signature("")+`"}`),
		block(2, `{"type":"text","text":""}`, `{"type":"text_delta","text":"Yes."}`),
		finish("end_turn"),
	}}), anthropic.Options{})
	reply, _ := generate(t, m, fakemodel.Hello())
	generate(t, m, again(reply))
	want := fmt.Sprintf(`{"role":"assistant","content":[{"type":"redacted_thinking","data":"EmwKAhgB=="},
		{"type":"thinking","thinking":"","signature":%q},{"type":"text","text":"Yes."}]}`, fakemodel.Signature(""))
	if diff := cmp.Diff(indented(t, []byte(want)), indented(t, sent(t, fake.Requests()[1])[1])); diff != "" {
		t.Error(diff)
	}
}

func TestMessagesOfOthersAreWrittenAnew(t *testing.T) {
	m, _ := serve(t, always(fakemodel.Reply{Thinking: "Hm.", Text: "I look.", Calls: []fakemodel.Call{{ID: "c1", Tool: "find", Args: `{"n":1.0}`}}}),
		anthropic.Options{})
	reply, _ := generate(t, m, fakemodel.Hello())
	plain := `{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"c1","name":"find","input":{"n":1.0}}]}`
	for name, native := range map[string][]byte{
		"another server":   reply.Native,
		"another kind":     []byte(`{"kind":"openai","message":{}}`),
		"not ours at all":  []byte("\x00"),
		"nothing was kept": nil,
	} {
		other, fake := serve(t, always(fakemodel.Reply{Text: "ok"}), anthropic.Options{})
		changed := reply
		changed.Native = native
		generate(t, other, again(changed))
		if diff := cmp.Diff(indented(t, []byte(plain)), indented(t, sent(t, fake.Requests()[0])[1])); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestWhatTheServerWouldRefuseIsNotKept(t *testing.T) {
	for name, events := range map[string][]string{
		"blank text ahead of a call": {
			block(0, `{"type":"text","text":""}`, `{"type":"text_delta","text":"\n\n"}`),
			block(1, `{"type":"tool_use","id":"c","name":"find","input":{}}`), finish("tool_use")},
		"a thought at the end": {
			block(0, `{"type":"text","text":""}`, `{"type":"text_delta","text":"Yes."}`),
			block(1, `{"type":"thinking","thinking":"","signature":""}`, `{"type":"thinking_delta","thinking":"But"}`), finish("max_tokens")},
		"a call without an id": {
			block(0, `{"type":"tool_use","id":"","name":"find","input":{}}`, `{"type":"input_json_delta","partial_json":"{\"n\":1}"}`), finish("tool_use")},
		"nothing but a thought": {
			block(0, `{"type":"thinking","thinking":"","signature":""}`, `{"type":"thinking_delta","thinking":"Hm"}`), finish("end_turn")},
		"nothing": {finish("end_turn")},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := serve(t, first(fakemodel.Reply{Events: append([]string{began}, events...)}), anthropic.Options{})
			reply, _ := generate(t, m, fakemodel.Hello())
			generate(t, m, again(reply)) // the fake refuses it too
		})
	}
}

func TestArgumentsThatAreNotJSONAreNoArguments(t *testing.T) {
	m, fake := serve(t, first(fakemodel.Reply{Calls: []fakemodel.Call{{Tool: "find", Args: `{n:1`}, {Tool: "all", Args: `{"n":1}`}}}), anthropic.Options{})
	reply, _ := generate(t, m, fakemodel.Hello())
	// The agent tells the model, and makes no call with none.
	if diff := cmp.Diff([]string{`find{n:1`, `all{"n":1}`}, calls(reply)); diff != "" {
		t.Error(diff)
	}
	generate(t, m, again(reply))
	if got := fake.Requests()[1].Messages[1].Calls[0].Args; got != "{}" {
		t.Errorf("%s was sent back", got)
	}
}

func TestAnAnswerThatWasCutKeepsWhatIsComplete(t *testing.T) {
	for name, c := range map[string]struct {
		reply fakemodel.Reply
		text  string
		calls []string
	}{
		"a text":              {fakemodel.Reply{Text: "It was a", Stop: "max_tokens"}, "It was a", nil},
		"a text that it left": {fakemodel.Reply{Text: "It was", Stop: "refusal"}, "It was", nil},
		"calls": {fakemodel.Reply{Calls: []fakemodel.Call{{Tool: "a", Args: `{"n":1}`}, {Tool: "e"}, {Tool: "b", Args: `{"n":`}}, Stop: "max_tokens"},
			"", []string{`a{"n":1}`, `e{}`}},
		"a call without arguments yet": {fakemodel.Reply{Text: "I look.", Calls: []fakemodel.Call{{Tool: "a"}}, Stop: "max_tokens"}, "I look.", nil},
		"a call that was complete":     {fakemodel.Reply{Calls: []fakemodel.Call{{Tool: "a", Args: `{"n":1}`}}, Stop: "max_tokens"}, "", []string{`a{"n":1}`}},
	} {
		m, _ := serve(t, first(c.reply), anthropic.Options{})
		reply, _ := generate(t, m, fakemodel.Hello())
		if diff := cmp.Diff(c.calls, calls(reply)); diff != "" || reply.Text != c.text {
			t.Errorf("%s: got %q %s", name, reply.Text, diff)
		}
		want := agent.CutByLength
		if c.reply.Stop == "refusal" {
			want = agent.CutByProvider
		}
		if reply.Cut != want {
			t.Errorf("%s: cut by %q", name, reply.Cut)
		}
		if whole, _ := generate(t, m, again(reply)); whole.Cut != "" {
			t.Errorf("%s: the next one was cut by %q", name, whole.Cut)
		}
	}
}

func TestAMessageWithoutEndIsCut(t *testing.T) {
	long := strings.Repeat(strings.Repeat("on", 500)+" ", agent.MaxMessage/500)
	for name, c := range map[string]struct {
		reply fakemodel.Reply
		text  string // the beginning
		calls []string
	}{
		"a text": {fakemodel.Reply{Text: long}, "onon", nil},
	} {
		m, _ := serve(t, first(c.reply), anthropic.Options{})
		reply, _ := generate(t, m, fakemodel.Hello())
		if diff := cmp.Diff(c.calls, calls(reply)); diff != "" || !strings.HasPrefix(reply.Text, c.text) || reply.Cut != agent.CutByLength {
			t.Errorf("%s: got %.30q, cut by %q %s", name, reply.Text, reply.Cut, diff)
		}
		if n := len(reply.Text); n > agent.MaxMessage+1001 { // and a word
			t.Errorf("%s: %d bytes", name, n)
		}
		if whole, _ := generate(t, m, again(reply)); whole.Text == "" || whole.Cut != "" {
			t.Errorf("%s: the next one is %.30q", name, whole.Text)
		}
	}
}
