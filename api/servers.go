package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

// Server is an MCP server, or an agent elsewhere: what the vault knows of it, and what
// is done with its tools.
type Server struct {
	vault.Server
	Approve    permit.Rule // which of its calls need an approval; empty: unsafe
	Enabled    bool        // its tools are shown and called
	Agents     []string    // those that have it, if it is the tenant's own
	Configured bool        // it comes from the configuration and is changed there
}

// Namer is who wrote the server's URL, which says where it may lead.
func (s Server) Namer() outbound.Namer {
	if s.Configured {
		return outbound.Operator
	}
	return outbound.Stranger
}

// Servers is the list of servers: those of the configuration for every
// tenant, and a tenant's own. The vault keeps where they are and what credential
// they take; the rest is in a record of its own. A server of the vault that has
// no such record is enabled, with the rule unsafe.
type Servers struct {
	vault      *vault.Vault
	records    parley.Records
	configured map[string]permit.Rule
	changes    atomic.Int64
}

// Changes counts what was changed here. A list that was made when it was less may
// be out of date; what other processes change is not counted.
func (s *Servers) Changes() int64 { return s.changes.Load() }

// NewServers returns the servers of the vault. configured are the rules of those
// of the configuration, by name; the others have the rule unsafe.
func NewServers(v *vault.Vault, records parley.Records, configured map[string]permit.Rule) *Servers {
	return &Servers{vault: v, records: records, configured: configured}
}

// settings are what the vault does not know, as stored.
type settings struct {
	Approve  permit.Rule `json:"approve"`
	Disabled bool        `json:"disabled,omitempty"`
	Agents   []string    `json:"agents,omitempty"`
}

func settingsAt(tenant, name string) parley.Address {
	return parley.Address{Tenant: cmp.Or(tenant, parley.DefaultTenant), Kind: "gateway_server", Key: name}
}

// List returns the tenant's servers and those of the configuration, in the order
// of their names.
func (s *Servers) List(ctx context.Context, tenant string) ([]Server, error) {
	known, err := s.vault.Servers(ctx, tenant)
	if err != nil {
		return nil, err
	}
	stored, err := s.settings(ctx, tenant)
	if err != nil {
		return nil, err
	}
	all := make([]Server, 0, len(known))
	for _, one := range known {
		all = append(all, s.join(one, stored[one.Name]))
	}
	return all, nil
}

// Get returns one server, or vault.ErrUnknown.
func (s *Servers) Get(ctx context.Context, tenant, name string) (Server, error) {
	known, err := s.vault.Server(ctx, tenant, name)
	if err != nil || known.Tenant == "" {
		return s.join(known, settings{}), err
	}
	record, err := s.records.Load(ctx, settingsAt(tenant, name))
	if errors.Is(err, parley.ErrNotFound) {
		return s.join(known, settings{}), nil
	}
	if err != nil {
		return Server{}, err
	}
	stored, err := decode(record)
	return s.join(known, stored), err
}

// Create stores a tenant's new server. parley.ErrExists when there is one of its
// name; vault.ErrConfigured when that is the configuration's. A tenant has 200.
func (s *Servers) Create(ctx context.Context, tenant string, one Server) error {
	if err := s.vault.CheckServer(ctx, tenant, one.Server); err != nil {
		return err
	}
	return inTurn(ctx, s.records, settingsAt(tenant, one.Name), func() error {
		if err := s.free(ctx, tenant, one.Name); err != nil {
			return err
		}
		if err := s.room(ctx, tenant); err != nil {
			return err
		}
		return s.store(ctx, tenant, one)
	})
}

// maxServers is how many servers a tenant has of its own: its models are told of each, at
// every step.
const maxServers = 200

// errFull says that a tenant has all the servers that it may have.
var errFull = fmt.Errorf("a tenant has at most %d servers of its own", maxServers)

// room says whether a tenant may have one server more. Of those that are added at the same
// moment a few may be over.
func (s *Servers) room(ctx context.Context, tenant string) error {
	known, err := s.vault.Servers(ctx, tenant)
	if err != nil {
		return err
	}
	own := 0
	for _, one := range known {
		if one.Tenant != "" {
			own++
		}
	}
	if own >= maxServers {
		return errFull
	}
	return nil
}

// Put replaces a tenant's own server. vault.ErrUnknown when there is none;
// vault.ErrConfigured when it is the configuration's.
func (s *Servers) Put(ctx context.Context, tenant string, one Server) error {
	return s.Change(ctx, tenant, one.Name, func(Server) (Server, error) { return one, nil })
}

// Change stores what to makes of a tenant's own server. Changes to one server
// come one after the other, so each sees what the one before has made. Errors as
// of Put, and those of to.
func (s *Servers) Change(ctx context.Context, tenant, name string, to func(Server) (Server, error)) error {
	return inTurn(ctx, s.records, settingsAt(tenant, name), func() error {
		old, err := s.Get(ctx, tenant, name)
		if err != nil {
			return err
		}
		if old.Configured {
			return fmt.Errorf("server %q: %w", name, vault.ErrConfigured)
		}
		one, err := to(old)
		if err != nil {
			return err
		}
		one.Name = name
		if err := s.vault.CheckServer(ctx, tenant, one.Server); err != nil {
			return err
		}
		return s.store(ctx, tenant, one)
	})
}

// store writes the rule first: a server is never there without its own.
func (s *Servers) store(ctx context.Context, tenant string, one Server) error {
	defer s.changes.Add(1)
	if err := s.save(ctx, tenant, one); err != nil {
		return err
	}
	return s.vault.PutServer(ctx, tenant, one.Server)
}

// Remove forgets a tenant's own server. Its connections stay until they are
// disconnected. Errors as of Put.
func (s *Servers) Remove(ctx context.Context, tenant, name string) error {
	defer s.changes.Add(1)
	return inTurn(ctx, s.records, settingsAt(tenant, name), func() error {
		if err := s.vault.RemoveServer(ctx, tenant, name); err != nil {
			return err
		}
		err := s.records.Delete(ctx, settingsAt(tenant, name), 0)
		if errors.Is(err, parley.ErrNotFound) {
			return nil
		}
		return err
	})
}

func (s *Servers) join(known vault.Server, stored settings) Server {
	one := Server{Server: known, Approve: cmp.Or(stored.Approve, permit.Unsafe), Enabled: !stored.Disabled, Agents: stored.Agents, Configured: known.Tenant == ""}
	if one.Configured { // what a tenant once stored under this name is not about it
		one.Approve, one.Enabled, one.Agents = cmp.Or(s.configured[known.Name], permit.Unsafe), true, nil
	}
	return one
}

// free says whether a name can be given to a new server.
func (s *Servers) free(ctx context.Context, tenant, name string) error {
	switch err := s.own(ctx, tenant, name); {
	case err == nil:
		return fmt.Errorf("server %q: %w", name, parley.ErrExists)
	case errors.Is(err, vault.ErrUnknown):
		return nil
	default:
		return err
	}
}

// own says why a server is not the tenant's.
func (s *Servers) own(ctx context.Context, tenant, name string) error {
	known, err := s.vault.Server(ctx, tenant, name)
	if err == nil && known.Tenant == "" {
		err = fmt.Errorf("server %q: %w", name, vault.ErrConfigured)
	}
	return err
}

func (s *Servers) save(ctx context.Context, tenant string, one Server) error {
	rule, err := permit.ParseRule(string(one.Approve))
	if err != nil {
		return err
	}
	data, err := json.Marshal(settings{Approve: rule, Disabled: !one.Enabled, Agents: one.Agents})
	if err != nil {
		return err
	}
	_, err = parley.Put(ctx, s.records, parley.Record{Address: settingsAt(tenant, one.Name), Data: data})
	return err
}

func (s *Servers) settings(ctx context.Context, tenant string) (map[string]settings, error) {
	all := map[string]settings{}
	for r, err := range parley.Each(ctx, s.records, settingsAt(tenant, ""), "") {
		if err != nil {
			return nil, err
		}
		if all[r.Key], err = decode(r); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func decode(r parley.Record) (settings, error) {
	var s settings
	if err := json.Unmarshal(r.Data, &s); err != nil {
		return s, fmt.Errorf("the settings of server %s: %w", r.Key, err)
	}
	return s, nil
}
