package slackapp

import "context"

// place is a thread of Slack's.
type place struct {
	Team    string `json:"team"`
	Channel string `json:"channel"`
	Thread  string `json:"thread"` // the ts of its first message
}

// threadOf is where a conversation of a person's is held in Slack, if it is: their session
// was begun by a message there. Whoever names a session so elsewhere has no such thread.
func (a *App) threadOf(_ context.Context, _, _, _ string) (at place, ok bool, err error) {
	return place{}, false, nil
}
