package config

import (
	"fmt"

	"github.com/parley-hq/parley/passkey"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

// signProblems refuses signatures that nobody could give: browsers have passkeys for sites
// with a name, and only who signs in has one.
func (c *Config) signProblems(bad func(string, ...any)) {
	_, err := passkey.Host(c.PublicURL)
	signIn := c.Dev || c.Auth.OIDC != nil || c.Auth.Verifier != nil
	possible := func(key string) {
		switch {
		case err != nil:
			bad("%s: public_url: %w", key, err)
		case !signIn:
			bad("%s: nobody can sign in to add a passkey: configure auth.oidc or auth.verifier", key)
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
