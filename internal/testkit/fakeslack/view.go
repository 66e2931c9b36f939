package fakeslack

import (
	"context"

	"github.com/parley-hq/parley/internal/testkit/fakeslack/blockkit"
)

// view is what is kept of a modal.
type view struct {
	id, hash, external string
	team               *team
	user               string
	object             fields // as the app gave it
	previous           *view  // under it
	updates            int
	state              fields // what was entered, by block and action
}

// View is a modal as its person sees it.
type View struct {
	ID              string
	Hash            string
	CallbackID      string
	PrivateMetadata string
	Title           string
	Submit          string // the button's text; empty: there is none
	Blocks          []map[string]any
	Object          map[string]any // all that the app gave
	Updates         int            // how often it was changed
	Depth           int            // 1: at the bottom of the stack
}

const maxViews = 3 // in a stack

// Elements are the interactive elements of the view.
func (v View) Elements() []Element { return elements(v.Blocks) }

// Element returns the element with an action_id, or nil.
func (v View) Element(action string) map[string]any {
	if e := find(v.Elements(), action); e != nil {
		return e.Object
	}
	return nil
}

// Words is all the text that somebody reads in the view, but for its title.
func (v View) Words() string { return Message{Blocks: v.Blocks}.Words() }

func (v *view) public() View {
	p := View{ID: v.id, Hash: v.hash, Updates: v.updates}
	recode(v.object, &p.Object)
	recode(v.object["blocks"], &p.Blocks)
	p.CallbackID, p.PrivateMetadata = text(p.Object["callback_id"]), text(p.Object["private_metadata"])
	label := func(name string) string { o, _ := p.Object[name].(map[string]any); return text(o["text"]) }
	p.Title, p.Submit = label("title"), label("submit")
	for one := v; one != nil; one = one.previous {
		p.Depth++
	}
	return p
}

// View is the modal that is before the person now. It is false if none is.
func (u *User) View() (View, bool) {
	u.slack.mu.Lock()
	defer u.slack.mu.Unlock()
	if v := u.slack.top(u); v != nil {
		return v.public(), true
	}
	return View{}, false
}

// WaitForView waits until a modal that fits is before the person; nil: any.
func (u *User) WaitForView(ctx context.Context, fits func(View) bool) (found View, err error) {
	err = u.slack.await(ctx, func() bool {
		v := u.slack.top(u)
		if v == nil {
			return false
		}
		found = v.public()
		return fits == nil || fits(found)
	})
	return found, err
}

// top is the open view that no other is on. The caller holds the lock.
func (s *Slack) top(u *User) *view { return s.topOf(u.Workspace.team, u.ID) }

func (s *Slack) topOf(t *team, user string) *view {
	under := map[*view]bool{}
	var open []*view
	for _, v := range s.views {
		if v.team == t && v.user == user {
			open = append(open, v)
			under[v.previous] = true
		}
	}
	for _, v := range open {
		if !under[v] {
			return v
		}
	}
	return nil
}

// wire is the view as Slack sends it.
func (v *view) wire() fields {
	f := fields{
		"id": v.id, "team_id": v.team.id, "app_id": AppID, "app_installed_team_id": v.team.id, "bot_id": v.team.botID, "hash": v.hash,
		"state": fields{"values": v.state}, "previous_view_id": nil, "root_view_id": v.id, "external_id": v.external,
		"private_metadata": "", "callback_id": "", "clear_on_close": false, "notify_on_close": false, "close": nil, "submit": nil,
	}
	for name, value := range v.object {
		f[name] = value
	}
	if v.previous != nil {
		f["previous_view_id"] = v.previous.id
	}
	for root := v; root != nil; root = root.previous {
		f["root_view_id"] = root.id
	}
	return f
}

// checked reads and checks the view of a call, or of an answer.
func (s *Slack) checked(v any, ok bool, t *team, of *view) (fields, reply) {
	object, isObject := v.(map[string]any)
	if !ok || !isObject {
		return nil, missing("view")
	}
	if problems := blockkit.Modal(object); len(problems) > 0 {
		return nil, invalid("invalid_arguments", problems)
	}
	if external := text(object["external_id"]); external != "" {
		for _, other := range s.views {
			if other != of && other.team == t && other.external == external {
				return nil, no("duplicate_external_id")
			}
		}
	}
	blocks, _ := object["blocks"].([]any)
	s.name(blocks)
	return object, nil
}

// show puts a view before a person. The caller holds the lock.
func (s *Slack) show(t *team, user string, object fields, on *view) *view {
	v := &view{id: s.id("V"), team: t, user: user, previous: on}
	v.set(s, object)
	s.views[v.id] = v
	s.tell()
	return v
}

func (v *view) set(s *Slack, object fields) {
	v.object, v.external, v.hash = object, text(object["external_id"]), s.ts()+"."+s.random(4)
	v.state = fields{}
}

func (c *call) viewsOpen() reply { return c.open(false) }
func (c *call) viewsPush() reply { return c.open(true) }

func (c *call) open(push bool) reply {
	if c.args.str("trigger_id") == "" {
		return missing("trigger_id")
	}
	t, code := c.redeem()
	if code != "" {
		return no(code)
	}
	v, ok := c.args.value("view")
	object, refusal := c.s.checked(v, ok, c.team, nil)
	if refusal != nil {
		return refusal
	}
	on := c.s.topOf(c.team, t.user)
	switch {
	case !push && on != nil:
		// Slack closes what was open for the app and shows the new one.
		c.s.closeAll(c.team, t.user)
		on = nil
	case push && on == nil:
		return no("view_not_found")
	case push && on.public().Depth >= maxViews:
		return no("push_limit_reached")
	}
	t.used = true
	return reply{"view": c.s.show(c.team, t.user, object, on).wire()}
}

// viewsUpdate is views.update, by view_id or external_id, and with a hash only if the
// view is still that one.
func (c *call) viewsUpdate() reply {
	var found *view
	for _, v := range c.s.views {
		if v.team == c.team && (v.id == c.args.str("view_id") || v.external != "" && v.external == c.args.str("external_id")) {
			found = v
		}
	}
	if found == nil {
		return no("not_found")
	}
	if hash := c.args.str("hash"); hash != "" && hash != found.hash {
		return no("hash_conflict")
	}
	v, ok := c.args.value("view")
	object, refusal := c.s.checked(v, ok, c.team, found)
	if refusal != nil {
		return refusal
	}
	found.set(c.s, object)
	found.updates++
	c.s.tell()
	return reply{"view": found.wire()}
}

// closeAll closes a person's views. The caller holds the lock.
func (s *Slack) closeAll(t *team, user string) {
	for _, v := range s.views {
		if v.team == t && v.user == user {
			s.closeView(v)
		}
	}
}

// closeView closes a view. The caller holds the lock.
func (s *Slack) closeView(v *view) {
	delete(s.views, v.id)
	s.tell()
}
