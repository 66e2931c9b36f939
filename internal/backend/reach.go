package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/parley-hq/parley/pgstore"
	"github.com/parley-hq/parley/redisstore"
	"github.com/parley-hq/parley/sqlitestore"
)

// Check says what Open would say of a URL before it contacts anybody. Its errors have
// nothing of a password.
func Check(url string) error {
	url, _, err := cutSpace(url)
	if err != nil {
		return err
	}
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

// Reach finds out whether the store that url names is there and can be used, and changes
// nothing in it: no table is made or brought up to date. It returns what is to be known
// of it. Tables that a newer program has made are an error, as they are for Open, and so
// is what this user may not make or write.
func Reach(ctx context.Context, url string) (says string, err error) {
	url, space, err := cutSpace(url)
	if err != nil {
		return "", err
	}
	if have, known, tables, err := tablesOf(ctx, url, space); tables {
		if err == nil {
			err = rehearse(ctx, url, space)
		}
		says, err = versions(have, known, err)
		if err == nil && strings.HasPrefix(url, "sqlite:") && os.Geteuid() == 0 {
			says += "; tried as root, who may write nearly everywhere"
		}
		return says, err
	}
	switch scheme, _, _ := strings.Cut(url, ":"); scheme {
	case "redis", "rediss":
		without, err := redisstore.Rehearse(ctx, url, &redisstore.Options{Prefix: space})
		switch {
		case err != nil:
			return "", err
		case without != "":
			return "it is there, and takes what is written. Without the rights " + without + " of its user the others go on ten seconds after a node was killed, not within one", nil
		}
		return "it is there, and takes what is written", nil
	}
	return "it is there", Check(url)
}

// tablesOf says which version the tables of a store have, and which this program knows.
// tables: it is a store that has some.
func tablesOf(ctx context.Context, url, space string) (have, known int, tables bool, err error) {
	switch scheme, rest, _ := strings.Cut(url, ":"); scheme {
	case "sqlite":
		have, known, err = sqlitestore.Reach(ctx, rest)
	case "postgres", "postgresql":
		have, known, err = pgstore.Reach(ctx, url, &pgstore.Options{Schema: space})
	default:
		return 0, 0, false, nil
	}
	return have, known, true, err
}

// rehearse finds out whether a store that has tables could be opened and written.
func rehearse(ctx context.Context, url, space string) error {
	if scheme, rest, _ := strings.Cut(url, ":"); scheme == "sqlite" {
		return sqlitestore.Rehearse(rest)
	}
	return pgstore.Rehearse(ctx, url, &pgstore.Options{Schema: space})
}

// ErrNotMade says that Open would make a store's tables, or bring them up to date.
var ErrNotMade = errors.New("its tables are not yet as this program wants them")

// OpenMade is Open for who must change nothing: ErrNotMade instead of making tables or
// bringing them up to date.
func OpenMade(ctx context.Context, url string, opts *Options) (Store, error) {
	return openAsIs(ctx, url, opts, func(have, known int) error {
		if have != known {
			return ErrNotMade
		}
		return nil
	})
}

// openAsIs is Open unless fit says of the versions that tables have, and that this program
// knows, why not.
func openAsIs(ctx context.Context, url string, opts *Options, fit func(have, known int) error) (Store, error) {
	rest, space, err := cutSpace(url)
	if err != nil {
		return nil, err
	}
	have, known, tables, err := tablesOf(ctx, rest, space)
	if err == nil && tables {
		err = fit(have, known)
	}
	if err != nil {
		return nil, err
	}
	return Open(ctx, url, opts)
}

// versions says which version tables have, and which this program knows.
func versions(have, known int, err error) (string, error) {
	switch {
	case err != nil:
		return "", err
	case have == 0:
		return "it is there; its tables are made at the first start", nil
	case have < known:
		return fmt.Sprintf("it is there; its tables have version %d, and are brought to %d at the next start. Then programs of the version before do not start there", have, known), nil
	}
	return fmt.Sprintf("it is there; its tables have version %d, as this program wants them", have), nil
}
