package slackapp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
)

// ErrNotLinked says that a Slack user is nobody here, or not any more.
var ErrNotLinked = errors.New("this Slack user is not linked to anybody")

// account is a Slack user.
type account struct {
	Team string `json:"team"`
	User string `json:"user"`
}

// link says who a Slack user is.
type link struct {
	Tenant string    `json:"tenant"`
	User   string    `json:"user"`
	Name   string    `json:"name,omitempty"` // what the Slack user was called then
	Made   time.Time `json:"made"`
}

// A link is a record by the Slack user. Beside it there is one by the person, which only
// says where to look.
const (
	linkKind    = "slack_link"
	accountKind = "slack_account"
)

func linkAt(team, user string) parley.Address {
	return parley.Address{Tenant: anyTenant, Kind: linkKind, Key: team + "/" + user}
}

func accountAt(tenant, user string, of account) parley.Address {
	at := parley.Address{Tenant: tenant, Kind: accountKind, Key: digest(user) + "/"}
	if of.Team != "" {
		at.Key += of.Team + "/" + of.User
	}
	return at
}

// deed is what was done with a link, for the record: who did it, and why, is in how.
func (of account) deed(what, tenant string, how parley.Deed) parley.Deed {
	how.What, how.Tenant, how.Target = what, tenant, of.Team+"/"+of.User
	return how
}

// deactivated is why a link ends whose Slack user is not active any more.
const deactivated = "deactivated"

func byPerson(by parley.Principal) parley.Deed { return parley.Deed{By: by.User, Via: by.Method} }

// bySlack is of what nobody here did.
func bySlack(reason string) parley.Deed { return parley.Deed{Reason: reason, Via: Via} }

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// person is who a Slack user is. ErrNotLinked, ErrNoWorkspace.
func (a *App) person(ctx context.Context, team, user string) (parley.Principal, error) {
	w, err := a.workspace(ctx, team)
	if err != nil {
		return parley.Principal{}, err
	}
	l, err := a.linked(ctx, team, user)
	if err != nil {
		return parley.Principal{}, err
	}
	if l.Tenant != w.Tenant { // the workspace was another tenant's then
		return parley.Principal{}, ErrNotLinked
	}
	active, err := a.active(ctx, team, user)
	if err != nil {
		return parley.Principal{}, err
	}
	if !active {
		return parley.Principal{}, errors.Join(ErrNotLinked, a.unlink(ctx, team, user, bySlack(deactivated)))
	}
	return parley.Principal{Tenant: l.Tenant, User: l.User, Method: Via}, nil
}

// linked is the link of a Slack user. ErrNotLinked.
func (a *App) linked(ctx context.Context, team, user string) (l link, err error) {
	r, err := a.records.Load(ctx, linkAt(team, user))
	if errors.Is(err, parley.ErrNotFound) {
		return l, ErrNotLinked
	}
	if err == nil {
		err = json.Unmarshal(r.Data, &l)
	}
	return l, err
}

// accounts are the Slack users that a person is linked to, in workspaces that the app is
// installed in.
func (a *App) accounts(ctx context.Context, tenant, user string) (all []account, err error) {
	for r, err := range parley.Each(ctx, a.records, accountAt(tenant, user, account{}), "") {
		if err != nil {
			return nil, err
		}
		var of account
		if err := json.Unmarshal(r.Data, &of); err != nil {
			return nil, fmt.Errorf("record %s: %w", r.Key, err)
		}
		who, err := a.person(ctx, of.Team, of.User)
		switch {
		case errors.Is(err, ErrNotLinked), errors.Is(err, ErrNoWorkspace):
			continue
		case err != nil:
			return nil, err
		}
		if who.Tenant == tenant && who.User == user {
			all = append(all, of)
		}
	}
	return all, nil
}

// ErrLinked says that a Slack user is somebody else's already.
var ErrLinked = errors.New("slackapp: this Slack user is linked to another account")

// link makes a link. It goes first: without it the other record says nothing.
func (a *App) link(ctx context.Context, of account, name string, by parley.Principal) error {
	_, err := parley.Update(ctx, a.records, linkAt(of.Team, of.User), func(r *parley.Record) (bool, error) {
		if r.Version != 0 {
			var l link
			if err := json.Unmarshal(r.Data, &l); err != nil {
				return false, err
			}
			if l.Tenant != tenantOf(by) || l.User != by.User {
				return false, ErrLinked
			}
			return false, nil
		}
		var err error
		if r.Data, err = json.Marshal(link{Tenant: tenantOf(by), User: by.User, Name: name, Made: now()}); err == nil {
			err = a.opts.Record.Record(ctx, of.deed("slack.linked", tenantOf(by), byPerson(by)))
		}
		return true, err
	})
	if err != nil {
		return err
	}
	data, err := json.Marshal(of)
	if err != nil {
		return err
	}
	_, err = parley.Put(ctx, a.records, parley.Record{Address: accountAt(tenantOf(by), by.User, of), Data: data})
	return err
}

// unlink ends a link, if there is one.
func (a *App) unlink(ctx context.Context, team, user string, how parley.Deed) error {
	r, err := a.records.Load(ctx, linkAt(team, user))
	if errors.Is(err, parley.ErrNotFound) {
		return nil
	}
	var l link
	if err == nil {
		err = json.Unmarshal(r.Data, &l)
	}
	if err != nil {
		return err
	}
	if how.By == "" {
		how.For = l.User
	}
	if err := a.opts.Record.Record(ctx, account{team, user}.deed("slack.unlinked", l.Tenant, how)); err != nil {
		return err
	}
	if err := a.records.Delete(ctx, r.Address, r.Version); parley.Overtaken(err) || errors.Is(err, parley.ErrNotFound) {
		return nil // somebody else has ended it
	} else if err != nil {
		return err
	}
	if err := a.records.Delete(ctx, accountAt(l.Tenant, l.User, account{team, user}), 0); err != nil && !errors.Is(err, parley.ErrNotFound) {
		return err
	}
	a.opts.Logger.InfoContext(ctx, "slack user unlinked", "team", team, "slack_user", user, "tenant", l.Tenant, "user", l.User)
	return nil
}

// unlinkTeam ends the links of all users of a team.
func (a *App) unlinkTeam(ctx context.Context, team string) error {
	var users []string
	for r, err := range parley.Each(ctx, a.records, linkAt(team, ""), "") {
		if err != nil {
			return err
		}
		users = append(users, r.Key[len(team)+1:])
	}
	for _, user := range users {
		if err := a.unlink(ctx, team, user, bySlack("uninstalled")); err != nil {
			return err
		}
	}
	return nil
}

// Account is a Slack user that is linked to somebody.
type Account struct {
	Team, User string // ids
	Workspace  string // its name
	Name       string // what the user was called when it was linked: anything
}

// Accounts are the Slack users that are linked to a person.
func (a *App) Accounts(ctx context.Context, by parley.Principal) ([]Account, error) {
	found, err := a.accounts(ctx, tenantOf(by), by.User)
	all := make([]Account, 0, len(found))
	for _, of := range found {
		w, err := a.workspace(ctx, of.Team)
		if err != nil {
			return nil, err
		}
		l, err := a.linked(ctx, of.Team, of.User)
		if errors.Is(err, ErrNotLinked) { // just now
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, Account{of.Team, of.User, w.Name, l.Name})
	}
	return all, err
}

// Unlink ends the link of a Slack user who is linked to by. ErrNotLinked.
func (a *App) Unlink(ctx context.Context, by parley.Principal, team, user string) error {
	if !slackID.MatchString(team) || !slackID.MatchString(user) {
		return ErrNotLinked
	}
	l, err := a.linked(ctx, team, user)
	if err != nil {
		return err
	}
	if l.Tenant != tenantOf(by) || l.User != by.User {
		return ErrNotLinked
	}
	return a.unlink(ctx, team, user, byPerson(by))
}
