package pgstore

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// CheckURL says what Open would say of a URL without connecting. Its error has
// nothing of the password.
func CheckURL(url string) error {
	_, err := parseURL(url, Options{})
	return err
}

// Reach connects to the database and changes nothing there: tables are made, and
// brought up to date, by Open. It returns the version that they have, 0 where there
// are none, and the one that this program knows. What Open refuses is an error.
func Reach(ctx context.Context, url string, opts *Options) (have, known int, err error) {
	o, err := opts.normal()
	if err != nil {
		return 0, 0, err
	}
	config, err := parseURL(url, o)
	if err != nil {
		return 0, 0, err
	}
	steps, err := readSteps()
	if err != nil {
		return 0, 0, err
	}
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return 0, 0, explained("connect", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := checkEncoding(conn.PgConn()); err != nil {
		return 0, 0, err
	}
	if have, err = schemaVersion(ctx, conn, o.Schema); err != nil {
		return 0, 0, explained("read the version of schema "+o.Schema, err)
	}
	if have > len(steps) {
		return 0, 0, tooNew(o.Schema, have, len(steps))
	}
	return have, len(steps), nil
}
