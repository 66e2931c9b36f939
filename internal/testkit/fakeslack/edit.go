package fakeslack

import "slices"

// own finds a message of the app that it may change, or the error's code.
func (c *call) own(refused string) (*message, reply) {
	to := c.team.channels[c.args.str("channel")] // an id; a user will not do here
	if to == nil {
		return nil, no("channel_not_found")
	}
	m := to.find(c.args.str("ts"))
	switch {
	case m == nil, m.deleted, m.only != "":
		return nil, no("message_not_found")
	case !m.byApp:
		return nil, no(refused)
	case to.archived:
		return nil, no("is_archived")
	}
	return m, nil
}

// updateMessage is chat.update. What is not named stays, but for the blocks of a
// message whose text alone is given: they go. An empty list, or object, takes it away.
func (c *call) updateMessage() reply {
	m, refusal := c.own("cant_update_message")
	if refusal != nil {
		return refusal
	}
	p, refusal := c.content()
	if refusal != nil {
		return refusal
	}
	switch said := func(name string) bool { return p.given[name] }; {
	case c.s.streams(m):
		return no("streaming_state_conflict")
	case !said("text") && !said("blocks") && !said("attachments") && !said("markdown_text") && !said("metadata"):
		return no("no_text")
	case said("text") && p.empty() && !said("blocks"):
		return no("no_text")
	default:
		if said("blocks") || said("text") || said("markdown_text") {
			m.blocks = p.blocks
		}
		if said("text") || said("markdown_text") {
			m.text = p.text
		}
		if said("attachments") {
			m.attachments = p.attachments
		}
		if said("metadata") {
			m.metadata = p.metadata
		}
	}
	m.edits++
	c.s.see(m)
	c.s.changedEvent(m, "message_changed")
	return reply{"channel": m.channel.id, "ts": m.ts, "text": m.text, "message": m.wire()}
}

// deleteMessage is chat.delete.
func (c *call) deleteMessage() reply {
	m, refusal := c.own("cant_delete_message")
	if refusal != nil {
		return refusal
	}
	m.deleted = true
	c.s.see(m)
	c.s.changedEvent(m, "message_deleted")
	return reply{"channel": m.channel.id, "ts": m.ts}
}

func (c *call) permalink() reply {
	to := c.team.channels[c.args.str("channel")]
	if to == nil {
		return no("channel_not_found")
	}
	if m := to.find(c.args.str("message_ts")); m == nil || m.deleted || m.only != "" {
		return no("message_not_found")
	}
	return reply{"channel": to.id, "permalink": c.s.URL + "/archives/" + to.id + "/p" + c.args.str("message_ts")}
}

// reactionsAdd is reactions.add.
func (c *call) reactionsAdd() reply {
	to := c.team.channels[c.args.str("channel")]
	if to == nil {
		return no("channel_not_found")
	}
	m, name := to.find(c.args.str("timestamp")), c.args.str("name")
	switch {
	case m == nil, m.deleted, m.only != "":
		return no("message_not_found")
	case name == "":
		return no("invalid_name")
	case slices.Contains(m.reactions, name):
		return no("already_reacted")
	}
	m.reactions = append(m.reactions, name)
	c.s.see(m)
	return reply{}
}
