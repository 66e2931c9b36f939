package sqlitestore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-hq/parley/sqlitestore"
)

// wantNoWrite expects a rehearsal to name what cannot be written.
func wantNoWrite(t *testing.T, path, named string) {
	t.Helper()
	var err error
	asAnybody(t, func() { err = sqlitestore.Rehearse(path) })
	if err == nil || !strings.Contains(err.Error(), named+": permission denied") {
		t.Errorf("Rehearse = %v, want that %s cannot be written", err, named)
	}
}

func TestADirectoryThatCannotBeWrittenIsToldBeforeTheFirstStart(t *testing.T) {
	path := public(t)
	dir := filepath.Dir(path)
	for name, mode := range map[string]os.FileMode{"may be read": 0o555, "may be written": 0o777} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if mode == 0o555 {
			wantNoWrite(t, path, "the directory "+dir)
			continue
		}
		asAnybody(t, func() {
			if err := sqlitestore.Rehearse(path); err != nil {
				t.Errorf("a directory that %s: %v", name, err)
			}
		})
	}
	if made, err := os.ReadDir(dir); err != nil || len(made) > 0 {
		t.Errorf("it left %v, %v", made, err)
	}
}

// Somebody else looked at it first: what they made is theirs.
func TestFilesThatCannotBeWrittenAreNamed(t *testing.T) {
	path := public(t)
	if err := os.Chmod(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	open(t, path, nil)
	for _, suffix := range []string{"", "-wal", "-shm", "-bell"} {
		for _, other := range []string{"", "-wal", "-shm", "-bell"} {
			mode := os.FileMode(0o666)
			if other == suffix {
				mode = 0o444
			}
			if err := os.Chmod(path+other, mode); err != nil {
				t.Fatal(err)
			}
		}
		wantNoWrite(t, path, "the file "+path+suffix)
	}
	if err := os.Chmod(path+"-bell", 0o666); err != nil {
		t.Fatal(err)
	}
	asAnybody(t, func() {
		if err := sqlitestore.Rehearse(path); err != nil {
			t.Error(err)
		}
	})
}

func TestADirectoryForTemporaryFilesIsNeededToMakeTheFile(t *testing.T) {
	path := fresh(t)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if err := sqlitestore.Rehearse(path); err == nil || !strings.Contains(err.Error(), os.TempDir()) {
		t.Error(err)
	}
	if _, err := sqlitestore.Open(t.Context(), path, nil); err == nil {
		t.Error("it was opened")
	}
}

func TestWhatHasAFileForADirectoryIsRefused(t *testing.T) {
	file := fresh(t)
	open(t, file, nil)
	if err := sqlitestore.Rehearse(filepath.Join(file, "parley.db")); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Error(err)
	}
}

// public is the path of a file in a directory that other users can reach.
func public(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "parley-sqlite-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "parley.db")
}
