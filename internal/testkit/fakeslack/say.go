package fakeslack

import (
	"errors"
	"strings"
)

// Say writes into a channel, or a direct message. The app hears of it as far as it is
// subscribed: as a message, and as app_mention where its bot is named.
func (u *User) Say(in *Channel, words string) Message { return u.say(in.channel, words, "") }

// Reply writes into the thread of a message.
func (u *User) Reply(to Message, words string) Message {
	u.slack.mu.Lock()
	in := u.Workspace.team.channels[to.Channel]
	u.slack.mu.Unlock()
	thread := to.ThreadTS
	if thread == "" {
		thread = to.TS
	}
	return u.say(in, words, thread)
}

// Mention says something to the app's bot.
func (u *User) Mention(in *Channel, words string) Message {
	return u.Say(in, "<@"+u.Workspace.BotUser+"> "+words)
}

// Edit changes a message that the person wrote.
func (u *User) Edit(m Message, words string) error {
	s := u.slack
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := u.Workspace.team.channels[m.Channel].find(m.TS)
	if kept == nil || kept.user != u.ID {
		return errors.New("it is not theirs")
	}
	kept.text = words
	kept.edits++
	s.see(kept)
	s.changedEvent(kept, "message_changed")
	return nil
}

func (u *User) say(in *channel, words, thread string) Message {
	s := u.slack
	s.mu.Lock()
	defer s.mu.Unlock()
	m := &message{
		channel: in, ts: s.ts(), thread: thread, user: u.ID, text: words,
		clientMsgID: s.uuid(),
		blocks: []any{fields{"type": "rich_text", "block_id": s.random(3), "elements": []any{
			fields{"type": "rich_text_section", "elements": []any{fields{"type": "text", "text": words}}},
		}}},
	}
	s.add(m)
	s.messageEvent(m)
	if in.kind != "im" && in.members[in.team.botUser] && strings.Contains(words, "<@"+in.team.botUser+">") {
		event := m.wire()
		delete(event, "reply_count")
		event["type"], event["channel"], event["event_ts"] = "app_mention", in.id, m.ts
		s.event(in.team, "app_mention", event)
	}
	return m.public()
}
