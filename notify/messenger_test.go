package notify_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/notify"
)

// pager is a messenger that writes down what it is told.
type pager struct {
	began time.Time

	mu      sync.Mutex
	direct  map[string][]string // by user
	places  map[string][]string // by session
	version string
	got     []string
	tell    func(n int, t notify.Telling) error // what comes of the nth attempt; nil: it comes through
	calls   int
}

func (p *pager) Direct(_ context.Context, _, user string) ([]string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.direct[user], nil
}

func (p *pager) Places(_ context.Context, r parley.Request) ([]string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.places[r.Session], nil
}

func (p *pager) Version(context.Context, parley.Request) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.version, nil
}

func (p *pager) Tell(_ context.Context, t notify.Telling) error {
	p.mu.Lock()
	p.calls++
	n, tell := p.calls, p.tell
	p.mu.Unlock()
	if tell != nil {
		if err := tell(n, t); err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	said := fmt.Sprintf("%v %s %s", time.Since(p.began).Truncate(time.Second), t.Place, strings.TrimPrefix(t.Event, "question."))
	if t.Repeated {
		said += " again"
	}
	p.got = append(p.got, said)
	return nil
}

func (p *pager) wants(t testing.TB, want ...string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Equal(p.got, want) {
		t.Errorf("told %q, want %q", p.got, want)
	}
}

// between is a time at which nobody looks for new questions.
const between = 1500 * time.Millisecond

func newPager(s *site) *pager {
	p := &pager{began: time.Now(), direct: map[string][]string{"alice": {"dm"}}, places: map[string][]string{"s1": {"thread"}}}
	s.opts.Messengers = map[string]notify.Messenger{"pager": p}
	s.opts.Channels = []notify.Choice{{Channel: "pager", After: 30 * time.Second}, {Channel: notify.WebhookChannel("ops"), After: 5 * time.Minute}}
	return p
}

func TestAMessengerTellsAsPeopleChoose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		p := newPager(s)
		o, _ := s.node(t)
		q := s.asks(t, nil)
		wait(29 * time.Second)
		p.wants(t)
		wait(2 * time.Second)
		p.wants(t, "30s dm opened")
		s.answers(t, q)
		wait(time.Second)
		p.wants(t, "30s dm opened", "31s dm closed")
		s.wantNoNotice(t)

		if err := o.Choose(t.Context(), alice, []notify.Choice{{Channel: "pager", Off: true}}); err != nil {
			t.Fatal(err)
		}
		s.asks(t, nil)
		wait(time.Minute)
		p.wants(t, "30s dm opened", "31s dm closed")
	})
}

func TestAMessengerIsListedForWhomItReaches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		newPager(s)
		o, _ := s.node(t)
		for user, want := range map[string][]string{"alice": {"pager", "webhook:ops"}, "bob": {"webhook:ops"}} {
			person, err := o.Person(t.Context(), "", user)
			var got []string
			for _, c := range person.Choices {
				got = append(got, c.Channel)
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %q, %v", user, got, err)
			}
		}
	})
}

// TestAQuestionIsToldWhereItBelongsAtOnce: also while its person looks, and not a second
// time at their own address.
func TestAQuestionIsToldWhereItBelongsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		p := newPager(s)
		o, _ := s.node(t)
		if err := o.Looking(t.Context(), alice, ""); err != nil {
			t.Fatal(err)
		}
		wait(between)
		q := s.asks(t, func(r *parley.Request) { r.Session = "s1" })
		wait(time.Second)
		p.wants(t, "2s thread opened")
		wait(time.Hour)
		p.wants(t, "2s thread opened")
		s.answers(t, q)
		wait(time.Second)
		p.wants(t, "2s thread opened", "1h0m2s thread closed")
		s.wantNoNotice(t)
	})
}

// TestAQuestionThatOnlyTellsIsToldWhereItBelongs: its person waits for others, and is
// told nowhere else.
func TestAQuestionThatOnlyTellsIsToldWhereItBelongs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		p := newPager(s)
		s.node(t)
		wait(between)
		s.asks(t, func(r *parley.Request) { r.Session, r.Trigger = "s1", parley.TriggerApprovers })
		s.asks(t, func(r *parley.Request) { r.Trigger = parley.TriggerApprovers })
		wait(time.Hour)
		p.wants(t, "2s thread opened")
	})
}

func TestAReceiverThatWantsToBeLeftAloneIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		p := newPager(s)
		p.tell = func(n int, _ notify.Telling) error {
			if n <= 20 { // more often than anything is tried that fails
				return &notify.Later{After: 7 * time.Second, Err: errors.New("ratelimited")}
			}
			return nil
		}
		s.node(t)
		wait(between)
		q := s.asks(t, func(r *parley.Request) { r.Session = "s1" })
		wait(2 * time.Minute)
		p.wants(t)
		wait(time.Minute)
		p.wants(t, "2m22s thread opened") // and not as a repeated attempt: none came through
		p.mu.Lock()
		p.calls = 0
		p.mu.Unlock()
		s.answers(t, q)
		wait(3 * time.Minute)
		p.wants(t, "2m22s thread opened", "5m21s thread closed")
	})
}

func TestAMessengerIsToldThatAnAttemptIsRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		p := newPager(s)
		ids := map[string]bool{}
		p.tell = func(n int, to notify.Telling) error {
			ids[to.ID] = true
			if n == 1 {
				return errors.New("nobody knows")
			}
			return nil
		}
		s.node(t)
		s.asks(t, func(r *parley.Request) { r.Session = "s1" })
		wait(time.Minute)
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.got) != 1 || !strings.HasSuffix(p.got[0], "thread opened again") || len(ids) != 1 {
			t.Errorf("told %q with the ids %v", p.got, ids)
		}
	})
}

func TestWhatNoAttemptHelpsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		p := newPager(s)
		p.tell = func(int, notify.Telling) error { return notify.Final(errors.New("channel_not_found")) }
		s.node(t)
		q := s.asks(t, nil)
		wait(40 * time.Second)
		s.out.wants(t, "30s ops.example/hook question.opened") // the next way, at once
		s.answers(t, q)
		wait(time.Hour)
		if p.calls != 1 {
			t.Errorf("it was tried %d times", p.calls)
		}
	})
}

// TestWhereNoPlaceTakesItPeopleAreToldAsTheyChoose: at once, and who wants nothing of a
// messenger is told by the next channel.
func TestWhereNoPlaceTakesItPeopleAreToldAsTheyChoose(t *testing.T) {
	for name, off := range map[string]bool{"direct": false, "off": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSite(t)
				p := newPager(s)
				p.tell = func(_ int, to notify.Telling) error {
					if to.Place == "thread" {
						return notify.Final(errors.New("not_in_channel"))
					}
					return nil
				}
				o, _ := s.node(t)
				if off {
					if err := o.Choose(t.Context(), alice, []notify.Choice{{Channel: "pager", Off: true}}); err != nil {
						t.Fatal(err)
					}
				}
				wait(between)
				q := s.asks(t, func(r *parley.Request) { r.Session = "s1" })
				wait(2 * time.Second)
				told, closed := []string{"2s dm opened"}, []string{"2s dm opened", "3s dm closed"}
				if off {
					told, closed = nil, nil
					s.out.wants(t, "2s ops.example/hook question.opened")
				}
				p.wants(t, told...)
				s.answers(t, q)
				wait(time.Second)
				p.wants(t, closed...)
				s.wantNoNotice(t)
			})
		})
	}
}

// TestWhatChangesIsToldAnew: when one of those who are asked has answered, the others
// are told, in whichever process.
func TestWhatChangesIsToldAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		p := newPager(s)
		p.version = "0 of 2"
		s.node(t)
		wait(between)
		round := func(r *parley.Request) { r.Session, r.Labels = "s1", map[string]string{"quorum": "q1"} }
		s.asks(t, round)
		other := s.asks(t, func(r *parley.Request) { round(r); r.To, r.Session = "bob", "" })
		wait(time.Second)
		p.wants(t, "2s thread opened")
		p.mu.Lock()
		p.version = "1 of 2"
		p.mu.Unlock()
		s.answers(t, other)
		wait(time.Second)
		p.wants(t, "2s thread opened", "2s thread changed")
		wait(time.Hour)
		p.wants(t, "2s thread opened", "2s thread changed")
		p.mu.Lock()
		p.version = "2 of 2" // nobody told of it
		p.mu.Unlock()
		wait(time.Minute)
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.got) != 3 {
			t.Errorf("told %q", p.got)
		}
	})
}

func TestOfManyProcessesOneTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		p := newPager(s)
		for range 3 {
			s.node(t)
		}
		wait(between)
		q := s.asks(t, func(r *parley.Request) { r.Session = "s1" })
		wait(time.Minute)
		s.answers(t, q)
		wait(time.Minute)
		p.wants(t, "2s thread opened", "1m1s thread closed")
	})
}

func TestAMessengerNeedsANameOfItsOwn(t *testing.T) {
	for _, name := range []string{"", notify.WebPush, notify.Email, "webhook:x", "a/places"} {
		s := newSite(t)
		s.opts.Messengers = map[string]notify.Messenger{name: &pager{}}
		if _, err := notify.New(s.hub, s.store, s.keys, &s.opts); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
}
