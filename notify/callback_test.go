package notify_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/outbound"
)

func expects(id parley.ID) notify.Callback {
	return notify.Callback{Question: id, Owner: "parley-program:ci", URL: "https://ci.example/done", Secret: hookSecret}
}

func TestAProgramIsToldOfItsOutcomeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		s.opts.Channels = nil
		o, _ := s.node(t)
		s.node(t)
		id := parley.NewID()
		for range 2 {
			if err := o.Expect(t.Context(), expects(id)); err != nil {
				t.Fatal(err)
			}
		}
		wait(time.Minute)
		q := s.asks(t, func(r *parley.Request) { r.ID = id })
		wait(2 * time.Hour)
		s.out.wants(t)
		s.answers(t, q)
		wait(time.Hour)
		s.out.wants(t, "2h1m0s ci.example/done question.settled")
		if e := s.out.all()[0]; e.id != "msg_"+string(id)+"_settled" || !strings.Contains(string(e.body), `"action":"accept"`) {
			t.Errorf("%s %s", e.id, e.body)
		}
		s.wantNoNotice(t)
	})
}

func TestAProgramThatIsAwayIsToldForThreeDays(t *testing.T) {
	for name, back := range map[string]time.Duration{"back": 26 * time.Hour, "never": 1000 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSite(t)
				s.opts.Channels, s.opts.Poll = nil, time.Minute
				s.out.answer = func(string, int) (int, error) {
					if time.Since(s.out.began) < back {
						return http.StatusBadRequest, nil
					}
					return http.StatusOK, nil
				}
				o, _ := s.node(t)
				id := parley.NewID()
				if err := o.Expect(t.Context(), expects(id)); err != nil {
					t.Fatal(err)
				}
				s.answers(t, s.asks(t, func(r *parley.Request) { r.ID = id }))
				wait(5 * 24 * time.Hour)
				if told := len(s.out.all()); (told == 1) != (name == "back") {
					t.Errorf("told %d times in %v calls", told, s.out.calls)
				}
				s.wantNoNotice(t)
			})
		})
	}
}

// The outbox of the process that answered is not the one that expects it, and dies.
func TestAnotherNodeTellsAProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, die := s.node(t)
		id := parley.NewID()
		if err := o.Expect(t.Context(), expects(id)); err != nil {
			t.Fatal(err)
		}
		q := s.asks(t, func(r *parley.Request) { r.ID = id })
		die()
		s.answers(t, q)
		s.node(t)
		wait(time.Minute)
		s.out.wants(t, "0s ci.example/done question.settled")
	})
}

func TestACallbackOfAQuestionThatWasNeverOpenedIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, _ := s.node(t)
		if err := o.Expect(t.Context(), expects(parley.NewID())); err != nil {
			t.Fatal(err)
		}
		wait(2 * time.Hour)
		s.out.wants(t)
		s.wantNoNotice(t)
	})
}

// A program's question is told to its person like any other.
func TestAQuestionWithACallbackIsToldByChannels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, _ := s.node(t)
		id := parley.NewID()
		if err := o.Expect(t.Context(), expects(id)); err != nil {
			t.Fatal(err)
		}
		q := s.asks(t, func(r *parley.Request) { r.ID = id })
		wait(6 * time.Minute)
		s.answers(t, q)
		wait(time.Minute)
		if len(s.out.all()) != 3 {
			t.Errorf("told:\n%s", s.out.events())
		}
		s.wantNoNotice(t)
	})
}

// Between Expect and Open a look finds no question. It keeps nobody from being told.
func TestAQuestionThatIsOpenedAfterItsCallbackWasLookedAtIsToldInItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, _ := s.node(t)
		s.node(t)
		id := parley.NewID()
		if err := o.Expect(t.Context(), expects(id)); err != nil {
			t.Fatal(err)
		}
		wait(time.Minute)
		q := s.asks(t, func(r *parley.Request) { r.ID = id })
		wait(10 * time.Minute)
		s.out.wants(t, "6m0s ops.example/hook question.opened")
		s.answers(t, q)
		wait(time.Hour)
		s.out.wants(t, "6m0s ops.example/hook question.opened", "11m0s ops.example/hook question.closed", "11m0s ci.example/done question.settled")
		s.wantNoNotice(t)
	})
}

func TestACallbackThatCannotBeIsRefused(t *testing.T) {
	s := newSite(t)
	o, err := notify.New(s.hub, s.store, s.keys, &s.opts)
	if err != nil {
		t.Fatal(err)
	}
	for name, one := range map[string]struct {
		change func(*notify.Callback)
		want   error
	}{
		"no id":      {func(c *notify.Callback) { c.Question = "x" }, parley.ErrInvalid},
		"http":       {func(c *notify.Callback) { c.URL = "http://ci.example/" }, outbound.ErrForbidden},
		"loopback":   {func(c *notify.Callback) { c.URL = "https://127.0.0.1/" }, outbound.ErrForbidden},
		"metadata":   {func(c *notify.Callback) { c.URL = "https://169.254.169.254/latest" }, outbound.ErrForbidden},
		"no secret":  {func(c *notify.Callback) { c.Secret = "" }, notify.ErrSecret},
		"too little": {func(c *notify.Callback) { c.Secret = "whsec_YWJj" }, notify.ErrSecret},
		"long":       {func(c *notify.Callback) { c.URL += strings.Repeat("x", 2000) }, parley.ErrTooLarge},
	} {
		c := expects(parley.NewID())
		one.change(&c)
		if err := o.Expect(t.Context(), c); !errors.Is(err, one.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
