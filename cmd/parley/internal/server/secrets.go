package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/seal"
)

// checkSecrets finds out whether this node has every secret that something is sealed
// with, and notes its own. A *seal.MissingError, or the store's error.
func (s *Server) checkSecrets(ctx context.Context) error {
	err := s.keys.Claim(ctx, s.store)
	if err == nil {
		s.known.Do(func() { close(s.ours) })
	}
	return err
}

// foreign reports whether err says that a secret is missing here.
func foreign(err error) bool {
	var missing *seal.MissingError
	return errors.As(err, &missing)
}

// tellForeign tells the operator once, at start if the store is there, who may not look
// at /readyz.
func (s *Server) tellForeign(ctx context.Context) error {
	if err := s.checkSecrets(ctx); foreign(err) {
		s.strange.Do(func() {
			s.opts.Logger.ErrorContext(ctx, "secret is foreign", "err", err, "secrets", fmt.Sprint(s.keys))
		})
	}
	return nil
}

// isOurs reports whether this node has had every secret that was in use.
func (s *Server) isOurs() bool {
	select {
	case <-s.ours:
		return true
	default:
		return false
	}
}

const (
	secretsEvery = time.Second     // how often a node that may not work looks whether it may
	secretsTime  = 2 * time.Second // how long a look takes at most
)

// lookForSecrets looks until this node has every secret that is in use.
func (s *Server) lookForSecrets(ctx context.Context) {
	for !s.isOurs() && patience.Sleep(ctx, secretsEvery) {
		looking, stop := context.WithTimeout(ctx, secretsTime)
		_ = s.tellForeign(looking)
		stop()
	}
}

// own runs what works on the store by itself, but not before this node is known to have
// every secret that is in use: no other could open what it leaves there.
func (s *Server) own(ctx context.Context, run func(context.Context) error) error {
	if !s.isOurs() {
		select {
		case <-s.ours:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return run(ctx)
}

// noteSecrets looks once at all that is stored, where a version before may have left no
// note of what is in use. What is sealed with a secret that nobody noted is told, and
// stops nobody: it may be a single record, and not ours.
func (s *Server) noteSecrets(ctx context.Context) {
	if s.sealed == nil {
		return
	}
	unknown, err := s.keys.Note(ctx, s.sealed)
	for id, n := range unknown {
		s.opts.Logger.ErrorContext(ctx, "secret is missing", "key", id, "records", n, "do", "put it behind the first of secrets, if it was one of this site")
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, errors.ErrUnsupported) {
		s.opts.Logger.WarnContext(ctx, "secrets in use not looked for", "err", err)
	}
}

// ownSite serves nobody on a node that lacks a secret: what it stored no other node
// could open, or it takes what others stored for gone. Once it is known to have them all it
// looks no more: what others add meanwhile takes away its readiness alone.
func (s *Server) ownSite(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if operates(r) {
			next.ServeHTTP(w, r)
			return
		}
		if !s.isOurs() {
			ctx, stop := context.WithTimeout(r.Context(), secretsTime)
			err := s.checkSecrets(ctx)
			stop()
			if foreign(err) { // while the store is away, whoever needs it says so
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
