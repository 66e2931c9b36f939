package fakeslack

import (
	"encoding/json"
	"strings"
	"time"
)

// fields is a JSON object.
type fields = map[string]any

// message is what is kept of a message.
type message struct {
	channel     *channel
	ts, thread  string
	user        string
	byApp       bool
	text        string
	blocks      []any
	attachments []any
	metadata    any
	clientMsgID string
	only        string // whom an ephemeral one is for
	edits       int
	streaming   bool
	streamEnds  time.Time
	deleted     bool
	reactions   []string
	shown       *Message // what public returned; nil: it must be made
}

// Message is a message as it is now. Who reads it does not change its maps.
type Message struct {
	Channel   string
	TS        string
	ThreadTS  string // empty: not in a thread
	User      string
	FromApp   bool
	Text      string
	Blocks    []map[string]any
	Metadata  map[string]any // nil: none
	Ephemeral bool           // one person alone sees it
	Edits     int            // how often it was changed
	Streaming bool           // its text is still coming
	Reactions []string

	team string
}

// public is the message for those outside. It is made once for each change: many look
// at many.
func (m *message) public() Message {
	if m.shown != nil {
		return *m.shown
	}
	p := Message{
		Channel: m.channel.id, TS: m.ts, ThreadTS: m.thread, User: m.user, FromApp: m.byApp, Text: m.text, Ephemeral: m.only != "",
		Edits: m.edits, Streaming: m.streaming, Reactions: append([]string(nil), m.reactions...), team: m.channel.team.id,
	}
	recode(m.blocks, &p.Blocks)
	recode(m.metadata, &p.Metadata)
	m.shown = &p
	return p
}

// wire is the message as Slack sends it.
func (m *message) wire() fields {
	f := fields{"type": "message", "ts": m.ts, "user": m.user, "text": m.text, "team": m.channel.team.id}
	if m.byApp {
		f["bot_id"], f["app_id"] = m.channel.team.botID, AppID
		f["bot_profile"] = fields{"id": m.channel.team.botID, "app_id": AppID, "user_id": m.channel.team.botUser, "name": "parley", "icons": fields{}, "deleted": false, "updated": 1, "team_id": m.channel.team.id}
	}
	if m.blocks != nil {
		f["blocks"] = m.blocks
	}
	if m.attachments != nil {
		f["attachments"] = m.attachments
	}
	if m.clientMsgID != "" {
		f["client_msg_id"] = m.clientMsgID
	}
	if m.thread != "" {
		f["thread_ts"] = m.thread
		if parent := m.channel.find(m.thread); parent != nil && parent != m {
			f["parent_user_id"] = parent.user
		}
	}
	if m.edits > 0 {
		f["edited"] = fields{"user": m.user, "ts": m.ts}
	}
	if len(m.reactions) > 0 {
		var all []any
		for _, name := range m.reactions {
			all = append(all, fields{"name": name, "count": 1, "users": []string{m.channel.team.botUser}})
		}
		f["reactions"] = all
	}
	if replies := m.replies(); replies > 0 {
		f["thread_ts"], f["reply_count"] = m.ts, replies
	}
	return f
}

func (m *message) replies() (n int) {
	for _, other := range m.channel.threads[m.ts] {
		if !other.deleted && other.only == "" {
			n++
		}
	}
	return n
}

// Elements are all interactive elements of the message's blocks, with the block_id of
// their block.
func (m Message) Elements() []Element { return elements(m.Blocks) }

// Has says whether the message has an element with this action_id.
func (m Message) Has(action string) bool { return find(m.Elements(), action) != nil }

// Button returns the element with an action_id, or nil.
func (m Message) Button(action string) map[string]any {
	if e := find(m.Elements(), action); e != nil {
		return e.Object
	}
	return nil
}

// Words is all the text that somebody reads in the message: of its blocks, or where it
// has none, its text.
func (m Message) Words() string {
	if len(m.Blocks) == 0 {
		return m.Text
	}
	var said []string
	for _, b := range m.Blocks {
		words(b, &said)
	}
	return strings.Join(said, "\n")
}

func words(v any, said *[]string) {
	switch v := v.(type) {
	case map[string]any:
		if text, ok := v["text"].(string); ok {
			*said = append(*said, text)
		}
		for _, name := range []string{"text", "title", "label", "hint", "fields", "elements", "element", "accessory", "placeholder", "options"} {
			if _, isText := v[name].(string); !isText {
				words(v[name], said)
			}
		}
	case []any:
		for _, one := range v {
			words(one, said)
		}
	}
}

// recode turns JSON values into others.
func recode(from, to any) {
	raw, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(raw, to)
	}
	if err != nil {
		panic(err) // it came from JSON
	}
}
