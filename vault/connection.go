package vault

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
)

// Key names a connection: whose credential for which server.
type Key struct {
	Tenant string
	Server string
	Scope  Scope
	Owner  string // the person or the agent; empty for the platform
}

const connectionKind = "connection"

// address sorts connections by scope and owner, so that a person's are listed
// together.
func (k Key) address() parley.Address {
	return parley.Address{Tenant: k.Tenant, Kind: connectionKind, Key: ownerPrefix(k.Scope, k.Owner) + k.Server}
}

func ownerPrefix(scope Scope, owner string) string {
	return string(scope) + "/" + url.PathEscape(owner) + "/"
}

func (k Key) String() string {
	return fmt.Sprintf("connection of %s %q to %q in %q", k.Scope, k.Owner, k.Server, k.Tenant)
}

// Status is how a connection stands.
type Status string

// The statuses. All but Active are asked for again when they are next needed.
const (
	Active   Status = "active"
	Lapsed   Status = "expired"  // and the provider refuses to refresh it
	Refused  Status = "rejected" // the server refused it
	Retired  Status = "revoked"  // being disconnected
	Narrower Status = "insufficient_scope"
)

// Connection is a stored credential without its secrets.
type Connection struct {
	Key
	Type     AuthType
	Provider string // the provider's slug, if there is one
	Issuer   string
	Status   Status
	Scopes   []string
	Created  time.Time
	Updated  time.Time
	Expires  time.Time // of the access token; zero: not known
	Renews   bool      // it can be refreshed
	Used     time.Time // when a request last carried it, to within about a minute; zero: not known
}

// stored is a connection as its record has it.
type stored struct {
	Type     AuthType  `json:"type"`
	Provider string    `json:"provider,omitempty"`
	Issuer   string    `json:"issuer,omitempty"`
	ClientID string    `json:"client_id,omitempty"`
	Origin   string    `json:"origin,omitempty"` // the server it was made for: it goes nowhere else
	Status   Status    `json:"status"`
	Scopes   []string  `json:"scopes,omitempty"`
	Asked    []string  `json:"asked,omitempty"`  // what the person agreed to, of tokens
	Wanted   []string  `json:"wanted,omitempty"` // what the server missed, when the status is Narrower
	Created  time.Time `json:"created"`
	Updated  time.Time `json:"updated"`

	// Grant tells this connection from the one before it: a token that was
	// refreshed is of the same, one that somebody connected anew is of another.
	Grant string `json:"grant,omitempty"`

	Connected time.Time `json:"connected,omitzero"` // when the person did it, of tokens
	Shares    string    `json:"shares,omitempty"`   // the server whose connection this one leans on: see share.go
	Also      []Other   `json:"also,omitempty"`     // who else may use it, as the person's page said

	Ends []string `json:"ends,omitempty"` // the origins of the provider that tokens may go to

	// Of a credential that a source keeps: see agreement.go. It has no secret.
	Source      string    `json:"source,omitempty"`
	Integration string    `json:"integration,omitempty"`
	Question    parley.ID `json:"question,omitempty"` // the one that was being answered; empty: it ended well
	By          string    `json:"by,omitempty"`       // whom it asked

	Secret  string    `json:"secret"` // access token or key
	Refresh string    `json:"refresh,omitempty"`
	Expires time.Time `json:"expires,omitzero"`

	Lease  *lease    `json:"lease,omitempty"` // somebody is refreshing it
	Forced time.Time `json:"forced,omitzero"` // when a refusal last made us refresh

	version int64
}

// lease is the right to refresh a token, until a time.
type lease struct {
	Owner string    `json:"owner"`
	Until time.Time `json:"until"`
}

func (v *Vault) load(ctx context.Context, key Key) (stored, error) {
	record, err := v.records.Load(ctx, key.address())
	if err != nil {
		return stored{}, err
	}
	return key.decode(record)
}

func (k Key) decode(record parley.Record) (stored, error) {
	var s stored
	if err := json.Unmarshal(record.Data, &s); err != nil {
		return stored{}, fmt.Errorf("%v: %w", k, err)
	}
	s.version = record.Version
	return s, nil
}

// update changes what is stored, until nobody else was faster. change gets what is
// there, of version 0 if that is nothing, and reports whether it is to be stored.
func (v *Vault) update(ctx context.Context, key Key, change func(*stored) bool) (s stored, err error) {
	record, err := parley.Update(ctx, v.records, key.address(), func(r *parley.Record) (_ bool, err error) {
		if s = (stored{}); r.Version != 0 {
			if s, err = key.decode(*r); err != nil {
				return false, err
			}
		}
		if !change(&s) {
			return false, nil
		}
		s.Updated = v.now()
		r.Owner = key.Owner
		r.Data, err = json.Marshal(s)
		return true, err
	})
	s.version = record.Version
	return s, err
}

// save replaces the version that s was loaded with, or creates it.
func (v *Vault) save(ctx context.Context, key Key, s *stored) error {
	s.Updated = v.now()
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	version, err := v.records.Save(ctx, parley.Record{
		Address: key.address(), Owner: key.Owner, Data: data, Version: s.version,
	})
	if err == nil {
		s.version = version
	}
	return err
}

// replace stores s whatever is there, and keeps trying for a while: a token
// that was just issued may be the only one that works.
func (v *Vault) replace(ctx context.Context, key Key, s *stored) error {
	return persistent.Do(ctx, func() error {
		_, err := v.update(ctx, key, func(now *stored) bool {
			if now.version != 0 {
				s.Created = now.Created
			}
			*now = *s
			return true
		})
		return err
	})
}

// persistent is how long a failing store is tried again.
var persistent = patience.Plan{For: 10 * time.Second}

func (s stored) public(key Key) Connection {
	return Connection{
		Key: key, Type: s.Type, Provider: s.Provider, Issuer: s.Issuer, Status: s.Status, Scopes: s.Scopes,
		Created: s.Created, Updated: s.Updated, Expires: s.Expires, Renews: s.Refresh != "",
	}
}

// Connections returns the connections of an owner; for a person's own they are
// all of scope User. An empty scope returns all of the tenant.
func (v *Vault) Connections(ctx context.Context, tenant string, scope Scope, owner string) ([]Connection, error) {
	from := parley.Address{Tenant: tenantOf(tenant), Kind: connectionKind}
	if scope != "" {
		from.Key = ownerPrefix(scope, owner)
	}
	uses, err := v.lastUses(ctx, from)
	if err != nil {
		return nil, err
	}
	var all []Connection
	for r, err := range parley.Each(ctx, v.records, from, "") {
		if err != nil {
			return nil, err
		}
		key, ok := parseKey(r.Address)
		if !ok {
			return nil, fmt.Errorf("connection %q: its key cannot be read", r.Key)
		}
		var s stored
		if err := json.Unmarshal(r.Data, &s); err != nil {
			return nil, fmt.Errorf("%v: %w", key, err)
		}
		if s.Source == "" { // others know best how those are that they keep
			one := s.public(key)
			if at := uses[r.Key]; !at.Before(s.Created) { // else of one that was there before
				one.Used = at
			}
			all = append(all, one)
		}
	}
	return all, nil
}

func parseKey(at parley.Address) (Key, bool) {
	parts := strings.Split(at.Key, "/")
	if len(parts) != 3 {
		return Key{}, false
	}
	owner, err := url.PathUnescape(parts[1])
	return Key{Tenant: at.Tenant, Scope: Scope(parts[0]), Owner: owner, Server: parts[2]}, err == nil
}

func tenantOf(tenant string) string {
	if tenant == "" {
		return parley.DefaultTenant
	}
	return tenant
}
