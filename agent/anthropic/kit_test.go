package anthropic_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/anthropic"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-ant-very-secret-key"

// serve returns a model behind a fake server that answers by rule.
func serve(t *testing.T, rule fakemodel.Rule, opts anthropic.Options) (*anthropic.Model, *fakemodel.Server) {
	t.Helper()
	fake := fakemodel.New(rule, nil)
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	opts.BaseURL, opts.Client = server.URL, server.Client()
	return model(t, opts), fake
}

func model(t *testing.T, opts anthropic.Options) *anthropic.Model {
	t.Helper()
	if opts.Model == "" {
		opts.Model = "claude-fake"
	}
	if opts.APIKey == "" {
		opts.APIKey = key
	}
	m, err := anthropic.New(&opts)
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
func generate(t *testing.T, m *anthropic.Model, p agent.Prompt) (agent.Reply, []string) {
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
func fails(t *testing.T, m *anthropic.Model, p agent.Prompt) (sentence, log string) {
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

// began is the first event of a message.
const began = "event: message_start\ndata: " +
	`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}` +
	"\n\n"

// block is the events of a block, with deltas as the server wrote them.
func block(i int, start string, deltas ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":%d,\"content_block\":%s}\n\n", i, start)
	for _, d := range deltas {
		fmt.Fprintf(&b, "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":%d,\"delta\":%s}\n\n", i, d)
	}
	fmt.Fprintf(&b, "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":%d}\n\n", i)
	return b.String()
}

// finish ends a message.
func finish(reason string) string {
	return "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"" + reason +
		"\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":1}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
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
