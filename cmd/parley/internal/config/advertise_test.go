package config_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

func TestAnAddressThatLeadsOtherNodesToThemselvesIsWarnedOf(t *testing.T) {
	for text, want := range map[string]bool{
		"listen: 0.0.0.0:8420\nstore: postgres://db/parley\n":                                  true,
		"listen: :8420\nstore: redis://cache:6379\n":                                           true,
		"listen: '[::]:8420'\nstore: postgresql://db/parley\n":                                 true,
		"listen: 0.0.0.0:8420\nstore: sqlite:parley.db\n":                                      false,
		"listen: 127.0.0.1:8420\nstore: postgres://db/parley\n":                                false,
		"listen: 10.0.0.2:8420\nstore: postgres://db/parley\n":                                 false,
		"listen: 0.0.0.0:8420\nadvertise: http://10.0.0.2:8420\nstore: postgres://db/parley\n": false,
	} {
		text = "public_url: https://parley.example\nauth: {jwt: {issuer: https://id.example, audience: parley, jwks_url: https://id.example/keys}}\nsecrets: [\"q7Zk2m9Xw4Tn8Rb5Vc1Ys6Hd3Lf0Gj2P\"]\n" + text
		c, err := config.Parse([]byte(text), func(string) (string, bool) { return "", false })
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		all := strings.Join(c.Warnings(), "\n")
		if got := strings.Contains(all, "write the address at which they reach this one, such as advertise: http://10.0.0.2:8420"); got != want {
			t.Errorf("%s: %q", text, all)
		}
	}
}
