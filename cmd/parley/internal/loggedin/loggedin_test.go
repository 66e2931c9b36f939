package loggedin_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley/cmd/parley/internal/loggedin"
	"github.com/parley-hq/parley/vault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// keychain is the system's, or one that cannot be used.
type keychain struct {
	kept map[vault.Key]string
	fail error
}

func (k *keychain) Fetch(_ context.Context, at vault.Place) (vault.Secret, error) {
	value, ok := k.kept[at.Key]
	if k.fail == nil && !ok {
		return vault.Secret{}, vault.ErrNoCredential
	}
	return vault.Secret{Value: value}, k.fail
}

func (k *keychain) Keep(_ context.Context, at vault.Place, secret vault.Secret) error {
	if k.fail == nil {
		k.kept[at.Key] = secret.Value
	}
	return k.fail
}

func (k *keychain) Forget(_ context.Context, at vault.Place) error {
	delete(k.kept, at.Key)
	return k.fail
}

const at = "https://parley.example"

func one() loggedin.Login {
	return loggedin.Login{ID: "1", User: "alice", Expires: time.Now().Add(time.Hour), Token: "the-token"}
}

func TestATokenIsInTheKeychainAndNotInTheFile(t *testing.T) {
	file, keys := filepath.Join(t.TempDir(), "parley", "logins.json"), &keychain{kept: map[vault.Key]string{}}
	b := loggedin.New(file, keys, false)
	where, err := b.Keep(t.Context(), at, "", one())
	if err != nil || where != "the system's keychain" {
		t.Fatal(where, err)
	}
	if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), "the-token") {
		t.Errorf("%s, %v", data, err)
	}
	if found, ok, err := b.Find(t.Context(), at, ""); err != nil || !ok || found.Token != "the-token" || found.User != "alice" {
		t.Errorf("%+v, %t, %v", found, ok, err)
	}
	for _, other := range []string{"https://parley.example:8443", "http://parley.example", "https://parley.example.evil.example", "https://PARLEY.example"} {
		if found, ok, _ := b.Find(t.Context(), other, ""); ok || found.Token != "" {
			t.Errorf("%s has the token", other)
		}
	}
	if _, ok, _ := b.Find(t.Context(), at, "mcp"); ok {
		t.Error("one for everything is not one for MCP")
	}
	keys.fail = errors.New("locked")
	if _, ok, err := b.Find(t.Context(), at, ""); ok || !errors.Is(err, loggedin.ErrKeychain) || !strings.Contains(err.Error(), "--no-keychain") {
		t.Error(ok, err)
	}
	keys.fail = nil
	if err := b.Forget(t.Context(), at, ""); err != nil || len(keys.kept) != 0 {
		t.Error(err, keys.kept)
	}
	if _, ok, err := b.Find(t.Context(), at, ""); ok || err != nil {
		t.Error(ok, err)
	}
}

func TestWithoutAKeychainATokenIsInAFileOfItsOwner(t *testing.T) {
	for name, b := range map[string]func(file string) *loggedin.Book{
		"none there": func(file string) *loggedin.Book {
			return loggedin.New(file, &keychain{fail: errors.New("no session bus")}, false)
		},
		"not wanted": func(file string) *loggedin.Book {
			return loggedin.New(file, &keychain{kept: map[vault.Key]string{}}, true)
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "parley", "logins.json")
			book := b(file)
			if where, err := book.Keep(t.Context(), at, "mcp", one()); err != nil || where != file {
				t.Fatal(where, err)
			}
			for path, want := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
				if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
					t.Errorf("%s: %v, %v", path, info.Mode(), err)
				}
			}
			if found, ok, err := book.Find(t.Context(), at, "mcp"); err != nil || !ok || found.Token != "the-token" {
				t.Errorf("%+v, %t, %v", found, ok, err)
			}
			for _, mode := range []os.FileMode{0o640, 0o604, 0o602} {
				if err := os.Chmod(file, mode); err != nil {
					t.Fatal(err)
				}
				if _, _, err := book.Find(t.Context(), at, "mcp"); err == nil || !strings.Contains(err.Error(), "chmod 600") {
					t.Errorf("%v: %v", mode, err)
				}
			}
		})
	}
}

func TestALoginThatHasExpiredIsNone(t *testing.T) {
	b := loggedin.New(filepath.Join(t.TempDir(), "logins.json"), &keychain{}, true)
	old := one()
	old.Expires = time.Now().Add(-time.Second)
	if _, err := b.Keep(t.Context(), at, "", old); err != nil {
		t.Fatal(err)
	}
	if found, ok, err := b.Find(t.Context(), at, ""); ok || err != nil || found.ID != "1" {
		t.Errorf("%+v, %t, %v", found, ok, err)
	}
}
