package parley_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

var alice = parley.Principal{User: "alice", Method: "session"}

// confirm is a question to alice.
func confirm() parley.Request {
	return parley.Request{
		To:      "alice",
		From:    "tracker",
		Message: "Delete account 7?",
		Schema:  json.RawMessage(`{"type":"object","properties":{"confirmed":{"type":"boolean"}},"required":["confirmed"]}`),
	}
}

func open(t *testing.T, hub *parley.Hub, r parley.Request) parley.Request {
	t.Helper()
	r, err := hub.Open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func yes() parley.Answer {
	return parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"confirmed":true}`), Via: "test"}
}

func wantError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error %v, want %v", err, want)
	}
}

// run runs the hub until the test ends.
func run(t *testing.T, hub *parley.Hub) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- hub.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-done
	})
}

// asked waits for an outcome in the background.
func asked(t *testing.T, hub *parley.Hub, id parley.ID) <-chan parley.Outcome {
	came := make(chan parley.Outcome, 1)
	go func() {
		defer close(came)
		o, err := hub.Wait(t.Context(), id)
		if err != nil {
			t.Errorf("Wait: %v", err)
			return
		}
		came <- o
	}()
	return came
}

func TestAnAnswerReachesWhoeverWaits(t *testing.T) {
	for _, answer := range []parley.Answer{
		yes(),
		{Action: parley.Decline, Via: "test"},
		{Action: parley.Cancel, Via: "test"},
	} {
		hub := parley.New(parley.NewMemoryStore(), nil)
		r := open(t, hub, confirm())
		first, second := asked(t, hub, r.ID), asked(t, hub, r.ID)
		if err := hub.Answer(t.Context(), alice, r.ID, answer); err != nil {
			t.Fatal(err)
		}
		for _, o := range []parley.Outcome{<-first, <-second} {
			if o.Action != answer.Action || string(o.Content) != string(answer.Content) || o.By != "alice" || o.Via != "test" || o.At.IsZero() {
				t.Errorf("outcome %+v for answer %+v", o, answer)
			}
		}
		late, err := hub.Wait(t.Context(), r.ID)
		if err != nil || late.Action != answer.Action {
			t.Errorf("Wait afterwards = %+v, %v", late, err)
		}
	}
}

func TestOpenFillsInWhatWasLeftOut(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{TTL: time.Hour})
	r := open(t, hub, confirm())
	if !r.ID.Valid() || r.Tenant != "default" || r.Mode != parley.Form || r.Trigger != parley.TriggerTool ||
		r.Expires.Sub(r.Created) != time.Hour || !r.Pending() {
		t.Errorf("opened %+v", r)
	}
	if r.Text() != "[tracker] Delete account 7?" {
		t.Errorf("Text = %q", r.Text())
	}
}

func TestAnAcceptedURLCarriesNoContent(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	r := open(t, hub, parley.Request{To: "alice", Mode: parley.URL, Message: "Connect", URL: "https://example.com/connect"})
	if err := hub.Answer(t.Context(), alice, r.ID, yes()); err != nil {
		t.Fatal(err)
	}
	if o, err := hub.Wait(t.Context(), r.ID); err != nil || o.Content != nil {
		t.Errorf("outcome %+v, %v; want no content", o, err)
	}
}

func TestDefaultsAreFilledIn(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	r := confirm()
	r.Schema = json.RawMessage(`{"type":"object","properties":{"size":{"type":"string","enum":["s","m"],"default":"m"}}}`)
	r = open(t, hub, r)
	if err := hub.Answer(t.Context(), alice, r.ID, parley.Answer{Action: parley.Accept}); err != nil {
		t.Fatal(err)
	}
	if o, err := hub.Wait(t.Context(), r.ID); err != nil || string(o.Content) != `{"size":"m"}` {
		t.Errorf("content %s, %v", o.Content, err)
	}
}

func TestExpiryComesAtItsTimeAndNotBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := parley.New(parley.NewMemoryStore(), &parley.Options{TTL: 24 * time.Hour})
		start := time.Now()
		o, err := hub.Ask(t.Context(), confirm())
		if err != nil || o.Action != parley.Expire || o.Reason != "expired" || o.By != "" {
			t.Fatalf("outcome %+v, %v", o, err)
		}
		if waited := time.Since(start); waited != 24*time.Hour {
			t.Errorf("expired after %v", waited)
		}
	})
}

func TestTheSweepExpiresWhatNobodyWaitsFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		hub := parley.New(store, &parley.Options{TTL: time.Minute})
		run(t, hub)
		var ids []parley.ID
		for range 2500 {
			r := confirm()
			r.To = string(parley.NewID())
			ids = append(ids, open(t, hub, r).ID)
		}
		time.Sleep(59 * time.Second)
		if r, _ := store.Get(t.Context(), ids[0]); !r.Pending() {
			t.Fatal("expired too early")
		}
		time.Sleep(10 * time.Second)
		for _, id := range ids {
			if r, err := store.Get(t.Context(), id); err != nil || r.Pending() || r.Outcome.Action != parley.Expire {
				t.Fatalf("%+v, %v; want it expired", r, err)
			}
		}
	})
}

func TestLeavingDoesNotCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		hub := parley.New(store, nil)
		r := open(t, hub, confirm())
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := hub.Wait(ctx, r.ID)
		wantError(t, err, context.DeadlineExceeded)

		other := parley.New(store, nil) // the same store, as after a restart
		came := asked(t, other, r.ID)
		if err := other.Answer(t.Context(), alice, r.ID, yes()); err != nil {
			t.Fatal(err)
		}
		if o := <-came; o.Action != parley.Accept {
			t.Errorf("outcome %+v", o)
		}
	})
}

func TestAHintWakesWithoutPolling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		here, there := parley.New(store, nil), parley.New(store, nil)
		run(t, here)
		synctest.Wait()
		r := open(t, there, confirm())
		came := asked(t, here, r.ID)
		time.Sleep(7 * time.Minute)
		start := time.Now()
		if err := there.Answer(t.Context(), alice, r.ID, yes()); err != nil {
			t.Fatal(err)
		}
		<-came
		if waited := time.Since(start); waited != 0 {
			t.Errorf("woken %v after the answer; want at once", waited)
		}
	})
}

// deaf is a store whose watch stands and never says anything.
type deaf struct{ *parley.MemoryStore }

func (deaf) Watch(ctx context.Context, settled func(parley.ID)) error {
	settled("")
	<-ctx.Done()
	return ctx.Err()
}

func TestALostHintIsMadeUpForByReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := deaf{parley.NewMemoryStore()}
		here, there := parley.New(store, &parley.Options{TTL: time.Hour}), parley.New(store, nil)
		run(t, here)
		r := open(t, here, confirm())
		came := asked(t, here, r.ID)
		synctest.Wait()
		start := time.Now()
		if err := there.Answer(t.Context(), alice, r.ID, yes()); err != nil {
			t.Fatal(err)
		}
		<-came
		if waited := time.Since(start); waited == 0 || waited > time.Minute {
			t.Errorf("woken after %v; want the slow reading to find it", waited)
		}
	})
}

func TestWithoutRunAnswersFromElsewhereAreFound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		here, there := parley.New(store, nil), parley.New(store, nil)
		r := open(t, here, confirm())
		came := asked(t, here, r.ID)
		synctest.Wait()
		if err := there.Answer(t.Context(), alice, r.ID, yes()); err != nil {
			t.Fatal(err)
		}
		if o := <-came; o.Action != parley.Accept {
			t.Errorf("outcome %+v", o)
		}
	})
}

func TestOnlyTheOwnerAnswersAndNothingLeaks(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	r := open(t, hub, confirm())
	unknown := parley.NewID()
	strangers := []parley.Principal{
		{User: "bob"}, {}, {Tenant: "other", User: "alice"}, {Tenant: "default"},
	}
	for _, stranger := range strangers {
		for _, answer := range []parley.Answer{yes(), {Action: parley.Decline}, {Action: parley.Accept, Content: json.RawMessage(`{"confirmed":7}`)}} {
			theirs := hub.Answer(t.Context(), stranger, r.ID, answer)
			none := hub.Answer(t.Context(), stranger, unknown, answer)
			wantError(t, theirs, parley.ErrNotFound)
			if got, want := theirs.Error(), strings.ReplaceAll(none.Error(), string(unknown), string(r.ID)); got != want {
				t.Errorf("a stranger can tell: %q, for an unknown id %q", got, want)
			}
		}
		_, err := hub.Get(t.Context(), stranger, r.ID)
		wantError(t, err, parley.ErrNotFound)
	}
	if list, err := hub.List(t.Context(), parley.Principal{User: "bob"}, parley.Query{To: "alice", Tenant: "default"}); err != nil || len(list) != 0 {
		t.Errorf("bob lists %d requests, %v", len(list), err)
	}
	mine, err := hub.List(t.Context(), alice, parley.Query{Pending: true})
	if err != nil || len(mine) != 1 || mine[0].ID != r.ID {
		t.Errorf("alice lists %v, %v", mine, err)
	}
}

func TestBadAnswersChangeNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := parley.New(parley.NewMemoryStore(), &parley.Options{Limits: parley.Limits{AnswerBytes: 100}})
		r := open(t, hub, confirm())
		for name, bad := range map[string]struct {
			id     parley.ID
			answer parley.Answer
			want   error
		}{
			"unknown id":       {parley.NewID(), yes(), parley.ErrNotFound},
			"garbage id":       {parley.ID(strings.Repeat("../", 1000)), yes(), parley.ErrNotFound},
			"no action":        {r.ID, parley.Answer{}, parley.ErrAction},
			"expire by hand":   {r.ID, parley.Answer{Action: parley.Expire}, parley.ErrAction},
			"too large":        {r.ID, parley.Answer{Action: parley.Accept, Content: []byte(strings.Repeat(" ", 101))}, parley.ErrTooLarge},
			"wrong content":    {r.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":"yes"}`)}, form.ErrContent},
			"missing content":  {r.ID, parley.Answer{Action: parley.Accept}, form.ErrContent},
			"content not JSON": {r.ID, parley.Answer{Action: parley.Accept, Content: []byte(`confirmed`)}, form.ErrContent},
		} {
			err := hub.Answer(t.Context(), alice, bad.id, bad.answer)
			if !errors.Is(err, bad.want) {
				t.Errorf("%s: error %v, want %v", name, err, bad.want)
			}
			if len(err.Error()) > 400 {
				t.Errorf("%s: error of %d bytes", name, len(err.Error()))
			}
			if still, _ := hub.Get(t.Context(), alice, r.ID); !still.Pending() {
				t.Fatalf("%s: it settled the request", name)
			}
		}
		var content *form.ContentError
		err := hub.Answer(t.Context(), alice, r.ID, parley.Answer{Action: parley.Accept})
		if !errors.As(err, &content) || len(content.Violations) != 1 || content.Violations[0].Path != "confirmed" {
			t.Errorf("error %v; want every violation with its path", err)
		}

		if err := hub.Answer(t.Context(), alice, r.ID, yes()); err != nil {
			t.Fatal(err)
		}
		wantError(t, hub.Answer(t.Context(), alice, r.ID, parley.Answer{Action: parley.Decline}), parley.ErrSettled)
		wantError(t, hub.Cancel(t.Context(), r.ID, "test"), parley.ErrSettled)
		if o, _ := hub.Wait(t.Context(), r.ID); o.Action != parley.Accept {
			t.Errorf("the second answer changed the outcome: %+v", o)
		}

		late := open(t, hub, confirm())
		time.Sleep(10 * time.Minute)
		wantError(t, hub.Answer(t.Context(), alice, late.ID, yes()), parley.ErrExpired)
		wantError(t, hub.Answer(t.Context(), alice, late.ID, yes()), parley.ErrExpired)
		if o, err := hub.Wait(t.Context(), late.ID); err != nil || o.Action != parley.Expire {
			t.Errorf("late answer: %+v, %v", o, err)
		}
	})
}

func TestAProgramSettlesWhatItHasFoundOutItself(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	r := open(t, hub, parley.Request{To: "alice", Message: "Waiting for bob."})
	wantError(t, hub.Resolve(t.Context(), r.ID, parley.Cancel, "x"), parley.ErrAction)
	if err := hub.Resolve(t.Context(), r.ID, parley.Accept, "bob allowed it"); err != nil {
		t.Fatal(err)
	}
	o, err := hub.Wait(t.Context(), r.ID)
	if err != nil || o.Action != parley.Accept || o.Reason != "bob allowed it" || o.By != "" {
		t.Errorf("%+v, %v", o, err)
	}
	wantError(t, hub.Resolve(t.Context(), r.ID, parley.Decline, "x"), parley.ErrSettled)
	wantError(t, hub.Resolve(t.Context(), parley.NewID(), parley.Accept, "x"), parley.ErrNotFound)
}

func TestAWithdrawnQuestionIsCancelled(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	r := open(t, hub, confirm())
	came := asked(t, hub, r.ID)
	if err := hub.Cancel(t.Context(), r.ID, "the call ended"); err != nil {
		t.Fatal(err)
	}
	if o := <-came; o.Action != parley.Cancel || o.Reason != "withdrawn: the call ended" || o.By != "" {
		t.Errorf("outcome %+v", o)
	}
	wantError(t, hub.Answer(t.Context(), alice, r.ID, yes()), parley.ErrSettled)
	wantError(t, hub.Cancel(t.Context(), parley.NewID(), "x"), parley.ErrNotFound)
}

func TestRunIsForOneCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := parley.New(parley.NewMemoryStore(), nil)
		run(t, hub)
		synctest.Wait()
		wantError(t, hub.Run(t.Context()), parley.ErrRunning)
	})
}

func TestIDsSortInTheOrderOfTheirMaking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where the clock stands still
		last := parley.NewID()
		for range 1000 {
			next := parley.NewID()
			if next <= last || !next.Valid() {
				t.Fatalf("%s after %s", next, last)
			}
			last = next
		}
	})
	for _, bad := range []parley.ID{"", "x", parley.ID(strings.Repeat("z", 32)), parley.ID(strings.Repeat("A", 32))} {
		if bad.Valid() {
			t.Errorf("%q is valid", bad)
		}
	}
}
