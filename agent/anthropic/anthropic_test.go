package anthropic_test

import (
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/anthropic"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

func TestTextStreamsAsItComes(t *testing.T) {
	m, _ := serve(t, always(fakemodel.Reply{Text: "Good morning, dear reader."}), anthropic.Options{})
	reply, pieces := generate(t, m, fakemodel.Hello())
	if diff := cmp.Diff([]string{"Good ", "morning, ", "dear ", "reader."}, pieces); diff != "" {
		t.Error(diff)
	}
	if reply.Text != "Good morning, dear reader." || len(reply.Calls) != 0 {
		t.Errorf("got %+v", reply)
	}
}

func TestParallelCallsThatComeInPiecesAreWhole(t *testing.T) {
	want := []agent.ToolCall{
		{ID: "toolu_1", Tool: "tracker__close", Args: []byte(`{"ticket":7,"why":"größer <ok>"}`)},
		{ID: "toolu_2", Tool: "tracker__list", Args: []byte(`{}`)},
		{ID: "toolu_3", Tool: "tracker__close", Args: []byte(`{"ticket":9007199254740993}`)},
	}
	m, _ := serve(t, always(fakemodel.Reply{Text: "I close both.", Calls: []fakemodel.Call{
		{ID: "toolu_1", Tool: "tracker__close", Args: string(want[0].Args)},
		{ID: "toolu_2", Tool: "tracker__list", Args: ""},
		{ID: "toolu_3", Tool: "tracker__close", Args: string(want[2].Args)},
	}}), anthropic.Options{})
	reply, _ := generate(t, m, fakemodel.Hello())
	if diff := cmp.Diff(want, reply.Calls); diff != "" {
		t.Error(diff)
	}
	if reply.Text != "I close both." {
		t.Errorf("got the text %q", reply.Text)
	}
}

func TestResultsGoBackWithTheirCallsInOneMessage(t *testing.T) {
	m, fake := serve(t, func(r fakemodel.Request) fakemodel.Reply {
		if r.Last().Role == "user" {
			return fakemodel.Reply{Thinking: "Two sums.", Calls: []fakemodel.Call{{Tool: "add", Args: `{"a":1}`}, {Tool: "add", Args: `{"a":2}`}}}
		}
		return fakemodel.Reply{Text: "done"}
	}, anthropic.Options{})
	first, _ := generate(t, m, fakemodel.Hello())
	second, _ := generate(t, m, again(first))
	if second.Text != "done" {
		t.Errorf("got %+v", second)
	}
	want := []fakemodel.Result{
		{CallID: first.Calls[0].ID, Text: `done {"a":1}`},
		{CallID: first.Calls[1].ID, Text: `done {"a":2}`, Failed: true},
	}
	if diff := cmp.Diff(want, fake.Requests()[1].Last().Results); diff != "" {
		t.Error(diff)
	}
	if n := len(sent(t, fake.Requests()[1])); n != 3 {
		t.Errorf("%d messages, want 3", n)
	}
}

func TestTheRequestIsAsTheFormatWantsIt(t *testing.T) {
	warm := 0.5
	m, fake := serve(t, always(fakemodel.Reply{Text: "ok"}), anthropic.Options{
		MaxTokens: 300, Temperature: &warm,
		Fields: map[string]any{"thinking": map[string]any{"type": "adaptive"}, "metadata": map[string]any{"user_id": "u"}},
	})
	p := fakemodel.Hello(
		agent.PromptMessage{Role: agent.FromModel, Text: "I look.", Calls: []agent.ToolCall{
			{ID: "functions.find:0", Tool: "tracker__find", Args: []byte(`{"q":"x <y>"}`)}, {ID: "c", Tool: "tracker__all", Args: []byte(`not JSON`)}}},
		agent.PromptMessage{Role: agent.FromTools, Results: []agent.ToolResult{
			{CallID: "functions.find:0", Text: ""}, {CallID: "c", Text: "no such ticket", Failed: true}}},
		agent.PromptMessage{Role: agent.FromUser, Text: "Again."},
		agent.PromptMessage{Role: agent.FromModel, Calls: []agent.ToolCall{{ID: "c", Tool: "tracker__all", Args: []byte(`{}`)}}},
		agent.PromptMessage{Role: agent.FromTools, Results: []agent.ToolResult{{CallID: "c", Text: "7"}}},
		agent.PromptMessage{Role: agent.FromModel, Text: " \n"},
		agent.PromptMessage{Role: agent.FromModel, Text: "One."},
		agent.PromptMessage{Role: agent.FromModel, Text: "(Stopped.)"},
		agent.PromptMessage{Role: agent.FromUser, Text: "And now?"},
		agent.PromptMessage{Role: agent.FromUser, Text: "  "},
		agent.PromptMessage{Role: agent.FromUser, Text: "Please."},
	)
	p.Instructions = "Be brief."
	p.Tools = []agent.Tool{
		{Name: "tracker__find", Description: "Finds tickets.", Schema: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"},"n":{"maximum":9007199254740993}},"required":["q"],"additionalProperties":false}`)},
		{Name: "tracker__all"},
	}
	generate(t, m, p)
	got := fake.Requests()[0]
	if got.Header.Get("X-Api-Key") != key || got.Header.Get("Anthropic-Version") == "" {
		t.Errorf("the key is not where it belongs: %v", got.Header)
	}
	golden(t, "testdata/request.json", got.Body)
}

// golden compares JSON with a file, whatever its layout.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(indented(t, want), indented(t, got)); diff != "" {
		t.Errorf("%s: %s", file, diff)
	}
}

func indented(t *testing.T, data []byte) string {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestAnAnswerHas4096TokensUnlessToldOtherwise(t *testing.T) {
	m, fake := serve(t, always(fakemodel.Reply{Text: "ok"}), anthropic.Options{})
	generate(t, m, fakemodel.Hello())
	want := `{"max_tokens":4096,"messages":[{"content":[{"text":"Hello","type":"text"}],"role":"user"}],"model":"claude-fake","stream":true}`
	if diff := cmp.Diff(indented(t, []byte(want)), indented(t, fake.Requests()[0].Body)); diff != "" {
		t.Error(diff)
	}
}

func TestToolsThatAreGoneAreStillNamed(t *testing.T) {
	m, fake := serve(t, always(fakemodel.Reply{Text: "ok"}), anthropic.Options{})
	generate(t, m, fakemodel.Hello(
		agent.PromptMessage{Role: agent.FromModel, Calls: []agent.ToolCall{{ID: "a", Tool: "find", Args: []byte(`{}`)}, {ID: "b", Tool: "find", Args: []byte(`{}`)}}},
		agent.PromptMessage{Role: agent.FromTools, Results: []agent.ToolResult{{CallID: "a", Text: "1"}, {CallID: "b", Text: "2"}}},
	))
	if diff := cmp.Diff([]string{"find"}, fake.Requests()[0].Tools); diff != "" {
		t.Error(diff)
	}
}

func TestTheBaseURLMayNameTheVersion(t *testing.T) {
	for _, base := range []string{"http://models.test", "http://models.test/", "http://models.test/v1", "http://models.test/v1/"} {
		fake := fakemodel.New(always(fakemodel.Reply{Text: "ok"}), nil)
		client, stop := fakemodel.Pipe(fake)
		generate(t, model(t, anthropic.Options{BaseURL: base, Client: client}), fakemodel.Hello())
		stop()
		if n := len(fake.Requests()); n != 1 {
			t.Errorf("%s: %d requests", base, n)
		}
	}
}

func TestAnEmptyConversationIsNotSent(t *testing.T) {
	m, fake := serve(t, always(fakemodel.Reply{Text: "ok"}), anthropic.Options{})
	sentence, _ := fails(t, m, agent.Prompt{Instructions: "Be brief.", Messages: []agent.PromptMessage{{Role: agent.FromUser, Text: " "}}})
	if sentence != "There is nothing to answer yet. Write a message." || len(fake.Requests()) != 0 {
		t.Errorf("got %q after %d requests", sentence, len(fake.Requests()))
	}
}

func TestTheEnvironmentIsNotRead(t *testing.T) {
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"} {
		t.Setenv(name, "sk-of-the-environment")
	}
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Custom: sk-of-the-environment")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	fake := fakemodel.New(always(fakemodel.Reply{Text: "ok"}), nil)
	client, stop := fakemodel.Pipe(fake)
	defer stop()
	m, err := anthropic.New(&anthropic.Options{BaseURL: "http://models.test", Client: client, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	generate(t, m, fakemodel.Hello())
	for name, values := range fake.Requests()[0].Header {
		if name == "Authorization" || name == "X-Api-Key" || strings.Contains(strings.Join(values, " "), "environment") {
			t.Errorf("%s: %q was sent", name, values)
		}
	}
}

func TestWhatCannotWorkIsRefusedAtOnce(t *testing.T) {
	for name, opts := range map[string]*anthropic.Options{
		"no options":           nil,
		"no model":             {},
		"no URL":               {Model: "m", BaseURL: "models.test"},
		"a user in the URL":    {Model: "m", BaseURL: "https://u:" + key + "@models.test"},
		"a query":              {Model: "m", BaseURL: "https://models.test?key=" + key},
		"a key with its line":  {Model: "m", APIKey: key + "\n"},
		"a negative patience":  {Model: "m", Patience: -1},
		"a field of its own":   {Model: "m", Fields: map[string]any{"system": nil}},
		"a field that is none": {Model: "m", Fields: map[string]any{"f": func() {}}},
	} {
		if _, err := anthropic.New(opts); err == nil || strings.Contains(err.Error(), key) {
			t.Errorf("%s: got the error %v", name, err)
		}
	}
}

func TestAModelAnswersManyAtOnce(t *testing.T) {
	m, _ := serve(t, func(r fakemodel.Request) fakemodel.Reply {
		return fakemodel.Reply{Text: "echo " + r.Last().Text}
	}, anthropic.Options{})
	var wg sync.WaitGroup
	for _, name := range strings.Fields("a b c d e f g h") {
		wg.Go(func() {
			p := agent.Prompt{Messages: []agent.PromptMessage{{Role: agent.FromUser, Text: name}}}
			reply, err := m.Generate(t.Context(), p, func(string) {})
			if err != nil || reply.Text != "echo "+name {
				t.Errorf("%s: got %q and %v", name, reply.Text, err)
			}
		})
	}
	wg.Wait()
}
