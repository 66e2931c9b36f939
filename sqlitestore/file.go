package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
)

// locate returns the one absolute name of the file at path. Connections are
// opened later too, when the program may have changed its directory, and
// processes that come by different symbolic links must find the same bell.
func locate(path string) (string, error) {
	if path == "" || strings.Contains(path, ":memory:") || strings.HasPrefix(path, "file:") {
		return "", fmt.Errorf("sqlitestore: %q is not the path of a file: "+
			"name one such as parley.db, or use parley.NewMemoryStore to keep nothing", path)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("sqlitestore: %w", err)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("sqlitestore: the directory of %s does not exist: create it first: %w", path, err)
	}
	if err != nil {
		return "", fmt.Errorf("sqlitestore: %w", err)
	}
	path = filepath.Join(dir, filepath.Base(path))
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil:
		return "", fmt.Errorf("sqlitestore: %w", err)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("sqlitestore: %s is not a regular file: name a file, such as %s",
			path, filepath.Join(path, "parley.db"))
	}
	return path, nil
}

// create makes an empty file that only its owner can read, unless there is one.
//
// SQLite does it, not os.OpenFile. Closing any descriptor of a file drops all
// locks that the process has on it, those of another Store on the same file
// too; only SQLite knows when closing is safe. It takes the permissions from
// the file that modeof names, and gives its -wal and -shm files the same.
func create(ctx context.Context, path string, patience time.Duration) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	model, err := os.CreateTemp("", "parley-mode-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(model.Name())
	if err := model.Close(); err != nil {
		return err
	}
	db, err := connect(path, url.Values{"modeof": {model.Name()}}.Encode())
	if err != nil {
		return err
	}
	err = patiently(ctx, patience, func() error { return db.PingContext(ctx) })
	return errors.Join(err, db.Close())
}

// connect is sql.Open for the file at path, whatever characters are in it.
func connect(path, settings string) (*sql.DB, error) {
	name := filepath.ToSlash(path)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a Windows volume
	}
	// A misspelt column is an error, not a string, and errors have their own text.
	settings += "&_dqs=0&_error_rc=1"
	dsn := url.URL{Scheme: "file", Path: name, RawQuery: settings}
	connector, err := sqlite.NewConnector(dsn.String())
	if err != nil {
		return nil, fmt.Errorf("sqlitestore: %w", err)
	}
	return sql.OpenDB(connector), nil
}
