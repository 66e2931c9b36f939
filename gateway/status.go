package gateway

import (
	"context"
	"errors"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/vault"
)

// State is how a server stands.
type State string

// The states.
const (
	Up              State = "up"
	Down            State = "down"
	Unknown         State = "unknown"          // nobody has asked it yet
	NeedsConnection State = "needs_connection" // it lists nothing without a credential
)

// Status is how a server stands, for those who look after it.
type Status struct {
	State State
	Error string // why it is down, or not known
	Since time.Time
	Tools int
	// LeftOut is what it lists and clients would not take, and Omitted how much
	// of that there is: the first 50 are named.
	LeftOut []mcpclient.Fault
	Omitted int
}

// Status says how a server stands for a person; user is empty for servers that
// are not personal.
func (g *Gateway) Status(ctx context.Context, tenant, server, user string) Status {
	s, ok, err := g.Find(ctx, tenant, server)
	if err != nil || !ok {
		return Status{State: Unknown}
	}
	known := g.toolCache.Status(person{Principal: parley.Principal{Tenant: tenant, User: user}}, s)
	st := Status{State: Unknown, Since: known.Since}
	switch {
	case known.Listed != nil:
		st.State, st.Tools = Up, known.Listed.Tools
		st.LeftOut, st.Omitted = known.Listed.Faults.First, known.Listed.Faults.Count
	case errors.Is(known.Err, vault.ErrRequired), errors.Is(known.Err, vault.ErrNoPerson):
		st.State = NeedsConnection
	case errors.Is(known.Err, vault.ErrUnavailable): // it was not asked
		st.Error = "Its credential cannot be looked up just now: see the log."
	case known.Err != nil:
		st.State, st.Error = Down, downReason(known.Err, s)
	}
	return st
}

// newToolCache is what the servers offer, as far as it is known.
func (g *Gateway) newToolCache() *mcpcall.ToolCache[*listing] {
	return mcpcall.NewToolCache(mcpcall.CacheOptions[*listing]{
		Calls: g.calls, Read: g.readListing, As: lister, TTL: g.opts.ListTTL, Warm: true, Changed: g.announce,
	})
}

// lister is as whom a list is read for somebody: a person where the server is
// personal. Sessions and calls of anonymous callers share one: nobody can connect an
// account for them.
func lister(who person, s Server) person {
	as := person{Principal: parley.Principal{Tenant: who.Tenant}, Agent: gatewayAgent, Able: who.Able}
	if s.Personal && who.IsPerson() {
		as.User = who.User
	}
	return as
}

// warm has the lists read that everybody sees.
func (g *Gateway) warm(ctx context.Context) {
	servers, err := g.opts.Catalogue.Servers(ctx, parley.DefaultTenant)
	g.unread.Note(ctx, g.opts.Logger, "servers not read", err)
	for _, s := range servers {
		if !s.Personal {
			g.toolCache.Warm(person{Principal: parley.Principal{Tenant: parley.DefaultTenant}}, s)
		}
	}
}
