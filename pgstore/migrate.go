package pgstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// versionTable is where goose notes which migrations were applied.
const versionTable = "migrations"

// migrate brings the schema up to date. When it is already, that costs one
// query on a connection that the pool keeps.
func migrate(ctx context.Context, pool *pgxpool.Pool, schema string) error {
	target, err := latest()
	if err != nil {
		return err
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return explained("connect", err)
	}
	defer conn.Release()
	if err := checkEncoding(conn.Conn().PgConn()); err != nil {
		return err
	}
	current, err := schemaVersion(ctx, conn.Conn(), schema)
	if err != nil {
		return explained("read the version of schema "+schema, err)
	}
	if current > target {
		return tooNew(schema, current, target)
	}
	if current == target {
		return nil
	}
	if err := migrateLocked(ctx, pool.Config().ConnConfig, schema, target); err != nil {
		return explained("bring schema "+schema+" up to date", err)
	}
	return nil
}

func tooNew(schema string, current, target int64) error {
	return fmt.Errorf("pgstore: schema %s has version %d, but this program knows only %d: a newer one has been here; run that, or use another schema",
		schema, current, target)
}

// checkEncoding refuses a database that cannot hold every text. SQL_ASCII keeps
// bytes as they are.
func checkEncoding(conn *pgconn.PgConn) error {
	switch encoding := conn.ParameterStatus("server_encoding"); encoding {
	case "UTF8", "SQL_ASCII", "": // a pooler may keep it to itself
		return nil
	default:
		return fmt.Errorf("pgstore: the database's encoding is %s, which cannot hold every message: create it with ENCODING 'UTF8'", encoding)
	}
}

// migrateLocked applies what is missing while no other node does.
func migrateLocked(ctx context.Context, config *pgx.ConnConfig, schema string, target int64) error {
	db := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "SET search_path TO "+pgx.Identifier{schema}.Sanitize())
		return err
	}))
	defer db.Close() // and with its session goes the lock

	lock, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer lock.Close()
	if _, err := lock.ExecContext(ctx, "SELECT pg_advisory_lock($1)", lockKey(schema)); err != nil {
		return err
	}
	return lock.Raw(func(driver any) error {
		conn := driver.(*stdlib.Conn).Conn()
		switch current, err := schemaVersion(ctx, conn, schema); {
		case err != nil:
			return err
		case current > target:
			return tooNew(schema, current, target)
		case current == target:
			return nil // another node was faster
		}
		if err := createSchema(ctx, conn, schema); err != nil {
			return err
		}
		return apply(ctx, db)
	})
}

// lockKey is the same on every node and, but for chance, another for each schema.
func lockKey(schema string) int64 {
	h := fnv.New64a()
	h.Write([]byte("parley schema " + schema))
	return int64(h.Sum64())
}

// createSchema asks first: creating needs a right that an account for an
// existing schema may not have.
func createSchema(ctx context.Context, conn *pgx.Conn, schema string) error {
	var there bool
	err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)", schema).Scan(&there)
	if err != nil || there {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE SCHEMA "+pgx.Identifier{schema}.Sanitize())
	return err
}

func apply(ctx context.Context, db *sql.DB) error {
	provider, err := newProvider(db)
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

func newProvider(db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, db, files,
		goose.WithTableName(versionTable), goose.WithLogger(goose.NopLogger()), goose.WithDisableGlobalRegistry(true))
}

// latest returns the version that the newest migration file leads to.
func latest() (int64, error) {
	files, err := fs.ReadDir(migrations, "migrations")
	if err != nil {
		return 0, err
	}
	return goose.NumericComponent(files[len(files)-1].Name()) // ReadDir sorts
}

// schemaVersion returns 0 for a schema that does not exist or holds nothing of ours.
func schemaVersion(ctx context.Context, conn *pgx.Conn, schema string) (int64, error) {
	var version int64
	// The simple protocol prepares nothing: one round trip for a query that
	// this connection will not see again.
	err := conn.QueryRow(ctx, "SELECT coalesce(max(version_id), 0) FROM "+pgx.Identifier{schema, versionTable}.Sanitize(),
		pgx.QueryExecModeSimpleProtocol).Scan(&version)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "42P01" { // undefined_table
		return 0, nil
	}
	return version, err
}
