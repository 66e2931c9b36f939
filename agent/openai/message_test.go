package openai_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/openai"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

// asks answers the first request with events as they are, and others with a text.
func asks(events ...string) fakemodel.Rule {
	return func(r fakemodel.Request) fakemodel.Reply {
		if len(r.Messages) == 1 {
			return fakemodel.Reply{Events: events}
		}
		return fakemodel.Reply{Text: "ok"}
	}
}

// again is the prompt that follows a reply.
func again(r agent.Reply) agent.Prompt {
	said := agent.PromptMessage{Role: agent.FromModel, Text: r.Text, Calls: r.Calls, Native: r.Native}
	if len(r.Calls) == 0 {
		return fakemodel.Hello(said, agent.PromptMessage{Role: agent.FromUser, Text: "Go on"})
	}
	results := agent.PromptMessage{Role: agent.FromTools}
	for _, c := range r.Calls {
		results.Results = append(results.Results, agent.ToolResult{CallID: c.ID, Tool: c.Tool, Text: "done"})
	}
	return fakemodel.Hello(said, results)
}

// vendors is a message with what servers add to the format.
var vendors = []string{
	chunk(`{"role":"assistant","content":null,"reasoning_content":"First <I> ","annotations":null}`),
	chunk(`{"reasoning_content":"think.","reasoning_details":[{"type":"reasoning.text","format":"f1","index":0,"text":"a"}]}`),
	chunk(`{"reasoning_details":[{"type":"reasoning.text","format":"f1","index":0,"text":"b","signature":"s=="},{"type":"reasoning.encrypted","index":1,"data":"x"}]}`),
	chunk(`{"content":"Let me "}`), chunk(`{"content":"look."}`),
	chunk(`{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"find","arguments":"{\"n\": "},"extra_content":{"google":{"thought_signature":"t=="}}}]}`),
	chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"1.0}"}}]}`),
	finish("tool_calls"),
}

func TestWhatAServerAddsToAMessageGoesBackToIt(t *testing.T) {
	m, fake := serve(t, asks(vendors...), openai.Options{})
	first, _ := generate(t, m, fakemodel.Hello())
	generate(t, m, again(first))
	came := sent(t, fake.Requests()[1])[1]
	var kept struct{ Message json.RawMessage }
	if err := json.Unmarshal(first.Native, &kept); err != nil {
		t.Fatal(err)
	}
	if string(came) != string(kept.Message) {
		t.Errorf("sent\n%s, kept\n%s", came, kept.Message)
	}
	want := `{
		"role":"assistant","content":"Let me look.","reasoning_content":"First <I> think.",
		"reasoning_details":[
			{"type":"reasoning.text","format":"f1","index":0,"text":"ab","signature":"s=="},
			{"type":"reasoning.encrypted","index":1,"data":"x"}],
		"tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{\"n\": 1.0}"},
			"extra_content":{"google":{"thought_signature":"t=="}}}]}`
	if diff := cmp.Diff(indented(t, []byte(want)), indented(t, came)); diff != "" {
		t.Error(diff)
	}
}

func TestMessagesOfOthersAreWrittenAnew(t *testing.T) {
	m, _ := serve(t, asks(vendors...), openai.Options{})
	first, _ := generate(t, m, fakemodel.Hello())
	plain := `{"role":"assistant","content":"Let me look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{\"n\": 1.0}"}}]}`
	for name, native := range map[string][]byte{
		"another server":   first.Native,
		"another kind":     []byte(`{"kind":"anthropic","message":[]}`),
		"not ours at all":  []byte("\x00"),
		"nothing was kept": nil,
	} {
		other, fake := serve(t, always(fakemodel.Reply{Text: "ok"}), openai.Options{})
		reply := first
		reply.Native = native
		generate(t, other, again(reply))
		if diff := cmp.Diff(indented(t, []byte(plain)), indented(t, sent(t, fake.Requests()[0])[1])); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestAPlainModelSendsTheFormatAlone(t *testing.T) {
	m, fake := serve(t, asks(vendors...), openai.Options{Plain: true})
	first, _ := generate(t, m, fakemodel.Hello())
	generate(t, m, again(first))
	if came := string(sent(t, fake.Requests()[1])[1]); strings.Contains(came, "reasoning") || strings.Contains(came, "extra") {
		t.Errorf("sent %s", came)
	}
}

func TestCallsOfServersThatStrayFromTheFormatAreUnderstood(t *testing.T) {
	for name, c := range map[string]struct {
		events []string
		want   []string
	}{
		"no ids": {
			[]string{chunk(`{"tool_calls":[{"index":0,"function":{"name":"a","arguments":"{}"}},{"index":1,"function":{"name":"b","arguments":"{}"}}]}`)},
			[]string{"a{}", "b{}"}},
		"one id for all": {
			[]string{chunk(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a","arguments":"{}"}},{"index":1,"id":"x","function":{"name":"b","arguments":"{}"}}]}`)},
			[]string{"a{}", "b{}"}},
		"one index for all": {
			[]string{
				chunk(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a","arguments":"{\"n\":1}"}}]}`),
				chunk(`{"tool_calls":[{"index":0,"id":"y","function":{"name":"a","arguments":"{\"n\":"}}]}`),
				chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"2}"}}]}`)},
			[]string{`a{"n":1}`, `a{"n":2}`}},
		"neither indices nor ids": {
			[]string{
				chunk(`{"tool_calls":[{"function":{"name":"a","arguments":"{\"n\":1}"}}]}`),
				chunk(`{"tool_calls":[{"function":{"name":"a","arguments":"{\"n\":2}"}}]}`)},
			[]string{`a{"n":1}`, `a{"n":2}`}},
		"name and id with each piece": {
			[]string{
				chunk(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"find","arguments":"{\"n\""}}]}`),
				chunk(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"find","arguments":":1}"}}]}`)},
			[]string{`find{"n":1}`}},
		"a name in pieces": {
			[]string{
				chunk(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"fi"}}]}`),
				chunk(`{"tool_calls":[{"index":0,"function":{"name":"nd","arguments":"{}"}}]}`)},
			[]string{`find{}`}},
		"arguments that are null": {
			[]string{chunk(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a","arguments":"null"}}]}`)},
			[]string{"a{}"}},
		"no name": {
			[]string{chunk(`{"content":"Hm.","tool_calls":[{"index":0,"id":"x","function":{"arguments":"{}"}}]}`)},
			nil},
		"arguments that are not JSON": { // the agent tells the model
			[]string{chunk(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a","arguments":"{n:1"}}]}`)},
			[]string{"a{n:1"}},
	} {
		t.Run(name, func(t *testing.T) {
			m, fake := serve(t, asks(append(c.events, finish("tool_calls"))...), openai.Options{})
			reply, _ := generate(t, m, fakemodel.Hello())
			if diff := cmp.Diff(c.want, calls(reply)); diff != "" {
				t.Error(diff)
			}
			ids := map[string]bool{"": true}
			for _, c := range reply.Calls {
				if ids[c.ID] {
					t.Errorf("the id %q is none, or is there twice", c.ID)
				}
				ids[c.ID] = true
			}
			generate(t, m, again(reply)) // the fake refuses what does not go together
			for _, c := range fake.Requests()[1].Messages[1].Calls {
				if !json.Valid([]byte(c.Args)) {
					t.Errorf("%s was sent back", c.Args)
				}
			}
		})
	}
}

func TestAnAnswerThatWasCutKeepsWhatIsComplete(t *testing.T) {
	for name, c := range map[string]struct {
		reply fakemodel.Reply
		text  string
		calls []string
	}{
		"a text":                   {fakemodel.Reply{Text: "It was a", Stop: "length"}, "It was a", nil},
		"a text that was withheld": {fakemodel.Reply{Text: "It was", Stop: "content_filter"}, "It was", nil},
		"calls": {fakemodel.Reply{Calls: []fakemodel.Call{{Tool: "a", Args: `{"n":1}`}, {Tool: "b", Args: `{"n":`}}, Stop: "length"},
			"", []string{`a{"n":1}`}},
		"a call without arguments yet": {fakemodel.Reply{Text: "I look.", Calls: []fakemodel.Call{{Tool: "a"}}, Stop: "length"}, "I look.", nil},
	} {
		m, _ := serve(t, func(r fakemodel.Request) fakemodel.Reply {
			if len(r.Messages) == 1 {
				return c.reply
			}
			return fakemodel.Reply{Text: "ok"}
		}, openai.Options{})
		reply, _ := generate(t, m, fakemodel.Hello())
		if diff := cmp.Diff(c.calls, calls(reply)); diff != "" || reply.Text != c.text {
			t.Errorf("%s: got %q %s", name, reply.Text, diff)
		}
		want := agent.CutByLength
		if c.reply.Stop == "content_filter" {
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

func TestContentThatIsAListIsReadAndGoesBack(t *testing.T) {
	m, fake := serve(t, asks(
		chunk(`{"role":"assistant","content":""}`),
		chunk(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm"}]}]}`),
		chunk(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"."}]}]}`),
		chunk(`{"content":[{"type":"text","text":"I "}]}`), chunk(`{"content":"see."}`),
		finish("stop"),
	), openai.Options{})
	reply, pieces := generate(t, m, fakemodel.Hello())
	if diff := cmp.Diff([]string{"I ", "see."}, pieces); diff != "" {
		t.Error(diff)
	}
	generate(t, m, again(reply))
	want := `{"role":"assistant","content":[
		{"type":"thinking","thinking":[{"type":"text","text":"Hm"},{"type":"text","text":"."}]},{"type":"text","text":"I see."}]}`
	if diff := cmp.Diff(indented(t, []byte(want)), indented(t, sent(t, fake.Requests()[1])[1])); diff != "" {
		t.Error(diff)
	}
}

func TestARefusalIsText(t *testing.T) {
	m, fake := serve(t, func(r fakemodel.Request) fakemodel.Reply {
		if len(r.Messages) == 1 {
			return fakemodel.Reply{Refusal: "I would rather not."}
		}
		return fakemodel.Reply{Text: "ok"}
	}, openai.Options{})
	reply, _ := generate(t, m, fakemodel.Hello())
	if reply.Text != "I would rather not." {
		t.Errorf("got %q", reply.Text)
	}
	generate(t, m, again(reply))
	want := `{"role":"assistant","content":null,"refusal":"I would rather not."}`
	if diff := cmp.Diff(indented(t, []byte(want)), indented(t, sent(t, fake.Requests()[1])[1])); diff != "" {
		t.Error(diff)
	}
}

func TestAModelMaySayNothing(t *testing.T) {
	m, fake := serve(t, always(fakemodel.Reply{}), openai.Options{})
	reply, _ := generate(t, m, fakemodel.Hello())
	if diff := cmp.Diff(agent.Reply{}, reply); diff != "" {
		t.Error(diff)
	}
	generate(t, m, again(reply))
	if got := fake.Requests()[1].Messages; len(got) != 1 {
		t.Errorf("an empty message was sent: %+v", got)
	}
}

func TestAMessageWithoutEndIsCut(t *testing.T) {
	long := strings.Repeat(strings.Repeat("on", 500)+" ", agent.MaxMessage/500)
	for name, c := range map[string]struct {
		reply fakemodel.Reply
		text  string // the beginning
		calls []string
	}{
		"a text":  {fakemodel.Reply{Text: long}, "onon", nil},
		"refusal": {fakemodel.Reply{Refusal: long}, "onon", nil},
		"a call": {fakemodel.Reply{Events: append([]string{piece(`"content":"I look.","tool_calls":[{"index":0,"id":"a","function":{"name":"a","arguments":"{\"n\":1}"}}]`)},
			slices.Repeat([]string{piece(`"tool_calls":[{"index":1,"id":"b","function":{"name":"b","arguments":"` + strings.Repeat(" ", 100_000) + `"}}]`)}, 20)...)}, "I look.", []string{`a{"n":1}`}},
		"thoughts": {fakemodel.Reply{Events: append([]string{piece(`"content":"I think."`)}, slices.Repeat([]string{piece(`"reasoning_content":"` + strings.Repeat("h", 100_000) + `"`)}, 20)...)}, "I think.", nil},
	} {
		m, _ := serve(t, func(r fakemodel.Request) fakemodel.Reply {
			if len(r.Messages) == 1 {
				return c.reply
			}
			return fakemodel.Reply{Text: "ok"}
		}, openai.Options{})
		reply, _ := generate(t, m, fakemodel.Hello())
		if diff := cmp.Diff(c.calls, calls(reply)); diff != "" || !strings.HasPrefix(reply.Text, c.text) || reply.Cut != agent.CutByLength {
			t.Errorf("%s: got %.30q, cut by %q %s", name, reply.Text, reply.Cut, diff)
		}
		if n := len(reply.Text); n > agent.MaxMessage+1001 { // and a word
			t.Errorf("%s: %d bytes", name, n)
		}
		if whole, _ := generate(t, m, again(reply)); whole.Text != "ok" {
			t.Errorf("%s: the next one is %.30q", name, whole.Text)
		}
	}
}

// piece is an event of a stream with this in its delta.
func piece(delta string) string {
	return `data: {"id":"1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{` + delta + "}}]}\n\n"
}
