package fakeslack_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"go.uber.org/goleak"

	"github.com/parley-hq/parley/internal/testkit/fakeslack"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must happen.
const patience = time.Minute

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// site is a Slack with a workspace, and an app on slack-go.
type site struct {
	t       *testing.T
	slack   *fakeslack.Slack
	acme    *fakeslack.Workspace
	ann     *fakeslack.User
	bob     *fakeslack.User
	general *fakeslack.Channel
	token   string
	client  *slack.Client
	http    *http.Client

	mu       sync.Mutex
	events   []slackevents.EventsAPIEvent
	retries  []string
	actions  []slack.InteractionCallback
	onEvent  func(w http.ResponseWriter, e slackevents.EventsAPIEvent) // answers; nil: 200
	onAction func(w http.ResponseWriter, c slack.InteractionCallback)
}

func newSite(t *testing.T, opts *fakeslack.Options) *site {
	t.Helper()
	s := &site{t: t, http: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(s.http.CloseIdleConnections)
	s.slack = fakeslack.New(opts)
	t.Cleanup(s.slack.Close)
	app := httptest.NewServer(s)
	t.Cleanup(app.Close)
	s.slack.SetURLs(app.URL+"/events", app.URL+"/interactions")
	s.acme = s.slack.AddWorkspace("Acme")
	s.ann, s.bob, s.general = s.acme.AddUser("ann"), s.acme.AddUser("bob"), s.acme.AddChannel("general")
	s.token = s.acme.Install().AccessToken
	s.client = s.as(s.token)
	return s
}

// as is a client with a token.
func (s *site) as(token string, options ...slack.Option) *slack.Client {
	return slack.New(token, append([]slack.Option{slack.OptionAPIURL(s.slack.API()), slack.OptionHTTPClient(s.http)}, options...)...)
}

// ServeHTTP is the app, which believes what slack-go verifies.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	verifier, err := slack.NewSecretsVerifier(r.Header, s.slack.SigningSecret())
	if err == nil {
		_, _ = verifier.Write(body)
		err = verifier.Ensure()
	}
	if err != nil {
		s.t.Errorf("the signature: %v", err)
		http.Error(w, "no", http.StatusUnauthorized)
		return
	}
	if r.URL.Path == "/interactions" {
		s.interaction(w, body)
		return
	}
	event, err := slackevents.ParseEvent(json.RawMessage(body), slackevents.OptionNoVerifyToken())
	if err != nil {
		s.t.Errorf("an event: %v", err)
		return
	}
	if challenge, ok := event.Data.(*slackevents.EventsAPIURLVerificationEvent); ok {
		_, _ = io.WriteString(w, challenge.Challenge)
		return
	}
	s.mu.Lock()
	s.events = append(s.events, event)
	s.retries = append(s.retries, strings.TrimSpace(r.Header.Get("X-Slack-Retry-Num")+" "+r.Header.Get("X-Slack-Retry-Reason")))
	answer := s.onEvent
	s.mu.Unlock()
	if answer != nil {
		answer(w, event)
	}
}

func (s *site) interaction(w http.ResponseWriter, body []byte) {
	form, err := url.ParseQuery(string(body))
	if err != nil {
		s.t.Error(err)
	}
	var c slack.InteractionCallback
	if err := json.Unmarshal([]byte(form.Get("payload")), &c); err != nil {
		s.t.Errorf("an interaction: %v", err)
	}
	s.mu.Lock()
	s.actions = append(s.actions, c)
	answer := s.onAction
	s.mu.Unlock()
	if answer != nil {
		answer(w, c)
	}
}

// heard waits until nothing is under way, and returns the types of the events.
func (s *site) heard() (kinds []string) {
	s.t.Helper()
	if err := s.slack.Wait(within(s.t)); err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.events {
		kinds = append(kinds, e.InnerEvent.Type)
	}
	return kinds
}

func (s *site) lastAction() slack.InteractionCallback {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.actions) == 0 {
		s.t.Fatal("the app got no interaction")
	}
	return s.actions[len(s.actions)-1]
}

// post posts a message with buttons.
func (s *site) post(options ...slack.MsgOption) fakeslack.Message {
	s.t.Helper()
	_, ts, err := s.client.PostMessageContext(s.t.Context(), s.general.ID, options...)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.message(ts)
}

func (s *site) message(ts string) fakeslack.Message {
	s.t.Helper()
	all := s.general.Messages()
	i := slices.IndexFunc(all, func(m fakeslack.Message) bool { return m.TS == ts })
	if i < 0 {
		s.t.Fatalf("there is no message %s", ts)
	}
	return all[i]
}

// button is a message with one button.
func button(action, value string) slack.MsgOption {
	return slack.MsgOptionBlocks(
		slack.NewSectionBlock(slack.NewTextBlockObject("mrkdwn", "Shall it?", false, false), nil, nil),
		slack.NewActionBlock("choice", slack.NewButtonBlockElement(action, value, slack.NewTextBlockObject("plain_text", "Yes", false, false))),
	)
}

func refused(t *testing.T, err error, code string) {
	t.Helper()
	if err == nil || err.Error() != code {
		t.Errorf("the error is %v, not %s", err, code)
	}
}

// until waits for what must happen.
func (s *site) until(happened func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(patience); !happened(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatal("it did not come to this")
		}
	}
}
