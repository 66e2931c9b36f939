package slackapp

import (
	"context"

	"github.com/slack-go/slack"
)

// Client is the client of a team.
func Client(ctx context.Context, a *App, team string) (*slack.Client, error) {
	return a.client(ctx, team)
}
