package backend_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
)

func TestAURLNamesItsStore(t *testing.T) {
	for _, url := range []string{"memory:", "sqlite:" + filepath.Join(t.TempDir(), "parley.db")} {
		store, err := backend.Open(t.Context(), url, nil)
		if err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		if _, err := store.Get(t.Context(), parley.NewID()); !errors.Is(err, parley.ErrNotFound) {
			t.Errorf("%s: %v", url, err)
		}
		if err := store.Close(); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestABadURLIsAnError(t *testing.T) {
	for _, url := range []string{"", "mysql://x", "parley.db"} {
		if _, err := backend.Open(t.Context(), url, nil); !errors.Is(err, backend.ErrURL) {
			t.Errorf("%q: %v", url, err)
		}
	}
	for _, url := range []string{"sqlite:", "sqlite:/nowhere/at/all/parley.db", "postgres://127.0.0.1:1/x?connect_timeout=1", "redis://127.0.0.1:1"} {
		if store, err := backend.Open(t.Context(), url, nil); err == nil || store != nil {
			t.Errorf("%q opened", url)
		}
	}
}
