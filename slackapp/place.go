package slackapp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/parley-hq/parley"
)

// place is a thread of Slack's.
type place struct {
	Team    string `json:"team"`
	Channel string `json:"channel"`
	Thread  string `json:"thread"` // the ts of its first message
}

// conversation is what agents call it. Everybody who writes in a thread has a conversation
// of their own of that name.
func (p place) conversation() string { return "slack-" + p.Team + "-" + p.Channel + "-" + p.Thread }

const (
	threadKind = "slack_thread"
	threadTime = replyTime
)

func threadAt(tenant, user, conversation string) parley.Address {
	return parley.Address{Tenant: tenant, Kind: threadKind, Key: digest(user) + "/" + digest(conversation)}
}

// keepThread remembers that a person talks in a thread.
func (a *App) keepThread(ctx context.Context, at place, who parley.Principal) error {
	data, err := json.Marshal(at)
	if err != nil {
		return err
	}
	_, err = parley.Put(ctx, a.records, parley.Record{Address: threadAt(tenantOf(who), who.User, at.conversation()), Data: data, Expires: now().Add(threadTime)})
	return err
}

// threadOf is where a conversation of a person's is held in Slack, if it is: their session
// was begun by a message there. Whoever names a session so elsewhere has no such thread.
func (a *App) threadOf(ctx context.Context, tenant, user, session string) (at place, ok bool, err error) {
	r, err := a.records.Load(ctx, threadAt(tenant, user, session))
	if errors.Is(err, parley.ErrNotFound) {
		return place{}, false, nil
	}
	if err == nil {
		err = json.Unmarshal(r.Data, &at)
	}
	return at, err == nil, err
}
