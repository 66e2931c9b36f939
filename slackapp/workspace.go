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

	Token   string    `json:"token"` // the record is sealed
	Refresh string    `json:"refresh,omitempty"`
	Expires time.Time `json:"expires,omitzero"` // of Token; zero: never
}

const (
	workspaceKind = "slack_workspace"
	refreshKind   = "slack_refresh"
	refreshTime   = 30 * time.Second // that one process has for it
	refreshBefore = time.Hour        // a token ends
)

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
	if w.Refresh != "" && time.Until(w.Expires) < refreshBefore {
		if w, err = a.refresh(ctx, w); err != nil {
			return nil, err
		}
	}
	return a.speak(w.Token), nil
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
	w := workspace{Team: who.TeamID, Name: who.Team, Tenant: a.opts.Tenant, Bot: who.UserID, Token: a.opts.BotToken.Reveal()}
	a.configured.mu.Lock()
	defer a.configured.mu.Unlock()
	a.configured.known = &w
	return w, nil
}

// refresh gets a new token in place of one that ends soon. Of all processes one does.
func (a *App) refresh(ctx context.Context, w workspace) (workspace, error) {
	err := parley.Lease(ctx, a.records, parley.Address{Tenant: anyTenant, Kind: refreshKind, Key: w.Team}, refreshTime, func() error {
		read, r, err := a.installed(ctx, w.Team)
		if err != nil {
			return err
		}
		if w = read; time.Until(w.Expires) >= refreshBefore {
			return nil // somebody else was faster
		}
		asking, stop := context.WithTimeout(context.WithoutCancel(ctx), refreshTime/2)
		defer stop()
		got, err := slack.RefreshOAuthV2TokenContext(asking, a.pace, a.opts.ClientID, a.opts.ClientSecret.Reveal(), w.Refresh, slack.OAuthOptionAPIURL(a.opts.APIURL))
		if err != nil {
			return err
		}
		if got.Team.ID != "" && got.Team.ID != w.Team {
			return fmt.Errorf("the token is of %.20q: %w", got.Team.ID, ErrNoWorkspace)
		}
		w.Token, w.Refresh, w.Expires = got.AccessToken, got.RefreshToken, now().Add(time.Duration(got.ExpiresIn)*time.Second)
		if r.Data, err = json.Marshal(w); err != nil {
			return err
		}
		_, err = a.records.Save(asking, r)
		return err
	})
	if err != nil && time.Now().Before(w.Expires) { // it is good for a while yet
		a.opts.Logger.WarnContext(ctx, "slack token not refreshed", "team", w.Team, "err", err)
		return w, nil
	}
	if err != nil {
		return w, fmt.Errorf("the token of workspace %s could not be refreshed: %w", w.Team, err)
	}
	return w, nil
}

// uninstalled forgets a team and who its users are, unless it was installed anew since.
// Slack tells of it twice, at once: of all who hear it one does, so that it is recorded once.
func (a *App) uninstalled(ctx context.Context, team string, at time.Time) error {
	turn := parley.Address{Tenant: anyTenant, Kind: refreshKind, Key: team}
	return parley.Lease(ctx, a.records, turn, refreshTime, func() error { return a.forgetTeam(ctx, team, at) })
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
	case !errors.Is(err, ErrNoWorkspace):
		return err
	}
	a.opts.Logger.InfoContext(ctx, "slack workspace uninstalled", "team", team)
	return a.unlinkTeam(ctx, team)
}
