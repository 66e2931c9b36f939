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
// empty and the server is tried again, after 1, 2 and then every 4 seconds. Down
// is a server that could not be connected to, or did not list what it offers, by
// the shelf's own attempts: what becomes of calls is only a reason to look.
type shelf struct {
	all    *shelves
	key    shelfKey
	server Server

	mu       sync.Mutex
	listing  *listing // nil: not known, or the server is down
	before   *listing // what it offered before it was down; nil while it is not
	made     time.Time
	err      error // why it is empty
	since    time.Time
	failures int
	retry    time.Time
	filling  chan struct{} // closed when the filling that is under way ends; nil: none
	began    time.Time     // when the last filling did
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

// forCall returns what a call goes by. Other than a list, a call to a server that
// is down is worth an attempt of its own: it waits for one that began no earlier
// than itself. Where only the list fails, it goes by the last one.
func (sh *shelf) forCall(ctx context.Context) (*listing, error) {
	came := time.Now()
	for {
		sh.mu.Lock()
		sh.touch()
		if known := sh.listing; known != nil {
			if sh.stale() && sh.filling == nil {
				sh.fill()
			}
			sh.mu.Unlock()
			return known, nil
		}
		if sh.filling == nil && sh.err != nil && !sh.began.Before(came) {
			defer sh.mu.Unlock()
			var unlisted *listingError
			if before := sh.lately(); before != nil && errors.As(sh.err, &unlisted) {
				return before, nil
			}
			return nil, sh.err
		}
		if sh.filling == nil {
			sh.fill()
		}
		filled := sh.filling
		sh.mu.Unlock()
		select {
		case <-filled:
		case <-ctx.Done():
			if before := sh.offered(); before != nil {
				return before, nil
			}
			return nil, context.Cause(ctx)
		}
	}
}

// offered is what the server offers, or offered lately.
func (sh *shelf) offered() *listing {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.listing != nil {
		return sh.listing
	}
	return sh.lately()
}

// lately is what the server offered before it was down, unless that is too long
// ago to go by. mu is held.
func (sh *shelf) lately() *listing {
	if time.Since(sh.since) > forgotten {
		return nil
	}
	return sh.before
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
	sh.filling, sh.changed, sh.began = done, false, time.Now()
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
	if l != nil && (sh.listing == nil || !l.faults.same(sh.listing.faults)) {
		sh.logFaults(l.faults)
	}
	if (l == nil) != (sh.listing == nil) || sh.since.IsZero() {
		sh.since = now
		sh.log(l, err)
	}
	switch {
	case l != nil, errors.Is(err, vault.ErrRequired), errors.Is(err, vault.ErrNoPerson):
		sh.before = nil // what was listed for a credential goes with it
	case sh.listing != nil:
		sh.before = sh.listing
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
	case errors.Is(err, vault.ErrRequired), errors.Is(err, vault.ErrNoPerson), sh.all.gateway.ctx.Err() != nil:
	default:
		log.Warn("a server is down; it is tried again", "err", err)
	}
}

// logFaults says what is left out of a server's lists. mu is held.
func (sh *shelf) logFaults(f faults) {
	if f.count > 0 {
		sh.all.gateway.opts.Logger.Warn("listed things left out", "server", sh.key.server, "tenant", sh.key.tenant, "count", f.count, "which", f.names())
	}
}

// backoff is how long to wait after so many failures before.
func backoff(failures int) time.Duration { return time.Second << min(failures, 2) }

// fetch lists what the server offers, by a connection that stays open to hear
// of changes.
func (sh *shelf) fetch(ctx context.Context) (*listing, error) {
	g := sh.all.gateway
	who := person{Principal: parley.Principal{Tenant: sh.key.tenant, User: sh.key.user}, Agent: gatewayAgent, Able: sh.key.able}
	if err := g.calls.Credential(ctx, who, sh.server); err != nil {
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
	conn, err := mcpclient.Connect(ctx, g.calls.Dial(who, sh.server, sh.heard))
	if err != nil {
		return nil, err
	}
	l, err := fetchListing(ctx, conn, sh.server)
	if err != nil {
		_ = conn.Close()
		return nil, &listingError{err}
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

// listingError is why a server that was connected to did not list what it offers.
type listingError struct{ err error }

func (e *listingError) Error() string { return e.err.Error() }
func (e *listingError) Unwrap() error { return e.err }

// doubt notes that a call did not reach the server, or broke: whether the server
// is there is looked at, at most once in a while. Until that is known nobody is
// kept from calling it.
func (sh *shelf) doubt() {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	switch now := time.Now(); {
	case sh.closed, sh.listing == nil:
	case sh.filling != nil:
		sh.changed = true
	case now.Sub(sh.began) >= again:
		sh.fill()
	default:
		if due := now.Add(min(0, again-sh.all.gateway.opts.Fresh)); due.Before(sh.made) {
			sh.made = due
		}
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

// again is how soon lists are read again that changed while they were read, or
// whose server is in doubt: a server may change them, and break calls, each time.
const again = time.Second
