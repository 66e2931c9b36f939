package remote_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/remote"
)

// Cards write the scopes of a credential as the protocol has them, or as a2a-go does.
func TestACardThatAsksForACredentialIsReadInEitherForm(t *testing.T) {
	store := parley.NewMemoryStore()
	r, err := remote.New(&remote.Options{Name: "desk", URL: "https://travel.example", Hub: parley.New(store, nil), Records: store})
	if err != nil {
		t.Fatal(err)
	}
	name := "securityRequirements"
	judge := func(schemes string) string {
		requirements := `"` + name + `":[{"schemes":` + schemes + `}]`
		_, err := r.Judge([]byte(`{"name":"Desk","supportedInterfaces":[{"url":"https://travel.example/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
			"securitySchemes":{"b":{"httpAuthSecurityScheme":{"scheme":"Bearer"}}},"skills":[{"id":"s",` + requirements + `}],` + requirements + `}`))
		if err == nil {
			return ""
		}
		return err.Error()
	}
	for _, schemes := range []string{`{"b":{"list":[]}}`, `{"b":{"list":["agents"]}}`, `{"b":{}}`, `{"b":[]}`, `{"b":["agents"]}`, `{"b":null}`} {
		if got := judge(schemes); !strings.Contains(got, "asks in its card for a credential (b)") {
			t.Errorf("%s: %s", schemes, got)
		}
	}
	for _, schemes := range []string{`{"b":7}`, `{"b":{"list":7}}`} {
		if got := judge(schemes); !strings.Contains(got, "cannot be read") {
			t.Errorf("%s: %s", schemes, got)
		}
	}
	if got := judge(`{}`); got != "" {
		t.Error(got)
	}
	name = "security_requirements" // as protocol buffers may write it, and as our own cards do
	if got := judge(`{"b":{"list":["agents"]}}`); !strings.Contains(got, "asks in its card for a credential (b)") {
		t.Error(got)
	}
}
