package gateway

import (
	"context"
	"strings"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

// ownListing is what a server offers to a session of its own, once it has said
// that that has changed: a file that a tool has made, or tools that it has
// switched on. Nil: what it offers to everybody.
func (g *Gateway) ownListing(who person, s Server) *listing {
	c := g.calls.Conns.Of(who, s)
	if c == nil {
		return nil
	}
	l := c.Attached.(*conn)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.own
}

// offered is what a server offers to somebody, as far as it is known.
func (g *Gateway) offered(ctx context.Context, who person, s Server) (*listing, error) {
	if l := g.ownListing(who, s); l != nil {
		return l, nil
	}
	return g.toolCache.Of(who, s).ForCall(ctx)
}

// relistTime bounds how long a server may take to list what it offers.
const relistTime = 30 * time.Second

// listChanged returns the kind of lists that a notification is about: tools,
// prompts or resources.
func listChanged(method string) (kind string, ok bool) {
	kind, ok = strings.CutPrefix(method, "notifications/")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(kind, "/list_changed")
}

// relist reads the lists of a connection's own session, and tells the client which of
// them show something else now.
func (l *conn) relist(conn *mcpclient.Conn, kinds map[string]bool) {
	g := l.gateway
	ctx, cancel := context.WithTimeout(g.life.Context(), relistTime)
	defer cancel()
	now, err := g.fetchListing(ctx, conn, person{}, l.Server)
	if err != nil {
		g.opts.Logger.DebugContext(ctx, "session not listed", "server", l.Server.Name, "err", err)
		return
	}
	l.mu.Lock()
	before := l.own
	l.own = now
	l.mu.Unlock()
	if before == nil || now.Digest != before.Digest {
		l.tellChanged(ctx, kinds)
	}
}

// tellChanged tells the client of a connection that lists have changed. Clients of
// 2026-07-28 have no sessions: all of them look.
func (l *conn) tellChanged(ctx context.Context, kinds map[string]bool) {
	g := l.gateway
	session := l.Key().Session
	if session == "" {
		g.announce()
		return
	}
	if to := g.sessions.Contact(session); to != nil {
		for kind := range kinds {
			g.notify(ctx, to, "notifications/"+kind+"/list_changed", nil)
		}
	}
}

// unlist forgets what a session was offered when its connection ends: it is the
// server's no more.
func (l *conn) unlist() {
	l.mu.Lock()
	had := l.own != nil
	l.own = nil
	l.mu.Unlock()
	if g := l.gateway; had && !g.life.Over() {
		ctx, cancel := context.WithTimeout(g.life.Context(), passTime)
		defer cancel()
		l.tellChanged(ctx, map[string]bool{"tools": true, "prompts": true, "resources": true})
	}
}
