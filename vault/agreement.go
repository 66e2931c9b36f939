package vault

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-hq/parley"
)

// A credential that a source keeps has a connection here as well, without a
// secret: what somebody agreed to when they were asked for it. It says where the
// credential may go, like that of a credential of our own.

// fits reports whether a connection was made for the server as it is now: for its
// place, for what it takes, and for who keeps it.
func (s stored) fits(server Server) bool {
	a := server.Auth
	if s.Source != a.Source || a.Source != "" && s.Integration != a.Integration {
		return false
	}
	return s.Type == a.Type && s.Origin == origin(server.URL)
}

// entrusted reports whether a credential at a source needs nobody's agreement:
// that of the platform or an agent, for a server of the configuration. Whoever
// wrote that put the two together.
func entrusted(server Server) bool {
	return server.Auth.Source != "" && server.Tenant == "" && server.Auth.Scope != User
}

// agree remembers what a credential that a source keeps may be used for. question
// is the one that is being answered, by whom it was asked: who declines it after
// all has not agreed. Empty: it is settled as it is.
func (v *Vault) agree(ctx context.Context, server Server, key Key, by string, question parley.ID) error {
	return v.replace(ctx, key, &stored{
		Type: server.Auth.Type, Origin: origin(server.URL), Source: server.Auth.Source, Integration: server.Auth.Integration,
		Status: Active, Created: v.now(), Question: question, By: by,
	})
}

// agreed reports whether an agreement stands. One whose question was settled since
// stands by itself: questions are forgotten.
func (v *Vault) agreed(ctx context.Context, key Key, s stored) (bool, error) {
	if s.Question == "" {
		return true, nil
	}
	p := parley.Principal{Tenant: key.Tenant, User: s.By}
	switch err := v.stillWanted(ctx, p, s.Question); {
	case errors.Is(err, parley.ErrSettled), errors.Is(err, parley.ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	}
	return true, nil
}

// confirm makes the agreement of a question that ended well stand by itself.
func (v *Vault) confirm(ctx context.Context, key Key) {
	s, err := v.load(ctx, key)
	if err != nil || s.Question == "" {
		return
	}
	q, err := v.hub.Get(ctx, parley.Principal{Tenant: key.Tenant, User: s.By}, s.Question)
	if err != nil || q.Pending() || refusedBy(q) {
		return
	}
	s.Question = ""
	if err := v.save(ctx, key, &s); err != nil && !errors.Is(err, parley.ErrConflict) {
		v.opts.Logger.WarnContext(ctx, "agreement not confirmed", "server", key.Server, "scope", key.Scope, "err", err)
	}
}

// ends are where the tokens of a provider may be sent to: what the person was
// sent to get them by.
func (p Provider) ends() []string {
	all := []string{origin(p.TokenURL)}
	if p.RevokeURL != "" {
		all = append(all, origin(p.RevokeURL))
	}
	return all
}

// leads reports whether a provider's URL is one of those that a connection was
// made with. A tenant's provider can be changed by others than the person; what
// the operator changes, and what an issuer says of itself, counts.
func (s stored) leads(p Provider, raw string) bool {
	return p.Tenant == "" || p.server != "" || slices.Contains(s.Ends, origin(raw))
}

// forget ends the agreement, so that nobody is given the credential from then on,
// and tells the source that keeps it.
func (v *Vault) forget(ctx context.Context, server Server, key Key, s stored) error {
	at := Place{Key: key, Integration: server.Auth.Integration}
	keeps := server.Auth.Source
	if s.Source != "" {
		keeps, at.Integration = s.Source, s.Integration
	}
	source, ok := v.opts.Sources[keeps]
	forgetter, able := source.(Forgetter)
	switch {
	case s.Source == "" && !ok:
		return fmt.Errorf("%w: server %s names %q", ErrSource, server.Name, keeps)
	case !able && (s.Source == "" || entrusted(server)):
		return fmt.Errorf("%w: %q cannot disconnect; do it there", ErrSource, keeps)
	}
	if s.Source != "" {
		if err := v.records.Delete(ctx, key.address(), 0); err != nil && !errors.Is(err, parley.ErrNotFound) {
			return err
		}
	}
	if !able {
		return fmt.Errorf("%v: %w", key, ErrNotRevoked)
	}
	err := forgetter.Forget(ctx, at)
	if errors.Is(err, ErrNoCredential) {
		return fmt.Errorf("%v: %w", key, parley.ErrNotFound)
	}
	return err
}
