package mcpcall

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

// ConnKey is whose a connection or a list is. People never share a connection to a
// server that has sessions: what a server keeps for its session is theirs.
type ConnKey struct {
	Tenant, Server, User, Agent, Session, Endpoint string
	Able                                           Abilities // that the server was told of
	Lists                                          bool      // it is for lists alone
}

// ConnOptions configures the connections of Calls. Nil and zero fields mean the
// defaults.
type ConnOptions struct {
	IdleTimeout time.Duration // a connection that nobody uses is closed after this; default 5 min
	// PerPerson and InAll are how many there may be at a time. Where all are in use
	// a call is refused. Default: any number.
	PerPerson, InAll int
	// Exclusive gives each call at an older server a connection of its own: its
	// questions do not say which call they belong to. Default: a connection has all
	// calls of its key, until the server has asked so.
	Exclusive bool
	Programs  *mcpclient.Programs // bounds programs, besides; default: no bound
	// Key is whose connections a call uses. Default: a person's, in a session.
	Key func(who Person, s Server) ConnKey
	// Prepare sets what a connection hears before it is made.
	Prepare func(ctx context.Context, c *Conn, who Person, opts *mcpclient.Options) error
	// Acquired is called before a connection is used on somebody's behalf.
	Acquired func(ctx context.Context, c *Conn, who Person)
	// Opened runs beside a connection until that is gone or ctx ends. Default: nothing does.
	Opened func(ctx context.Context, c *Conn)
}

// Conns are the connections to servers.
type Conns struct {
	opts  ConnOptions
	calls *Calls

	mu     sync.Mutex
	open   map[ConnKey][]*Conn
	live   map[*Conn]bool  // the open ones, and those that are used or closed still
	aside  map[string]bool // the places of servers that ask so that the call is not known
	people map[string]int  // their connections
	taken  int             // all connections
	closed bool
}

// Conn is a connection to a server, and how many use it now.
type Conn struct {
	Server Server
	// Attached is what the surface keeps with the connection. ConnOptions.Prepare sets it.
	Attached any

	all   *Conns
	owner string        // whose place it takes
	ready chan struct{} // closed when wire or err is set
	over  chan struct{} // closed when its place is free
	wire  *mcpclient.Conn
	err   error

	// guarded by Conns.mu
	key    ConnKey
	uses   int
	calls  int       // of them, those about which the server may ask
	left   time.Time // when it was used last
	idle   *time.Timer
	placed bool // it has a place
	alone  bool // for one call of an anonymous caller
	gone   bool // nobody may acquire it any more
	shut   bool // its connection is closed
}

// ErrClosed says that no connection is made any more.
var ErrClosed = errors.New("the connections to servers are closed")

// connectTime is how long a server may take until it can be called.
const connectTime = 30 * time.Second

func newConns(calls *Calls, opts ConnOptions) *Conns {
	opts.IdleTimeout = cmp.Or(opts.IdleTimeout, 5*time.Minute)
	if opts.Key == nil {
		opts.Key = func(who Person, s Server) ConnKey {
			return ConnKey{Tenant: who.Tenant, Server: s.Name, User: who.User, Agent: who.Agent, Session: who.Session, Endpoint: who.Endpoint, Able: who.Able}
		}
	}
	return &Conns{opts: opts, calls: calls, open: map[ConnKey][]*Conn{}, live: map[*Conn]bool{}, aside: map[string]bool{}, people: map[string]int{}}
}

// Acquire returns a connection to a server for what is no call. The caller releases it.
func (a *Conns) Acquire(ctx context.Context, who Person, s Server) (*Conn, error) {
	return a.take(ctx, who, s, false)
}

// acquireCall is Acquire for a call, about which the server may ask. Conn.releaseCall
// gives the connection back.
func (a *Conns) acquireCall(ctx context.Context, who Person, s Server) (*Conn, error) {
	return a.take(ctx, who, s, true)
}

func (a *Conns) take(ctx context.Context, who Person, s Server, call bool) (*Conn, error) {
	c, err := a.acquire(ctx, a.opts.Key(who, s), who, s, call)
	if err == nil && a.opts.Acquired != nil {
		a.opts.Acquired(ctx, c, who)
	}
	return c, err
}

func (a *Conns) acquire(ctx context.Context, key ConnKey, who Person, s Server, call bool) (*Conn, error) {
	for {
		a.mu.Lock()
		if a.closed {
			a.mu.Unlock()
			return nil, ErrClosed
		}
		c, pending := a.usable(key, s)
		if c == nil && pending == nil {
			c = a.begin(key, who, s)
		}
		if c != nil {
			c.uses++
			if call {
				c.calls++
			}
			if c.idle != nil {
				c.idle.Stop()
			}
		}
		a.mu.Unlock()
		if c != nil {
			return c.await(ctx, call)
		}
		select { // the call may share what comes of it
		case <-pending.ready:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if pending.err != nil {
			return nil, pending.err
		}
	}
}

// usable is a connection that there is already, or one that is being made and
// may turn out to be usable. mu is held.
func (a *Conns) usable(key ConnKey, s Server) (c, pending *Conn) {
	for _, c := range a.open[key] {
		switch {
		case !c.Server.Same(s), c.wire != nil && c.wire.Err() != nil:
			c.drop()
		case !a.exclusive(s):
			return c, nil
		case c.wire == nil:
			pending = c
		case c.uses == 0, c.calls == 0 && !a.opts.Exclusive, c.wire.Modern():
			return c, nil
		}
	}
	return nil, pending
}

// exclusive reports whether each call at a server has a connection of its own. mu is held.
func (a *Conns) exclusive(s Server) bool {
	return a.opts.Exclusive || len(a.aside) > 0 && a.aside[s.Place()]
}

// asksAside notes that a server asks so that it is not known which call it is about.
func (a *Conns) asksAside(s Server) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.aside[s.Place()] = true
}

// begin begins a connection. mu is held.
func (a *Conns) begin(key ConnKey, who Person, s Server) *Conn {
	// What a server keeps for a session, and whom it asks on it, is nobody else's:
	// anonymous callers have one for each call.
	alone := key.User == "" && key.Session == "" && !key.Lists
	if alone {
		key.Session = rand.Text()
	}
	c := &Conn{Server: s, all: a, key: key, owner: placeOf(who), alone: alone, ready: make(chan struct{}), over: make(chan struct{})}
	a.open[key] = append(a.open[key], c)
	a.live[c] = true
	a.calls.work.Go(func() { c.connect(who) })
	return c
}

func (c *Conn) await(ctx context.Context, call bool) (*Conn, error) {
	select {
	case <-c.ready:
	case <-ctx.Done():
		c.release(true, call)
		return nil, context.Cause(ctx)
	}
	if c.err != nil {
		c.release(true, call)
		return nil, c.err
	}
	return c, nil
}

// connect makes the connection. It outlives the call that wanted it.
func (c *Conn) connect(who Person) {
	a := c.all
	ctx, cancel := context.WithTimeout(a.calls.life.Context(), connectTime)
	defer cancel()
	wire, err := c.dial(ctx, who)
	if err != nil && a.calls.life.Over() {
		err = ErrClosed
	}
	a.mu.Lock()
	c.wire, c.err = wire, err
	switch {
	case err != nil:
		c.drop()
		a.leave(c)
	case c.gone && (c.uses == 0 || a.closed):
		c.close() // whoever wanted it did not wait
	case c.alone && wire.Modern() && len(c.Server.Command) == 0:
		key := c.key
		key.Session = ""
		c.rename(key) // it has no sessions: the next anonymous call may have it
	}
	a.mu.Unlock()
	close(c.ready)
	if err != nil {
		return
	}
	a.calls.work.Go(func() {
		if a.opts.Opened != nil {
			a.opts.Opened(a.calls.life.Context(), c)
		}
		select {
		case <-wire.Done():
			c.Lose()
		case <-a.calls.life.Done():
		}
	})
}

func (c *Conn) dial(ctx context.Context, who Person) (*mcpclient.Conn, error) {
	a := c.all
	if err := a.takePlace(ctx, c); err != nil {
		return nil, err
	}
	opts := a.calls.Dial(who, c.Server, nil)
	if !c.key.Lists {
		opts.Programs, opts.Use = a.opts.Programs, mcpclient.Use{Owner: c.owner, Idle: c.idleSince, End: c.rest}
	}
	if a.opts.Prepare != nil {
		if err := a.opts.Prepare(ctx, c, who, opts); err != nil {
			return nil, err
		}
	}
	opts.Aside = func() { a.asksAside(c.Server) }
	return mcpclient.Connect(ctx, opts)
}

// Wire is the connection itself.
func (c *Conn) Wire() *mcpclient.Conn { return c.wire }

// Release gives the connection back. answered says that the request is over by a
// response: on a connection of one call an older server may yet ask about another.
func (c *Conn) Release(answered bool) { c.release(answered, false) }

// releaseCall is Release for a call.
func (c *Conn) releaseCall(answered bool) { c.release(answered, true) }

func (c *Conn) release(answered, call bool) {
	a := c.all
	a.mu.Lock()
	defer a.mu.Unlock()
	c.uses--
	if call {
		c.calls--
	}
	if c.wire != nil && (c.wire.Err() != nil || a.opts.Exclusive && !answered && !c.wire.Modern()) {
		c.drop()
	}
	if c.uses > 0 {
		return
	}
	c.left = time.Now()
	switch {
	case c.alone, c.gone:
		c.drop()
	case c.idle == nil:
		c.idle = time.AfterFunc(a.opts.IdleTimeout, func() { c.rest() })
	default:
		c.idle.Reset(a.opts.IdleTimeout)
	}
}

// rest closes a connection that nobody uses, and reports whether that is so.
func (c *Conn) rest() bool {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if c.uses > 0 || c.shut {
		return false
	}
	c.drop()
	return true
}

// idleSince says since when nobody uses the connection. One that is closing already
// is no longer idle.
func (c *Conn) idleSince() (time.Time, bool) {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	return c.left, c.uses == 0 && !c.shut
}

// Lose lets nobody acquire the connection any more: it is broken, or the server does
// not know it. Who uses it now will notice.
func (c *Conn) Lose() {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	c.drop()
}

// drop takes the connection off the open ones, and closes it as soon as nobody uses
// it. mu is held.
func (c *Conn) drop() {
	c.gone = true
	c.all.remove(c)
	if c.idle != nil {
		c.idle.Stop()
	}
	if c.uses == 0 {
		c.close()
	}
}

func (a *Conns) remove(c *Conn) {
	rest := slices.DeleteFunc(slices.Clone(a.open[c.key]), func(other *Conn) bool { return other == c })
	if a.open[c.key] = rest; len(rest) == 0 {
		delete(a.open, c.key)
	}
}

// close closes the connection beside the caller, if there is one yet. mu is held.
func (c *Conn) close() {
	a := c.all
	if c.wire == nil || c.shut {
		return
	}
	c.shut = true
	a.calls.work.Go(func() {
		if err := c.wire.Close(); err != nil {
			a.calls.opts.Logger.Debug("connection not closed in order", "server", c.Server.Name, "err", err)
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.leave(c)
	})
}

// close ends all connections.
func (a *Conns) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	for c := range a.live {
		c.drop()
		c.close()
	}
}

// Key is whose the connection is now.
func (c *Conn) Key() ConnKey {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	return c.key
}

// Of is the connection that somebody has to a server; nil: none.
func (a *Conns) Of(who Person, s Server) *Conn {
	key := a.opts.Key(who, s)
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, c := range a.open[key] {
		if c.wire != nil && c.Server.Same(s) {
			return c
		}
	}
	return nil
}

// OfSession are the connections of a session.
func (a *Conns) OfSession(session string) (found []*Conn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for key, all := range a.open {
		for _, c := range all {
			if key.Session == session && c.wire != nil {
				found = append(found, c)
			}
		}
	}
	return found
}

// EndSession closes the connections of a client's session that has ended, each as
// soon as nobody uses it.
func (a *Conns) EndSession(session string) {
	a.endWhere(func(c *Conn) bool { return c.key.Session == session })
}

// end closes somebody's connection to a server as soon as nobody uses it.
func (a *Conns) end(who Person, s Server) {
	key := a.opts.Key(who, s)
	a.endWhere(func(c *Conn) bool { return c.key == key && !c.alone })
}

func (a *Conns) endWhere(is func(*Conn) bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for c := range a.live {
		if is(c) {
			c.drop()
		}
	}
}
