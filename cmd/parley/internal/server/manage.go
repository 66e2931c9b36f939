package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

// adminScope is what a token has whose person manages this server.
const adminScope = "parley:admin"

// manage makes the management API.
func (s *Server) manage() (*api.API, error) {
	opts := &api.Options{
		Caller: s.identity.caller, Servers: s.servers, Requests: s.store, Runs: s.Agents, TraceView: s.cfg.TraceView(), Asking: s.asked, Approvals: s.Permits, Attached: s.attached, Escalates: s.steps, Agents: slices.Sorted(maps.Keys(s.Agents.Agents())), Health: health{s},
		Outbound: &outbound.Options{Loopback: s.cfg.Dev}, PublicURL: s.cfg.PublicURL, Unsigned: s.cfg.Unsigned(), Notices: s.Outbox, Audit: s.Audit, Logger: s.opts.Logger,
	}
	for _, there := range s.remotes {
		opts.Elsewhere = append(opts.Elsewhere, there.Name())
	}
	if s.logins != nil {
		opts.Logins = s.logins
	}
	return api.New(s.Hub, s.Vault, s.Permits, seal.Records(s.store, s.keys, nil), opts)
}

// steps are whom a rule asks besides its approvers, as administrators see it.
func (s *Server) steps(rule string) (all []api.Escalation) {
	stages, _ := s.cfg.Escalates(rule)
	for _, one := range stages {
		all = append(all, api.Escalation{After: one.After, To: one.To})
	}
	return all
}

// openServers makes the list of servers that the gateway and the API share.
func (s *Server) openServers(context.Context) error {
	rules := map[string]permit.Rule{}
	for name, c := range s.cfg.Servers {
		rules[name] = permit.Rule(c.Approve)
	}
	for name, c := range s.cfg.Agents {
		if c.A2A != "" {
			rules[name] = permit.Never // who is a delegate is the operator's word
		}
	}
	s.servers = api.NewServers(s.Vault, seal.Records(s.store, s.keys, nil), rules)
	return nil
}

// caller is who uses the API: a program with a key manages its tenant, and so
// does a person whose token says so, or who is signed in and whom the
// configuration names. A token without the scope manages nothing, whosever it is:
// it may be another program's.
func (i *identity) caller(r *http.Request) (api.Caller, error) {
	who, claims, err := i.of(r)
	if errors.Is(err, chat.ErrUnauthenticated) {
		return api.Caller{}, fmt.Errorf("%w: %w", api.ErrUnauthenticated, err)
	}
	c := api.Caller{Principal: who, Admin: slices.Contains(scopes(claims), adminScope)}
	if err == nil && r.Header.Get("Authorization") == "" {
		c.Admin = i.administers(who)
	}
	if who.Kind == parley.KindProgram {
		i.asks(&c)
	}
	return c, err
}

// administers reports whether somebody who is signed in at the hosted pages
// manages their tenant.
func (s *Server) administers(who parley.Principal) bool {
	return who.IsPerson() && s.cfg.Administers(cmp.Or(who.Tenant, parley.DefaultTenant), who.User)
}

// attached says what uses a server.
func (s *Server) attached(ctx context.Context, tenant, server string) (api.Attachment, error) {
	var at api.Attachment
	one, err := s.servers.Get(ctx, tenant, server)
	if err != nil {
		return at, err
	}
	for _, name := range config.Keys(s.cfg.Agents) {
		has := s.cfg.Agents[name].Servers
		if one.Protocol == vault.A2A {
			has = s.cfg.Agents[name].Delegates
		}
		if slices.Contains(has, server) {
			at.Agents = append(at.Agents, name)
		}
	}
	at.Agents = append(at.Agents, one.Agents...)
	at.Gateway = s.behind != nil && s.behind.has(one)
	return at, nil
}

// health is how the gateway finds the servers, and their cards the agents elsewhere.
type health struct{ server *Server }

func (h health) Status(ctx context.Context, tenant string, one api.Server) (api.Status, error) {
	switch {
	case one.Protocol == vault.A2A:
		return h.server.elsewhereStatus(ctx, tenant, one)
	case h.server.Gateway == nil:
		return api.Status{State: api.Unknown}, nil
	}
	server := one.Name
	st := h.server.Gateway.Status(ctx, tenant, server, "")
	status := api.Status{State: api.State(st.State), Error: st.Error, Since: st.Since}
	if status.State == api.Up {
		status.Tools = &st.Tools
	}
	status.LeftOutCount = st.Omitted
	for _, f := range st.LeftOut {
		status.LeftOut = append(status.LeftOut, api.LeftOut{Kind: string(f.Kind), Name: f.Name, Part: f.Part, Reason: f.Reason})
	}
	return status, nil
}
