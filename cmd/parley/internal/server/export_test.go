package server

import (
	"context"
	"time"

	"github.com/parley-hq/parley"
)

// Swept has the store forget what is too old at a time.
func (s *Server) Swept(ctx context.Context, at time.Time) error {
	return s.store.(parley.Sweeper).Sweep(ctx, at)
}
