package remote_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/a2a/remote"
)

func fuzzed(f *testing.F) *remote.Remote {
	f.Helper()
	store := parley.NewMemoryStore()
	r, err := remote.New(&remote.Options{Name: "desk", URL: "https://desk.example/a", Hub: parley.New(store, &parley.Options{Logger: quiet}), Records: store, PublicURL: "https://parley.example"})
	if err != nil {
		f.Fatal(err)
	}
	return r
}

// Whatever a card says, the agent is spoken to at its own place.
func FuzzACardLeadsNowhereElse(f *testing.F) {
	r := fuzzed(f)
	f.Add([]byte(`{"supportedInterfaces":[{"url":"https://desk.example/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`))
	f.Add([]byte(`{"supportedInterfaces":[null,{"url":"https://evil.example/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`))
	f.Add([]byte(`{"url":"https://desk.example/rpc","protocolVersion":"0.3.0","preferredTransport":"JSONRPC","additionalInterfaces":[{"url":"x"}]}`))
	f.Add([]byte(`{"url":"https://u@desk.example/rpc","supportedInterfaces":7}`))
	f.Fuzz(func(t *testing.T, card []byte) {
		at, err := r.Judge(card)
		if err != nil {
			return
		}
		if u, err := url.Parse(at); err != nil || u.Scheme != "https" || u.Host != "desk.example" || u.User != nil {
			t.Errorf("it leads to %q", at)
		}
	})
}

// A task that waits asks something that can be shown, or is given up: no question is
// dropped, and what was asked is recognised.
func FuzzNoQuestionIsDropped(f *testing.F) {
	r := fuzzed(f)
	for _, message := range []string{
		`{"messageId":"1","role":"ROLE_AGENT","parts":[{"text":"Where to? https://x.example/a"}]}`,
		`{"messageId":"1","role":"ROLE_AGENT","extensions":["` + elicitation.URI + `"],"parts":[{"data":{"elicitationId":"q","mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}]}`,
		`{"messageId":"1","role":"ROLE_AGENT","extensions":["` + elicitation.URI + `"],"parts":[{"data":{"elicitationId":"q","mode":"url","message":"m","url":"https://parley.example/x"}}]}`,
		`{"messageId":"1","role":"ROLE_AGENT","extensions":["` + elicitation.URI + `"],"parts":[{"data":{"elicitationId":7}}]}`,
		`{"parts":[]}`,
	} {
		f.Add(message, true)
		f.Add(message, false)
	}
	f.Fuzz(func(t *testing.T, message string, authorize bool) {
		status := a2a.TaskStatus{State: a2a.TaskStateInputRequired}
		if authorize {
			status.State = a2a.TaskStateAuthRequired
		}
		if json.Unmarshal([]byte(message), &status.Message) != nil {
			return
		}
		asked, standing, err := r.Asks(status)
		if err == nil && (asked == 0 || standing != asked) {
			t.Errorf("%d questions, %d of which are asked", asked, standing)
		}
	})
}
