package permit

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/seal"
)

// The kinds of record. The key of each begins with the person, so that a
// person's permissions are listed by prefix. Uses are apart: there is one for
// each call that was let through, and nobody lists them. Making it is what only
// one can do, whatever it is that permits the call.
const (
	permissionKind = "permission"
	useKind        = "permission_use"
)

// entry is a permission as its record has it.
type entry struct {
	Effect   Effect    `json:"effect"`
	Server   string    `json:"server"`
	Place    string    `json:"place,omitempty"`
	Tool     string    `json:"tool,omitempty"`
	Session  string    `json:"session,omitempty"`
	Digest   string    `json:"digest,omitempty"`
	Call     string    `json:"call,omitempty"`
	Question parley.ID `json:"question,omitempty"`
	Reason   string    `json:"reason,omitempty"` // why it is denied
	Silent   bool      `json:"silent,omitempty"` // nobody said so: the question ended without its person
	Said     time.Time `json:"said"`
	Until    time.Time `json:"until,omitzero"`
	Revoked  time.Time `json:"revoked,omitzero"`
	Used     time.Time `json:"used,omitzero"`   // of one call: since when it is used up
	Claim    string    `json:"claim,omitempty"` // by which Consume it was used last
	Uses     int       `json:"uses,omitempty"`

	Args   json.RawMessage `json:"args,omitempty"`      // canonical, of a permission for exactly these
	From   string          `json:"from,omitempty"`      // of one call: the digest that it had before Args were made of its arguments
	Signed bool            `json:"signed,omitempty"`    // of one call: it was allowed with a passkey
	Quorum *approval       `json:"gathering,omitempty"` // it is others who allow or deny it

	id      string
	version int64
}

// about is the digest of the call about which something was said.
func (e entry) about() string { return cmp.Or(e.From, e.Digest) }

func (e entry) revoked() bool { return !e.Revoked.IsZero() }
func (e entry) used() bool    { return !e.Used.IsZero() }
func (e entry) lapsed() bool  { return !e.Until.IsZero() && !now().Before(e.Until) }
func (e entry) inForce() bool { return !e.revoked() && !e.used() && !e.lapsed() }

// lastWord is when the person last said something about it.
func (e entry) lastWord() time.Time {
	if e.Revoked.After(e.Said) {
		return e.Revoked
	}
	return e.Said
}

// yields reports whether next takes the place of e: a person's later word does,
// and silence does only where the call has changed. What is used up stays.
func (e entry) yields(next entry) bool {
	return !e.used() && next.Said.After(e.lastWord()) && (!next.Silent || next.about() != e.about())
}

// keepFor is how long a call that was used up, denied or revoked is remembered, so
// that it is not mistaken for a new one.
const keepFor = 30 * 24 * time.Hour

// forgotten is when the record may go.
func (e entry) forgotten() time.Time {
	switch {
	case e.Quorum != nil && e.Effect == "":
		if last := e.Quorum.Asked.Lasts(); last.After(e.Said) {
			return last.Add(keepFor)
		}
		return e.Said.Add(keepFor)
	case e.Effect == Deny && e.Call == "" && e.Quorum == nil:
		return e.Until
	case e.used():
		return e.Used.Add(keepFor)
	case e.revoked():
		return e.Revoked.Add(keepFor)
	case e.Effect == Deny:
		return e.Said.Add(keepFor)
	case e.Until.IsZero():
		return time.Time{}
	}
	return e.Until.Add(keepFor)
}

// The ids of entries. What an entry is about is hashed, so that an id is short
// and names of any characters make one.
func callID(s subject) string   { return "call-" + hash(s.ID) }
func toolID(s subject) string   { return "tool-" + hash(s.Server, s.Place, s.Tool) }
func serverID(s subject) string { return "server-" + hash(s.Server, s.Place) }
func exactID(s subject) string  { return "exact-" + s.digest }
func gatherID(s subject) string {
	return "gather-" + hash(s.Agent, s.ServerTitle, s.ToolTitle, s.digest)
}

// denialPrefix is what the ids of refusals begin with.
const denialPrefix = "deny-"

func denials(session string) string { return denialPrefix + hash(session) + "-" }

// within is what a refusal holds for.
func (s subject) within() []string {
	if s.Circle != "" {
		return []string{"circle", s.Circle}
	}
	return []string{s.Session}
}

// denialID is where a refusal of the call is kept.
func denialID(s subject) string { return denialPrefix + hash(s.within()...) + "-" + s.digest }

// denialIDs are where a refusal of the call may be: its circle's, and the
// session's own, which a call of the circle does not escape.
func denialIDs(s subject) []string {
	ids := []string{denials(s.Session) + s.digest}
	if s.Circle != "" {
		ids = append(ids, denialID(s))
	}
	return ids
}

// table keeps entries, sealed.
type table struct {
	records  parley.Records
	patience time.Duration
}

// owner is whose entries are meant.
type owner struct{ tenant, user string }

func (s subject) owner() owner { return owner{s.Tenant, s.User} }

func (o owner) address(kind, id string) parley.Address {
	return parley.Address{Tenant: o.tenant, Kind: kind, Key: url.PathEscape(o.user) + "/" + id}
}

// load returns nil when there is no such entry.
func (t *table) load(ctx context.Context, o owner, kind, id string) (*entry, error) {
	record, err := t.records.Load(ctx, o.address(kind, id))
	if errors.Is(err, parley.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return decode(record, id)
}

func decode(record parley.Record, id string) (*entry, error) {
	e := &entry{id: id, version: record.Version}
	if err := json.Unmarshal(record.Data, e); err != nil {
		return nil, fmt.Errorf("permission %s: %w: %w", id, errDamaged, err)
	}
	return e, nil
}

// errDamaged is for a record that opens and does not make sense.
var errDamaged = errors.New("its record cannot be read")

// save replaces the version that e was loaded with, or creates it.
func (t *table) save(ctx context.Context, o owner, kind string, e entry) error {
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = t.records.Save(ctx, parley.Record{
		Address: o.address(kind, e.id), Owner: o.user, Data: data, Version: e.version, Expires: e.forgotten(),
	})
	return err
}

// put stores a person's word unless a later one is there.
func (t *table) put(ctx context.Context, o owner, next entry) error {
	return t.persist(ctx, func() error {
		old, err := t.load(ctx, o, permissionKind, next.id)
		if err == nil {
			_, err = t.replace(ctx, o, old, next)
		}
		return err
	})
}

// putOver is put for who has read before what is there; nil: nothing was. It reports whether
// next is there now as it was given. What has changed since is read.
func (t *table) putOver(ctx context.Context, o owner, old *entry, next entry) (stored bool, err error) {
	first := true
	err = t.persist(ctx, func() (err error) {
		if !first {
			if old, err = t.load(ctx, o, permissionKind, next.id); err != nil {
				return err
			}
		}
		first = false
		stored, err = t.replace(ctx, o, old, next)
		return err
	})
	return stored, err
}

// replace stores next over what was read, unless that is a later word.
func (t *table) replace(ctx context.Context, o owner, old *entry, next entry) (stored bool, err error) {
	next.version = 0
	if old != nil {
		if !old.yields(next) {
			return false, nil
		}
		next.version = old.version
	}
	err = t.save(ctx, o, permissionKind, next)
	return err == nil, err
}

// each calls fn with every entry of the owner whose id begins with prefix.
func (t *table) each(ctx context.Context, o owner, prefix string, fn func(entry)) error {
	var found []entry
	err := t.persist(ctx, func() error {
		found = nil
		return t.scan(ctx, o, prefix, func(e entry) { found = append(found, e) })
	})
	for _, e := range found {
		fn(e)
	}
	return err
}

// scan is each, once.
func (t *table) scan(ctx context.Context, o owner, prefix string, fn func(entry)) error {
	person := len(o.address(permissionKind, "").Key)
	for record, err := range parley.Each(ctx, t.records, o.address(permissionKind, prefix), "") {
		if err != nil {
			return err
		}
		e, err := decode(record, record.Key[person:])
		if err != nil {
			return err
		}
		fn(*e)
	}
	return nil
}

// refused reports whether the person refuses calls that are the same as this one, in
// whatever session.
func (t *table) refused(ctx context.Context, s subject) (no bool, err error) {
	err = t.scan(ctx, s.owner(), denialPrefix, func(e entry) {
		no = no || e.Effect == Deny && e.Digest == s.digest && e.inForce()
	})
	return no, err
}

// persist calls op until it succeeds, fails for good, or has failed for longer
// than the patience. Every op reads before it writes: what another process has
// changed, or an attempt of its own whose reply was lost, it finds there.
func (t *table) persist(ctx context.Context, op func() error) error {
	err := patience.Plan{For: t.patience, Final: final, Soon: parley.Overtaken}.Do(ctx, op)
	if err != nil && !final(err) && ctx.Err() == nil {
		return fmt.Errorf("the store failed for %v: %w", t.patience, err)
	}
	return err
}

// final reports whether trying again cannot help.
func final(err error) bool {
	for _, known := range []error{
		ErrNotPermitted, ErrConsumed, ErrCondition, errDamaged, parley.ErrNotFound, parley.ErrSettled, parley.ErrTooManyPending, parley.ErrNotSealed,
		seal.ErrMalformed, seal.ErrUnknownKey, seal.ErrTampered, seal.ErrNoSecret,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}
