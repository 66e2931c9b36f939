package openai_test

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/openai"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-very-secret-key"

// serve returns a model behind a fake server that answers by rule.
func serve(t *testing.T, rule fakemodel.Rule, opts openai.Options) (*openai.Model, *fakemodel.Server) {
	t.Helper()
	fake := fakemodel.New(rule, nil)
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	opts.BaseURL, opts.Client = server.URL+"/v1", server.Client()
	return model(t, opts), fake
}

func model(t *testing.T, opts openai.Options) *openai.Model {
	t.Helper()
	if opts.Model == "" {
		opts.Model = "gpt-fake"
	}
	if opts.APIKey == "" {
		opts.APIKey = key
	}
	m, err := openai.New(&opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// always answers everything alike.
func always(r fakemodel.Reply) fakemodel.Rule {
	return func(fakemodel.Request) fakemodel.Reply { return r }
}

// generate asks a model that is expected to answer, and returns what streamed.
func generate(t *testing.T, m *openai.Model, p agent.Prompt) (agent.Reply, []string) {
	t.Helper()
	var pieces []string
	reply, err := m.Generate(t.Context(), p, func(text string) { pieces = append(pieces, text) })
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(pieces, ""); got != reply.Text {
		t.Errorf("%q streamed, the message is %q", got, reply.Text)
	}
	return reply, pieces
}

// fails asks a model that is expected to fail, and returns the sentence for the
// person and the text for the log. The key is in neither.
func fails(t *testing.T, m *openai.Model, p agent.Prompt) (sentence, log string) {
	t.Helper()
	reply, err := m.Generate(t.Context(), p, func(string) {})
	var public *agent.PublicError
	if !errors.As(err, &public) {
		t.Fatalf("got %+v and the error %v, want a public one", reply, err)
	}
	if strings.Contains(err.Error(), key) || strings.Contains(public.Text, key) {
		t.Errorf("the key is in the error: %v", err)
	}
	return public.Text, err.Error()
}

// chunk is an event of a stream with a delta as the server wrote it.
func chunk(delta string) string {
	return `data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":null}]}` + "\n\n"
}

// finish ends a stream.
func finish(reason string) string {
	return `data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}` +
		"\n\ndata: [DONE]\n\n"
}

// sent returns the messages of a request, as they came.
func sent(t *testing.T, r fakemodel.Request) []json.RawMessage {
	t.Helper()
	var body struct{ Messages []json.RawMessage }
	if err := json.Unmarshal(r.Body, &body); err != nil {
		t.Fatal(err)
	}
	return body.Messages
}

// calls are a reply's calls without the ids that were made up.
func calls(r agent.Reply) []string {
	var all []string
	for _, c := range r.Calls {
		all = append(all, c.Tool+string(c.Args))
	}
	return all
}
