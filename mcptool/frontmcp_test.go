package mcptool_test

import (
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// The tests here and in frontmcp_nodes_test.go each give Parley a stimulus that
// FrontMCP 1.5.2 was seen to handle wrongly, or that its users rely on.

const ageSchema = `{"type":"object","properties":{"age":{"type":"integer","minimum":18}},"required":["age"]}`

// addAge adds a tool that asks for an age. What reaches it is counted.
func addAge(s *site) *atomic.Int64 {
	reached := new(atomic.Int64)
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "age"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		answer, err := mcptool.ElicitRaw(ctx, call, "Your age?", []byte(ageSchema), nil)
		if err != nil {
			return "", err
		}
		reached.Add(1)
		return string(answer.Action) + string(answer.Content), nil
	})
	return reached
}

// addWizard adds a tool that asks for a name and then for a colour, and charges
// in between.
func addWizard(s *site) (charges *atomic.Int64) {
	charges = new(atomic.Int64)
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "wizard"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		who, err := mcptool.Elicit[name](ctx, call, "Your name?", nil)
		if err != nil {
			return "", err
		}
		if who.Action != parley.Accept {
			return string(who.Action) + " at name", nil
		}
		if err := call.Once(ctx, "charge", func(context.Context) error { charges.Add(1); return nil }); err != nil {
			return "", err
		}
		which, err := mcptool.Elicit[colour](ctx, call, "Your colour?", nil)
		if err != nil {
			return "", err
		}
		if which.Action != parley.Accept {
			return string(which.Action) + " at colour", nil
		}
		return who.Content.Name + " likes " + which.Content.Colour, nil
	})
	return charges
}

func TestAnAnswerThatDoesNotFitIsInvalidInputAndNeverReachesTheTool(t *testing.T) {
	invalid := func(t *testing.T, r *mcp.CallToolResult) {
		t.Helper()
		if !r.IsError || r.Meta["code"] != mcptool.InvalidInputCode || !strings.HasPrefix(text(r), "Invalid elicitation result content\nDetails: [{\"path\":[\"age\"]") {
			t.Errorf("result %q, meta %v", text(r), r.Meta)
		}
	}
	t.Run("native", func(t *testing.T) {
		s := newSite(t, mcptool.Options{})
		reached := addAge(s)
		for _, content := range []string{`{"age":"thirty"}`, `{"age":7}`, `{}`} {
			x := s.dial(t, &wire{capabilities: canAsk}).call("age", "")
			id, _ := x.question()
			x.wire.answer(id, `{"action":"accept","content":`+content+`}`)
			if r := x.result(); !r.IsError || r.Meta["code"] != mcptool.InvalidInputCode {
				t.Errorf("%s: result %q, meta %v", content, text(r), r.Meta)
			}
		}
		if reached.Load() != 0 || len(openQuestions(t, s)) != 0 {
			t.Errorf("%d answers reached the tool, %d questions are open", reached.Load(), len(openQuestions(t, s)))
		}
	})
	t.Run("without content", func(t *testing.T) {
		s := newSite(t, mcptool.Options{})
		reached := addAge(s)
		x := s.dial(t, &wire{capabilities: canAsk}).call("age", "")
		id, _ := x.question()
		x.wire.answer(id, `{"action":"accept"}`)
		invalid(t, x.result())
		if reached.Load() != 0 {
			t.Error("the answer reached the tool")
		}
	})
	t.Run("fallback", func(t *testing.T) {
		s := newSite(t, mcptool.Options{Fallback: mcptool.Model})
		reached := addAge(s)
		c := s.connect(t, clientOptions{era: legacy})
		p := pendingOf(t, call(t, c, "age", nil))
		invalid(t, submit(t, c, submission{p.ElicitID, "accept", map[string]any{"age": "thirty"}}))
		if reached.Load() != 0 {
			t.Error("the answer reached the tool")
		}
		if got := structured[string](t, submit(t, c, submission{p.ElicitID, "accept", map[string]any{"age": 30}})); got != `accept{"age":30}` {
			t.Errorf("corrected: %q", got)
		}
	})
}

func TestAnAnswerCountsOnlyForTheQuestionWithItsID(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "twice"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		a, err := mcptool.Elicit[confirm](ctx, call, "A?", nil)
		if err != nil {
			return "", err
		}
		b, err := mcptool.Elicit[confirm](ctx, call, "B?", nil)
		return string(a.Action + " " + b.Action), err
	})
	w := s.dial(t, &wire{capabilities: canAsk})
	x := w.call("twice", "")
	a, _ := x.question()
	if err := s.hub.Cancel(t.Context(), openQuestions(t, s)[0].ID, "too late"); err != nil {
		t.Fatal(err)
	}
	b, shown := x.question()
	if shown.Message != "B?" {
		t.Fatalf("asked %q", shown.Message)
	}
	for _, id := range []string{string(a), "4711", `"` + string(b) + `"`, `"x"`} {
		w.answer(json.RawMessage(id), yes)
	}
	w.answer(b, `{"action":"decline"}`)
	if got := structured[string](t, x.result()); got != "cancel decline" {
		t.Errorf("got %q: an answer to something else counted", got)
	}
}

func TestASecondQuestionCancelsTheFirstAtOnceWhereThatIsThePolicy(t *testing.T) {
	n := newNode(t, parley.NewMemoryStore(), parley.Options{PerSession: parley.Supersede}, mcptool.Options{})
	shown := addTwoAtOnce(n.site)
	x := n.dial(t, &wire{capabilities: canAsk}).call("two-at-once", "")
	first, _ := x.question()
	close(shown)
	second, _ := x.question()
	x.wire.answer(second, yes)
	if got := structured[string](t, x.result()); got != "cancel accept" {
		t.Errorf("got %q", got)
	}
	if status := x.wire.answer(first, yes); status >= 500 {
		t.Errorf("a late answer: status %d", status)
	}
}

func TestTwoQuestionsAtOnceAreBothAnswered(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	shown := addTwoAtOnce(s)
	x := s.dial(t, &wire{capabilities: canAsk}).call("two-at-once", "")
	first, _ := x.question()
	close(shown)
	second, _ := x.question()
	x.wire.answer(second, `{"action":"decline"}`)
	x.wire.answer(first, yes)
	if got := structured[string](t, x.result()); got != "accept decline" {
		t.Errorf("got %q", got)
	}
}

// addTwoAtOnce adds a tool that asks a second question once the first is shown.
func addTwoAtOnce(s *site) (shown chan struct{}) {
	shown = make(chan struct{})
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "two-at-once"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		var first, second mcptool.Answer[confirm]
		err := mcptool.Together(ctx, call,
			func(ctx context.Context, call *mcptool.Call) (err error) {
				first, err = mcptool.Elicit[confirm](ctx, call, "First?", nil)
				return err
			},
			func(ctx context.Context, call *mcptool.Call) (err error) {
				<-shown
				second, err = mcptool.Elicit[confirm](ctx, call, "Second?", nil)
				return err
			})
		return string(first.Action + " " + second.Action), err
	})
	return shown
}

func TestAnErrorInsteadOfAnAnswerEndsTheCallAtOnce(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addDelete(s, nil)
	x := s.dial(t, &wire{capabilities: canAsk}).call("delete-account", `{"userId":"7"}`)
	id, _ := x.question()
	status := x.wire.send(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": -32603, "message": "no window"}})
	if status != 202 {
		t.Errorf("status %d", status)
	}
	if r := x.result(); !r.IsError || !strings.Contains(text(r), mcptool.ErrRefused.Error()) || !strings.Contains(text(r), "no window") {
		t.Errorf("result %q", text(r))
	}
	if open := openQuestions(t, s); len(open) != 0 {
		t.Errorf("%d questions are still open", len(open))
	}
}

func TestAURLQuestionCarriesItsURLAndEndsWhenItIsAnsweredThere(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addConnect(s, nil)
	x := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).call("connect", "")
	id, shown := x.question()
	if shown.Mode != "url" || shown.ElicitationID == "" || shown.URL != "https://example.com/connect?id="+shown.ElicitationID {
		t.Errorf("asked %+v", shown)
	}
	x.wire.answer(id, `{"action":"accept"}`)
	err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, parley.ID(shown.ElicitationID), parley.Answer{Action: parley.Accept, Via: "page"})
	if err != nil {
		t.Fatal(err)
	}
	m := x.next()
	if m.Method == "notifications/cancelled" { // the page was faster than the client's own report
		m = x.next()
	}
	if m.Method != "notifications/elicitation/complete" || !strings.Contains(string(m.Params), shown.ElicitationID) {
		t.Errorf("got %s %s, want the complete notification", m.Method, m.Params)
	}
	if got := structured[string](t, x.result()); got != "accept" {
		t.Errorf("got %q", got)
	}
}

// addConnect adds a tool that sends the person to a URL.
func addConnect(s *site, opts *mcptool.URLOptions) {
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "connect"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		answer, err := mcptool.ElicitURL(ctx, call, "Connect your account", "https://example.com/connect?id={elicitation_id}", opts)
		return string(answer.Action), err
	})
}

func TestAHookThatRewritesContentChangesWhatTheToolGets(t *testing.T) {
	rewrite := parley.After(parley.AnsweringValidate, func(_ context.Context, a *parley.Answering) error {
		a.Answer.Content = []byte(`{"confirmed":true,"reason":"rewritten"}`)
		return nil
	}, func(a *parley.Answering) bool { return a.Answer.Action == parley.Accept })
	n := newNode(t, parley.NewMemoryStore(), parley.Options{Hooks: []parley.Hook{rewrite}}, mcptool.Options{Fallback: mcptool.Model})
	addDelete(n.site, nil)
	want := deleted{"accept", true, "rewritten"}
	content := map[string]any{"confirmed": true, "reason": "original"}
	inEveryEra(t, func(t *testing.T, era string) {
		c := n.connect(t, clientOptions{era: era, person: accept(content)})
		if got := structured[deleted](t, call(t, c, "delete-account", account{"7"})); got != want {
			t.Errorf("native: got %+v", got)
		}
		c = n.connect(t, clientOptions{era: era, user: "alice"})
		p := pendingOf(t, call(t, c, "delete-account", account{"7"}))
		if got := structured[deleted](t, submit(t, c, submission{p.ElicitID, "accept", content})); got != want {
			t.Errorf("fallback: got %+v", got)
		}
	})
}

func TestEndingTheSessionEndsItsCallsAndLeavesNothing(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	ended := make(chan error, 1)
	var session weak.Pointer[mcp.ServerSession]
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		session = weak.Make(call.Request().Session)
		_, err := mcptool.Elicit[confirm](ctx, call, "Sure?", nil)
		ended <- err
		return "", err
	})
	w := s.dial(t, &wire{capabilities: canAsk})
	x := w.call("wait", "")
	x.question()
	if status := w.close(); status != 204 {
		t.Errorf("DELETE: status %d", status)
	}
	select {
	case err := <-ended:
		if err == nil {
			t.Error("the tool got an answer that nobody gave")
		}
	case <-time.After(patience):
		t.Fatal("the tool still waits")
	}
	if open := openQuestions(t, s); len(open) != 0 {
		t.Errorf("%d questions are still open", len(open))
	}
	soon(t, "the session is gone", func() bool { return len(slices.Collect(s.server.Sessions())) == 0 })
	soon(t, "the journal is gone", func() bool {
		left, err := s.store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: "mcp.call"}, "", 0)
		return err == nil && len(left) == 0
	})
	soon(t, "the session's memory is free", func() bool {
		runtime.GC()
		return session.Value() == nil
	})
}

func TestLateAndDuplicateAnswersChangeNothing(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addDelete(s, nil)
	w := s.dial(t, &wire{capabilities: canAsk})
	x := w.call("delete-account", `{"userId":"7"}`)
	id, _ := x.question()
	w.answer(id, `{"action":"decline"}`)
	w.answer(id, yes)
	if got := structured[deleted](t, x.result()); got.Status != "decline" {
		t.Errorf("the second answer counted: %+v", got)
	}
	w.answer(id, yes)
	if m := w.begin("ping", map[string]any{}).end(); m.Error != nil {
		t.Errorf("ping after a late answer: %+v", m.Error)
	}
	settled, err := s.store.List(t.Context(), parley.Query{})
	if err != nil || len(settled) != 1 || settled[0].Outcome.Action != parley.Decline {
		t.Errorf("stored %+v, %v", settled, err)
	}
}

func TestATimeOutReachesTheAgentAsOne(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addDelete(s, &mcptool.ElicitOptions{TTL: 20 * time.Millisecond})
	x := s.dial(t, &wire{capabilities: canAsk}).call("delete-account", `{"userId":"7"}`)
	r := x.result()
	if !r.IsError || r.Meta["code"] != mcptool.TimeoutCode || r.Meta["ttl"] != 20.0 || r.Meta["elicitId"] == nil || strings.Contains(strings.ToLower(text(r)), "internal") {
		t.Errorf("result %q, meta %v", text(r), r.Meta)
	}
}

func TestAcceptDeclineCancelAndEmptyInput(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		type nothing struct{}
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "go"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			answer, err := mcptool.Elicit[nothing](ctx, call, "Go on?", nil)
			return string(answer.Action), err
		})
		for _, action := range []string{"accept", "decline", "cancel"} {
			c := s.connect(t, clientOptions{era: era, person: say(action)}) // without content
			for _, arguments := range []any{nil, struct{}{}} {
				if got := structured[string](t, call(t, c, "go", arguments)); got != action {
					t.Errorf("%s: got %q", action, got)
				}
			}
		}
		c := s.connect(t, clientOptions{era: era, person: accept(map[string]any{})})
		if got := structured[string](t, call(t, c, "go", nil)); got != "accept" {
			t.Errorf("an empty form: got %q", got)
		}
	})
}

func TestAHandlerAsksOnlyWhereItMust(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		type expense struct {
			Amount int `json:"amount"`
		}
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "expense"}, func(ctx context.Context, call *mcptool.Call, in expense) (string, error) {
			if in.Amount <= 500 {
				return "approved", nil
			}
			answer, err := mcptool.Elicit[confirm](ctx, call, "Approve?", nil)
			return "asked " + string(answer.Action), err
		})
		c := s.connect(t, clientOptions{era: era, person: say("decline")})
		if got := structured[string](t, call(t, c, "expense", expense{20})); got != "approved" {
			t.Errorf("small: %q", got)
		}
		if got := structured[string](t, call(t, c, "expense", expense{2000})); got != "asked decline" {
			t.Errorf("large: %q", got)
		}
		if all, err := s.store.List(t.Context(), parley.Query{}); err != nil || len(all) != 1 {
			t.Errorf("%d questions, %v", len(all), err)
		}
	})
}

// A handler may ask from another goroutine, after work of its own.
func TestAnAsynchronousHandlerAsks(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "later"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			type said struct {
				answer mcptool.Answer[confirm]
				err    error
			}
			done := make(chan said)
			go func() {
				runtime.Gosched()
				answer, err := mcptool.Elicit[confirm](ctx, call, "Sure?", nil)
				done <- said{answer, err}
			}()
			got := <-done
			return string(got.answer.Action), got.err
		})
		c := s.connect(t, clientOptions{era: era, person: accept(map[string]any{"confirmed": true})})
		if got := structured[string](t, call(t, c, "later", nil)); got != "accept" {
			t.Errorf("got %q", got)
		}
	})
}

func TestAWizardIsCancelledAtEachStep(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, client := range []struct {
			kind string
			run  func(s *site, answers []submission) *mcp.CallToolResult
		}{
			{"native", func(s *site, answers []submission) *mcp.CallToolResult {
				c := s.connect(t, clientOptions{era: era, person: func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
					next := answers[0]
					answers = answers[1:]
					return &mcp.ElicitResult{Action: next.Action, Content: next.Content}, nil
				}})
				return call(t, c, "wizard", nil)
			}},
			{"fallback", func(s *site, answers []submission) *mcp.CallToolResult {
				c := s.connect(t, clientOptions{era: era, user: "alice"})
				r := call(t, c, "wizard", nil)
				for _, next := range answers {
					next.ElicitID = pendingOf(t, r).ElicitID
					r = submit(t, c, next)
				}
				return r
			}},
		} {
			s := newSite(t, mcptool.Options{Fallback: mcptool.Model})
			charges := addWizard(s)
			ada := submission{Action: "accept", Content: map[string]any{"name": "Ada"}}
			for want, answers := range map[string][]submission{
				"cancel at name":    {{Action: "cancel"}},
				"decline at name":   {{Action: "decline"}},
				"cancel at colour":  {ada, {Action: "cancel"}},
				"decline at colour": {ada, {Action: "decline"}},
			} {
				if got := structured[string](t, client.run(s, answers)); got != want {
					t.Errorf("%s: got %q, want %q", client.kind, got, want)
				}
			}
			if charges.Load() != 2 {
				t.Errorf("%s: charged %d times, want once for each that came that far", client.kind, charges.Load())
			}
			noJournalLeft(t, s)
		}
	})
}

func TestWhatAClientCanDoHoldsOverCallsAndReconnects(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{Fallback: mcptool.Model})
		addDelete(s, nil)
		for range 3 { // each time a fresh client
			can := s.connect(t, clientOptions{era: era, user: "alice", person: accept(map[string]any{"confirmed": true})})
			cannot := s.connect(t, clientOptions{era: era, user: "alice"})
			for range 3 {
				if got := structured[deleted](t, call(t, can, "delete-account", account{"7"})); !got.Confirmed {
					t.Errorf("got %+v", got)
				}
				p := pendingOf(t, call(t, cannot, "delete-account", account{"7"}))
				if got := structured[deleted](t, submit(t, cannot, submission{p.ElicitID, "decline", nil})); got.Status != "decline" {
					t.Errorf("got %+v", got)
				}
			}
			can.Close()
			cannot.Close()
		}
	})
}

// The call in which the model would have to answer must not wait for the answer.
func TestTheCallThatAsksThroughTheModelReturnsAtOnce(t *testing.T) {
	for _, policy := range []mcptool.Fallback{mcptool.Model, mcptool.Page} {
		s := newSite(t, mcptool.Options{Fallback: policy, PageURL: pageURL, TTL: 24 * time.Hour})
		addDelete(s, nil)
		w := s.dial(t, &wire{user: "alice"})
		pendingOf(t, w.call("delete-account", `{"userId":"7"}`).result())
	}
}
