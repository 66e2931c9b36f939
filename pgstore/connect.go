package pgstore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/parley-hq/parley/internal/userinfo"
)

const (
	connectTimeout = 5 * time.Second
	pingTimeout    = 5 * time.Second
)

// parseURL returns the pool's configuration. The schema is not part of it: a
// pooler may refuse search_path at the start of a connection, so every query
// names its schema.
func parseURL(text string, o Options) (*pgxpool.Config, error) {
	if userinfo.Spills(text, userinfo.First) {
		return nil, errors.New("pgstore: the database URL seems to have an @, / or ? in its password: write %40, %2F or %3F for it, as in postgres://user:pass%40word@host:5432/database")
	}
	config, err := pgxpool.ParseConfig(text)
	if err != nil {
		return nil, fmt.Errorf("pgstore: the database URL is not understood%s: write postgres://user:password@host:5432/database", reason(text, err))
	}
	switch {
	case o.MaxConns > 0:
		config.MaxConns = int32(o.MaxConns)
	case !strings.Contains(text, "pool_max_conns"):
		config.MaxConns = defaultMaxConns
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if config.PingTimeout == 0 {
		config.PingTimeout = pingTimeout
	}
	if _, named := config.ConnConfig.RuntimeParams["application_name"]; !named {
		config.ConnConfig.RuntimeParams["application_name"] = "parley"
	}
	config.AfterConnect = preferIndexes
	return config, nil
}

// preferIndexes is for the first minutes of a table. Every statement has its
// index, but for a table of one page the planner prefers to read the page, and a
// prepared statement would go on reading all pages until the next ANALYZE. What
// has to be read whole all the same looks so costly then that the server would
// spend 100 ms on compiling the query.
func preferIndexes(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SET enable_seqscan = off; SET jit = off")
	return err
}

// reason returns why the URL was refused, if that can be told without telling a
// password: the driver's own text quotes what it could not parse, and where a
// URL is broken nobody knows which part of it is the password.
func reason(text string, err error) string {
	u, parseErr := url.Parse(text)
	why := errors.Unwrap(err)
	if parseErr != nil || u.Scheme == "" || why == nil {
		return ""
	}
	secrets := []string{text, u.Query().Get("password"), u.Query().Get("sslpassword")}
	if password, set := u.User.Password(); set {
		secrets = append(secrets, password, url.QueryEscape(password), url.PathEscape(password))
	}
	for _, secret := range secrets {
		if secret != "" && strings.Contains(why.Error(), secret) {
			return ""
		}
	}
	return " (" + why.Error() + ")"
}

// unreachable is a failure to connect, told in one line.
type unreachable struct{ err error }

func (u unreachable) Error() string {
	var causes []string // one a line, and repeated for each way that was tried
	for line := range strings.Lines(u.err.Error()) {
		line = strings.TrimSpace(line)
		if !slices.ContainsFunc(causes, func(said string) bool { return strings.Contains(said, line) }) {
			causes = append(causes, line)
		}
	}
	return "pgstore: cannot connect to the database: " + strings.Join(causes, " ")
}

func (u unreachable) Unwrap() error { return u.err }

// explained returns err as a sentence: what it was that failed, or that the
// database could not be reached in the first place.
func explained(what string, err error) error {
	var failed *pgconn.ConnectError
	if errors.As(err, &failed) && !errors.Is(err, context.Canceled) {
		return unreachable{err}
	}
	return fmt.Errorf("pgstore: %s: %w", what, err)
}
