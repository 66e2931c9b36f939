package nango

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// Forget empties a place and deletes its connections at Nango, also those that
// we were not told of. From its first step on nothing that happened before
// fills the place again: no webhook that comes late or twice, and no session
// that is still open.
//
// vault.ErrNoCredential when there is none; vault.ErrNotRevoked when the place
// is empty but Nango could not be told. Then Forget may be called again.
func (s *Source) Forget(ctx context.Context, at vault.Place) error {
	p, err := s.leave(ctx, at)
	if err != nil {
		return err
	}
	if p.version == 0 {
		return fmt.Errorf("%v: %w", at, vault.ErrNoCredential)
	}
	at.Integration = p.Integration // which the server may have meant before
	deleted, err := s.remove(ctx, at, p)
	if err != nil {
		s.opts.Logger.WarnContext(ctx, "connection not deleted at Nango",
			"server", at.Server, "scope", at.Scope, "integration", at.Integration, "err", err)
		return fmt.Errorf("%v: %w", at, vault.ErrNotRevoked)
	}
	err = s.records.Delete(ctx, address(at.Key), p.version)
	switch {
	case err != nil && !errors.Is(err, parley.ErrNotFound) && !errors.Is(err, parley.ErrConflict): // begun anew meanwhile
		return err
	case p.Connection == "" && deleted == 0:
		return fmt.Errorf("%v: %w", at, vault.ErrNoCredential)
	}
	return nil
}

// leave marks a place as empty and returns what was there.
func (s *Source) leave(ctx context.Context, at vault.Place) (place, error) {
	return s.rewrite(ctx, at, func(p *place) bool {
		if p.version == 0 || p.Leaving {
			return false
		}
		p.Leaving = true
		return true
	})
}

// remove deletes the connections of a place at Nango and counts them.
func (s *Source) remove(ctx context.Context, at vault.Place, p place) (int, error) {
	ids := map[string]bool{}
	if p.Connection != "" {
		ids[p.Connection] = true
	}
	all, listErr := s.list(ctx, at)
	for _, one := range all {
		if p.owns(one.Tags[tagRef]) && one.Integration == at.Integration && idForm.MatchString(one.ID) {
			ids[one.ID] = true
		}
	}
	deleted, errs := 0, listErr
	for id := range ids {
		var answer struct{}
		switch err := s.do(ctx, connectionCall(http.MethodDelete, at, id), &answer); {
		case err == nil:
			deleted++
		case !errors.Is(err, errGone):
			errs = errors.Join(errs, err)
		}
	}
	return deleted, errs
}
