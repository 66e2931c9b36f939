package config

// explainRedirects says what has to be registered with others, so that they send
// people back.
func (c *Config) explainRedirects(line func(string, ...any)) {
	switch {
	case c.Auth.OIDC != nil:
		line("register with %s: redirect URI %s/login/callback", withoutSecrets(c.Auth.OIDC.Issuer), c.PublicURL)
	case c.Auth.Verifier != nil:
		line("register with %s: people come back to %s/login/verified", withoutSecrets(c.Auth.Verifier.URL), c.PublicURL)
	}
	for _, name := range Keys(c.Providers) {
		line("register with provider %s: redirect URI %s/oauth/callback/%s", name, c.PublicURL, name)
	}
	for _, name := range Keys(c.Servers) {
		if a := c.Servers[name].Auth; a.Type == "mcp" && a.ClientID != "" {
			line("register with %s, for server %s: redirect URI %s/oauth/callback/mcp.%s", withoutSecrets(a.Issuer), name, c.PublicURL, name)
		}
	}
}
