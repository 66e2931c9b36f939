package config_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

const slackHead = `
dev: true
models: {m: {kind: demo}}
agents: {assistant: {model: m}, other: {model: m}}
`

func TestWhatIsWrongWithSlackIsNamed(t *testing.T) {
	for written, want := range map[string]string{
		`{signing_secret: s}`:                                                     "slack: name bot_token for one workspace, or client_id and client_secret",
		`{bot_token: xoxb-1}`:                                                     "slack: name signing_secret, by which Slack's requests are known, or app_token",
		`{bot_token: xoxp-1, signing_secret: s}`:                                  "slack.bot_token: it is the token of a bot, which begins with xoxb-",
		`{bot_token: xoxb-1, app_token: xoxb-1}`:                                  "slack.app_token: it is a token of the app, which begins with xapp-",
		`{client_id: "1.2", signing_secret: s}`:                                   "slack: client_id and client_secret belong together",
		`{bot_token: xoxb-1, client_secret: x, signing_secret: s}`:                "slack: client_id and client_secret belong together",
		`{bot_token: xoxb-1, signing_secret: s, api_url: "http://slack.com/api"}`: "slack.api_url: it is an https URL, or http on this machine",
		`{bot_token: xoxb-1, signing_secret: s, api_url: "https://slack.com/"}`:   "slack.api_url: it ends with /api/",
		`{bot_token: xoxb-1, signing_secret: s, tenant: "a\u0000b"}`:              "slack.tenant:",
		`{client_id: "1.2", client_secret: x, signing_secret: s, tenant: a}`:      "slack.tenant: it is that of the workspace of bot_token",
		`{bot_token: xoxb-1, signing_secret: s, agent: nobody}`:                   `slack.agent: there is no agent "nobody"`,
		`{bot_token: xoxb-1, signing_secret: s, channels: {general: other}}`:      "slack.channels.general: it is no id of a channel",
		`{bot_token: xoxb-1, signing_secret: s, channels: {C0123: nobody}}`:       `slack.channels.C0123: there is no agent "nobody"`,
		`{bot_token: xoxb-1, signing_secret: s, chanels: {}}`:                     "chanels",
	} {
		_, err := config.Parse([]byte(slackHead+"slack: "+written+"\n"), env(nil))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", written, err)
		}
	}
}

func TestSlackIsExplainedWithoutItsSecrets(t *testing.T) {
	c, err := config.Parse([]byte(slackHead+`
public_url: http://127.0.0.1:8420
title: "Acme: Parley"
people: {alice: {admin: true}}
slack: {bot_token: xoxb-secret-1, signing_secret: secret-2, client_id: "1.2", client_secret: secret-3, tenant: acme, channels: {C0123: other}}
`), env(nil))
	if err != nil {
		t.Fatal(err)
	}
	said := c.Explain()
	for _, want := range []string{
		"slack: Slack sends events to http://127.0.0.1:8420/slack/events", "the workspace of bot_token belongs to the tenant acme",
		"administrators install the app at http://127.0.0.1:8420/slack/install", "slack: agent assistant answers\n", "agent other answers in channel C0123",
		"WARNING: slack: Slack does not reach http://127.0.0.1:8420",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in\n%s", want, said)
		}
	}
	if all := said + c.SlackManifest() + fmt.Sprintf("%+v %v", c.Slack, *c.Slack); strings.Contains(all, "secret-") {
		t.Errorf("a secret is told:\n%s", all)
	}
}

func TestTheManifestHasTheRightAddresses(t *testing.T) {
	for written, want := range map[string]string{
		`{bot_token: xoxb-1, signing_secret: s}`:                      "request_url: https://parley.example/slack/events\n    bot_events:\n      - app_mention\n      - message.im\n",
		`{bot_token: xoxb-2, signing_secret: s}`:                      "is_enabled: true\n    request_url: https://parley.example/slack/interactions\n  org_deploy_enabled: false\n  socket_mode_enabled: false\n  token_rotation_enabled: false\n",
		`{client_id: "1.2", client_secret: x, signing_secret: s}`:     "redirect_urls:\n    - https://parley.example/slack/oauth\n  scopes:\n    bot:\n      - app_mentions:read\n      - chat:write\n",
		`{client_id: "1.3", client_secret: x, signing_secret: s}`:     "token_rotation_enabled: true\n",
		`{bot_token: xoxb-1, app_token: xapp-1}`:                      "event_subscriptions:\n    bot_events:\n",
		`{bot_token: xoxb-1, app_token: xapp-1, signing_secret: "s"}`: "is_enabled: true\n  org_deploy_enabled: false\n  socket_mode_enabled: true\n",
	} {
		c, err := config.Parse([]byte(strings.ReplaceAll(slackHead, "dev: true", `
secrets: ["0123456789012345678901234567890123456789"]
auth: {oidc: {issuer: "https://id.example", client_id: p, client_secret: x}}
public_url: https://parley.example`)+"slack: "+written+"\n"), env(nil))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.SlackManifest(); !strings.Contains(got, want) {
			t.Errorf("%s: %q is missing in\n%s", written, want, got)
		}
	}
}

func TestTheManifestOfTheDocumentIsTheOneThatIsPrinted(t *testing.T) {
	c, err := config.Parse([]byte(strings.ReplaceAll(slackHead, "dev: true", `
secrets: ["0123456789012345678901234567890123456789"]
auth: {oidc: {issuer: "https://id.example", client_id: p, client_secret: x}}
public_url: https://parley.example`)+"slack: {bot_token: xoxb-1, signing_secret: s}\n"), env(nil))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../../docs/slack.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```yaml\n"+c.SlackManifest()+"```\n") {
		t.Errorf("docs/slack.md has another manifest than\n%s", c.SlackManifest())
	}
}
