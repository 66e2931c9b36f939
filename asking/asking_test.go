package asking_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/asking"
	"github.com/parley-hq/parley/permit"
)

func TestAPersonIsAskedUnderTheIDThatTheProgramKnows(t *testing.T) {
	n := newNode(t, nil)
	st := n.ask(t, ci(), asking.Question{To: "alice", From: "release bot", Message: "Which colour?", Schema: []byte(colour), Labels: map[string]string{"env": "prod"}})
	if st.To != "alice" || !st.Pending() || st.Tags["env"] != "prod" {
		t.Fatalf("%+v", st)
	}
	q, err := n.hub.Get(t.Context(), person("alice"), st.ID)
	if err != nil {
		t.Fatal(err)
	}
	if q.From != `ci ("release bot")` || q.Trigger != parley.TriggerProgram || q.Labels["tag.env"] != "prod" || q.Labels[parley.LabelAsker] != "parley-program:ci" {
		t.Errorf("%+v", q)
	}
	n.says(t, "alice", parley.Accept, `{"colour":"red"}`)
	st = n.get(t, ci(), st.ID)
	if st.Pending() || string(st.Outcome.Content) != `{"colour":"red"}` || st.Outcome.By != "alice" || st.Outcome.Via != "page" {
		t.Errorf("%+v", st.Outcome)
	}
}

// People, administrators and webhooks read the stored question.
func TestAQuestionIsOfOneTimeForItsAskerAndForWhoIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		hub := parley.New(store, &parley.Options{Hooks: []parley.Hook{parley.Before(parley.OpeningParse, func(context.Context, *parley.Opening) error {
			time.Sleep(2 * time.Millisecond) // as a disk does
			return nil
		})}})
		n := &node{store: store, hub: hub, Questions: asking.New(hub, store, &asking.Options{Groups: map[string][]string{"oncall": {"alice", "bob"}}})}
		for _, q := range []asking.Question{{To: "alice"}, {Group: "oncall"}} {
			st := n.ask(t, ci(), q)
			who := person("alice")
			if q.Group != "" {
				who = parley.GroupPrincipal("default", "oncall")
			}
			stored, err := hub.Get(t.Context(), who, st.ID)
			if err != nil {
				t.Fatal(err)
			}
			if again := n.get(t, ci(), st.ID); !st.Created.Equal(stored.Created) || !again.Created.Equal(stored.Created) {
				t.Errorf("%+v: stored at %v, its asker reads %v, then %v", q, stored.Created, st.Created, again.Created)
			}
		}
	})
}

func TestNobodyButTheAskerSeesHowItStands(t *testing.T) {
	n := newNode(t, nil)
	for _, q := range []asking.Question{{To: "alice"}, {Group: "oncall"}} {
		st := n.ask(t, ci(), q)
		other := program("ci", asking.Everybody)
		other.Tenant = "other"
		for _, by := range []parley.Principal{program("cd").Principal, other.Principal, person("alice"), person("parley-program:ci"), {}} {
			_, err := n.Get(t.Context(), by, st.ID)
			wantError(t, err, parley.ErrNotFound)
			_, err = n.Cancel(t.Context(), by, st.ID, "for fun")
			wantError(t, err, parley.ErrNotFound)
		}
		if !n.get(t, ci(), st.ID).Pending() {
			t.Error("somebody settled it")
		}
	}
}

func TestTheFirstAnswerOfAGroupSettlesItAndClosesTheOthers(t *testing.T) {
	n := newNode(t, nil)
	st := n.ask(t, ci(), asking.Question{Group: "oncall", Schema: []byte(colour)})
	alices := n.inbox(t, "alice")[0]
	n.says(t, "bob", parley.Accept, `{"colour":"red"}`)
	for _, name := range []string{"alice", "carol"} {
		if open := n.inbox(t, name); len(open) > 0 {
			t.Errorf("%s still has %d questions", name, len(open))
		}
	}
	if q, _ := n.hub.Get(t.Context(), person("alice"), alices.ID); q.Outcome == nil || q.Outcome.Reason != "withdrawn: answered by bob" {
		t.Errorf("alice is told %+v", q.Outcome)
	}
	st = n.get(t, ci(), st.ID)
	if st.Outcome == nil || st.Outcome.By != "bob" || string(st.Outcome.Content) != `{"colour":"red"}` || st.Group != "oncall" || st.To != "" {
		t.Errorf("%+v", st)
	}
	if q, err := n.hub.Get(t.Context(), parley.GroupPrincipal("default", "oncall"), st.ID); err != nil || q.Pending() {
		t.Errorf("the group's question: %+v, %v", q, err)
	}
}

func TestAGroupOfWhomTwoAreNeededHasTwoAnswersInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, nil)
		st := n.ask(t, ci(), asking.Question{Group: "oncall", Need: 2, Schema: []byte(colour)})
		n.says(t, "carol", parley.Accept, `{"colour":"red"}`)
		time.Sleep(time.Second)
		if !n.get(t, ci(), st.ID).Pending() {
			t.Fatal("one was enough")
		}
		n.says(t, "alice", parley.Accept, `{"colour":"blue"}`)
		st = n.get(t, ci(), st.ID)
		var got []string
		for _, a := range st.Answers {
			got = append(got, a.By+" "+string(a.Content))
		}
		if diff := cmp.Diff([]string{`carol {"colour":"red"}`, `alice {"colour":"blue"}`}, got); diff != "" {
			t.Error(diff)
		}
		if st.Outcome.Action != parley.Accept || st.Outcome.Content != nil {
			t.Errorf("%+v", st.Outcome)
		}
		if len(n.inbox(t, "bob")) > 0 {
			t.Error("bob is still asked")
		}
	})
}

func TestAGroupOfWhomTooManyDeclineHasDeclined(t *testing.T) {
	n := newNode(t, nil)
	st := n.ask(t, ci(), asking.Question{Group: "oncall", Need: 2})
	n.says(t, "alice", parley.Decline, "")
	if !n.get(t, ci(), st.ID).Pending() {
		t.Fatal("the others were not waited for")
	}
	n.says(t, "carol", parley.Decline, "")
	st = n.get(t, ci(), st.ID)
	if st.Outcome == nil || st.Outcome.Action != parley.Decline || st.Outcome.By != "alice, carol" {
		t.Errorf("%+v", st.Outcome)
	}
	if len(n.inbox(t, "bob")) > 0 {
		t.Error("bob is still asked")
	}
}

func TestAProgramIsToldHowItWasDeclined(t *testing.T) {
	n := newNode(t, nil)
	one := n.ask(t, ci(), asking.Question{To: "alice"})
	n.says(t, "alice", parley.Decline, "")
	if got := n.get(t, ci(), one.ID).Outcome; got == nil || got.By != "alice" || got.Via != "page" {
		t.Errorf("%+v", got)
	}
	for _, bobs := range []string{"page", "terminal"} {
		some := n.ask(t, ci(), asking.Question{Group: "oncall", Need: 2})
		n.says(t, "alice", parley.Decline, "")
		err := n.hub.Answer(t.Context(), person("bob"), n.inbox(t, "bob")[0].ID, parley.Answer{Action: parley.Decline, Via: bobs})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"page": "page"}[bobs] // of two ways it is neither
		if got := n.get(t, ci(), some.ID).Outcome; got == nil || got.By != "alice, bob" || got.Via != want {
			t.Errorf("%+v, want %q", got, want)
		}
	}
}

func TestADenialNeverLooksLikeAnAcceptance(t *testing.T) {
	n := newNode(t, nil)
	action := &asking.Action{Title: "Drop the table", Details: []byte(`{"table":"users","rows":12}`)}
	st := n.ask(t, ci(), asking.Question{To: "alice", Message: "It is\nold.", Action: action})
	q := n.inbox(t, "alice")[0]
	want := "Allow this action?\n\nAction: \"Drop the table\"\nReason: \"It is\\nold.\"\nDetails:\n{\n  \"rows\": 12,\n  \"table\": \"users\"\n}"
	if q.Trigger != parley.TriggerApproval || q.Message != want {
		t.Errorf("%s: %s", q.Trigger, q.Message)
	}
	n.says(t, "alice", parley.Accept, `{"decision":"deny"}`)
	if st = n.get(t, ci(), st.ID); st.Decision != permit.Refuse {
		t.Errorf("decision %q", st.Decision)
	}
	two := n.ask(t, ci(), asking.Question{Group: "oncall", Need: 2, Action: action})
	bobs := n.inbox(t, "bob")[0]
	n.says(t, "bob", parley.Accept, `{"decision":"allow_once"}`)
	if final, err := n.Final(t.Context(), bobs); final != "" || err != nil {
		t.Errorf("undecided: %q, %v", final, err)
	}
	n.says(t, "alice", parley.Accept, `{"decision":"deny"}`)
	if two = n.get(t, ci(), two.ID); two.Decision != permit.Refuse || two.Answers[0].Decision == two.Answers[1].Decision {
		t.Errorf("%+v", two)
	}
	if final, err := n.Final(t.Context(), bobs); final != permit.Refuse || err != nil {
		t.Errorf("bob reads %q, %v", final, err)
	}
}

func TestWhatSeveralAllowedIsAllowedInTheEnd(t *testing.T) {
	n := newNode(t, nil)
	st := n.ask(t, ci(), asking.Question{Group: "oncall", Need: 1, Action: &asking.Action{Title: "Drop the table"}})
	bobs := n.inbox(t, "bob")[0]
	n.says(t, "bob", parley.Accept, `{"decision":"allow_once"}`)
	n.get(t, ci(), st.ID)
	if final, err := n.Final(t.Context(), bobs); final != permit.AllowOnce || err != nil {
		t.Errorf("%q, %v", final, err)
	}
}

func TestWhomAProgramMayAskStandsWithItsKey(t *testing.T) {
	n := newNode(t, nil)
	for _, c := range []struct {
		may []string
		q   asking.Question
		ok  bool
	}{
		{nil, asking.Question{To: "alice"}, false},
		{[]string{"alice"}, asking.Question{To: "alice"}, true},
		{[]string{"alice"}, asking.Question{To: "bob"}, false},
		{[]string{"alice", "bob", "carol"}, asking.Question{Group: "oncall"}, false},
		{[]string{"group:oncall"}, asking.Question{Group: "oncall"}, true},
		{[]string{"group:oncall"}, asking.Question{To: "alice"}, false},
		{[]string{"oncall"}, asking.Question{Group: "oncall"}, false},
		{[]string{"*"}, asking.Question{Group: "oncall"}, true},
	} {
		c.q.Message = "Really?"
		_, _, err := n.Ask(t.Context(), program("ci", c.may...), c.q)
		if c.ok != (err == nil) || !c.ok && !errors.Is(err, asking.ErrMayNotAsk) {
			t.Errorf("%v asks %s%s: %v", c.may, c.q.To, c.q.Group, err)
		}
	}
}

func TestWhatIsWrongWithAQuestionIsNamed(t *testing.T) {
	n := newNode(t, nil)
	long := strings.Repeat("x", 300)
	for member, q := range map[string]asking.Question{
		"to":               {Message: "Really?"},
		"group":            {Message: "Really?", Group: "nobody"},
		"need":             {Message: "Really?", Group: "oncall", Need: 4},
		"message":          {To: "alice"},
		"requested_schema": {To: "alice", Message: "Really?", Schema: []byte(`{"type":"object","properties":{"a":{"type":"object"}}}`)},
		"url":              {To: "alice", Message: "Really?", URL: "http://example.com"},
		"action":           {To: "alice", Action: &asking.Action{Title: "Go", Details: []byte(`[]`)}},
		"from":             {To: "alice", Message: "Really?", From: long},
		"idempotency_key":  {To: "alice", Message: "Really?", Key: long},
		"labels":           {To: "alice", Message: "Really?", Labels: map[string]string{"A B": "c"}},
		"callback_url":     {To: "alice", Message: "Really?", Callback: "https://example.com"},
	} {
		_, _, err := n.Ask(t.Context(), ci(), q)
		wantFault(t, err, member)
	}
	_, _, err := n.Ask(t.Context(), ci(), asking.Question{To: "alice", Message: "Really?", Schema: []byte(colour), URL: "https://example.com"})
	wantFault(t, err, "requested_schema")
	for _, from := range []string{"bank] you [x", strings.Repeat("\x01", 100)} {
		_, _, err = n.Ask(t.Context(), ci(), asking.Question{To: "alice", Message: "Really?", From: from})
		wantFault(t, err, "from")
	}
	_, _, err = n.Ask(t.Context(), ci(), asking.Question{To: "alice", Message: "Really?", Labels: map[string]string{"a": "b\x00"}})
	wantFault(t, err, "labels")
}

// Whatever a form has too much of is the asker's to mend.
// may_ask has groups by another spelling than a question has.
func TestAGroupIsNotAPersonOfItsName(t *testing.T) {
	n := newNode(t, nil)
	for _, whom := range []string{"group:oncall", asking.Everybody} {
		_, _, err := n.Ask(t.Context(), program("ci", whom), asking.Question{To: "group:oncall", Message: "Really?"})
		wantFault(t, err, "to")
		if err == nil || !strings.Contains(err.Error(), `"group": "oncall"`) {
			t.Errorf("it says %v", err)
		}
	}
}

func TestAFormThatIsTooLargeIsTheAskersFault(t *testing.T) {
	n := newNode(t, nil)
	many, options := map[string]any{}, []string{}
	for i := range 5000 {
		many[fmt.Sprintf("f%d", i)] = map[string]any{"type": "string"}
		options = append(options, fmt.Sprint(i))
	}
	deep := strings.Repeat(`{"x-a":`, 50) + "1" + strings.Repeat("}", 50)
	for name, properties := range map[string]any{
		"many fields": many, "many options": map[string]any{"a": map[string]any{"type": "string", "enum": options}},
		"many bytes":  map[string]any{"a": map[string]any{"type": "string", "description": strings.Repeat("x", 100<<10)}},
		"many levels": map[string]any{"a": map[string]any{"type": "string", "x-a": json.RawMessage(deep)}},
	} {
		schema, err := json.Marshal(map[string]any{"type": "object", "properties": properties})
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = n.Ask(t.Context(), ci(), asking.Question{To: "alice", Message: "Really?", Schema: schema})
		t.Log(name)
		wantFault(t, err, "requested_schema")
	}
}

func TestTheSameQuestionUnderTheSameKeyIsAskedOnce(t *testing.T) {
	n := newNode(t, nil)
	q := asking.Question{Group: "oncall", Message: "Once?", Key: "k1"}
	ids, news := map[parley.ID]int{}, 0
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			st, isNew, err := n.Ask(t.Context(), ci(), q)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if ids[st.ID]++; isNew {
				news++
			}
		})
	}
	all.Wait()
	if len(ids) != 1 || len(n.inbox(t, "bob")) != 1 || news != 1 {
		t.Errorf("ids %v, new %d", ids, news)
	}
	again, isNew, err := n.Ask(t.Context(), ci(), q)
	if err != nil || isNew || ids[again.ID] == 0 {
		t.Errorf("%v, new %t, %v", again.ID, isNew, err)
	}
	q.Message = "Twice?"
	_, _, err = n.Ask(t.Context(), ci(), q)
	wantError(t, err, asking.ErrKeyUsed)
	other, isNew, err := n.Ask(t.Context(), program("cd", asking.Everybody), q)
	if err != nil || !isNew || ids[other.ID] > 0 {
		t.Errorf("another program's key: %v, %t, %v", other.ID, isNew, err)
	}
}

// What was not asked does not count: whoever withdraws what is open can ask on.
func TestRefusedAttemptsDoNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, &asking.Options{PerHour: 40})
		var open []parley.ID
		for range 20 {
			open = append(open, n.ask(t, ci(), asking.Question{To: "alice"}).ID)
		}
		for i := range 100 {
			for _, q := range []asking.Question{
				{To: "alice", Message: "More?", Key: fmt.Sprint("one ", i)},
				{Group: "oncall", Need: 3, Message: "More?"}, // bob and carol could be asked, alice cannot
			} {
				_, _, err := n.Ask(t.Context(), ci(), q)
				wantError(t, err, asking.ErrOften)
				wantError(t, err, parley.ErrTooManyPending)
			}
		}
		for _, id := range open {
			if _, err := n.Cancel(t.Context(), ci().Principal, id, "enough"); err != nil {
				t.Fatal(err)
			}
		}
		asked := func(name string) (count int) {
			for ; count < 50; count++ {
				st, _, err := n.Ask(t.Context(), ci(), asking.Question{To: name, Message: "And now?"})
				if err != nil {
					wantError(t, err, asking.ErrOften)
					break
				}
				if _, err := n.Cancel(t.Context(), ci().Principal, st.ID, "enough"); err != nil {
					t.Fatal(err)
				}
			}
			return count
		}
		if alice, bob := asked("alice"), asked("bob"); alice != 20 || bob != 40 {
			t.Errorf("after what was refused alice can be asked %d times, bob %d", alice, bob)
		}
	})
}

func TestNobodyIsFloodedByAProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, &asking.Options{PerHour: 30})
		q := asking.Question{To: "alice", Message: "And now?", Key: "key"}
		asked := 0
		for ; asked < 40; asked++ {
			q.Key += "x"
			if _, _, err := n.Ask(t.Context(), ci(), q); err != nil {
				wantError(t, err, asking.ErrOften)
				wantError(t, err, parley.ErrTooManyPending)
				break
			}
		}
		if asked != 20 || len(n.inbox(t, "alice")) != 20 {
			t.Fatalf("%d open at once", asked)
		}
		for _, open := range n.inbox(t, "alice") {
			if err := n.hub.Answer(t.Context(), person("alice"), open.ID, parley.Answer{Action: parley.Decline, Via: "page"}); err != nil {
				t.Fatal(err)
			}
		}
		if st, isNew, err := n.Ask(t.Context(), ci(), q); err != nil || !isNew || !st.Pending() {
			t.Errorf("under the key of what could not be asked: %t, %v", isNew, err)
		}
		var often *asking.OftenError
		for range 10 {
			q.Key += "x"
			if _, _, err := n.Ask(t.Context(), ci(), q); errors.As(err, &often) {
				break
			}
		}
		if often == nil || often.Wait <= 0 {
			t.Fatal("an hour has no bound")
		}
		n.ask(t, program("cd", asking.Everybody), asking.Question{To: "alice"})
		n.ask(t, ci(), asking.Question{To: "bob"})
		time.Sleep(often.Wait)
		n.ask(t, ci(), q)
	})
}

func TestAProgramThatWaitsIsToldWhenItIsSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, nil)
		for _, q := range []asking.Question{{To: "alice"}, {Group: "oncall"}} {
			st := n.ask(t, ci(), q)
			ctx, leave := context.WithTimeout(t.Context(), time.Minute)
			if got, err := n.Wait(ctx, ci().Principal, st.ID); err != nil || !got.Pending() {
				t.Errorf("after a minute: %+v, %v", got.Outcome, err)
			}
			leave()
			go func() {
				time.Sleep(time.Hour)
				n.says(t, "alice", parley.Accept, "")
			}()
			before := time.Now()
			got, err := n.Wait(t.Context(), ci().Principal, st.ID)
			if err != nil || got.Pending() || got.Outcome.By != "alice" || time.Since(before) != time.Hour {
				t.Errorf("after %v: %+v, %v", time.Since(before), got.Outcome, err)
			}
		}
	})
}

func TestWhatNobodyAnswersExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(t, nil)
		ctx, stop := context.WithCancel(t.Context())
		go func() { _ = n.hub.Run(ctx) }()
		go func() { _ = n.Run(ctx) }()
		one := n.ask(t, ci(), asking.Question{To: "alice", TTL: time.Hour})
		some := n.ask(t, ci(), asking.Question{Group: "oncall", TTL: time.Hour})
		for _, st := range []asking.Standing{one, some} {
			got, err := n.Wait(t.Context(), ci().Principal, st.ID)
			if err != nil || got.Outcome.Action != parley.Expire {
				t.Errorf("%+v, %v", got.Outcome, err)
			}
		}
		stop()
		synctest.Wait()
	})
}

func TestAProgramWithdrawsWhatItAsked(t *testing.T) {
	n := newNode(t, nil)
	for _, q := range []asking.Question{{To: "alice"}, {Group: "oncall"}} {
		st := n.ask(t, ci(), q)
		st, err := n.Cancel(t.Context(), ci().Principal, st.ID, "by the program that asked")
		if err != nil || st.Outcome == nil || st.Outcome.Action != parley.Cancel || st.Outcome.Reason != "withdrawn: by the program that asked" {
			t.Errorf("%+v, %v", st.Outcome, err)
		}
		if len(n.inbox(t, "alice")) > 0 {
			t.Error("alice is still asked")
		}
		_, err = n.Cancel(t.Context(), ci().Principal, st.ID, "again")
		wantError(t, err, parley.ErrSettled)
	}
}
