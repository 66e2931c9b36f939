package config_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

func TestWhatBecomesOfApprovalsIsExplained(t *testing.T) {
	for _, c := range []struct{ gateway, signIn, says, warns string }{
		{"{}", "", "approvals of theirs: deny, since nobody can sign in to give them on their page\n", ""},
		{"{}", "dev: true", "approvals of theirs: page, signed in\n", ""},
		{"{fallback: deny}", "dev: true", "approvals of theirs: deny\n", ""},
		{"{approvals: page}", "", "approvals of theirs: page, where nobody can sign in, so that they are refused\n", "gateway.approvals: page sends people"},
		{"{approvals: app}", "", "approvals of theirs: app\n", "gateway.approvals: app takes the word"},
		{"{approvals: app}", "dev: true", "approvals of theirs: app, else page\n", "gateway.approvals: app takes the word"},
		{"{approvals: allow}", "dev: true", "approvals of theirs: allow\n", "gateway.approvals: allow makes calls"},
		{"{approvals: deny}", "dev: true", "approvals of theirs: deny\n", ""},
	} {
		read, err := config.Parse([]byte(`
public_url: http://127.0.0.1:8420
store: "memory:"
secrets: ["a secret that is long enough, for tests"]
auth: {jwt: {issuer: "https://issuer.example", hmac_key: "a key that is long enough for the tests", audience: "http://127.0.0.1:8420/mcp"}}
gateway: `+c.gateway+"\n"+c.signIn+"\n"), env(nil))
		if err != nil {
			t.Fatal(err)
		}
		said := read.Explain()
		if !strings.Contains(said, c.says) {
			t.Errorf("%+v: %s", c, said)
		}
		if warned := strings.Contains(said, "WARNING: gateway.approvals"); warned != (c.warns != "") || !strings.Contains(said, c.warns) {
			t.Errorf("%+v: %s", c, said)
		}
	}
}
