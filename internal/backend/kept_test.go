package backend_test

import (
	"crypto/rand"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/testkit/servers"
)

// Who works on what a store has does not make one where there is none, says where it
// looked and what for, and finds one that is there.
func TestAStoreIsNotMadeForWhoWorksOnWhatItHas(t *testing.T) {
	dir := t.TempDir()
	file, empty := filepath.Join(dir, "parley.db"), filepath.Join(dir, "empty.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	redis, space := servers.OwnRedis(t, nil).URL, strings.ToLower(rand.Text()) // that nobody has used
	for at, want := range map[string]string{
		"sqlite:" + file:                    " at " + file + ": there is no such file",
		"sqlite:" + empty:                   " at " + empty + ": the file has no tables",
		inSpace(servers.Postgres(t), space): ": there is no table parley_" + space + ".migrations",
		redis:                               " at " + redis + ": no key there begins with {parley}",
		inSpace(redis, space):               " at " + redis + ": no key there begins with {parley_" + space + "}",
	} {
		_, err := backend.OpenKept(t.Context(), at, nil)
		if !errors.Is(err, backend.ErrNone) || !strings.HasSuffix(err.Error(), want) || !strings.HasPrefix(err.Error(), "there is no Parley store at ") {
			t.Errorf("%s: %v", at, err)
		}
		if says, err := backend.Reach(t.Context(), at); err != nil || strings.Contains(says, "as this program wants them") {
			t.Errorf("%s was made: %s, %v", at, says, err)
		}
		made, err := backend.Open(t.Context(), at, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := made.Save(t.Context(), parley.Record{Address: parley.Address{Tenant: "acme", Kind: "k", Key: "a"}, Data: []byte("x")}); err != nil {
			t.Error(err)
		}
		kept, err := backend.OpenKept(t.Context(), at, nil)
		if err != nil {
			t.Fatalf("%s, once it is made: %v", at, err)
		}
		if err := errors.Join(kept.Close(), made.Close()); err != nil {
			t.Error(err)
		}
	}
	if made, err := os.Stat(empty); err != nil || made.Size() == 0 {
		t.Error("Open made nothing of the empty file")
	}
}

// Whoever works on what a store has is not told its password.
func TestAStoreThatIsNotThereIsNamedWithoutItsPassword(t *testing.T) {
	at := servers.Postgres(t)
	conn, err := pgx.Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "CREATE ROLE kept_guest LOGIN PASSWORD 'hunter2'"); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(inSpace(at, "nothing"))
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("kept_guest", "hunter2")
	_, err = backend.OpenKept(t.Context(), u.String(), nil)
	if !errors.Is(err, backend.ErrNone) || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "kept_guest") || !strings.Contains(err.Error(), u.Host+u.Path) {
		t.Error(err)
	}
	if _, err := conn.Exec(t.Context(), "DROP ROLE kept_guest"); err != nil {
		t.Error(err)
	}
}
