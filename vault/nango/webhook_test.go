package nango_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakenango"
	"github.com/parley-hq/parley/storetest"
	"github.com/parley-hq/parley/vault"
	"github.com/parley-hq/parley/vault/nango"
)

// altered returns a webhook with some fields changed, signed as Nango would.
func altered(t *testing.T, sent fakenango.Sent, change func(fields, tags map[string]any)) ([]byte, http.Header) {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal(sent.Body, &fields); err != nil {
		t.Fatal(err)
	}
	change(fields, fields["tags"].(map[string]any))
	raw, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return raw, fakenango.Sign(webhookKey, raw)
}

func TestAWebhookFillsThePlaceThatItsSessionWasOpenedFor(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	c := w.join(place, "question-1")
	if diff := cmp.Diff([]int{http.StatusNoContent}, w.fake.Sent()[0].Status); diff != "" {
		t.Error(diff)
	}
	if got := w.tellings(); len(got) != 1 || got[0].at != place || got[0].question != "question-1" {
		t.Errorf("told %+v", got)
	}
	w.wantValue(place, c.Value())
	if n := w.calls(http.MethodGet, "/connections?"); n != 0 {
		t.Errorf("%d lists were asked for", n)
	}
}

func TestForgedTagsFillNobodysPlace(t *testing.T) {
	mallory, alice := at("mallory", "tracker"), at("alice", "tracker")
	for name, change := range map[string]func(fields, tags map[string]any){
		"somebody else's name":   func(_, tags map[string]any) { tags["end_user_id"] = "alice" },
		"another tenant":         func(_, tags map[string]any) { tags["organization_id"] = "acme" },
		"another server":         func(fields, tags map[string]any) { tags["parley_server"] = "notes" },
		"another integration":    func(fields, tags map[string]any) { fields["providerConfigKey"] = "notes" },
		"another scope":          func(_, tags map[string]any) { tags["parley_scope"] = "platform" },
		"a made up reference":    func(_, tags map[string]any) { tags["parley_session"] = "MADEUPMADEUPMADEUPMADEUPMA" },
		"an empty reference":     func(_, tags map[string]any) { tags["parley_session"] = "" },
		"no reference":           func(_, tags map[string]any) { delete(tags, "parley_session") },
		"no tags":                func(fields, tags map[string]any) { clear(tags) },
		"a name that leads away": func(_, tags map[string]any) { tags["parley_server"] = "../alice/tracker" },
		"an id that leads away":  func(fields, _ map[string]any) { fields["connectionId"] = "../connections" },
		"no id":                  func(fields, _ map[string]any) { fields["connectionId"] = "" },
		"a reference in the names": func(_, tags map[string]any) {
			tags["PARLEY_SESSION"] = tags["parley_session"]
			delete(tags, "parley_session")
		},
		"an unknown operation": func(fields, _ map[string]any) { fields["operation"] = "unknown" },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			w.begin(alice, "question of alice") // so that there is something to fill
			w.begin(at("alice", "notes"), "another question of alice")
			c, sent := w.lossy(mallory, "question of mallory")
			before := w.records()
			raw, header := altered(t, sent, change)
			if status := w.deliver(raw, header); status != http.StatusNoContent {
				t.Errorf("answered %d", status)
			}
			if w.records() != before {
				t.Error("the records have changed")
			}
			if got := w.tellings(); len(got) != 0 {
				t.Errorf("told %+v", got)
			}
			w.wantNone(alice)
			w.wantNone(at("alice", "notes"))
			w.wantValue(mallory, c.Value()) // hers is found all the same
		})
	}
}

func TestASignedWebhookCannotFillAPlaceWithSomebodyElsesConnection(t *testing.T) {
	w := newWorld(t, nil)
	mallory, alice := at("mallory", "tracker"), at("alice", "tracker")
	hers := w.join(alice, "q1")
	_, sent := w.lossy(mallory, "q2")
	raw, header := altered(t, sent, func(fields, _ map[string]any) { fields["connectionId"] = hers.ID })
	if status := w.deliver(raw, header); status != http.StatusNoContent {
		t.Errorf("answered %d", status)
	}
	w.wantNone(mallory)
	w.wantValue(alice, hers.Value())
}

func TestAConnectionThatSomebodyElseTaggedIsNotTaken(t *testing.T) {
	w := newWorld(t, nil)
	alice := at("alice", "tracker")
	w.begin(alice, "q")
	tags := map[string]string{
		"end_user_id": "alice", "organization_id": "default", "parley_server": "tracker", "parley_scope": "user",
		"parley_question": "q", "parley_session": "MADEUPMADEUPMADEUPMADEUPMA",
	}
	w.fake.Put(fakenango.Connection{Integration: "tracker", Tags: tags})
	bare := maps.Clone(tags)
	delete(bare, "parley_session")
	w.fake.Put(fakenango.Connection{Integration: "tracker", Tags: bare})
	w.wantNone(alice)
	if err := w.Forget(t.Context(), alice); !errors.Is(err, vault.ErrNoCredential) {
		t.Errorf("forget: %v", err)
	}
	if n := len(w.fake.Connections()); n != 2 {
		t.Errorf("%d connections of somebody else are left of 2", n)
	}
}

func TestAWebhookThatComesTwiceIsHarmless(t *testing.T) {
	w := newWorld(t, func(_ *nango.Options, f *fakenango.Options) { f.Delivery.Copies = 3 })
	place := at("alice", "tracker")
	c := w.join(place, "q")
	if diff := cmp.Diff([]int{204, 204, 204}, w.fake.Sent()[0].Status); diff != "" {
		t.Error(diff)
	}
	w.wantValue(place, c.Value())
	before := w.records()
	w.deliver(w.fake.Sent()[0].Body, w.fake.Sent()[0].Header)
	if w.records() != before {
		t.Error("a copy changed the records")
	}
}

func TestTheLatestSessionWinsInWhicheverOrderTheWebhooksCome(t *testing.T) {
	for _, order := range [][]int{{0, 1}, {1, 0}, {1, 0, 1, 0}} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, func(_ *nango.Options, f *fakenango.Options) { f.Delivery.Lose = true })
			place := at("alice", "tracker")
			first := w.begin(place, "q1")
			time.Sleep(time.Second)
			second := w.begin(place, "q2")
			w.press(second, "connect")
			w.press(first, "connect")
			sent, all := w.fake.Sent(), w.fake.Connections()
			for _, i := range order {
				if status := w.deliver(sent[1-i].Body, sent[1-i].Header); status != http.StatusNoContent {
					t.Errorf("answered %d", status)
				}
			}
			w.wantValue(place, all[0].Value()) // of the second session
			if n := len(w.tellings()); n != len(order) {
				t.Errorf("told %d times of %d", n, len(order))
			}
		})
	}
}

func TestAnOldWebhookDoesNotFillAForgottenPlace(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	w.join(place, "q1")
	old := w.fake.Sent()[0]
	if err := w.Forget(t.Context(), place); err != nil {
		t.Fatal(err)
	}
	replay := func(when string) {
		t.Helper()
		told := len(w.tellings())
		if status := w.deliver(old.Body, old.Header); status != http.StatusNoContent {
			t.Errorf("%s: answered %d", when, status)
		}
		w.wantNone(place)
		if len(w.tellings()) != told {
			t.Errorf("%s: somebody was told", when)
		}
	}
	replay("forgotten")
	w.begin(place, "q2")
	replay("begun anew")
	c := w.join(place, "q3")
	w.deliver(old.Body, old.Header)
	w.wantValue(place, c.Value())
}

func TestADeletionEmptiesThePlaceOfThatConnectionOnly(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	first := w.join(place, "q1")
	sent := w.fake.Sent()[0]
	deletion, signed := altered(t, sent, func(fields, _ map[string]any) { fields["operation"] = "deletion" })
	other, otherSigned := altered(t, sent, func(fields, _ map[string]any) {
		fields["operation"], fields["connectionId"] = "deletion", "another"
	})
	forged, forgedSigned := altered(t, sent, func(fields, tags map[string]any) {
		fields["operation"], tags["parley_session"] = "deletion", "MADEUPMADEUPMADEUPMADEUPMA"
	})
	before := w.records()
	w.deliver(other, otherSigned)
	w.deliver(forged, forgedSigned)
	if w.records() != before {
		t.Error("the records have changed")
	}
	w.wantValue(place, first.Value())

	w.fake.Remove(first.ID)
	w.deliver(deletion, signed)
	reads := w.calls(http.MethodGet, "/connections/")
	w.wantNone(place)
	if n := w.calls(http.MethodGet, "/connections/"); n != reads {
		t.Error("the connection was still read")
	}
	second := w.join(place, "q2")
	w.deliver(deletion, signed)
	w.wantValue(place, second.Value())
}

func TestAFailureLeavesEverythingAsItIs(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	link := w.begin(place, "q")
	before := w.records()
	w.press(link, "fail")
	w.fake.Wait()
	if w.records() != before || len(w.tellings()) != 0 {
		t.Error("something has changed")
	}
	if !strings.Contains(w.log.String(), "not connected") {
		t.Error("nothing was logged")
	}
	w.press(link, "connect") // the person tries again
	w.fake.Wait()
	w.wantValue(place, w.fake.Connections()[0].Value())
	refresh, signed := altered(t, w.fake.Sent()[1], func(fields, _ map[string]any) {
		fields["operation"], fields["success"] = "refresh", false
	})
	if status := w.deliver(refresh, signed); status != http.StatusNoContent {
		t.Errorf("answered %d", status)
	}
	w.wantValue(place, w.fake.Connections()[0].Value())
}

func TestWhatDoesNotConcernUsIsTakenAndIgnored(t *testing.T) {
	w := newWorld(t, nil)
	for raw, want := range map[string]int{
		`{"from":"nango","type":"sync","success":true,"tags":7,"operation":[],"connectionId":"x"}`: http.StatusNoContent,
		`{"type":"forward","payload":{"type":"auth"}}`:                                             http.StatusNoContent,
		`{"type":"something new"}`:                                                                 http.StatusNoContent,
		`{}`:                                                                                       http.StatusNoContent,
		`{"type":"auth","operation":"creation","success":true}`:                                    http.StatusNoContent,
		`{"type":"auth","tags":{"a":1}}`:                                                           http.StatusBadRequest,
		`{"type":"auth"`:                                                                           http.StatusBadRequest,
		`[]`:                                                                                       http.StatusBadRequest,
		``:                                                                                         http.StatusBadRequest,
	} {
		if got := w.deliver([]byte(raw), fakenango.Sign(webhookKey, []byte(raw))); got != want {
			t.Errorf("%s: answered %d, want %d", raw, got, want)
		}
	}
	if w.records() != "" || len(w.tellings()) != 0 || len(w.fake.Requests()) != 0 {
		t.Error("something has changed")
	}
}

// Another application at the same Nango may use tags of the same names as some
// of ours: an operator is not warned of its connections.
func TestAConnectionWithoutOneOfOurTagsIsSomebodyElses(t *testing.T) {
	for _, tag := range []string{"organization_id", "end_user_id", "parley_server", "parley_scope", "parley_session"} {
		for how, change := range map[string]func(tags map[string]any){
			"without": func(tags map[string]any) { delete(tags, tag) },
			"empty":   func(tags map[string]any) { tags[tag] = "" },
		} {
			w := newWorld(t, nil)
			place := at("alice", "tracker")
			c, sent := w.lossy(place, "q")
			before, logged := w.records(), w.log.String()
			raw, header := altered(t, sent, func(_, tags map[string]any) { change(tags) })
			if status := w.deliver(raw, header); status != http.StatusNoContent {
				t.Errorf("%s %s: answered %d", how, tag, status)
			}
			if said := strings.TrimPrefix(w.log.String(), logged); !strings.Contains(said, "foreign connection") || strings.Contains(said, "WARN") {
				t.Errorf("%s %s: the log says %q", how, tag, said)
			}
			if w.records() != before || len(w.tellings()) != 0 {
				t.Errorf("%s %s: something has changed", how, tag)
			}
			w.wantValue(place, c.Value())
		}
	}
}

func TestNangoIsAskedToSendAgainOnlyWhatMaySucceed(t *testing.T) {
	for err, want := range map[error]int{
		nil: 204,
		fmt.Errorf("request: %w", parley.ErrNotFound):                   204,
		fmt.Errorf("request: %w", vault.ErrNotConnecting):               204,
		fmt.Errorf("server: %w", vault.ErrUnknown):                      204,
		&vault.NotConnectedError{}:                                      204,
		errors.New("the store fails"):                                   500,
		fmt.Errorf("source nango: %w", nango.ErrUnavailable):            500,
		&vault.ProviderError{Provider: "Acme", Temporary: true}:         500,
		fmt.Errorf("the store failed: %w", storetest.ErrInjected):       500,
		fmt.Errorf("tracker: %w", fmt.Errorf("x: %w", nango.ErrAPIKey)): 500,
	} {
		w := newWorld(t, nil)
		w.answer = err
		place := at("alice", "tracker")
		c, sent := w.lossy(place, "q")
		if got := w.deliver(sent.Body, sent.Header); got != want {
			t.Errorf("%v: answered %d, want %d", err, got, want)
		}
		w.wantValue(place, c.Value())
	}
}

func TestAWebhookWhoseWriteFailsIsSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		place := at("alice", "tracker")
		link := w.begin(place, "q")
		w.opts.Records = storetest.Faulty(w.store, storetest.Faults{Save: storetest.Fault{Before: 1}})
		broken := w.another().Webhook()
		n := 0
		w.web.set("parley.example", http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			if n++; n == 1 {
				broken.ServeHTTP(out, r)
				return
			}
			w.Webhook().ServeHTTP(out, r)
		}))
		w.press(link, "connect")
		w.fake.Wait()
		if diff := cmp.Diff([]int{500, 204}, w.fake.Sent()[0].Status); diff != "" {
			t.Error(diff)
		}
		if got := w.tellings(); len(got) != 1 {
			t.Errorf("told %+v", got)
		}
		w.wantValue(place, w.fake.Connections()[0].Value())
	})
}

func TestOneOfTwoProcessesOpensAndTheOtherHears(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	c, sent := w.lossy(place, "q")
	other := w.another()
	if status := deliver(other.Webhook(), sent.Body, sent.Header); status != http.StatusNoContent {
		t.Fatalf("answered %d", status)
	}
	w.wantValue(place, c.Value())
	if err := other.Forget(t.Context(), place); err != nil {
		t.Fatal(err)
	}
	w.wantNone(place)
}

func TestTwoTenantsWithTheSameNamesDoNotMeet(t *testing.T) {
	w := newWorld(t, nil)
	acme, globex := at("alice", "tracker"), at("alice", "tracker")
	acme.Tenant, globex.Tenant = "acme", "globex"
	hers := w.join(acme, "q1")
	w.begin(globex, "q2")
	w.wantNone(globex)
	theirs, sent := w.lossy(globex, "q3")
	stolen, signed := altered(t, sent, func(_, tags map[string]any) { tags["organization_id"] = "acme" })
	w.deliver(stolen, signed)
	w.wantValue(acme, hers.Value())
	w.wantValue(globex, theirs.Value())
	if err := w.Forget(t.Context(), globex); err != nil {
		t.Fatal(err)
	}
	w.wantNone(globex)
	w.wantValue(acme, hers.Value())
}

// FuzzWebhook sends signed bodies: whatever they say, nobody's place is filled
// by a session that was not opened for it.
func FuzzWebhook(f *testing.F) {
	w := newWorld(f, nil)
	place := at("alice", "tracker")
	w.begin(place, "q")
	before := w.records()
	f.Add([]byte(`{"type":"auth","operation":"creation","success":true,"connectionId":"c","providerConfigKey":"tracker","tags":` +
		`{"end_user_id":"alice","organization_id":"default","parley_server":"tracker","parley_scope":"user","parley_session":"x"}}`))
	f.Add([]byte(`{"type":"auth","operation":"deletion","success":true,"tags":{}}`))
	f.Add([]byte(`{"type":"sync"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		w.t = t
		status := w.deliver(raw, fakenango.Sign(webhookKey, raw))
		if status != http.StatusNoContent && status != http.StatusBadRequest && status != http.StatusRequestEntityTooLarge {
			t.Errorf("answered %d", status)
		}
		if w.records() != before {
			t.Error("the records have changed")
		}
	})
}
