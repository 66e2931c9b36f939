package sqlitestore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Rehearse finds out whether this user may write what Open writes: the file, those
// next to it, and its directory. It makes nothing.
func Rehearse(path string) error {
	path, err := locate(path)
	if err != nil {
		return err
	}
	dirs := []string{filepath.Dir(path)}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		dirs = append(dirs, os.TempDir()) // see create
	}
	for _, dir := range dirs {
		if err := mayWrite(dir, true); err != nil {
			return fmt.Errorf("sqlitestore: %s: this user cannot make files in the directory %s: %w", path, dir, err)
		}
	}
	for _, suffix := range []string{"", "-wal", "-shm", bellSuffix, nodesSuffix} {
		if err := mayWrite(path+suffix, false); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("sqlitestore: this user cannot write the file %s: %w", path+suffix, err)
		}
	}
	return nil
}
