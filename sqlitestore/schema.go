package sqlitestore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// Each file in migrations takes the schema from the version before its number
// to its number. A file that was released never changes.
//
// Reading the version and moving it are one transaction that has the write lock
// from its first statement: of two processes that open a fresh file, one creates the
// tables.
//
//go:embed migrations/*.sql
var migrations embed.FS

// application marks a file as ours, in a field of its header that SQLite keeps
// for this ("Parl").
const application = 0x5061726c

// querier is a connection or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// schemaVersion returns the version of the file, or says why it is not ours to
// write.
func (w *writer) schemaVersion(ctx context.Context) (version int, err error) {
	steps, err := steps()
	if err != nil {
		return 0, err
	}
	err = patiently(ctx, w.patience, func() error {
		version, err = inspect(ctx, w.conn, len(steps))
		return err
	})
	return version, err
}

// inspect reads everything in one statement: between two, another process may
// have set up the file.
func inspect(ctx context.Context, db querier, known int) (version int, err error) {
	var owner, tables int
	err = db.QueryRowContext(ctx, `SELECT
		(SELECT user_version FROM pragma_user_version),
		(SELECT application_id FROM pragma_application_id),
		(SELECT count(*) FROM sqlite_schema)`).Scan(&version, &owner, &tables)
	switch {
	case err != nil:
		return 0, err
	case (tables > 0 || version != 0) && owner != application:
		return 0, errors.New("sqlitestore: the file is the database of another program: name another file")
	case version > known:
		return 0, fmt.Errorf("sqlitestore: the file has schema version %d and this program knows versions up to %d: "+
			"run the newer program that wrote it, or name another file", version, known)
	}
	return version, nil
}

// useWAL changes the journal mode, which the file remembers.
func (w *writer) useWAL(ctx context.Context) error {
	return patiently(ctx, w.patience, func() error {
		var mode string
		err := w.conn.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
		if err == nil && mode != "wal" {
			err = fmt.Errorf("sqlitestore: no write-ahead log here (journal mode %s): "+
				"put the file on a local disk", mode)
		}
		return err
	})
}

// migrate brings the schema up to date. Of several processes one does it, and
// the others wait and find it done.
func (w *writer) migrate(ctx context.Context) error {
	steps, err := steps()
	if err != nil {
		return err
	}
	if version, err := w.schemaVersion(ctx); err != nil || version == len(steps) {
		return err
	}
	return patiently(ctx, w.patience, func() error {
		tx, err := w.conn.BeginTx(ctx, nil) // immediate: see writing
		if err != nil {
			return err
		}
		defer tx.Rollback()
		version, err := inspect(ctx, tx, len(steps))
		if err != nil {
			return err
		}
		for _, step := range steps[version:] {
			if _, err := tx.ExecContext(ctx, step); err != nil {
				return err
			}
		}
		mark := fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", len(steps), application)
		if _, err := tx.ExecContext(ctx, mark); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// steps returns the migrations in order.
func steps() ([]string, error) {
	names, err := fs.Glob(migrations, "migrations/*.sql") // sorted
	if err != nil {
		return nil, err
	}
	var all []string
	for _, name := range names {
		text, err := migrations.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, string(text))
	}
	return all, nil
}
