package api

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
)

func newStream(w http.ResponseWriter, caller func(*http.Request) (Caller, error)) *stream {
	return &stream{w: w, caller: Caller{
		Principal: parley.Principal{Tenant: "acme", User: "alice"},
		again:     func() (Caller, error) { return caller(httptest.NewRequest(http.MethodGet, "/", nil)) },
	}}
}

func TestAStreamSaysThatItIsThereUntilItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		stop := newStream(w, nil).keepAlive(func() { t.Error("somebody is there") })
		time.Sleep(3*heartbeat + time.Second)
		stop()
		time.Sleep(5 * heartbeat)
		if got := strings.Count(w.Body.String(), ": still here\n\n"); got != 3 {
			t.Errorf("said %d times: %q", got, w.Body)
		}
	})
}

// deaf is a client that has gone.
type deaf struct{ *httptest.ResponseRecorder }

func (deaf) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestAStreamThatNobodyReceivesEndsItsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := 0
		stop := newStream(deaf{httptest.NewRecorder()}, nil).keepAlive(func() { gone++ })
		defer stop()
		time.Sleep(4 * heartbeat)
		synctest.Wait()
		if gone != 1 {
			t.Errorf("told %d times that nobody is there", gone)
		}
	})
}

func TestAStreamTellsNothingToWhoIsSomebodyElseByNow(t *testing.T) {
	alice := parley.Principal{Tenant: "acme", User: "alice"}
	for name, now := range map[string]func(*http.Request) (Caller, error){
		"signed out": func(*http.Request) (Caller, error) { return Caller{}, ErrUnauthenticated },
		"somebody else": func(*http.Request) (Caller, error) {
			return Caller{Principal: parley.Principal{Tenant: "acme", User: "bob"}}, nil
		},
		"in another tenant": func(*http.Request) (Caller, error) {
			return Caller{Principal: parley.Principal{Tenant: "globex", User: "alice"}}, nil
		},
		"with another right": func(*http.Request) (Caller, error) { return Caller{Principal: alice, Admin: true}, nil },
	} {
		w := httptest.NewRecorder()
		if newStream(w, now).send([]byte("event")) || w.Body.Len() > 0 {
			t.Errorf("%s: told %q", name, w.Body)
		}
	}
	w := httptest.NewRecorder()
	if !newStream(w, func(*http.Request) (Caller, error) { return Caller{Principal: alice}, nil }).send([]byte("event")) || w.Body.String() != "event" {
		t.Errorf("she is told %q", w.Body)
	}
}
