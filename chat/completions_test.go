package chat_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

const completions = "/run/v1/chat/completions"

func TestTheWireOfAStreamedCompletion(t *testing.T) {
	recorded(t, "completions", "A streamed completion with a question beside the text.", func(t *testing.T, open func(*site) *site) {
		s := open(newSite(t, nil, painter()))
		st := s.stream(asked{path: completions, header: shows, body: `{"model":"helper","conversationId":"c1","stream":true,` +
			`"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"Paint it"}]}`})
		s.respond("c1", st.question(), "accept", `{"colour":"red"}`)
		st.rest()
	})
}

func TestTheWireOfACompletionWithTheQuestionInItsText(t *testing.T) {
	recorded(t, "completions_content", "A streamed completion for clients that look for questions in the text.", func(t *testing.T, open func(*site) *site) {
		s := open(newSite(t, nil, painter()))
		st := s.stream(asked{path: completions, header: with("x-elicitation-carrier", "content"),
			body: `{"model":"helper","conversationId":"c1","stream":true,"messages":[{"role":"user","content":"Paint it"}]}`})
		line := st.until("elicitationId")
		var chunk struct {
			Choices []struct{ Delta struct{ Content string } }
		}
		var envelope struct{ Type, ElicitationID string }
		if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &chunk); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(chunk.Choices[0].Delta.Content), &envelope); err != nil || envelope.Type != "elicitation-request" {
			t.Fatalf("%s: %v", line, err)
		}
		s.respond("c1", envelope.ElicitationID, "accept", `{"colour":"red"}`)
		st.rest()
	})
}

func TestTheWireOfAWholeCompletion(t *testing.T) {
	recorded(t, "completions_whole", "A completion that is not streamed.", func(t *testing.T, open func(*site) *site) {
		s := open(newSite(t, nil, echo("helper")))
		s.ask(asked{path: completions, body: `{"model":"helper","messages":[{"role":"user","content":"Hello"}]}`})
	})
}

func TestWithoutTheHeaderACompletionHasANotice(t *testing.T) {
	for carrier, want := range map[string]string{
		"":        `"choices":[],"notice":{"type":"data-tool-auth-required",`,
		"content": `"delta":{"content":"{\"type\":\"data-tool-auth-required\",`,
	} {
		inABubble(t, func(t *testing.T) {
			two := &agent.Agent{Name: "helper", Model: calls("drive__do", "drive__do"), Toolboxes: []agent.Toolbox{&box{name: "drive", prepare: asking(connect)}}}
			s := newSite(t, nil, two)
			all := strings.Join(s.stream(asked{path: completions, header: map[string]string{"x-elicitation-carrier": carrier},
				body: `{"stream":true,"messages":[{"role":"user","content":"Go"}]}`}).rest(), "\n")
			if strings.Count(all, want) != 1 || strings.Contains(all, "elicitationId") || !strings.HasSuffix(all, "data: [DONE]") {
				t.Error(all)
			}
		})
	}
}

func TestWhatWasSaidBeforeComesAlongWhereItIsNotKnown(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, echo("helper"))
		ask := func(conversation, said string) string {
			t.Helper()
			body := fmt.Sprintf(`{%s"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"One"}]},`+
				`{"role":"assistant","content":null},{"role":"assistant","content":"Two"},{"role":"user","content":%q}]}`, conversation, said)
			status, raw := s.ask(asked{path: completions, body: body})
			var got struct {
				Choices []struct{ Message struct{ Content string } }
			}
			if err := json.Unmarshal([]byte(raw), &got); err != nil || status != http.StatusOK {
				t.Fatalf("%d %s", status, raw)
			}
			return got.Choices[0].Message.Content
		}
		const all = "helper heard: Earlier in this conversation:\n\nsystem: Be brief.\n\nuser: One\n\nassistant: Two\n\nNow:\n\nThree"
		if got := ask("", "Three"); got != all {
			t.Errorf("no conversation: %q", got)
		}
		if got := ask(`"conversationId":"c1",`, "Three"); got != all {
			t.Errorf("a new one: %q", got)
		}
		if got := ask(`"conversationId":"c1",`, "Four"); got != "helper heard: Four" {
			t.Errorf("one that is known: %q", got)
		}
	})
}

func TestErrorsOfCompletions(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, echo("helper"))
		for what, tc := range map[string]struct {
			user, body string
			status     int
			says       string
		}{
			"no credential":     {"-", `{}`, 401, `"type":"authentication_error"`},
			"a service":         {"service", `{}`, 403, `"type":"permission_error"`},
			"a store that is":   {"down", `{}`, 503, `"type":"server_error"`},
			"not JSON":          {"", `{`, 400, `"type":"invalid_request_error"`},
			"no message":        {"", `{"messages":[{"role":"system","content":"x"}]}`, 400, `"type":"invalid_request_error"`},
			"an unknown model":  {"", `{"model":"gpt","messages":[{"role":"user","content":"x"}]}`, 404, `"param":"model","code":"model_not_found"`},
			"an odd name":       {"", `{"conversationId":"a\nb","messages":[{"role":"user","content":"x"}]}`, 400, `"type":"invalid_request_error"`},
			"more than a model": {"", `{"messages":[{"role":"user","content":"` + strings.Repeat("x", 300<<10) + `"}]}`, 413, `256 KiB are allowed. Shorten it.`},
		} {
			status, raw := s.ask(asked{path: completions, user: tc.user, body: tc.body})
			if status != tc.status || !strings.HasPrefix(raw, `{"error":{"message":"`) || !strings.Contains(raw, tc.says) {
				t.Errorf("%s: %d %s", what, status, raw)
			}
		}
	})
}

func TestAFailedCompletionIsAnErrorThatIsNotTriedAgain(t *testing.T) {
	const want = `{"error":{"message":"The model is out of order.","type":"server_error","param":null,"code":"run_failed"}}`
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: says("(broken)")})
		resp := s.do(asked{path: completions, body: `{"messages":[{"role":"user","content":"Go"}]}`})
		if resp.StatusCode != http.StatusInternalServerError || resp.Header.Get("x-should-retry") != "false" {
			t.Errorf("%d %v", resp.StatusCode, resp.Header)
		}
		all := s.stream(asked{path: completions, body: `{"stream":true,"messages":[{"role":"user","content":"Go"}]}`}).rest()
		if n := len(all); all[n-2] != "data: "+want || all[n-1] != "data: [DONE]" {
			t.Errorf("%q", all)
		}
	})
}

func TestAStreamedCompletionHasHeartbeatsAndEndsWhenItIsStopped(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: completions, header: shows, body: `{"conversationId":"c1","stream":true,"messages":[{"role":"user","content":"Go"}]}`})
		id := st.question()
		if got := st.until(":"); got != ": keep-alive" {
			t.Errorf("got %q", got)
		}
		s.ask(asked{method: "DELETE", path: "/run/api/chat/c1/stream"})
		all := strings.Join(st.rest(), "\n")
		if !strings.Contains(all, `"outcome":{"action":"cancel"`) || !strings.Contains(all, `"finish_reason":"stop"`) {
			t.Error(all)
		}
		if q, err := s.hub.Get(t.Context(), alice, parley.ID(id)); err != nil || q.Pending() {
			t.Errorf("%+v, %v", q, err)
		}
	})
}
