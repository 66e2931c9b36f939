package anthropic_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/anthropic"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

// wire is a client whose server answers every request so, without a network.
type wire struct {
	body  func() io.Reader
	asked []*http.Request
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.asked = append(w.asked, r)
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(w.body()), Request: r,
	}, nil
}

// over is a model behind a wire that says this.
func over(t *testing.T, stream string) (*anthropic.Model, *wire) {
	t.Helper()
	w := &wire{body: func() io.Reader { return strings.NewReader(stream) }}
	return model(t, anthropic.Options{BaseURL: "http://models.test", Client: &http.Client{Transport: w}}), w
}

func TestStreamsAreReadAsTheyComeInTheWild(t *testing.T) {
	plain := began + block(0, `{"type":"text","text":""}`, `{"type":"text_delta","text":"Good "}`, `{"type":"text_delta","text":"morning."}`) + finish("end_turn")
	unnamed := ""
	for _, line := range strings.SplitAfter(plain, "\n") {
		if !strings.HasPrefix(line, "event:") {
			unnamed += line
		}
	}
	for name, stream := range map[string]string{
		"plain":                      plain,
		"carriage returns":           strings.ReplaceAll(plain, "\n", "\r\n"),
		"a byte order mark":          "\xef\xbb\xbf" + plain,
		"comments ahead and between": ": wait\n\n" + strings.ReplaceAll(plain, "\n\n", "\n\n: keep-alive\n\n"),
		"pings":                      strings.ReplaceAll(plain, "\n\n", "\n\nevent: ping\ndata: {\"type\": \"ping\"}\n\n"),
		"data in several lines":      strings.ReplaceAll(plain, `"index":0,`, "\ndata: \"index\":\ndata: 0,"),
		"events without names":       unnamed,
		"types in names alone":       strings.NewReplacer(`{"type":"content_block_delta",`, `{`, `{"type":"message_start",`, `{`).Replace(plain),
		"events that nobody knows":   "event: vault_opened\ndata: {\"type\":\"vault_opened\",\"index\":\"none\",\"delta\":7,\"content_block\":[]}\n\n" + plain,
		"fields that nobody knows":   strings.ReplaceAll(plain, `"index":0,`, `"index":0,"trace":{"a":[1]},`),
		"pieces that nobody knows":   strings.Replace(plain, "event: content_block_stop", "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"scent_delta\",\"scent\":\"pine\"}}\n\nevent: content_block_stop", 1),
		"empty pieces":               strings.ReplaceAll(plain, "event: content_block_stop", "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"\"}}\n\nevent: content_block_stop"),
		"usage alone":                strings.ReplaceAll(plain, "event: message_stop", "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{},\"usage\":{\"output_tokens\":9}}\n\nevent: message_stop"),
		"a text that is there first": strings.Replace(strings.Replace(plain, `"text":""`, `"text":"Good "`, 1), `"text_delta","text":"Good "`, `"text_delta","text":""`, 1),
		"more behind the end":        plain + began + "data: {\n\n",
		"no empty line at the end":   strings.TrimSuffix(plain, "\n\n"),
	} {
		m, _ := over(t, stream)
		reply, pieces := generate(t, m, fakemodel.Hello())
		if diff := cmp.Diff([]string{"Good ", "morning."}, pieces); diff != "" || reply.Cut != "" || len(reply.Calls) > 0 {
			t.Errorf("%s: got %+v %s", name, reply, diff)
		}
	}
}

func TestBlocksWhosePiecesAreMixedAreToldApart(t *testing.T) {
	start := func(i int, block string) string {
		return fmt.Sprintf("event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":%d,\"content_block\":%s}\n\n", i, block)
	}
	args := func(i int, piece string) string {
		raw, _ := json.Marshal(piece)
		return fmt.Sprintf("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":%d,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":%s}}\n\n", i, raw)
	}
	m, _ := over(t, began+start(0, `{"type":"tool_use","id":"a","name":"find","input":{}}`)+start(1, `{"type":"tool_use","id":"b","name":"close","input":{}}`)+
		args(0, "")+args(1, `{"n":`)+args(0, `{"q":"ü`)+start(2, `{"type":"tool_use","id":"b","name":"all","input":{"at":"once"}}`)+
		args(1, `9007199254740993}`)+args(0, `ber"}`)+finish("tool_use"))
	reply, _ := generate(t, m, fakemodel.Hello())
	want := []string{`find{"q":"über"}`, `close{"n":9007199254740993}`, `all{"at":"once"}`}
	if diff := cmp.Diff(want, calls(reply)); diff != "" {
		t.Error(diff)
	}
	if c := reply.Calls; c[0].ID != "a" || c[1].ID != "b" || c[2].ID == "b" {
		t.Errorf("the ids are %q, %q and %q", c[0].ID, c[1].ID, c[2].ID)
	}
}

func TestBlocksGoBackAsTheyCame(t *testing.T) {
	m, w := over(t, began+
		block(0, `{"type":"thinking","thinking":"","signature":""}`, `{"type":"thinking_delta","thinking":"Let me "}`, `{"type":"thinking_delta","thinking":"search."}`, `{"type":"signature_delta","signature":"s=="}`)+
		block(1, `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}`, `{"type":"input_json_delta","partial_json":"{\"query\":"}`, `{"type":"input_json_delta","partial_json":"1.0}"}`)+
		block(2, `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://a.test","page_age":null,"encrypted_content":"e=="}]}`)+
		block(3, `{"citations":null,"type":"text","text":""}`, `{"type":"text_delta","text":"It is "}`, `{"type":"citations_delta","citation":{"type":"web_search_result_location","encrypted_index":"i=="}}`, `{"type":"text_delta","text":"so."}`)+
		block(4, `{"type":"tool_use","id":"toolu_1","name":"find","input":{},"caller":{"type":"direct"}}`, `{"type":"input_json_delta","partial_json":"[1]"}`)+
		block(5, `{"type":"tool_use","id":"toolu_2","name":"","input":{}}`)+block(6, `{}`)+
		block(7, `{"type":"text","text":"","citations":null}`, `{"type":"text_delta","text":" Yes."}`)+finish("tool_use"))
	reply, _ := generate(t, m, fakemodel.Hello())
	if diff := cmp.Diff([]string{"find[1]"}, calls(reply)); diff != "" { // the agent tells the model
		t.Error(diff)
	}
	generate(t, m, again(reply))
	body, err := w.asked[1].GetBody()
	if err != nil {
		t.Fatal(err)
	}
	var sent struct{ Messages []json.RawMessage }
	if err := json.NewDecoder(body).Decode(&sent); err != nil {
		t.Fatal(err)
	}
	want := `{"role":"assistant","content":[
		{"type":"thinking","thinking":"Let me search.","signature":"s=="},
		{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":1.0}},
		{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://a.test","page_age":null,"encrypted_content":"e=="}]},
		{"type":"text","text":"It is so.","citations":[{"type":"web_search_result_location","encrypted_index":"i=="}]},
		{"type":"tool_use","id":"toolu_1","name":"find","input":{},"caller":{"type":"direct"}},
		{"type":"text","text":" Yes."}]}`
	if diff := cmp.Diff(indented(t, []byte(want)), indented(t, sent.Messages[1])); diff != "" {
		t.Error(diff)
	}
}

func TestAnErrorInTheStreamIsTheServersWord(t *testing.T) {
	said := began + block(0, `{"type":"text","text":""}`, `{"type":"text_delta","text":"Good"}`)
	for name, c := range map[string]struct{ event, sentence string }{
		"overloaded":     {"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n", busy},
		"without a name": {"data: {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow down\"}}\n\n", busy},
		"in its name":    {"event: error\ndata: {\"error\":{\"type\":\"api_error\",\"message\":\"Oh\"}}\n\n", trouble},
		"too long":       {"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long\"}}\n\n", tooLong},
		"no words":       {"event: error\ndata: {\"type\":\"error\"}\n\n", trouble},
	} {
		for _, before := range []string{"", said} {
			m, w := over(t, before+c.event+finish("end_turn"))
			if sentence, _ := fails(t, m, fakemodel.Hello()); sentence != c.sentence || len(w.asked) != 1 {
				t.Errorf("%s: got %q after %d requests", name, sentence, len(w.asked))
			}
		}
	}
}

func TestAnOverloadedServerIsAskedAgainWhenItSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fake *fakemodel.Server
		fake = fakemodel.New(func(fakemodel.Request) fakemodel.Reply {
			if len(fake.Requests()) < 3 {
				return fakemodel.Reply{Status: 529, Kind: "overloaded_error", Header: http.Header{"Retry-After": {"12"}}}
			}
			return fakemodel.Reply{Text: "at last"}
		}, nil)
		client, stop := fakemodel.Pipe(fake)
		defer stop()
		begin := time.Now()
		reply, _ := generate(t, model(t, anthropic.Options{BaseURL: "http://models.test", Client: client, Patience: time.Second}), fakemodel.Hello())
		if reply.Text != "at last" || time.Since(begin) != 24*time.Second {
			t.Errorf("got %q after %s", reply.Text, time.Since(begin))
		}
	})
}

func TestWhatIsSentSaysWhatIsWanted(t *testing.T) {
	m, w := over(t, began+block(0, `{"type":"text","text":"ok"}`)+finish("end_turn"))
	generate(t, m, fakemodel.Hello())
	want := http.Header{
		"Accept": {"text/event-stream"}, "Accept-Encoding": {"identity"}, "Anthropic-Version": {"2023-06-01"},
		"Content-Type": {"application/json"}, "User-Agent": {"parley"}, "X-Api-Key": {key},
	}
	if diff := cmp.Diff(want, w.asked[0].Header); diff != "" || w.asked[0].URL.String() != "http://models.test/v1/messages" {
		t.Errorf("%s %s", w.asked[0].URL, diff)
	}
}

// FuzzAStreamIsAMessageOrAFailure: whatever comes, it is a message that can be
// kept, or a sentence for the person.
func FuzzAStreamIsAMessageOrAFailure(f *testing.F) {
	f.Add([]byte(began + block(0, `{"type":"text","text":""}`, `{"type":"text_delta","text":"a"}`) + finish("end_turn")))
	f.Add([]byte(began + block(0, `{"type":"tool_use","id":"a","name":"f","input":{}}`, `{"type":"input_json_delta","partial_json":"{}"}`) + finish("max_tokens")))
	f.Add([]byte(began + block(0, `null`, `{"type":"signature_delta","signature":"s"}`) + finish("refusal")))
	f.Add([]byte(block(0, `{"type":"text","text":7,"citations":{}}`, `{"type":"citations_delta"}`, `{"type":"text_delta","text":"a"}`) + finish("end_turn")))
	f.Add([]byte(block(-1, `{}`, `null`)))
	f.Fuzz(func(t *testing.T, stream []byte) {
		m, w := over(t, "")
		w.body = func() io.Reader { return bytes.NewReader(stream) }
		reply, err := m.Generate(t.Context(), fakemodel.Hello(), func(string) {})
		var public *agent.PublicError
		if err != nil && !errors.As(err, &public) {
			t.Errorf("an error for nobody: %v", err)
		}
		if len(reply.Native) > 0 && !json.Valid(reply.Native) {
			t.Errorf("kept %s", reply.Native)
		}
	})
}
