package notify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/asking"
	"github.com/parley-hq/parley/notify"
)

const phone, laptop = "https://push.example/phone", "https://push.example/laptop"

func TestAQuestionThatNobodyLooksAtIsToldByOneChannelAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, _ := s.node(t)
		s.subscribes(t, o, alice, phone)
		q := s.asks(t, nil)
		wait(29 * time.Second)
		s.out.wants(t)
		if size, behind := o.State(); size != 1 || behind != 0 {
			t.Errorf("before it is due: %d questions, %v behind", size, behind)
		}
		wait(time.Hour)
		s.out.wants(t, "30s push.example/phone question.opened", "5m0s ops.example/hook question.opened")
		s.answers(t, q)
		wait(time.Second)
		s.out.wants(t, "30s push.example/phone question.opened", "5m0s ops.example/hook question.opened",
			"1h0m29s push.example/phone question.closed", "1h0m29s ops.example/hook question.closed")
		wait(2 * time.Hour)
		if n := len(s.out.all()); n != 4 {
			t.Errorf("told %d times", n)
		}
		s.wantNoNotice(t)
	})
}

func (s *site) wantNoNotice(t *testing.T) {
	t.Helper()
	left, err := s.store.Scan(t.Context(), parley.Address{Kind: "notify_notice"}, "", 0)
	if err != nil || len(left) != 0 {
		t.Errorf("%d notices are left, %v", len(left), err)
	}
}

func TestANotificationSaysWhoAsksAndNothingOfTheQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, _ := s.node(t)
		s.subscribes(t, o, alice, phone)
		s.asks(t, func(r *parley.Request) {
			r.Labels = map[string]string{parley.LabelTitle: "The \u202eBank", "tool": "transfer\n<b>", parley.LabelAsker: "carol"}
			r.Trigger = parley.TriggerApproval
		})
		wait(time.Hour)
		if len(s.out.all()) != 2 {
			t.Fatalf("told %q", s.out.events())
		}
		for _, e := range s.out.all() {
			if strings.Contains(string(e.body), "PIN") || strings.Contains(string(e.body), "\u202e") {
				t.Errorf("told %s", e.body)
			}
			if !strings.Contains(string(e.body), "Bank") || !strings.Contains(string(e.body), "for carol?") || !strings.Contains(string(e.body), "https://parley.example/answer/") {
				t.Errorf("told %s", e.body)
			}
		}
	})
}

// What a program calls itself stands on the card alone.
func TestANotificationNamesAProgramByItsKey(t *testing.T) {
	for name, q := range map[string]asking.Question{
		"a form":    {To: "alice", Message: "The PIN?", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)},
		"a page":    {To: "alice", Message: "The PIN?", URL: "https://x.example/"},
		"an action": {To: "alice", Action: &asking.Action{Title: "Drop it"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t)
			o, _ := s.node(t)
			s.subscribes(t, o, alice, phone)
			q.From = "URGENT: sign in at https://evil.test"
			by := asking.Asker{Principal: parley.Principal{Tenant: "default", Kind: parley.KindProgram, Key: "release"}, Name: "release", MayAsk: []string{"alice"}}
			st, _, err := asking.New(s.hub, s.store, nil).Ask(t.Context(), by, q)
			if err != nil || !strings.Contains(st.From, "URGENT") {
				t.Fatal(st.From, err)
			}
			wait(time.Hour)
			if len(s.out.all()) != 2 {
				t.Fatalf("%s: told %q", name, s.out.events())
			}
			for _, e := range s.out.all() {
				if strings.Contains(string(e.body), "URGENT") || strings.Contains(string(e.body), "evil") || !strings.Contains(string(e.body), `"release"`) {
					t.Errorf("%s: told %s", name, e.body)
				}
			}
		})
	}
}

// Whose call waits for approvers has nothing to answer.
func TestNobodyIsToldOfAQuestionThatOnlyTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, _ := s.node(t)
		s.subscribes(t, o, alice, phone)
		q := s.asks(t, func(r *parley.Request) { r.Trigger = parley.TriggerApprovers })
		wait(time.Hour)
		if err := s.hub.Resolve(t.Context(), q.ID, parley.Accept, "bob allowed it"); err != nil {
			t.Fatal(err)
		}
		wait(time.Hour)
		s.out.wants(t)
		s.wantNoNotice(t)
	})
}

func TestWhatIsAnsweredInTimeIsToldToNobodyAndLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, _ := s.node(t)
		s.subscribes(t, o, alice, phone)
		wrote := 0
		s.store.onSave(func(r parley.Record) error {
			if r.Kind == "notify_notice" {
				wrote++
			}
			return nil
		})
		for range 50 {
			q := s.asks(t, nil)
			wait(2 * time.Second)
			s.answers(t, q)
		}
		wait(time.Hour)
		s.out.wants(t)
		if wrote != 0 {
			t.Errorf("%d records were written", wrote)
		}
	})
}

func TestNobodyIsToldWhileSomebodyLooks(t *testing.T) {
	for name, session := range map[string]string{"inbox": "", "conversation": "chat-1"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSite(t)
				o, _ := s.node(t)
				other, _ := s.node(t)
				s.subscribes(t, o, alice, phone)
				looking, leave := context.WithCancel(t.Context())
				go other.KeepLooking(looking, alice, session)
				s.asks(t, func(r *parley.Request) { r.Session = "chat-1" })
				s.asks(t, func(r *parley.Request) { r.Session = "chat-2" })
				wait(10 * time.Minute)
				if session == "" {
					s.out.wants(t)
				} else if len(s.out.all()) != 2 { // of the other conversation
					t.Errorf("told:\n%s", s.out.events())
				}
				leave()
				wait(45 * time.Second)
				if len(s.out.all()) != 4 {
					t.Errorf("told:\n%s", s.out.events())
				}
			})
		})
	}
}

func TestAChannelIsTriedAgainWithPausesUntilItTakesTheMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		s.opts.Channels = s.opts.Channels[1:]
		s.out.answer = func(_ string, n int) (int, error) {
			switch n {
			case 1:
				return http.StatusInternalServerError, nil
			case 2:
				return 0, errors.New("connection reset")
			case 3: // it hangs
				time.Sleep(time.Minute)
				return 0, context.DeadlineExceeded
			case 4:
				return http.StatusFound, nil
			}
			return http.StatusNoContent, nil
		}
		s.node(t)
		q := s.asks(t, nil)
		wait(2 * time.Hour)
		if len(s.out.all()) != 1 || s.out.called("https://ops.example/hook") != 5 {
			t.Fatalf("told:\n%s\nafter %v calls", s.out.events(), s.out.calls)
		}
		if at := s.out.all()[0].at; at < 15*time.Minute || at > 25*time.Minute {
			t.Errorf("told after %v", at)
		}
		if id := s.out.all()[0].id; id != "msg_"+string(q.ID)+"_opened" {
			t.Error(id)
		}
	})
}

// Who operates it learns that nobody is told, also at log.level: warn, and not once for each
// question.
func TestAChannelThatFailsIsWarnedOfOnceAMinuteAndCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		s.opts.Webhooks = append(s.opts.Webhooks, notify.Webhook{Name: "other", URL: "https://other.example/hook", Secret: hookSecret})
		s.opts.Channels = []notify.Choice{{Channel: notify.WebhookChannel("ops"), After: time.Second}, {Channel: notify.WebhookChannel("other"), After: time.Second}}
		s.out.answer = func(string, int) (int, error) { return 0, errors.New("connection refused") }
		var log bytes.Buffer
		s.opts.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
		var mu sync.Mutex
		failed := map[string]int{}
		s.opts.Failed = func(channel string) {
			mu.Lock()
			defer mu.Unlock()
			failed[channel]++
		}
		_, stop := s.node(t)
		for range 10 {
			s.asks(t, nil)
		}
		wait(30 * time.Second)
		stop()
		for _, name := range []string{"ops", "other"} {
			if n, calls := failed["webhook:"+name], s.out.called("https://"+name+".example/hook"); n < 10 || n != calls {
				t.Errorf("%s: %d of %d counted", name, n, calls)
			}
			if got := strings.Count(log.String(), "level=WARN msg=\"notification failed\" times=1 question="); got != 2 || strings.Count(log.String(), "channel=webhook:"+name) != 1 {
				t.Errorf("%s: %s", name, log.String())
			}
		}
	})
}

func TestOneBadChannelKeepsNoneOfTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, _ := s.node(t)
		s.subscribes(t, o, alice, phone)
		s.subscribes(t, o, alice, laptop)
		s.out.answer = func(url string, _ int) (int, error) {
			if url == phone {
				time.Sleep(20 * time.Second)
				return 0, context.DeadlineExceeded
			}
			return http.StatusCreated, nil
		}
		s.asks(t, nil)
		wait(time.Hour)
		s.out.wants(t, "30s push.example/laptop question.opened", "5m0s ops.example/hook question.opened")
	})
}

func TestABrowserThatIsGoneIsForgottenAndTheNextChannelComesAtOnce(t *testing.T) {
	for _, status := range []int{http.StatusNotFound, http.StatusGone} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t)
			o, _ := s.node(t)
			s.subscribes(t, o, alice, phone)
			s.out.answer = func(url string, _ int) (int, error) {
				if url == phone {
					return status, nil
				}
				return http.StatusOK, nil
			}
			s.asks(t, nil)
			wait(time.Minute)
			s.out.wants(t, "30s ops.example/hook question.opened")
			if p, err := o.Person(t.Context(), "default", "alice"); err != nil || len(p.Browsers) != 0 {
				t.Errorf("%+v, %v", p, err)
			}
			wait(time.Hour)
			if n := s.out.called(phone); n != 1 {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

func TestManyNodesTellEachChannelOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		var o *notify.Outbox
		for range 5 {
			o, _ = s.node(t)
		}
		s.subscribes(t, o, alice, phone)
		var all []parley.Request
		for range 40 {
			all = append(all, s.asks(t, nil))
		}
		wait(10 * time.Minute)
		for _, q := range all {
			s.answers(t, q)
		}
		wait(10 * time.Minute)
		seen := map[string]int{}
		for _, e := range s.out.all() {
			var m struct {
				Tag  string
				Data struct{ ID string }
			}
			if err := json.Unmarshal(e.body, &m); err != nil {
				t.Fatal(err)
			}
			seen[e.where+e.event+m.Tag+m.Data.ID]++
		}
		if len(seen) != 4*len(all) || len(s.out.all()) != 4*len(all) {
			t.Errorf("%d events, %d different, of %d", len(s.out.all()), len(seen), 4*len(all))
		}
		s.wantNoNotice(t)
	})
}

var errDead = errors.New("this process is dead")

func TestAnAttemptThatADeadProcessRecordedIsMadeByAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		_, die := s.node(t)
		s.asks(t, nil)
		s.store.onSave(func(parley.Record) error { return errDead }) // recorded, and never sent
		wait(5*time.Minute + 100*time.Millisecond)
		die()
		s.store.onSave(nil)
		s.out.wants(t)
		s.node(t)
		wait(5 * time.Minute)
		s.out.wants(t, "5m30s ops.example/hook question.opened")
	})
}

func TestAnAttemptOfWhichNobodyKnowsHowItWentIsMadeOnceMoreWithItsID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		_, die := s.node(t)
		s.asks(t, nil)
		s.out.answers(func(string, int) (int, error) {
			s.store.beforeSave(func(parley.Record) error { return errDead }) // sent, and the result is never written
			return http.StatusOK, nil
		})
		wait(5*time.Minute + 100*time.Millisecond)
		die()
		s.store.beforeSave(nil)
		s.out.answers(nil)
		s.node(t)
		wait(time.Hour)
		if len(s.out.all()) != 2 || s.out.all()[0].id != s.out.all()[1].id {
			t.Errorf("told:\n%s", s.out.events())
		}
	})
}

func TestAQuestionThatIsSettledBetweenRecordAndSendingIsToldToNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		s.node(t)
		q := s.asks(t, nil)
		done := false
		s.store.onSave(func(r parley.Record) error {
			if r.Kind == "notify_notice" && !done {
				done = true
				s.answers(t, q)
			}
			return nil
		})
		wait(time.Hour)
		s.out.wants(t)
		if !done {
			t.Error("no attempt was recorded")
		}
		s.wantNoNotice(t)
	})
}

// Sending takes a while, and the question is settled meanwhile.
func TestWhatIsSettledWhileItIsSentIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		q := s.asks(t, nil)
		s.out.answer = func(_ string, n int) (int, error) {
			if n == 1 {
				time.Sleep(2 * time.Second)
				s.answers(t, q)
				time.Sleep(2 * time.Second)
			}
			return http.StatusOK, nil
		}
		s.node(t)
		wait(time.Hour)
		s.out.wants(t, "5m4s ops.example/hook question.opened", "5m4s ops.example/hook question.closed")
		s.wantNoNotice(t)
	})
}

func TestAQuestionWhoseOutboxWasDownIsToldWhenItIsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, stop := s.node(t)
		s.subscribes(t, o, alice, phone)
		stop()
		q := s.asks(t, nil)
		wait(time.Hour)
		_, stop = s.node(t)
		wait(2 * time.Second)
		s.out.wants(t, "1h0m0s push.example/phone question.opened", "1h0m0s ops.example/hook question.opened")
		stop()
		s.answers(t, q)
		s.node(t)
		wait(time.Minute)
		if len(s.out.all()) != 4 {
			t.Errorf("told:\n%s", s.out.events())
		}
	})
}

// An id may be made long before its question is opened.
func TestAQuestionWithAnOldIDIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		s.node(t)
		old := parley.NewID()
		s.asks(t, nil)
		wait(20 * time.Minute)
		s.asks(t, func(r *parley.Request) { r.ID = old })
		wait(6 * time.Minute)
		if len(s.out.all()) != 2 {
			t.Errorf("told:\n%s", s.out.events())
		}
	})
}

func TestAnExpiredQuestionIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		s.node(t)
		ctx, stop := context.WithCancel(t.Context())
		over := make(chan error)
		go func() { over <- s.hub.Run(ctx) }()
		s.asks(t, func(r *parley.Request) { r.Expires = time.Now().Add(10 * time.Minute) })
		wait(11 * time.Minute)
		if len(s.out.all()) != 2 || s.out.all()[1].event != "question.closed" {
			t.Errorf("told:\n%s", s.out.events())
		}
		stop()
		<-over
	})
}

func TestPeopleChooseTheirChannels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, _ := s.node(t)
		s.subscribes(t, o, alice, phone)
		hook := notify.WebhookChannel("ops")
		for _, wrong := range [][]notify.Choice{
			{{Channel: "pigeon"}}, {{Channel: hook}, {Channel: hook}}, {{Channel: hook, After: -1}}, {{Channel: notify.Email}},
		} {
			if err := o.Choose(t.Context(), alice, wrong); !errors.Is(err, notify.ErrChoice) {
				t.Errorf("%v: %v", wrong, err)
			}
		}
		if err := o.Choose(t.Context(), alice, []notify.Choice{{Channel: hook, After: time.Second}, {Channel: notify.WebPush, Off: true}}); err != nil {
			t.Fatal(err)
		}
		s.asks(t, nil)
		wait(time.Hour)
		if len(s.out.all()) != 1 || !strings.Contains(s.out.events(), "ops.example") {
			t.Errorf("told:\n%s", s.out.events())
		}
	})
}

func TestABrowserTellsOnlyWhoSubscribedThereLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, _ := s.node(t)
		s.subscribes(t, o, alice, phone)
		s.subscribes(t, o, parley.Principal{Tenant: "default", User: "bob"}, phone)
		s.asks(t, nil)
		wait(time.Hour)
		if strings.Contains(s.out.events(), "phone") {
			t.Errorf("told:\n%s", s.out.events())
		}
		s.asks(t, func(r *parley.Request) { r.To = "bob" })
		wait(time.Hour)
		if !strings.Contains(s.out.events(), "phone") {
			t.Errorf("told:\n%s", s.out.events())
		}
	})
}

func TestAnApproversQuestionIsTakenFurther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		began := time.Now()
		var calls []string
		s.opts.People = []notify.Known{{User: "alice", Deputy: "bob", Absent: &notify.Absence{From: began.Add(2 * time.Hour), Until: began.Add(48 * time.Hour)}}}
		s.opts.Channels = nil
		s.opts.Escalate = func(_ context.Context, r parley.Request, deputy string) (time.Time, error) {
			at := time.Since(began).Round(time.Minute)
			if r.To == "alice" && (len(calls) == 0 || !strings.HasSuffix(calls[len(calls)-1], "to "+deputy)) {
				calls = append(calls, fmt.Sprint(at, " to ", deputy))
			}
			return time.Time{}, nil
		}
		s.node(t)
		s.asks(t, func(r *parley.Request) {
			r.Trigger, r.Labels = parley.TriggerApproval, map[string]string{parley.LabelAsker: "carol"}
		})
		s.asks(t, nil) // her own is not
		wait(3 * time.Hour)
		if got := strings.Join(calls, "; "); got != "0s to ; 2h0m0s to bob" {
			t.Error(got)
		}
	})
}

// Whoever goes away, or comes back, long after the question was told changes at once who is
// asked in their place.
func TestAnAbsenceIsNoticedHoweverOldTheQuestionIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		began := time.Now()
		var mu sync.Mutex
		var calls []string
		s.opts.People = []notify.Known{{User: "alice", Deputy: "bob"}}
		s.opts.Escalate = func(_ context.Context, r parley.Request, deputy string) (time.Time, error) {
			mu.Lock()
			defer mu.Unlock()
			if at := time.Since(began).Round(time.Minute); len(calls) == 0 || !strings.HasSuffix(calls[len(calls)-1], "to "+deputy) {
				calls = append(calls, fmt.Sprint(at, " to ", deputy))
			}
			return time.Time{}, nil
		}
		s.node(t)
		o, _ := s.node(t)
		s.asks(t, func(r *parley.Request) {
			r.Trigger, r.Labels = parley.TriggerApproval, map[string]string{parley.LabelAsker: "carol"}
		})
		wait(61 * time.Minute)
		if err := o.SetAbsence(t.Context(), alice, &notify.Absence{From: time.Now(), Until: time.Now().Add(24 * time.Hour)}); err != nil {
			t.Fatal(err)
		}
		wait(time.Minute)
		if err := o.SetAbsence(t.Context(), alice, nil); err != nil {
			t.Fatal(err)
		}
		wait(time.Minute)
		if err := o.SetAbsence(t.Context(), alice, &notify.Absence{From: time.Now(), Until: time.Now().Add(7 * time.Minute)}); err != nil {
			t.Fatal(err)
		}
		wait(time.Hour)
		if got := strings.Join(calls, "; "); got != "0s to ; 1h1m0s to bob; 1h2m0s to ; 1h3m0s to bob; 1h10m0s to " {
			t.Error(got)
		}
	})
}
