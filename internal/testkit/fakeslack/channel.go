package fakeslack

import (
	"context"
	"slices"
)

// channel is what is kept of a channel.
type channel struct {
	id, name, kind string // kind: channel, group or im
	user           string // of an im
	team           *team
	archived       bool
	members        map[string]bool
	messages       []*message // in the order of their ts
	byTS           map[string]*message
	threads        map[string][]*message // the replies, by the ts of their first message
	news           []*message            // a message again for each time that it changed
}

// put adds a message that is complete.
func (c *channel) put(m *message) {
	if c.byTS == nil {
		c.byTS, c.threads = map[string]*message{}, map[string][]*message{}
	}
	c.messages = append(c.messages, m)
	c.byTS[m.ts] = m
	if m.thread != "" && m.thread != m.ts {
		c.threads[m.thread] = append(c.threads[m.thread], m)
	}
}

// Channel is a channel, or a direct message.
type Channel struct {
	ID        string
	Name      string
	Workspace *Workspace

	slack   *Slack
	channel *channel
}

// Archive archives the channel.
func (c *Channel) Archive() {
	c.slack.mu.Lock()
	defer c.slack.mu.Unlock()
	c.channel.archived = true
}

// RemoveBot takes the bot out of the channel.
func (c *Channel) RemoveBot() {
	c.slack.mu.Lock()
	defer c.slack.mu.Unlock()
	delete(c.channel.members, c.channel.team.botUser)
}

// Messages are what everybody in the channel sees, the oldest first, with the replies
// in threads. Those that were deleted are gone.
func (c *Channel) Messages() []Message { return c.visible("") }

// Seen is what the person sees there: also what is ephemeral and for them alone.
func (c *Channel) Seen(by *User) []Message { return c.visible(by.ID) }

// Thread are the messages of a thread, the first with them.
func (c *Channel) Thread(ts string) []Message {
	return slices.DeleteFunc(c.Messages(), func(m Message) bool { return m.TS != ts && m.ThreadTS != ts })
}

func (c *Channel) visible(user string) (all []Message) {
	c.slack.mu.Lock()
	defer c.slack.mu.Unlock()
	for _, m := range c.channel.messages {
		if m.visible(user) {
			all = append(all, m.public())
		}
	}
	return all
}

// visible says whether somebody sees the message; an empty user: everybody.
func (m *message) visible(user string) bool { return !m.deleted && (m.only == "" || m.only == user) }

// WaitFor waits for a message that everybody sees. Each is looked at when it comes and
// when it changes.
func (c *Channel) WaitFor(ctx context.Context, fits func(Message) bool) (Message, error) {
	return c.wait(ctx, "", fits)
}

// WaitForSeen waits for a message that the person sees.
func (c *Channel) WaitForSeen(ctx context.Context, by *User, fits func(Message) bool) (Message, error) {
	return c.wait(ctx, by.ID, fits)
}

func (c *Channel) wait(ctx context.Context, user string, fits func(Message) bool) (found Message, err error) {
	looked := 0 // at so many news
	err = c.slack.await(ctx, func() bool {
		for ; looked < len(c.channel.news); looked++ {
			m := c.channel.news[looked]
			if m.visible(user) && fits(m.public()) {
				found = m.public()
				return true
			}
		}
		return false
	})
	return found, err
}

// find is a message of the channel by its ts, or nil. The caller holds the lock.
func (c *channel) find(ts string) *message {
	return c.byTS[ts]
}

// typeName is how an event names the kind of the channel.
func (c *channel) typeName() string { return c.kind }

// describe is the channel as conversations.info has it.
func (c *channel) describe() fields {
	d := fields{
		"id": c.id, "created": 1, "is_archived": c.archived, "is_im": c.kind == "im", "is_mpim": false, "is_org_shared": false,
		"is_channel": c.kind == "channel", "is_group": c.kind == "group", "is_private": c.kind != "channel", "context_team_id": c.team.id, "updated": 1,
	}
	if c.kind == "im" {
		d["user"], d["is_open"] = c.user, true
		return d
	}
	d["name"], d["name_normalized"], d["is_member"] = c.name, c.name, c.members[c.team.botUser]
	d["is_general"], d["is_shared"], d["is_ext_shared"], d["num_members"] = false, false, false, len(c.team.people)
	return d
}
