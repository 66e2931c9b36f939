package slackapp

import (
	"context"
	"errors"

	"github.com/parley-hq/parley"
)

// ErrNotLinked says that a Slack user is nobody here, or not any more.
var ErrNotLinked = errors.New("this Slack user is not linked to anybody")

// account is a Slack user.
type account struct {
	Team string `json:"team"`
	User string `json:"user"`
}

// person is who a Slack user is. ErrNotLinked, ErrNoWorkspace.
func (a *App) person(_ context.Context, _, _ string) (parley.Principal, error) {
	return parley.Principal{}, ErrNotLinked
}

// accounts are the Slack users that a person is linked to, in workspaces that the app is
// installed in.
func (a *App) accounts(_ context.Context, _, _ string) ([]account, error) {
	return nil, nil
}
