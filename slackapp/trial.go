package slackapp

import (
	"context"
	"fmt"
	"io"
	"log"
	"strings"
	"time"

	"github.com/slack-go/slack"
)

// Workspace asks Slack of which workspace the configured token is, and returns its name.
func (a *App) Workspace(ctx context.Context) (string, error) {
	w, err := a.own(ctx)
	return w.Name, err
}

// Socket asks Slack whether it would open a socket for the configured token of the app.
func (a *App) Socket(ctx context.Context) error {
	api := slack.New("", slack.OptionAppLevelToken(a.opts.AppToken.Reveal()), slack.OptionAPIURL(a.opts.APIURL), slack.OptionHTTPClient(a.pace), slack.OptionLog(log.New(io.Discard, "", 0)))
	_, _, err := api.StartSocketModeContext(ctx)
	return err
}

// Channel asks Slack whether the app is in a channel of the configured token's workspace,
// by its id, or TEAM/CHANNEL. Of another workspace it says nothing.
func (a *App) Channel(ctx context.Context, channel string) error {
	w, err := a.own(ctx)
	if err != nil {
		return err
	}
	if team, of, named := strings.Cut(channel, "/"); named {
		if team != w.Team {
			return nil
		}
		channel = of
	}
	_, err = a.speak(w.token).GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{ChannelID: channel, Limit: 1})
	if is(err, "channel_not_found", "not_in_channel", "is_archived") {
		err = fmt.Errorf("%w: invite the app to it (/invite), or name another", err)
	}
	return err
}

// introduce asks Slack once who the app is, so that the operator reads at the start that
// the token is wrong, and not when somebody has written.
func (a *App) introduce(ctx context.Context) {
	const patience = 30 * time.Second
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	w, err := a.own(ctx)
	switch {
	case refusesToken(err):
		a.opts.Logger.ErrorContext(ctx, "slack refuses the token of the configuration: nothing is said or taken there until slack.bot_token is right", "err", err)
	case err != nil && context.Cause(ctx) == nil:
		a.opts.Logger.WarnContext(ctx, "slack not reached", "err", err)
	case err == nil:
		a.opts.Logger.InfoContext(ctx, "slack workspace", "team", w.Team, "tenant", w.Tenant)
	}
}

// refusesToken reports whether Slack does not know a token, or not any more.
func refusesToken(err error) bool {
	return is(err, "invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired")
}
