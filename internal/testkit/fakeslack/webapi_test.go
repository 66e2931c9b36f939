package fakeslack_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley/internal/testkit/fakeslack"
)

func TestMessageIsPostedChangedAndDeleted(t *testing.T) {
	s := newSite(t, nil)
	channel, ts, err := s.client.PostMessage(s.general.ID, slack.MsgOptionText("one", false), button("allow", "q1"))
	if err != nil || channel != s.general.ID {
		t.Fatal(channel, err)
	}
	if m := s.message(ts); m.Text != "one" || !m.Has("allow") || m.Edits != 0 || !m.FromApp || m.User != s.acme.BotUser || m.Words() != "Shall it?\nYes" {
		t.Errorf("the message is %+v", m)
	}
	if _, _, text, err := s.client.UpdateMessage(s.general.ID, ts, slack.MsgOptionText("two", false)); err != nil || text != "two" {
		t.Fatal(text, err)
	}
	if m := s.message(ts); m.Text != "two" || m.Has("allow") || m.Edits != 1 {
		t.Errorf("the message is %+v: text alone takes the blocks away", m)
	}
	if _, _, _, err := s.client.UpdateMessage(s.general.ID, ts, button("deny", "q1")); err != nil {
		t.Fatal(err)
	}
	if m := s.message(ts); m.Text != "two" || !m.Has("deny") || m.Edits != 2 {
		t.Errorf("the message is %+v: text that is not named stays", m)
	}
	if _, _, _, err := s.client.UpdateMessage(s.general.ID, ts, slack.MsgOptionText("three", false), slack.MsgOptionBlocks()); err != nil {
		t.Fatal(err)
	}
	if m := s.message(ts); m.Has("deny") || m.Edits != 3 {
		t.Errorf("the message is %+v", m)
	}
	if _, _, err := s.client.DeleteMessage(s.general.ID, ts); err != nil || len(s.general.Messages()) != 0 {
		t.Errorf("%v, and %d are left", err, len(s.general.Messages()))
	}
	_, _, _, err = s.client.UpdateMessage(s.general.ID, ts, slack.MsgOptionText("four", false))
	refused(t, err, "message_not_found")
	_, _, err = s.client.DeleteMessage(s.general.ID, ts)
	refused(t, err, "message_not_found")
}

func TestWhatMayNotBeWrittenIsRefused(t *testing.T) {
	s := newSite(t, nil)
	say := slack.MsgOptionText("hello", false)
	other := s.slack.AddWorkspace("Other")
	strange := other.AddChannel("elsewhere")
	lone, secret, old := s.acme.AddChannel("lone"), s.acme.AddPrivateChannel("secret", s.ann), s.acme.AddChannel("old")
	lone.RemoveBot()
	secret.RemoveBot()
	old.Archive()
	theirs := s.ann.Say(s.general, "hers")
	for channel, code := range map[string]string{
		"C404": "channel_not_found", strange.ID: "channel_not_found", lone.ID: "not_in_channel", secret.ID: "channel_not_found", old.ID: "is_archived",
	} {
		_, _, err := s.client.PostMessage(channel, say)
		refused(t, err, code)
	}
	_, _, err := s.client.PostMessage(s.general.ID)
	refused(t, err, "no_text")
	_, _, err = s.client.PostMessage(s.general.ID, slack.MsgOptionText(strings.Repeat("x", 40001), false))
	refused(t, err, "msg_too_long")
	_, _, _, err = s.client.UpdateMessage(s.general.ID, theirs.TS, say)
	refused(t, err, "cant_update_message")
	_, _, err = s.client.DeleteMessage(s.general.ID, theirs.TS)
	refused(t, err, "cant_delete_message")
	_, err = s.client.PostEphemeral(s.general.ID, "U404", say)
	refused(t, err, "user_not_in_channel")
}

func TestTokensAreChecked(t *testing.T) {
	s := newSite(t, &fakeslack.Options{Scopes: []string{"chat:write"}})
	_, err := s.as("").AuthTest()
	refused(t, err, "not_authed")
	_, err = s.as("xoxb-wrong").AuthTest()
	refused(t, err, "invalid_auth")
	_, err = s.as(s.slack.AppToken()).AuthTest()
	refused(t, err, "not_allowed_token_type")
	_, err = s.client.GetUserInfo(s.ann.ID)
	refused(t, err, "missing_scope")
	if failure, ok := err.(slack.SlackErrorResponse); !ok || failure.Needed != "users:read" || failure.Provided != "chat:write" {
		t.Errorf("the error is %#v", err)
	}
	who, err := s.client.AuthTest()
	if err != nil || who.TeamID != s.acme.ID || who.UserID != s.acme.BotUser || who.BotID == "" || who.Team != "Acme" {
		t.Errorf("auth.test: %+v, %v", who, err)
	}
	if revoked, err := s.client.SendAuthRevoke(""); err != nil || !revoked.Revoked {
		t.Errorf("auth.revoke: %+v, %v", revoked, err)
	}
	_, err = s.client.AuthTest()
	refused(t, err, "token_revoked")
}

func TestConversationsAreReadWithMetadata(t *testing.T) {
	s := newSite(t, nil)
	metadata := slack.MsgOptionMetadata(slack.SlackMetadata{EventType: "parley_question", EventPayload: map[string]any{"id": "q1"}})
	root := s.ann.Say(s.general, "root")
	card := s.post(slack.MsgOptionText("card", false), metadata)
	reply := s.post(slack.MsgOptionText("in the thread", false), slack.MsgOptionTS(root.TS), metadata)
	history, err := s.client.GetConversationHistory(&slack.GetConversationHistoryParameters{ChannelID: s.general.ID, IncludeAllMetadata: true})
	if err != nil || len(history.Messages) != 2 {
		t.Fatalf("%+v, %v", history, err)
	}
	if m := history.Messages[0]; m.Timestamp != card.TS || m.Metadata.EventPayload["id"] != "q1" {
		t.Errorf("the newest is %+v", m)
	}
	if m := history.Messages[1]; m.Timestamp != root.TS || m.ReplyCount != 1 {
		t.Errorf("the first is %+v", m)
	}
	replies, _, _, err := s.client.GetConversationReplies(&slack.GetConversationRepliesParameters{ChannelID: s.general.ID, Timestamp: root.TS, IncludeAllMetadata: true})
	if err != nil || len(replies) != 2 || replies[1].Timestamp != reply.TS || replies[1].Metadata.EventType != "parley_question" {
		t.Errorf("%+v, %v", replies, err)
	}
	without, err := s.client.GetConversationHistory(&slack.GetConversationHistoryParameters{ChannelID: s.general.ID, Limit: 1})
	if err != nil || len(without.Messages) != 1 || !without.HasMore || without.Messages[0].Metadata.EventType != "" {
		t.Fatalf("%+v, %v", without, err)
	}
	rest, err := s.client.GetConversationHistory(&slack.GetConversationHistoryParameters{ChannelID: s.general.ID, Cursor: without.ResponseMetaData.NextCursor})
	if err != nil || len(rest.Messages) != 1 || rest.Messages[0].Timestamp != root.TS || rest.HasMore {
		t.Errorf("%+v, %v", rest, err)
	}
	_, _, _, err = s.client.GetConversationReplies(&slack.GetConversationRepliesParameters{ChannelID: s.general.ID, Timestamp: "1.000000"})
	refused(t, err, "thread_not_found")
	for name, m := range map[string]slack.SlackMetadata{
		"a space in event_type": {EventType: "a b", EventPayload: map[string]any{}},
		"no payload":            {EventType: "a"},
	} {
		_, _, err = s.client.PostMessage(s.general.ID, slack.MsgOptionText("x", false), slack.MsgOptionMetadata(m))
		if err == nil || err.Error() != "invalid_metadata_schema" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPeopleChannelsAndWorkspaceAreDescribed(t *testing.T) {
	s := newSite(t, nil)
	team, err := s.client.GetTeamInfo()
	if err != nil || team.ID != s.acme.ID || team.Name != "Acme" {
		t.Errorf("%+v, %v", team, err)
	}
	channel, err := s.client.GetConversationInfo(&slack.GetConversationInfoInput{ChannelID: s.general.ID})
	if err != nil || channel.Name != "general" || !channel.IsMember || channel.IsIM {
		t.Errorf("%+v, %v", channel, err)
	}
	dm, _, already, err := s.client.OpenConversation(&slack.OpenConversationParameters{Users: []string{s.ann.ID}})
	if err != nil || already || dm.ID != s.ann.DM().ID {
		t.Errorf("%+v, %v", dm, err)
	}
	if _, _, already, err = s.client.OpenConversation(&slack.OpenConversationParameters{Users: []string{s.ann.ID}}); err != nil || !already {
		t.Errorf("%v, %v", already, err)
	}
	_, _, _, err = s.client.OpenConversation(&slack.OpenConversationParameters{Users: []string{"U404"}})
	refused(t, err, "user_not_found")
	_, err = s.client.GetUserInfo("U404")
	refused(t, err, "user_not_found")
	// Who names a person writes to their direct message.
	if to, _, err := s.client.PostMessage(s.ann.ID, slack.MsgOptionText("hi", false)); err != nil || to != s.ann.DM().ID {
		t.Errorf("%s, %v", to, err)
	}
	m := s.post(slack.MsgOptionText("x", false))
	if err := s.client.AddReaction("eyes", slack.NewRefToMessage(s.general.ID, m.TS)); err != nil || s.message(m.TS).Reactions[0] != "eyes" {
		t.Error(err)
	}
	refused(t, s.client.AddReaction("eyes", slack.NewRefToMessage(s.general.ID, m.TS)), "already_reacted")
}

func TestSameClientMsgIDIsTheSameMessage(t *testing.T) {
	s := newSite(t, nil)
	id := func(value string) slack.MsgOption {
		return slack.UnsafeMsgOptionEndpoint(s.slack.API()+"chat.postMessage", func(v url.Values) { v.Set("client_msg_id", value) })
	}
	first := s.post(slack.MsgOptionText("once", false), id("a"))
	if again := s.post(slack.MsgOptionText("once", false), id("a")); again.TS != first.TS || len(s.general.Messages()) != 1 {
		t.Errorf("it was posted twice: %+v", s.general.Messages())
	}
	s.post(slack.MsgOptionText("another", false), id("b"))
	_, _, err := s.client.PostMessage(s.ann.DM().ID, slack.MsgOptionText("once", false), id("a"))
	refused(t, err, "duplicate_channel_not_found")
	if _, _, err := s.client.DeleteMessage(s.general.ID, first.TS); err != nil {
		t.Fatal(err)
	}
	_, _, err = s.client.PostMessage(s.general.ID, slack.MsgOptionText("once", false), id("a"))
	refused(t, err, "duplicate_message_not_found")

	s = newSite(t, &fakeslack.Options{IgnoreClientMsgID: true})
	for range 2 {
		s.post(slack.MsgOptionText("once", false), id("a"))
	}
	if n := len(s.general.Messages()); n != 2 {
		t.Errorf("%d messages of a Slack that does not look at client_msg_id", n)
	}
}

func TestTextStreamsIntoAThread(t *testing.T) {
	s := newSite(t, nil)
	root := s.ann.Mention(s.general, "tell me")
	thread, team, user := slack.MsgOptionTS(root.TS), slack.MsgOptionRecipientTeamID(s.acme.ID), slack.MsgOptionRecipientUserID(s.ann.ID)
	_, _, err := s.client.StartStream(s.general.ID, thread)
	refused(t, err, "missing_recipient_team_id")
	_, _, err = s.client.StartStream(s.general.ID, thread, team)
	refused(t, err, "missing_recipient_user_id")
	_, _, err = s.client.StartStream(s.general.ID, team, user)
	refused(t, err, "invalid_arguments")
	_, ts, err := s.client.StartStream(s.general.ID, thread, team, user, slack.MsgOptionMarkdownText("one "))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.client.AppendStream(s.general.ID, ts, slack.MsgOptionMarkdownText("two ")); err != nil {
		t.Fatal(err)
	}
	if m := s.message(ts); m.Text != "one two " || !m.Streaming || m.ThreadTS != root.TS {
		t.Errorf("the message is %+v", m)
	}
	_, _, err = s.client.AppendStream(s.general.ID, ts, slack.MsgOptionMarkdownText(strings.Repeat("x", 12001)))
	refused(t, err, "msg_too_long")
	if _, _, err := s.client.StopStream(s.general.ID, ts, slack.MsgOptionMarkdownText("three")); err != nil {
		t.Fatal(err)
	}
	if m := s.message(ts); m.Text != "one two three" || m.Streaming || m.Edits != 0 {
		t.Errorf("the message is %+v", m)
	}
	_, _, err = s.client.AppendStream(s.general.ID, ts, slack.MsgOptionMarkdownText("four"))
	refused(t, err, "message_not_in_streaming_state")

	_, ts, err = s.client.StartStream(s.general.ID, thread, team, user)
	if err != nil {
		t.Fatal(err)
	}
	s.slack.Advance(5 * time.Minute)
	_, _, err = s.client.AppendStream(s.general.ID, ts, slack.MsgOptionMarkdownText("too late"))
	refused(t, err, "message_not_in_streaming_state")
	if _, _, _, err := s.client.UpdateMessage(s.general.ID, ts, slack.MsgOptionText("all of it", false)); err != nil {
		t.Errorf("a stream that is over cannot be changed: %v", err)
	}

	s = newSite(t, &fakeslack.Options{NoStreams: true})
	_, _, err = s.client.StartStream(s.general.ID, thread, team, user)
	refused(t, err, "unknown_method")
}

func TestLimitsAreHeldPerChannelAndMethod(t *testing.T) {
	s := newSite(t, &fakeslack.Options{Limits: fakeslack.SlackLimits()})
	other := s.acme.AddChannel("other")
	say := slack.MsgOptionText("x", false)
	send := func(to *fakeslack.Channel) error {
		_, _, err := s.client.PostMessage(to.ID, say)
		return err
	}
	for range fakeslack.SlackLimits().Channel.Burst {
		if err := send(s.general); err != nil {
			t.Fatal(err)
		}
	}
	posted := len(s.general.Messages())
	limited, ok := send(s.general).(*slack.RateLimitedError)
	if !ok || limited.RetryAfter != time.Second || len(s.general.Messages()) != posted {
		t.Errorf("the error is %v", limited)
	}
	if err := send(other); err != nil {
		t.Errorf("another channel: %v", err)
	}
	s.slack.Advance(limited.RetryAfter)
	if err := send(s.general); err != nil {
		t.Errorf("after the pause: %v", err)
	}

	s.slack.SetLimits(fakeslack.Limits{Methods: map[string]fakeslack.Rate{"chat.update": {Every: time.Minute, Burst: 1}}})
	m := s.general.Messages()[0]
	update := func() error {
		_, _, _, err := s.client.UpdateMessage(s.general.ID, m.TS, say)
		return err
	}
	if err := update(); err != nil {
		t.Fatal(err)
	}
	if limited, ok := update().(*slack.RateLimitedError); !ok || limited.RetryAfter < 59*time.Second {
		t.Errorf("the error is %v", limited)
	}
}
