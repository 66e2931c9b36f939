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
	"github.com/parley-hq/parley/outbound"
)

func letter() notify.Letter {
	return notify.Letter{
		ID: parley.NewID(), Owner: "alice", URL: "https://client.example/task", Body: json.RawMessage(`{"task":{"id":"t"}}`),
		Header: map[string]string{"A2A-Notification-Token": "secret"},
	}
}

func TestALetterIsDeliveredOnceAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		s.opts.Channels = nil
		o, _ := s.node(t)
		s.node(t)
		l, posted := letter(), make(chan struct{})
		s.out.answers(func(string, int) (int, error) {
			<-posted // it is on its way until both are
			return http.StatusOK, nil
		})
		for range 2 {
			if err := o.Post(t.Context(), l); err != nil {
				t.Fatal(err)
			}
		}
		close(posted)
		wait(time.Hour)
		if len(s.out.all()) != 1 || string(s.out.all()[0].body) != string(l.Body) {
			t.Errorf("%+v", s.out.all())
		}
		s.wantNoNotice(t)
	})
}

// The process that posted it dies before it has sent it.
func TestALetterIsTriedAgainByAnotherNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		s.opts.Channels = nil
		s.out.answer = func(string, int) (int, error) {
			if time.Since(s.out.began) < 20*time.Minute {
				return http.StatusBadGateway, nil
			}
			return http.StatusOK, nil
		}
		o, die := s.node(t)
		if err := o.Post(t.Context(), letter()); err != nil {
			t.Fatal(err)
		}
		die()
		s.node(t)
		wait(2 * time.Hour)
		if len(s.out.all()) != 1 {
			t.Errorf("%+v in %v calls", s.out.all(), s.out.calls)
		}
		s.wantNoNotice(t)
	})
}

func TestALetterThatCannotBeSentIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		o, _ := s.node(t)
		for _, c := range []struct {
			change func(*notify.Letter)
			want   error
		}{
			{func(l *notify.Letter) { l.URL = "http://169.254.169.254/latest" }, outbound.ErrForbidden},
			{func(l *notify.Letter) { l.ID = "x" }, parley.ErrInvalid},
			{func(l *notify.Letter) { l.Body = json.RawMessage(`{`) }, parley.ErrInvalid},
			{func(l *notify.Letter) {
				l.Body = json.RawMessage(`"` + string(make([]byte, 0)) + `"`)
				l.URL = "https://a.example/" + string(make([]byte, 2000))
			}, parley.ErrTooLarge},
		} {
			l := letter()
			c.change(&l)
			if err := o.Post(t.Context(), l); !errors.Is(err, c.want) {
				t.Errorf("%+v: %v", l, err)
			}
		}
	})
}
