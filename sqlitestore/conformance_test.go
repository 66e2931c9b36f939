package sqlitestore_test

import (
	"testing"
	"time"

	"github.com/parley-hq/parley/sqlitestore"
	"github.com/parley-hq/parley/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T, retention time.Duration) (storetest.Backend, func() storetest.Backend) {
		path, opts := fresh(t), &sqlitestore.Options{Retention: retention}
		return open(t, path, opts), func() storetest.Backend { return open(t, path, opts) }
	})
}

func TestAttendance(t *testing.T) {
	storetest.RunAttendance(t, func(t *testing.T, retention time.Duration) (storetest.Backend, func() storetest.Backend) {
		path, opts := fresh(t), &sqlitestore.Options{Retention: retention}
		return open(t, path, opts), func() storetest.Backend { return open(t, path, opts) }
	})
}
