package fakeslack_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"

	"github.com/parley-hq/parley/internal/testkit/fakeslack"
)

func TestAppIsVerifiedAndHearsMentionsAndDirectMessages(t *testing.T) {
	s := newSite(t, nil)
	if err := s.slack.Verify(); err != nil {
		t.Error(err)
	}
	s.ann.Say(s.general, "nobody asked the app")
	said := s.ann.Mention(s.general, "deploy")
	s.ann.Say(s.ann.DM(), "hello")
	kinds := s.heard()
	slices.Sort(kinds)
	if want := []string{"app_mention", "message"}; !slices.Equal(kinds, want) {
		t.Fatalf("the app heard %q, not %q", kinds, want)
	}
	for _, e := range s.events {
		switch inner := e.InnerEvent.Data.(type) {
		case *slackevents.AppMentionEvent:
			if inner.Channel != s.general.ID || inner.User != s.ann.ID || inner.TimeStamp != said.TS || !strings.HasSuffix(inner.Text, "> deploy") {
				t.Errorf("the mention is %+v", inner)
			}
		case *slackevents.MessageEvent:
			if inner.ChannelType != "im" || inner.Text != "hello" {
				t.Errorf("the message is %+v", inner)
			}
		}
		if e.TeamID != s.acme.ID || e.Data.(*slackevents.EventsAPICallbackEvent).EventID == "" {
			t.Errorf("the event is %+v", e)
		}
	}
}

func TestAppHearsItsOwnDirectMessages(t *testing.T) {
	s := newSite(t, nil)
	if _, _, err := s.client.PostMessage(s.ann.DM().ID, slack.MsgOptionText("hi", false)); err != nil {
		t.Fatal(err)
	}
	if kinds := s.heard(); len(kinds) != 1 || s.events[0].InnerEvent.Data.(*slackevents.MessageEvent).BotID == "" {
		t.Errorf("the app heard %q", kinds)
	}
}

func TestEventIsSentAgainWithNumberAndReason(t *testing.T) {
	s := newSite(t, &fakeslack.Options{Retries: []time.Duration{0, 0, 0}})
	failures := 2
	s.onEvent = func(w http.ResponseWriter, _ slackevents.EventsAPIEvent) {
		if failures--; failures >= 0 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}
	s.ann.Mention(s.general, "once")
	s.heard()
	if want := []string{"", "1 http_error", "2 http_error"}; !slices.Equal(s.retries, want) {
		t.Errorf("the attempts were %q, not %q", s.retries, want)
	}
	sent := s.slack.Deliveries("app_mention")
	if len(sent) != 1 || !sent[0].Taken() || len(sent[0].Attempts) != 3 {
		t.Errorf("the delivery is %+v", sent)
	}
	if status, err := s.slack.Replay(sent[0]); err != nil || status != http.StatusOK {
		t.Errorf("the replay: %d, %v", status, err)
	}
}

func TestAppThatIsSilentIsGivenUp(t *testing.T) {
	s := newSite(t, &fakeslack.Options{Retries: []time.Duration{0}, AckWithin: 50 * time.Millisecond})
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	s.onEvent = func(http.ResponseWriter, slackevents.EventsAPIEvent) { <-release }
	s.ann.Mention(s.general, "hello?")
	if err := s.slack.Wait(within(t)); err != nil {
		t.Fatal(err)
	}
	sent := s.slack.Deliveries()[0]
	if sent.Taken() || len(sent.Attempts) != 2 || sent.Attempts[1].Reason != "http_timeout" || sent.Attempts[1].Header.Get("X-Slack-Retry-Reason") != "http_timeout" {
		t.Errorf("the delivery is %+v", sent)
	}
}

func TestAppSaysThatItWantsNoRetry(t *testing.T) {
	s := newSite(t, &fakeslack.Options{Retries: []time.Duration{0, 0}})
	s.onEvent = func(w http.ResponseWriter, _ slackevents.EventsAPIEvent) {
		w.Header().Set("X-Slack-No-Retry", "1")
		w.WriteHeader(http.StatusBadRequest)
	}
	s.ann.Mention(s.general, "once")
	if kinds := s.heard(); len(kinds) != 1 {
		t.Errorf("it was sent %d times", len(kinds))
	}
}

func TestPressDeliversBlockActions(t *testing.T) {
	s := newSite(t, nil)
	root := s.ann.Say(s.general, "root")
	card := s.post(button("allow", "q1"), slack.MsgOptionTS(root.TS))
	if _, err := s.ann.Press(card, "allow"); err != nil {
		t.Fatal(err)
	}
	c := s.lastAction()
	action := c.ActionCallback.BlockActions[0]
	if c.Type != slack.InteractionTypeBlockActions || c.User.ID != s.ann.ID || c.Team.ID != s.acme.ID || c.Channel.ID != s.general.ID ||
		c.Container.MessageTs != card.TS || c.Container.ThreadTs != root.TS || c.Message.Timestamp != card.TS || c.TriggerID == "" ||
		action.ActionID != "allow" || action.BlockID != "choice" || action.Value != "q1" || action.ActionTs == "" || c.APIAppID != fakeslack.AppID {
		t.Errorf("the interaction is %+v", c)
	}
	if _, err := s.ann.Press(card, "deny"); err == nil {
		t.Error("a button was pressed that is not there")
	}
	if _, _, _, err := s.client.UpdateMessage(s.general.ID, card.TS, slack.MsgOptionText("done", false), slack.MsgOptionBlocks()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ann.Press(card, "allow"); err == nil {
		t.Error("a button was pressed that is gone")
	}
}

func TestFailedInteractionIsTold(t *testing.T) {
	s := newSite(t, nil)
	s.onAction = func(w http.ResponseWriter, _ slack.InteractionCallback) {
		w.WriteHeader(http.StatusInternalServerError)
	}
	if _, err := s.ann.Press(s.post(button("allow", "q1")), "allow"); err == nil {
		t.Error("the person did not see that it failed")
	}
}

func TestResponseURLReplacesDeletesAndAnswersOnePerson(t *testing.T) {
	s := newSite(t, nil)
	card := s.post(button("allow", "q1"))
	if _, err := s.ann.Press(card, "allow"); err != nil {
		t.Fatal(err)
	}
	to := s.lastAction().ResponseURL
	respond := func(options ...slack.MsgOption) error {
		_, _, _, err := s.client.SendMessage("", options...)
		return err
	}
	if err := respond(slack.MsgOptionText("replaced", false), slack.MsgOptionReplaceOriginal(to)); err != nil {
		t.Fatal(err)
	}
	if now := s.message(card.TS); now.Text != "replaced" || now.Has("allow") || now.Edits != 1 {
		t.Errorf("the message is %+v", now)
	}
	if err := respond(slack.MsgOptionText("for you", false), slack.MsgOptionResponseURL(to, slack.ResponseTypeEphemeral)); err != nil {
		t.Fatal(err)
	}
	if seen := s.general.Seen(s.ann); seen[len(seen)-1].Text != "for you" || !seen[len(seen)-1].Ephemeral {
		t.Errorf("ann sees %+v", seen)
	}
	if len(s.general.Seen(s.bob)) != 1 {
		t.Error("bob sees what is for ann")
	}
	if err := respond(slack.MsgOptionDeleteOriginal(to)); err != nil {
		t.Fatal(err)
	}
	if len(s.general.Messages()) != 0 {
		t.Error("the message is still there")
	}
	for range 2 {
		if err := respond(slack.MsgOptionText("more", false), slack.MsgOptionResponseURL(to, slack.ResponseTypeEphemeral)); err != nil {
			t.Fatal(err)
		}
	}
	if err := respond(slack.MsgOptionText("sixth", false), slack.MsgOptionResponseURL(to, slack.ResponseTypeEphemeral)); err == nil {
		t.Error("a response URL was used six times")
	}
}

func TestUninstalledAndDeactivatedAreTold(t *testing.T) {
	s := newSite(t, nil)
	s.bob.Deactivate()
	if user, err := s.client.GetUserInfo(s.bob.ID); err != nil || !user.Deleted {
		t.Errorf("bob: %+v, %v", user, err)
	}
	s.acme.Uninstall()
	kinds := s.heard()
	slices.Sort(kinds)
	if want := []string{"app_uninstalled", "tokens_revoked", "user_change"}; !slices.Equal(kinds, want) {
		t.Errorf("the app heard %q, not %q", kinds, want)
	}
	_, err := s.client.AuthTest()
	refused(t, err, "account_inactive")
}

func TestEphemeralButtonCanBePressedByItsPersonAlone(t *testing.T) {
	s := newSite(t, nil)
	if _, err := s.client.PostEphemeral(s.general.ID, s.ann.ID, button("link", "")); err != nil {
		t.Fatal(err)
	}
	seen := s.general.Seen(s.ann)
	if len(seen) != 1 || len(s.general.Messages()) != 0 {
		t.Fatalf("ann sees %+v", seen)
	}
	if _, err := s.bob.Press(seen[0], "link"); err == nil {
		t.Error("bob pressed it")
	}
	if _, err := s.ann.Press(seen[0], "link"); err != nil {
		t.Fatal(err)
	}
	if !s.lastAction().Container.IsEphemeral {
		t.Error("the app is not told that it is ephemeral")
	}
}

func TestWireBytesAreKept(t *testing.T) {
	s := newSite(t, nil)
	s.post(button("allow", "q1"))
	call := s.slack.Calls("chat.postMessage")[0]
	var answer struct {
		OK bool   `json:"ok"`
		TS string `json:"ts"`
	}
	if err := json.Unmarshal(call.Response, &answer); err != nil || !answer.OK || answer.TS == "" {
		t.Errorf("the answer is %s", call.Response)
	}
	if !strings.Contains(string(call.Request), "channel="+s.general.ID) || call.Team != s.acme.ID || call.Status != http.StatusOK || s.slack.Count("chat.postMessage") != 1 {
		t.Errorf("the call is %+v", call)
	}
}
