package config_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

func TestWhatIsProbablyNotMeantIsWarnedOf(t *testing.T) {
	const tokens = "secrets: [\"${PARLEY_SECRET}\"]\nauth: {jwt: {issuer: https://app.example, audience: parley, hmac_key: \"${KEY}\"}}\nservers: {shop: {url: https://shop.example/mcp}}\n"
	for text, want := range map[string]string{
		tokens + "gateway: {fallback: page}":                                                                                 "gateway.fallback: page sends people to hosted pages, where nobody can sign in",
		tokens + "rules: [{name: two, server: shop, approvers: \"2 of [ada, bob]\"}]":                                        "rules[0].approvers: nobody can sign in to approve",
		tokens + "rules: [{name: a, server: warehouse, approve: refuse}]":                                                    `rules[0].server: no server of this file is called "warehouse"`,
		strings.Replace(tokens, "https://shop.example/mcp}", "https://shop.example/mcp, auth: {type: mcp, scope: user}}", 1): "servers.shop.auth.scope: each person connects an account",
		strings.Replace(tokens, "auth: {", "auth: {people: separate, ", 1):                                                   "auth.people: separate says nothing",
		tokens + "limits: {trusted_proxies: [10.0.0.0/8, 0.0.0.0/0]}":                                                        "limits.trusted_proxies[1]: 0.0.0.0/0 is everybody",
		tokens + "limits: {trusted_proxies: [\"::/0\"]}":                                                                     "limits.trusted_proxies[0]: ::/0 is everybody",
		tokens + "limits: {trusted_proxies: [10.0.0.0/8, \"::1\"]}":                                                          "",
		strings.Replace(tokens, "{shop:", "{shop__x:", 1):                                                                    "servers.shop__x: __ stands between a server's name and its tool's",
		strings.Replace(tokens, "{shop:", "{shop_:", 1):                                                                      "servers.shop_: __ stands between",
		tokens: "",
		"dev: true\nservers: {shop: {url: https://shop.example/mcp}}\ngateway: {fallback: page}\nrules: [{name: a, server: \"s*\", approve: refuse}]": "",
	} {
		c, err := config.Parse([]byte(text), env(nil))
		if err != nil {
			t.Fatal(err)
		}
		said := c.Explain()
		if (want == "") == strings.Contains(said, "WARNING") || !strings.Contains(said, want) {
			t.Errorf("%s\nsays\n%s\nwant %q", text, said, want)
		}
	}
}

// A rule that protects a server which is not there protects nothing.
func TestARuleForAMisspeltServerIsRefused(t *testing.T) {
	_, err := config.Parse([]byte("dev: true\nservers: {shop: {url: https://shop.example/mcp}}\nrules:\n  - {name: a, server: shp, approve: refuse}\n"), env(nil))
	if err == nil || !strings.Contains(err.Error(), `line 4: rules[0].server: there is no server "shp"; did you mean shop?`) {
		t.Error(err)
	}
}

func TestNoSecretIsExplained(t *testing.T) {
	for _, store := range []string{"postgres://parley:hunter2@db.example/parley?sslpassword=hunter2", "redis://:hunter2@r.example:6379/0", "postgres://parley:hunt%zzer2@db/parley", "sqlite:parley.db",
		"postgres://db.example/parley?user=parley&password=hunter2", "postgresql://parley:hunter2@db.example,db2.example/parley#hunter2", "postgres:host=db user=parley password=hunter2", "postgres:password=hunter2",
		"rediss://parley:hunter2@r.example:6379/0?password=hunter2", "redis:hunter2", "sqlite:parley.db?key=hunter2",
		"postgres://parley:hunter2@hunter3@db.example/parley", "postgres://parley:12/hunter2@db.example/parley", "redis://hunter2:12#34@r.example/0",
	} {
		c, err := config.Parse([]byte("dev: true\nstore: \""+store+"\"\nservers: {a: {url: \"https://a.example/mcp?key=hunter2\"}, b: {command: [node, hunter2]}}\n"), env(nil))
		if err != nil {
			t.Errorf("%s: %v", store, err)
			continue
		}
		if said := c.Explain(); strings.Contains(said, "hunt") || !strings.Contains(said, "keeps its data in "+store[:5]) {
			t.Errorf("%s: %s", store, said)
		}
	}
}

// A store that is no URL may be a password, or a connection string that has one.
func TestAStoreThatIsNoURLIsNotRepeated(t *testing.T) {
	for _, store := range []string{"hunter2", "host=db password=hunter2", "password=hunter2 host=a:b", "hunter2:x"} {
		if _, err := config.Parse([]byte("dev: true\nstore: \""+store+"\"\n"), env(nil)); err == nil || strings.Contains(err.Error(), "hunt") || !strings.Contains(err.Error(), "store: ") {
			t.Errorf("%s: %v", store, err)
		}
	}
}

func TestAPortThatIsNoneIsRefused(t *testing.T) {
	for _, listen := range []string{"127.0.0.1:99999", "127.0.0.1:-1", "127.0.0.1:no-such-service"} {
		if _, err := config.Parse([]byte("dev: true\nlisten: \""+listen+"\"\n"), env(nil)); err == nil || !strings.Contains(err.Error(), "listen: ") {
			t.Errorf("%s: %v", listen, err)
		}
	}
}
