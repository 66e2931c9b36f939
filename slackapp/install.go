package slackapp

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// Scopes are what the app needs in a workspace.
var Scopes = []string{
	"app_mentions:read", "chat:write", "im:history", "im:read", "im:write", "channels:history", "groups:history", "metadata.message:read", "users:read",
}

// Events are what the app is told of.
var Events = []string{"app_mention", "message.im", "app_uninstalled", "tokens_revoked", "user_change"}

// Errors of installing.
var (
	// ErrNoInstall: no client is configured.
	ErrNoInstall = errors.New("slackapp: installation is not configured: set slack.client_id and slack.client_secret")
	// ErrState: the attempt is over, was used, or is somebody else's.
	ErrState = errors.New("slackapp: this attempt to install is over, was used already, or was begun in another browser")
	// ErrDeclined: whoever was asked in Slack said no.
	ErrDeclined = errors.New("slackapp: the installation was declined in Slack")
	// ErrTaken: the workspace is another tenant's.
	ErrTaken = errors.New("slackapp: the workspace belongs to another tenant: it has to be uninstalled there first")
	// ErrExchange: Slack gave no token.
	ErrExchange = errors.New("slackapp: Slack did not give a token")
	// ErrOrganisation: the app was installed for a whole organisation.
	ErrOrganisation = errors.New("slackapp: the app is installed in single workspaces, not in a whole organisation")
)

const (
	installPurpose = "slack install"
	installKind    = "slack_install"
	installTime    = 15 * time.Minute
)

// attempt is what the state of an installation says.
type attempt struct {
	Tenant string `json:"t"`
	User   string `json:"u"`
	Nonce  string `json:"n"`
}

// Install begins an installation for the administrator by, in the browser whose secret is
// given: it returns where at Slack they go.
func (a *App) Install(by parley.Principal, browser string) (string, error) {
	if a.opts.ClientID == "" {
		return "", ErrNoInstall
	}
	payload, err := json.Marshal(attempt{Tenant: tenantOf(by), User: digest(by.User), Nonce: rand.Text()})
	if err != nil {
		return "", err
	}
	state, err := a.keys.Token(installPurpose+browser, payload, time.Now().Add(installTime))
	if err != nil {
		return "", err
	}
	at := strings.TrimSuffix(a.opts.APIURL, "api/") + "oauth/v2/authorize"
	return at + "?" + url.Values{
		"client_id": {a.opts.ClientID}, "scope": {strings.Join(Scopes, ",")}, "redirect_uri": {a.opts.PublicURL + OAuthPath}, "state": {state},
	}.Encode(), nil
}

// Installed ends an installation that the same person began in the same browser, with what
// Slack sent along. It returns the name of the workspace. ErrState, ErrDeclined, ErrTaken,
// ErrOrganisation.
func (a *App) Installed(ctx context.Context, by parley.Principal, browser string, query url.Values) (string, error) {
	if a.opts.ClientID == "" {
		return "", ErrNoInstall
	}
	if err := a.useState(ctx, by, browser, query.Get("state")); err != nil {
		return "", err
	}
	if query.Get("error") != "" {
		return "", ErrDeclined
	}
	got, err := slack.GetOAuthV2ResponseContext(ctx, a.pace, a.opts.ClientID, a.opts.ClientSecret.Reveal(), query.Get("code"), a.opts.PublicURL+OAuthPath, slack.OAuthOptionAPIURL(a.opts.APIURL))
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrExchange, err)
	}
	if got.IsEnterpriseInstall || !slackID.MatchString(got.Team.ID) {
		return "", ErrOrganisation
	}
	w := workspace{
		Team: got.Team.ID, Name: got.Team.Name, Tenant: tenantOf(by), Bot: got.BotUserID, By: by.User, Installed: now(),
	}
	return w.Name, a.keepWorkspace(ctx, w, given(got), by)
}

// keepWorkspace stores a workspace and its token, unless it is another tenant's. The token
// comes last: until then the app has the one of before there, or none.
func (a *App) keepWorkspace(ctx context.Context, w workspace, token vault.Token, by parley.Principal) error {
	if a.opts.BotToken != "" {
		if own, err := a.own(ctx); err == nil && own.Team == w.Team && own.Tenant != w.Tenant {
			return ErrTaken
		}
	}
	_, err := parley.Update(ctx, a.records, workspaceAt(w.Team), func(r *parley.Record) (bool, error) {
		var old workspace
		if r.Version != 0 {
			if err := json.Unmarshal(r.Data, &old); err != nil {
				return false, err
			}
			if old.Tenant != w.Tenant {
				return false, ErrTaken
			}
		}
		var err error
		if r.Data, err = json.Marshal(w); err == nil {
			err = a.opts.Record.Record(ctx, parley.Deed{What: "slack.installed", Tenant: w.Tenant, By: by.User, Via: by.Method, Target: w.Team})
		}
		return true, err
	})
	if err == nil {
		err = a.opts.Tokens.Hold(context.WithoutCancel(ctx), tokenOf(w.Team), token)
	}
	if err == nil {
		a.opts.Logger.InfoContext(ctx, "slack workspace installed", "team", w.Team, "tenant", w.Tenant, "user", w.By)
	}
	return err
}

// useState uses up the state of an attempt.
func (a *App) useState(ctx context.Context, by parley.Principal, browser, state string) error {
	payload, err := a.keys.OpenToken(installPurpose+browser, state)
	if err != nil {
		return ErrState
	}
	var begun attempt
	if json.Unmarshal(payload, &begun) != nil || begun.Tenant != tenantOf(by) || begun.User != digest(by.User) {
		return ErrState
	}
	_, err = a.records.Save(ctx, parley.Record{
		Address: parley.Address{Tenant: anyTenant, Kind: installKind, Key: begun.Nonce}, Data: []byte("{}"), Expires: now().Add(installTime),
	})
	if errors.Is(err, parley.ErrExists) {
		return ErrState
	}
	return err
}

func tenantOf(p parley.Principal) string { return cmp.Or(p.Tenant, parley.DefaultTenant) }
