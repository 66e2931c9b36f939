package notify_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/notify"
)

var bob = parley.Principal{Tenant: "default", User: "bob"}

func TestABrowserShowsATestOfItsPersonAndOfNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, _ := s.node(t)
		mine := s.subscribes(t, o, alice, phone)
		laptop := s.subscribes(t, o, alice, "https://push.example/laptop")
		for _, who := range []parley.Principal{bob, {Tenant: "other", User: "alice"}} {
			if err := o.Test(t.Context(), who, mine.ID); !errors.Is(err, parley.ErrNotFound) {
				t.Errorf("%v: %v", who, err)
			}
		}
		if err := o.Test(t.Context(), parley.Principal{Tenant: "default"}, mine.ID); !errors.Is(err, parley.ErrNoOwner) {
			t.Errorf("nobody: %v", err)
		}
		if err := o.Test(t.Context(), alice, mine.ID); err != nil {
			t.Fatal(err)
		}
		wait(time.Hour)
		s.out.wants(t, "0s push.example/phone test")
		var shown struct{ Title, Body, URL, Tag string }
		if err := json.Unmarshal(s.out.all()[0].body, &shown); err != nil || shown.Title == "" || shown.Tag != "test" || shown.URL != "https://parley.example/inbox#notifications" {
			t.Errorf("%+v, %v", shown, err)
		}
		s.subscribes(t, o, bob, phone)
		if err := o.Test(t.Context(), alice, mine.ID); !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("somebody else uses the browser now: %v", err)
		}
		if p, err := o.Person(t.Context(), "default", "alice"); err != nil || len(p.Browsers) != 1 || p.Browsers[0].ID != laptop.ID {
			t.Errorf("%+v, %v", p.Browsers, err)
		}
	})
}

func TestATestThatDoesNotArriveSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, _ := s.node(t)
		mine := s.subscribes(t, o, alice, phone)
		status := http.StatusBadGateway
		s.out.answer = func(string, int) (int, error) { return status, nil }
		if err := o.Test(t.Context(), alice, mine.ID); !errors.Is(err, notify.ErrUnreached) || errors.Is(err, parley.ErrNotFound) {
			t.Errorf("%v", err)
		}
		wait(24 * time.Hour)
		if n := s.out.called(phone); n != 1 {
			t.Errorf("sent %d times", n)
		}
		status = http.StatusGone
		if err := o.Test(t.Context(), alice, mine.ID); !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("%v", err)
		}
		if p, err := o.Person(t.Context(), "default", "alice"); err != nil || len(p.Browsers) != 0 {
			t.Errorf("%+v, %v", p.Browsers, err)
		}
		s.opts.Push, s.opts.Channels = nil, nil
		silent, _ := s.node(t)
		if err := silent.Test(t.Context(), alice, mine.ID); !errors.Is(err, notify.ErrNoChannel) {
			t.Errorf("%v", err)
		}
	})
}
