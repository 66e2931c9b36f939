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
func (a *lines) ownListing(who person, s Server) *listing {
	a.mu.Lock()
	defer a.mu.Unlock()
	if l := a.open[keyOfLine(who, s)]; l != nil && l.server.Same(s) {
		return l.own
	}
	return nil
}

// offered is what a server offers to somebody, as far as it is known.
func (g *Gateway) offered(ctx context.Context, who person, s Server) (*listing, error) {
	if l := g.lines.ownListing(who, s); l != nil {
		return l, nil
	}
	return g.shelves.of(who, s).forCall(ctx)
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

// relist reads the lists of a line's own session, and tells the client which of
// them show something else now.
func (l *line) relist(conn *mcpclient.Conn, kinds map[string]bool) {
	g := l.all.gateway
	ctx, cancel := context.WithTimeout(g.ctx, relistTime)
	defer cancel()
	now, err := fetchListing(ctx, conn, l.server)
	if err != nil {
		g.opts.Logger.DebugContext(ctx, "session not listed", "server", l.server.Name, "err", err)
		return
	}
	l.all.mu.Lock()
	before := l.own
	if !l.gone {
		l.own = now
	}
	l.all.mu.Unlock()
	if !now.same(before) {
		l.tellChanged(ctx, kinds)
	}
}

// tellChanged tells the client of a line that lists have changed. Clients of
// 2026-07-28 have no sessions: all of them look.
func (l *line) tellChanged(ctx context.Context, kinds map[string]bool) {
	g := l.all.gateway
	session := l.whose().session
	if session == "" {
		g.announce()
		return
	}
	if to := g.asker.Contact(session); to != nil {
		for kind := range kinds {
			g.notify(ctx, to, "notifications/"+kind+"/list_changed", nil)
		}
	}
}

// unlist forgets what a session was offered when its connection ends: it is the
// server's no more.
func (l *line) unlist() {
	l.all.mu.Lock()
	had := l.own != nil
	l.own = nil
	l.all.mu.Unlock()
	if g := l.all.gateway; had && g.ctx.Err() == nil {
		ctx, cancel := context.WithTimeout(g.ctx, passTime)
		defer cancel()
		l.tellChanged(ctx, map[string]bool{"tools": true, "prompts": true, "resources": true})
	}
}
