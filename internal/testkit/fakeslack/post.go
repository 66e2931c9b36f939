package fakeslack

import (
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/parley-hq/parley/internal/testkit/fakeslack/blockkit"
)

// content is what a message says.
type content struct {
	text        string
	blocks      []any // nil: none
	attachments []any
	metadata    any
	given       map[string]bool // what the app said anything of
}

const (
	maxText     = 40000 // Slack cuts longer text; here it is refused, so that nobody counts on it
	maxMarkdown = 12000
)

// content reads and checks what a message says.
func (c *call) content() (content, reply) { return c.s.contentOf(c.args) }

func (s *Slack) contentOf(a args) (content, reply) {
	made := content{text: a.str("text"), given: map[string]bool{}}
	for name := range a {
		made.given[name] = true
	}
	if markdown := a.str("markdown_text"); markdown != "" {
		if made.text != "" || a.has("blocks") {
			return made, no("markdown_text_conflict")
		}
		if utf8.RuneCountInString(markdown) > maxMarkdown {
			return made, no("msg_too_long")
		}
		made.text = markdown
	}
	if utf8.RuneCountInString(made.text) > maxText {
		return made, no("msg_too_long")
	}
	if v, ok := a.value("blocks"); !ok {
		return made, no("invalid_blocks_format")
	} else if v != nil {
		list, isList := v.([]any)
		if !isList {
			return made, no("invalid_blocks_format")
		}
		if problems := blockkit.Message(list); len(problems) > 0 {
			return made, invalid("invalid_blocks", problems)
		}
		s.name(list)
		made.blocks = list
	}
	if v, ok := a.value("attachments"); !ok {
		return made, no("invalid_attachments")
	} else if list, isList := v.([]any); isList {
		made.attachments = list
	}
	v, ok := a.value("metadata")
	if code := checkMetadata(v); !ok || code != "" {
		if code == "" {
			code = "invalid_metadata_format"
		}
		return made, no(code)
	}
	if object, _ := v.(map[string]any); text(object["event_type"]) != "" {
		made.metadata = v
	}
	return made, nil
}

// invalid refuses blocks, with Slack's words for each problem.
func invalid(code string, problems []blockkit.Problem) reply {
	var messages, short []string
	for _, p := range problems {
		short = append(short, p.String())
		messages = append(messages, "[ERROR] "+p.String())
	}
	return reply{"ok": false, "error": code, "errors": short, "response_metadata": fields{"messages": messages}}
}

var timestamp = regexp.MustCompile(`^[0-9]+\.[0-9]{6}$`)

var eventType = regexp.MustCompile(`^[a-zA-Z0-9_.:-]{1,255}$`)

// checkMetadata returns the error of a message's metadata.
func checkMetadata(v any) string {
	if v == nil {
		return ""
	}
	object, ok := v.(map[string]any)
	if !ok {
		return "invalid_metadata_format"
	}
	payload, isObject := object["event_payload"].(map[string]any)
	switch {
	case len(object) == 0, object["event_type"] == "" && object["event_payload"] == nil: // slack-go sends the second for none
		return ""
	case !eventType.MatchString(text(object["event_type"])), !isObject:
		return "invalid_metadata_schema"
	case len(encode(payload)) > 16<<10:
		return "metadata_too_large"
	}
	for name := range object {
		if name != "event_type" && name != "event_payload" {
			return "invalid_metadata_schema"
		}
	}
	return ""
}

// empty says whether nobody would see anything.
func (p content) empty() bool {
	return p.text == "" && len(p.blocks) == 0 && len(p.attachments) == 0
}

// target finds the channel that the app may write to, or the error's code. Who names a
// user writes to their direct message.
func (c *call) target() (*channel, reply) {
	id := c.args.str("channel")
	found := c.team.channels[id]
	if p := c.team.people[id]; p != nil && !p.bot {
		found = c.s.im(c.team, id)
	}
	switch {
	case found == nil:
		return nil, no("channel_not_found")
	case found.archived:
		return nil, no("is_archived")
	case !found.members[c.team.botUser]:
		if found.kind != "channel" {
			return nil, no("channel_not_found") // what is private is not shown to those outside
		}
		if !slices.Contains(c.token.scopes, "chat:write.public") {
			return nil, no("not_in_channel")
		}
	}
	return found, nil
}

// make makes a message of the app; add puts it into its channel.
func (c *call) make(to *channel, p content) *message {
	return &message{
		channel: to, ts: c.s.ts(), user: c.team.botUser, byApp: true, text: p.text, blocks: p.blocks,
		attachments: p.attachments, metadata: p.metadata,
	}
}

// add puts a message into its channel. The caller holds the lock.
func (s *Slack) add(m *message) {
	m.channel.put(m)
	s.see(m)
}

// postMessage is chat.postMessage. A client_msg_id that was seen before is the same
// message again: nothing is posted.
func (c *call) postMessage() reply {
	to, refusal := c.target()
	if refusal != nil {
		return refusal
	}
	id := c.args.str("client_msg_id")
	if before := c.team.posted[id]; id != "" && before != nil && !c.s.opts.IgnoreClientMsgID {
		switch {
		case before.channel != to:
			return no("duplicate_channel_not_found")
		case before.deleted:
			return no("duplicate_message_not_found")
		}
		return reply{"channel": to.id, "ts": before.ts, "message": before.wire()}
	}
	p, refusal := c.content()
	if refusal != nil {
		return refusal
	}
	if p.empty() {
		return no("no_text")
	}
	thread := c.args.str("thread_ts")
	if thread != "" { // of a thread that is gone, it is posted without one
		parent := to.find(thread)
		switch {
		case !timestamp.MatchString(thread):
			return no("invalid_thread_ts")
		case parent == nil || parent.deleted:
			thread = ""
		case parent.thread != "":
			thread = parent.thread
		}
	}
	m := c.make(to, p)
	m.thread, m.clientMsgID = thread, id
	if id != "" {
		c.team.posted[id] = m
	}
	c.s.add(m)
	c.s.messageEvent(m)
	return reply{"channel": to.id, "ts": m.ts, "message": m.wire()}
}

// postEphemeral is chat.postEphemeral.
func (c *call) postEphemeral() reply {
	to, refusal := c.target()
	if refusal != nil {
		return refusal
	}
	p, refusal := c.content()
	if refusal != nil {
		return refusal
	}
	user := c.team.people[c.args.str("user")]
	switch {
	case user == nil, user.deleted, to.kind != "channel" && !to.members[user.id]:
		return no("user_not_in_channel")
	case p.empty():
		return no("no_text")
	}
	m := c.make(to, p)
	m.only, m.thread = user.id, c.args.str("thread_ts")
	c.s.add(m)
	return reply{"message_ts": m.ts}
}
