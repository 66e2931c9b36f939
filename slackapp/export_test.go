package slackapp

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
)

// Client is the client of a team.
func Client(ctx context.Context, a *App, team string) (*slack.Client, error) {
	return a.client(ctx, team)
}

// Bare is an app of one workspace that contacts nobody.
func Bare(records parley.Records, keys *seal.Keyring, team, tenant string) *App {
	a := &App{records: seal.Records(records, keys, nil), keys: keys, members: newMembers(), due: newDue(), parked: newParked()}
	a.opts.BotToken, a.opts.Logger = "token", slog.New(slog.DiscardHandler)
	a.configured.known = &workspace{Team: team, Name: "Acme", Tenant: tenant, Bot: "UBOT"}
	return a
}

// NewWish makes a link for a user, of whom Slack is not asked.
func NewWish(ctx context.Context, a *App, team, user string) (token string, err error) {
	url, err := a.newWish(ctx, account{team, user}, "Acme", "ann")
	_, token, _ = strings.Cut(url, "token=")
	return token, err
}

// NewPace makes calls when Slack takes them.
func NewPace(client *http.Client) *pace { return newPace(client) }

// NewRedial asks for sockets, by what makes the calls.
func NewRedial(to interface {
	Do(*http.Request) (*http.Response, error)
}) *redial {
	return &redial{to: to}
}

// Belongs reports whether a user of Slack's is the one of a team.
func Belongs(team, user string, u slack.User) bool { return belongs(account{team, user}, &u) }

// MessageOf is who said what, by an event, and whether it is a message to the app.
func MessageOf(body []byte, bot string) (user, channel, ts, text string, ok bool) {
	m, ok := messageOf(body)
	return m.User, m.Channel, m.TS, plain(m.Text, bot), ok
}

// Parts cuts a text into messages.
func Parts(text string) []string { return parts(text) }

// Shown is a text of a model's as it is sent.
func Shown(text string) string { return shown(text) }
