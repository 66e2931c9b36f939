package backend_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/testkit/servers"
)

// Who only looks whether a store is there makes nothing in it, and finds one that was
// made as well as one that was not.
func TestReachingAStoreChangesNothing(t *testing.T) {
	dir := t.TempDir()
	file := "sqlite:" + filepath.Join(dir, "parley.db")
	for name, url := range map[string]string{"SQLite": file, "PostgreSQL": servers.OwnPostgres(t, nil).URL, "Redis": servers.OwnRedis(t, nil).URL, "memory": "memory:"} {
		if says, err := backend.Reach(t.Context(), url); err != nil || (name == "SQLite" || name == "PostgreSQL") != strings.Contains(says, "made at the first start") {
			t.Errorf("%s: %q, %v", name, says, err)
		}
		if name == "SQLite" || name == "PostgreSQL" {
			if _, err := backend.OpenMade(t.Context(), url, nil); !errors.Is(err, backend.ErrNotMade) {
				t.Errorf("%s, before it is made: %v", name, err)
			}
		}
		switch name {
		case "SQLite":
			if made, err := os.ReadDir(dir); err != nil || len(made) > 0 {
				t.Errorf("%s: %v, %v", name, made, err)
			}
		case "PostgreSQL":
			conn, err := pgx.Connect(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			var made bool
			if err := conn.QueryRow(t.Context(), "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'parley')").Scan(&made); err != nil || made {
				t.Errorf("%s: tables: %v, %v", name, made, err)
			}
			if err := conn.Close(t.Context()); err != nil {
				t.Error(err)
			}
		case "Redis":
			conn, err := net.Dial("tcp", strings.TrimPrefix(url, "redis://"))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(conn, "DBSIZE\r\n")
			if said, err := bufio.NewReader(conn).ReadString('\n'); err != nil || said != ":0\r\n" {
				t.Errorf("%s: keys: %q, %v", name, said, err)
			}
			conn.Close()
		}
		store, err := backend.Open(t.Context(), url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if says, err := backend.Reach(t.Context(), url); err != nil || (name == "SQLite" || name == "PostgreSQL") != strings.Contains(says, "as this program wants them") {
			t.Errorf("%s, once it is made: %q, %v", name, says, err)
		}
		if made, err := backend.OpenMade(t.Context(), url, nil); err != nil {
			t.Errorf("%s, once it is made: %v", name, err)
		} else if err := made.Close(); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Root may write what the user of the server may not.
func TestAFileThatRootCouldWriteSaysWhoTried(t *testing.T) {
	says, err := backend.Reach(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "parley.db"))
	if err != nil || (os.Geteuid() == 0) != strings.HasSuffix(says, "; tried as root, who may write nearly everywhere") {
		t.Errorf("%q, %v", says, err)
	}
}

func TestWhatIsNoStoreOfOursIsNotReached(t *testing.T) {
	foreign := filepath.Join(t.TempDir(), "notes.db")
	if err := os.WriteFile(foreign, []byte("these are notes, and no database at all, of whatever kind it might be"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{"sqlite:" + foreign, "sqlite:" + filepath.Dir(foreign), "postgres://127.0.0.1:1/x?connect_timeout=1", "redis://127.0.0.1:1", "mysql://x", ""} {
		if _, err := backend.Reach(context.WithoutCancel(t.Context()), url); err == nil {
			t.Errorf("%q is there", url)
		}
	}
	if err := backend.Check("mysql://x"); !errors.Is(err, backend.ErrURL) {
		t.Error(err)
	}
}

// Who goes back learns that the tables are too new before anything is started.
func TestTablesThatAreTooNewAreTold(t *testing.T) {
	postgres := inSpace(servers.Postgres(t), "versions")
	store, err := backend.Open(t.Context(), postgres, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), servers.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "INSERT INTO parley_versions.migrations (version_id, is_applied) VALUES (9999, true)"); err != nil {
		t.Fatal(err)
	}
	says, err := backend.Reach(t.Context(), postgres)
	if err == nil || !strings.Contains(err.Error(), "schema parley_versions has version 9999, but this program knows only ") {
		t.Errorf("%q, %v", says, err)
	}
	if _, opening := backend.Open(t.Context(), postgres, nil); opening == nil || opening.Error() != err.Error() {
		t.Errorf("opening it says %v", opening)
	}
}
