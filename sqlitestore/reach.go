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
// Open. One that is not there yet is fine. It returns the version that its tables
// have, 0 where there are none, and the one that this program knows.
func Reach(ctx context.Context, path string) (have, known int, err error) {
	if path, err = locate(path); err != nil {
		return 0, 0, err
	}
	all, err := steps()
	if err != nil {
		return 0, 0, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return 0, len(all), nil
	}
	db, err := connect(path, reading)
	if err != nil {
		return 0, 0, explain(path, err)
	}
	defer db.Close()
	if have, err = inspect(ctx, db, len(all)); err != nil {
		return 0, 0, explain(path, err)
	}
	return have, len(all), nil
}
