package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
)

// errForeignSecret says that this node cannot open what others have stored.
var errForeignSecret = errors.New("secrets: what is stored was sealed with another secret, which is not among those of this node")

// Nodes leave a mark for the secret that they seal with: who can open none of the
// marks has a secret of another site. Marks of secrets that nobody uses any more
// are forgotten.
const (
	markKind  = "secret"
	firstMark = "first" // of whoever came first, in the beginning
	markLife  = 30 * 24 * time.Hour
	mostMarks = 100
)

// checkSecrets finds out whether this node can open what others have sealed, and
// leaves its own mark. errForeignSecret, or the store's error.
func (s *Server) checkSecrets(ctx context.Context) error {
	for range 2 {
		marks, err := s.store.Scan(ctx, parley.Address{Tenant: parley.DefaultTenant, Kind: markKind}, "", mostMarks)
		if err != nil {
			return err
		}
		if len(marks) == 0 { // of several that find none, one makes the first
			if err := s.mark(ctx, firstMark, 0); err != nil {
				return err
			}
			continue
		}
		return s.compareMarks(ctx, marks)
	}
	return nil
}

func (s *Server) compareMarks(ctx context.Context, marks []parley.Record) error {
	var own parley.Record
	opens := false
	for _, one := range marks {
		at := parley.Address{Tenant: parley.DefaultTenant, Kind: markKind, Key: one.Key}
		if _, err := s.keys.Open(one.Data, seal.RecordBinding(at, one.Owner)); err == nil {
			opens = true
		}
		if one.Key == s.keys.ID() {
			own = one
		}
	}
	if !opens {
		return errForeignSecret
	}
	if time.Until(own.Expires) > markLife/2 {
		return nil
	}
	return s.mark(ctx, s.keys.ID(), own.Version)
}

// mark leaves a mark, unless another node does so now.
func (s *Server) mark(ctx context.Context, key string, version int64) error {
	_, err := seal.Records(s.store, s.keys, nil).Save(ctx, parley.Record{
		Address: parley.Address{Tenant: parley.DefaultTenant, Kind: markKind, Key: key}, Version: version,
		Data: []byte("opened by whoever has the secret"), Expires: time.Now().Add(markLife).UTC().Truncate(time.Millisecond),
	})
	if parley.Overtaken(err) {
		return nil
	}
	return err
}

// tellForeign tells the operator at start, who may not look at /readyz. A store
// that is away for now is asked again by whoever does.
func (s *Server) tellForeign(ctx context.Context) error {
	if err := s.checkSecrets(ctx); errors.Is(err, errForeignSecret) {
		s.opts.Logger.ErrorContext(ctx, "secret is foreign", "err", err, "secrets", fmt.Sprint(s.keys))
	}
	return nil
}

// ownSite serves nobody on a node with a foreign secret: what it stored no other node
// could open. Once the secret is known to be the site's it looks no more.
func (s *Server) ownSite(next http.Handler) http.Handler {
	var known atomic.Bool
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/healthz", "/readyz", "/metrics": // whoever operates it asks these
			next.ServeHTTP(w, r)
			return
		}
		if !known.Load() {
			ctx, stop := context.WithTimeout(r.Context(), 2*time.Second)
			err := s.checkSecrets(ctx)
			stop()
			if errors.Is(err, errForeignSecret) {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
				return
			}
			known.Store(err == nil) // while the store is away, whoever needs it says so
		}
		next.ServeHTTP(w, r)
	})
}
