package gateway

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

// lineKey is whose line it is. People never share one with a server that has
// sessions: what a server keeps for its session is theirs.
type lineKey struct {
	tenant, server, user, session string
	able                          abilities // that the server was told of
}

func keyOfLine(who person, s Server) lineKey {
	return lineKey{who.Tenant, s.Name, who.User, who.Session, who.Able}
}

// lines are the connections to servers.
type lines struct {
	gateway *Gateway

	mu     sync.Mutex
	open   map[lineKey]*line
	closed bool
}

// line is a connection, and how many use it now.
type line struct {
	all    *lines
	key    lineKey
	server Server
	told   chan mcpclient.Message // what belongs to no call and waits to be passed on
	ready  chan struct{}          // closed when conn or err is set
	conn   *mcpclient.Conn
	err    error

	subscribing sync.Mutex // held while a subscription of an older server's comes or goes

	// guarded by lines.mu
	uses       int
	left       time.Time                  // when it was used last
	subscribed map[string][]*subscription // by the server's own URIs
	own        *listing                   // what the server offers to this session; nil: what it offers to all
	level      string                     // from which on an older server logs; empty: as it likes
	idle       *time.Timer
	alone      bool // for one call of nobody in particular
	gone       bool // nobody may take it any more
	shut       bool // its connection is closed
}

var errClosed = errors.New("the gateway is closed")

// acquire returns a line to a server for one call; the caller gives it back.
func (a *lines) acquire(ctx context.Context, who person, s Server) (*line, error) {
	key := keyOfLine(who, s)
	a.mu.Lock()
	if a.closed {
		a.mu.Unlock()
		return nil, errClosed
	}
	l := a.open[key]
	if l != nil && !l.server.Same(s) {
		l.drop()
		l = nil
	}
	// What a server keeps for a session, and whom it asks on it, is nobody
	// else's: callers who are nobody in particular have one for each call.
	alone := who.User == "" && who.Session == "" && l == nil
	if alone {
		key.session = rand.Text()
	}
	if l == nil {
		l = &line{all: a, key: key, server: s, alone: alone, ready: make(chan struct{}), told: make(chan mcpclient.Message, maxTold)}
		a.open[key] = l
		a.gateway.work.Go(func() { l.connect(who) })
	}
	l.uses++
	if l.idle != nil {
		l.idle.Stop()
	}
	a.mu.Unlock()
	select {
	case <-l.ready:
	case <-ctx.Done():
		l.Release(true)
		return nil, context.Cause(ctx)
	}
	if l.err != nil {
		l.Release(true)
		return nil, l.err
	}
	l.attune(ctx, who.Level)
	return l, nil
}

// connect makes the connection. It outlives the call that wanted it.
func (l *line) connect(who person) {
	g := l.all.gateway
	ctx, cancel := context.WithTimeout(g.ctx, 30*time.Second)
	defer cancel()
	opts := g.calls.Dial(who, l.server, l.heard)
	opts.SessionOnly, opts.Request, opts.Tasks = true, l.asked, true
	opts.Programs, opts.Use = g.opts.Programs, mcpclient.Use{Owner: ownerOf(who), Idle: l.idleSince, End: l.rest}
	conn, err := mcpclient.Connect(ctx, opts)
	l.all.mu.Lock()
	l.conn, l.err = conn, err
	switch {
	case err != nil:
		l.drop()
	case l.gone && l.uses == 0:
		l.closeConn() // whoever wanted it did not wait
	case l.alone && conn.Modern() && len(l.server.Command) == 0:
		l.share() // it has no sessions
	}
	l.all.mu.Unlock()
	close(l.ready)
	if err == nil {
		g.work.Go(func() {
			l.passOn(conn)
			l.Lose()
		})
	}
}

// share lets the next call of nobody in particular have the line. lines.mu is
// held.
func (l *line) share() {
	key := l.key
	key.session = ""
	if l.gone || l.all.open[key] != nil {
		return
	}
	delete(l.all.open, l.key)
	l.key, l.alone = key, false
	l.all.open[key] = l
}

// Wire implements mcpcall.Conn.
func (l *line) Wire() *mcpclient.Conn { return l.conn }

// Release implements mcpcall.Conn.
func (l *line) Release(bool) {
	a := l.all
	a.mu.Lock()
	defer a.mu.Unlock()
	if l.uses--; l.uses > 0 {
		return
	}
	l.left = time.Now()
	switch {
	case l.alone, l.gone:
		l.drop()
	case l.idle == nil:
		l.idle = time.AfterFunc(a.gateway.opts.Idle, func() { l.rest() })
	default:
		l.idle.Reset(a.gateway.opts.Idle)
	}
}

// rest closes a line that nobody uses, and reports whether that is so.
func (l *line) rest() bool {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	if l.uses > 0 {
		return false
	}
	l.drop()
	return true
}

// idleSince says since when nobody uses the line. One that is closing already is
// no longer idle.
func (l *line) idleSince() (time.Time, bool) {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	return l.left, l.uses == 0 && !l.shut
}

// ownerOf is whose the programs are that run for somebody. Those who are nobody
// in particular share theirs: they could be as many as they like.
func ownerOf(who person) string {
	if !who.IsPerson() {
		return who.Tenant + "\x00"
	}
	return who.Tenant + "\x00" + who.User
}

// Lose implements mcpcall.Conn: it lets nobody use the line any more: its connection is broken. Who uses it
// now will notice.
func (l *line) Lose() {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	l.drop()
}

// drop takes the line off the open ones, and closes it as soon as nobody uses it.
// lines.mu is held.
func (l *line) drop() {
	l.gone = true
	if l.all.open[l.key] == l {
		delete(l.all.open, l.key)
	}
	if l.idle != nil {
		l.idle.Stop()
	}
	if l.uses == 0 {
		l.closeConn()
	}
}

// closeConn closes the connection, if there is one yet. lines.mu is held.
func (l *line) closeConn() {
	if l.conn == nil || l.shut {
		return
	}
	l.shut = true
	l.all.gateway.work.Go(func() { _ = l.conn.Close() })
}

// endSession closes the lines of a client's session that has ended, each as soon as
// nobody uses it: nobody comes for them any more.
func (a *lines) endSession(session string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for key, l := range a.open {
		if key.session == session {
			l.drop()
		}
	}
}

// close ends all lines. A server that is gone already need not hear of it.
func (a *lines) close() {
	a.mu.Lock()
	a.closed = true
	var conns []*mcpclient.Conn
	for _, l := range a.open {
		l.gone = true
		if l.idle != nil {
			l.idle.Stop()
		}
		if l.conn != nil && !l.shut {
			l.shut = true
			conns = append(conns, l.conn)
		}
	}
	clear(a.open)
	a.mu.Unlock()
	for _, conn := range conns {
		if err := conn.Close(); err != nil {
			a.gateway.opts.Logger.Debug("a connection was not closed in order", "err", err)
		}
	}
}

// whose is whose line it is now.
func (l *line) whose() lineKey {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	return l.key
}

// Alone implements mcpcall.Adoptable.
func (l *line) Alone() bool {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	return l.alone
}

// Adopt implements mcpcall.Adoptable.
func (l *line) Adopt(who person) {
	key := keyOfLine(who, l.server)
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	if !l.alone || l.gone || l.all.open[key] != nil {
		return
	}
	delete(l.all.open, l.key)
	l.key, l.alone = key, false
	l.all.open[key] = l
}

// end closes a line as soon as nobody uses it.
func (a *lines) end(key lineKey) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if l := a.open[key]; l != nil && !l.alone {
		l.drop()
	}
}
