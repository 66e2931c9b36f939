package mcpcall

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/vault"
)

// listTime is how long a server may take to list what it offers.
const listTime = 30 * time.Second

// forgotten is how long the list of a person who does not come back is kept.
const forgotten = 10 * time.Minute

// again is how soon lists are read again that changed while they were read, or
// whose server is in doubt: a server may change them, and break calls, each time.
const again = time.Second

// A list that is more than is taken costs as much as any each time that it is read.
const (
	largeAgain = time.Minute     // how soon it is read again at most since it has changed, or for a call
	largePause = 5 * time.Minute // the longest pause between two attempts
)

// refresh begins to read the list, unless that is under way. mu is held.
func (t *ToolList[L]) refresh() { t.refreshIn(0) }

// later is refresh as soon as a list may be read again: a server may say as often as it
// likes that it has changed. mu is held.
func (t *ToolList[L]) later() {
	if !t.tooLarge() { // see hasten
		t.refreshIn(again - time.Since(t.began))
	}
}

// refreshIn begins to read the list after a wait, unless it is read or waited for already.
// mu is held.
func (t *ToolList[L]) refreshIn(wait time.Duration) {
	if t.refreshing != nil {
		return
	}
	done := make(chan struct{})
	t.refreshing = done
	if wait <= 0 {
		t.begin()
	}
	c, calls := t.cache, t.cache.opts.Calls
	calls.work.Go(func() {
		if wait > 0 {
			patience.Sleep(calls.life.Context(), wait)
			t.mu.Lock()
			t.begin()
			t.mu.Unlock()
		}
		ctx, cancel := context.WithTimeout(calls.life.Context(), listTime)
		defer cancel()
		l, err := t.fetch(ctx)
		if err != nil && calls.life.Over() {
			err = ErrClosed
		}
		l = c.shared(l)
		t.mu.Lock()
		before := t.listing
		t.set(l, err)
		changed := !same(t.listing, before)
		t.refreshing = nil
		if t.changed && c.opts.Warm {
			t.later()
		}
		t.mu.Unlock()
		if changed {
			c.makeRoom(t)
		}
		close(done)
		if changed && c.opts.Changed != nil {
			c.opts.Changed()
		}
	})
}

// begin notes an attempt. mu is held.
func (t *ToolList[L]) begin() {
	t.changed, t.began = false, time.Now()
	t.attempts++
}

func same[L Listing](a, b L) bool {
	var none L
	return a == b || a != none && b != none && a.Of().Digest == b.Of().Digest
}

// set notes what came of a refresh. mu is held.
func (t *ToolList[L]) set(l L, err error) {
	var none L
	now := time.Now()
	t.logUnseen(err)
	if errors.Is(err, vault.ErrUnavailable) && t.listing != none {
		// Nothing is known against the server: what it listed stays, and is read again soon.
		t.made = now.Add(min(0, Backoff(t.failures)-t.cache.opts.TTL))
		t.failures++
		return
	}
	if l != none && (t.listing == none || !l.Of().Faults.same(t.listing.Of().Faults)) {
		t.logFaults(l.Of().Faults)
	}
	if (l == none) != (t.listing == none) || t.since.IsZero() {
		t.since = now
		t.log(l, err)
	}
	switch {
	case l != none, errors.Is(err, vault.ErrRequired), errors.Is(err, vault.ErrNoPerson):
		t.before = none // what was listed for a credential goes with it
	case t.listing != none:
		t.before = t.listing
	}
	if errors.Is(err, mcpclient.ErrTooLarge) != t.tooLarge() {
		t.failures = 0 // it fails in another way than before
	}
	t.listing, t.err, t.made = l, err, now
	if t.changed { // what was read may be from before: it is read again, soon
		t.made = now.Add(min(0, again-t.cache.opts.TTL))
	}
	if err == nil {
		t.failures = 0
		return
	}
	t.retry = now.Add(Backoff(t.failures))
	if t.tooLarge() {
		t.retry = now.Add(min(time.Second<<min(t.failures, 16), largePause))
	}
	if t.changed {
		t.hasten()
	}
	t.failures++
}

// tooLarge reports whether the server lists more than is taken. mu is held.
func (t *ToolList[L]) tooLarge() bool { return errors.Is(t.err, mcpclient.ErrTooLarge) }

// spares reports whether a list that is more than is taken is not read for anybody just
// now. mu is held.
func (t *ToolList[L]) spares() bool {
	return t.tooLarge() && time.Since(t.began) < largeAgain && time.Now().Before(t.retry)
}

// hasten has a list that was more than is taken read again sooner, since it has changed.
// mu is held.
func (t *ToolList[L]) hasten() {
	if soon := t.began.Add(largeAgain); t.tooLarge() && soon.Before(t.retry) {
		t.retry = soon
	}
}

// log says that a server came or went. mu is held.
func (t *ToolList[L]) log(l L, err error) {
	calls := t.cache.opts.Calls
	log := calls.opts.Logger.With("server", t.key.Server, "tenant", t.key.Tenant)
	switch {
	case l != *new(L):
		log.Info("server up", "tools", l.Of().Tools)
	case errors.Is(err, vault.ErrRequired), errors.Is(err, vault.ErrNoPerson), calls.life.Over():
	case errors.Is(err, vault.ErrUnavailable): // see logUnseen
	default:
		log.Warn("server down; it is tried again", "err", err)
	}
}

// logUnseen says that a server cannot be looked at because of a fault of ours, once, and
// when it can be again. mu is held.
func (t *ToolList[L]) logUnseen(err error) {
	unseen := errors.Is(err, vault.ErrUnavailable)
	if unseen == t.unseen {
		return
	}
	t.unseen = unseen
	log := t.cache.opts.Calls.opts.Logger.With("server", t.key.Server, "tenant", t.key.Tenant)
	if unseen {
		log.Warn("server not looked at: its credential cannot be looked up", "err", err)
	} else {
		log.Info("server looked at again")
	}
}

// logFaults says what is left out of a server's lists. mu is held.
func (t *ToolList[L]) logFaults(f Faults) {
	if f.Count > 0 {
		t.cache.opts.Calls.opts.Logger.Warn("listed things left out", "server", t.key.Server, "tenant", t.key.Tenant, "count", f.Count, "which", f.names())
	}
}

// Backoff is how long a server is left alone after so many failures before.
func Backoff(failures int) time.Duration { return time.Second << min(failures, 2) }

// listingError is why a server that was connected to did not list what it offers.
type listingError struct{ err error }

func (e *listingError) Error() string { return e.err.Error() }
func (e *listingError) Unwrap() error { return e.err }

// fetch asks the server what it offers: by the connection that there is, and if that
// is of no use any more by another.
func (t *ToolList[L]) fetch(ctx context.Context) (none L, err error) {
	c := t.cache
	t.entering.Store(true)
	err = c.opts.Calls.Credential(ctx, t.who, t.server)
	t.entering.Store(false)
	if err != nil {
		if !errors.Is(err, vault.ErrUnavailable) {
			t.hangUp()
		}
		return none, err
	}
	for first := true; ; first = false {
		conn, kept, err := t.acquire(ctx)
		if err != nil {
			return none, err
		}
		l, err := c.opts.Read(ctx, conn.wire, t.who, t.server)
		if err == nil && l.Of().Bytes > maxListing {
			err = fmt.Errorf("%w: it offers more than %d MiB", mcpclient.ErrTooLarge, maxListing>>20)
		}
		if err == nil {
			if !kept {
				t.keep(conn)
			}
			return l, nil
		}
		if errors.Is(err, mcpclient.ErrTooLarge) && conn.wire.Err() == nil { // it says when that has changed
			if !kept {
				t.keep(conn)
			}
			return none, &listingError{err}
		}
		var told *mcpclient.Error
		if kept {
			t.hangUp()
		} else if !errors.As(err, &told) {
			conn.Lose()
			conn.Release(false)
		} else {
			conn.Release(true)
		}
		if !first || !kept && !errors.Is(err, mcpclient.ErrSessionGone) {
			return none, &listingError{err}
		}
	}
}

// acquire returns the connection that is kept, or another.
func (t *ToolList[L]) acquire(ctx context.Context) (conn *Conn, kept bool, err error) {
	t.mu.Lock()
	conn = t.conn
	t.mu.Unlock()
	if conn != nil {
		return conn, true, nil
	}
	key := t.key
	key.Lists = t.cache.opts.Warm
	conn, err = t.cache.opts.Calls.Conns.acquire(ctx, key, t.who, t.server, false)
	return conn, false, err
}

// keep keeps a connection to hear of changes by, where that is wanted.
func (t *ToolList[L]) keep(conn *Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || !t.cache.opts.Warm {
		conn.Release(true)
		return
	}
	t.conn = conn
	t.cache.opts.Calls.work.Go(func() { t.watch(conn) })
}

// Heard takes what a server says without being asked, on a connection of lists, or of
// calls where those have none.
func (c *ToolCache[L]) Heard(conn *Conn, m mcpclient.Message) {
	if !strings.HasSuffix(m.Method, "/list_changed") {
		return
	}
	key := conn.Key()
	key.Lists, key.Session = false, ""
	c.mu.Lock()
	t := c.all[key]
	c.mu.Unlock()
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.changed = true
	t.hasten()
	if !c.opts.Warm || t.closed || t.refreshing != nil {
		return // who uses the list next, or the refresh that is under way, has it read again
	}
	if due := t.began.Add(min(0, again-c.opts.TTL)); due.Before(t.made) {
		t.made = due
	}
	t.later()
}

// watch notices when the server goes away.
func (t *ToolList[L]) watch(conn *Conn) {
	select {
	case <-conn.wire.Done():
	case <-t.cache.opts.Calls.life.Done():
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.conn != conn || t.closed {
		return
	}
	t.conn = nil
	conn.Release(true)
	t.later() // to see whether it is still there
}

// Doubt notes that a call did not reach the server, or broke: whether the server is
// there is looked at, at most once in a while. Until that is known nobody is kept
// from calling it.
func (t *ToolList[L]) Doubt() {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch now := time.Now(); {
	case t.closed, t.listing == *new(L):
	case t.refreshing != nil, !t.cache.opts.Warm:
		t.changed = true
	case now.Sub(t.began) >= again:
		t.refresh()
	default:
		if due := now.Add(min(0, again-t.cache.opts.TTL)); due.Before(t.made) {
			t.made = due
		}
	}
}

// hangUp ends the connection that is kept.
func (t *ToolList[L]) hangUp() {
	t.mu.Lock()
	conn := t.conn
	t.conn = nil
	t.mu.Unlock()
	if conn != nil {
		conn.Lose()
		conn.Release(true)
	}
}

func (t *ToolList[L]) close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.hangUp()
}
