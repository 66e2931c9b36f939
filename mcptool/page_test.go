package mcptool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

func pageURL(id parley.ID) string { return "https://example.com/answer/" + string(id) }

func TestThePageIsWaitedForAndTheToolGoesOn(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{Fallback: mcptool.Page, PageURL: pageURL})
		charges := addWizard(s)
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		next := call(t, c, "wizard", nil)
		for _, content := range []string{`{"name":"Ada"}`, `{"colour":"red"}`} {
			p := pendingOf(t, next)
			waited := make(chan *mcp.CallToolResult)
			go func() {
				r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "waitForElicitationResult", Arguments: map[string]any{"elicitId": p.ElicitID}})
				if err != nil {
					t.Error(err)
				}
				waited <- r
			}()
			answer := parley.Answer{Action: parley.Accept, Content: []byte(content), Via: "page"}
			err := s.hub.Answer(t.Context(), parley.Principal{User: "bob"}, parley.ID(p.ElicitID), answer)
			if !errors.Is(err, parley.ErrNotFound) {
				t.Errorf("bob answered alice's question: %v", err)
			}
			if err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, parley.ID(p.ElicitID), answer); err != nil {
				t.Fatal(err)
			}
			if next = <-waited; next == nil {
				t.FailNow()
			}
		}
		if got := structured[string](t, next); got != "Ada likes red" || charges.Load() != 1 {
			t.Errorf("got %q, charged %d times", got, charges.Load())
		}
	})
}

func TestWaitingForThePageHasAnEnd(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{Fallback: mcptool.Page, PageURL: pageURL, Hold: time.Millisecond})
		runs := addDelete(s, nil)
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		p := pendingOf(t, call(t, c, "delete-account", account{"7"}))
		for range 3 {
			r := call(t, c, "waitForElicitationResult", map[string]any{"elicitId": p.ElicitID})
			still := pendingOf(t, r)
			if r.IsError || still.ElicitID != p.ElicitID || still.URL != p.URL || !strings.Contains(text(r), "not answered yet") {
				t.Errorf("still waiting: %q, %+v", text(r), still)
			}
		}
		if runs.Load() != 1 {
			t.Errorf("the tool ran %d times", runs.Load())
		}
		err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, parley.ID(p.ElicitID), parley.Answer{Action: parley.Decline})
		if err != nil {
			t.Fatal(err)
		}
		var r *mcp.CallToolResult
		soon(t, "the tool goes on", func() bool { // a millisecond may be too short for that, too
			r = call(t, c, "waitForElicitationResult", map[string]any{"elicitId": p.ElicitID})
			return r.Meta["elicitationPending"] == nil
		})
		if got := structured[deleted](t, r); got.Status != "decline" {
			t.Errorf("got %+v", got)
		}
	})
}

func TestAnApprovalIsGivenOnThePage(t *testing.T) {
	s := newSite(t, mcptool.Options{Fallback: mcptool.Page, PageURL: pageURL})
	addDelete(s, &mcptool.ElicitOptions{Trigger: parley.TriggerApproval})
	c := s.connect(t, clientOptions{era: legacy, user: "alice"})
	p := pendingOf(t, call(t, c, "delete-account", account{"7"}))
	err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, parley.ID(p.ElicitID), parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`)})
	if err != nil {
		t.Fatal(err)
	}
	if got := structured[deleted](t, call(t, c, "waitForElicitationResult", map[string]any{"elicitId": p.ElicitID})); !got.Confirmed {
		t.Errorf("got %+v", got)
	}
}

// Many clients ask forms and cannot send anybody to a URL.
func TestAClientThatAsksOnlyFormsIsSentToThePageForURLs(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{Fallback: mcptool.Page, PageURL: pageURL})
		addConnect(s, nil)
		w := s.dial(t, &wire{era: era, user: "alice", capabilities: `{"elicitation":{}}`})
		p := pendingOf(t, w.call("connect", "").result())
		if p.URL != pageURL(parley.ID(p.ElicitID)) {
			t.Errorf("pending %+v", p)
		}
		if err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, parley.ID(p.ElicitID), parley.Answer{Action: parley.Accept}); err != nil {
			t.Fatal(err)
		}
		if list := w.begin("tools/list", map[string]any{}).end(); !strings.Contains(string(list.Result), "waitForElicitationResult") {
			t.Errorf("the client is told to use a tool that it does not see: %s", list.Result)
		}
		if got := structured[string](t, w.call("waitForElicitationResult", `{"elicitId":"`+p.ElicitID+`"}`).result()); got != "accept" {
			t.Errorf("got %q", got)
		}
	})
}

// A client is never shown a URL it cannot open, also not next to a form.
func TestAFormAndAURLTogetherForAClientThatAsksOnlyForms(t *testing.T) {
	s := newSite(t, mcptool.Options{Fallback: mcptool.Page, PageURL: pageURL})
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "mixed"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		link, form := mcptool.Answer[struct{}]{}, mcptool.Answer[confirm]{}
		asked := make(chan struct{})
		err := mcptool.Together(ctx, call,
			func(ctx context.Context, call *mcptool.Call) (err error) {
				defer close(asked)
				link, err = mcptool.ElicitURL(ctx, call, "Connect", "https://example.com/connect", nil)
				return err
			},
			func(ctx context.Context, call *mcptool.Call) (err error) {
				<-asked
				form, err = mcptool.Elicit[confirm](ctx, call, "Sure?", nil)
				return err
			})
		return string(link.Action + " " + form.Action), err
	})
	w := s.dial(t, &wire{era: modern, user: "alice", capabilities: `{"elicitation":{"form":{}}}`})
	m := w.call("mixed", "").end()
	if m.Error != nil || strings.Contains(string(m.Result), `"mode":"url"`) {
		t.Errorf("result %s, error %+v", m.Result, m.Error)
	}
}

// What a page hands back is kept under the question's id, before the answer. What
// comes with the answer reaches nobody: a client could have written it.
func TestAPageHandsDataBackUnderTheQuestionsID(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{Hold: 5 * time.Second})
		var results sync.Map
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "connect"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			answer, err := mcptool.ElicitURL(ctx, call, "Connect your calendar", "https://calendar.example/connect?id={elicitation_id}", nil)
			if err != nil {
				return "", err
			}
			account, _ := results.Load(answer.ID)
			return fmt.Sprintf("%s %v %v", answer.Action, account, answer.Content), nil
		})
		c := s.connect(t, clientOptions{era: era, user: "alice", person: func(ctx context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			_, raw, _ := strings.Cut(p.URL, "id=")
			id := parley.ID(raw)
			results.Store(id, "ann@calendar.example")
			if err := s.hub.Answer(ctx, parley.Principal{User: "alice"}, id, parley.Answer{Action: parley.Accept, Content: []byte(`{"account":"forged"}`), Via: "page"}); err != nil {
				return nil, err
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"account": "forged"}}, nil
		}})
		if got := text(call(t, c, "connect", nil)); !strings.Contains(got, "accept ann@calendar.example") || strings.Contains(got, "forged") {
			t.Errorf("got %q", got)
		}
	})
}

// Who asks for a result while another request works on the call waits for it, and is
// told how the call stands; nothing is done twice.
func TestAResultThatIsBeingMadeIsWaitedFor(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{Fallback: mcptool.Page, PageURL: pageURL})
		began, over := make(chan struct{}), make(chan struct{})
		runs := 0
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "slow"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			if _, err := mcptool.Elicit[confirm](ctx, call, "Sure?", nil); err != nil {
				return "", err
			}
			runs++
			close(began)
			<-over
			return "done", nil
		})
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		p := pendingOf(t, call(t, c, "slow", nil))
		s.answered(t, parley.ID(p.ElicitID), parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`), Via: "page"})
		results := make(chan *mcp.CallToolResult, 2)
		ask := func() {
			r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "waitForElicitationResult", Arguments: map[string]any{"elicitId": p.ElicitID}})
			if err != nil {
				t.Error(err)
			}
			results <- r
		}
		go ask()
		<-began
		go ask()
		select {
		case r := <-results:
			t.Fatalf("while the call is under way: %s", text(r))
		case <-time.After(200 * time.Millisecond):
		}
		close(over)
		first, second := <-results, <-results
		if first.IsError {
			first, second = second, first
		}
		if structured[string](t, first) != "done" || !second.IsError || !strings.Contains(text(second), "has come to its end") || runs != 1 {
			t.Errorf("%q and %q after %d runs", text(first), text(second), runs)
		}
	})
}
