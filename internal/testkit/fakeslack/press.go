package fakeslack

import (
	"errors"
	"fmt"
)

// ErrNotThere is that what a person wants to use is not there for them: a button that
// is gone, a message of others, a view that is closed.
var ErrNotThere = errors.New("it is not there")

// Press uses a button of a message, as it is now. The app gets block_actions; what it
// answered is returned, and an error if it did not take it within three seconds.
func (u *User) Press(m Message, action string) (Attempt, error) { return u.Choose(m, action, nil) }

// Choose uses an element of a message with a value: of an option, several of them
// ([]string), a date, a time. Its person sees the message as it is now.
func (u *User) Choose(m Message, action string, value any) (Attempt, error) {
	s := u.slack
	s.mu.Lock()
	payload, err := s.pressed(u, m, action, value)
	if err != nil {
		s.mu.Unlock()
		return Attempt{}, err
	}
	d := s.interaction(payload)
	s.mu.Unlock()
	return s.finish(d)
}

// pressed is the payload of an action in a message. The caller holds the lock.
func (s *Slack) pressed(u *User, m Message, action string, value any) (fields, error) {
	t := u.Workspace.team
	in := t.channels[m.Channel]
	if in == nil || m.team != t.id || in.kind != "channel" && !in.members[u.ID] {
		return nil, fmt.Errorf("message %s: %w", m.TS, ErrNotThere)
	}
	kept := in.find(m.TS)
	if kept == nil || kept.deleted || kept.only != "" && kept.only != u.ID {
		return nil, fmt.Errorf("message %s: %w", m.TS, ErrNotThere)
	}
	now := kept.public()
	e := find(now.Elements(), action)
	if e == nil {
		return nil, fmt.Errorf("action %q of message %s: %w", action, m.TS, ErrNotThere)
	}
	done, err := s.action(*e, value)
	if err != nil {
		return nil, err
	}
	payload := s.base("block_actions", u)
	container := fields{"type": "message", "message_ts": kept.ts, "channel_id": in.id, "is_ephemeral": kept.only != ""}
	if kept.thread != "" {
		container["thread_ts"] = kept.thread
	}
	payload["container"] = container
	payload["trigger_id"] = s.trigger(t, u.ID, nil)
	payload["channel"] = fields{"id": in.id, "name": channelName(in)}
	payload["message"] = kept.wire()
	if kept.only != "" {
		delete(payload, "message") // the app sees no ephemeral message again
	}
	state := fields{}
	for _, one := range now.Elements() {
		entered, _ := initial(one)
		if one.Action() == action {
			entered = value
		}
		put(state, one, entered)
	}
	payload["state"] = fields{"values": state}
	payload["response_url"] = s.respond(in, kept, u.ID)
	payload["actions"] = []any{done}
	return payload, nil
}

func channelName(c *channel) string {
	switch c.kind {
	case "im":
		return "directmessage"
	case "group":
		return "privategroup"
	}
	return c.name
}

// base is what all interactions say. The caller holds the lock.
func (s *Slack) base(kind string, u *User) fields {
	t := u.Workspace.team
	return fields{
		"type": kind, "team": fields{"id": t.id, "domain": t.domain}, "user": fields{"id": u.ID, "username": u.Name, "name": u.Name, "team_id": t.id},
		"api_app_id": AppID, "token": "fake-verification-token", "enterprise": nil, "is_enterprise_install": false,
	}
}

// action is the entry of an interaction for what was done.
func (s *Slack) action(e Element, value any) (fields, error) {
	kind := text(e.Object["type"])
	done := fields{"type": kind, "action_id": e.Action(), "block_id": e.Block, "action_ts": s.ts()}
	if kind == "button" {
		if value != nil {
			return nil, fmt.Errorf("button %q takes no value", e.Action())
		}
		for _, name := range []string{"text", "value", "style"} {
			if e.Object[name] != nil {
				done[name] = e.Object[name]
			}
		}
		return done, nil
	}
	entered, err := enter(e, value)
	if err != nil {
		return nil, err
	}
	for name, v := range entered {
		done[name] = v
	}
	return done, nil
}

// PressIn uses a button of the modal that is before the person.
func (u *User) PressIn(v View, action string) (Attempt, error) { return u.ChooseIn(v, action, nil) }

// ChooseIn uses an element of the modal that is before the person, where that tells the
// app at once.
func (u *User) ChooseIn(v View, action string, value any) (Attempt, error) {
	s := u.slack
	s.mu.Lock()
	kept := s.top(u)
	if kept == nil || kept.id != v.ID {
		s.mu.Unlock()
		return Attempt{}, fmt.Errorf("view %s: %w", v.ID, ErrNotThere)
	}
	e := find(kept.public().Elements(), action)
	if e == nil || e.Input != nil && e.Input["dispatch_action"] != true {
		s.mu.Unlock()
		return Attempt{}, fmt.Errorf("action %q of view %s: %w", action, v.ID, ErrNotThere)
	}
	done, err := s.action(*e, value)
	if err != nil {
		s.mu.Unlock()
		return Attempt{}, err
	}
	if value != nil {
		put(kept.state, *e, value)
	}
	payload := s.base("block_actions", u)
	payload["container"] = fields{"type": "view", "view_id": kept.id}
	payload["trigger_id"] = s.trigger(u.Workspace.team, u.ID, kept)
	payload["view"] = kept.wire()
	payload["actions"] = []any{done}
	d := s.interaction(payload)
	s.mu.Unlock()
	return s.finish(d)
}
