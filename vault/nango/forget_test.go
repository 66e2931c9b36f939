package nango_test

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/parley-hq/parley/internal/testkit/fakenango"
	"github.com/parley-hq/parley/storetest"
	"github.com/parley-hq/parley/vault"
)

func TestForgettingDeletesEveryConnectionOfThePlaceAtNango(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	first, second := w.begin(place, "q1"), w.begin(place, "q2")
	w.press(first, "connect")
	w.press(second, "connect")
	w.fake.Wait()
	w.lossy(at("bob", "tracker"), "q3")
	w.join(at("alice", "notes"), "q4")
	if err := w.Forget(t.Context(), place); err != nil {
		t.Fatal(err)
	}
	w.wantNone(place)
	left := w.fake.Connections()
	if len(left) != 2 || left[0].Tags["end_user_id"] != "bob" || left[1].Integration != "notes" {
		t.Errorf("left at Nango: %+v", left)
	}
	if err := w.Forget(t.Context(), place); !errors.Is(err, vault.ErrNoCredential) {
		t.Errorf("again: %v", err)
	}
}

func TestForgettingFindsAConnectionThatNoWebhookToldOf(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	w.lossy(place, "q")
	if err := w.Forget(t.Context(), place); err != nil {
		t.Fatal(err)
	}
	if n := len(w.fake.Connections()); n != 0 {
		t.Errorf("%d connections are left", n)
	}
}

func TestForgettingEndsOpenSessions(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	link := w.begin(place, "q")
	if err := w.Forget(t.Context(), place); !errors.Is(err, vault.ErrNoCredential) {
		t.Errorf("forget: %v", err)
	}
	w.press(link, "connect")
	w.fake.Wait()
	w.wantNone(place)
	if got := w.tellings(); len(got) != 0 {
		t.Errorf("told %+v", got)
	}
}

func TestWhatNobodyConnectedCannotBeForgotten(t *testing.T) {
	w := newWorld(t, nil)
	if err := w.Forget(t.Context(), at("alice", "tracker")); !errors.Is(err, vault.ErrNoCredential) {
		t.Errorf("got %v", err)
	}
	if n := len(w.fake.Requests()); n != 0 {
		t.Errorf("Nango was asked %d times", n)
	}
}

func TestAPlaceIsEmptyEvenIfNangoCannotBeTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		place := at("alice", "tracker")
		w.join(place, "q1")
		sent := w.fake.Sent()[0]
		w.fake.Fail(fakenango.Fault{Status: 503})
		if err := w.Forget(t.Context(), place); !errors.Is(err, vault.ErrNotRevoked) {
			t.Errorf("forget: %v", err)
		}
		w.fake.Heal()
		w.deliver(sent.Body, sent.Header)
		w.wantNone(place)
		if err := w.Forget(t.Context(), place); err != nil { // it may be tried again
			t.Errorf("again: %v", err)
		}
		if n := len(w.fake.Connections()); n != 0 {
			t.Errorf("%d connections are left", n)
		}
		w.wantValue(place, w.join(place, "q2").Value())
	})
}

func TestAConnectionThatIsGoneAtNangoIsForgottenHere(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	w.fake.Remove(w.join(place, "q").ID)
	if err := w.Forget(t.Context(), place); err != nil {
		t.Error(err)
	}
	if w.records() != "" {
		t.Error("something is left")
	}
}

func TestAnIntegrationThatTheServerMeantBeforeIsForgottenToo(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	w.join(place, "q")
	changed := place
	changed.Integration = "notes"
	if err := w.Forget(t.Context(), changed); err != nil {
		t.Error(err)
	}
	if n := len(w.fake.Connections()); n != 0 {
		t.Errorf("%d connections are left", n)
	}
}

func TestForgettingWithAFailingStoreLosesNoConnection(t *testing.T) {
	for seed := range uint64(40) {
		w := newWorld(t, nil)
		place := at("alice", "tracker")
		w.join(place, "q")
		w.opts.Records = storetest.Faulty(w.store, storetest.Faults{
			Load: storetest.Fault{Before: .3}, Save: storetest.Fault{Before: .3, After: .3}, Delete: storetest.Fault{Before: .3, After: .3}, Seed: seed,
		})
		faulty := w.another()
		for tries := 0; ; tries++ {
			err := faulty.Forget(t.Context(), place)
			if err == nil || errors.Is(err, vault.ErrNoCredential) {
				break
			}
			if !errors.Is(err, storetest.ErrInjected) || tries > 1000 {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		if n := len(w.fake.Connections()); n != 0 {
			t.Fatalf("seed %d: %d connections are left at Nango, and nobody knows of them", seed, n)
		}
		w.wantNone(place)
	}
}

func TestAWebhookAndAForgettingAtOnceLeaveNothingHalfDone(t *testing.T) {
	for range 50 {
		w := newWorld(t, nil)
		place := at("alice", "tracker")
		c, sent := w.lossy(place, "q")
		done := make(chan int)
		go func() { done <- deliver(w.Webhook(), sent.Body, sent.Header) }()
		err := w.Forget(t.Context(), place)
		if status := <-done; status != http.StatusNoContent {
			t.Errorf("answered %d", status)
		}
		if err != nil {
			t.Fatalf("forget: %v", err)
		}
		w.wantNone(place)
		for _, left := range w.fake.Connections() {
			if left.ID == c.ID {
				t.Error("the connection is left at Nango")
			}
		}
	}
}

func TestAForgettingInTheMiddleOfALookupStands(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	w.lossy(place, "q")
	forgotten := false
	w.web.set("nango.example", http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.fake.ServeHTTP(out, r)
		if r.URL.Path == "/connections" && !forgotten {
			forgotten = true
			if err := w.Forget(t.Context(), place); err != nil {
				t.Errorf("forget: %v", err)
			}
		}
	}))
	w.wantNone(place)
	if !forgotten || w.records() != "" {
		t.Error("the place was filled again")
	}
}
