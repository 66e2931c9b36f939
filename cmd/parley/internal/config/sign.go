package config

import (
	"errors"
	"fmt"

	"github.com/parley-hq/parley/passkey"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

// Unsigned says why nobody could sign with a passkey here, nil where people can: browsers
// have passkeys for sites with a name, and only who signs in has one.
func (c *Config) Unsigned() error {
	if _, err := passkey.Host(c.PublicURL); err != nil {
		return fmt.Errorf("public_url: %w", err)
	}
	if !c.Dev && c.Auth.OIDC == nil && c.Auth.Verifier == nil {
		return errors.New("nobody can sign in to add a passkey: configure auth.oidc or auth.verifier")
	}
	return nil
}

// signProblems refuses signatures that nobody could give.
func (c *Config) signProblems(bad func(string, ...any)) {
	err := c.Unsigned()
	possible := func(key string) {
		if err != nil {
			bad("%s: %w", key, err)
		}
	}
	for i, r := range c.Rules {
		if r.Sign != "" {
			possible(fmt.Sprintf("rules[%d].sign", i))
		}
	}
	for _, name := range Keys(c.Servers) {
		s, key := c.Servers[name], "servers."+name+".sign"
		switch {
		case s.Sign == "":
			continue
		case s.Sign != permit.SignPasskey:
			bad("%s: %.40q is nothing to sign with: write passkey", key, s.Sign)
		case s.Auth.Scope != vault.User || s.Auth.Source != "":
			bad("%s: it is for accounts that each person connects here: with auth.scope user, and without auth.source", key)
		}
		possible(key)
	}
}
