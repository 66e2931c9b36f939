package chat_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

// echo repeats what it is told.
func echo(name string) *agent.Agent {
	return &agent.Agent{Name: name, Model: script(func(p agent.Prompt) agent.Reply { return agent.Reply{Text: name + " heard: " + last(p).Text} })}
}

func TestWhatClientsSay(t *testing.T) {
	for what, tc := range map[string]struct{ body, want string }{
		"parts":                    {`{"id":"c","messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}]}`, `one\ntwo`},
		"plain content":            {`{"conversationId":"c","messages":[{"role":"user","content":"one"}]}`, `one`},
		"content in parts":         {`{"id":"c","messages":[{"role":"user","content":[{"type":"text","text":"one"}]}]}`, `one`},
		"only the last counts":     {`{"id":"c","messages":[{"role":"user","content":"zero"},7,{"role":"assistant","content":"x"},{"role":"user","content":"one"}]}`, `one`},
		"unknown fields and parts": {`{"id":"c","new":{},"messages":[{"role":"user","new":1,"parts":[{"type":"new","text":{}},8,{"type":"text","text":"one","state":"done"}]}]}`, `one`},
		"nothing but a message":    {`{"messages":[{"role":"user","content":"one"}]}`, `one`},
	} {
		inABubble(t, func(t *testing.T) {
			s := newSite(t, nil, echo("helper"))
			all := content(s.stream(asked{path: "/run/api/chat", body: tc.body}).rest())
			if !strings.Contains(all, "helper heard: "+tc.want+"\n") {
				t.Errorf("%s: %s", what, all)
			}
		})
	}
}

func TestWhatIsNoTurnStartsNone(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{Limits: chat.Limits{Body: 500}}, echo("helper"))
		for what, tc := range map[string]struct {
			body   string
			status int
		}{
			"not JSON":            {`{"id":`, 400},
			"another JSON":        {`"hello"`, 400},
			"nothing":             {``, 400},
			"no messages":         {`{"id":"c"}`, 400},
			"an odd message":      {`{"id":"c","messages":[7]}`, 400},
			"an empty message":    {`{"id":"c","messages":[{"role":"user","parts":[{"type":"text","text":" "}]}]}`, 400},
			"the assistant's":     {`{"id":"c","messages":[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]}`, 400},
			"an unknown agent":    {`{"id":"c","agent":"nobody","messages":[{"role":"user","content":"x"}]}`, 404},
			"too much":            {`{"id":"c","messages":[{"role":"user","content":"` + strings.Repeat("x", 500) + `"}]}`, 413},
			"a name with breaks":  {`{"id":"c\u0000d","messages":[{"role":"user","content":"x"}]}`, 400},
			"a name that is long": {`{"id":"` + strings.Repeat("x", 201) + `","messages":[{"role":"user","content":"x"}]}`, 400},
		} {
			status, raw := s.ask(asked{path: "/run/api/chat", body: tc.body})
			if status != tc.status || !strings.HasPrefix(raw, `{"success":false,"error":"`) {
				t.Errorf("%s: %d %s", what, status, raw)
			}
		}
		if n := s.runs("c"); n != 0 {
			t.Errorf("%d runs", n)
		}
	})
}

func TestAConversationWithoutANameGetsOne(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, echo("helper"))
		st := s.stream(asked{path: "/run/api/chat", body: `{"messages":[{"role":"user","content":"x"}]}`})
		st.rest()
		if name := st.resp.Header.Get("x-conversation-id"); len(name) != 36 || s.runs(name) != 1 {
			t.Errorf("%q", name)
		}
		both := s.stream(asked{path: "/run/api/chat", body: `{"id":"chat","conversationId":"conv","messages":[{"role":"user","content":"x"}]}`})
		both.rest()
		if name := both.resp.Header.Get("x-conversation-id"); name != "conv" || s.runs("conv") != 1 {
			t.Errorf("%q", name)
		}
	})
}

func TestTheAgentIsTheOneThatIsNamed(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{DefaultAgent: "one"}, echo("one"), echo("two"), echo("three"))
		for what, tc := range map[string]struct {
			body, header, want string
		}{
			"by default":               {`{"messages":[{"role":"user","content":"x"}]}`, "", "one"},
			"in the body":              {`{"agent":"two","messages":[{"role":"user","content":"x"}]}`, "", "two"},
			"in a header":              {`{"messages":[{"role":"user","content":"x"}]}`, "three", "three"},
			"the body counts for more": {`{"agent":"two","messages":[{"role":"user","content":"x"}]}`, "three", "two"},
		} {
			all := content(s.stream(asked{path: "/run/api/chat", body: tc.body, header: map[string]string{"x-parley-agent": tc.header}}).rest())
			if !strings.Contains(all, tc.want+" heard") {
				t.Errorf("%s: %s", what, all)
			}
		}
	})
}

func TestAMessageThatIsSentAgainStartsNothingAndOneThatIsRegeneratedDoes(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, echo("helper"))
		first := content(s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go")}).rest())
		again := content(s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go")}).rest())
		if first != again || s.runs("c1") != 1 {
			t.Errorf("%d runs:\n%s\n%s", s.runs("c1"), first, again)
		}
		s.stream(asked{path: "/run/api/chat", body: strings.Replace(turn("c1", "m", "Go"), "submit-message", "regenerate-message", 1)}).rest()
		if n := s.runs("c1"); n != 2 {
			t.Errorf("%d runs", n)
		}
	})
}

func TestAWholeReply(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		whole := strings.Replace(turn("c1", "m", "Go"), "{", `{"stream":false,`, 1)
		status, raw := s.ask(asked{path: "/run/api/chat", body: whole, header: shows})
		var got struct {
			ID, Object, Model string
			Created           int64
			Choices           []struct {
				Message      struct{ Role, Content string }
				FinishReason string `json:"finish_reason"`
			}
			Usage map[string]int
		}
		if err := json.Unmarshal([]byte(raw), &got); err != nil || status != http.StatusOK {
			t.Fatalf("%d %s", status, raw)
		}
		if !strings.HasPrefix(got.ID, "chat-") || got.Object != "chat.completion" || got.Model != "helper" || got.Created == 0 || len(got.Usage) != 3 ||
			len(got.Choices) != 1 || got.Choices[0].FinishReason != "stop" || got.Choices[0].Message.Role != "assistant" {
			t.Errorf("%s", raw)
		}
		if said := got.Choices[0].Message.Content; !strings.HasPrefix(said, "One moment.\n\nThis call needs the user") {
			t.Errorf("who waits for the whole shows no questions: %q", said)
		}
	})
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: says("(broken)")})
		status, raw := s.ask(asked{path: "/run/api/chat", body: strings.Replace(turn("c1", "m", "Go"), "{", `{"stream":false,`, 1)})
		if status != http.StatusOK || !strings.Contains(raw, `"content":"The model is out of order."},"finish_reason":"error"`) {
			t.Errorf("%d %s", status, raw)
		}
	})
}
