// Package loggedin remembers on a person's machine at which servers they are logged in.
//
// A token is in the keychain of the operating system where there is one, and else in
// a file that only its owner can read; what is not secret of a login is in that file
// in any case. A token goes to the server that gave it, by its whole address, and to
// no other.
package loggedin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/parley-hq/parley/vault"
	"github.com/parley-hq/parley/vault/keychain"
)

// Login is one at a server.
type Login struct {
	ID      string    `json:"id"` // of /api/logins
	User    string    `json:"user"`
	Expires time.Time `json:"expires"`
	Token   string    `json:"token,omitempty"` // empty: it is in the keychain
}

// Keychain keeps secrets. *keychain.Source is one.
type Keychain interface {
	Fetch(ctx context.Context, at vault.Place) (vault.Secret, error)
	Keep(ctx context.Context, at vault.Place, secret vault.Secret) error
	Forget(ctx context.Context, at vault.Place) error
}

// Book is the logins of a person on this machine.
type Book struct {
	file  string
	keys  Keychain
	plain bool // new tokens go to the file
}

// ErrKeychain says that a token is in the system's keychain, which does not give it.
var ErrKeychain = errors.New("the system's keychain does not give the token")

// patience is how long the system's keychain may take: it may ask the person.
const patience = 20 * time.Second

// Open returns the logins of whoever runs this program, in parley/logins.json below
// their configuration directory. file says that tokens are kept there too.
func Open(file bool) (*Book, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return nil, fmt.Errorf("there is no place for logins: %w", err)
	}
	return New(filepath.Join(dir, "parley", "logins.json"), keychain.New(), file), nil
}

// New is Open for a certain file and keychain.
func New(file string, keys Keychain, plain bool) *Book {
	return &Book{file: file, keys: keys, plain: plain}
}

// name is what a login is kept under: scope is empty, or what it is only for.
func name(server, scope string) string { return strings.TrimSuffix(server+" "+scope, " ") }

// place is where the keychain has a token.
func place(name string) vault.Place {
	return vault.Place{Key: vault.Key{Scope: "login", Server: name}}
}

// Origin is the part of an address that says which server it is.
func Origin(u *url.URL) string { return strings.ToLower(u.Scheme + "://" + u.Host) }

// Find returns the login at a server, with its token. ok is false if there is none
// that holds.
func (b *Book) Find(ctx context.Context, server, scope string) (found Login, ok bool, err error) {
	all, err := b.read()
	if err != nil {
		return found, false, err
	}
	found, ok = all[name(server, scope)]
	if !ok || !time.Now().Before(found.Expires) {
		return found, false, nil
	}
	if found.Token != "" {
		return found, true, nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	secret, err := b.keys.Fetch(ctx, place(name(server, scope)))
	switch {
	case errors.Is(err, vault.ErrNoCredential):
		return found, false, nil
	case err != nil:
		return found, false, fmt.Errorf("%w of your login at %s: unlock it, or run parley login --server %s --no-keychain", ErrKeychain, server, server)
	}
	found.Token = secret.Value
	return found, true, nil
}

// Keep remembers a login in place of an earlier one, and says where its token is.
func (b *Book) Keep(ctx context.Context, server, scope string, l Login) (where string, err error) {
	all, err := b.read()
	if err != nil {
		return "", err
	}
	where = b.file
	if !b.plain {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if b.keys.Keep(ctx, place(name(server, scope)), vault.Secret{Value: l.Token}) == nil {
			where, l.Token = "the system's keychain", ""
		}
	}
	all[name(server, scope)] = l
	return where, b.write(all)
}

// Forget removes a login.
func (b *Book) Forget(ctx context.Context, server, scope string) error {
	all, err := b.read()
	if err != nil {
		return err
	}
	one, ok := all[name(server, scope)]
	if !ok {
		return nil
	}
	if one.Token == "" {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if err := b.keys.Forget(ctx, place(name(server, scope))); err != nil && !errors.Is(err, vault.ErrNoCredential) {
			return fmt.Errorf("the system's keychain does not forget the token of %s: %w", server, err)
		}
	}
	delete(all, name(server, scope))
	return b.write(all)
}

// read returns all logins. A file that others can read, or write, is not believed.
func (b *Book) read() (map[string]Login, error) {
	info, err := os.Stat(b.file)
	if errors.Is(err, os.ErrNotExist) {
		return map[string]Login{}, nil
	}
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("others can read %s, which has tokens of yours: run chmod 600 on it, and parley logout if somebody may have", b.file)
	}
	data, err := os.ReadFile(b.file)
	if err != nil {
		return nil, err
	}
	all := map[string]Login{}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("%s is not what parley wrote: remove it and log in again (%w)", b.file, err)
	}
	return all, nil
}

// write replaces the file as a whole, so that whoever is killed leaves the old one.
func (b *Book) write(all map[string]Login) error {
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Dir(b.file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	next, err := os.CreateTemp(dir, ".logins-*") // its mode is 0600
	if err != nil {
		return err
	}
	_, err = next.Write(append(data, '\n'))
	err = errors.Join(err, next.Sync(), next.Close())
	if err == nil {
		err = os.Rename(next.Name(), b.file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(next.Name()))
	}
	return nil
}
