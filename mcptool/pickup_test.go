package mcptool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

const deletion = `{"userId":"7"}`

// giveUp cancels a call, as clients do that lose patience, and waits until the
// server has let go of it.
func (x *exchange) giveUp(s *site) {
	x.wire.t.Helper()
	x.wire.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": map[string]any{"requestId": x.id}})
	abandoned(x.wire.t, s)
}

// abandoned waits until the one journal there is can be taken up.
func abandoned(t *testing.T, s *site) {
	t.Helper()
	soon(t, "the call is given up", func() bool {
		left, err := s.store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: "mcp.call"}, "", 0)
		return err == nil && len(left) == 1 && strings.Contains(string(left[0].Data), `"abandoned":true`)
	})
}

// asked returns every question there was.
func asked(t *testing.T, s *site) []parley.Request {
	t.Helper()
	all, err := s.store.List(t.Context(), parley.Query{})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestACallThatWasGivenUpPicksUpItsOpenQuestion(t *testing.T) {
	for name, again := range map[string]func(t *testing.T, s *site, first *exchange) *wire{
		"in the same session": func(_ *testing.T, s *site, first *exchange) *wire {
			first.giveUp(s)
			return first.wire
		},
		"in another session": func(t *testing.T, s *site, first *exchange) *wire {
			first.giveUp(s)
			return s.dial(t, &wire{capabilities: canAsk, user: first.wire.user})
		},
		"after the session ended": func(t *testing.T, s *site, first *exchange) *wire {
			if first.wire.user == "" {
				first.giveUp(s) // the session is the person
				return first.wire
			}
			first.wire.close()
			abandoned(t, s)
			return s.dial(t, &wire{capabilities: canAsk, user: first.wire.user})
		},
	} {
		for _, user := range []string{"alice", ""} {
			if user == "" && name != "in the same session" {
				continue
			}
			t.Run(name+" by "+user, func(t *testing.T) {
				s := newSite(t, mcptool.Options{})
				addDelete(s, nil)
				first := s.dial(t, &wire{capabilities: canAsk, user: user}).call("delete-account", deletion)
				first.question()
				before := asked(t, s)
				second := again(t, s, first).call("delete-account", `{ "userId" : "7" }`)
				id, shown := second.question()
				if now := asked(t, s); len(before) != 1 || len(now) != 1 || now[0].ID != before[0].ID || shown.Message != before[0].Message {
					t.Errorf("asked %+v, then %+v", before, now)
				}
				second.wire.answer(id, yes)
				if got := structured[deleted](t, second.result()); !got.Confirmed {
					t.Errorf("got %+v", got)
				}
				noJournalLeft(t, s)
			})
		}
	}
}

func TestACallThatWasGivenUpPicksUpTheGivenAnswer(t *testing.T) {
	for name, answer := range map[string]func(t *testing.T, s *site, first *exchange, id json.RawMessage){
		"what was on the screen": func(t *testing.T, s *site, first *exchange, id json.RawMessage) {
			first.wire.answer(id, yes)
			soon(t, "the answer is in", func() bool { return len(openQuestions(t, s)) == 0 })
		},
		"somewhere else": func(t *testing.T, s *site, _ *exchange, _ json.RawMessage) {
			err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, asked(t, s)[0].ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`)})
			if err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, mcptool.Options{})
			addDelete(s, nil)
			first := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).call("delete-account", deletion)
			id, _ := first.question()
			first.giveUp(s)
			answer(t, s, first, id)
			m := first.wire.call("delete-account", deletion).next()
			if m.Method != "" || !strings.Contains(string(m.Result), `"confirmed":true`) {
				t.Errorf("got %s %s %s; want the result without a question", m.Method, m.Params, m.Result)
			}
			if len(asked(t, s)) != 1 {
				t.Errorf("asked %d questions", len(asked(t, s)))
			}
		})
	}
}

// Both prompts are on the screen: the one of the call that was given up, and its
// repetition. Whichever is answered, the other goes.
func TestAnAnswerToTheFirstPromptTakesTheSecondOffTheScreen(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addDelete(s, nil)
	first := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).call("delete-account", deletion)
	old, _ := first.question()
	first.giveUp(s)
	second := first.wire.call("delete-account", deletion)
	repeated, _ := second.question()
	first.wire.answer(old, yes)
	m := second.next()
	if m.Method != "notifications/cancelled" || !strings.Contains(string(m.Params), `"requestId":`+string(repeated)) {
		t.Errorf("got %s %s, want the second prompt cancelled", m.Method, m.Params)
	}
	if m.Method != "" {
		m = second.end()
	}
	if !strings.Contains(string(m.Result), `"confirmed":true`) {
		t.Errorf("result %s", m.Result)
	}
}

func TestAnothersCallIsNotPickedUp(t *testing.T) {
	for _, c := range []struct {
		name            string
		whose, by       string
		arguments, tool string
	}{
		{"another person", "alice", "bob", deletion, "delete-account"},
		{"nobody for somebody", "alice", "", deletion, "delete-account"},
		{"another session of nobody's", "", "", deletion, "delete-account"},
		{"other arguments", "alice", "alice", `{"userId":"8"}`, "delete-account"},
		{"another tool", "alice", "alice", deletion, "delete-mailbox"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, mcptool.Options{})
			addDelete(s, nil)
			mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "delete-mailbox"}, func(ctx context.Context, call *mcptool.Call, in account) (string, error) {
				answer, err := mcptool.Elicit[confirm](ctx, call, "Delete account "+in.UserID+"?", nil)
				return string(answer.Action), err
			})
			first := s.dial(t, &wire{capabilities: canAsk, user: c.whose}).call("delete-account", deletion)
			old, _ := first.question()
			first.giveUp(s)
			second := s.dial(t, &wire{capabilities: canAsk, user: c.by}).call(c.tool, c.arguments)
			id, _ := second.question()
			if all := asked(t, s); len(all) != 2 {
				t.Fatalf("%d questions were asked, want one for each", len(all))
			}
			first.wire.answer(old, yes) // which is for the first only
			second.wire.answer(id, `{"action":"decline"}`)
			if r := second.result(); !strings.Contains(text(r), "decline") {
				t.Errorf("the second call got %q", text(r))
			}
		})
	}
}

func TestTwoIdenticalCallsAreTwoQuestions(t *testing.T) {
	for _, user := range []string{"alice", ""} {
		s := newSite(t, mcptool.Options{})
		addDelete(s, nil)
		w := s.dial(t, &wire{capabilities: canAsk, user: user})
		first := w.call("delete-account", deletion)
		a, _ := first.question()
		second := w.call("delete-account", deletion)
		b, _ := second.question()
		w.answer(a, yes)
		w.answer(b, `{"action":"decline"}`)
		one, two := structured[deleted](t, first.result()), structured[deleted](t, second.result())
		if one.Status != "accept" || two.Status != "decline" || len(asked(t, s)) != 2 {
			t.Errorf("%q: got %+v and %+v for %d questions", user, one, two, len(asked(t, s)))
		}
	}
}

func TestAGivenUpCallIsPickedUpByOneOnly(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addDelete(s, nil)
	w := s.dial(t, &wire{capabilities: canAsk, user: "alice"})
	first := w.call("delete-account", deletion)
	first.question()
	first.giveUp(s)
	atOnce(4, func(int) {
		x := w.call("delete-account", deletion)
		id, _ := x.question()
		w.answer(id, yes)
		if got := structured[deleted](t, x.result()); !got.Confirmed {
			t.Errorf("got %+v", got)
		}
	})
	if all := asked(t, s); len(all) != 4 {
		t.Errorf("%d questions for four calls", len(all))
	}
}

func TestACallIsNotPickedUpAfterItsEnd(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		addDelete(s, nil)
		c := s.connect(t, clientOptions{era: era, user: "alice", person: accept(map[string]any{"confirmed": true})})
		for n := range 3 {
			call(t, c, "delete-account", account{"7"})
			if all := asked(t, s); len(all) != n+1 {
				t.Errorf("%d questions after %d calls", len(all), n+1)
			}
		}
	})
}

func TestAQuestionThatHasExpiredIsAskedAnew(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addDelete(s, nil)
	first := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).call("delete-account", deletion)
	first.question()
	first.giveUp(s)
	err := s.store.Settle(t.Context(), asked(t, s)[0].ID, parley.Outcome{Action: parley.Expire, Reason: "expired", At: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	second := first.wire.call("delete-account", deletion)
	id, _ := second.question()
	second.wire.answer(id, yes)
	if got := structured[deleted](t, second.result()); !got.Confirmed || len(asked(t, s)) != 2 {
		t.Errorf("got %+v with %d questions", got, len(asked(t, s)))
	}
}

// Clients give up after a minute; people take longer.
func TestAClientThatGivesUpEveryMinuteFindsItsQuestionAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLocal(t, mcptool.Options{TTL: 5 * time.Minute})
		addDelete(s, nil)
		prompts := 0
		c := s.pipe(t, clientOptions{era: legacy, person: func(ctx context.Context, _ *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			if prompts++; prompts < 4 || prompts == 5 {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true}}, nil
		}})
		defer c.Close()
		delete := func() (*mcp.CallToolResult, error) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			defer synctest.Wait()
			return c.CallTool(ctx, &mcp.CallToolParams{Name: "delete-account", Arguments: account{"7"}})
		}
		for range 3 {
			if _, err := delete(); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("the call ended with %v", err)
			}
		}
		if r, err := delete(); err != nil || !structured[deleted](t, r).Confirmed || len(asked(t, s)) != 1 {
			t.Errorf("got %+v, %v with %d questions", r, err, len(asked(t, s)))
		}
		_, _ = delete()
		time.Sleep(7 * time.Minute) // longer than the question is open
		if r, err := delete(); err != nil || !structured[deleted](t, r).Confirmed || len(asked(t, s)) != 3 {
			t.Errorf("after the TTL: got %+v, %v with %d questions", r, err, len(asked(t, s)))
		}
	})
}

// The prompt outlives the call that was given up, and no longer than its question.
func TestThePromptOfACallThatWasGivenUpLeavesTheScreenWithItsQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLocal(t, mcptool.Options{TTL: 5 * time.Minute})
		addDelete(s, nil)
		shown := new(atomic.Int64)
		c := s.pipe(t, clientOptions{era: legacy, person: func(ctx context.Context, _ *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			shown.Add(1)
			<-ctx.Done()
			shown.Add(-1)
			return nil, ctx.Err()
		}})
		defer c.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "delete-account", Arguments: account{"7"}}); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("the call ended with %v", err)
		}
		synctest.Wait()
		q := asked(t, s)[0]
		if shown.Load() != 1 || !q.Pending() {
			t.Fatalf("%d prompts are shown for %+v", shown.Load(), q)
		}
		if err := s.hub.Cancel(t.Context(), q.ID, "it was answered elsewhere"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if shown.Load() != 0 {
			t.Error("the prompt is still shown")
		}
	})
}

func TestTheResultOfACallWhoseClientHadGoneIsKeptForIt(t *testing.T) {
	for _, user := range []string{"alice", ""} {
		s := newSite(t, mcptool.Options{})
		work := new(atomic.Int64)
		answered, proceed := make(chan struct{}, 1), make(chan struct{})
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "work"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (int64, error) {
			if _, err := mcptool.Elicit[confirm](ctx, call, "Sure?", nil); err != nil {
				return 0, err
			}
			answered <- struct{}{}
			<-proceed // whoever waits for it
			return work.Add(1), nil
		})
		first := s.dial(t, &wire{capabilities: canAsk, user: user}).call("work", "")
		id, _ := first.question()
		first.wire.answer(id, yes)
		<-answered
		first.wire.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": map[string]any{"requestId": first.id}})
		// A ping behind it: the cancellation is in.
		if m := first.wire.begin("ping", map[string]any{}).end(); m.Error != nil {
			t.Fatal(m.Error)
		}
		close(proceed)
		abandoned(t, s)
		m := first.wire.call("work", "").next()
		if m.Method != "" || !strings.Contains(string(m.Result), `"structuredContent":{"result":1}`) || work.Load() != 1 {
			t.Errorf("%q: got %s %s after %d times the work", user, m.Method, m.Result, work.Load())
		}
		third := first.wire.call("work", "") // the result is given once
		id, _ = third.question()
		third.wire.answer(id, `{"action":"decline"}`)
		<-answered
		third.result()
	}
}

func TestAPromptWhoseClientHadGoneIsMadeAgainWithoutAsking(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	answered, proceed := make(chan struct{}, 2), make(chan struct{})
	mcptool.AddPrompt(s.asker, s.server, &mcp.Prompt{Name: "greet"}, func(ctx context.Context, call *mcptool.Call, _ *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		who, err := mcptool.Elicit[name](ctx, call, "Your name?", nil)
		if err != nil {
			return nil, err
		}
		answered <- struct{}{}
		<-proceed
		return &mcp.GetPromptResult{Description: "Hello " + who.Content.Name}, nil
	})
	first := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).begin("prompts/get", map[string]any{"name": "greet"})
	id, _ := first.question()
	first.wire.answer(id, `{"action":"accept","content":{"name":"Ada"}}`)
	<-answered
	first.wire.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": map[string]any{"requestId": first.id}})
	if m := first.wire.begin("ping", map[string]any{}).end(); m.Error != nil {
		t.Fatal(m.Error)
	}
	close(proceed)
	abandoned(t, s)
	m := first.wire.begin("prompts/get", map[string]any{"name": "greet"}).next()
	if m.Method != "" || m.Error != nil || !strings.Contains(string(m.Result), "Hello Ada") {
		t.Errorf("got %s %s, error %+v", m.Method, m.Result, m.Error)
	}
}

// heldRetry brings a call of 2026-07-28 to where its client waits for somebody
// at a page, and returns that exchange and its parameters.
func heldRetry(t *testing.T, s *site, user string) (*exchange, map[string]any) {
	t.Helper()
	w := s.dial(t, &wire{era: modern, capabilities: canAsk, user: user})
	first := w.call("connect", "").result()
	params := map[string]any{
		"name": "connect", "arguments": map[string]any{}, "requestState": first.RequestState,
		"inputResponses": map[string]any{"q1": map[string]any{"action": "accept"}},
	}
	held := w.begin("tools/call", params)
	soon(t, "the retry is held", func() bool {
		left, err := s.store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: "mcp.call"}, "", 0)
		return err == nil && len(left) == 1 && strings.Contains(string(left[0].Data), `"node":`)
	})
	return held, params
}

func TestAHeldRetryThatBrokeOffIsSentAgain(t *testing.T) {
	for _, user := range []string{"alice", ""} {
		s := newSite(t, mcptool.Options{})
		addConnect(s, nil)
		held, params := heldRetry(t, s, user)
		held.drop()
		abandoned(t, s)
		again := held.wire.begin("tools/call", params)
		q := asked(t, s)
		if err := s.hub.Answer(t.Context(), parley.OwnerOf(q[0].Tenant, q[0].To), q[0].ID, parley.Answer{Action: parley.Accept}); err != nil {
			t.Fatal(err)
		}
		if got := structured[string](t, again.result()); got != "accept" || len(asked(t, s)) != 1 {
			t.Errorf("%q: got %q with %d questions", user, got, len(asked(t, s)))
		}
		noJournalLeft(t, s)
	}
}

// A retry whose client has gone ends with a result. The same retry gets that, and the
// work is not done once more for nobody.
func TestARetryThatWasGivenUpHasItsResultAndIsNotRunAgain(t *testing.T) {
	for _, user := range []string{"alice", ""} {
		s := newSite(t, mcptool.Options{})
		work, working := new(atomic.Int64), make(chan struct{}, 2)
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "work"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (int64, error) {
			if _, err := mcptool.Elicit[confirm](ctx, call, "Sure?", nil); err != nil {
				return 0, err
			}
			working <- struct{}{}
			if work.Load() == 0 {
				<-ctx.Done() // the client has gone
			}
			return work.Add(1), nil
		})
		w := s.dial(t, &wire{era: modern, capabilities: canAsk, user: user})
		params := map[string]any{
			"name": "work", "arguments": map[string]any{}, "requestState": w.call("work", "").result().RequestState,
			"inputResponses": map[string]any{"q1": map[string]any{"action": "accept", "content": map[string]any{"confirmed": true}}},
		}
		retry := w.begin("tools/call", params)
		<-working
		retry.drop()
		abandoned(t, s)
		if got := structured[int64](t, w.begin("tools/call", params).result()); got != 1 || work.Load() != 1 {
			t.Errorf("%q: got %d after %d times the work", user, got, work.Load())
		}
		noJournalLeft(t, s)
	}
}

func TestACallAfterABrokenRetryPicksUpTheQuestionOrTheAnswer(t *testing.T) {
	for _, answered := range []bool{false, true} {
		s := newSite(t, mcptool.Options{})
		addConnect(s, nil)
		held, _ := heldRetry(t, s, "alice")
		held.drop()
		abandoned(t, s)
		q := asked(t, s)
		answer := func() {
			if err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, q[0].ID, parley.Answer{Action: parley.Accept}); err != nil {
				t.Fatal(err)
			}
		}
		if answered {
			answer()
		}
		r := held.wire.call("connect", "").result()
		if !answered {
			if r.RequestState == "" {
				t.Fatalf("result %+v", r)
			}
			answer()
			r = held.wire.begin("tools/call", map[string]any{"name": "connect", "arguments": map[string]any{}, "requestState": r.RequestState}).result()
		}
		if got := structured[string](t, r); got != "accept" || len(asked(t, s)) != 1 {
			t.Errorf("answered before %t: got %q with %d questions", answered, got, len(asked(t, s)))
		}
		bob := s.dial(t, &wire{era: modern, capabilities: canAsk, user: "bob"}).call("connect", "").result()
		if bob.RequestState == "" || len(asked(t, s)) != 2 {
			t.Errorf("bob got %+v", bob)
		}
	}
}

func TestWorkThatWasBegunAndNeverFinishedIsNotRepeated(t *testing.T) {
	nodes := pair(t, mcptool.Options{})
	begun, release := make(chan struct{}), make(chan struct{})
	charges := new(atomic.Int64)
	for _, n := range nodes {
		mcptool.AddTool(n.asker, n.server, &mcp.Tool{Name: "pay"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			if _, err := mcptool.Elicit[confirm](ctx, call, "Pay?", nil); err != nil {
				return "", err
			}
			err := call.Once(ctx, "charge", func(context.Context) error {
				charges.Add(1)
				close(begun)
				<-release
				return nil
			})
			if errors.Is(err, mcptool.ErrInterrupted) {
				return "interrupted", nil
			}
			return "paid", err
		})
	}
	x := nodes[0].dial(t, &wire{capabilities: canAsk, user: "alice"}).call("pay", "")
	t.Cleanup(func() { close(release) })
	id, _ := x.question()
	x.wire.answer(id, yes)
	<-begun
	nodes[0].kill()
	m := nodes[1].dial(t, &wire{capabilities: canAsk, user: "alice"}).call("pay", "").next()
	if m.Method != "" || !strings.Contains(string(m.Result), `"interrupted"`) || charges.Load() != 1 {
		t.Errorf("got %s %s after %d charges", m.Method, m.Result, charges.Load())
	}
}

func TestWorkThatFailedMayBeTriedAgainAndItsResultIsRemembered(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		tries := new(atomic.Int64)
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "pay"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			charge := func() (string, error) {
				return mcptool.Once(ctx, call, "charge", func(context.Context) (string, error) {
					n := tries.Add(1)
					if n == 1 {
						return "", errors.New("card refused")
					}
					return fmt.Sprint("receipt ", n), nil
				})
			}
			if _, err := charge(); err != nil && tries.Load() != 1 {
				return "", err
			}
			before, err := charge()
			if err != nil {
				return "", err
			}
			if _, err := mcptool.Elicit[confirm](ctx, call, "Another?", nil); err != nil {
				return "", err
			}
			after, err := charge()
			return before + ", " + after, err
		})
		c := s.connect(t, clientOptions{era: era, person: accept(map[string]any{"confirmed": true})})
		if got := structured[string](t, call(t, c, "pay", nil)); got != "receipt 2, receipt 2" || tries.Load() != 2 {
			t.Errorf("got %q after %d tries", got, tries.Load())
		}
	})
}

// Within the grace time after a call was given up nothing of it is on another
// person's list, and its owner sees one question.
func TestTheOwnerSeesOneQuestionOfACallThatWasRepeated(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addDelete(s, nil)
	w := s.dial(t, &wire{capabilities: canAsk, user: "alice"})
	for range 5 {
		x := w.call("delete-account", deletion)
		x.question()
		x.giveUp(s)
	}
	for user, want := range map[string]int{"alice": 1, "bob": 0} {
		list, err := s.hub.List(t.Context(), parley.Principal{User: user}, parley.Query{Pending: true})
		if err != nil || len(list) != want {
			t.Errorf("%s sees %d questions, %v", user, len(list), err)
		}
	}
	if status := w.close(); status != http.StatusNoContent {
		t.Errorf("DELETE: status %d", status)
	}
}
