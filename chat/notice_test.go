package chat_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/agent"
)

// The client waits for the whole reply, so the notice is in it.
func TestAWholeReplyCarriesTheNotices(t *testing.T) {
	for path, body := range map[string]string{
		"/run/api/chat":            `{"conversationId":"c1","stream":false,"messages":[{"role":"user","parts":[{"type":"text","text":"Go"}]}]}`,
		"/run/v1/chat/completions": `{"messages":[{"role":"user","content":"Go"}]}`,
	} {
		inABubble(t, func(t *testing.T) {
			two := &agent.Agent{Name: "helper", Model: calls("drive__do", "drive__do"), Toolboxes: []agent.Toolbox{&box{name: "drive", prepare: asking(connect)}}}
			s := newSite(t, nil, two)
			_, raw := s.ask(asked{path: path, body: body, header: shows}) // who waits for the whole reply shows nothing before
			var got struct {
				Notices []map[string]string `json:"notices"`
			}
			if err := json.Unmarshal([]byte(raw), &got); err != nil || len(got.Notices) != 1 {
				t.Fatalf("%s: %v: %s", path, err, raw)
			}
			call := got.Notices[0]["toolCallId"]
			want := map[string]string{
				"type": "data-tool-auth-required", "toolCallId": call, "toolName": "drive__do", "toolId": "drive",
				"message": "Drive requires authentication. Connect your account to continue.", "authLink": "https://parley.example/auth/connect?server=drive",
			}
			if diff := cmp.Diff(want, got.Notices[0]); diff != "" || call == "" {
				t.Errorf("%s: %s", path, diff)
			}
		})
	}
}
