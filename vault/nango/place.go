package nango

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"
	"unicode/utf16"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

const (
	placeKind = "nango_place"

	// sessionTime is how long a session may bring a connection. Nango's own
	// page is open for half an hour; the rest is for word that comes late.
	sessionTime = 24 * time.Hour
	// maxSessions is how many of a place are remembered, the newest: a person
	// may begin more than once and finish any of them.
	maxSessions = 8
)

// place is what is remembered of a vault.Place.
type place struct {
	Integration string    `json:"integration"`
	Connection  string    `json:"connection,omitempty"` // Nango's id; empty: none is known
	Ref         string    `json:"ref,omitempty"`        // of the session that brought it
	Opened      time.Time `json:"opened,omitzero"`      // when that session was opened
	Sessions    []session `json:"sessions,omitempty"`   // the oldest first
	Leaving     bool      `json:"leaving,omitempty"`    // it is empty; the rest says what Nango has yet to delete

	version int64
}

// session is one time that a person was sent to Nango's page.
type session struct {
	Ref      string    `json:"ref"`
	Question parley.ID `json:"question"`
	Opened   time.Time `json:"opened"`
}

func address(key vault.Key) parley.Address {
	return parley.Address{
		Tenant: key.Tenant, Kind: placeKind,
		Key: string(key.Scope) + "/" + url.PathEscape(key.Owner) + "/" + key.Server,
	}
}

// load returns what is remembered of a place; nothing when it was forgotten,
// or when the server means another integration by now, since what was granted
// for the old one stays there.
func (s *Source) load(ctx context.Context, at vault.Place) (place, error) {
	p, err := s.stored(ctx, at)
	return p.of(at), err
}

func (p place) of(at vault.Place) place {
	if p.Leaving || p.Integration != at.Integration {
		return place{Integration: at.Integration, version: p.version}
	}
	return p
}

// stored returns what is remembered of a place, whatever it is. Its version is
// 0 when there is nothing.
func (s *Source) stored(ctx context.Context, at vault.Place) (place, error) {
	record, err := s.records.Load(ctx, address(at.Key))
	if errors.Is(err, parley.ErrNotFound) {
		return place{}, nil
	}
	if err != nil {
		return place{}, err
	}
	return read(at, record)
}

func read(at vault.Place, record parley.Record) (place, error) {
	var p place
	if record.Version == 0 {
		return p, nil
	}
	if err := json.Unmarshal(record.Data, &p); err != nil {
		return place{}, fmt.Errorf("%v: %w", at, err)
	}
	p.version = record.Version
	for len(p.Sessions) > 0 && now().Sub(p.Sessions[0].Opened) >= sessionTime {
		p.Sessions = p.Sessions[1:]
	}
	return p, nil
}

// update changes what is remembered of a place, as often as others do so at
// the same time. change reports whether there is anything to save.
func (s *Source) update(ctx context.Context, at vault.Place, change func(*place) bool) (place, error) {
	return s.rewrite(ctx, at, func(p *place) bool {
		*p = p.of(at)
		return change(p)
	})
}

// rewrite is update for what is stored, whatever it is.
func (s *Source) rewrite(ctx context.Context, at vault.Place, change func(*place) bool) (p place, err error) {
	record, err := parley.Update(ctx, s.records, address(at.Key), func(r *parley.Record) (bool, error) {
		var err error
		if p, err = read(at, *r); err != nil || !change(&p) {
			return false, err
		}
		r.Owner, r.Expires = at.Owner, p.forgotten()
		r.Data, err = json.Marshal(p)
		return true, err
	})
	if err == nil {
		p.version = record.Version
	}
	return p, err
}

// forgotten is when nothing is left to remember.
func (p place) forgotten() time.Time {
	switch n := len(p.Sessions); {
	case p.Connection != "":
		return time.Time{}
	case n > 0:
		return p.Sessions[n-1].Opened.Add(sessionTime)
	}
	return now().Add(time.Minute)
}

// opened returns the session of that reference.
func (p place) opened(ref string) (session, bool) {
	var found session
	ok := false
	for _, one := range p.Sessions {
		if subtle.ConstantTimeCompare([]byte(one.Ref), []byte(ref)) == 1 {
			found, ok = one, true
		}
	}
	return found, ok
}

// owns reports whether a connection with that reference belongs here.
func (p place) owns(ref string) bool {
	_, open := p.opened(ref)
	return open || p.Ref != "" && subtle.ConstantTimeCompare([]byte(p.Ref), []byte(ref)) == 1
}

// fill takes a connection that a session brought, and reports whether that
// changed anything. What a later session brought stays.
func (p *place) fill(by session, connection string) bool {
	if p.Connection == connection && p.Ref == by.Ref || p.Connection != "" && by.Opened.Before(p.Opened) {
		return false
	}
	p.Connection, p.Ref, p.Opened = connection, by.Ref, by.Opened
	return true
}

// empty forgets a connection, unless it is another by now.
func (p *place) empty(connection string) bool {
	if connection == "" || p.Connection != connection {
		return false
	}
	p.Connection, p.Ref, p.Opened = "", "", time.Time{}
	return true
}

// The tags of our connections. Nango knows the first two itself.
const (
	tagTenant   = "organization_id"
	tagOwner    = "end_user_id"
	tagServer   = "parley_server"
	tagScope    = "parley_scope"
	tagQuestion = "parley_question" // for people who look into Nango; not read back
	tagRef      = "parley_session"
)

// whereabouts are the tags that say where to look.
func whereabouts(key vault.Key) (map[string]string, error) {
	tags := map[string]string{
		tagTenant: key.Tenant, tagOwner: key.Owner, tagServer: key.Server, tagScope: string(key.Scope),
	}
	if key.Scope == vault.Platform {
		tags[tagOwner] = string(vault.Platform) // no tag may be empty
	}
	for name, value := range tags {
		if n := len(utf16.Encode([]rune(value))); n == 0 || n > 255 {
			return nil, fmt.Errorf("%w: %s has %d", ErrName, name, n)
		}
	}
	return tags, nil
}

// keyOf reads whereabouts back. They are only where to look.
func keyOf(tags map[string]string) (vault.Key, bool) {
	key := vault.Key{Tenant: tags[tagTenant], Owner: tags[tagOwner], Server: tags[tagServer], Scope: vault.Scope(tags[tagScope])}
	complete := key.Tenant != "" && key.Owner != "" && key.Server != "" && key.Scope != "" && tags[tagRef] != ""
	if key.Scope == vault.Platform {
		key.Owner = ""
	}
	return key, complete
}
