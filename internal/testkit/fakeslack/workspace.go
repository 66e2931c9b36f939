package fakeslack

import (
	"slices"
	"strings"
)

// team is what is kept of a workspace.
type team struct {
	id, name, domain string
	botUser, botID   string
	installed        bool
	people           map[string]*person
	channels         map[string]*channel
	ims              map[string]*channel // by their person
	posted           map[string]*message // by client_msg_id
}

type person struct {
	id, name string
	bot      bool
	deleted  bool
}

// Workspace is a Slack team.
type Workspace struct {
	ID      string
	Name    string
	BotUser string // the id of the app's bot there, U…

	slack *Slack
	team  *team
}

// User is a person in a workspace.
type User struct {
	ID        string
	Name      string
	Workspace *Workspace

	slack *Slack
}

// AddWorkspace makes a workspace where the app is not installed yet.
func (s *Slack) AddWorkspace(name string) *Workspace {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &team{
		id: s.id("T"), name: name, domain: strings.ToLower(strings.ReplaceAll(name, " ", "-")),
		botUser: s.id("U"), botID: s.id("B"),
		people: map[string]*person{}, channels: map[string]*channel{}, ims: map[string]*channel{}, posted: map[string]*message{},
	}
	t.people[t.botUser] = &person{id: t.botUser, name: "parley", bot: true}
	s.teams[t.id] = t
	return &Workspace{ID: t.id, Name: name, BotUser: t.botUser, slack: s, team: t}
}

// AddUser lets somebody join the workspace.
func (w *Workspace) AddUser(name string) *User {
	s := w.slack
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &person{id: s.id("U"), name: name}
	w.team.people[p.id] = p
	return &User{ID: p.id, Name: name, Workspace: w, slack: s}
}

// AddChannel makes a public channel in which are all people of the workspace, and the
// bot.
func (w *Workspace) AddChannel(name string) *Channel { return w.addChannel(name, "channel", nil) }

// AddPrivateChannel makes a channel of these people and the bot.
func (w *Workspace) AddPrivateChannel(name string, members ...*User) *Channel {
	return w.addChannel(name, "group", members)
}

func (w *Workspace) addChannel(name, kind string, members []*User) *Channel {
	s := w.slack
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &channel{id: s.id("C"), name: name, kind: kind, team: w.team, members: map[string]bool{w.team.botUser: true}}
	for _, u := range members {
		c.members[u.ID] = true
	}
	w.team.channels[c.id] = c
	return &Channel{ID: c.id, Name: name, Workspace: w, slack: s, channel: c}
}

// Install installs the app without OAuth, as a workspace's own app is.
func (w *Workspace) Install() Grant {
	s := w.slack
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.install(w.team, s.opts.Scopes).grant()
}

// Uninstall removes the app: its tokens are revoked, and it hears app_uninstalled and
// tokens_revoked.
func (w *Workspace) Uninstall() {
	s := w.slack
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uninstall(w.team)
}

// RevokeTokens ends the bot's tokens and tells the app so; it stays installed.
func (w *Workspace) RevokeTokens() {
	s := w.slack
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revokeAll(w.team, "token_revoked")
	s.event(w.team, "tokens_revoked", fields{"type": "tokens_revoked", "tokens": fields{"oauth": []string{}, "bot": []string{w.team.botUser}}})
}

// Deactivate ends a person's account, of which the app hears as user_change.
func (u *User) Deactivate() {
	s := u.slack
	s.mu.Lock()
	defer s.mu.Unlock()
	t := u.Workspace.team
	t.people[u.ID].deleted = true
	s.event(t, "user_change", fields{"type": "user_change", "user": t.describe(t.people[u.ID]), "cache_ts": 1, "event_ts": s.ts()})
}

// DM is the direct message between the person and the app's bot. It is made when it is
// first asked for.
func (u *User) DM() *Channel {
	s := u.slack
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.im(u.Workspace.team, u.ID)
	return &Channel{ID: c.id, Workspace: u.Workspace, slack: s, channel: c}
}

// im finds or makes a direct message. The caller holds the lock.
func (s *Slack) im(t *team, user string) *channel {
	if c := t.ims[user]; c != nil {
		return c
	}
	c := &channel{id: s.id("D"), kind: "im", user: user, team: t, members: map[string]bool{t.botUser: true, user: true}}
	t.channels[c.id], t.ims[user] = c, c
	return c
}

// describe is a person as users.info has them.
func (t *team) describe(p *person) fields {
	return fields{
		"id": p.id, "team_id": t.id, "name": p.name, "deleted": p.deleted, "real_name": p.name, "tz": "Europe/Berlin", "tz_label": "CET", "tz_offset": 3600,
		"profile":  fields{"real_name": p.name, "display_name": p.name, "email": p.name + "@" + t.domain + ".example", "team": t.id},
		"is_admin": false, "is_owner": false, "is_restricted": false, "is_ultra_restricted": false, "is_bot": p.bot, "is_app_user": false, "updated": 1,
	}
}

// subscribed says whether the app hears of an event. The caller holds the lock.
func (s *Slack) subscribed(name string) bool { return slices.Contains(s.opts.Subscribed, name) }
