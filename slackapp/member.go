package slackapp

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/slack-go/slack"
)

// memberTime is how long it is believed that a user is active. Slack tells of most changes
// at once.
const (
	memberTime  = 10 * time.Minute
	mostMembers = 10_000
)

// members remembers who was active when Slack was asked last.
type members struct {
	mu   sync.Mutex
	seen map[account]time.Time
}

func newMembers() *members { return &members{seen: map[account]time.Time{}} }

func (m *members) fresh(of account) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Since(m.seen[of]) < memberTime
}

func (m *members) saw(of account) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.seen) >= mostMembers {
		clear(m.seen)
	}
	m.seen[of] = time.Now()
}

func (m *members) forget(of account) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.seen, of)
}

// active reports whether a user is a member of the team, and not deactivated.
func (a *App) active(ctx context.Context, team, user string) (bool, error) {
	of := account{team, user}
	if a.members.fresh(of) {
		return true, nil
	}
	_, active, err := a.member(ctx, of)
	return active, err
}

// member asks Slack about a user: what they are called there, and whether they are a
// person of this team who is active.
func (a *App) member(ctx context.Context, of account) (name string, active bool, err error) {
	api, err := a.client(ctx, of.Team)
	if err != nil {
		return "", false, err
	}
	u, err := api.GetUserInfoContext(ctx, of.User)
	if is(err, "user_not_found", "user_not_visible") {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	if u.ID != of.User { // it says nothing about them
		return "", false, errAnswer
	}
	if !belongs(of, u) {
		a.members.forget(of)
		return "", false, nil
	}
	a.members.saw(of)
	return cmp.Or(u.Profile.DisplayName, u.RealName, u.Name, of.User), true, nil
}

func belongs(of account, u *slack.User) bool {
	return u.ID == of.User && foreign(of.Team, u.TeamID) == nil && !u.Deleted && !u.IsBot && !u.IsStranger
}

// is reports whether Slack refused a call for one of these reasons.
func is(err error, reasons ...string) bool {
	var refused slack.SlackErrorResponse
	return errors.As(err, &refused) && slices.Contains(reasons, refused.Err)
}
