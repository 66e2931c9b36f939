package fakeslack

import "time"

// event tells the app of something, if it is installed there and subscribed to it. The
// caller holds the lock.
func (s *Slack) event(t *team, subscription string, event fields) {
	if t.installed && s.subscribed(subscription) {
		s.send(t, event)
	}
}

// send delivers an event. The caller holds the lock.
func (s *Slack) send(t *team, event fields) string {
	id := s.id("Ev")
	payload := encode(fields{
		"token": "fake-verification-token", "team_id": t.id, "context_team_id": t.id, "context_enterprise_id": nil, "api_app_id": AppID,
		"event": event, "type": "event_callback", "event_id": id, "event_time": s.seconds(),
		"authorizations":        []any{fields{"enterprise_id": nil, "team_id": t.id, "user_id": t.botUser, "is_bot": true, "is_enterprise_install": false}},
		"is_ext_shared_channel": false, "event_context": "4-" + s.random(16),
	})
	d := &Delivery{Kind: text(event["type"]), ID: id, Payload: payload, Body: payload, URL: s.opts.EventsURL}
	if s.opts.SocketMode {
		d.URL, d.Body = "", nil
	}
	s.begin(d)
	if s.closed || d.URL == "" && !s.opts.SocketMode {
		s.end(d) // nobody hears of it
	} else {
		s.crew.Go(func() { s.retry(d) })
	}
	return id
}

// seconds is when something happens, for events.
func (s *Slack) seconds() int64 {
	if s.opts.Fixed {
		return epoch / 1e6
	}
	return time.Now().Unix()
}

// subscription is what an app subscribes to for the messages of a channel.
func (c *channel) subscription() string {
	return map[string]string{"channel": "message.channels", "group": "message.groups", "im": "message.im"}[c.kind]
}

// messageEvent tells the app of a message, also of its own. The caller holds the lock.
func (s *Slack) messageEvent(m *message) {
	if !m.channel.members[m.channel.team.botUser] {
		return
	}
	event := m.wire()
	delete(event, "reply_count")
	event["channel"], event["channel_type"], event["event_ts"] = m.channel.id, m.channel.typeName(), m.ts
	s.event(m.channel.team, m.channel.subscription(), event)
}

// changedEvent tells the app that a message was changed or deleted. The caller holds
// the lock.
func (s *Slack) changedEvent(m *message, how string) {
	event := fields{
		"type": "message", "subtype": how, "hidden": true, "channel": m.channel.id, "channel_type": m.channel.typeName(),
		"ts": s.ts(), "event_ts": m.ts, "previous_message": m.wire(),
	}
	if how == "message_deleted" {
		event["deleted_ts"] = m.ts
	} else {
		event["message"] = m.wire()
	}
	s.event(m.channel.team, m.channel.subscription(), event)
}
