package fakeslack_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley/internal/testkit/fakeslack"
)

func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func TestFaults(t *testing.T) {
	say := slack.MsgOptionText("x", false)
	for name, c := range map[string]struct {
		fault fakeslack.Fault
		done  int // messages that are there after the call
		check func(error) bool
	}{
		"dropped after it was done": {fakeslack.Fault{Drop: true}, 1, func(err error) bool { return err != nil }},
		"dead before headers":       {fakeslack.Fault{Die: true}, 0, func(err error) bool { return err != nil }},
		"a status": {fakeslack.Fault{Status: 503}, 0, func(err error) bool {
			failure, ok := err.(slack.StatusCodeError)
			return ok && failure.Code == 503
		}},
		"a 429": {fakeslack.Fault{Status: 429, RetryAfter: 7 * time.Second}, 0, func(err error) bool {
			failure, ok := err.(*slack.RateLimitedError)
			return ok && failure.RetryAfter == 7*time.Second
		}},
		"an error of Slack": {fakeslack.Fault{Error: "internal_error"}, 0, func(err error) bool { return err != nil && err.Error() == "internal_error" }},
		"late":              {fakeslack.Fault{Delay: time.Millisecond}, 1, func(err error) bool { return err == nil }},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, nil)
			c.fault.Method, c.fault.Times = "chat.postMessage", 1
			s.slack.Fail(c.fault)
			if _, err := s.client.AuthTest(); err != nil {
				t.Errorf("another method: %v", err)
			}
			_, _, err := s.client.PostMessage(s.general.ID, say)
			if !c.check(err) || len(s.general.Messages()) != c.done {
				t.Errorf("the error is %v, and %d messages are there", err, len(s.general.Messages()))
			}
			if _, _, err := s.client.PostMessage(s.general.ID, say); err != nil {
				t.Errorf("the next call: %v", err)
			}
		})
	}
}

func TestHangingCallEndsWithItsClient(t *testing.T) {
	s := newSite(t, nil)
	s.slack.Fail(fakeslack.Fault{Hang: true})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, _, err := s.client.PostMessageContext(ctx, s.general.ID, slack.MsgOptionText("x", false)); err == nil || len(s.general.Messages()) != 0 {
		t.Errorf("the error is %v", err)
	}
	s.slack.Heal()
	s.post(slack.MsgOptionText("x", false))
}

func TestFaultBeginsLater(t *testing.T) {
	s := newSite(t, nil)
	s.slack.Fail(fakeslack.Fault{Method: "auth.test", After: 1, Times: 2, Status: 500})
	var failed []bool
	for range 4 {
		_, err := s.client.AuthTest()
		failed = append(failed, err != nil)
	}
	if failed[0] || !failed[1] || !failed[2] || failed[3] {
		t.Errorf("failed: %v", failed)
	}
	calls := s.slack.Calls("auth.test")
	if len(calls) != 4 || calls[1].Status != 500 || calls[3].Status != 200 {
		t.Errorf("the calls are %+v", calls)
	}
}
