package chat_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// banker has tools that need approvals.
func banker(b *box, tools ...string) *agent.Agent {
	b.name, b.prepare = "bank", asking(mayI)
	if len(tools) == 0 {
		tools = []string{"bank__do"}
	}
	return &agent.Agent{Name: "helper", Model: calls(tools...), Toolboxes: []agent.Toolbox{b}}
}

// decided is an assistant's message whose calls were decided about.
func decided(yes bool, calls ...string) string {
	var parts []string
	for _, call := range calls {
		parts = append(parts, fmt.Sprintf(`{"type":"tool-bank__do","toolCallId":%q,"state":"approval-responded","input":{"n":7},`+
			`"approval":{"id":"aitxt-%s","approved":%v}}`, call, call, yes))
	}
	return `{"id":"m-asst","role":"assistant","parts":[{"type":"step-start"},` + strings.Join(parts, ",") + `]}`
}

// requested reads to the next approval request and returns its call.
func (s *stream) requested() string {
	s.t.Helper()
	line := s.until("tool-approval-request")
	_, after, _ := strings.Cut(line, `"toolCallId":"`)
	call, _, _ := strings.Cut(after, `"`)
	if want := fmt.Sprintf(`data: {"type":"tool-approval-request","approvalId":"aitxt-%s","toolCallId":%q}`, call, call); line != want {
		s.t.Errorf("%s\nis not\n%s", line, want)
	}
	return call
}

func TestTheWireOfAnApprovalOnAnOpenStream(t *testing.T) {
	for name, yes := range map[string]bool{"approval_stream": true, "approval_stream_denied": false} {
		recorded(t, name, "An approval in the AI SDK's own protocol; the stream stays open.", func(t *testing.T, open func(*site) *site) {
			b := &box{}
			s := open(newSite(t, nil, banker(b)))
			opted := with("x-tool-approval", "stream")
			st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "msg_1", "Pay"), header: opted})
			call := st.requested()
			s.ask(asked{path: "/run/api/chat", body: body("c1", said("msg_1", "Pay"), decided(yes, call)), header: opted})
			st.rest()
			if got := b.called() == 1; got != yes {
				t.Errorf("called: %v", got)
			}
		})
	}
}

func TestTheWireOfAnApprovalThatSuspendsTheStream(t *testing.T) {
	for name, yes := range map[string]bool{"approval_suspend": true, "approval_suspend_denied": false} {
		recorded(t, name, "An approval in the AI SDK's own protocol; the stream ends and goes on with the answer.", func(t *testing.T, open func(*site) *site) {
			b := &box{}
			s := open(newSite(t, nil, banker(b)))
			opted := with("x-tool-approval", "suspend")
			st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "msg_1", "Pay"), header: opted})
			call := st.requested()
			st.rest()
			s.stream(asked{path: "/run/api/chat", body: body("c1", said("msg_1", "Pay"), decided(yes, call)), header: opted}).rest()
			if got := b.called() == 1; got != yes {
				t.Errorf("called: %v", got)
			}
			if n := s.runs("c1"); n != 1 {
				t.Errorf("%d runs", n)
			}
		})
	}
}

func TestClientsThatDidNotAskForItGetNoApprovalRequest(t *testing.T) {
	for _, header := range []map[string]string{shows, with("x-tool-approval", "what"), {"x-tool-approval": "stream"}} {
		inABubble(t, func(t *testing.T) {
			s := newSite(t, nil, banker(&box{}))
			st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Pay"), header: header})
			if header["x-supports-elicitation"] != "" {
				line := st.until("elicitationId")
				for _, want := range []string{`"arguments":"{\"a\":\"b\",\"n\":7}"`, `"tool":"bank__do"`, `"server":"bank"`} {
					if !strings.Contains(line, want) {
						t.Errorf("%s is not in %s", want, line)
					}
				}
				for _, label := range []string{"digest", "agent.run"} {
					if strings.Contains(line, label) {
						t.Errorf("the label %s is in %s", label, line)
					}
				}
				runs, _ := s.hub.List(t.Context(), alice, parley.Query{})
				s.settle(string(runs[0].ID), parley.Answer{Action: parley.Decline})
			}
			if all := strings.Join(st.rest(), "\n"); strings.Contains(all, "tool-approval") || strings.Contains(all, "output-denied") {
				t.Error(all)
			}
		})
	}
}

func TestAnApprovalCanBeAnsweredWithoutTheHeaderToo(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		b := &box{}
		s := newSite(t, nil, banker(b))
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Pay"), header: shows})
		id := st.question()
		got := s.answersTo(asked{path: "/run/api/chat", body: `{"conversationId":"c1","messages":[{"role":"tool","parts":[{"type":"tool-call",` +
			`"toolCallId":"` + callOf(t, s) + `","state":"approval-responded","approval":{"id":"x","approved":true}}]}]}`})
		if !got.Success || got.Results[0].ElicitationID != id {
			t.Errorf("%+v", got)
		}
		st.until("bank did it")
		q, err := s.hub.Get(t.Context(), alice, parley.ID(id))
		if err != nil || string(q.Outcome.Content) != `{"decision":"allow_once"}` || q.Outcome.Via != "chat" {
			t.Errorf("%+v, %v", q.Outcome, err)
		}
	})
}

func TestTwoCallsSuspendTheStreamOnce(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		b := &box{}
		s := newSite(t, nil, banker(b, "bank__do", "bank__do"))
		opted := with("x-tool-approval", "suspend")
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Pay"), header: opted})
		one, two := st.requested(), st.requested()
		st.until("[DONE]")
		again := s.stream(asked{path: "/run/api/chat", body: body("c1", said("m", "Pay"), decided(true, one, two)), header: opted})
		all := strings.Join(again.rest(), "\n")
		if b.called() != 2 || strings.Count(all, "tool-output-available") != 2 || strings.Count(all, `"type":"start"`) != 1 ||
			strings.Contains(all, "moment") || strings.Contains(all, "tool-input") {
			t.Errorf("%d calls:\n%s", b.called(), all)
		}
	})
}

func TestAfterOneOfTwoDecisionsTheStreamIsSuspendedAgain(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		b := &box{}
		s := newSite(t, nil, banker(b, "bank__do", "bank__do"))
		opted := with("x-tool-approval", "suspend")
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Pay"), header: opted})
		one, two := st.requested(), st.requested()
		st.rest()
		waiting := strings.Replace(decided(true, one), `]}`, fmt.Sprintf(`,{"type":"tool-bank__do","toolCallId":%q,"state":"approval-requested","approval":{"id":"x"}}]}`, two), 1)
		half := s.stream(asked{path: "/run/api/chat", body: body("c1", waiting), header: opted}).rest()
		all := strings.Join(half, "\n")
		if b.called() != 1 || strings.Count(all, "tool-output-available") != 1 || !strings.HasSuffix(all, "{\"type\":\"finish\"}\ndata: [DONE]") {
			t.Errorf("%d calls:\n%s", b.called(), all)
		}
		rest := s.stream(asked{path: "/run/api/chat", body: body("c1", decided(false, two)), header: opted}).rest()
		if all := strings.Join(rest, "\n"); strings.Count(all, "tool-output-denied") != 1 || b.called() != 1 {
			t.Errorf("%d calls:\n%s", b.called(), all)
		}
	})
}

func TestAStreamIsNotSuspendedWhileSomethingElseGoesOn(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		slow := make(chan struct{})
		other := &box{name: "slow", call: func(ctx context.Context, _ *agent.Invocation) (agent.Result, error) {
			select {
			case <-slow:
			case <-ctx.Done():
			}
			return agent.Result{Text: "slow did it"}, nil
		}}
		a := banker(&box{}, "bank__do", "slow__do")
		a.Toolboxes = append(a.Toolboxes, other)
		s := newSite(t, nil, a)
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Pay"), header: with("x-tool-approval", "suspend")})
		st.requested()
		if got := st.until(":"); got != ": keep-alive" {
			t.Fatalf("got %q", got)
		}
		close(slow)
		st.until("slow did it")
		st.until(`{"type":"finish"}`)
	})
}

func TestAQuestionThatNeedsMoreThanYesKeepsTheStreamOpen(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Paint"), header: with("x-tool-approval", "suspend")})
		id := st.question()
		if got := st.until(":"); got != ": keep-alive" {
			t.Fatalf("got %q", got)
		}
		s.respond("c1", id, "accept", `{"colour":"red"}`)
		st.until("paint did it")
	})
}

func TestASuspendedStreamCanBeResumedFromItsStart(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, banker(&box{}))
		opted := with("x-tool-approval", "suspend")
		first := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Pay"), header: opted}).rest()
		second := s.stream(asked{method: "GET", path: "/run/api/chat/c1/stream", header: opted}).rest()
		if diff := gocmp.Diff(content(first), content(second)); diff != "" {
			t.Errorf("-first +resumed:\n%s", diff)
		}
	})
}

func TestADecisionThatWasMadeElsewhereIsFoundByTheNextRequest(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		b := &box{}
		s := newSite(t, nil, banker(b))
		opted := with("x-tool-approval", "suspend")
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Pay"), header: opted})
		id := st.question()
		call := st.requested()
		st.rest()
		s.settle(id, parley.Answer{Action: parley.Accept, Content: []byte(`{"decision":"deny"}`)})
		all := strings.Join(s.stream(asked{path: "/run/api/chat", body: body("c1", decided(true, call)), header: opted}).rest(), "\n")
		if b.called() != 0 || !strings.Contains(all, "tool-output-denied") || !strings.Contains(all, `"via":"page"`) {
			t.Errorf("%d calls:\n%s", b.called(), all)
		}
	})
}

func TestANewMessageInsteadOfADecisionIsATurn(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, banker(&box{}))
		opted := with("x-tool-approval", "suspend")
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Pay"), header: opted})
		call := st.requested()
		st.rest()
		s.stream(asked{path: "/run/api/chat", body: body("c1", said("m", "Pay"), decided(true, call), said("m2", "Wait")), header: opted}).until("[DONE]")
		if n := s.runs("c1"); n != 2 {
			t.Errorf("%d runs", n)
		}
		open, err := s.hub.List(t.Context(), alice, parley.Query{Pending: true})
		if err != nil || len(open) != 2 {
			t.Errorf("%d open questions, %v", len(open), err)
		}
	})
}

func TestAContinuationOfAMessageThatNobodyKnowsIsToldWhole(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, banker(&box{}))
		opted := with("x-tool-approval", "suspend")
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Pay"), header: opted})
		call := st.requested()
		st.rest()
		all := strings.Join(s.stream(asked{path: "/run/api/chat", body: body("c1", decided(true, call, "unknown")), header: opted}).rest(), "\n")
		if strings.Count(all, `"type":"start"`) != 1 || !strings.Contains(all, "One moment.") || !strings.Contains(all, "bank did it") {
			t.Error(all)
		}
	})
}

func TestAQuestionOfNoCallKeepsTheStreamOpen(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		a := banker(&box{})
		a.Before = func(ctx context.Context, turn *agent.Turn) error {
			_, _, err := agent.Elicit[struct {
				Sure bool `json:"sure"`
			}](ctx, turn, "Are you sure?", nil)
			return err
		}
		s := newSite(t, nil, a)
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Pay"), header: with("x-tool-approval", "suspend")})
		id := st.question()
		if got := st.until(":"); got != ": keep-alive" {
			t.Fatalf("got %q", got)
		}
		s.respond("c1", id, "accept", `{"sure":true}`)
		st.requested()
		st.until("[DONE]")
	})
}

func TestArgumentsThatCannotBeReadInOneWayAskNobody(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		a := banker(&box{})
		a.Model = script(func(p agent.Prompt) agent.Reply {
			if last := p.Messages[len(p.Messages)-1]; last.Role == agent.FromTools {
				return agent.Reply{Text: last.Results[0].Text}
			}
			return agent.Reply{Calls: []agent.ToolCall{{ID: "1", Tool: "bank__do", Args: []byte(`{"to": "a", "to": "b"}`)}}}
		})
		s := newSite(t, nil, a)
		line := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Pay"), header: shows}).until("tool-output-error")
		if !strings.Contains(line, "Its arguments cannot be used: to is given twice.") {
			t.Error(line)
		}
	})
}
