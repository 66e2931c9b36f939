package permit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/parley-hq/parley"
)

// Effect is what a permission does.
type Effect string

// The effects. Deny is a refusal that is not asked about again for a while.
const (
	Allow Effect = "allow"
	Deny  Effect = "deny"
)

// Permission is something that a person said and that holds.
type Permission struct {
	ID           string
	Tenant, User string
	Effect       Effect

	// What it covers. What is empty is not restricted.
	Server  string
	Place   string // Call.Place: moved elsewhere, the server is another
	Tool    string
	Session string
	Digest  string // of the call's canonical arguments, see Call.Digest
	Call    string // Call.ID: it holds for this call alone, once

	Arguments string   // canonical JSON, where an always_allow is for exactly these, or a refusal
	By        []string // the approvers who allowed it, for one call of these arguments; empty: the person

	Created  time.Time // when the person said so
	Until    time.Time // zero: until it is revoked
	Question parley.ID // the question to which it was the answer
	Uses     int       // how many calls it has let through; one that was tried again may count twice
}

func (e entry) permission(o owner) Permission {
	return Permission{
		ID: e.id, Tenant: o.tenant, User: o.user, Effect: e.Effect,
		Server: e.Server, Place: e.Place, Tool: e.Tool, Session: e.Session, Digest: e.Digest, Call: e.Call,
		Arguments: string(e.Args), By: e.Quorum.allowedBy(),
		Created: e.Said, Until: e.Until, Question: e.Question, Uses: e.Uses,
	}
}

// List returns what a person has said and what still holds, oldest first:
// always_allow, allow_once that was not used, and refusals that are not asked
// about again, and what approvers allowed them. An empty tenant is the default one.
func (p *Permits) List(ctx context.Context, tenant, user string) ([]Permission, error) {
	o, err := newOwner(tenant, user)
	if err != nil {
		return nil, err
	}
	var list []Permission
	err = p.table.each(ctx, o, "", func(e entry) {
		refusedCall := e.Call != "" && e.Effect == Deny  // over and done with
		othersNo := e.Quorum != nil && e.Effect != Allow // nothing that this person could end
		if e.inForce() && !refusedCall && !othersNo {
			list = append(list, e.permission(o))
		}
	})
	slices.SortFunc(list, func(a, b Permission) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return list, err
}

// Revoke ends a permission: no Consume that begins after it has returned uses
// it. The caller has verified that it acts for the person. Revoking again does
// nothing.
//
// Errors: parley.ErrNotFound; ErrConsumed when it was an allow_once and is used
// up.
func (p *Permits) Revoke(ctx context.Context, tenant, user, id string) error {
	ended, err := p.revoke(ctx, tenant, user, id)
	if ended != nil && err == nil {
		p.opts.Logger.InfoContext(ctx, "permission revoked", "tenant", cmp.Or(tenant, parley.DefaultTenant), "user", user, "service", ended.Server, "tool", ended.Tool, "effect", ended.Effect)
	}
	return err
}

// revoke is Revoke without a word. It returns what ended; nil: it had before.
func (p *Permits) revoke(ctx context.Context, tenant, user, id string) (ended *entry, err error) {
	o, err := newOwner(tenant, user)
	if err != nil {
		return nil, err
	}
	err = p.table.persist(ctx, func() error {
		ended = nil
		e, err := p.table.load(ctx, o, permissionKind, id)
		switch {
		case err != nil:
			return err
		case e == nil || e.Quorum != nil && e.Effect != Allow:
			return fmt.Errorf("permission %.80q: %w", id, parley.ErrNotFound)
		case e.used():
			return fmt.Errorf("permission %s: %w", id, ErrConsumed)
		case e.revoked():
			return nil
		}
		e.Revoked, ended = now(), e
		return p.table.save(ctx, o, permissionKind, *e)
	})
	return ended, err
}

// Lift ends the refusals of a session, so that what the person refused is asked
// about again. It is for the moment when the person has spoken again; a model
// must have no way to it.
func (p *Permits) Lift(ctx context.Context, tenant, user, session string) error {
	o, err := newOwner(tenant, user)
	if err != nil {
		return err
	}
	var ids []string
	err = p.table.each(ctx, o, denials(session), func(e entry) {
		if e.inForce() {
			ids = append(ids, e.id)
		}
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := p.revoke(ctx, tenant, user, id); err != nil && !errors.Is(err, parley.ErrNotFound) {
			return err
		}
	}
	return nil
}

func newOwner(tenant, user string) (owner, error) {
	if user == "" {
		return owner{}, parley.ErrNoOwner
	}
	return owner{cmp.Or(tenant, parley.DefaultTenant), user}, nil
}
