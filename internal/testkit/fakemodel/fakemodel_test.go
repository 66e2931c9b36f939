package fakemodel_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// post sends a body to a fake and returns what came until the end, or until the
// connection was lost.
func post(t *testing.T, fake *fakemodel.Server, path, body string) (*http.Response, string, error) {
	t.Helper()
	server := httptest.NewServer(fake)
	defer server.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Anthropic-Version", "2023-06-01")
	req.Header.Set("Authorization", "Bearer good")
	req.Header.Set("X-Api-Key", "good")
	res, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	return res, string(got), err
}

const (
	openAI    = "/v1/chat/completions"
	anthropic = "/v1/messages"
)

// question asks for a stream in both formats.
const question = `{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"Hi"}]}`

func full(fakemodel.Request) fakemodel.Reply {
	return fakemodel.Reply{Thinking: "Hm, well.", Text: "I look <now>.", Calls: []fakemodel.Call{{Tool: "find", Args: `{"q":"x"}`}, {Tool: "all", Args: `{}`}}}
}

func TestTheBytesOnTheWire(t *testing.T) {
	for _, c := range []struct{ path, body, file, kind string }{
		{openAI, question, "openai-stream.txt", "text/event-stream; charset=utf-8"},
		{openAI, strings.Replace(question, "true", "false", 1), "openai.txt", "application/json"},
		{anthropic, question, "anthropic-stream.txt", "text/event-stream; charset=utf-8"},
		{anthropic, strings.Replace(question, "true", "false", 1), "anthropic.txt", "application/json"},
	} {
		res, got, err := post(t, fakemodel.New(full, nil), c.path, c.body)
		if err != nil || res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != c.kind {
			t.Errorf("%s: %d %s %v", c.file, res.StatusCode, res.Header.Get("Content-Type"), err)
		}
		want, err := os.ReadFile("testdata/" + c.file)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s: %s", c.file, diff)
		}
	}
}

func TestARuleSeesTheSameConversationInBothFormats(t *testing.T) {
	want := fakemodel.Request{
		Model: "m", System: "Be brief.", Tools: []string{"find"},
		Messages: []fakemodel.Message{
			{Role: "user", Text: "Hi"},
			{Role: "assistant", Text: "I look.", Calls: []fakemodel.Call{{ID: "a", Tool: "find", Args: `{"q":1}`}, {ID: "b", Tool: "find", Args: `{}`}}},
			{Role: "tool", Results: []fakemodel.Result{{CallID: "a", Text: "one"}, {CallID: "b", Text: "two"}}},
		},
	}
	for path, body := range map[string]string{
		openAI: `{"model":"m","tools":[{"type":"function","function":{"name":"find","parameters":{"type":"object","properties":{}}}}],"messages":[
			{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"Hi"}]},
			{"role":"assistant","content":"I look.","tool_calls":[
				{"id":"a","type":"function","function":{"name":"find","arguments":"{\"q\":1}"}},{"id":"b","type":"function","function":{"name":"find","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"a","content":"one"},{"role":"tool","tool_call_id":"b","content":"two"}]}`,
		anthropic: `{"model":"m","max_tokens":9,"system":"Be brief.","tools":[{"name":"find","input_schema":{"type":"object"}}],"messages":[
			{"role":"user","content":"Hi"},
			{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"a","name":"find","input":{"q":1}},{"type":"tool_use","id":"b","name":"find","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"},{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"two"}]}]}]}`,
	} {
		fake := fakemodel.New(full, nil)
		if res, got, _ := post(t, fake, path, body); res.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", path, got)
		}
		got := fake.Requests()[0]
		if got.API == "" || got.Header.Get("X-Api-Key") != "good" || !bytes.Equal(got.Body, []byte(body)) {
			t.Errorf("%s: kept %+v", path, got)
		}
		got.API, got.Header, got.Body = "", nil, nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

func TestWhatTheVendorsRefuseIsRefused(t *testing.T) {
	never := func(fakemodel.Request) fakemodel.Reply { return fakemodel.Reply{Text: "the rule was asked"} }
	user, say := `{"role":"user","content":"Hi"}`, func(messages ...string) string {
		return `{"model":"m","max_tokens":9,"messages":[` + strings.Join(messages, ",") + `]}`
	}
	call := `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	use := func(id string) string {
		return `{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"f","input":{}}]}`
	}
	result := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]}`
	for name, c := range map[string]struct{ path, body string }{
		"not JSON":                        {openAI, `{`},
		"no model":                        {openAI, `{"messages":[` + user + `]}`},
		"no messages":                     {openAI, `{"model":"m","messages":[]}`},
		"a role that is none":             {openAI, say(`{"role":"me","content":"x"}`)},
		"a call without a result":         {openAI, say(user, call)},
		"another message in between":      {openAI, say(user, call, user)},
		"a result without a call":         {openAI, say(user, `{"role":"tool","tool_call_id":"a","content":"x"}`)},
		"an empty message":                {openAI, say(user, `{"role":"assistant","content":null}`)},
		"a tool without properties":       {openAI, `{"model":"m","messages":[` + user + `],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]}`},
		"Anthropic: not JSON":             {anthropic, `{`},
		"Anthropic: no limit":             {anthropic, `{"model":"m","messages":[` + user + `]}`},
		"Anthropic: no messages":          {anthropic, say()},
		"Anthropic: the model first":      {anthropic, say(`{"role":"assistant","content":"x"}`)},
		"Anthropic: a blank text":         {anthropic, say(`{"role":"user","content":" "}`)},
		"Anthropic: a blank block":        {anthropic, say(`{"role":"user","content":[{"type":"text","text":""}]}`)},
		"Anthropic: no content":           {anthropic, say(`{"role":"user","content":[]}`)},
		"Anthropic: no result":            {anthropic, say(user, use("a"), user)},
		"Anthropic: no result at the end": {anthropic, say(user, use("a"))},
		"Anthropic: a strange id":         {anthropic, say(user, use("a.b"))},
		"Anthropic: an id twice":          {anthropic, say(user, use("a"), result, use("a"), result)},
		"Anthropic: calls without tools":  {anthropic, say(user, use("a"), result)},
		"Anthropic: another's result":     {anthropic, say(user, result)},
		"Anthropic: a forged thought":     {anthropic, say(user, `{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"y"},{"type":"text","text":"z"}]}`)},
		"Anthropic: a last thought":       {anthropic, say(user, `{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"`+fakemodel.Signature("x")+`"}]}`)},
	} {
		fake := fakemodel.New(never, nil)
		res, got, _ := post(t, fake, c.path, c.body)
		var body struct {
			Error struct{ Type, Message string }
		}
		if err := json.Unmarshal([]byte(got), &body); err != nil || res.StatusCode != http.StatusBadRequest || body.Error.Type != "invalid_request_error" {
			t.Errorf("%s: %d %s", name, res.StatusCode, got)
		}
		if len(fake.Requests()) != 1 {
			t.Errorf("%s: the request was not kept", name)
		}
	}
}

func TestAFakeWithAKeyAnswersNobodyElse(t *testing.T) {
	for _, path := range []string{openAI, anthropic} {
		res, _, _ := post(t, fakemodel.New(full, &fakemodel.Options{Key: "good"}), path, question)
		if res.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
		res, got, _ := post(t, fakemodel.New(full, &fakemodel.Options{Key: "better"}), path, question)
		if res.StatusCode != http.StatusUnauthorized || !strings.Contains(got, "authentication_error") {
			t.Errorf("%s: %d %s", path, res.StatusCode, got)
		}
	}
	if res, _, _ := post(t, fakemodel.New(full, nil), "/v1/models", question); res.StatusCode != http.StatusNotFound {
		t.Errorf("got %d", res.StatusCode)
	}
}

func TestStreamsBreakOffWhereTheRuleSays(t *testing.T) {
	for _, path := range []string{openAI, anthropic} {
		for name, c := range map[string]struct {
			reply fakemodel.Reply
			lost  bool
			last  string
		}{
			"drop":  {fakemodel.Reply{Text: "a b c", Drop: 2}, true, ""},
			"cut":   {fakemodel.Reply{Text: "a b c", Cut: 2}, false, ""},
			"error": {fakemodel.Reply{Text: "a b c", Error: 2, Kind: "odd_error"}, false, "odd_error"},
		} {
			_, got, err := post(t, fakemodel.New(func(fakemodel.Request) fakemodel.Reply { return c.reply }, nil), path, question)
			if lost := errors.Is(err, io.ErrUnexpectedEOF); lost != c.lost {
				t.Errorf("%s %s: ended with %v", path, name, err)
			}
			want := 2
			if c.last != "" {
				want = 3
			}
			if n := strings.Count(got, "data: "); n != want || !strings.Contains(got[strings.LastIndex(got, "data: "):], c.last) {
				t.Errorf("%s %s: %d events: %s", path, name, n, got)
			}
		}
	}
}
