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
	conn     *mcpclient.Conn // tells of changes
	closed   bool
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
		l = sh.all.shared(l)
		sh.mu.Lock()
		changed := !l.same(sh.listing)
		sh.set(l, err)
		sh.filling = nil
		sh.mu.Unlock()
		close(done)
		if changed {
			sh.all.makeRoom(sh)
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
	who := person{Principal: parley.Principal{Tenant: sh.key.tenant, User: sh.key.user}, able: sh.key.able}
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
	conn, err := mcpclient.Connect(ctx, g.upstreamOptions(who, sh.server, sh.heard))
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
func (sh *shelf) heard(m mcpclient.Message) {
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
func (sh *shelf) watch(conn *mcpclient.Conn) {
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

// again is how soon lists are read again that changed while they were read: a
// server may say so each time.
const again = time.Second
