package mcpcall

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/vault"
)

// Listed is what a ToolCache knows of a listing. A listing embeds it.
type Listed struct {
	Bytes  int               // how much memory it takes
	Digest [sha256.Size]byte // tells it from others
	Faults Faults            // what is listed and cannot be passed on
	Tools  int
}

// Of is the Listed of a listing.
func (l *Listed) Of() *Listed { return l }

// Listing is what a server offers, as a surface keeps it: a pointer.
type Listing interface {
	comparable
	Of() *Listed
}

// CacheOptions configures a ToolCache.
type CacheOptions[L Listing] struct {
	Calls *Calls // needed
	// Read asks a server what it offers. Needed.
	Read func(ctx context.Context, conn *mcpclient.Conn, who Person, s Server) (L, error)
	// As is as whom lists are read for somebody. Default: as themselves. Whoever
	// has the same key shares a list.
	As  func(who Person, s Server) Person
	TTL time.Duration // how long a list is believed; default 30 s
	// MaxBytes is how much is kept of all lists. Default 128 MiB.
	MaxBytes int
	// Warm says that somebody runs Keep: a list that is no longer believed is used
	// while it is read again, and a connection of its own stays open to hear of
	// changes. Default: such a list is waited for, and is read by the connections
	// that calls have.
	Warm    bool
	Changed func() // a list shows something else now
}

// ToolCache has what servers offer, as far as it is known. It is safe for
// concurrent use. Close it.
type ToolCache[L Listing] struct {
	opts CacheOptions[L]

	mu  sync.Mutex
	all map[ConnKey]*ToolList[L]
}

// NewToolCache returns a cache with nothing in it.
func NewToolCache[L Listing](opts CacheOptions[L]) *ToolCache[L] {
	opts.TTL = cmp.Or(opts.TTL, 30*time.Second)
	opts.MaxBytes = cmp.Or(opts.MaxBytes, 128<<20)
	if opts.As == nil {
		opts.As = func(who Person, _ Server) Person { return who }
	}
	return &ToolCache[L]{opts: opts, all: map[ConnKey]*ToolList[L]{}}
}

// ToolList is what one server offers to somebody. While the server is down there is
// nothing in it, and the server is tried again, after 1, 2 and then every 4 seconds; one
// that lists more than is taken after pauses that double up to five minutes.
// Down is a server that could not be connected to, or did not list what it offers, by
// the list's own attempts: what becomes of calls is only a reason to look. Where its
// credential cannot be looked up because the store or a secret fails, nothing is known
// against it: what it listed stays.
type ToolList[L Listing] struct {
	cache  *ToolCache[L]
	key    ConnKey
	who    Person
	server Server

	mu         sync.Mutex
	listing    L // zero: not known, or the server is down
	before     L // what it offered before it was down; zero while it is not
	made       time.Time
	err        error // why there is none
	since      time.Time
	failures   int
	retry      time.Time
	refreshing chan struct{} // closed when the refresh that is under way, or comes soon, ends; nil: none
	began      time.Time     // when the last refresh did
	attempts   int           // how many did
	changed    bool          // the server's lists have changed since that began
	used       time.Time
	conn       *Conn // tells of changes
	unseen     bool  // the server cannot be looked at because of a fault of ours

	entering atomic.Bool // the credential is being looked up
	closed   bool
}

// keyOf is whose list somebody looks at.
func (c *ToolCache[L]) keyOf(who Person, s Server) (ConnKey, Person) {
	who = c.opts.As(who, s)
	return c.opts.Calls.Conns.opts.Key(who, s), who
}

// Of returns the list of a server for somebody.
func (c *ToolCache[L]) Of(who Person, s Server) *ToolList[L] {
	key, who := c.keyOf(who, s)
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.all[key]
	if t != nil && !t.server.Same(s) {
		go t.close() // it was configured anew
		t = nil
	}
	if t == nil {
		t = &ToolList[L]{cache: c, key: key, who: who, server: s, used: time.Now()}
		c.all[key] = t
	}
	return t
}

// known are the lists of a server for somebody, for clients of whatever abilities.
// None is made.
func (c *ToolCache[L]) known(who Person, s Server) (found []*ToolList[L]) {
	key, _ := c.keyOf(who, s)
	c.mu.Lock()
	defer c.mu.Unlock()
	for other, t := range c.all {
		if other.Able = key.Able; other == key && t.server.Same(s) {
			found = append(found, t)
		}
	}
	return found
}

// Known is what a server offers to somebody, whatever their client can do; zero: it
// is not known.
func (c *ToolCache[L]) Known(who Person, s Server) (known L) {
	for _, t := range c.known(who, s) {
		if known := t.Cached(); known != *new(L) {
			return known
		}
	}
	return known
}

// ListStatus is how a list stands.
type ListStatus struct {
	Listed *Listed // nil: nothing is listed
	Err    error   // why that is so; nil: nobody has asked the server yet
	Since  time.Time
}

// Status is how the list of a server stands for somebody: of those for clients of
// several abilities the one that knows the latest.
func (c *ToolCache[L]) Status(who Person, s Server) (latest ListStatus) {
	for i, t := range c.known(who, s) {
		t.mu.Lock()
		if i == 0 || t.since.After(latest.Since) {
			latest = ListStatus{Err: t.err, Since: t.since}
			if t.listing != *new(L) {
				latest.Listed = t.listing.Of()
			}
		}
		t.mu.Unlock()
	}
	return latest
}

// Cached is what is listed already, whether or not it is still believed.
func (t *ToolList[L]) Cached() L {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.used = time.Now()
	return t.listing
}

// Ready returns what needs not be waited for: a listing that is there and fresh, or
// why a server is down. That one is tried again meanwhile.
func (t *ToolList[L]) Ready() (l L, ready bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.used = time.Now()
	if t.listing != l {
		return t.listing, !t.stale(), nil
	}
	if t.err == nil || t.wanting() {
		return l, false, nil
	}
	if !time.Now().Before(t.retry) {
		t.refresh()
	}
	return l, true, t.err
}

// Current returns what is listed, or why a server is down. A list that nobody has
// read yet is waited for, as long as ctx lasts.
func (t *ToolList[L]) Current(ctx context.Context) (none L, err error) {
	for {
		t.mu.Lock()
		l, err := t.usable(), t.err
		if l == none && (err == nil || t.wanting() || !time.Now().Before(t.retry)) {
			t.refresh()
			err = nil
		}
		refreshed := t.refreshing
		t.mu.Unlock()
		if l != none || err != nil {
			return l, err
		}
		select {
		case <-ctx.Done():
			return none, t.late(ctx)
		case <-refreshed:
		}
		t.mu.Lock()
		l, err = t.listing, t.err
		t.mu.Unlock()
		if l != none || err != nil {
			return l, err
		}
	}
}

// Fresh returns what is listed, and takes nobody's word for it that the server is
// down: it waits for an attempt that began no earlier than itself, unless the server
// listed more than is taken just now.
func (t *ToolList[L]) Fresh(ctx context.Context) (none L, err error) {
	for came := -1; ; {
		t.mu.Lock()
		if came < 0 {
			came = t.attempts
		}
		if t.refreshing == nil && t.attempts > came {
			defer t.mu.Unlock()
			return t.listing, t.err
		}
		if t.refreshing == nil && t.spares() {
			defer t.mu.Unlock()
			return none, t.err
		}
		if l := t.usable(); l != none {
			t.mu.Unlock()
			return l, nil
		}
		t.refresh()
		refreshed := t.refreshing
		t.mu.Unlock()
		select {
		case <-refreshed:
		case <-ctx.Done():
			return none, t.late(ctx)
		}
	}
}

// late is why a list did not come in time: where its credential is still being looked up,
// the server was not asked.
func (t *ToolList[L]) late(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && t.entering.Load() {
		return fmt.Errorf("%w: %w", vault.ErrUnavailable, context.Cause(ctx))
	}
	return context.Cause(ctx)
}

// ForCall returns what a call goes by: as Fresh, and where only the list fails, or
// comes too late, the last one.
func (t *ToolList[L]) ForCall(ctx context.Context) (L, error) {
	l, err := t.Fresh(ctx)
	var unlisted *listingError
	if err != nil && (ctx.Err() != nil || errors.As(err, &unlisted)) {
		if before := t.Offered(); before != *new(L) {
			return before, nil
		}
	}
	return l, err
}

// usable is the listing, unless it has to be waited for. One that is no longer
// believed is read again. mu is held.
func (t *ToolList[L]) usable() (none L) {
	t.used = time.Now()
	warm := t.cache.opts.Warm
	switch {
	case t.listing == none:
	case t.stale():
		t.refresh()
	case t.changed && !warm:
		t.later()
	}
	if t.refreshing != nil && !warm {
		return none
	}
	return t.listing
}

// Offered is what the server offers, or offered lately.
func (t *ToolList[L]) Offered() L {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.listing != *new(L) {
		return t.listing
	}
	return t.lately()
}

// lately is what the server offered before it was down, unless that is too long ago
// to go by. mu is held.
func (t *ToolList[L]) lately() (none L) {
	if time.Since(t.since) > forgotten {
		return none
	}
	return t.before
}

// stale reports whether the listing is to be made anew. mu is held.
func (t *ToolList[L]) stale() bool { return time.Since(t.made) > t.cache.opts.TTL }

// wanting reports whether the list lacks nothing but a credential: that may have come
// any moment. mu is held.
func (t *ToolList[L]) wanting() bool { return errors.Is(t.err, vault.ErrRequired) }
