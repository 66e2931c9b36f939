package gateway

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/vault"
)

// shelfKey is whose shelf it is: a person's own where the server is personal, and
// for clients of these abilities.
type shelfKey struct {
	tenant, server, user string
	able                 abilities
}

// shelves are what the servers offer, as far as it is known.
type shelves struct {
	gateway *Gateway

	mu      sync.Mutex
	byOwner map[shelfKey]*shelf
}

// State is how a server stands.
type State string

// The states.
const (
	Up              State = "up"
	Down            State = "down"
	Unknown         State = "unknown"          // nobody has asked it yet
	NeedsConnection State = "needs_connection" // it lists nothing without a credential
)

// Status is how a server stands, for those who look after it.
type Status struct {
	State State
	Error string // why it is down
	Since time.Time
	Tools int
	// LeftOut is what it lists and clients would not take, and Omitted how much
	// of that there is: the first 50 are named.
	LeftOut []mcpclient.Fault
	Omitted int
}

// Status says how a server stands for a person; user is empty for servers that
// are not personal.
func (g *Gateway) Status(ctx context.Context, tenant, server, user string) Status {
	s, ok, err := g.Find(ctx, tenant, server)
	if err != nil || !ok {
		return Status{State: Unknown}
	}
	sh := g.shelves.known(person{Principal: parley.Principal{Tenant: tenant, User: user}}, s)
	if sh == nil {
		return Status{State: Unknown}
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	st := Status{State: Unknown, Since: sh.since}
	switch {
	case sh.listing != nil:
		st.State, st.Tools = Up, len(sh.listing.tools)
		st.LeftOut, st.Omitted = sh.listing.faults.first, sh.listing.faults.count
	case errors.Is(sh.err, vault.ErrRequired), errors.Is(sh.err, vault.ErrNoPerson):
		st.State = NeedsConnection
	case sh.err != nil:
		st.State, st.Error = Down, downReason(sh.err, s)
	}
	return st
}

// keyOf says whose shelf somebody looks at. Sessions and calls of nobody in
// particular share one: nobody can connect an account for them.
func keyOf(who person, s Server) shelfKey {
	key := shelfKey{tenant: who.Tenant, server: s.Name, able: who.Able}
	if s.Personal && who.IsPerson() {
		key.user = who.User
	}
	return key
}

// known returns the shelf of a server for somebody, or nil if nobody has looked at
// it: who only wants to know how it stands makes none. Of those for clients of
// several abilities it is the one that knows the latest.
func (a *shelves) known(who person, s Server) *shelf {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := keyOf(who, s)
	var latest *shelf
	var since time.Time
	for other, sh := range a.byOwner {
		if other.able = key.able; other != key || !sh.server.Same(s) {
			continue
		}
		sh.mu.Lock()
		if latest == nil || sh.since.After(since) {
			latest, since = sh, sh.since
		}
		sh.mu.Unlock()
	}
	return latest
}

// filled is what a server offers to somebody, whatever their client can do; nil:
// it is not known.
func (a *shelves) filled(who person, s Server) *listing {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := keyOf(who, s)
	for other, sh := range a.byOwner {
		if other.able = key.able; other != key || !sh.server.Same(s) {
			continue
		}
		sh.mu.Lock()
		l := sh.listing
		sh.mu.Unlock()
		if l != nil {
			return l
		}
	}
	return nil
}

// of returns the shelf of a server for somebody.
func (a *shelves) of(who person, s Server) *shelf {
	key := keyOf(who, s)
	a.mu.Lock()
	defer a.mu.Unlock()
	sh := a.byOwner[key]
	if sh != nil && !sh.server.Same(s) {
		go sh.close() // it was configured anew
		sh = nil
	}
	if sh == nil {
		sh = &shelf{all: a, key: key, server: s, used: time.Now()}
		a.byOwner[key] = sh
	}
	return sh
}

// forgotten is how long the shelf of a person who does not come back is kept
// fresh.
const forgotten = 10 * time.Minute

// keep fills the shelves of the default tenant before anybody asks, tries
// servers again that are down, and lets go of shelves that nobody uses.
func (a *shelves) keep(ctx context.Context) {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	a.stock(ctx)
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-a.gateway.ctx.Done():
			return
		case <-tick.C:
		}
		if n%20 == 0 {
			a.stock(ctx)
		}
		for _, sh := range a.all() {
			sh.look()
		}
	}
}

// stock makes shelves for the servers that everybody sees.
func (a *shelves) stock(ctx context.Context) {
	servers, err := a.gateway.opts.Catalogue.Servers(ctx, parley.DefaultTenant)
	if err != nil {
		a.gateway.opts.Logger.WarnContext(ctx, "the servers cannot be read", "err", err)
		return
	}
	for _, s := range servers {
		if s.Personal {
			continue
		}
		sh := a.of(person{Principal: parley.Principal{Tenant: parley.DefaultTenant}}, s)
		sh.mu.Lock()
		sh.used = time.Now()
		if sh.listing == nil && sh.err == nil && sh.filling == nil {
			sh.fill()
		}
		sh.mu.Unlock()
	}
}

func (a *shelves) all() []*shelf {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]*shelf, 0, len(a.byOwner))
	for _, sh := range a.byOwner {
		list = append(list, sh)
	}
	return list
}

// look does for a shelf what is due.
func (sh *shelf) look() {
	now := time.Now()
	sh.mu.Lock()
	switch {
	case sh.filling != nil, sh.closed:
	case now.Sub(sh.used) > forgotten:
		sh.mu.Unlock()
		sh.all.drop(sh)
		return
	case sh.listing != nil && now.Sub(sh.made) > sh.all.gateway.opts.Fresh,
		sh.err != nil && !sh.wanting() && now.After(sh.retry):
		sh.fill()
	}
	sh.mu.Unlock()
}

func (a *shelves) drop(sh *shelf) {
	a.mu.Lock()
	if a.byOwner[sh.key] == sh {
		delete(a.byOwner, sh.key)
	}
	a.mu.Unlock()
	sh.close()
}

func (a *shelves) close() {
	for _, sh := range a.all() {
		sh.close()
	}
}
