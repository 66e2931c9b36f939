package sqlitestore

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// CheckPath says what Open would say of a path: whether it can be that of a file, and
// its directory is there.
func CheckPath(path string) error {
	_, err := locate(path)
	return err
}

// Reach looks at the file and changes nothing: it is made, and brought up to date, by
// Open. One that is not there yet is fine.
func Reach(ctx context.Context, path string) error {
	path, err := locate(path)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	all, err := steps()
	if err != nil {
		return err
	}
	db, err := connect(path, reading)
	if err != nil {
		return explain(path, err)
	}
	defer db.Close()
	if _, err := inspect(ctx, db, len(all)); err != nil {
		return explain(path, err)
	}
	return nil
}
