package config_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

// What nobody could sign is refused: the server would ask, and nobody could allow it.
func TestSignaturesNeedASiteWithANameAndPeopleWhoSignIn(t *testing.T) {
	const dev, rule = "dev: true\n", "rules: [{name: transfers, approve: always, sign: passkey}]\n"
	server := func(auth, sign string) string {
		return "servers: {bank: {url: https://bank.example/mcp, auth: " + auth + ", sign: " + sign + "}}\n"
	}
	for text, want := range map[string]string{
		dev + "public_url: http://localhost:8420\n" + rule: "",
		dev + rule: "rules[0].sign: public_url: passkeys need a site with a name: browsers have none for the address 127.0.0.1",
		"secrets: [01234567890123456789012345678901]\npublic_url: https://192.0.2.1\nauth: {verifier: {url: https://app.example/who, key: 01234567890123456789012345678901}}\n" + rule:                "the address 192.0.2.1",
		"secrets: [01234567890123456789012345678901]\npublic_url: https://parley.example\nauth: {jwt: {issuer: https://i.example, audience: a, hmac_key: 01234567890123456789012345678901}}\n" + rule: "rules[0].sign: nobody can sign in",
		dev + "public_url: http://localhost:8420\nrules: [{name: transfers, approve: always, sign: pen}]\n":                                                                                           "nothing to sign with",
		dev + "public_url: http://localhost:8420\nrules: [{name: transfers, approve: never, sign: passkey}]\n":                                                                                        "nothing to sign",
		dev + "public_url: http://localhost:8420\n" + server("{type: api_key, scope: user}", "passkey"):                                                                                               "",
		dev + server("{type: api_key, scope: user}", "passkey"):                                                                                                                                       "servers.bank.sign: public_url:",
		dev + "public_url: http://localhost:8420\n" + server("{type: api_key, scope: user}", "pen"):                                                                                                   "servers.bank.sign: \"pen\"",
		dev + "public_url: http://localhost:8420\n" + server("{type: api_key, scope: platform}", "passkey"):                                                                                           "servers.bank.sign: it is for accounts that each person connects",
	} {
		c, err := config.Parse([]byte(text), func(string) (string, bool) { return "", false })
		if err == nil && strings.Count(c.Explain(), "; sign: passkey, ") != 1 {
			t.Errorf("check does not say that it is signed:\n%s", c.Explain())
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
}
