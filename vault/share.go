package vault

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"slices"

	"github.com/parley-hq/parley"
)

// A connection may lean on another one: that of the same person with another server
// of the same provider. It has no token of its own, since two copies of a refresh
// token end each other; what ends the other connection ends it as well.
//
// It comes about only while a call's question for its server is open, with an account that the
// person connected since on a page that named the server, and between servers that the operator wrote down with a
// provider of the operator's: somebody who may add servers could otherwise have
// tokens sent to them that nobody agreed to.

// shareable reports whether a server's connection could lean on another's, and the
// scopes that it would need.
func (v *Vault) shareable(ctx context.Context, tenant string, server, other Server) (scopes []string, ok bool, err error) {
	for _, s := range []Server{server, other} {
		if s.Tenant != "" || s.Auth.Type != OAuth2 || s.Auth.Scope != User || s.Auth.Source != "" {
			return nil, false, nil
		}
	}
	if server.Name == other.Name {
		return nil, false, nil
	}
	mine, err := v.resolve(ctx, tenant, server)
	if err != nil {
		return nil, false, err
	}
	theirs, err := v.resolve(ctx, tenant, other)
	if errors.Is(err, ErrUnknown) {
		return nil, false, nil
	}
	same := mine.provider.Tenant == "" && mine.provider.Slug() == theirs.provider.Slug() && theirs.provider.Tenant == ""
	return mine.scopes, same && err == nil, err
}

// covers reports whether a token was granted all of the scopes.
func (s stored) covers(scopes []string) bool {
	return !slices.ContainsFunc(scopes, func(one string) bool { return !slices.Contains(s.Scopes, one) })
}

// leans reports whether a question may be answered with another server's connection.
func leans(server Server, q parley.Request) bool {
	return !server.Sign && q.Labels[LabelInvited] == "" && server.Auth.Type == OAuth2 && Reason(q.Labels[LabelReason]) != Insufficient
}

// share makes the connection that a question asks for of one that the person has
// made since with another server, if there is one.
func (v *Vault) share(ctx context.Context, key Key, server Server, q parley.Request) (bool, error) {
	if v.late(q) || !leans(server, q) {
		return false, nil
	}
	all, err := v.Servers(ctx, key.Tenant)
	if err != nil {
		return false, err
	}
	for _, other := range all {
		scopes, ok, err := v.shareable(ctx, key.Tenant, server, other)
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		from, err := v.load(ctx, key.with(other))
		if errors.Is(err, parley.ErrNotFound) {
			continue
		}
		if err != nil {
			return false, err
		}
		if from.Shares != "" || from.Status != Active || from.Connected.Before(q.Created) || !from.fits(other) || !from.covers(scopes) || !from.named(server) {
			continue
		}
		return true, v.replace(ctx, key, &stored{
			Type: OAuth2, Origin: origin(server.URL), Status: Active, Created: v.now(), Connected: v.now(),
			Scopes: scopes, Asked: scopes, Shares: other.Name, Grant: from.Grant,
		})
	}
	return false, nil
}

func (k Key) with(server Server) Key {
	k.Server = server.Name
	return k
}

// leaning is the credential of a connection that leans on another.
func (v *Vault) leaning(ctx context.Context, server Server, key Key, s stored) (Credential, error) {
	if s.Status != Active {
		return Credential{}, v.required(ctx, server, key, Reason(s.Status), s.Wanted)
	}
	other, from, err := v.leansOn(ctx, server, key, s)
	if err != nil {
		return Credential{}, err
	}
	cred, err := v.usable(ctx, other, key.with(other), from)
	var required *RequiredError
	if errors.As(err, &required) {
		return Credential{}, v.required(ctx, server, key, required.Reason, nil)
	}
	if err != nil {
		return Credential{}, err
	}
	mine := credential(server, key, cred.value)
	mine.grant = cred.grant
	return mine, nil
}

// leansOn returns the connection that another leans on, as long as it is the one
// that it was made with.
func (v *Vault) leansOn(ctx context.Context, server Server, key Key, s stored) (Server, stored, error) {
	missing := func() (Server, stored, error) {
		return Server{}, stored{}, v.required(ctx, server, key, Missing, nil)
	}
	other, err := v.Server(ctx, key.Tenant, s.Shares)
	if errors.Is(err, ErrUnknown) {
		return missing()
	}
	if err != nil {
		return Server{}, stored{}, err
	}
	scopes, ok, err := v.shareable(ctx, key.Tenant, server, other)
	if err != nil {
		return Server{}, stored{}, err
	}
	from, err := v.load(ctx, key.with(other))
	if err != nil && !errors.Is(err, parley.ErrNotFound) {
		return Server{}, stored{}, err
	}
	if !ok || err != nil || from.Shares != "" || from.Grant != s.Grant || !from.fits(other) || !from.covers(scopes) {
		return missing()
	}
	return other, from, nil
}

// rejectLeaning notes that a server refused the token of another's connection. A
// fresh one is tried; what is wrong after that is wrong with this server alone.
func (v *Vault) rejectLeaning(ctx context.Context, server Server, c Credential, s stored, more []string) error {
	other, from, err := v.leansOn(ctx, server, c.Key, s)
	if errors.Is(err, ErrRequired) {
		return nil
	}
	if err != nil {
		return err
	}
	if digest := sha256.Sum256([]byte(from.Secret)); subtle.ConstantTimeCompare(digest[:], c.secret[:]) == 0 || s.Status != Active {
		return nil
	}
	switch {
	case len(more) > 0:
		s.Status, s.Wanted = Narrower, union(from.Scopes, more)
	case from.Refresh != "" && v.now().After(from.Forced.Add(forcedAgain)):
		from.Forced, from.Expires = v.now(), v.now()
		return v.save(ctx, c.Key.with(other), &from)
	default:
		s.Status = Refused
	}
	v.toldRefused(ctx, c.Key, s.Status, more)
	return v.save(ctx, c.Key, &s)
}
