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
func (l *conn) heard(m mcpclient.Message) {
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
func (l *conn) passOn(ctx context.Context) {
	conn := l.Wire()
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
		case <-ctx.Done():
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
