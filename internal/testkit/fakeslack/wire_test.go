package fakeslack_test

import (
	"strings"
	"testing"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley/internal/testkit/fakeslack"
)

// The same, done twice, is the same on the wire, but for who listens where.
func TestFixedSlackWritesTheSameWire(t *testing.T) {
	run := func() string {
		s := newSite(t, &fakeslack.Options{Fixed: true})
		s.ann.Mention(s.general, "hello")
		s.heard()
		v := s.open(form())
		if _, err := s.ann.Submit(v, fakeslack.Values{"name": "Ann"}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.exchange(codeOf(t, s), redirect); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(s.slack.Wire(), s.slack.ClientSecret()) || strings.Contains(s.slack.Wire(), s.token) || strings.Contains(s.slack.Wire(), s.slack.URL) {
			t.Error("a token, or an address, is in it")
		}
		return s.slack.Wire()
	}
	first := run()
	if again := run(); again != first {
		t.Errorf("first:\n%s\nagain:\n%s", first, again)
	}
	for _, part := range []string{"-- slack: app_mention --\n", "-- app: chat.postMessage --\nblocks: [\n", "-- slack: block_actions --\n", "-- app: views.open --\n", "-- slack: view_submission --\n", "-- app: 200 --\n"} {
		if !strings.Contains(first, part) {
			t.Errorf("%q is not in it", part)
		}
	}
}

func TestLostAcknowledgementIsSentAgain(t *testing.T) {
	s := newSite(t, nil)
	s.slack.LoseAcks("app_mention", 1)
	s.ann.Mention(s.general, "hello")
	if kinds := s.heard(); len(kinds) != 2 || s.retries[1] != "1 http_timeout" {
		t.Errorf("the app heard %q, %q", kinds, s.retries)
	}
	card := s.post(button("allow", "q1"))
	s.slack.LoseAcks("block_actions", 1)
	if _, err := s.ann.Press(card, "allow"); err == nil || len(s.actions) != 1 {
		t.Error("the person did not see that something went wrong")
	}
	if _, err := s.ann.Press(card, "allow"); err != nil {
		t.Error(err)
	}
}

func TestInvalidBlocksAreRefusedWithSlacksWords(t *testing.T) {
	s := newSite(t, nil)
	_, _, err := s.client.PostMessage(s.general.ID, slack.MsgOptionBlocks(slack.NewHeaderBlock(plain(strings.Repeat("x", 151)))))
	refused(t, err, "invalid_blocks")
	failure, ok := err.(slack.SlackErrorResponse)
	if want := "[ERROR] must be less than 151 characters [json-pointer:/blocks/0/text/text]"; !ok || failure.ResponseMetadata.Messages[0] != want {
		t.Errorf("the error is %+v", err)
	}
	_, ts, err := s.client.PostMessage(s.general.ID, slack.MsgOptionText("x", false))
	if err != nil {
		t.Fatal(err)
	}
	_, _, _, err = s.client.UpdateMessage(s.general.ID, ts, slack.MsgOptionBlocks(slack.NewActionBlock("a")))
	refused(t, err, "invalid_blocks")
	view := form()
	view.Title = plain(strings.Repeat("x", 25))
	if _, err := s.ann.Press(s.post(button("open", "q1")), "open"); err != nil {
		t.Fatal(err)
	}
	_, err = s.client.OpenView(s.lastAction().TriggerID, view)
	refused(t, err, "invalid_arguments")
	if len(s.general.Messages()) != 2 {
		t.Error("a message was posted")
	}
}
