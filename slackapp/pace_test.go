package slackapp_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley/slackapp"
)

// strict is a Slack that takes one message a second for each channel, and tells who comes
// too soon.
type strict struct {
	mu     sync.Mutex
	next   map[string]time.Time
	taken  map[string]int
	denied int
}

func (s *strict) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.ParseForm(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := r.URL.Path + r.Form.Get("channel")
	if wait := time.Until(s.next[key]); wait > 0 {
		s.denied++
		return &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {"1"}}, Body: http.NoBody, Request: r}, nil
	}
	s.next[key] = time.Now().Add(time.Second)
	s.taken[key]++
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"ok":true,"ts":"1.1"}`)), Request: r}, nil
}

func callOf(t *testing.T, method, channel string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://slack.example/api/"+method, strings.NewReader(url.Values{"token": {"t"}, "channel": {channel}}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

// All callers of a process wait as Slack told one of them; others, for other channels and
// methods, do not.
func TestRetryAfterHoldsForAllCallersOfALane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &strict{next: map[string]time.Time{}, taken: map[string]int{}}
		pace := slackapp.NewPace(&http.Client{Transport: s})
		began := time.Now()
		var all sync.WaitGroup
		for range 10 {
			for _, channel := range []string{"C1", "C2"} {
				all.Go(func() {
					res, err := pace.Do(callOf(t, "chat.postMessage", channel))
					if err != nil || res.StatusCode != 200 {
						t.Error(err)
					}
				})
			}
		}
		all.Go(func() {
			if _, err := pace.Do(callOf(t, "chat.update", "C1")); err != nil || time.Since(began) > 0 {
				t.Errorf("another method waited %v: %v", time.Since(began), err)
			}
		})
		all.Wait()
		if took := time.Since(began); took != 9*time.Second {
			t.Errorf("it took %v", took)
		}
		if s.denied > 18 { // one each, while nine wait
			t.Errorf("%d calls came too soon", s.denied)
		}
	})
}

func TestACallThatCannotWaitIsToldWhen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &strict{next: map[string]time.Time{"/api/users.info": time.Now().Add(time.Hour)}, taken: map[string]int{}}
		pace := slackapp.NewPace(&http.Client{Transport: retrying{s, "120"}})
		began := time.Now()
		_, err := pace.Do(callOf(t, "users.info", ""))
		var limited *slack.RateLimitedError
		if !errors.As(err, &limited) || limited.RetryAfter != 2*time.Minute || time.Since(began) != 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		_, err = pace.Do(callOf(t, "users.info", "")) // and Slack is not asked again before
		if !errors.As(err, &limited) || s.denied != 1 {
			t.Errorf("%v, %d", err, s.denied)
		}
	})
}

// retrying says another time than its Slack.
type retrying struct {
	*strict
	after string
}

func (r retrying) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := r.strict.RoundTrip(req)
	if err == nil && res.StatusCode == 429 {
		res.Header.Set("Retry-After", r.after)
	}
	return res, err
}

// TestNoTokenFollowsARedirect: not to the same host either.
func TestNoTokenFollowsARedirect(t *testing.T) {
	asked := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}))
	defer site.Close()
	req := callOf(t, "auth.test", "")
	req.URL, _ = req.URL.Parse(site.URL + "/api/auth.test")
	res, err := slackapp.NewPace(site.Client()).Do(req)
	if err != nil || res.StatusCode != http.StatusTemporaryRedirect || asked != 1 {
		t.Errorf("%v, %v, %d requests", res, err, asked)
	}
	if err == nil {
		_ = res.Body.Close()
	}
}
