package mcpcall

import (
	"cmp"
	"context"

	"github.com/parley-hq/parley"
)

// takePlace takes a place for a connection. Where all are taken, it waits for one
// that is being closed, or closes an idle one: the person's own if theirs are too
// many, otherwise anybody's.
func (a *Conns) takePlace(ctx context.Context, c *Conn) error {
	for {
		a.mu.Lock()
		mine := a.opts.PerPerson > 0 && a.people[c.owner] >= a.opts.PerPerson
		all := a.opts.InAll > 0 && a.taken >= a.opts.InAll
		if !mine && !all {
			a.people[c.owner]++
			a.taken++
			c.placed = true
			a.mu.Unlock()
			return nil
		}
		victim := a.ending(func(other *Conn) bool { return !mine || other.owner == c.owner })
		a.mu.Unlock()
		switch {
		case victim == nil && mine:
			return Failed("%s cannot be used just now: this user has %d calls of it under way already. Make the call again when one of them is over.", c.Server.Label(), a.opts.PerPerson)
		case victim == nil:
			return Failed("%s cannot be used just now: too many others use it. Make the call again later.", c.Server.Label())
		}
		select {
		case <-victim.over:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// leave ends a connection, and gives its place back. mu is held.
func (a *Conns) leave(c *Conn) {
	delete(a.live, c)
	if c.placed {
		a.taken--
		if a.people[c.owner]--; a.people[c.owner] == 0 {
			delete(a.people, c.owner)
		}
	}
	close(c.over)
}

// ending is a connection that is being closed, and otherwise the one that nobody
// has used for the longest time, which is closed now. mu is held.
func (a *Conns) ending(which func(*Conn) bool) (longest *Conn) {
	for c := range a.live {
		if c.wire == nil || c.uses > 0 || !which(c) {
			continue
		}
		if c.shut {
			return c
		}
		if longest == nil || c.left.Before(longest.left) {
			longest = c
		}
	}
	if longest != nil {
		longest.drop()
	}
	return longest
}

// placeOf is whose places, and whose programs, are taken for somebody: the same
// one's to every agent. Anonymous callers share theirs: they could be as many as
// they like.
func placeOf(who Person) string {
	tenant := cmp.Or(who.Tenant, parley.DefaultTenant) + "\x00"
	if who.IsPerson() || who.Kind == parley.KindProgram {
		return tenant + who.Owner()
	}
	return tenant
}
