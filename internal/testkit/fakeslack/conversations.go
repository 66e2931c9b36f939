package fakeslack

import (
	"slices"
	"strconv"
	"strings"
)

// conversationsOpen is conversations.open, of direct messages with one person.
func (c *call) conversationsOpen() reply {
	if id := c.args.str("channel"); id != "" {
		found := c.team.channels[id]
		if found == nil || found.kind != "im" {
			return no("channel_not_found")
		}
		return reply{"no_op": true, "already_open": true, "channel": c.opened(found)}
	}
	users := strings.Split(c.args.str("users"), ",")
	if users[0] == "" {
		return no("users_list_not_supplied")
	}
	if len(users) > 1 {
		return no("method_not_supported_for_channel_type") // the fake has no group messages
	}
	p := c.team.people[users[0]]
	switch {
	case p == nil:
		return no("user_not_found")
	case p.deleted:
		return no("user_disabled")
	case p.bot:
		return no("cannot_dm_bot")
	}
	before := len(c.team.channels)
	im := c.s.im(c.team, p.id)
	answer := reply{"channel": c.opened(im)}
	if len(c.team.channels) == before {
		answer["no_op"], answer["already_open"] = true, true
	}
	return answer
}

func (c *call) opened(im *channel) fields {
	if c.args.bool("return_im") {
		return im.describe()
	}
	return fields{"id": im.id}
}

// readable finds a channel that the app may read with its scopes, or the error's code.
func (c *call) readable(scope string) (*channel, reply) {
	found := c.team.channels[c.args.str("channel")]
	if found == nil {
		return nil, no("channel_not_found")
	}
	prefix := map[string]string{"channel": "channels", "group": "groups", "im": "im"}[found.kind]
	if needed := prefix + ":" + scope; !slices.Contains(c.token.scopes, needed) {
		return nil, reply{"ok": false, "error": "missing_scope", "needed": needed, "provided": strings.Join(c.token.scopes, ",")}
	}
	if !found.members[c.team.botUser] {
		if found.kind != "channel" {
			return nil, no("channel_not_found")
		}
		if scope == "history" {
			return nil, no("not_in_channel")
		}
	}
	return found, nil
}

// conversationsHistory is conversations.history: the newest first, without the replies
// in threads.
func (c *call) conversationsHistory() reply {
	from, refusal := c.readable("history")
	if refusal != nil {
		return refusal
	}
	var all []*message
	for _, m := range slices.Backward(from.messages) {
		if m.thread == "" || m.thread == m.ts {
			all = append(all, m)
		}
	}
	return c.page(all)
}

// conversationsReplies is conversations.replies: the thread's first message, then its
// replies, the oldest first.
func (c *call) conversationsReplies() reply {
	from, refusal := c.readable("history")
	if refusal != nil {
		return refusal
	}
	ts := c.args.str("ts")
	first := from.find(ts)
	if first == nil || first.deleted && first.replies() == 0 {
		return no("thread_not_found")
	}
	all := []*message{first}
	return c.page(append(all, from.threads[ts]...))
}

// page is the part of the messages that oldest, latest, limit and cursor name.
func (c *call) page(all []*message) reply {
	oldest, latest, inclusive := c.args.str("oldest"), c.args.str("latest"), c.args.bool("inclusive")
	all = slices.DeleteFunc(all, func(m *message) bool {
		return m.deleted || m.only != "" ||
			oldest != "" && (m.ts < oldest || m.ts == oldest && !inclusive) ||
			latest != "" && (m.ts > latest || m.ts == latest && !inclusive)
	})
	limit, err := strconv.Atoi(c.args.str("limit"))
	if c.args.str("limit") == "" {
		limit = 100
	} else if err != nil || limit < 1 || limit > 999 {
		return no("invalid_limit")
	}
	start := 0
	if cursor := c.args.str("cursor"); cursor != "" {
		start = slices.IndexFunc(all, func(m *message) bool { return "next_ts:"+m.ts == cursor })
		if start < 0 {
			return no("invalid_cursor")
		}
	}
	end := min(len(all), start+limit)
	messages := []any{}
	for _, m := range all[start:end] {
		f := m.wire()
		if m.metadata != nil && c.args.bool("include_all_metadata") {
			f["metadata"] = m.metadata
		}
		messages = append(messages, f)
	}
	answer := reply{"messages": messages, "has_more": end < len(all), "pin_count": 0}
	if end < len(all) {
		answer["response_metadata"] = fields{"next_cursor": "next_ts:" + all[end].ts}
	}
	return answer
}

// conversationsInfo is conversations.info.
func (c *call) conversationsInfo() reply {
	found, refusal := c.readable("read")
	if refusal != nil {
		return refusal
	}
	return reply{"channel": found.describe()}
}

// usersInfo is users.info.
func (c *call) usersInfo() reply {
	p := c.team.people[c.args.str("user")]
	if p == nil {
		return no("user_not_found")
	}
	return reply{"user": c.team.describe(p)}
}

// teamInfo is team.info.
func (c *call) teamInfo() reply {
	return reply{"team": fields{"id": c.team.id, "name": c.team.name, "domain": c.team.domain, "email_domain": "", "icon": fields{}}}
}
