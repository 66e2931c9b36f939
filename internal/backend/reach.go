package backend

import (
	"context"
	"fmt"
	"strings"

	"github.com/parley-hq/parley/pgstore"
	"github.com/parley-hq/parley/redisstore"
	"github.com/parley-hq/parley/sqlitestore"
)

// Check says what Open would say of a URL before it contacts anybody. Its errors have
// nothing of a password.
func Check(url string) error {
	scheme, rest, _ := strings.Cut(url, ":")
	switch scheme {
	case "memory":
		return nil
	case "sqlite":
		return sqlitestore.CheckPath(rest)
	case "postgres", "postgresql":
		return pgstore.CheckURL(url)
	case "redis", "rediss":
		return redisstore.CheckURL(url)
	}
	return fmt.Errorf("%w", ErrURL)
}

// Reach finds out whether the store that url names is there, and changes nothing in
// it: no table is made or brought up to date.
func Reach(ctx context.Context, url string) error {
	scheme, rest, _ := strings.Cut(url, ":")
	switch scheme {
	case "sqlite":
		return sqlitestore.Reach(ctx, rest)
	case "postgres", "postgresql":
		return pgstore.Reach(ctx, url)
	case "redis", "rediss": // opening it writes nothing
		store, err := redisstore.Open(ctx, url, nil)
		if err != nil {
			return err
		}
		return store.Close()
	}
	return Check(url)
}
