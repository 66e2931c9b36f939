package fakeslack

import "time"

// trigger is what lets an app open a modal, once and at once.
type trigger struct {
	team    *team
	user    string
	view    *view // of a trigger in a modal
	expires time.Time
	used    bool
}

// trigger makes one. The caller holds the lock.
func (s *Slack) trigger(t *team, user string, in *view) string {
	s.serial++
	id := s.random(5) + "." + s.random(5) + "." + s.random(16)
	s.triggers[id] = &trigger{team: t, user: user, view: in, expires: s.now().Add(s.opts.TriggerTTL)}
	return id
}

// redeem uses a trigger up, or returns the error's code.
func (c *call) redeem() (*trigger, string) {
	t := c.s.triggers[c.args.str("trigger_id")]
	switch {
	case t == nil, t.team != c.team:
		return nil, "invalid_trigger_id"
	case !c.s.now().Before(t.expires):
		return nil, "expired_trigger_id"
	case t.used:
		return nil, "exchanged_trigger_id"
	}
	return t, ""
}
