package slackapp

import (
	"fmt"
	"strconv"
	"strings"
)

// Manifest says what is told to Slack about the app.
type Manifest struct {
	Name      string // of the app; default Parley
	PublicURL string
	Socket    bool // Socket Mode: Slack calls nobody
	Install   bool // by OAuth, with tokens that rotate
}

// YAML is the manifest as Slack takes it.
func (m Manifest) YAML() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	name := m.Name
	if name == "" {
		name = "Parley"
	}
	line("display_information:\n  name: %s\nfeatures:", strconv.Quote(name))
	line("  app_home:\n    home_tab_enabled: false\n    messages_tab_enabled: true\n    messages_tab_read_only_enabled: false")
	line("  bot_user:\n    display_name: %s\n    always_online: true", strconv.Quote(name))
	line("oauth_config:")
	if m.Install {
		line("  redirect_urls:\n    - %s", m.PublicURL+OAuthPath)
	}
	line("  scopes:\n    bot:")
	for _, scope := range Scopes {
		line("      - %s", scope)
	}
	line("settings:\n  event_subscriptions:")
	if !m.Socket {
		line("    request_url: %s", m.PublicURL+EventsPath)
	}
	line("    bot_events:")
	for _, event := range Events {
		line("      - %s", event)
	}
	line("  interactivity:\n    is_enabled: true")
	if !m.Socket {
		line("    request_url: %s", m.PublicURL+InteractionsPath)
	}
	line("  org_deploy_enabled: false\n  socket_mode_enabled: %t\n  token_rotation_enabled: %t", m.Socket, m.Install)
	return b.String()
}
