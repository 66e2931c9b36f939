package slackapp

import (
	"context"

	"github.com/slack-go/slack"
)

// submitted takes what somebody entered into a modal. It is called within Slack's request,
// of which ctx is the time that is left: nil closes the modal, a response says otherwise.
// On an error the modal stays open and says that it should be tried again.
func (a *App) submitted(_ context.Context, _ slack.InteractionCallback) (*slack.ViewSubmissionResponse, error) {
	return nil, nil
}
