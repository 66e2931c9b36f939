package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/parley-hq/parley/redisstore"
)

// ErrNone says that there is nothing of Parley where a URL leads to.
var ErrNone = errors.New("there is no Parley store")

// OpenKept is Open for who works on what a store has: it makes nothing. ErrNone where there
// is nothing, ErrNotMade where the tables have another version than this program's.
func OpenKept(ctx context.Context, url string, opts *Options) (Store, error) {
	rest, space, err := cutSpace(url)
	if err != nil {
		return nil, err
	}
	store, err := openAsIs(ctx, url, opts, func(have, known int) error {
		switch {
		case have == 0:
			return none(rest, space)
		case have != known:
			return fmt.Errorf("%w: they have version %d, and it wants %d: use the program that the nodes run, or start a node with this one", ErrNotMade, have, known)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if redis, ok := store.(*redisstore.Store); ok {
		empty, err := redis.Empty(ctx)
		if err == nil && empty {
			err = none(rest, space)
		}
		if err != nil {
			return nil, errors.Join(err, store.Close())
		}
	}
	return store, nil
}

// none says where nothing is, and what was looked for, without a password.
func none(at, space string) error {
	scheme, rest, _ := strings.Cut(at, ":")
	if scheme == "sqlite" {
		if path, err := filepath.Abs(rest); err == nil {
			rest = path
		}
		missing := "the file has no tables"
		if _, err := os.Stat(rest); errors.Is(err, os.ErrNotExist) {
			missing = "there is no such file"
		}
		return fmt.Errorf("%w at %s: %s", ErrNone, rest, missing)
	}
	where := scheme + "://"
	if u, err := url.Parse(at); err == nil {
		where += u.Host + u.Path
	}
	space = cmp.Or(space, "parley") // the drivers' default
	if scheme == "redis" || scheme == "rediss" {
		return fmt.Errorf("%w at %s: no key there begins with {%s}", ErrNone, where, space)
	}
	return fmt.Errorf("%w at %s: there is no table %s.migrations", ErrNone, where, space)
}
