package server

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/parley-hq/parley"
)

// readyz says whether requests should come here, and if not why, without anything that
// is a secret: anybody may ask.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	if s.stopping.Load() {
		http.Error(w, "this node is being stopped", http.StatusServiceUnavailable)
		return
	}
	ctx, stop := context.WithTimeout(r.Context(), 2*time.Second)
	defer stop()
	_, err := s.store.List(ctx, parley.Query{Limit: 1})
	if err == nil {
		err = s.checkSecrets(ctx)
	}
	if foreign(err) {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	s.silent.Note(r.Context(), s.opts.Logger, "store does not answer", err)
	if err != nil {
		http.Error(w, "the store does not answer", http.StatusServiceUnavailable)
		return
	}
	if s.Gateway != nil && !s.Gateway.Ready() {
		http.Error(w, "other nodes do not know this one yet", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}
