package gateway

import (
	"context"
	"slices"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

// maxTold is how much of what belongs to no call waits to be passed on. Of a
// server that says more than its client reads the rest is dropped.
const maxTold = 256

// heard takes what a server says that belongs to no call. It does not block.
func (l *conn) heard(m mcpclient.Message) {
	if kind, ok := listChanged(m.Method); ok {
		l.stir(kind)
		return
	}
	if len(m.Params) > maxLog {
		return
	}
	select {
	case l.told <- m:
	default:
	}
}

// stir notes that a list has changed. That is never dropped, whatever else the server says.
func (l *conn) stir(kind string) {
	if !slices.Contains([]string{"tools", "prompts", "resources"}, kind) {
		return
	}
	l.mu.Lock()
	if l.changed == nil {
		l.changed = map[string]bool{}
	}
	l.changed[kind] = true
	l.mu.Unlock()
	select {
	case l.stirred <- struct{}{}:
	default:
	}
}

// changes are the kinds of lists that have changed since it was called last.
func (l *conn) changes() map[string]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	kinds := l.changed
	l.changed = nil
	return kinds
}

// passOn passes on what a server says that belongs to no call, until its
// connection ends. However often it says that its lists have changed, they are
// read once in a while.
func (l *conn) passOn(ctx context.Context) {
	conn := l.Wire()
	defer l.unlist()
	var listed time.Time
	waits := false // until it is due
	due := time.NewTimer(0)
	due.Stop()
	defer due.Stop()
	for {
		select {
		case <-conn.Done():
			return
		case <-ctx.Done():
			return
		case <-due.C:
			waits = false
			if kinds := l.changes(); len(kinds) > 0 {
				l.relist(conn, kinds)
				listed = time.Now()
			}
		case <-l.stirred:
			if !waits {
				waits = true
				due.Reset(max(0, again-time.Since(listed)))
			}
		case m := <-l.told:
			l.pass(m)
		}
	}
}

// again is how soon a session's lists are read again that have changed.
const again = time.Second

// passTime bounds how long a client may take to be told something.
const passTime = 10 * time.Second

func (l *conn) pass(m mcpclient.Message) {
	g := l.gateway
	ctx, cancel := context.WithTimeout(g.life.Context(), passTime)
	defer cancel()
	switch m.Method {
	case updatedMethod:
		l.updated(m.Params)
	case logMethod:
		session := l.Key().Session
		if to := g.sessions.Contact(session); to != nil {
			g.passLog(ctx, to, g.clients.level(session), l.Server.Name, m)
		}
	}
}
