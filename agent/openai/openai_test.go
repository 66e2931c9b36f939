package openai_test

import (
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/openai"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

func TestTextStreamsAsItComes(t *testing.T) {
	m, _ := serve(t, always(fakemodel.Reply{Text: "Good morning, dear reader."}), openai.Options{})
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
		{ID: "call_1", Tool: "tracker__close", Args: []byte(`{"ticket":7,"why":"größer <ok>"}`)},
		{ID: "call_2", Tool: "tracker__list", Args: []byte(`{}`)},
		{ID: "call_3", Tool: "tracker__close", Args: []byte(`{"ticket":9007199254740993}`)},
	}
	m, _ := serve(t, always(fakemodel.Reply{Text: "I close both.", Calls: []fakemodel.Call{
		{ID: "call_1", Tool: "tracker__close", Args: string(want[0].Args)},
		{ID: "call_2", Tool: "tracker__list", Args: ""},
		{ID: "call_3", Tool: "tracker__close", Args: string(want[2].Args)},
	}}), openai.Options{})
	reply, _ := generate(t, m, fakemodel.Hello())
	if diff := cmp.Diff(want, reply.Calls); diff != "" {
		t.Error(diff)
	}
	if reply.Text != "I close both." {
		t.Errorf("got the text %q", reply.Text)
	}
}

func TestResultsGoBackWithTheirCalls(t *testing.T) {
	m, fake := serve(t, func(r fakemodel.Request) fakemodel.Reply {
		if r.Last().Role == "user" {
			return fakemodel.Reply{Calls: []fakemodel.Call{{Tool: "add", Args: `{"a":1}`}, {Tool: "add", Args: `{"a":2}`}}}
		}
		return fakemodel.Reply{Text: "done"}
	}, openai.Options{})
	p := fakemodel.Hello()
	first, _ := generate(t, m, p)
	results := agent.PromptMessage{Role: agent.FromTools}
	for _, c := range first.Calls {
		results.Results = append(results.Results, agent.ToolResult{CallID: c.ID, Tool: c.Tool, Text: "result of " + string(c.Args)})
	}
	second, _ := generate(t, m, fakemodel.Hello(
		agent.PromptMessage{Role: agent.FromModel, Text: first.Text, Calls: first.Calls, Native: first.Native}, results))
	if second.Text != "done" {
		t.Errorf("got %+v", second)
	}
	var got []string
	for _, r := range fake.Requests()[1].Last().Results {
		got = append(got, r.CallID+": "+r.Text)
	}
	want := []string{first.Calls[0].ID + `: result of {"a":1}`, first.Calls[1].ID + `: result of {"a":2}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheRequestIsAsTheFormatWantsIt(t *testing.T) {
	warm := 0.5
	m, fake := serve(t, always(fakemodel.Reply{Text: "ok"}), openai.Options{
		MaxTokens: 300, Temperature: &warm, Fields: map[string]any{"reasoning_effort": "low", "metadata": map[string]any{"a.b": 1}},
	})
	p := fakemodel.Hello(
		agent.PromptMessage{Role: agent.FromModel, Text: "I look.", Calls: []agent.ToolCall{
			{ID: "c1", Tool: "tracker__find", Args: []byte(`{"q":"x <y>"}`)}, {ID: "c2", Tool: "tracker__all", Args: []byte(`not JSON`)}}},
		agent.PromptMessage{Role: agent.FromTools, Results: []agent.ToolResult{
			{CallID: "c1", Text: ""}, {CallID: "c2", Text: "no such ticket", Failed: true}}},
		agent.PromptMessage{Role: agent.FromModel, Text: " \n"},
		agent.PromptMessage{Role: agent.FromUser, Text: "And now?"},
		agent.PromptMessage{Role: agent.FromUser, Text: "  "},
		agent.PromptMessage{Role: agent.FromUser, Text: "Please."},
	)
	p.Instructions = "Be brief."
	p.Tools = []agent.Tool{
		{Name: "tracker__find", Description: "Finds tickets.", Schema: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"},"n":{"maximum":9007199254740993}},"required":["q"]}`)},
		{Name: "tracker__all"},
	}
	generate(t, m, p)
	got := fake.Requests()[0]
	if got.Header.Get("Authorization") != "Bearer "+key {
		t.Errorf("the key is not where it belongs: %q", got.Header.Get("Authorization"))
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

func TestOpenAIItselfWantsTheNewNameOfTheLimit(t *testing.T) {
	fake := fakemodel.New(always(fakemodel.Reply{Text: "ok"}), nil)
	client, stop := fakemodel.Pipe(fake)
	defer stop()
	generate(t, model(t, openai.Options{BaseURL: "http://api.openai.com/v1", Client: client, MaxTokens: 300}), fakemodel.Hello())
	var body map[string]any
	if err := json.Unmarshal(fake.Requests()[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	if body["max_completion_tokens"] != 300.0 || body["max_tokens"] != nil {
		t.Errorf("got %v", body)
	}
}

func TestAnEmptyConversationIsNotSent(t *testing.T) {
	m, fake := serve(t, always(fakemodel.Reply{Text: "ok"}), openai.Options{})
	sentence, _ := fails(t, m, agent.Prompt{Instructions: "Be brief.", Messages: []agent.PromptMessage{{Role: agent.FromUser, Text: " "}}})
	if sentence != "There is nothing to answer yet. Write a message." || len(fake.Requests()) != 0 {
		t.Errorf("got %q after %d requests", sentence, len(fake.Requests()))
	}
}

func TestTheEnvironmentIsNotRead(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-of-the-environment")
	t.Setenv("OPENAI_ADMIN_KEY", "sk-of-the-environment")
	t.Setenv("OPENAI_ORG_ID", "sk-of-the-environment")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Custom: sk-of-the-environment")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	fake := fakemodel.New(always(fakemodel.Reply{Text: "ok"}), nil)
	client, stop := fakemodel.Pipe(fake)
	defer stop()
	m, err := openai.New(&openai.Options{BaseURL: "http://models.test/v1", Client: client, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	generate(t, m, fakemodel.Hello())
	for name, values := range fake.Requests()[0].Header {
		if name == "Authorization" || strings.Contains(strings.Join(values, " "), "environment") {
			t.Errorf("%s: %q was sent", name, values)
		}
	}
}

func TestWhatCannotWorkIsRefusedAtOnce(t *testing.T) {
	for name, opts := range map[string]*openai.Options{
		"no options":           nil,
		"no model":             {},
		"no URL":               {Model: "m", BaseURL: "models.test"},
		"another scheme":       {Model: "m", BaseURL: "ftp://models.test"},
		"a user in the URL":    {Model: "m", BaseURL: "https://u:" + key + "@models.test"},
		"a query":              {Model: "m", BaseURL: "https://models.test?key=" + key},
		"a key with its line":  {Model: "m", APIKey: key + "\n"},
		"a negative patience":  {Model: "m", Patience: -1},
		"a field of its own":   {Model: "m", Fields: map[string]any{"messages": nil}},
		"a field that is none": {Model: "m", Fields: map[string]any{"f": func() {}}},
	} {
		if _, err := openai.New(opts); err == nil || strings.Contains(err.Error(), key) {
			t.Errorf("%s: got the error %v", name, err)
		}
	}
}

func TestAModelAnswersManyAtOnce(t *testing.T) {
	m, _ := serve(t, func(r fakemodel.Request) fakemodel.Reply {
		return fakemodel.Reply{Text: "echo " + r.Last().Text}
	}, openai.Options{})
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
