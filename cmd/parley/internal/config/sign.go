package config

import "github.com/parley-hq/parley/passkey"

// signProblems refuses signatures that nobody could give: browsers have passkeys for sites
// with a name, and only who signs in has one.
func (c *Config) signProblems(bad func(string, ...any)) {
	_, err := passkey.Host(c.PublicURL)
	signIn := c.Dev || c.Auth.OIDC != nil || c.Auth.Verifier != nil
	for i, r := range c.Rules {
		switch {
		case r.Sign == "":
		case err != nil:
			bad("rules[%d].sign: public_url: %w", i, err)
		case !signIn:
			bad("rules[%d].sign: nobody can sign in to add a passkey: configure auth.oidc or auth.verifier", i)
		}
	}
}
