package gateway

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway/upstream"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/vault"
)

// shelfKey is whose shelf it is: a person's own where the server is personal.
type shelfKey struct{ tenant, server, user string }

// shelves are what the servers offer, as far as it is known.
type shelves struct {
	gateway *Gateway

	mu      sync.Mutex
	byOwner map[shelfKey]*shelf
}

// shelf is what one server offers to somebody. While the server is down it is
// empty and the server is tried again, after 1, 2 and then every 4 seconds.
type shelf struct {
	all    *shelves
	key    shelfKey
	server Server

	mu       sync.Mutex
	listing  *listing // nil: not known, or the server is down
	made     time.Time
	err      error // why it is empty
	since    time.Time
	failures int
	retry    time.Time
	filling  chan struct{} // closed when the filling that is under way ends; nil: none
	changed  bool          // the server's lists have changed since that began
	used     time.Time
	conn     *upstream.Conn // tells of changes
	closed   bool
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
}

// Status says how a server stands for a person; user is empty for servers that
// are not personal.
func (g *Gateway) Status(ctx context.Context, tenant, server, user string) Status {
	s, ok, err := g.find(ctx, tenant, server)
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
	case errors.Is(sh.err, vault.ErrRequired), errors.Is(sh.err, vault.ErrNoPerson):
		st.State = NeedsConnection
	case sh.err != nil:
		st.State, st.Error = Down, publicReason(sh.err)
	}
	return st
}

// keyOf says whose shelf somebody looks at. Sessions and calls of nobody in
// particular share one: nobody can connect an account for them.
func keyOf(who person, s Server) shelfKey {
	key := shelfKey{tenant: who.Tenant, server: s.Name}
	if s.Personal && mcptool.Known(who.Principal) {
		key.user = who.User
	}
	return key
}

// known returns the shelf of a server for somebody, or nil if nobody has looked at
// it: who only wants to know how it stands makes none.
func (a *shelves) known(who person, s Server) *shelf {
	a.mu.Lock()
	defer a.mu.Unlock()
	if sh := a.byOwner[keyOf(who, s)]; sh != nil && sameServer(sh.server, s) {
		return sh
	}
	return nil
}

// of returns the shelf of a server for somebody.
func (a *shelves) of(who person, s Server) *shelf {
	key := keyOf(who, s)
	a.mu.Lock()
	defer a.mu.Unlock()
	sh := a.byOwner[key]
	if sh != nil && !sameServer(sh.server, s) {
		go sh.close() // it was configured anew
		sh = nil
	}
	if sh == nil {
		sh = &shelf{all: a, key: key, server: s, used: time.Now()}
		a.byOwner[key] = sh
	}
	return sh
}

// current returns what is on the shelf. A shelf that nobody has filled yet is
// waited for, as long as ctx lasts.
func (sh *shelf) current(ctx context.Context) (*listing, error) {
	for {
		sh.mu.Lock()
		sh.touch()
		known, err := sh.listing, sh.err
		switch {
		case known != nil:
			if sh.stale() && sh.filling == nil {
				sh.fill()
			}
			sh.mu.Unlock()
			return known, nil
		case err != nil && time.Now().Before(sh.retry) && !sh.wanting():
			sh.mu.Unlock()
			return nil, err
		}
		if sh.filling == nil {
			sh.fill()
		}
		filled := sh.filling
		sh.mu.Unlock()
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-filled:
		}
		sh.mu.Lock()
		known, err = sh.listing, sh.err
		sh.mu.Unlock()
		if known != nil || err != nil {
			return known, err
		}
	}
}

// touch notes that somebody uses the shelf. mu is held.
func (sh *shelf) touch() { sh.used = time.Now() }

// stale reports whether the listing is to be made anew. mu is held.
func (sh *shelf) stale() bool { return time.Since(sh.made) > sh.all.gateway.opts.Fresh }

// wanting reports whether the shelf lacks nothing but a credential: that may
// have come any moment. mu is held.
func (sh *shelf) wanting() bool { return errors.Is(sh.err, vault.ErrRequired) }

// fill begins to fill the shelf. mu is held, and nobody fills it.
func (sh *shelf) fill() {
	done := make(chan struct{})
	sh.filling, sh.changed = done, false
	g := sh.all.gateway
	g.work.Go(func() {
		ctx, cancel := context.WithTimeout(g.ctx, 30*time.Second)
		defer cancel()
		l, err := sh.fetch(ctx)
		sh.mu.Lock()
		changed := !l.same(sh.listing)
		sh.set(l, err)
		sh.filling = nil
		sh.mu.Unlock()
		close(done)
		if changed {
			g.announce()
		}
	})
}

// set notes what came of a filling. mu is held.
func (sh *shelf) set(l *listing, err error) {
	now := time.Now()
	if (l == nil) != (sh.listing == nil) || sh.since.IsZero() {
		sh.since = now
		sh.log(l, err)
	}
	sh.listing, sh.err, sh.made = l, err, now
	if sh.changed { // what was read may be from before: it is read again, soon
		sh.made = now.Add(min(0, again-sh.all.gateway.opts.Fresh))
	}
	if err == nil {
		sh.failures = 0
		return
	}
	sh.retry = now.Add(backoff(sh.failures))
	sh.failures++
}

// log says that a server came or went. mu is held.
func (sh *shelf) log(l *listing, err error) {
	log := sh.all.gateway.opts.Logger.With("server", sh.key.server, "tenant", sh.key.tenant)
	switch {
	case l != nil:
		log.Info("a server is up", "tools", len(l.tools))
		if l.unread > 0 {
			log.Warn("a server lists things that cannot be read; they are left out", "things", l.unread)
		}
	case errors.Is(err, vault.ErrRequired), errors.Is(err, vault.ErrNoPerson), sh.all.gateway.ctx.Err() != nil:
	default:
		log.Warn("a server is down; it is tried again", "err", err)
	}
}

// backoff is how long to wait after so many failures before.
func backoff(failures int) time.Duration { return time.Second << min(failures, 2) }

// fetch lists what the server offers, by a connection that stays open to hear
// of changes.
func (sh *shelf) fetch(ctx context.Context) (*listing, error) {
	g := sh.all.gateway
	who := person{Principal: parley.Principal{Tenant: sh.key.tenant, User: sh.key.user}}
	if err := g.credential(ctx, who, sh.server); err != nil {
		sh.hangUp()
		return nil, err
	}
	sh.mu.Lock()
	conn := sh.conn
	sh.mu.Unlock()
	if conn != nil {
		if l, err := fetchListing(ctx, conn, sh.server); err == nil {
			return l, nil
		}
		sh.hangUp() // it may be the connection
	}
	conn, err := upstream.Connect(ctx, g.upstreamOptions(who, sh.server, sh.heard))
	if err != nil {
		return nil, err
	}
	l, err := fetchListing(ctx, conn, sh.server)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.closed {
		go conn.Close()
		return l, nil
	}
	sh.conn = conn
	g.work.Go(func() { sh.watch(conn) })
	return l, nil
}

// heard is what the server says without being asked.
func (sh *shelf) heard(m upstream.Message) {
	switch m.Method {
	case "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed":
		sh.mu.Lock()
		defer sh.mu.Unlock()
		sh.made, sh.changed = time.Time{}, true
		if sh.filling == nil && !sh.closed {
			sh.fill()
		}
	}
}

// watch notices when the server goes away.
func (sh *shelf) watch(conn *upstream.Conn) {
	select {
	case <-conn.Done():
	case <-sh.all.gateway.ctx.Done():
		return
	}
	sh.mu.Lock()
	if sh.conn != conn || sh.closed {
		sh.mu.Unlock()
		return
	}
	sh.conn = nil
	if sh.filling == nil {
		sh.fill() // to see whether it is still there
	}
	sh.mu.Unlock()
	_ = conn.Close()
}

// missed notes that a call did not reach the server: its tools vanish until it
// is found again.
func (sh *shelf) missed(err error) {
	sh.mu.Lock()
	was := sh.listing != nil
	if was && sh.filling == nil {
		sh.failures = 0
		sh.set(nil, err)
	}
	sh.mu.Unlock()
	if was {
		sh.all.gateway.announce()
	}
}

func (sh *shelf) hangUp() {
	sh.mu.Lock()
	conn := sh.conn
	sh.conn = nil
	sh.mu.Unlock()
	if conn != nil {
		_ = conn.Close()
	}
}

func (sh *shelf) close() {
	sh.mu.Lock()
	sh.closed = true
	sh.mu.Unlock()
	sh.hangUp()
}

// forgotten is how long the shelf of a person who does not come back is kept
// fresh.
const forgotten = 10 * time.Minute

// again is how soon lists are read again that changed while they were read: a
// server may say so each time.
const again = time.Second

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
