package sqlitestore_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/sqlitestore"
)

func TestManyProcessesMayOpenAFreshFileAtOnce(t *testing.T) {
	for range 3 {
		path := fresh(t)
		var others []*process
		for range 3 {
			others = append(others, start(t, "rest", path))
		}
		var opening sync.WaitGroup
		for range 8 {
			opening.Go(func() {
				s, err := sqlitestore.Open(t.Context(), path, nil)
				if err != nil {
					t.Error(err)
					return
				}
				if err := s.Put(t.Context(), question("ann"), 0); err != nil {
					t.Error(err)
				}
				if err := s.Close(); err != nil {
					t.Error("close: ", err)
				}
			})
		}
		opening.Wait()
		for _, other := range others {
			other.finish(t)
		}
		found, err := open(t, path, nil).List(t.Context(), parley.Query{})
		if err != nil || len(found) != 8 {
			t.Fatalf("found %d requests, %v; want 8", len(found), err)
		}
	}
}

func TestOnlyTheOwnerMayReadTheFiles(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	put(t, s, question("ann"))
	files, err := filepath.Glob(path + "*")
	if err != nil || len(files) != 4 {
		t.Fatalf("files %v, %v; want the database, -wal, -shm and -bell", files, err)
	}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != 0o600 {
			t.Errorf("%s has mode %v, want 0600", file, got)
		}
	}
}

func TestClosingLeavesOneFileWithEverythingInIt(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	id := put(t, s, question("ann"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		if _, err := os.Stat(path + suffix); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", suffix, err)
		}
	}
	moved := fresh(t)
	if err := os.Rename(path, moved); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, moved, nil).Get(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

func TestAClosedStoreSaysSo(t *testing.T) {
	s := open(t, fresh(t), nil)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, get := s.Get(t.Context(), "x")
	_, save := s.Save(t.Context(), parley.Record{})
	for _, err := range []error{get, save, s.Put(t.Context(), question("ann"), 0), s.Watch(t.Context(), func(parley.ID) {})} {
		if !errors.Is(err, sqlitestore.ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
	}
}

func TestAnyFileNameWorks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?c=%41#&mode=memory;ü.db")
	put(t, open(t, path, nil), question("ann"))
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
}

func TestASymbolicLinkLeadsToTheSameBell(t *testing.T) {
	path := fresh(t)
	direct := open(t, path, nil)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	linked := open(t, link, nil)
	id := put(t, direct, question("ann"))
	hints := watch(t, linked)
	if err := direct.Settle(t.Context(), id, yes("ann")); err != nil {
		t.Fatal(err)
	}
	if got := <-hints; got != id {
		t.Fatalf("hint %q, want %q", got, id)
	}
	if bells, _ := filepath.Glob(link + "-*"); len(bells) != 0 {
		t.Errorf("files next to the link: %v", bells)
	}
}

func TestOpenRefuses(t *testing.T) {
	write := func(content string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	query := func(text string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			s, err := sqlitestore.Open(t.Context(), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			s.Close()
			if _, err := raw(t, path).Exec(text); err != nil {
				t.Fatal(err)
			}
		}
	}
	tests := []struct {
		name, path string // path: empty for a fresh one
		prepare    func(t *testing.T, path string)
		want       string
	}{
		{name: "nothing in memory", path: ":memory:", want: "parley.NewMemoryStore"},
		{name: "no URI", path: "file:x.db?mode=memory", want: "name one such as parley.db"},
		{name: "a missing directory", path: filepath.Join(t.TempDir(), "no", "such", "x.db"), want: "create it first"},
		{name: "a directory", path: t.TempDir(), want: "not a regular file"},
		{name: "a text file", prepare: write(strings.Repeat("Dear diary, ", 100)), want: "is not a SQLite database"},
		{name: "a newer schema", prepare: query("PRAGMA user_version = 99"), want: "schema version 99 and this program knows versions up to 1"},
		{
			name: "the database of another program", want: "the database of another program",
			prepare: func(t *testing.T, path string) {
				if _, err := raw(t, path).Exec("CREATE TABLE songs (title)"); err != nil {
					t.Fatal(err)
				}
			},
		},
		{
			name: "a damaged file", want: "is damaged",
			prepare: write("SQLite format 3\x00\x10\x00\x01\x01\x00\x40\x20\x20" + strings.Repeat("\xee", 5000)),
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := test.path
			if path == "" {
				path = fresh(t)
			}
			if test.prepare != nil {
				test.prepare(t, path)
			}
			s, err := sqlitestore.Open(t.Context(), path, nil)
			if err == nil {
				s.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %q does not say %q", err, test.want)
			}
		})
	}
}

func TestAForeignDatabaseIsLeftAsItWas(t *testing.T) {
	path := fresh(t)
	db := raw(t, path)
	if _, err := db.Exec("CREATE TABLE songs (title)"); err != nil {
		t.Fatal(err)
	}
	if s, err := sqlitestore.Open(t.Context(), path, nil); err == nil {
		s.Close()
		t.Fatal("opened")
	}
	var mode string
	if err := db.QueryRow("PRAGMA journal_mode").Scan(&mode); err != nil || mode != "delete" {
		t.Errorf("journal mode %q, %v; want delete", mode, err)
	}
}

func TestDamageInTheMiddleOfTheFileIsNamed(t *testing.T) {
	path := fresh(t)
	s := open(t, path, nil)
	for range 50 {
		put(t, s, question("ann"))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(content); i++ {
		content[i] = 0xee
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged, err := sqlitestore.Open(t.Context(), path, nil)
	if err == nil {
		_, err = damaged.List(t.Context(), parley.Query{})
		damaged.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "is damaged: stop its users and restore a backup") {
		t.Errorf("got %v", err)
	}
}

func TestOpenHonoursItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sqlitestore.Open(ctx, fresh(t), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}
