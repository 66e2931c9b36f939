package slackapp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
)

// Wish is a Slack user who wants to be somebody here.
type Wish struct {
	Workspace string    // its name
	Team      string    // its id
	Name      string    // what the user is called there: anything
	User      string    // the user's id
	Asked     time.Time // when
}

// What becomes of the links that people follow.
var (
	// ErrUnknownWish: there is no such link, or it has expired.
	ErrUnknownWish = errors.New("slackapp: there is no such link, or it has expired")
	// ErrUsedWish: the link was used.
	ErrUsedWish = errors.New("slackapp: the link was used already")
	// ErrOtherTenant: the workspace is of another tenant than who is signed in.
	ErrOtherTenant = errors.New("slackapp: the workspace belongs to another organization")
)

const (
	wishPurpose = "slack link"
	wishKind    = "slack_wish"
	wishTime    = 15 * time.Minute
)

// wished is a wish as it is stored, by a nonce that is in the link.
type wished struct {
	account
	Workspace string    `json:"workspace"`
	Name      string    `json:"name"`
	Asked     time.Time `json:"asked"`
	Decided   bool      `json:"decided,omitempty"`
	Allowed   bool      `json:"allowed,omitempty"`
	Tenant    string    `json:"tenant,omitempty"` // of who decided
	By        string    `json:"by,omitempty"`
}

func wishAt(nonce string) parley.Address {
	return parley.Address{Tenant: anyTenant, Kind: wishKind, Key: nonce}
}

// wish makes a link for a Slack user, which whoever is signed in confirms once.
func (a *App) wish(ctx context.Context, of account) (url string, err error) {
	w, err := a.workspace(ctx, of.Team)
	if err != nil {
		return "", err
	}
	name, active, err := a.member(ctx, of)
	if err != nil {
		return "", err
	}
	if !active {
		return "", errForeign
	}
	return a.newWish(ctx, of, w.Name, name)
}

func (a *App) newWish(ctx context.Context, of account, workspace, name string) (url string, err error) {
	data, err := json.Marshal(wished{account: of, Workspace: workspace, Name: name, Asked: now()})
	if err != nil {
		return "", err
	}
	nonce, ends := rand.Text(), now().Add(wishTime)
	token, err := a.keys.Token(wishPurpose, []byte(nonce), ends)
	if err != nil {
		return "", err
	}
	if _, err := a.records.Save(ctx, parley.Record{Address: wishAt(nonce), Data: data, Expires: ends}); err != nil {
		return "", err
	}
	return a.opts.PublicURL + LinkPath + "?token=" + token, nil
}

// find returns the wish of a token, and its record.
func (a *App) find(ctx context.Context, token string) (w wished, r parley.Record, err error) {
	nonce, err := a.keys.OpenToken(wishPurpose, token)
	if err != nil {
		return w, r, ErrUnknownWish
	}
	r, err = a.records.Load(ctx, wishAt(string(nonce)))
	if errors.Is(err, parley.ErrNotFound) {
		return w, r, ErrUnknownWish
	}
	if err == nil {
		err = json.Unmarshal(r.Data, &w)
	}
	return w, r, err
}

// Look returns the wish of a link that somebody follows who is signed in. ErrUnknownWish,
// ErrUsedWish, ErrOtherTenant.
func (a *App) Look(ctx context.Context, token string, by parley.Principal) (Wish, error) {
	w, _, err := a.find(ctx, token)
	if err != nil {
		return Wish{}, err
	}
	said := Wish{Workspace: w.Workspace, Team: w.Team, Name: w.Name, User: w.User, Asked: w.Asked}
	if err := a.mayLink(ctx, w.Team, by); err != nil {
		return Wish{}, err
	}
	if w.Decided {
		return said, ErrUsedWish
	}
	return said, nil
}

// mayLink reports whether a person and a workspace are of the same tenant.
func (a *App) mayLink(ctx context.Context, team string, by parley.Principal) error {
	if !by.IsPerson() || by.Validate() != nil {
		return fmt.Errorf("%w: only a person links an account", parley.ErrPrincipal)
	}
	at, err := a.workspace(ctx, team)
	if errors.Is(err, ErrNoWorkspace) {
		return ErrUnknownWish
	}
	if err == nil && at.Tenant != tenantOf(by) {
		return ErrOtherTenant
	}
	return err
}

// Decide links the Slack user of a link to who is signed in, or refuses it; either once. What
// they said in Slack before goes on. Saying the same again changes nothing. Errors as of
// Look, and ErrLinked.
func (a *App) Decide(ctx context.Context, token string, by parley.Principal, allow bool) error {
	w, r, err := a.find(ctx, token)
	if err != nil {
		return err
	}
	if err := a.mayLink(ctx, w.Team, by); err != nil {
		return err
	}
	same := w.Allowed == allow && w.Tenant == tenantOf(by) && w.By == by.User
	if w.Decided && !same {
		return ErrUsedWish
	}
	if !w.Decided {
		w.Decided, w.Allowed, w.Tenant, w.By = true, allow, tenantOf(by), by.User
		if r.Data, err = json.Marshal(w); err != nil {
			return err
		}
		if !allow {
			if err := a.opts.Record.Record(ctx, w.deed("slack.refused", w.Tenant, byPerson(by))); err != nil {
				return err
			}
		}
		if _, err := a.records.Save(ctx, r); parley.Overtaken(err) {
			return ErrUsedWish
		} else if err != nil {
			return err
		}
	}
	if !allow {
		return nil
	}
	if err := a.link(ctx, w.account, w.Name, by); err != nil {
		return err
	}
	a.opts.Logger.InfoContext(ctx, "slack user linked", "team", w.Team, "slack_user", w.account.User, "tenant", tenantOf(by), "user", by.User)
	return a.goOn(ctx, w.account)
}

// goOn goes on with what a Slack user said while nobody knew who they are. Where this
// process dies before, others look.
func (a *App) goOn(ctx context.Context, of account) error {
	for r, err := range parley.Each(ctx, a.records, jobAt(jobsOf("event", of)), "") {
		if err != nil {
			return err
		}
		a.sooner(r.Key)
	}
	return nil
}
