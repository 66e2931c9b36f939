// Package keychain is a source of credentials in the keychain of the operating
// system: macOS's Keychain, Windows' Credential Manager, or the Secret Service
// of a Linux desktop. It is for local development, where keys should not lie in
// a file. A server on its own has no keychain: keep credentials in the vault
// there.
//
// An entry has the service name "parley" and an account that names whose
// credential it is for which server:
//
//	tenant/scope/owner/server
//
// each part escaped as in a URL's path, so that default/user/alice/tracker is
// alice's key for the tracker, and default/platform//tracker everybody's. The
// entry's value is the bare key. So a key may also be entered with the system's
// own tools. One of the platform's or an agent's, for a server of the
// configuration, counts at once; a person's own is entered on the hosted page,
// which says where it goes:
//
//	security add-generic-password -U -s parley -a default/platform//tracker -w
//	secret-tool store --label=tracker service parley username default/platform//tracker
//
// A [Source] takes keys from the hosted page too, and can forget them:
//
//	v, err := vault.New(hub, records, keyring, &vault.Options{
//		Sources: map[string]vault.Source{"keychain": keychain.New()},
//		…
//
// A Source keeps nothing and is safe for concurrent use. The system may ask the
// person to unlock the keychain; who stops waiting for that is let go, and the
// call to the system ends by itself.
package keychain

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/zalando/go-keyring"

	"github.com/parley-hq/parley/vault"
)

const service = "parley"

var (
	// ErrUnavailable is for systems without a keychain that can be used.
	ErrUnavailable = errors.New("the system's keychain cannot be used: it needs a desktop session, on Linux one with a Secret Service " +
		"such as gnome-keyring; start the program in such a session and unlock the keychain, " +
		"or leave out auth.source to keep the credential in the vault")
	// ErrTooLarge is for keys that the system's keychain does not take.
	ErrTooLarge = errors.New("the system's keychain does not take a key of this length (Windows: 2560 bytes, macOS: about 3000): " +
		"leave out auth.source to keep the credential in the vault")
)

// Source reads and writes the keychain. Make it with New.
type Source struct{}

var (
	_ vault.Source    = (*Source)(nil)
	_ vault.Keeper    = (*Source)(nil)
	_ vault.Forgetter = (*Source)(nil)
)

// New returns a source. It does not look whether there is a keychain.
func New() *Source { return &Source{} }

// Fetch returns the credential, vault.ErrNoCredential or ErrUnavailable. White
// space around a value that was entered by hand does not count.
func (s *Source) Fetch(ctx context.Context, at vault.Place) (vault.Secret, error) {
	value, err := wait(ctx, func() (string, error) { return keyring.Get(service, account(at.Key)) })
	if err != nil {
		return vault.Secret{}, explain(at, err)
	}
	value = strings.TrimSpace(value)
	if value == "" {
		return vault.Secret{}, fmt.Errorf("%v: %w", at, vault.ErrNoCredential)
	}
	return vault.Secret{Value: value}, nil
}

// Keep stores a credential in place of an older one. When it expires is not
// kept. ErrTooLarge or ErrUnavailable.
func (s *Source) Keep(ctx context.Context, at vault.Place, secret vault.Secret) error {
	_, err := wait(ctx, func() (string, error) { return "", keyring.Set(service, account(at.Key), secret.Value) })
	return explain(at, err)
}

// Forget removes a credential. vault.ErrNoCredential or ErrUnavailable.
func (s *Source) Forget(ctx context.Context, at vault.Place) error {
	_, err := wait(ctx, func() (string, error) { return "", keyring.Delete(service, account(at.Key)) })
	return explain(at, err)
}

// account is readable, and different for different keys: no part of it has a
// slash of its own.
func account(key vault.Key) string {
	parts := []string{key.Tenant, string(key.Scope), key.Owner, key.Server}
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}

// wait calls the system, which knows no contexts.
func wait(ctx context.Context, call func() (string, error)) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	type result struct {
		value string
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := call()
		done <- result{value, err}
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case r := <-done:
		return r.value, r.err
	}
}

// explain says what an error of the system means. The system's own text holds
// no value.
func explain(at vault.Place, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, keyring.ErrNotFound):
		return fmt.Errorf("%v: %w", at, vault.ErrNoCredential)
	case errors.Is(err, keyring.ErrSetDataTooBig):
		return fmt.Errorf("%v: %w", at, ErrTooLarge)
	}
	return fmt.Errorf("%v: %w: %w", at, ErrUnavailable, err)
}
