package slackapp

import (
	"context"
	"errors"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/slackapp/card"
)

// submitted takes what somebody entered into a modal. It is called within Slack's request,
// of which ctx is the time that is left: nil closes the modal, a response says otherwise.
// On an error the modal stays open and says that it should be tried again.
func (a *App) submitted(ctx context.Context, in slack.InteractionCallback) (*slack.ViewSubmissionResponse, error) {
	p, ok := card.Submitted(in.View)
	if !ok {
		return nil, nil
	}
	who, err := a.person(ctx, in.Team.ID, in.User.ID)
	if errors.Is(err, ErrNotLinked) || errors.Is(err, ErrNoWorkspace) {
		return notice("Not linked", "Your Slack account is not linked to anybody here, so nothing was done."), nil
	}
	if err != nil {
		return nil, err
	}
	q, err := a.hub.Get(ctx, who, p.Question)
	if errors.Is(err, parley.ErrNotFound) {
		return notice("Not yours", notTheirs), nil
	}
	if err != nil {
		return nil, err
	}
	shown := card.Question{Request: q, Public: a.opts.PublicURL}
	answer, ok := card.Entered(shown, p.Verb, in.View.State)
	if !ok {
		return notice("On its page", a.unoffered(q)), nil
	}
	err = a.hub.Answer(ctx, who, q.ID, answer)
	if wrong := card.Errors(shown, p.Verb, err); len(wrong) > 0 {
		return slack.NewErrorsViewSubmissionResponse(wrong), nil
	}
	said, err := a.refused(ctx, who, shown, err)
	if said == "" {
		return nil, err
	}
	return notice("Nothing was done", said), nil
}

// notice puts words in place of a modal's form.
func notice(heading, words string) *slack.ViewSubmissionResponse {
	view := card.Notice(heading, words)
	return slack.NewUpdateViewSubmissionResponse(&view)
}
