package config_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/seal"
)

const twice = "the same secret in the list, two times"

func TestAPlaceThatCannotBeIsSaidAtTheKeyThatWasWritten(t *testing.T) {
	for text, want := range map[string]string{
		"dev: true\nlisten: 8420\n":                                 `line 2: listen: "8420" is not a host and a port: write 127.0.0.1:8420 for this machine alone, or :8420 for all that reach it`,
		"dev: true\nlisten: 0.0.0.0:8420\n":                         `line 2: listen: "0.0.0.0:8420" can be reached from elsewhere, and dev: true is for this machine only: write 127.0.0.1:8420`,
		"dev: true\npublic_url: https://a.test\n":                   "line 1: dev: the user picker is for this machine only, and public_url is not",
		"dev: true\npublic_url: https://u:HUNTER2@parley.test\n":    "line 2: public_url: it has a user or a password, which everybody would be shown: write it like https://parley.example",
		"dev: true\npublic_url: https://u:HUN/TER2@parley.test\n":   "line 2: public_url: it has a user or a password, which everybody would be shown: write it like https://parley.example",
		"dev: true\npublic_url: http://127.0.0.1:1?a=b\n":           `line 2: public_url: "http://127.0.0.1:1?a=b" is not an absolute URL without a path: write it like https://parley.example`,
		"dev: true\norigins: [\"https://u:HUNTER2@parley.test\"]\n": `line 2: origins[0]: "https://parley.test" is not of the form https://host, with no user before it and no / behind it`,
		"dev: true\nsecrets:\n- " + twice + "\n- " + twice + "\n":   "line 2: secrets: secret 2: " + seal.ErrDuplicateSecret.Error(),
	} {
		_, err := config.Parse([]byte(text), nothing)
		if err == nil || strings.TrimPrefix(err.Error(), "invalid configuration: ") != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestARulesConditionIsWrongAtItsOwnLine(t *testing.T) {
	_, err := config.Parse([]byte("dev: true\nrules:\n- name: dear\n  tool: order\n  approve: always\n  when: args.amount >\n"), nothing)
	if err == nil || !strings.HasPrefix(err.Error(), "invalid configuration: line 6: rules[0].when: the rule \"dear\": ") || !strings.Contains(err.Error(), "something is wrong at its end") {
		t.Errorf("%v", err)
	}
}

func TestAReasonIsGivenOnce(t *testing.T) {
	_, err := config.Parse([]byte("dev: true\nservers:\n  tracker: {url: 'https://tracker.example/mcp', auth: {type: bearer, scope: mine}}\n"), nothing)
	if err == nil || err.Error() != `invalid configuration: line 3: servers.tracker.auth.scope: it is "mine"; use platform, mentor or user` {
		t.Errorf("%v", err)
	}
}

// What the vault says of one server, provider or agent is several problems, each with its line.
func TestEachOfSeveralReasonsHasItsOwnLineAndKey(t *testing.T) {
	_, err := config.Parse([]byte(`dev: true
channels:
  smtp: {host: mail.example.com, port: 99999, from: parley@example.com}
servers:
  tracker:
    url: https://tracker.example/mcp
    title: "Acme [EU]"
    auth:
      type: magic
      scope: mine
providers:
  acme:
    auth_url: https://acme.example/authorize
    token_url: https://acme.example/token
    require_iss: true
    secret_in: cookie
models: {demo: {kind: demo}}
agents:
  researcher:
    a2a: nowhere
    auth:
      type: magic
      scope: mine
`), nothing)
	if err == nil {
		t.Fatal("it was taken")
	}
	want := []string{
		"invalid configuration:",
		"line 3: channels.smtp.port: 99999; a port is a number from 1 to 65535, such as 587",
		"line 7: servers.tracker.title: it has brackets, ",
		`line 9: servers.tracker.auth.type: it is "magic"; use none, bearer, api_key, oauth2 or mcp`,
		`line 10: servers.tracker.auth.scope: it is "mine"; use platform, mentor or user`,
		"line 12: providers.acme.client_id: it is missing",
		"line 15: providers.acme.require_iss: it needs issuer",
		`line 16: providers.acme.secret_in: it is "cookie"; use header or body`,
		"line 20: agents.researcher.a2a: ",
		`line 22: agents.researcher.auth.type: it is "magic"; use none, `,
		`line 23: agents.researcher.auth.scope: it is "mine"; use platform, `,
	}
	said := strings.Split(err.Error(), "\n")
	if len(said) != len(want) {
		t.Fatalf("got\n%v\nwant\n%s", err, strings.Join(want, "\n"))
	}
	for i, line := range want {
		if !strings.HasPrefix(said[i], line) {
			t.Errorf("got %s\nwant %s", said[i], line)
		}
	}
}

func TestCheckSaysWhoComesInByKeyAndWhatTheModelsAre(t *testing.T) {
	digest := strings.Repeat("0a", 32)
	c, err := config.Parse([]byte("dev: true\nauth: {api_keys: [{name: nightly, sha256: "+digest+", tenant: acme}, {sha256: "+strings.Repeat("0b", 32)+"}]}\n"+
		"models:\n  big: {kind: openai, model: gpt-x, api_key: hunter2, base_url: 'https://models.example/v1?key=hunter2'}\n  rules: {kind: demo}\n"+
		"servers:\n  open: {url: 'https://a.example/mcp'}\n  mine: {url: 'https://b.example/mcp', auth: {type: bearer, scope: user}}\n"+
		"  all: {url: 'https://c.example/mcp', auth: {type: bearer}}\n"), nothing)
	if err != nil {
		t.Fatal(err)
	}
	said := c.Explain()
	for _, want := range []string{
		"a program comes in by its key: nightly, of the tenant acme, which it manages\n", "a program comes in by its key: auth.api_keys[1], which has no name, of the tenant default, which it manages\n",
		"model big: openai, gpt-x, at https://models.example/v1\n", "model rules: demo, which works by rules\n",
		"server open: https://a.example/mcp; credential: it takes none;", "credential: bearer, each person's own;", "credential: bearer, one for all;",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("without %q:\n%s", want, said)
		}
	}
	for _, secret := range []string{digest, "hunter2"} {
		if strings.Contains(said, secret) {
			t.Errorf("with %q:\n%s", secret, said)
		}
	}
}

func nothing(string) (string, bool) { return "", false }
