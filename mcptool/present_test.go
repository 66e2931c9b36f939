package mcptool_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

type presentee struct {
	ID      parley.ID `json:"id"`
	Consent bool      `json:"consent,omitempty"`
}

type presentation struct {
	Action parley.Action `json:"action"`
	Via    string        `json:"via"`
}

const citySchema = `{"type":"object","properties":{"city":{"type":"string","minLength":3}},"required":["city"]}`

// addPresent adds a tool that presents what somebody else has opened.
func addPresent(s *site, opts ...*mcptool.ToolOptions) {
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "present"}, func(ctx context.Context, call *mcptool.Call, in presentee) (presentation, error) {
		outcome, err := mcptool.Present(ctx, call, in.ID, &mcptool.PresentOptions{Consent: in.Consent})
		return presentation{outcome.Action, outcome.Via}, err
	}, opts...)
}

// opened is a question of the tracker's to alice, unless it says otherwise.
func opened(t *testing.T, s *site, q parley.Request) parley.ID {
	t.Helper()
	q.From = "tracker"
	if q.To == "" {
		q.To = "alice"
	}
	if q.Mode == "" {
		q.Message, q.Schema = "Which city?", json.RawMessage(citySchema)
	}
	q, err := s.hub.Open(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return q.ID
}

func (s *site) answered(t *testing.T, id parley.ID, a parley.Answer) {
	t.Helper()
	if err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, id, a); err != nil {
		t.Error(err) // also from a client's goroutine
	}
}

// stillOpen checks that nobody touched alice's one question.
func stillOpen(t *testing.T, s *site, id parley.ID) {
	t.Helper()
	if all := asked(t, s); len(all) != 1 || all[0].ID != id || !all[0].Pending() {
		t.Errorf("there are %+v; want one question, open", all)
	}
}

var rome = parley.Answer{Action: parley.Accept, Content: []byte(`{"city":"Rome"}`), Via: "inbox"}

func TestAnOpenQuestionIsPresentedAndNotOpenedAgain(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, action := range []string{"accept", "decline", "cancel"} {
			s := newSite(t, mcptool.Options{})
			addPresent(s)
			id := opened(t, s, parley.Request{})
			var shown atomic.Pointer[mcp.ElicitParams]
			c := s.connect(t, clientOptions{era: era, user: "alice", person: func(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
				shown.Store(p)
				r := &mcp.ElicitResult{Action: action}
				if action == "accept" {
					r.Content = map[string]any{"city": "Rome"}
				}
				return r, nil
			}})
			got := structured[presentation](t, call(t, c, "present", presentee{ID: id}))
			if got.Action != parley.Action(action) || got.Via != "mcp" || shown.Load().Message != "[tracker] Which city?" {
				t.Errorf("%s: got %+v after %+v", action, got, shown.Load())
			}
			if all := asked(t, s); len(all) != 1 || all[0].Outcome.By != "alice" {
				t.Errorf("%s: there are %+v", action, all)
			}
			noJournalLeft(t, s)
		}
	})
}

func TestAQuestionOfSomebodyElsesIsNotPresented(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		addPresent(s)
		id := opened(t, s, parley.Request{To: "bob"})
		c := s.connect(t, clientOptions{era: era, user: "alice", person: func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			t.Error("alice was shown bob's question")
			return &mcp.ElicitResult{Action: "cancel"}, nil
		}})
		if r := call(t, c, "present", presentee{ID: id}); !r.IsError || !strings.Contains(text(r), "not found") {
			t.Errorf("got %q", text(r))
		}
		stillOpen(t, s, id)
	})
}

func TestWhatIsSettledAlreadyIsNotShown(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		addPresent(s)
		id := opened(t, s, parley.Request{})
		s.answered(t, id, rome)
		c := s.connect(t, clientOptions{era: era, user: "alice"}) // it could not even be asked
		if got := structured[presentation](t, call(t, c, "present", presentee{ID: id})); got != (presentation{parley.Accept, "inbox"}) {
			t.Errorf("got %+v", got)
		}
	})
}

func TestAPresentedQuestionThatIsSettledElsewhereLeavesTheScreen(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addPresent(s)
	id := opened(t, s, parley.Request{})
	closed := make(chan struct{})
	c := s.connect(t, clientOptions{era: legacy, user: "alice", person: func(ctx context.Context, _ *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		s.answered(t, id, rome)
		<-ctx.Done()
		close(closed)
		return nil, ctx.Err()
	}})
	if got := structured[presentation](t, call(t, c, "present", presentee{ID: id})); got.Via != "inbox" {
		t.Errorf("got %+v", got)
	}
	<-closed
}

func TestWhatTheClientCannotAskStaysOpenAndTheSameCallTakesItUp(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		addPresent(s)
		id := opened(t, s, parley.Request{})
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "present", Arguments: presentee{ID: id}})
		notSupported(t, r, err, era, "form")
		stillOpen(t, s, id)
		s.answered(t, id, rome)
		if got := structured[presentation](t, call(t, c, "present", presentee{ID: id})); got.Via != "inbox" {
			t.Errorf("got %+v", got)
		}
	})
}

func TestAClientThatAnswersWithAnErrorLeavesTheQuestionOpen(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addPresent(s)
	id := opened(t, s, parley.Request{})
	broken := true
	c := s.connect(t, clientOptions{era: legacy, user: "alice", person: func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		if broken {
			return nil, &jsonrpc.Error{Code: -32603, Message: "no screen"}
		}
		return &mcp.ElicitResult{Action: "decline"}, nil
	}})
	if r := call(t, c, "present", presentee{ID: id}); !r.IsError || !strings.Contains(text(r), "no screen") {
		t.Errorf("got %q", text(r))
	}
	stillOpen(t, s, id)
	broken = false
	if got := structured[presentation](t, call(t, c, "present", presentee{ID: id})); got.Action != parley.Decline {
		t.Errorf("got %+v", got)
	}
}

const (
	tooShort = `{"action":"accept","content":{"city":"X"}}`
	fits     = `{"action":"accept","content":{"city":"Rome"}}`
)

func TestAnAnswerThatDoesNotFitIsAskedForAgainWithTheReason(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addPresent(s)
	x := s.dial(t, &wire{user: "alice", capabilities: canAsk}).call("present", `{"id":"`+string(opened(t, s, parley.Request{}))+`"}`)
	id, _ := x.question()
	x.wire.answer(id, tooShort)
	id, shown := x.question()
	if reason, ok := strings.CutPrefix(shown.Message, "[tracker] Which city?\n\n"); !ok || reason == "" {
		t.Errorf("it is asked again with %q", shown.Message)
	}
	x.wire.answer(id, fits)
	if got := structured[presentation](t, x.result()); got.Action != parley.Accept {
		t.Errorf("got %+v", got)
	}
}

func TestAClientThatNeverFitsIsLeftWithTheQuestionOpen(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addPresent(s)
	q := opened(t, s, parley.Request{})
	x := s.dial(t, &wire{user: "alice", capabilities: canAsk}).call("present", `{"id":"`+string(q)+`"}`)
	for range 3 {
		id, _ := x.question()
		x.wire.answer(id, tooShort)
	}
	if r := x.result(); !r.IsError || r.Meta["code"] != mcptool.InvalidInputCode {
		t.Errorf("got %+v", r)
	}
	stillOpen(t, s, q)
}

func TestGoingToAPresentedURLIsTheAnswerWhereItIs(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, consent := range []bool{true, false} {
			s := newSite(t, mcptool.Options{})
			addPresent(s)
			id := opened(t, s, parley.Request{Mode: parley.URL, Message: "Go", URL: "https://example.com/"})
			c := s.connect(t, clientOptions{era: era, user: "alice", person: func(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
				if !consent {
					go s.answered(t, id, parley.Answer{Action: parley.Accept, Via: "page"})
				}
				return &mcp.ElicitResult{Action: "accept"}, nil
			}})
			want := map[bool]string{true: "mcp", false: "page"}[consent]
			if got := structured[presentation](t, call(t, c, "present", presentee{id, consent})); got != (presentation{parley.Accept, want}) {
				t.Errorf("consent %v: got %+v", consent, got)
			}
		}
	})
}

func TestThePageAndTheModelGoOnWithAPresentedQuestion(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for policy, via := range map[mcptool.Fallback]string{mcptool.Page: "inbox", mcptool.Model: "mcp-model"} {
			s := newSite(t, mcptool.Options{Fallback: policy, PageURL: pageURL})
			addPresent(s)
			id := opened(t, s, parley.Request{})
			c := s.connect(t, clientOptions{era: era, user: "alice"})
			p := pendingOf(t, call(t, c, "present", presentee{ID: id}))
			if p.ElicitID != string(id) || p.Message != "[tracker] Which city?" {
				t.Errorf("%s: pending %+v", policy, p)
			}
			tool, arguments := "waitForElicitationResult", map[string]any{"elicitId": id}
			if policy == mcptool.Model {
				tool = "sendElicitationResult"
				arguments["action"], arguments["content"] = "accept", map[string]any{"city": "Rome"}
			}
			strangers := map[string]*mcp.ClientSession{"bob": s.connect(t, clientOptions{era: era, user: "bob"})}
			if era != modern && policy == mcptool.Model { // what a page says she may wait for anywhere
				strangers["another session of alice's"] = s.connect(t, clientOptions{era: era, user: "alice"})
				strangers["alice's client of the other era"] = s.connect(t, clientOptions{era: modern, user: "alice"})
			}
			for name, c := range strangers {
				if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments}); err == nil {
					t.Errorf("%s: %s went on with alice's question", policy, name)
				}
			}
			stillOpen(t, s, id)
			if policy == mcptool.Page {
				s.answered(t, id, rome)
			}
			if got := structured[presentation](t, call(t, c, tool, arguments)); got != (presentation{parley.Accept, via}) {
				t.Errorf("%s: got %+v", policy, got)
			}
			noJournalLeft(t, s)
		}
	})
}

func TestNeitherTheModelNorAPolicyApproves(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, policy := range []mcptool.Fallback{mcptool.Model, mcptool.Allow} {
			s := newSite(t, mcptool.Options{Fallback: policy})
			addPresent(s)
			id := opened(t, s, parley.Request{Trigger: parley.TriggerApproval})
			c := s.connect(t, clientOptions{era: era, user: "alice"})
			r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "present", Arguments: presentee{ID: id}})
			notSupported(t, r, err, era, "form")
			if policy == mcptool.Model {
				_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "sendElicitationResult", Arguments: map[string]any{
					"elicitId": id, "action": "accept", "content": map[string]any{"city": "Rome"},
				}})
				if err == nil {
					t.Error("the model answered")
				}
			}
			stillOpen(t, s, id)
		}
	})
}

func TestAllowAnswersAPresentedForm(t *testing.T) {
	s := newSite(t, mcptool.Options{Fallback: mcptool.Allow})
	addPresent(s)
	q, err := s.hub.Open(t.Context(), parley.Request{To: "alice", From: "tracker", Message: "Sure?",
		Schema: json.RawMessage(`{"type":"object","properties":{"sure":{"type":"boolean"}},"required":["sure"]}`)})
	if err != nil {
		t.Fatal(err)
	}
	c := s.connect(t, clientOptions{era: legacy, user: "alice"})
	got := structured[presentation](t, call(t, c, "present", presentee{ID: q.ID}))
	if after := asked(t, s)[0]; got.Action != parley.Accept || string(after.Outcome.Content) != `{"sure":true}` {
		t.Errorf("got %+v, %s", got, after.Outcome.Content)
	}
}

// shownTask is a task as a client of 2026-07-28 sees it.
type shownTask struct {
	TaskID        string                       `json:"taskId"`
	Status        string                       `json:"status"`
	InputRequests map[string]*mcp.ElicitParams `json:"inputRequests"`
	Result        *mcp.CallToolResult          `json:"result"`
}

// look calls a method and reads the task in its result.
func (task *shownTask) look(t *testing.T, w *wire, method string, params map[string]any) {
	t.Helper()
	m := w.begin(method, params).end()
	if m.Error != nil {
		t.Fatalf("%s: %+v", method, m.Error)
	}
	var wire struct {
		InputRequests map[string]struct {
			Params *mcp.ElicitParams `json:"params"`
		} `json:"inputRequests"`
	}
	task.InputRequests = map[string]*mcp.ElicitParams{}
	if err := errors.Join(json.Unmarshal(dropInputs(m.Result), task), json.Unmarshal(m.Result, &wire)); err != nil {
		t.Fatal(err)
	}
	for key, one := range wire.InputRequests {
		task.InputRequests[key] = one.Params
	}
}

func (task *shownTask) becomes(t *testing.T, w *wire, status string) {
	t.Helper()
	soon(t, "the task is "+status, func() bool {
		task.look(t, w, "tasks/get", map[string]any{"taskId": task.TaskID})
		return task.Status == status
	})
}

const tasksToo = `{"elicitation":{"form":{},"url":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`

func TestATaskPresentsAndGoesOn(t *testing.T) {
	for name, q := range map[string]parley.Request{
		"form": {},
		"url":  {Mode: parley.URL, Message: "Which city?", URL: "https://example.com/"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, mcptool.Options{})
			addPresent(s, &mcptool.ToolOptions{Task: mcptool.TaskAllowed})
			id := opened(t, s, q)
			w := s.dial(t, &wire{era: modern, user: "alice", capabilities: tasksToo})
			var task shownTask
			task.look(t, w, "tools/call", map[string]any{"name": "present", "arguments": presentee{id, name == "url"}})
			task.becomes(t, w, "input_required")
			shown := task.InputRequests[string(id)]
			if shown == nil || shown.Message != "[tracker] Which city?" {
				t.Fatalf("it shows %+v", task.InputRequests)
			}
			task.look(t, w, "tasks/update", map[string]any{"taskId": task.TaskID, "inputResponses": map[string]any{
				string(id): map[string]any{"action": "accept", "content": map[string]any{"city": "Rome"}},
			}})
			task.becomes(t, w, "completed")
			if got := structured[presentation](t, task.Result); got != (presentation{parley.Accept, "mcp-task"}) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// Where a page takes the answer, the client's word that the person went there is
// none.
func TestATaskDoesNotTakeTheClientsWordForAPage(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addPresent(s, &mcptool.ToolOptions{Task: mcptool.TaskAllowed})
	id := opened(t, s, parley.Request{Mode: parley.URL, Message: "Which city?", URL: "https://example.com/"})
	w := s.dial(t, &wire{era: modern, user: "alice", capabilities: tasksToo})
	var task shownTask
	task.look(t, w, "tools/call", map[string]any{"name": "present", "arguments": presentee{id, false}})
	task.becomes(t, w, "input_required")
	task.look(t, w, "tasks/update", map[string]any{"taskId": task.TaskID, "inputResponses": map[string]any{string(id): map[string]any{"action": "accept"}}})
	stillOpen(t, s, id)
	s.answered(t, id, parley.Answer{Action: parley.Accept, Via: "page"})
	task.becomes(t, w, "completed")
	if got := structured[presentation](t, task.Result); got != (presentation{parley.Accept, "page"}) {
		t.Errorf("got %+v", got)
	}
}

// A server's own questions come from the server: nobody's name is put in front.
func TestATasksOwnQuestionsAreNotNamed(t *testing.T) {
	s := newSite(t, mcptool.Options{Service: "shop"})
	addPresent(s)
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "own"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (deleted, error) {
		_, err := mcptool.Elicit[confirm](ctx, call, "Sure?", nil)
		return deleted{}, err
	}, &mcptool.ToolOptions{Task: mcptool.TaskAllowed})
	w := s.dial(t, &wire{era: modern, user: "alice", capabilities: tasksToo})
	var task shownTask
	task.look(t, w, "tools/call", map[string]any{"name": "own", "arguments": struct{}{}})
	task.becomes(t, w, "input_required")
	answers := map[string]any{}
	for key, shown := range task.InputRequests {
		answers[key] = map[string]any{"action": "decline"}
		if shown.Message != "Sure?" {
			t.Errorf("it shows %q", shown.Message)
		}
	}
	task.look(t, w, "tasks/update", map[string]any{"taskId": task.TaskID, "inputResponses": answers})
	task.becomes(t, w, "completed")
}

// dropInputs takes off a task what the SDK's types cannot be decoded into.
func dropInputs(raw json.RawMessage) json.RawMessage {
	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return raw
	}
	delete(all, "inputRequests")
	rest, _ := json.Marshal(all)
	return rest
}

func TestACallHasOneIDHoweverOftenItsHandlerRuns(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{TTL: time.Minute})
		var ids []string
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "named"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			id, err := call.ID(ctx)
			if err != nil {
				return "", err
			}
			ids = append(ids, id)
			answer, err := mcptool.Elicit[confirm](ctx, call, "Sure?", nil)
			return string(answer.Action), err
		})
		c := s.connect(t, clientOptions{era: era, user: "alice", person: accept(map[string]any{"confirmed": true})})
		call(t, c, "named", nil)
		first := ids
		ids = nil
		call(t, c, "named", nil)
		for _, id := range first {
			if id == "" || id != first[0] || id == ids[0] {
				t.Errorf("the first call is %q, the second %q", first, ids)
			}
		}
		if want := map[bool]int{true: 2, false: 1}[era == modern]; len(first) != want {
			t.Errorf("the handler ran %d times", len(first))
		}
		noJournalLeft(t, s)
	})
}
