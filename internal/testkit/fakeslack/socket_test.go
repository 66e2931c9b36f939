package fakeslack_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/coder/websocket"
	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"

	"github.com/parley-hq/parley/internal/testkit/fakeslack"
)

// connect is an app on slack-go's Socket Mode, which runs until the test ends.
func (s *site) connect(handle func(*socketmode.Client, socketmode.Event)) {
	s.t.Helper()
	client := socketmode.New(s.as(s.token, slack.OptionAppLevelToken(s.slack.AppToken())))
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { _ = client.RunContext(ctx) })
	wg.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case e := <-client.Events:
				handle(client, e)
			}
		}
	})
	s.t.Cleanup(func() {
		cancel()
		wg.Wait()
	})
	if err := s.slack.WaitForSockets(within(s.t), 1); err != nil {
		s.t.Fatal(err)
	}
}

func TestSocketModeDeliversEventsAndInteractions(t *testing.T) {
	s := newSite(t, &fakeslack.Options{SocketMode: true})
	heard := make(chan string, 10)
	s.connect(func(c *socketmode.Client, e socketmode.Event) {
		switch e.Type {
		case socketmode.EventTypeEventsAPI:
			heard <- e.Data.(slackevents.EventsAPIEvent).InnerEvent.Type
			_ = c.Ack(*e.Request)
		case socketmode.EventTypeInteractive:
			callback := e.Data.(slack.InteractionCallback)
			heard <- string(callback.Type)
			if callback.Type == slack.InteractionTypeViewSubmission {
				_ = c.Ack(*e.Request, slack.NewErrorsViewSubmissionResponse(map[string]string{"name": "no"}))
				return
			}
			if _, err := s.client.OpenView(callback.TriggerID, form()); err != nil {
				t.Error(err)
			}
			_ = c.Ack(*e.Request)
		}
	})
	s.ann.Mention(s.general, "hello")
	if kind := <-heard; kind != "app_mention" {
		t.Errorf("the app heard %s", kind)
	}
	if _, err := s.ann.Press(s.post(button("open", "q1")), "open"); err != nil {
		t.Fatal(err)
	}
	if kind := <-heard; kind != "block_actions" {
		t.Errorf("the app heard %s", kind)
	}
	v, err := s.ann.WaitForView(within(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	made, err := s.ann.Submit(v, fakeslack.Values{"name": "Ann"})
	if err != nil || made.Errors["name"] != "no" {
		t.Errorf("%+v, %v", made, err)
	}
	if err := s.slack.Wait(within(t)); err != nil || !s.slack.Deliveries("app_mention")[0].Taken() {
		t.Errorf("the mention was not acknowledged: %v", err)
	}
}

func TestSocketThatIsToldToGoIsOpenedAgain(t *testing.T) {
	s := newSite(t, &fakeslack.Options{SocketMode: true})
	var connected atomic.Int64
	s.connect(func(c *socketmode.Client, e socketmode.Event) {
		switch {
		case e.Type == socketmode.EventTypeConnected:
			connected.Add(1)
		case e.Request != nil:
			_ = c.Ack(*e.Request)
		}
	})
	s.until(func() bool { return connected.Load() == 1 })
	for n, end := range []func(){func() { s.slack.Disconnect("refresh_requested") }, s.slack.Sever} {
		end()
		// By then the next socket is there, and the one before may still be, too.
		s.until(func() bool { return s.slack.Count("apps.connections.open") == n+2 && connected.Load() == int64(n+2) })
		if err := s.slack.WaitForSockets(within(t), 1); err != nil {
			t.Fatal(err)
		}
	}
	s.ann.Mention(s.general, "still there?")
	if err := s.slack.Wait(within(t)); err != nil || !s.slack.Deliveries("app_mention")[0].Taken() {
		t.Errorf("the app did not hear it: %v", err)
	}
}

func TestEventWithoutASocketIsSentAgain(t *testing.T) {
	s := newSite(t, &fakeslack.Options{SocketMode: true})
	s.ann.Mention(s.general, "hello?")
	s.until(func() bool { return len(s.slack.Deliveries()[0].Attempts) == 2 })
	if a := s.slack.Deliveries()[0].Attempts; a[0].Reason != "connection_failed" {
		t.Errorf("the attempts are %+v", a)
	}
}

func TestSocketModeNeedsItsTokenAndItsSetting(t *testing.T) {
	s := newSite(t, &fakeslack.Options{SocketMode: true})
	_, _, err := s.as(s.token, slack.OptionAppLevelToken(s.token)).StartSocketModeContext(t.Context())
	refused(t, err, "not_allowed_token_type")
	// Where it is off, the socket is told so and ends.
	s = newSite(t, nil)
	_, to, err := s.as(s.token, slack.OptionAppLevelToken(s.slack.AppToken())).StartSocketModeContext(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	conn, _, err := websocket.Dial(t.Context(), to, &websocket.DialOptions{HTTPClient: s.http})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	_, said, err := conn.Read(within(t))
	if err != nil || !strings.Contains(string(said), "link_disabled") {
		t.Errorf("%s, %v", said, err)
	}
	if _, answer, err := websocket.Dial(t.Context(), to, &websocket.DialOptions{HTTPClient: s.http}); err == nil || answer.StatusCode != http.StatusForbidden {
		t.Error("a ticket was used twice")
	}
}
