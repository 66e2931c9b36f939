package mcphttp

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

func TestASessionEndsWhenItWasIdleForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all liveSessions
		session := newLiveSession(&all, httptest.NewRequest(http.MethodPost, "/", nil), time.Hour)
		all.add("id", session)
		time.Sleep(2 * time.Hour) // initialize takes its time
		session.leave(-1)
		time.Sleep(time.Hour - time.Nanosecond)
		if !session.enter() {
			t.Fatal("it ended early")
		}
		time.Sleep(2 * time.Hour) // a request is open
		session.end(true)         // a timer that fired as the request came
		_, cancel := context.WithCancelCause(t.Context())
		if !session.begin(nil, &cancel) {
			t.Fatal("it ended although a request was open")
		}
		session.leave(-1)
		time.Sleep(24 * time.Hour) // its client is gone, but the call waits for a person
		session.done(&cancel)
		time.Sleep(time.Hour - time.Nanosecond)
		if all.get("id") == nil {
			t.Fatal("it ended although a call was in progress")
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if all.get("id") != nil || session.begin(nil, &cancel) {
			t.Error("it lives for ever")
		}
	})
}

func TestASessionMayLiveForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all liveSessions
		session := newLiveSession(&all, httptest.NewRequest(http.MethodPost, "/", nil), -1)
		all.add("id", session)
		session.leave(-1)
		time.Sleep(1000 * time.Hour)
		if !session.enter() {
			t.Error("it ended")
		}
	})
}

func TestAnIdleSessionIsGone(t *testing.T) {
	s := newStage(t, nil, &Options{SessionTimeout: time.Millisecond})
	c := newRawClient(t, false)
	res := c.do(t.Context(), http.MethodPost, s.http.URL, initializeMessage)
	c.session = res.Header.Get(mcpclient.SessionHeader)
	res.Body.Close()
	for session := range s.server.Sessions() {
		_ = session.Wait()
	}
	c.expectNoSession(http.MethodPost, s.http.URL, listMessage)
}

func TestDeletingASessionEndsItsCalls(t *testing.T) {
	for name, n := range map[string]int{"in line": 0, "detached": 1} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, nil, nil)
			c := newRawClient(t, false)
			c.initialize(s.http.URL)
			var call sync.WaitGroup
			defer call.Wait()
			call.Go(func() { c.expect(http.StatusOK, http.MethodPost, s.http.URL, c.callMessage("wait", n)) })
			<-s.started
			c.expect(http.StatusNoContent, http.MethodDelete, s.http.URL, "")
			if err := <-s.ended; !errors.Is(err, mcptool.ErrSessionEnded) {
				t.Errorf("the call ended with %v", err)
			}
			c.expectNoSession(http.MethodPost, s.http.URL, listMessage)
			c.expectNoSession(http.MethodDelete, s.http.URL, "")
			for range s.server.Sessions() {
				t.Error("the SDK still has the session")
			}
		})
	}
}

func TestOnlyWhoBeganASessionMayUseIt(t *testing.T) {
	s := newStage(t, nil, nil)
	ann, bob := newRawClient(t, false), newRawClient(t, false)
	ann.header.Set("Authorization", "Bearer ann")
	bob.header.Set("Authorization", "Bearer bob")
	ann.initialize(s.http.URL)
	bob.session = ann.session
	bob.expect(http.StatusForbidden, http.MethodPost, s.http.URL, listMessage)
	bob.expect(http.StatusForbidden, http.MethodGet, s.http.URL, "")
	bob.expect(http.StatusForbidden, http.MethodDelete, s.http.URL, "")
	ann.expect(http.StatusOK, http.MethodPost, s.http.URL, listMessage)
	ann.expect(http.StatusNoContent, http.MethodDelete, s.http.URL, "")
}

func TestSessionsOfAnonymousCallersAreBounded(t *testing.T) {
	s := newStage(t, nil, &Options{MaxSessions: 1})
	var all []*rawClient
	for range 12 {
		c := newRawClient(t, false)
		c.initialize(s.http.URL)
		all = append(all, c)
	}
	known := newRawClient(t, false)
	known.header.Set("Authorization", "Bearer alice")
	known.initialize(s.http.URL)
	for _, c := range all[:2] {
		c.expectNoSession(http.MethodPost, s.http.URL, listMessage)
	}
	for _, c := range append(all[2:], known) {
		c.expect(http.StatusOK, http.MethodPost, s.http.URL, listMessage)
	}
}

func TestOneSessionTooManyEndsTheOneThatWasIdleForLongest(t *testing.T) {
	s := newStage(t, nil, &Options{MaxSessions: 2})
	begin := func(user string) *rawClient {
		c := newRawClient(t, false)
		c.header.Set("Authorization", "Bearer "+user)
		c.initialize(s.http.URL)
		return c
	}
	first, second := begin("alice"), begin("alice")
	other := begin("bob")
	first.expect(http.StatusOK, http.MethodPost, s.http.URL, listMessage) // now the second was idle for longer
	third := begin("alice")
	second.expectNoSession(http.MethodPost, s.http.URL, listMessage)
	for _, c := range []*rawClient{first, third, other} {
		c.expect(http.StatusOK, http.MethodPost, s.http.URL, listMessage)
	}

	// Those that are in use stay.
	var calls sync.WaitGroup
	defer calls.Wait()
	for _, c := range []*rawClient{first, third} {
		calls.Go(func() { c.expect(http.StatusOK, http.MethodPost, s.http.URL, c.callMessage("wait", 0)) })
		<-s.started
	}
	c := newRawClient(t, false)
	c.header.Set("Authorization", "Bearer alice")
	if answer := c.expect(http.StatusTooManyRequests, http.MethodPost, s.http.URL, initializeMessage); !strings.Contains(answer, "too many sessions") {
		t.Errorf("got %s", answer)
	}
	begin("bob")
	first.expect(http.StatusNoContent, http.MethodDelete, s.http.URL, "")
	begin("alice")
	third.expect(http.StatusNoContent, http.MethodDelete, s.http.URL, "")
}
