package server

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/internal/backend"
)

// Check says what New would refuse, and contacts nobody. It builds the server, over a
// store of its own: what is refused there is refused here, in the same words.
func Check(ctx context.Context, cfg *config.Config) error {
	if err := backend.Check(cfg.Store); err != nil {
		return cfg.Locate(fmt.Errorf("store: %w", err))
	}
	copied := *cfg
	copied.Store = "memory:"
	s, err := New(ctx, &copied, &Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	return s.Close()
}
