package toolbox

import (
	"cmp"
	"context"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpcall"
)

// How many connections a box has, unless it is told otherwise. A program is a
// process on this machine for each.
const (
	programsPerPerson, programsInAll       = 4, 64
	connectionsPerPerson, connectionsInAll = 32, 1024
)

// person is who a place counts for: the same one to every agent.
type person struct{ tenant, user string }

func (o owner) person() person { return person{cmp.Or(o.tenant, parley.DefaultTenant), o.user} }

// takePlace takes a place for a connection. Where all are taken, it waits for one
// that is being closed, or closes an idle one: the person's own if theirs are too
// many, otherwise anybody's.
func (b *Box) takePlace(ctx context.Context, o owner) error {
	p := o.person()
	for {
		b.mu.Lock()
		mine, all := b.people[p] >= b.opts.PerPerson, b.taken >= b.opts.InAll
		if !mine && !all {
			b.people[p]++
			b.taken++
			b.mu.Unlock()
			return nil
		}
		victim := b.ending(func(s *session) bool { return !mine || s.owner.person() == p })
		b.mu.Unlock()
		switch {
		case victim == nil && mine:
			return mcpcall.Failed("%s cannot be used just now: this user has %d calls of it under way already. Make the call again when one of them is over.", b.server.Label(), b.opts.PerPerson)
		case victim == nil:
			return mcpcall.Failed("%s cannot be used just now: too many others use it. Make the call again later.", b.server.Label())
		}
		select {
		case <-victim.over:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// leave gives a place back. mu is held.
func (b *Box) leave(o owner) {
	p := o.person()
	b.taken--
	if b.people[p]--; b.people[p] == 0 {
		delete(b.people, p)
	}
}

// ending is a connection that is being closed, and otherwise the one that nobody
// has used for the longest time, which is closed now. mu is held.
func (b *Box) ending(which func(*session) bool) *session {
	for s := range b.closing {
		if which(s) {
			return s
		}
	}
	var longest *session
	for _, d := range b.desks {
		for _, s := range d.sessions {
			if s.uses == 0 && which(s) && (longest == nil || s.idle.Before(longest.idle)) {
				longest = s
			}
		}
	}
	if longest != nil {
		b.retire(longest)
	}
	return longest
}
