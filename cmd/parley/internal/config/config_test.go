package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

// contract is the configuration that the design fixes.
const contract = `
listen: 127.0.0.1:8420
public_url: http://127.0.0.1:8420
advertise: http://127.0.0.1:8420   # where other nodes reach this one; default: listen
store: sqlite:parley.db
secrets: ["${PARLEY_SECRET}"]
dev: false
auth:
  jwt: {issuer: https://app.example, audience: parley, hmac_key: "${KEY}", tenant_claim: tenant}
  oidc: {issuer: https://id.example, client_id: parley, client_secret: x}
  api_keys: [{name: ci, sha256: 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae}]
models:
  default: {kind: openai, base_url: http://127.0.0.1:9000/v1, api_key: "${K}", model: gpt}
providers:
  acme: {auth_url: https://acme.example/a, token_url: https://acme.example/t, client_id: x, client_secret: y, scopes: [read]}
servers:
  tracker:
    url: http://127.0.0.1:9100/mcp
    auth: {type: oauth2, scope: user, provider: acme}
    approve: unsafe
agents:
  assistant: {model: default, instructions: Help., servers: [tracker], delegates: [researcher]}
  researcher: {a2a: http://127.0.0.1:9200}
gateway: {servers: [tracker], fallback: page, expose: tools}
slack: {bot_token: "${SLACK_TOKEN}", signing_secret: "${SLACK_SIGNING}", api_url: https://slack.com/api/}
`

func env(more map[string]string) func(string) (string, bool) {
	all := map[string]string{
		"PARLEY_SECRET": strings.Repeat("s", 32), "KEY": strings.Repeat("k", 32), "K": "sk", "SLACK_TOKEN": "t", "SLACK_SIGNING": "g",
	}
	for k, v := range more {
		all[k] = v
	}
	return func(name string) (string, bool) { v, ok := all[name]; return v, ok }
}

func TestTheContractIsUnderstood(t *testing.T) {
	c, err := config.Parse([]byte(contract), env(map[string]string{"K": "a: \"tricky\"\n- value"}))
	if err != nil {
		t.Fatal(err)
	}
	if c.Models["default"].APIKey != "a: \"tricky\"\n- value" {
		t.Errorf("a variable changed what the file means: %q", c.Models["default"].APIKey)
	}
	if c.Servers["tracker"].Auth.Scope != "user" || c.Auth.JWT.TenantClaim != "tenant" || c.Gateway.Expose != "tools" || len(c.Secrets[0]) != 32 {
		t.Errorf("%+v", c)
	}
}

func TestTheShortestConfigurationHasDefaults(t *testing.T) {
	c, err := config.Parse([]byte("dev: true\n"), env(nil))
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != "127.0.0.1:8420" || c.PublicURL != "http://127.0.0.1:8420" || c.Store != "sqlite:parley.db" {
		t.Errorf("%+v", c)
	}
}

func TestWrongConfigurationsAreNamed(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string // in the contract
		want     string
	}{
		"unknown key":       {"listen:", "lisen:", "lisen"},
		"its line":          {"    approve: unsafe", "    aprove: unsafe", "line 20: servers.tracker.aprove: there is no such key; did you mean approve?"},
		"unset variable":    {"${K}", "${NOBODY}", "models.default.api_key: the environment has no NOBODY"},
		"short secret":      {"${PARLEY_SECRET}", "short", "secrets"},
		"unknown provider":  {"provider: acme", "provider: apex", "servers.tracker.auth.provider"},
		"unknown server":    {"servers: [tracker], delegates", "servers: [tracer], delegates", "agents.assistant.servers"},
		"unknown model":     {"model: default", "model: best", "agents.assistant.model"},
		"unknown delegate":  {"[researcher]", "[nobody]", "agents.assistant.delegates"},
		"public http":       {"public_url: http://127.0.0.1:8420", "public_url: http://parley.example", "public_url"},
		"dev for everybody": {"dev: false", "dev: true\norigins: []", ""},
		"stdio auth":        {"url: http://127.0.0.1:9100/mcp", "command: [node, server.js]", "servers.tracker.auth"},
		"approve":           {"approve: unsafe", "approve: sometimes", "servers.tracker.approve"},
		"store":             {"store: sqlite:parley.db", "store: mysql:parley", "store"},
		"server's name":     {"  tracker:\n", "  the tracker:\n", "letters, digits"},
		"server's url":      {"url: http://127.0.0.1:9100/mcp", "url: tracker", "servers.tracker.url: "},
		"auth type":         {"type: oauth2", "type: oauth3", "servers.tracker.auth.type: "},
		"auth scope":        {"scope: user", "scope: everybody", "servers.tracker.auth.scope: "},
		"short key":         {"${KEY}", "abc", "auth.jwt.hmac_key"},
		"any issuer":        {"jwt: {issuer: https://app.example, ", "jwt: {", "auth.jwt: issuer and audience are needed"},
		"for anybody":       {"audience: parley, ", "", "auth.jwt: issuer and audience are needed"},
		"api key":           {"2c26b46b", "zzzz", "auth.api_keys[0]"},
		"a key twice":       {"api_keys: [", "api_keys: [{name: other, tenant: rival, sha256: 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae}, ", "auth.api_keys[1]: this sha256 is that of auth.api_keys[0] already"},
		"name of a key":     {"api_keys: [", "api_keys: [{name: \"parley-program:x\", sha256: 3c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae}, ", "auth.api_keys[0].name"},
		"an origin":         {"dev: false", "dev: false\norigins: [https://a.example/x]", "origins[0]: "},
		"a rule twice":      {"dev: false", "dev: false\nrules: [{name: a, approve: never}, {name: a, approve: always}]", "rules[1].name: \"a\" is the name of rules[0] already"},
		"an input":          {"instructions: Help.", "instructions: Help., input: {type: object, properties: {amount: {type: number}}, required: [amount]}", ""},
		"no input":          {"instructions: Help.", "instructions: Help., input: {type: string}", "agents.assistant.input: the input is not the schema of an object"},
		"input taken":       {"instructions: Help.", "instructions: Help., input: {type: object, properties: {conversation: {type: string}}}", "agents.assistant.input: the input has a property"},
		"no schema":         {"instructions: Help.", "instructions: Help., input: {type: object, properties: {a: {pattern: \"(\"}}}", "agents.assistant.input: the input is no JSON schema"},
		"model kind":        {"kind: openai", "kind: oracle", "models.default.kind"},
		"remote's url":      {"a2a: http://127.0.0.1:9200", "a2a: nowhere", "agents.researcher.a2a: "},
		"remote's model":    {"a2a: http://127.0.0.1:9200", "a2a: http://127.0.0.1:9200, model: default", "agents.researcher: it is elsewhere"},
		"remote's account":  {"a2a: http://127.0.0.1:9200", "a2a: http://127.0.0.1:9200, title: Research, auth: {type: bearer, scope: user}", ""},
		"remote's provider": {"a2a: http://127.0.0.1:9200", "a2a: http://127.0.0.1:9200, auth: {type: oauth2, scope: user, provider: apex}", "agents.researcher.auth.provider: there is no provider"},
		"remote's way in":   {"a2a: http://127.0.0.1:9200", "a2a: http://127.0.0.1:9200, auth: {type: mcp, scope: user}", "agents.researcher.auth.type: mcp is how MCP servers"},
		"remote's name":     {"  researcher: {", "  tracker: {a2a: http://127.0.0.1:9200}\n  researcher: {", "agents.tracker: there is a server of that name"},
		"account of ours":   {"instructions: Help.", "instructions: Help., auth: {type: bearer}", "agents.assistant: title and auth are for agents elsewhere"},
		"fallback":          {"fallback: page", "fallback: guess", "gateway.fallback"},
		"apps":              {"fallback: page", "fallback: app, approvals: app", ""},
		"apps by default":   {"fallback: page", "approvals: app", ""},
		"page of apps":      {"fallback: page", "fallback: app, approvals: page", ""},
		"no apps":           {"fallback: page", "fallback: page, approvals: app", "gateway.approvals: app needs fallback: app"},
		"no page":           {"fallback: page", "fallback: model, approvals: page", "gateway.approvals: page needs fallback: page or app"},
		"tokens alone":      {"  oidc: {issuer: https://id.example, client_id: parley, client_secret: x}\n", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(contract, c.old) {
				t.Fatalf("the contract has no %q", c.old)
			}
			_, err := config.Parse([]byte(strings.Replace(contract, c.old, c.new, 1)), env(nil))
			if c.want == "" {
				if err != nil {
					t.Errorf("got %v", err)
				}
				return
			}
			if !errors.Is(err, config.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want one that has %q", err, c.want)
			}
		})
	}
}

// Where one issuer names everybody, the same name is the same person, and nobody
// need say so.
func TestPeopleOfOneIssuerAreNotTakenForThoseOfTwo(t *testing.T) {
	for issuer, two := range map[string]bool{"https://app.example": true, "https://id.example": false} {
		c, err := config.Parse([]byte(strings.Replace(contract, "https://app.example", issuer, 1)), env(nil))
		if err != nil {
			t.Fatal(err)
		}
		if said := c.Explain(); c.TwoIssuers() != two || strings.Contains(said, "auth.people") != two {
			t.Errorf("tokens of %s: two issuers: %t, and it says\n%s", issuer, c.TwoIssuers(), said)
		}
	}
}

func TestARuleIsExplainedAsItWasMeantAndAddressesWithoutKeys(t *testing.T) {
	text := strings.Replace(contract, "url: http://127.0.0.1:9100/mcp", "url: http://127.0.0.1:9100/mcp?key=hush", 1) +
		"rules:\n  - {name: large, tool: pay*, read_only: false, when: args.amount > 100, approvers: \"2 of [ada, bob]\"}\n  - {name: rest, server: tracker, approve: never}\n"
	c, err := config.Parse([]byte(text), env(nil))
	if err != nil {
		t.Fatal(err)
	}
	said := c.Explain()
	for _, want := range []string{
		"rule large: server any, tool pay*, read_only false, when args.amount > 100: approve always by 2 of [ada, bob]; open for 10m (the default)\n",
		"rule rest: server tracker, tool any: approve never\n", "server tracker: http://127.0.0.1:9100/mcp;",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	if strings.Contains(said, "hush") {
		t.Errorf("a key is shown:\n%s", said)
	}
}
