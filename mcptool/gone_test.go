package mcptool_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// vanish breaks the connection of a call without a word, as a program does that is
// killed.
func (x *exchange) vanish() {
	x.drop()
	<-x.finished
	x.wire.http.CloseIdleConnections()
}

// A client that is gone and comes back in a new session is asked the question that
// is open, and whoever answers it first, wherever, does so for both.
func TestACallWhoseClientWentWithoutAWordIsTakenUp(t *testing.T) {
	for name, answer := range map[string]func(t *testing.T, s *site, first, second *exchange, old, id json.RawMessage){
		"answered in the new session": func(_ *testing.T, _ *site, _, second *exchange, _, id json.RawMessage) {
			second.wire.answer(id, yes)
		},
		"answered in the old session": func(_ *testing.T, _ *site, first, _ *exchange, old, _ json.RawMessage) {
			first.wire.answer(old, yes)
		},
		"answered somewhere else": func(t *testing.T, s *site, _, _ *exchange, _, _ json.RawMessage) {
			s.answered(t, asked(t, s)[0].ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`), Via: "page"})
		},
	} {
		for i, where := range []string{"on its node", "on another node"} {
			t.Run(name+", "+where, func(t *testing.T) {
				nodes := pair(t, mcptool.Options{})
				s, work := nodes[0].site, new(atomic.Int64)
				addWork(nodes[0].site, work)
				addWork(nodes[1].site, work)
				first := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).call("work", deletion)
				old, shown := first.question()
				first.vanish()
				second := nodes[i].dial(t, &wire{capabilities: canAsk, user: "alice"}).call("work", `{ "userId" : "7" }`)
				id, again := second.question()
				if n := len(asked(t, s)); n != 1 || again.Message != shown.Message {
					t.Fatalf("%d questions: %q, then %q", n, shown.Message, again.Message)
				}
				answer(t, s, first, second, old, id)
				if got := structured[deleted](t, second.result()); !got.Confirmed || work.Load() != 1 {
					t.Errorf("got %+v, done %d times", got, work.Load())
				}
				noJournalLeft(t, s)
			})
		}
	}
}

// addWork adds a tool that asks before it works.
func addWork(s *site, work *atomic.Int64) {
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "work"}, func(ctx context.Context, call *mcptool.Call, in account) (deleted, error) {
		answer, err := mcptool.Elicit[confirm](ctx, call, "Delete account "+in.UserID+"?", nil)
		if err != nil {
			return deleted{}, err
		}
		work.Add(1)
		return deleted{string(answer.Action), answer.Content.Confirmed, answer.Content.Reason}, nil
	})
}

// An editor with two windows: both are there, and both want it.
func TestACallWhoseClientIsThereKeepsItsOwnQuestion(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	work := new(atomic.Int64)
	addWork(s, work)
	first := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).call("work", deletion)
	a, _ := first.question()
	second := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).call("work", deletion)
	b, _ := second.question()
	second.wire.answer(b, `{"action":"decline"}`)
	first.wire.answer(a, yes)
	one, two := structured[deleted](t, first.result()), structured[deleted](t, second.result())
	if one.Status != "accept" || two.Status != "decline" || len(asked(t, s)) != 2 {
		t.Errorf("got %+v and %+v for %d questions", one, two, len(asked(t, s)))
	}
}

// workshop adds a tool that asks, says that it works, and waits before it is done.
func workshop(s *site) (done *atomic.Int64, working, proceed chan struct{}) {
	done, working, proceed = new(atomic.Int64), make(chan struct{}), make(chan struct{})
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "work"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (int64, error) {
		if _, err := mcptool.Elicit[confirm](ctx, call, "Sure?", nil); err != nil {
			return 0, err
		}
		close(working)
		<-proceed
		return done.Add(1), nil
	})
	return done, working, proceed
}

// Nobody makes the call again: it goes on with the answer all the same, and what
// comes of it is kept.
func TestACallWhoseClientWentGoesOnWithTheAnswer(t *testing.T) {
	for _, again := range []string{"before it is done", "afterwards"} {
		t.Run(again, func(t *testing.T) {
			s := newSite(t, mcptool.Options{})
			work, working, proceed := workshop(s)
			first := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).call("work", "")
			first.question()
			first.vanish()
			abandoned(t, s) // it was noticed
			s.answered(t, asked(t, s)[0].ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`), Via: "page"})
			<-working
			if again == "afterwards" {
				close(proceed)
				abandoned(t, s)
			}
			second := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).call("work", "")
			if again != "afterwards" {
				if m := second.wire.begin("ping", map[string]any{}).end(); m.Error != nil {
					t.Fatal(m.Error)
				}
				close(proceed)
			}
			m := second.next()
			if m.Method != "" || !strings.Contains(string(m.Result), `"structuredContent":{"result":1}`) || work.Load() != 1 || len(asked(t, s)) != 1 {
				t.Errorf("got %s %s after %d times the work, %d questions", m.Method, m.Result, work.Load(), len(asked(t, s)))
			}
			noJournalLeft(t, s)
		})
	}
}

// The connection breaks while the tool works with an answer that it has.
func TestTheResultOfAClientThatWentWithoutAWordIsKeptForIt(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	work, working, proceed := workshop(s)
	first := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).call("work", "")
	id, _ := first.question()
	first.wire.answer(id, yes)
	<-working
	first.vanish()
	second := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).call("work", "")
	if m := second.wire.begin("ping", map[string]any{}).end(); m.Error != nil {
		t.Fatal(m.Error)
	}
	close(proceed)
	m := second.next()
	if m.Method != "" || !strings.Contains(string(m.Result), `"structuredContent":{"result":1}`) || work.Load() != 1 {
		t.Errorf("got %s %s after %d times the work", m.Method, m.Result, work.Load())
	}
}

// A client without questions of its own was given a link, and comes back in a new
// session: the person is asked nothing new.
func TestTheSameCallInANewSessionFindsItsLink(t *testing.T) {
	for _, era := range []string{legacy, modern} { // of the client that comes back
		t.Run(era, func(t *testing.T) {
			s := newSite(t, mcptool.Options{Fallback: mcptool.Page, PageURL: pageURL})
			work := new(atomic.Int64)
			addWork(s, work)
			link := func(w *wire) string {
				t.Helper()
				return pendingOf(t, w.call("work", deletion).result()).URL
			}
			first := link(s.dial(t, &wire{user: "alice"}))
			again := s.dial(t, &wire{user: "alice", era: era})
			if second := link(again); second != first || len(asked(t, s)) != 1 {
				t.Fatalf("a link %q, then %q; %d questions", first, second, len(asked(t, s)))
			}
			if other := link(s.dial(t, &wire{user: "bob"})); other == first {
				t.Error("bob has her link")
			}
			s.answered(t, parley.ID(strings.TrimPrefix(first, pageURL(""))), parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`), Via: "page"})
			if got := structured[deleted](t, s.dial(t, &wire{user: "alice"}).call("work", deletion).result()); !got.Confirmed || work.Load() != 1 {
				t.Errorf("got %+v, done %d times", got, work.Load())
			}
		})
	}
}

func TestALinkIsWaitedForInANewSession(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		for _, when := range []string{"before the answer", "after it", "after its end"} {
			t.Run(era+" "+when, func(t *testing.T) {
				s := newSite(t, mcptool.Options{Fallback: mcptool.Page, PageURL: pageURL})
				work := new(atomic.Int64)
				addWork(s, work)
				p := pendingOf(t, s.dial(t, &wire{user: "alice"}).call("work", deletion).result())
				wait := func(w *wire) *exchange {
					return w.call("waitForElicitationResult", `{"elicitId":"`+p.ElicitID+`"}`)
				}
				answer := func() {
					s.answered(t, parley.ID(p.ElicitID), parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`), Via: "page"})
				}
				again := s.dial(t, &wire{user: "alice", era: era})
				var waits *exchange
				if when == "before the answer" {
					waits = wait(again)
				}
				answer()
				if when == "after its end" {
					wait(s.dial(t, &wire{user: "alice"})).result()
				}
				if waits == nil {
					waits = wait(again)
				}
				got := waits.result()
				if when == "after its end" {
					if !got.IsError || !strings.Contains(text(got), "its result was given already") || work.Load() != 1 {
						t.Errorf("told %q, done %d times", text(got), work.Load())
					}
					return
				}
				if got := structured[deleted](t, got); !got.Confirmed || work.Load() != 1 {
					t.Errorf("got %+v, done %d times", got, work.Load())
				}
			})
		}
	}
}

// What was left to a model is answered by the session that has the question: the
// first, or the one that took the call up.
func TestAModelAnswersInTheSessionThatHasTheQuestion(t *testing.T) {
	s := newSite(t, mcptool.Options{Fallback: mcptool.Model})
	work := new(atomic.Int64)
	addWork(s, work)
	p := pendingOf(t, s.dial(t, &wire{user: "alice"}).call("work", deletion).result())
	again := s.dial(t, &wire{user: "alice"})
	arguments := `{"elicitId":"` + p.ElicitID + `","action":"accept","content":{"confirmed":true}}`
	if m := again.call("sendElicitationResult", arguments).end(); m.Error == nil || len(openQuestions(t, s)) != 1 {
		t.Fatalf("another session answered: %s", m.Result)
	}
	if second := pendingOf(t, again.call("work", deletion).result()); second.ElicitID != p.ElicitID {
		t.Fatalf("asked anew: %s, then %s", p.ElicitID, second.ElicitID)
	}
	if got := structured[deleted](t, again.call("sendElicitationResult", arguments).result()); !got.Confirmed || work.Load() != 1 {
		t.Errorf("got %+v, done %d times", got, work.Load())
	}
}

// Between the look for an earlier call and the first word of a journal, another one
// may be given up. What that had asked is none of this one's.
func TestACallThatHasFoundNoneBeforeItGoesOnWithNone(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	looked, gone := make(chan struct{}), make(chan struct{})
	var calls atomic.Int64
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "work"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		note := "first"
		if calls.Add(1) > 1 {
			if err := call.TakeUp(ctx); err != nil {
				return "", err
			}
			close(looked)
			<-gone
			note = "second"
		}
		if err := call.Remember(ctx, "note", note); err != nil {
			return "", err
		}
		answer, err := mcptool.Elicit[confirm](ctx, call, note+"?", &mcptool.ElicitOptions{Key: "sure"})
		return note + " " + string(answer.Action), err
	})
	first := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).call("work", "")
	first.question()
	second := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).call("work", "")
	<-looked
	first.giveUp(s)
	s.answered(t, asked(t, s)[0].ID, parley.Answer{Action: parley.Decline, Via: "page"})
	close(gone)
	id, shown := second.question()
	if shown.Message != "second?" {
		t.Errorf("asked %q", shown.Message)
	}
	second.wire.answer(id, yes)
	if got := structured[string](t, second.result()); got != "second accept" {
		t.Errorf("got %q", got)
	}
}
