package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

func TestTheWireOfATurn(t *testing.T) {
	recorded(t, "turn", "A turn without tools.", func(t *testing.T, open func(*site) *site) {
		s := open(newSite(t, nil, &agent.Agent{Name: "helper", Model: says("Good morning.")}))
		s.stream(asked{path: "/run/api/chat", body: turn("c1", "msg_1", "Hello")}).rest()
	})
}

func TestTheWireOfAForm(t *testing.T) {
	recorded(t, "form", "A tool asks a form; a wrong answer, a right one, and one that comes too late.", func(t *testing.T, open func(*site) *site) {
		s := open(newSite(t, nil, painter()))
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "msg_1", "Paint it"), header: shows})
		id := st.question()
		s.respond("c1", id, "accept", `{"colour":"x"}`)
		s.respond("c1", id, "accept", `{"colour":"red"}`)
		st.rest()
		s.respond("c1", id, "decline", "")
	})
}

func TestTextIsStreamedAsItIsWritten(t *testing.T) {
	for path, want := range map[string]string{"/run/api/chat": `"delta":"two"}`, completions: `"delta":{"content":"two"}`, "/run/sse": `"content":"two"}`} {
		inABubble(t, func(t *testing.T) {
			w := writer{words: []string{"one ", "two", " three"}, next: make(chan struct{})}
			s := newSite(t, nil, &agent.Agent{Name: "helper", Model: w})
			st := s.stream(asked{path: path, body: `{"stream":true,"message":"Go","messages":[{"role":"user","content":"Go"}]}`})
			for _, word := range w.words {
				w.next <- struct{}{}
				line := st.until(word + `"`)
				if word == "two" && !strings.Contains(line, want) {
					t.Errorf("%s: %s", path, line)
				}
			}
			if all := strings.Join(st.rest(), "\n"); strings.Contains(all, "two") {
				t.Errorf("%s: told twice: %s", path, all)
			}
		})
	}
}

func TestAStopInTheMiddleOfATextEndsTheText(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		w := writer{words: []string{"one ", "two"}, next: make(chan struct{})}
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: w})
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go")})
		w.next <- struct{}{}
		st.until("one ")
		s.ask(asked{method: "DELETE", path: "/run/api/chat/c1/stream"})
		all := strings.Join(st.rest(), "\n")
		if strings.Count(all, `"type":"text-end"`) != 1 || !strings.HasSuffix(all, "data: {\"type\":\"abort\"}\ndata: [DONE]") {
			t.Error(all)
		}
	})
}

// driver is an agent with a tool that needs an account.
func driver(b *box) *agent.Agent {
	return &agent.Agent{Name: "helper", Model: calls("drive__do"), Toolboxes: []agent.Toolbox{b}}
}

func TestTheWireOfAConnection(t *testing.T) {
	recorded(t, "connection", "A tool needs an account, and the person connects it at the hosted page.", func(t *testing.T, open func(*site) *site) {
		s := open(newSite(t, nil, driver(&box{name: "drive", prepare: asking(connect)})))
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "msg_1", "List files"), header: shows})
		s.settle(st.question(), parley.Answer{Action: parley.Accept})
		st.rest()
	})
}

func TestTheWireWithoutTheHeader(t *testing.T) {
	b := &box{name: "drive", prepare: asking(connect)}
	recorded(t, "without_header", "A client that shows no questions: a notice, and an error of the tool.", func(t *testing.T, open func(*site) *site) {
		s := open(newSite(t, nil, driver(b)))
		s.stream(asked{path: "/run/api/chat", body: turn("c1", "msg_1", "List files")}).rest()
		if open, err := s.hub.List(t.Context(), alice, parley.Query{}); err != nil || len(open) != 0 {
			t.Errorf("%d questions were opened, %v", len(open), err)
		}
		if b.called() != 0 {
			t.Error("the tool was called")
		}
	})
}

func TestOfOneServiceThereIsOneNotice(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		two := &agent.Agent{Name: "helper", Model: calls("drive__do", "drive__do"), Toolboxes: []agent.Toolbox{&box{name: "drive", prepare: asking(connect)}}}
		s := newSite(t, nil, two)
		all := strings.Join(s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go")}).rest(), "\n")
		if notices, failures := strings.Count(all, `data: {"type":"data-tool-auth-required"`), strings.Count(all, "tool-output-error"); notices != 1 || failures != 2 {
			t.Errorf("%d notices and %d errors in\n%s", notices, failures, all)
		}
	})
}

func TestAFormThatNobodySeesIsNoNotice(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		all := strings.Join(s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go")}).rest(), "\n")
		if strings.Contains(all, "auth-required") || !strings.Contains(all, "tool-output-error") {
			t.Error(all)
		}
	})
}

func TestADeclinedQuestionIsAnErrorToClientsThatDoNotKnowDenials(t *testing.T) {
	for how, want := range map[string]string{"": `"type":"tool-output-error"`, "stream": `"type":"tool-output-denied"`} {
		inABubble(t, func(t *testing.T) {
			s := newSite(t, nil, painter())
			st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: with("x-tool-approval", how)})
			s.respond("c1", st.question(), "decline", "")
			st.until(want)
		})
	}
}

func TestSilentStreamsSendComments(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{Heartbeat: 15 * time.Second}, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows})
		id := st.question()
		began := time.Now()
		for range 3 { // past the server's own limit for an answer
			if got := st.until(":"); got != ": keep-alive" {
				t.Fatalf("got %q", got)
			}
		}
		if waited := time.Since(began); waited < 45*time.Second || waited > 46*time.Second {
			t.Errorf("three comments in %v", waited)
		}
		s.respond("c1", id, "accept", `{"colour":"red"}`)
		st.until("[DONE]")
	})
}

func TestAnExpiredQuestionIsToldAndTheAgentGoesOn(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows})
		id := st.question()
		st.until(`"outcome":{"action":"expire"`)
		st.until("[DONE]")
		if status, body := s.respond("c1", id, "accept", `{"colour":"red"}`); status != http.StatusGone {
			t.Errorf("%d %s", status, body)
		}
	})
}

func TestLeavingEndsTheStreamAndNotTheRun(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		first := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows})
		id := first.question()
		first.leave()
		synctest.Wait()
		s.respond("c1", id, "accept", `{"colour":"red"}`)
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows})
		st.until("paint did it")
		if got := s.runs("c1"); got != 1 {
			t.Errorf("the same message started %d runs", got)
		}
	})
}

// content is what a stream comes to, however its text is cut.
func content(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		if _, after, ok := strings.Cut(line, `"delta":"`); ok {
			b.WriteString(strings.TrimSuffix(after, `"}`))
			continue
		}
		if strings.HasPrefix(line, "data:") {
			b.WriteString("\n" + line + "\n")
		}
	}
	return b.String()
}

func TestAReplayIsWhatWasToldAndGoesOnInBothTabs(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		first := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows})
		second := s.stream(asked{method: "GET", path: "/run/api/chat/c1/stream", header: shows})
		var one, two []string
		for {
			line, _ := first.line()
			one = append(one, line)
			if strings.Contains(line, "elicitationId") {
				break
			}
		}
		id := second.question()
		s.respond("c1", id, "accept", `{"colour":"red"}`)
		one = append(one, first.rest()...)
		if rest := strings.Join(second.rest(), "\n"); !strings.Contains(rest, `"outcome":{"action":"accept"`) || !strings.Contains(rest, "[DONE]") {
			t.Errorf("the second tab was told\n%s", rest)
		}
		again := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows})
		two = again.rest()
		if diff := gocmp.Diff(content(one), content(two)); diff != "" {
			t.Errorf("told again, it is another story (-first +again):\n%s", diff)
		}
	})
}

func TestAReplayInAnotherProcessIsTheSameStory(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		first := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows})
		s.respond("c1", first.question(), "accept", `{"colour":"red"}`)
		first.rest()
		live := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows}).rest()
		other := newSite(t, nil, painter())
		copyRuns(t, s, other)
		stored := other.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows}).rest()
		if diff := gocmp.Diff(content(live), content(stored)); diff != "" {
			t.Errorf("-here +there:\n%s", diff)
		}
	})
}

// copyRuns gives one site what another has stored.
func copyRuns(t *testing.T, from, to *site) {
	t.Helper()
	for _, kind := range []string{"run", "run_message"} {
		all, err := from.store.Scan(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: kind}, "", 0)
		if err != nil || len(all) == 0 {
			t.Fatalf("%d records of kind %s, %v", len(all), kind, err)
		}
		for _, record := range all {
			record.Version = 0
			if _, err := to.store.Save(t.Context(), record); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestNothingToResumeIs204(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: says("Hello.")})
		get := asked{method: "GET", path: "/run/api/chat/c1/stream"}
		if status, body := s.ask(get); status != http.StatusNoContent || body != "" {
			t.Errorf("before: %d %s", status, body)
		}
		s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go")}).rest()
		if status, body := s.ask(get); status != http.StatusNoContent || body != "" {
			t.Errorf("after: %d %s", status, body)
		}
	})
}

func TestAHeadRequestDoesNotFollow(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows}).question()
		began := time.Now()
		if status, _ := s.ask(asked{method: "HEAD", path: "/run/api/chat/c1/stream"}); status != http.StatusNoContent || time.Since(began) > time.Second {
			t.Errorf("%d after %v", status, time.Since(began))
		}
	})
}

func TestAStoppedRunAborts(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows})
		st.question()
		del := asked{method: "DELETE", path: "/run/api/chat/c1/stream"}
		if status, body := s.ask(del); status != http.StatusNoContent || body != "" {
			t.Errorf("%d %s", status, body)
		}
		all := strings.Join(st.rest(), "\n")
		if !strings.Contains(all, `"outcome":{"action":"cancel"`) || !strings.Contains(all, `{"type":"abort"}`) || !strings.HasSuffix(all, "data: [DONE]") {
			t.Error(all)
		}
		if status, _ := s.ask(del); status != http.StatusNoContent {
			t.Errorf("once more: %d", status)
		}
	})
}

func TestAFailedRunIsAnError(t *testing.T) {
	endless := &agent.Agent{Name: "helper", Steps: 2, Toolboxes: []agent.Toolbox{&box{name: "b"}}, Model: script(func(agent.Prompt) agent.Reply {
		return agent.Reply{Calls: []agent.ToolCall{{ID: "1", Tool: "b__do"}}}
	})}
	for want, a := range map[string]*agent.Agent{
		`{"type":"error","errorText":"The model is out of order."}`: {Name: "helper", Model: says("(broken)")},
		`{"type":"error","errorText":"The agent was stopped after 2 steps, before it had come to an end. What it did until then is done. Ask it to go on, or tell the administrator to allow more steps."}`: endless,
	} {
		inABubble(t, func(t *testing.T) {
			s := newSite(t, nil, a)
			all := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go")}).rest()
			if n := len(all); all[n-2] != "data: "+want || all[n-1] != "data: [DONE]" {
				t.Errorf("%q", all)
			}
		})
	}
}

func TestToolsThatAreGoneAreAWarningWithoutDetails(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		gone := &box{name: "tracker", tools: func(agent.Caller) ([]agent.Tool, error) {
			return nil, errors.New("GET https://10.0.0.7/?key=secret: refused")
		}}
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: says("Hello."), Toolboxes: []agent.Toolbox{gone}})
		all := strings.Join(s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go")}).rest(), "\n")
		if !strings.Contains(all, `{"type":"data-warning","id":"tools-tracker","data":{"message":"The tools of tracker `) || strings.Contains(all, "secret") {
			t.Error(all)
		}
	})
}

func TestAQuestionOfADelegateIsOnTheStreamWithItsName(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{DefaultAgent: "boss"}, bossAndWorker()...)
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: with("x-tool-approval", "stream")})
		line := st.until("elicitationId")
		for _, want := range []string{`"agent":"worker"`, `"tool":"do"`, `"trigger":"tool_approval"`} {
			if !strings.Contains(line, want) {
				t.Errorf("%s is not in %s", want, line)
			}
		}
		if strings.Contains(line, "toolCallId") {
			t.Errorf("a call that the message does not have: %s", line)
		}
		_, after, _ := strings.Cut(line, `"elicitationId":"`)
		s.respond("c1", after[:32], "accept", `{"decision":"allow_once"}`)
		rest := strings.Join(st.rest(), "\n")
		if strings.Contains(rest, "tool-approval-request") || !strings.Contains(rest, "bank did it") {
			t.Error(rest)
		}
	})
}

// bossAndWorker are two agents, one of which has the other do the work, which
// needs an approval.
func bossAndWorker() []*agent.Agent {
	boss := script(func(p agent.Prompt) agent.Reply {
		if last(p).Role == agent.FromTools {
			return agent.Reply{Text: last(p).Results[0].Text}
		}
		return agent.Reply{Calls: []agent.ToolCall{{ID: "1", Tool: "delegate_to_worker", Args: []byte(`{"task":"work"}`)}}}
	})
	return []*agent.Agent{
		{Name: "boss", Model: boss, Delegates: []string{"worker"}},
		{Name: "worker", Model: calls("bank__do"), Toolboxes: []agent.Toolbox{&box{name: "bank", prepare: asking(mayI)}}},
	}
}

func TestCollectTellsARunWhole(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		ref, err := s.rt.Start(t.Context(), alice, agent.Message{Agent: "helper", Conversation: "c1", Text: "Go"})
		if err != nil {
			t.Fatal(err)
		}
		f := s.rt.Follow(alice, ref)
		defer f.Close()
		all, err := chat.Collect(t.Context(), f)
		if err != nil || all.Reason != agent.Done || len(all.Questions) != 1 || !strings.HasPrefix(all.Text, "One moment.\n\nThis call needs") {
			t.Errorf("%+v, %v", all, err)
		}
	})
}

func TestCollectHasTheLastWordOnEachQuestion(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows})
		s.respond("c1", st.question(), "decline", "")
		st.rest()
		runs, err := s.rt.History(t.Context(), alice, "c1")
		if err != nil {
			t.Fatal(err)
		}
		f := s.rt.Follow(alice, runs[0].Ref)
		defer f.Close()
		all, err := chat.Collect(t.Context(), f)
		if err != nil || len(all.Questions) != 1 || all.Questions[0].Pending() || all.Questions[0].Outcome.Action != parley.Decline {
			t.Errorf("%+v, %v", all, err)
		}
	})
}

func TestWhatHasAStructureKeepsIt(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		b := &box{name: "b", call: func(context.Context, *agent.Invocation) (agent.Result, error) {
			return agent.Result{Text: "7 tickets", Structured: json.RawMessage(`{"tickets": 7}`)}, nil
		}}
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: calls("b__do"), Toolboxes: []agent.Toolbox{b}})
		line := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go")}).until("tool-output-available")
		if !strings.HasSuffix(line, `"output":{"tickets":7}}`) {
			t.Error(line)
		}
	})
}

func TestCollectReturnsWhenItsContextDoes(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		ref, err := s.rt.Start(t.Context(), alice, agent.Message{Agent: "helper", Conversation: "c1", Text: "Go", CanAsk: true})
		if err != nil {
			t.Fatal(err)
		}
		f := s.rt.Follow(alice, ref)
		defer f.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		all, err := chat.Collect(ctx, f)
		if !errors.Is(err, context.DeadlineExceeded) || len(all.Questions) != 1 || !all.Questions[0].Pending() {
			t.Errorf("%+v, %v", all, err)
		}
	})
}

func TestAStoreThatFailsForAMomentEndsNoStream(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows})
		id := st.question()
		s.store.fail(3)
		time.Sleep(time.Minute)
		if left := s.store.left(); left != 0 {
			t.Fatalf("%d failures are left", left)
		}
		s.respond("c1", id, "accept", `{"colour":"red"}`)
		st.until("paint did it")
	})
}

func TestAStoreThatStaysAwayEndsTheStreamWithAnErrorThatSaysNothingOfIt(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows})
		st.question()
		s.store.fail(1000)
		all := st.rest()
		if n := len(all); !strings.Contains(all[n-2], `{"type":"error","errorText":"Something is wrong on our side.`) || all[n-1] != "data: [DONE]" {
			t.Errorf("%q", all)
		}
		if !strings.Contains(s.log.String(), "the store is away") {
			t.Errorf("the log has %s", s.log)
		}
	})
}

func TestAClientThatDoesNotReadIsGivenUp(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		for _, a := range []asked{{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows}, {path: "/run/sse", body: `{"prompt":"Go"}`}} {
			s.do(a)
			synctest.Wait()
			if n := s.active.Load(); n != 1 {
				t.Fatalf("%d requests", n)
			}
			time.Sleep(time.Minute)
			if n := s.active.Load(); n != 0 {
				t.Errorf("%s: %d requests are still being served", a.path, n)
			}
		}
		if s.log.String() != "" {
			t.Errorf("the log has %s", s.log)
		}
		if n := s.runs("c1"); n != 1 {
			t.Errorf("%d runs", n)
		}
	})
}

func TestWhereAQuestionLeads(t *testing.T) {
	for what, tc := range map[string]struct{ url, want string }{
		"to a page of this site": {"https://parley.example/auth/connect?a=b&c=d", `"url":"https://parley.example/auth/connect?a=b&c=d"`},
		"which settles it":       {"https://parley.example/auth/connect", `"domain":"parley.example","settledBy":"page"`},
		"to another site":        {"https://login.shop.co.uk/x", `"reason":"missing","domain":"shop.co.uk"}`},
		// The p of the second is a Cyrillic letter.
		"to a name that looks like another": {"https://\u0440aypal.com/login", `"url":"https://parley.example/answer/`},
	} {
		inABubble(t, func(t *testing.T) {
			q := connect
			q.URL = tc.url
			s := newSite(t, nil, driver(&box{name: "drive", prepare: asking(q)}))
			line := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows}).until("elicitationId")
			if !strings.Contains(line, tc.want) || strings.Contains(line, "aypal") {
				t.Errorf("%s: %s", what, line)
			}
		})
	}
}
