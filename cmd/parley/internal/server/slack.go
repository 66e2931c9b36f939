package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/slackapp"
)

// openSlack makes the app in Slack, if one is configured.
func (s *Server) openSlack(context.Context) (err error) {
	c := s.cfg.Slack
	if c == nil {
		return nil
	}
	s.slack, err = slackapp.New(s.Hub, s.Agents, s.store, s.keys, &slackapp.Options{
		PublicURL: s.cfg.PublicURL, SigningSecret: c.SigningSecret, AppToken: c.AppToken, BotToken: c.BotToken, Tenant: c.Tenant,
		ClientID: c.ClientID, ClientSecret: c.ClientSecret, APIURL: c.APIURL, Agent: s.cfg.SlackAgent(), Channels: c.Channels,
		Record: s.Audit.Record, Panels: s.Permits, Tokens: s.Vault, Client: s.client.For(outbound.Operator), Logger: s.opts.Logger,
	})
	return err
}

// trySlack tries the tokens of the app in Slack, and whether it is in the channels that
// are named.
func (s *Server) trySlack(try func(string, func(context.Context) (string, error))) {
	c := s.cfg.Slack
	if c == nil {
		return
	}
	if c.AppToken != "" {
		try("slack.app_token", func(ctx context.Context) (string, error) { return "Slack opens a socket for it", s.slack.Socket(ctx) })
	}
	if c.BotToken == "" {
		return
	}
	try("slack.bot_token", func(ctx context.Context) (string, error) {
		name, err := s.slack.Workspace(ctx)
		return fmt.Sprintf("it is of the workspace %.100q", name), err
	})
	in := func(what, channel string) {
		try(what, func(ctx context.Context) (string, error) { return "the app is in it", s.slack.Channel(ctx, channel) })
	}
	for _, channel := range config.Keys(c.Channels) {
		in("slack.channels."+channel, channel)
	}
	for _, r := range s.cfg.Rules {
		if r.Slack != "" {
			in("the channel "+r.Slack+" of the rule "+r.Name, r.Slack)
		}
	}
}

// slackPages is the app as the hosted pages show it.
type slackPages struct{ app *slackapp.App }

func (s slackPages) Look(ctx context.Context, token string, by parley.Principal) (pages.SlackWish, error) {
	w, err := s.app.Look(ctx, token, by)
	return pages.SlackWish{
		SlackAccount: pages.SlackAccount{Team: w.Team, User: w.User, Workspace: w.Workspace, Name: w.Name}, Asked: w.Asked,
	}, slackNotice(err)
}

func (s slackPages) Decide(ctx context.Context, token string, by parley.Principal, allow bool) error {
	return slackNotice(s.app.Decide(ctx, token, by, allow))
}

func (s slackPages) Accounts(ctx context.Context, by parley.Principal) ([]pages.SlackAccount, error) {
	found, err := s.app.Accounts(ctx, by)
	all := make([]pages.SlackAccount, 0, len(found))
	for _, one := range found {
		all = append(all, pages.SlackAccount(one))
	}
	return all, slackNotice(err)
}

func (s slackPages) Unlink(ctx context.Context, by parley.Principal, account pages.SlackAccount) error {
	return slackNotice(s.app.Unlink(ctx, by, account.Team, account.User))
}

func (s slackPages) Question(ctx context.Context, by parley.Principal, on parley.ID) (parley.ID, error) {
	q, err := s.app.Question(ctx, by, on)
	return q.ID, err
}

func (s slackPages) Install(by parley.Principal, browser string) (string, error) {
	to, err := s.app.Install(by, browser)
	return to, slackNotice(err)
}

func (s slackPages) Installed(ctx context.Context, by parley.Principal, browser string, query url.Values) (string, error) {
	name, err := s.app.Installed(ctx, by, browser, query)
	return name, slackNotice(err)
}

// slackNotice is what people are told of an error of the app's.
func slackNotice(err error) error {
	const unlinked, uninstalled = "Not linked", "Not installed"
	for _, one := range []struct {
		is       error
		status   int
		heading  string
		sentence string
	}{
		{slackapp.ErrUnknownWish, http.StatusNotFound, unlinked, "This link has expired, or there is no such link. Write to the app in Slack again: it gives you a new one."},
		{slackapp.ErrUsedWish, http.StatusConflict, unlinked, "This link was used already, and works once. If it was not you, tell the administrator."},
		{slackapp.ErrOtherTenant, http.StatusForbidden, unlinked, "This workspace belongs to another organization than the account that you are signed in with, so nothing was linked."},
		{slackapp.ErrLinked, http.StatusConflict, unlinked, "This Slack user is linked to another account. Say “unlink” to the app in Slack first, then link it again."},
		{slackapp.ErrNotLinked, http.StatusNotFound, unlinked, "This Slack user is not linked to your account, so nothing was done."},
		{slackapp.ErrState, http.StatusBadRequest, uninstalled, "This attempt is over, was used already, or was begun in another browser or by somebody else. Start again at " + slackapp.InstallPath + "."},
		{slackapp.ErrDeclined, http.StatusOK, uninstalled, "It was declined in Slack, so nothing was installed."},
		{slackapp.ErrTaken, http.StatusConflict, uninstalled, "This workspace belongs to another organization here. It has to be uninstalled in Slack first."},
		{slackapp.ErrOrganisation, http.StatusConflict, uninstalled, "The app is installed in single workspaces, not in a whole organization of Slack's. Choose a workspace."},
		{slackapp.ErrNoInstall, http.StatusNotFound, uninstalled, "Installation is not configured here. Tell the operator to set slack.client_id and slack.client_secret."},
		{slackapp.ErrExchange, http.StatusBadGateway, uninstalled, "Slack did not confirm the installation, so nothing was installed. Start again at " + slackapp.InstallPath + "; if that does not help, tell whoever runs this server: its log says why."},
	} {
		if errors.Is(err, one.is) {
			return &pages.NoticeError{Notice: pages.Notice{Status: one.status, Heading: one.heading, Sentence: one.sentence}, Cause: err}
		}
	}
	return err
}
