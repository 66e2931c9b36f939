package slackapp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// ErrNoWorkspace says that the app is not installed in a workspace, or not any more.
var ErrNoWorkspace = errors.New("the app is not installed in this workspace")

// workspace is a team that the app is installed in.
type workspace struct {
	Team      string    `json:"team"`
	Name      string    `json:"name"`
	Tenant    string    `json:"tenant"`
	Bot       string    `json:"bot"` // the app's user there
	By        string    `json:"by,omitempty"`
	Installed time.Time `json:"installed,omitzero"`

	token string // the configured one; empty: the vault has it
}

const (
	workspaceKind = "slack_workspace"
	endingKind    = "slack_ending"
	turnTime      = 30 * time.Second // that one process has for the end of an installation
)

// Tokens keeps the tokens of workspaces that the app was installed in, and has those renewed
// that rotate: a vault.
type Tokens interface {
	Hold(context.Context, vault.Key, vault.Token) error
	Held(context.Context, vault.Key, func(ctx context.Context, refresh string) (vault.Token, error)) (string, error)
	Drop(context.Context, vault.Key) error
}

func tokenOf(team string) vault.Key {
	return vault.Key{Tenant: anyTenant, Server: "slack", Scope: vault.App, Owner: team}
}

func workspaceAt(team string) parley.Address {
	return parley.Address{Tenant: anyTenant, Kind: workspaceKind, Key: team}
}

// configured is the workspace of the token in the configuration, once Slack has said which
// that is.
type configured struct {
	mu    sync.Mutex
	known *workspace
}

// client speaks to Slack for a team, with its token; calls wait as Slack's Retry-After
// says, or fail with a slack.RateLimitedError where ctx ends before. ErrNoWorkspace.
func (a *App) client(ctx context.Context, team string) (*slack.Client, error) {
	w, err := a.workspace(ctx, team)
	if err != nil {
		return nil, err
	}
	if w.token != "" {
		return a.speak(w.token), nil
	}
	token, err := a.opts.Tokens.Held(ctx, tokenOf(team), func(ctx context.Context, refresh string) (vault.Token, error) { return a.renew(ctx, team, refresh) })
	switch {
	case errors.Is(err, parley.ErrNotFound):
		return nil, ErrNoWorkspace
	case err != nil:
		return nil, fmt.Errorf("the token of workspace %s: %w", team, err)
	}
	return a.speak(token), nil
}

func (a *App) speak(token string) *slack.Client {
	return slack.New(token, slack.OptionAPIURL(a.opts.APIURL), slack.OptionHTTPClient(a.pace), slack.OptionLog(log.New(io.Discard, "", 0)))
}

// workspace is what is known of a team. ErrNoWorkspace.
func (a *App) workspace(ctx context.Context, team string) (workspace, error) {
	if a.opts.BotToken != "" {
		if w, err := a.own(ctx); err != nil || w.Team == team {
			return w, err
		}
	}
	w, _, err := a.installed(ctx, team)
	return w, err
}

// installed is the record of a team's installation.
func (a *App) installed(ctx context.Context, team string) (w workspace, r parley.Record, err error) {
	r, err = a.records.Load(ctx, workspaceAt(team))
	if errors.Is(err, parley.ErrNotFound) {
		return w, r, ErrNoWorkspace
	}
	if err == nil {
		err = json.Unmarshal(r.Data, &w)
	}
	return w, r, err
}

// teamsOf are the workspaces of a tenant that the app was installed in.
func (a *App) teamsOf(ctx context.Context, tenant string) (all []string, err error) {
	for r, err := range parley.Each(ctx, a.records, workspaceAt(""), "") {
		if err != nil {
			return nil, err
		}
		var w workspace
		if err := json.Unmarshal(r.Data, &w); err != nil {
			return nil, fmt.Errorf("workspace %s: %w", r.Key, err)
		}
		if w.Tenant == tenant {
			all = append(all, w.Team)
		}
	}
	return all, nil
}

// own is the workspace of the configured token. Slack is asked once which that is.
func (a *App) own(ctx context.Context) (workspace, error) {
	a.configured.mu.Lock()
	known := a.configured.known
	a.configured.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	who, err := a.speak(a.opts.BotToken.Reveal()).AuthTestContext(ctx)
	if err != nil {
		return workspace{}, fmt.Errorf("slack.bot_token: %w", err)
	}
	w := workspace{Team: who.TeamID, Name: who.Team, Tenant: a.opts.Tenant, Bot: who.UserID, token: a.opts.BotToken.Reveal()}
	a.configured.mu.Lock()
	defer a.configured.mu.Unlock()
	a.configured.known = &w
	return w, nil
}

// renew gets a new token in place of one that ends soon.
func (a *App) renew(ctx context.Context, team, refresh string) (vault.Token, error) {
	got, err := slack.RefreshOAuthV2TokenContext(ctx, a.pace, a.opts.ClientID, a.opts.ClientSecret.Reveal(), refresh, slack.OAuthOptionAPIURL(a.opts.APIURL))
	var said slack.SlackErrorResponse
	switch {
	case errors.As(err, &said) && said.Err == "invalid_refresh_token":
		return vault.Token{}, fmt.Errorf("install the app anew: %w", vault.ErrRenewal)
	case err != nil:
		return vault.Token{}, err
	case got.Team.ID != "" && got.Team.ID != team:
		return vault.Token{}, fmt.Errorf("the token is of %.20q: %w", got.Team.ID, ErrNoWorkspace)
	}
	return given(got), nil
}

// given is the token in an answer of Slack's.
func given(got *slack.OAuthV2Response) vault.Token {
	t := vault.Token{Access: got.AccessToken, Refresh: got.RefreshToken}
	if got.ExpiresIn > 0 {
		t.Expires = now().Add(time.Duration(got.ExpiresIn) * time.Second)
	}
	return t
}

// uninstalled forgets a team and who its users are, unless it was installed anew since.
// Slack tells of it twice, at once: of all who hear it one does, so that it is recorded once.
func (a *App) uninstalled(ctx context.Context, team string, at time.Time) error {
	turn := parley.Address{Tenant: anyTenant, Kind: endingKind, Key: team}
	return parley.Lease(ctx, a.records, turn, turnTime, func() error { return a.forgetTeam(ctx, team, at) })
}

func (a *App) forgetTeam(ctx context.Context, team string, at time.Time) error {
	w, r, err := a.installed(ctx, team)
	switch {
	case err == nil && w.Installed.After(at.Add(time.Second)): // events have seconds
		return nil
	case err == nil:
		if err := a.opts.Record.Record(ctx, parley.Deed{What: "slack.uninstalled", Tenant: w.Tenant, Via: Via, Target: team}); err != nil {
			return err
		}
		if err := a.records.Delete(ctx, workspaceAt(team), r.Version); err != nil && !errors.Is(err, parley.ErrNotFound) {
			return err
		}
		if err := a.opts.Tokens.Drop(ctx, tokenOf(team)); err != nil {
			return err
		}
	case !errors.Is(err, ErrNoWorkspace):
		return err
	}
	a.opts.Logger.InfoContext(ctx, "slack workspace uninstalled", "team", team)
	return a.unlinkTeam(ctx, team)
}
