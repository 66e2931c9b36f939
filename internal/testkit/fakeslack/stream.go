package fakeslack

import (
	"strings"
	"unicode/utf8"

	"github.com/parley-hq/parley/internal/testkit/fakeslack/blockkit"
)

// said is the text of a call to a stream: of markdown_text, or of the chunks.
func (c *call) said() (string, reply) {
	words := c.args.str("markdown_text")
	v, ok := c.args.value("chunks")
	if !ok {
		return "", no("invalid_chunks")
	}
	chunks, isList := v.([]any)
	if v != nil && !isList {
		return "", no("invalid_chunks")
	}
	var all strings.Builder
	all.WriteString(words)
	for _, one := range chunks {
		chunk, _ := one.(map[string]any)
		switch text(chunk["type"]) {
		case "markdown_text":
			all.WriteString(text(chunk["text"]))
		case "task_update", "plan_update":
			if text(chunk["title"]) == "" {
				return "", no("invalid_chunks")
			}
		case "blocks":
			list, _ := chunk["blocks"].([]any)
			if problems := blockkit.Message(list); len(list) == 0 || len(problems) > 0 {
				return "", invalid("invalid_blocks", problems)
			}
		default:
			return "", no("invalid_chunks")
		}
	}
	if utf8.RuneCountInString(all.String()) > maxMarkdown {
		return "", no("msg_too_long")
	}
	return all.String(), nil
}

// startStream is chat.startStream: a message in a thread whose text comes in parts.
func (c *call) startStream() reply {
	to, refusal := c.target()
	if refusal != nil {
		return refusal
	}
	words, refusal := c.said()
	if refusal != nil {
		return refusal
	}
	thread := c.args.str("thread_ts")
	if thread == "" {
		return missing("thread_ts")
	}
	parent := to.find(thread)
	if parent == nil {
		return no("thread_not_found")
	}
	if to.kind != "im" {
		if c.args.str("recipient_team_id") == "" {
			return no("missing_recipient_team_id")
		}
		if c.args.str("recipient_user_id") == "" {
			return no("missing_recipient_user_id")
		}
		if c.team.people[c.args.str("recipient_user_id")] == nil {
			return no("user_not_found")
		}
	}
	m := c.make(to, content{text: words})
	m.thread, m.streaming, m.streamEnds = thread, true, c.s.now().Add(c.s.opts.StreamTTL)
	c.s.add(m)
	return reply{"channel": to.id, "ts": m.ts}
}

// streams says whether a message's text is still coming. Slack ends each stream about
// five minutes after it began, however much is still said. The caller holds the lock.
func (s *Slack) streams(m *message) bool {
	if m.streaming && !s.now().Before(m.streamEnds) {
		m.streaming = false
		s.see(m)
	}
	return m.streaming
}

// stream finds the stream that a call is of.
func (c *call) stream() (*message, string, reply) {
	m, refusal := c.own("message_not_owned_by_app")
	if refusal != nil {
		return nil, "", refusal
	}
	if !c.s.streams(m) {
		return nil, "", no("message_not_in_streaming_state")
	}
	words, refusal := c.said()
	return m, words, refusal
}

// appendStream is chat.appendStream.
func (c *call) appendStream() reply {
	m, words, refusal := c.stream()
	if refusal != nil {
		return refusal
	}
	if words == "" && c.args["chunks"] == nil {
		return no("no_text")
	}
	m.text += words
	c.s.see(m)
	return reply{"channel": m.channel.id, "ts": m.ts}
}

// stopStream is chat.stopStream. Its blocks are rendered under the text.
func (c *call) stopStream() reply {
	m, words, refusal := c.stream()
	if refusal != nil {
		return refusal
	}
	a := args{}
	for name, v := range c.args {
		if name != "markdown_text" {
			a[name] = v
		}
	}
	p, refusal := c.s.contentOf(a)
	if refusal != nil {
		return refusal
	}
	m.text += words
	m.streaming = false
	if p.metadata != nil {
		m.metadata = p.metadata
	}
	if len(p.blocks) > 0 {
		m.blocks = append([]any{fields{"type": "markdown", "block_id": c.s.random(3), "text": m.text}}, p.blocks...)
	}
	c.s.see(m)
	c.s.messageEvent(m)
	return reply{"channel": m.channel.id, "ts": m.ts, "message": m.wire()}
}
