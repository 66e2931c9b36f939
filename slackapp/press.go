package slackapp

import (
	"context"
	"errors"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// What the app's own buttons are called.
const (
	linkAction = "parley_link"
	stopAction = "parley_stop"
)

// press does what the press of a button asks for.
func (a *App) press(ctx context.Context, in slack.InteractionCallback) error {
	for _, one := range in.ActionCallback.BlockActions {
		switch one.ActionID {
		case linkAction: // Slack opens the page
			return nil
		case stopAction:
			return a.pressedStop(ctx, in, one.Value)
		}
	}
	return a.pressed(ctx, in)
}

// pressedStop stops a run of whoever presses. Somebody else's is not found.
func (a *App) pressedStop(ctx context.Context, in slack.InteractionCallback, run string) error {
	at := place{in.Team.ID, in.Channel.ID, in.Message.ThreadTimestamp}
	who, err := a.person(ctx, in.Team.ID, in.User.ID)
	if err == nil {
		err = a.runs.StopRun(ctx, who, at.conversation(), run)
	}
	switch {
	case errors.Is(err, agent.ErrNoRun):
		return nil
	case errors.Is(err, parley.ErrNotFound), errors.Is(err, ErrNotLinked):
		return a.answer(ctx, message{Team: at.Team, User: in.User.ID, Channel: at.Channel, Thread: at.Thread}, "Only who asked can stop this.")
	}
	return err
}
