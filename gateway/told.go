package gateway

import (
	"context"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

// maxTold is how much of what belongs to no call waits to be passed on. Of a
// server that says more than its client reads the rest is dropped.
const maxTold = 256

// heard takes what a server says that belongs to no call. It does not block.
func (l *line) heard(m mcpclient.Message) {
	if len(m.Params) > maxLog {
		return
	}
	select {
	case l.told <- m:
	default:
	}
}

// passOn passes on what a server says that belongs to no call, until its
// connection ends. However often it says that its lists have changed, they are
// read once in a while.
func (l *line) passOn(conn *mcpclient.Conn) {
	defer l.unlist()
	changed := map[string]bool{}
	var listed time.Time
	due := time.NewTimer(0)
	due.Stop()
	defer due.Stop()
	for {
		select {
		case <-conn.Done():
			return
		case <-l.all.gateway.ctx.Done():
			return
		case <-due.C:
			l.relist(conn, changed)
			clear(changed)
			listed = time.Now()
		case m := <-l.told:
			kind, ok := listChanged(m.Method)
			if !ok {
				l.pass(m)
				continue
			}
			if len(changed) == 0 {
				due.Reset(max(0, again-time.Since(listed)))
			}
			changed[kind] = true
		}
	}
}

// passTime bounds how long a client may take to be told something.
const passTime = 10 * time.Second

func (l *line) pass(m mcpclient.Message) {
	g := l.all.gateway
	ctx, cancel := context.WithTimeout(g.ctx, passTime)
	defer cancel()
	switch m.Method {
	case updatedMethod:
		l.updated(m.Params)
	case logMethod:
		session := l.whose().session
		if to := g.asker.Contact(session); to != nil {
			g.passLog(ctx, to, g.clients.level(session), l.server.Name, m)
		}
	}
}

// ofSession are the lines of a session that are connected.
func (a *lines) ofSession(session string) (found []*line) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for key, l := range a.open {
		if key.session == session && l.conn != nil {
			found = append(found, l)
		}
	}
	return found
}
