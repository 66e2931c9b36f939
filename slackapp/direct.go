package slackapp

import (
	"context"
	"sync"

	"github.com/slack-go/slack"
)

// mostDirects is how many direct messages a process remembers.
const mostDirects = 10_000

// directs remembers the channels of direct messages: Slack has one for each person, for
// ever, and takes far fewer calls that ask for it than messages.
type directs struct {
	mu sync.Mutex
	of map[account]string
}

func newDirects() *directs { return &directs{of: map[account]string{}} }

func (d *directs) known(of account) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.of[of]
}

func (d *directs) keep(of account, channel string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.of) >= mostDirects {
		clear(d.of)
	}
	d.of[of] = channel
}

// direct is the channel of the app's direct message with somebody.
func (a *App) direct(ctx context.Context, api *slack.Client, of account) (string, error) {
	if channel := a.directs.known(of); channel != "" {
		return channel, nil
	}
	opened, _, _, err := api.OpenConversationContext(ctx, &slack.OpenConversationParameters{Users: []string{of.User}})
	if err != nil {
		return "", err
	}
	a.directs.keep(of, opened.ID)
	return opened.ID, nil
}
