package parley_test

import (
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/storetest"
)

func TestMemoryStore(t *testing.T) {
	storetest.Run(t, func(_ *testing.T, retention time.Duration) (storetest.Backend, func() storetest.Backend) {
		store := parley.NewMemoryStore()
		store.Retention = retention
		return store, func() storetest.Backend { return store }
	})
}
