package config

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/loopback"
	"github.com/parley-hq/parley/slackapp"
)

// Slack is the app in Slack.
type Slack struct {
	BotToken      parley.Secret     `yaml:"bot_token"`      // xoxb-…: of one workspace
	SigningSecret parley.Secret     `yaml:"signing_secret"` // by which Slack's requests are known
	AppToken      parley.Secret     `yaml:"app_token"`      // xapp-…: Socket Mode, without requests from outside
	ClientID      string            `yaml:"client_id"`      // installation by OAuth, in several workspaces
	ClientSecret  parley.Secret     `yaml:"client_secret"`
	APIURL        string            `yaml:"api_url"`  // default https://slack.com/api/
	Tenant        string            `yaml:"tenant"`   // of the workspace of bot_token; default: default
	Agent         string            `yaml:"agent"`    // who answers; default: the one called assistant, or the only one
	Channels      map[string]string `yaml:"channels"` // agents by the ids of channels
}

var slackChannel = regexp.MustCompile(`^[CGD][A-Z0-9]{2,}$`)

func (c *Config) slackProblems(bad func(string, ...any)) {
	s := c.Slack
	if s == nil {
		return
	}
	switch {
	case s.BotToken == "" && s.ClientID == "":
		bad("slack: name bot_token for one workspace, or client_id and client_secret for installation")
	case strings.HasPrefix(s.BotToken.Reveal(), "xoxp-"), strings.HasPrefix(s.BotToken.Reveal(), "xapp-"):
		bad("slack.bot_token: it is the token of a bot, which begins with xoxb-")
	}
	if (s.ClientID == "") != (s.ClientSecret == "") {
		bad("slack: client_id and client_secret belong together")
	}
	switch {
	case s.SigningSecret == "" && s.AppToken == "":
		bad("slack: name signing_secret, by which Slack's requests are known, or app_token for Socket Mode")
	case s.AppToken != "" && !strings.HasPrefix(s.AppToken.Reveal(), "xapp-"):
		bad("slack.app_token: it is a token of the app, which begins with xapp-")
	}
	if s.APIURL != "" {
		u, err := url.Parse(s.APIURL)
		if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && !(u.Scheme == "http" && loopback.Host(u.Hostname())) {
			bad("slack.api_url: it is an https URL, or http on this machine")
		} else if !strings.HasSuffix(strings.TrimSuffix(u.Path, "/"), "/api") {
			bad("slack.api_url: it ends with /api/")
		}
	}
	if s.Tenant != "" && !parley.ValidName(s.Tenant) {
		bad("slack.tenant: %.100q cannot be the name of a tenant", s.Tenant)
	}
	if s.Tenant != "" && s.BotToken == "" {
		bad("slack.tenant: it is that of the workspace of bot_token, which is missing; a workspace that is installed belongs to the tenant of who installs it")
	}
	c.slackAgentProblems(bad)
}

func (c *Config) slackAgentProblems(bad func(string, ...any)) {
	if name := c.Slack.Agent; name != "" {
		if _, ok := c.Agents[name]; !ok {
			bad("slack.agent: there is no agent %.100q%s", name, meant(name, Keys(c.Agents)))
		}
	}
	for _, channel := range Keys(c.Slack.Channels) {
		if !slackChannel.MatchString(channel) {
			bad("slack.channels.%s: it is no id of a channel, such as C0123456789; Slack shows it below the channel's details", channel)
		}
		if name := c.Slack.Channels[channel]; !slices.Contains(Keys(c.Agents), name) {
			bad("slack.channels.%s: there is no agent %.100q%s", channel, name, meant(name, Keys(c.Agents)))
		}
	}
}

func (c *Config) slackWarnings(signIn bool, warn func(string, ...any)) {
	s := c.Slack
	if s == nil {
		return
	}
	if !signIn {
		warn("slack: people link their Slack accounts on a hosted page, where nobody can sign in: configure auth.oidc or auth.verifier")
	}
	if u, err := url.Parse(c.PublicURL); err == nil && loopback.Host(u.Hostname()) && s.AppToken == "" && s.APIURL == "" {
		warn("slack: Slack does not reach %s: set a public_url that it reaches, or app_token for Socket Mode", c.PublicURL)
	}
	if len(c.Agents) > 0 && c.SlackAgent() == "" && len(s.Channels) == 0 {
		warn("slack: nobody answers: name one of the agents as slack.agent, or call one assistant")
	}
	if s.ClientID != "" {
		for _, p := range c.People {
			if p.Admin {
				return
			}
		}
		warn("slack.client_id: nobody may install the app: name an administrator with people.NAME.admin: true")
	}
}

func (c *Config) explainSlack(line func(string, ...any)) {
	s := c.Slack
	if s == nil {
		return
	}
	way := "Slack sends events to " + c.PublicURL + slackapp.EventsPath
	if s.AppToken != "" {
		way = "Socket Mode: this server opens a socket to Slack"
	}
	line("slack: %s", way)
	if s.BotToken != "" {
		line("slack: the workspace of bot_token belongs to the tenant %s", cmp.Or(s.Tenant, parley.DefaultTenant))
	}
	if s.ClientID != "" {
		line("slack: administrators install the app at %s%s, each for their tenant", c.PublicURL, slackapp.InstallPath)
	}
	line("slack: agent %s answers", cmp.Or(c.SlackAgent(), "none, so nobody"))
	for _, channel := range Keys(s.Channels) {
		line("slack: agent %s answers in channel %s", s.Channels[channel], channel)
	}
}

// SlackAgent is who answers in Slack; empty: nobody.
func (c *Config) SlackAgent() string {
	names := Keys(c.Agents)
	switch {
	case c.Slack.Agent != "":
		return c.Slack.Agent
	case slices.Contains(names, "assistant"):
		return "assistant"
	case len(names) == 1:
		return names[0]
	}
	return ""
}

// SlackManifest is what is told to Slack about the app, as YAML; empty where there is
// none.
func (c *Config) SlackManifest() string {
	if c.Slack == nil {
		return ""
	}
	return slackapp.Manifest{Name: c.Title, PublicURL: c.PublicURL, Socket: c.Slack.AppToken != "", Install: c.Slack.ClientID != ""}.YAML()
}
