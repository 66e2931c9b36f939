// Package slackapp is Parley in Slack: people talk to agents in threads, and are asked
// there.
//
// Its nouns:
//
//   - Workspace: a Slack team that the app is installed in, and the tenant it belongs to.
//   - Link: that a Slack user is a Parley user. Only the signed-in person makes one, on a
//     hosted page.
//   - Job: something that Slack told us, or that is to be said there, as a record. It is
//     saved before Slack is answered, and any process works on it.
//   - Card: a question as a message with buttons; package card has what it looks like. The
//     app is a notify.Messenger: the outbox says when it is told, and when it is over.
//   - Thread: where a person and an agent talk. A mention or a direct message starts a run,
//     and its text goes into the thread.
//
// An example:
//
//	app, err := slackapp.New(hub, runs, store, keys, &slackapp.Options{
//		PublicURL:     "https://parley.example",
//		SigningSecret: secret,
//		BotToken:      token,
//		Agent:         "assistant",
//	})
//	…
//	http.Handle(slackapp.EventsPath, app.Handler(nil))
//	http.Handle(slackapp.InteractionsPath, app.Handler(nil))
//	go app.Run(ctx)
//
// Who somebody is comes from a verified signature (or Slack's own socket), the ids of team
// and user in what it signs, and the Link of these: never from a name or an e-mail address
// that Slack tells.
//
// An App may be used by any number of goroutines, and any number of processes may run one
// over the same store.
package slackapp

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/slackapp/card"
)

// Where Slack and people reach the app. The last four are pages of the site.
const (
	EventsPath       = "/slack/events"
	InteractionsPath = "/slack/interactions"
	InstallPath      = "/slack/install"
	OAuthPath        = "/slack/oauth"
	LinkPath         = "/slack/link"
	QuestionPath     = card.QuestionPath
)

// Via is how outcomes name answers that were given in Slack.
const Via = "slack"

// Options configures an App. Nil and zero fields mean the defaults.
type Options struct {
	PublicURL string // where people reach the site

	SigningSecret parley.Secret // of the app; needed unless there is an AppToken
	AppToken      parley.Secret // Socket Mode instead of requests
	BotToken      parley.Secret // of one workspace, without installation
	Tenant        string        // of that workspace; default parley.DefaultTenant
	ClientID      string        // installation by OAuth; default: none
	ClientSecret  parley.Secret
	APIURL        string // default https://slack.com/api/

	Agent    string            // who answers; default: nobody, and people are told so
	Channels map[string]string // agents by the ids of channels that have one of their own

	// Record is told of links that are made, refused and ended, and of workspaces that the app
	// is installed in by people, and uninstalled in. What it cannot be told of is
	// not done. Default: nobody is told.
	Record parley.Recorder

	// Tokens keeps those of the workspaces that the app is installed in by OAuth. Needed with
	// ClientID.
	Tokens Tokens

	Panels Panels // who is asked about a call; default: nobody is told

	// Lease is how long what a process does here stays with it once it no longer says that
	// it is there. Default 10 s.
	Lease time.Duration

	Client *http.Client // to Slack; default http.DefaultClient
	Logger *slog.Logger // default slog.Default()
}

// App is Parley in Slack. Make it with New, and Run it.
type App struct {
	hub     *parley.Hub
	runs    *agent.Runtime
	records parley.Records // sealed
	keys    *seal.Keyring
	opts    Options
	node    string // who claims

	pace       *pace
	due        *due
	parked     *parked
	members    *members
	directs    *directs
	streams    *streams
	configured configured
}

// New returns an app that keeps what it knows in records, sealed with keys. It contacts
// nobody.
func New(hub *parley.Hub, runs *agent.Runtime, records parley.Records, keys *seal.Keyring, opts *Options) (*App, error) {
	if hub == nil || runs == nil || records == nil || keys == nil || opts == nil {
		return nil, errors.New("slackapp: a hub, a runtime, records, a keyring and options are needed")
	}
	if opts.ClientID != "" && opts.Tokens == nil {
		return nil, errors.New("slackapp: a client id without a place for tokens")
	}
	a := &App{hub: hub, runs: runs, records: seal.Records(records, keys, nil), keys: keys, opts: *opts, node: rand.Text()}
	a.due, a.parked, a.members, a.directs, a.streams = newDue(), newParked(), newMembers(), newDirects(), newStreams()
	a.opts.APIURL = strings.TrimSuffix(cmp.Or(a.opts.APIURL, slack.APIURL), "/") + "/"
	a.opts.Lease = cmp.Or(a.opts.Lease, 10*time.Second)
	a.opts.Tenant = cmp.Or(a.opts.Tenant, parley.DefaultTenant)
	if a.opts.Client == nil {
		a.opts.Client = http.DefaultClient
	}
	if a.opts.Logger == nil {
		a.opts.Logger = slog.Default()
	}
	a.pace = newPace(a.opts.Client)
	return a, nil
}

// Run works on what Slack told and on what is to be said there until ctx ends, and returns
// its cause. Every process runs one.
func (a *App) Run(ctx context.Context) error {
	var all sync.WaitGroup
	if a.opts.AppToken != "" {
		all.Go(func() { a.listen(ctx) })
	}
	if a.opts.BotToken != "" {
		all.Go(func() { a.introduce(ctx) })
	}
	a.work(ctx)
	all.Wait()
	return context.Cause(ctx)
}
