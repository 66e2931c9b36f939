package slackapp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// The kinds of spots.
const (
	inThread   = "thread"    // where a person talks with an agent
	toPerson   = "person"    // a direct message
	forCircle  = "channel"   // that a rule names, for its approvers
	spotFields = 4           // of its name
	threadMark = "slack-"    // what the conversations of threads begin with
	spotMark   = "\x00slack" // between what a card is about and where it is
)

// spot is where a question is shown. The outbox knows it by its name.
type spot struct {
	Kind    string
	Team    string
	Channel string // empty: a direct message
	Last    string // the thread, or the person
}

func (s spot) name() string { return strings.Join([]string{s.Kind, s.Team, s.Channel, s.Last}, "/") }

func spotNamed(name string) (s spot, ok bool) {
	part := strings.Split(name, "/")
	if len(part) != spotFields {
		return s, false
	}
	return spot{part[0], part[1], part[2], part[3]}, true
}

// Direct implements notify.Messenger: direct messages to whom a person is in Slack.
func (a *App) Direct(ctx context.Context, tenant, user string) (all []string, err error) {
	accounts, err := a.accounts(ctx, tenant, user)
	for _, of := range accounts {
		all = append(all, spot{Kind: toPerson, Team: of.Team, Last: of.User}.name())
	}
	return all, err
}

// Places implements notify.Messenger: the channel that the rule of a call names, for its
// approvers, and beside it a direct message for whom its card does not mention; the thread, for a question that came up in one.
func (a *App) Places(ctx context.Context, r parley.Request) ([]string, error) {
	if channel := channelOf(r); channel != "" {
		team, err := a.teamFor(ctx, r, &channel)
		if errors.Is(err, ErrNoWorkspace) {
			return nil, nil // the approvers are told as they choose
		}
		if err != nil {
			return nil, err
		}
		at := spot{Kind: forCircle, Team: team, Channel: channel}
		direct, err := a.unmentioned(ctx, at, r)
		return append([]string{at.name()}, direct...), err
	}
	if !strings.HasPrefix(r.Session, threadMark) {
		return nil, nil
	}
	at, ok, err := a.threadOf(ctx, r.Tenant, r.To, r.Session)
	if err != nil || !ok {
		return nil, err
	}
	return []string{spot{inThread, at.Team, at.Channel, at.Thread}.name()}, nil
}

// unmentioned are the direct messages to an approver whom the card for several does not
// mention, such as one who is asked only now.
func (a *App) unmentioned(ctx context.Context, at spot, r parley.Request) ([]string, error) {
	record, err := a.records.Load(ctx, toldAt(r.Labels[permit.LabelQuorum], at))
	if errors.Is(err, parley.ErrNotFound) {
		return nil, nil // it will
	}
	var card told
	if err == nil {
		err = json.Unmarshal(record.Data, &card)
	}
	if _, mentioned := card.Mentions[r.To]; err != nil || mentioned {
		return nil, err
	}
	return a.Direct(ctx, r.Tenant, r.To)
}

// channelOf is the channel that a rule names for a question to an approver.
func channelOf(r parley.Request) string {
	if r.Trigger != parley.TriggerApproval || r.Labels[permit.LabelQuorum] == "" || r.Labels[permit.LabelAsker] == "" {
		return ""
	}
	return r.Labels[permit.LabelSlack]
}

// teamFor is the workspace of a rule's channel: the one that the rule names, else one
// of the tenant's, that of whoever is asked before any other.
func (a *App) teamFor(ctx context.Context, r parley.Request, channel *string) (string, error) {
	if team, of, named := strings.Cut(*channel, "/"); named {
		*channel = of
		w, err := a.workspace(ctx, team)
		if err == nil && w.Tenant != r.Tenant {
			err = ErrNoWorkspace
		}
		return w.Team, err
	}
	accounts, err := a.accounts(ctx, r.Tenant, r.To)
	if err != nil {
		return "", err
	}
	if len(accounts) > 0 {
		return accounts[0].Team, nil
	}
	if a.opts.BotToken != "" && a.opts.Tenant == r.Tenant {
		w, err := a.own(ctx)
		return w.Team, err
	}
	teams, err := a.teamsOf(ctx, r.Tenant)
	if err != nil || len(teams) == 0 {
		return "", errors.Join(err, ErrNoWorkspace)
	}
	return teams[0], nil
}
