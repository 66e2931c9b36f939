package mcptool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

const legacy = "2025-11-25"

// pending is the question that a fallback leaves to the model or the person.
type pending struct {
	ElicitID     string          `json:"elicitId"`
	Message      string          `json:"message"`
	Schema       json.RawMessage `json:"schema"`
	URL          string          `json:"url"`
	Instructions string          `json:"instructions"`
}

func pendingOf(t *testing.T, r *mcp.CallToolResult) pending {
	t.Helper()
	raw, err := json.Marshal(r.Meta["elicitationPending"])
	var p pending
	if err == nil {
		err = json.Unmarshal(raw, &p)
	}
	if err != nil || p.ElicitID == "" {
		t.Fatalf("nothing is pending in %+v (%s): %v", r.Meta, text(r), err)
	}
	return p
}

// submission is what the model calls sendElicitationResult with.
type submission struct {
	ElicitID string         `json:"elicitId"`
	Action   string         `json:"action"`
	Content  map[string]any `json:"content,omitempty"`
}

func submit(t *testing.T, c *mcp.ClientSession, s submission) *mcp.CallToolResult {
	t.Helper()
	return call(t, c, "sendElicitationResult", s)
}

// wantCode checks the error of the protocol.
func wantCode(t *testing.T, err error, code int64) {
	t.Helper()
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) || wire.Code != code {
		t.Errorf("got %v, want error %d", err, code)
	}
}

// openQuestions returns what waits for an answer.
func openQuestions(t *testing.T, s *site) []parley.Request {
	t.Helper()
	list, err := s.store.List(t.Context(), parley.Query{Pending: true})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// soon waits until something is the case that nobody announces.
func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

// notSupported checks that a client was told that it cannot be asked.
func notSupported(t *testing.T, r *mcp.CallToolResult, err error, era, mode string) {
	t.Helper()
	if era == modern {
		wantCode(t, err, mcptool.CodeMissingCapability)
		var wire *jsonrpc.Error
		if errors.As(err, &wire) && string(wire.Data) != `{"requiredCapabilities":{"elicitation":{"`+mode+`":{}}}}` {
			t.Errorf("data %s", wire.Data)
		}
		return
	}
	if err != nil || !r.IsError || r.Meta["code"] != mcptool.NotSupportedCode {
		t.Errorf("got %+v, %v; want %s", r, err, mcptool.NotSupportedCode)
	}
}

func TestWhoIsNotKnownIsToldHowToSignIn(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for how, want := range map[string]string{"": "it is not known who asks: sign in", "knock twice": "it is not known who asks: knock twice"} {
			s := newSite(t, mcptool.Options{Fallback: mcptool.Page, PageURL: pageURL, SignIn: how})
			addDelete(s, nil)
			r, err := s.connect(t, clientOptions{era: era}).CallTool(t.Context(), &mcp.CallToolParams{Name: "delete-account", Arguments: account{"7"}})
			told := fmt.Sprint(err)
			if r != nil {
				told += text(r)
			}
			if !strings.Contains(told, want) {
				t.Errorf("got %q; want %q", told, want)
			}
		}
	})
}

func TestEachPolicyForClientsThatCannotAsk(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, user := range []string{"", "alice"} {
			known := user != "" || era != modern // in the sessionless era a call without a token is nobody's
			for _, policy := range []mcptool.Fallback{"", mcptool.Deny, mcptool.Allow, mcptool.Page, mcptool.Model} {
				t.Run(fmt.Sprintf("%s by %q", policy, user), func(t *testing.T) {
					s := newSite(t, mcptool.Options{Fallback: policy, PageURL: pageURL})
					addDelete(s, nil)
					c := s.connect(t, clientOptions{era: era, user: user})
					r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "delete-account", Arguments: account{"7"}})
					switch {
					case policy == mcptool.Allow:
						if got := structured[deleted](t, r); got.Status != "accept" || !got.Confirmed {
							t.Errorf("got %+v, %v", got, err)
						}
					case (policy == mcptool.Page || policy == "") && user != "": // a session cannot sign in at a page
						if p := pendingOf(t, r); p.URL != pageURL(parley.ID(p.ElicitID)) || p.Schema != nil || !strings.Contains(text(r), p.URL) {
							t.Errorf("pending %+v, text %q", p, text(r))
						}
					case policy == mcptool.Model && known:
						pendingOf(t, r)
					default:
						notSupported(t, r, err, era, "form")
						if open := openQuestions(t, s); len(open) != 0 {
							t.Errorf("%d questions were opened", len(open))
						}
					}
				})
			}
		}
	})
}

func TestWhatOnlyAPersonCanAnswerIsNeverAnsweredForThem(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, policy := range []mcptool.Fallback{mcptool.Deny, mcptool.Allow, mcptool.Model, mcptool.Page} {
			s := newSite(t, mcptool.Options{Fallback: policy}) // without a page
			addDelete(s, &mcptool.ElicitOptions{Trigger: parley.TriggerApproval})
			addConnect(s, nil)
			c := s.connect(t, clientOptions{era: era, user: "alice"})
			r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "delete-account", Arguments: account{"7"}})
			notSupported(t, r, err, era, "form")
			r, err = c.CallTool(t.Context(), &mcp.CallToolParams{Name: "connect"})
			notSupported(t, r, err, era, "url")
			if all, err := s.store.List(t.Context(), parley.Query{}); err != nil || len(all) != 0 {
				t.Errorf("%s: %d questions were opened, %v", policy, len(all), err)
			}
		}
	})
}

func TestAllowDeniesAFormThatNeedsMoreThanAYes(t *testing.T) {
	s := newSite(t, mcptool.Options{Fallback: mcptool.Allow})
	addAge(s)
	r, err := s.connect(t, clientOptions{era: legacy}).CallTool(t.Context(), &mcp.CallToolParams{Name: "age"})
	notSupported(t, r, err, legacy, "form")
}

// A question of another surface must not become answerable by the model because
// the model learned its id.
func TestTheModelAnswersOnlyWhatWasLeftToIt(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{Fallback: mcptool.Model})
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		for name, r := range map[string]parley.Request{
			"approval": {Message: "Pay?", Trigger: parley.TriggerApproval, Labels: map[string]string{"mcp.call": "x"}},
			"url":      {Message: "Go", Mode: parley.URL, URL: "https://example.com", Labels: map[string]string{"mcp.call": "x"}},
			"form":     {Message: "Really?"}, // of no tool call
		} {
			r.To = "alice"
			opened, err := s.hub.Open(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			for _, action := range []string{"accept", "decline"} {
				_, err = c.CallTool(t.Context(), &mcp.CallToolParams{Name: "sendElicitationResult", Arguments: submission{string(opened.ID), action, nil}})
				wantCode(t, err, unknownIn(era))
			}
			if now, err := s.store.Get(t.Context(), opened.ID); err != nil || !now.Pending() {
				t.Errorf("the model settled the %s: %+v, %v", name, now.Outcome, err)
			}
		}
	})
}

// unknownIn is the code for a question that is not there.
func unknownIn(era string) int64 {
	if era == modern {
		return jsonrpc.CodeInvalidParams
	}
	return mcptool.CodeUnknown
}

func TestTheFallbackResultHasTheDocumentsFormat(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{Fallback: mcptool.Model})
		addAge(s)
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		r := call(t, c, "age", nil)
		p := pendingOf(t, r)
		var shown, asked any
		if err := errors.Join(json.Unmarshal(p.Schema, &shown), json.Unmarshal([]byte(ageSchema), &asked)); err != nil || fmt.Sprint(shown) != fmt.Sprint(asked) {
			t.Errorf("schema %s, %v", p.Schema, err)
		}
		if p.Message != "Your age?" || p.Instructions != "Call sendElicitationResult tool after collecting user input" {
			t.Errorf("pending %+v", p)
		}
		if r.IsError || !strings.HasPrefix(text(r), "This tool requires user input to continue.\n\n**Question:** Your age?\n\n") || !strings.Contains(text(r), p.ElicitID) {
			t.Errorf("text %q, error %t", text(r), r.IsError)
		}
	})
}

func TestTheFallbackToolIsThereOnlyForClientsThatCannotAsk(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for policy, tool := range map[mcptool.Fallback]string{mcptool.Model: "sendElicitationResult", mcptool.Page: "waitForElicitationResult"} {
			s := newSite(t, mcptool.Options{Fallback: policy, PageURL: pageURL})
			addDelete(s, nil)
			listed := func(c *mcp.ClientSession) []string {
				list, err := c.ListTools(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				var names []string
				for _, tool := range list.Tools {
					names = append(names, tool.Name)
				}
				return names
			}
			if names := listed(s.connect(t, clientOptions{era: era})); !slices.Equal(names, []string{"delete-account", tool}) {
				t.Errorf("%s: a client that cannot ask sees %q", policy, names)
			}
			c := s.connect(t, clientOptions{era: era, person: say("decline")})
			if names := listed(c); !slices.Equal(names, []string{"delete-account"}) {
				t.Errorf("%s: a client that can ask sees %q", policy, names)
			}
			_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: submission{ElicitID: string(parley.NewID()), Action: "accept"}})
			wantCode(t, err, jsonrpc.CodeInvalidParams)
			if err == nil || !strings.Contains(err.Error(), "unknown tool") {
				t.Errorf("called all the same: %v", err)
			}
		}
	})
}

func TestAFallbackIsBoundToItsSessionAndUser(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, policy := range []mcptool.Fallback{mcptool.Model, mcptool.Page} {
			s := newSite(t, mcptool.Options{Fallback: policy, PageURL: pageURL})
			runs := addDelete(s, nil)
			alice := s.connect(t, clientOptions{era: era, user: "alice"})
			p := pendingOf(t, call(t, alice, "delete-account", account{"7"}))
			strangers := map[string]*mcp.ClientSession{
				"another user": s.connect(t, clientOptions{era: era, user: "bob"}),
				"nobody":       s.connect(t, clientOptions{era: era}),
			}
			if era != modern && policy == mcptool.Model { // what a page says she may wait for anywhere
				strangers["her other session"] = s.connect(t, clientOptions{era: era, user: "alice"})
				strangers["her client of the other era"] = s.connect(t, clientOptions{era: modern, user: "alice"})
			}
			ran := runs.Load()
			for name, c := range strangers {
				for _, tool := range []string{"sendElicitationResult", "waitForElicitationResult"} {
					_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: submission{p.ElicitID, "accept", map[string]any{"confirmed": true}}})
					if err == nil {
						t.Errorf("%s: %s was taken from %s", policy, tool, name)
					}
				}
			}
			if policy == mcptool.Model {
				_, err := strangers["another user"].CallTool(t.Context(), &mcp.CallToolParams{Name: "sendElicitationResult", Arguments: submission{p.ElicitID, "accept", nil}})
				wantCode(t, err, unknownIn(era))
			}
			if runs.Load() != ran || len(openQuestions(t, s)) != 1 {
				t.Errorf("%s: a stranger moved the call: %d runs, %d questions open", policy, runs.Load()-ran, len(openQuestions(t, s)))
			}
			if other := strangers["her other session"]; other != nil {
				s.answered(t, parley.ID(p.ElicitID), parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`), Via: "page"})
				_, err := other.CallTool(t.Context(), &mcp.CallToolParams{Name: "sendElicitationResult", Arguments: submission{p.ElicitID, "accept", nil}})
				if wantCode(t, err, unknownIn(era)); err == nil || !strings.Contains(err.Error(), "Find out before you make the call again") {
					t.Errorf("her other session is told %v", err)
				}
			}
		}
	})
}

func TestTheModelCanCorrectWhatDidNotFit(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{Fallback: mcptool.Model})
		reached := addAge(s)
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		p := pendingOf(t, call(t, c, "age", nil))
		for _, bad := range []map[string]any{nil, {}, {"age": "thirty"}, {"age": 17}} {
			r := submit(t, c, submission{p.ElicitID, "accept", bad})
			if !r.IsError || r.Meta["code"] != mcptool.InvalidInputCode || !strings.HasPrefix(text(r), "Invalid elicitation result content") {
				t.Errorf("%v: %q, meta %v", bad, text(r), r.Meta)
			}
		}
		if r := submit(t, c, submission{p.ElicitID, "perhaps", nil}); !r.IsError {
			t.Errorf("an unknown action: %q", text(r))
		}
		if reached.Load() != 0 || len(openQuestions(t, s)) != 1 {
			t.Fatalf("%d answers reached the tool, %d questions are open", reached.Load(), len(openQuestions(t, s)))
		}
		if got := structured[string](t, submit(t, c, submission{p.ElicitID, "accept", map[string]any{"age": 30}})); got != `accept{"age":30}` {
			t.Errorf("got %q", got)
		}
		noJournalLeft(t, s)
	})
}

func TestATwoStepToolFinishesThroughTheModelAndChargesOnce(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{Fallback: mcptool.Model})
		charges := addWizard(s)
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		first := pendingOf(t, call(t, c, "wizard", nil))
		second := pendingOf(t, submit(t, c, submission{first.ElicitID, "accept", map[string]any{"name": "Ada"}}))
		if second.ElicitID == first.ElicitID || second.Message != "Your colour?" {
			t.Errorf("second question %+v", second)
		}
		if got := structured[string](t, submit(t, c, submission{second.ElicitID, "accept", map[string]any{"colour": "red"}})); got != "Ada likes red" {
			t.Errorf("got %q", got)
		}
		for _, again := range []string{first.ElicitID, second.ElicitID} {
			if r := submit(t, c, submission{again, "accept", map[string]any{"name": "Eve", "colour": "blue"}}); !r.IsError {
				t.Errorf("a duplicate was taken: %q", text(r))
			}
		}
		if charges.Load() != 1 {
			t.Errorf("charged %d times", charges.Load())
		}
		noJournalLeft(t, s)
	})
}

func TestWhatHasExpiredIsNotAnsweredAnyMore(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for policy, tool := range map[mcptool.Fallback]string{mcptool.Model: "sendElicitationResult", mcptool.Page: "waitForElicitationResult"} {
			s := newSite(t, mcptool.Options{Fallback: policy, PageURL: pageURL})
			addDelete(s, &mcptool.ElicitOptions{TTL: 20 * time.Millisecond})
			c := s.connect(t, clientOptions{era: era, user: "alice"})
			p := pendingOf(t, call(t, c, "delete-account", account{"7"}))
			opened, err := s.store.Get(t.Context(), parley.ID(p.ElicitID))
			if err != nil {
				t.Fatal(err)
			}
			soon(t, "it has expired", func() bool { return time.Now().After(opened.Expires) })
			r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: submission{p.ElicitID, "accept", map[string]any{"confirmed": true}}})
			if policy == mcptool.Model {
				wantCode(t, err, mcptool.CodeNotAccepted)
			} else if err != nil || r.Meta["code"] != mcptool.TimeoutCode {
				t.Errorf("waited for: %+v, %v", r, err)
			}
		}
	})
}

// Prompts have no result that could tell the model what to do.
func TestAPromptIsNotLeftToTheModel(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, policy := range []mcptool.Fallback{mcptool.Deny, mcptool.Model, mcptool.Page} {
			s := newSite(t, mcptool.Options{Fallback: policy, PageURL: pageURL})
			mcptool.AddPrompt(s.asker, s.server, &mcp.Prompt{Name: "greet"}, func(ctx context.Context, call *mcptool.Call, _ *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				_, err := mcptool.Elicit[name](ctx, call, "Your name?", nil)
				return &mcp.GetPromptResult{}, err
			})
			c := s.connect(t, clientOptions{era: era, user: "alice"})
			_, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "greet"})
			if era == modern {
				wantCode(t, err, mcptool.CodeMissingCapability)
			}
			if err == nil || !strings.Contains(err.Error(), mcptool.ErrNotSupported.Error()+" in form mode") || len(openQuestions(t, s)) != 0 {
				t.Errorf("%s: %v, and %d questions are open", policy, err, len(openQuestions(t, s)))
			}
			noJournalLeft(t, s)
		}
	})
}

func TestDeclineCancelAndUnknownIDsThroughTheModel(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{Fallback: mcptool.Model})
		addDelete(s, nil)
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		for _, action := range []string{"decline", "cancel"} {
			p := pendingOf(t, call(t, c, "delete-account", account{"7"}))
			if got := structured[deleted](t, submit(t, c, submission{p.ElicitID, action, nil})); got.Status != action {
				t.Errorf("%s: got %+v", action, got)
			}
		}
		for _, id := range []string{"", "elicit-1234-abc", string(parley.NewID())} {
			_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "sendElicitationResult", Arguments: submission{id, "accept", nil}})
			wantCode(t, err, unknownIn(era))
		}
	})
}

// addBoth adds a tool that asks for a name and a colour together.
func addBoth(s *site) (finished *atomic.Int64) {
	finished = new(atomic.Int64)
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "both"}, func(ctx context.Context, call *mcptool.Call, _ account) (string, error) {
		var who mcptool.Answer[name]
		var which mcptool.Answer[colour]
		err := mcptool.Together(ctx, call,
			func(ctx context.Context, call *mcptool.Call) (err error) {
				who, err = mcptool.Elicit[name](ctx, call, "Your name?", nil)
				return err
			},
			func(ctx context.Context, call *mcptool.Call) (err error) {
				which, err = mcptool.Elicit[colour](ctx, call, "Your colour?", nil)
				return err
			})
		if err != nil {
			return "", err
		}
		return who.Content.Name + " " + which.Content.Colour, call.Once(ctx, "finish", func(context.Context) error { finished.Add(1); return nil })
	})
	return finished
}

// together returns what the model has to send for the two questions of both.
func together(t *testing.T, r *mcp.CallToolResult) []submission {
	t.Helper()
	raw, err := json.Marshal(r.Meta["elicitationsPending"])
	var all []pending
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	if err != nil || len(all) != 2 || len(r.Content) != 2 {
		t.Fatalf("pending %s, %v", raw, err)
	}
	var out []submission
	for _, p := range all {
		content := map[string]any{"name": "Ada"}
		if p.Message == "Your colour?" {
			content = map[string]any{"colour": "red"}
		}
		out = append(out, submission{p.ElicitID, "accept", content})
	}
	return out
}

func TestTheModelAnswersTwoQuestionsOneByOne(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{Fallback: mcptool.Model})
		addBoth(s)
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		both := together(t, call(t, c, "both", account{"7"}))
		left := pendingOf(t, submit(t, c, both[1]))
		if left.ElicitID != both[0].ElicitID {
			t.Errorf("left %+v, want %s", left, both[0].ElicitID)
		}
		if got := structured[string](t, submit(t, c, both[0])); got != "Ada red" {
			t.Errorf("got %q", got)
		}
	})
}

// Whichever submission comes second, the call goes on: no answer is taken and
// then left lying.
func TestTheModelAnswersTwoQuestionsAtTheSameTime(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{Fallback: mcptool.Model})
		finished := addBoth(s)
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		for round := range int64(20) {
			both := together(t, call(t, c, "both", account{fmt.Sprint(round)}))
			results := make([]*mcp.CallToolResult, 2)
			var wg sync.WaitGroup
			for i, one := range both {
				wg.Go(func() { results[i] = submit(t, c, one) })
			}
			wg.Wait()
			if finished.Load() != round+1 || text(results[0]) != `"Ada red"` && text(results[1]) != `"Ada red"` {
				t.Fatalf("round %d: finished %d times; the model got %q and %q", round, finished.Load(), text(results[0]), text(results[1]))
			}
		}
	})
}

// What is done by default, by what is asked: see decision 32.
func TestByDefaultThePersonIsAskedAtThePageIfThereIsOne(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, page := range []func(parley.ID) string{nil, pageURL} {
			for name, ask := range map[string]func(*site){
				"form":     func(s *site) { addDelete(s, nil) },
				"approval": func(s *site) { addDelete(s, &mcptool.ElicitOptions{Trigger: parley.TriggerApproval}) },
				"url":      func(s *site) { addConnect(s, nil) },
			} {
				s := newSite(t, mcptool.Options{PageURL: page})
				ask(s)
				tool, mode, arguments := "delete-account", "form", any(account{"7"})
				if name == "url" {
					tool, mode, arguments = "connect", "url", nil
				}
				r, err := s.connect(t, clientOptions{era: era, user: "alice"}).CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
				if page == nil {
					notSupported(t, r, err, era, mode)
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if p := pendingOf(t, r); p.URL != pageURL(parley.ID(p.ElicitID)) || strings.Contains(text(r), "sendElicitationResult") {
					t.Errorf("%s: pending %+v, text %q", name, p, text(r))
				}
			}
		}
	})
}
