package slackapp

import (
	"context"

	"github.com/slack-go/slack"
)

// pressed does what a press of a button asks for. It is called by whichever process has
// the job, soon after the press, and again after a death or an error: saying the same twice
// must change nothing.
func (a *App) pressed(_ context.Context, _ slack.InteractionCallback) error { return nil }
