package slack_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/fakeslack"
)

// transports are how an app hears of things.
var transports = map[string]*fakeslack.Options{"http": {}, "socket": {SocketMode: true}}

func TestBoltTakesEventsActionsAndViews(t *testing.T) {
	for mode, opts := range transports {
		t.Run(mode, func(t *testing.T) {
			s := start(t, mode, opts)
			if mode == "http" {
				if err := s.slack.Verify(); err != nil {
					t.Error(err)
				}
			} else if err := s.slack.WaitForSockets(s.within(), 1); err != nil {
				t.Fatal(err)
			}
			said := s.ann.Mention(s.general, "deploy")
			card := s.card()
			if card.ThreadTS != said.TS || card.Words() != "*Shall it?*\nFill in\nDone" {
				t.Errorf("the card is %+v", card)
			}
			if _, err := s.ann.Press(card, "open"); err != nil {
				t.Fatal(err)
			}
			v, err := s.ann.WaitForView(s.within(), nil)
			if err != nil {
				t.Fatal(err)
			}
			made, err := s.ann.Submit(v, fakeslack.Values{"name": "wrong"})
			if err != nil || made.Errors["name"] != "Not this one." {
				t.Errorf("%+v, %v", made, err)
			}
			if made, err := s.ann.Submit(v, fakeslack.Values{"name": "Ann", "size": "l"}); err != nil || made.Action != "" {
				t.Errorf("%+v, %v", made, err)
			}
			now, err := s.general.WaitFor(s.within(), func(m fakeslack.Message) bool { return m.TS == card.TS && m.Edits == 1 })
			if err != nil || now.Text != "Ann l" || now.Has("open") {
				t.Errorf("the card is %+v, %v", now, err)
			}
			if _, err := s.general.WaitForSeen(s.within(), s.ann, func(m fakeslack.Message) bool { return m.Ephemeral && m.Text == "Thanks." }); err != nil {
				t.Error(err)
			}
			s.taken()
		})
	}
}

func TestBoltAnswersAtTheResponseURL(t *testing.T) {
	s := start(t, "http", nil)
	s.ann.Mention(s.general, "deploy")
	card := s.card()
	if _, err := s.ann.Press(card, "done"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.general.WaitFor(s.within(), func(m fakeslack.Message) bool {
		return m.TS == card.TS && m.Text == "It is done." && len(m.Blocks) == 0
	}); err != nil {
		t.Error(err)
	}
	s.taken()
}

func TestBoltRefusesWhatIsSignedByOthers(t *testing.T) {
	s := start(t, "http", nil)
	s.ann.Mention(s.general, "deploy")
	s.card()
	sent := s.slack.Deliveries("app_mention")[0]
	for name, header := range map[string]http.Header{
		"another secret": fakeslack.Sign("another", sent.Body, time.Now()),
		"old":            fakeslack.Sign(s.slack.SigningSecret(), sent.Body, time.Now().Add(-6*time.Minute)),
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, sent.URL, strings.NewReader(string(sent.Body)))
		if err != nil {
			t.Fatal(err)
		}
		header.Set("Content-Type", "application/json")
		r.Header = header
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: %s", name, answer.Status)
		}
	}
}

func TestWebAPIClientReadsTheReplies(t *testing.T) {
	s := start(t, "http", nil)
	s.ann.Say(s.ann.DM(), "calls")
	type failure struct {
		Code, Error string
		Messages    []string
	}
	var got struct {
		Team, User, Workspace, Question string
		Scopes, History                 []string
		Same, Removed, DM, Info         bool
		Replies                         int
		Lost, Blocks, Trigger           failure
	}
	s.line("calls", &got)
	// The newest first, without replies and the stream, which is one.
	if want := []string{"one", "one", "calls"}; !slices.Equal(got.History, want) {
		t.Errorf("the history is %q, not %q", got.History, want)
	}
	if got.Team != s.acme.ID || got.User != "ann" || got.Workspace != "Acme" || got.Question != "q1" || !slices.Equal(got.Scopes, fakeslack.AllScopes()) ||
		!got.Same || !got.Removed || !got.DM || !got.Info || got.Replies != 2 {
		t.Errorf("it read %+v", got)
	}
	const platform = "slack_webapi_platform_error"
	if got.Lost.Code != platform || got.Lost.Error != "channel_not_found" || got.Blocks.Error != "invalid_blocks" || got.Trigger.Error != "invalid_trigger_id" ||
		!slices.Equal(got.Blocks.Messages, []string{"[ERROR] must be less than 151 characters [json-pointer:/blocks/0/text/text]"}) {
		t.Errorf("its errors are %+v, %+v, %+v", got.Lost, got.Blocks, got.Trigger)
	}
	if !slices.ContainsFunc(s.ann.DM().Messages(), func(m fakeslack.Message) bool { return m.Text == "**three** four" && !m.Streaming }) {
		t.Errorf("nothing was streamed: %+v", s.ann.DM().Messages())
	}
	s.taken()
}

func TestWebAPIClientWaitsAsLongAsItIsTold(t *testing.T) {
	s := start(t, "http", nil)
	s.slack.Fail(fakeslack.Fault{Method: "chat.postMessage", Times: 1, Status: http.StatusTooManyRequests, RetryAfter: time.Second})
	s.ann.Mention(s.general, "deploy")
	s.card()
	calls := s.slack.Calls("chat.postMessage")
	if len(calls) != 2 || calls[0].Status != http.StatusTooManyRequests || calls[1].At.Sub(calls[0].At) < time.Second {
		t.Errorf("the calls are %+v", calls)
	}
	s.taken()
}

func TestBoltIsInstalledByOAuth(t *testing.T) {
	s := start(t, "oauth", &fakeslack.Options{Rotate: true})
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{
		Jar: jar, Transport: &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := browser.Get(s.app + "/slack/install")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	link, err := url.Parse(answer.Header.Get("Location"))
	if err != nil || link.Path != "/oauth/v2/authorize" {
		t.Fatalf("%s, %v", link, err)
	}
	s.slack.SetRedirects(s.app + "/slack/oauth_redirect") // the app names none
	back, err := s.ann.Allow(link.String())
	if err != nil {
		t.Fatal(err)
	}
	if answer, err = browser.Get(back); err != nil {
		t.Fatal(err)
	}
	page, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", answer.Status, page)
	}
	var team string
	s.line("installed", &team)
	if team != s.acme.ID {
		t.Errorf("installed in %q", team)
	}
	s.ann.Mention(s.general, "deploy")
	s.card()
	s.acme.Uninstall()
	s.line("uninstalled", &team)
}
