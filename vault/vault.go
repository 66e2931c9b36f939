// Package vault keeps the credentials that tool calls need, and gets them from
// the people they belong to.
//
// A [Server] says what credential it takes and whose: the platform's, an
// agent's or the person's. A [Connection] is one such credential, stored
// sealed. A [Provider] is an OAuth authorization server at which this program
// is registered; a [Service] names scopes of it. Before a tool is called its
// credential is looked up:
//
//	cred, err := v.Credential(ctx, vault.Need{Server: "tracker", User: "alice"})
//	var required *vault.RequiredError
//	if errors.As(err, &required) {
//		q, err := v.Question(required, principal, conversation) // a request that asks alice to connect
//		…
//	}
//	err = cred.Apply(request)
//
// [Vault.Obtain] does all of that and waits. The hosted pages drive the rest:
// [Vault.Offer] says what is asked for, [Vault.Begin] sends the person to the
// provider, [Vault.Callback] takes them back, [Vault.EnterKey] takes a key.
// What they store settles the question, so that whoever waits goes on.
//
// A Vault is safe for concurrent use, and any number of processes may share
// its records: a token is refreshed by one of them at a time.
package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/seal"
)

// Options configures a Vault. Nil and zero fields mean the defaults.
type Options struct {
	// Providers, Services and Servers are those of the configuration. They are
	// there for every tenant; a tenant's own of the same name come first.
	Providers []Provider
	Services  []Service
	Servers   []Server

	// Sources keep credentials elsewhere; a server names its by Auth.Source.
	Sources map[string]Source
	// Lent is what tenants' own servers may use of a source, by its name. Default:
	// nothing. What is kept there is got with the operator's key.
	Lent map[string]SourceTerms

	// PublicURL is where people reach the hosted pages. Default
	// http://127.0.0.1:8420.
	PublicURL string

	// Client makes the requests to URLs that the configuration names. Default:
	// the outbound client, to public addresses only.
	Client *http.Client
	// TenantClient makes those to URLs that somebody else named: a tenant, or a
	// server that says where its tokens come from. Give it no hosts that only
	// the operator may name. Default: the outbound client, to public addresses
	// only, whatever Client reaches.
	TenantClient *http.Client

	RefreshBefore time.Duration // a token is refreshed this long before it expires; default 1 min
	FlowTTL       time.Duration // how long a person may take at the provider; default 10 min

	// Look is how often Run, and a call of Obtain, looks whether a credential that
	// somebody was asked for has come another way. Default 10 s.
	Look time.Duration

	// RetryAfter is how a credential is looked for again after a question was
	// accepted, for sources that learn of it later than we do. Default: after
	// 500 ms, three times.
	RetryAfter []time.Duration

	// Refused is told of each request that a server did not take for its credential,
	// or for the lack of one: a round trip for nothing. It must be quick. Default:
	// nobody is told.
	Refused func(server string)

	Logger *slog.Logger // default slog.Default()
}

// Vault finds credentials and takes people through connecting their accounts.
type Vault struct {
	hub     *parley.Hub
	records parley.Records // sealed
	opts    Options
	ways    *outbound.Clients

	providers documents[Provider]
	services  documents[Service]
	servers   documents[Server]

	refreshes   singleflight.Group
	discoveries discoveries
	uses        uses
	notices     *limit.Notices

	mu      sync.Mutex
	clients map[string]*oauth2.Config // by what is in them: each remembers how its provider wants to be told the secret
}

// New returns a vault that keeps its records sealed with keys and asks through
// hub.
func New(hub *parley.Hub, records parley.Records, keys *seal.Keyring, opts *Options) (*Vault, error) {
	if hub == nil || records == nil || keys == nil {
		return nil, errors.New("vault: a hub, records and a keyring are needed: credentials are never stored in plain")
	}
	v := &Vault{hub: hub, records: seal.Records(records, keys, nil), clients: map[string]*oauth2.Config{}}
	if opts != nil {
		v.opts = *opts
	}
	v.opts.PublicURL = strings.TrimSuffix(cmp.Or(v.opts.PublicURL, "http://127.0.0.1:8420"), "/")
	v.opts.RefreshBefore = cmp.Or(v.opts.RefreshBefore, time.Minute)
	v.opts.FlowTTL = cmp.Or(v.opts.FlowTTL, 10*time.Minute)
	v.opts.Look = cmp.Or(v.opts.Look, 10*time.Second)
	if v.opts.RetryAfter == nil {
		v.opts.RetryAfter = []time.Duration{500 * time.Millisecond, 500 * time.Millisecond, 500 * time.Millisecond}
	}
	v.ways = outbound.Choose(v.opts.Client, v.opts.TenantClient)
	if v.opts.Logger == nil {
		v.opts.Logger = slog.Default()
	}
	v.notices = limit.NewNotices(v.opts.Logger, 0)
	if u, err := url.Parse(v.opts.PublicURL); err != nil || u.Host == "" {
		return nil, fmt.Errorf("vault: the public URL %q is not absolute", v.opts.PublicURL)
	}
	return v, v.catalogue()
}

// catalogue takes up what the configuration names and checks it.
func (v *Vault) catalogue() error {
	v.providers = documents[Provider]{records: v.records, kind: "provider", name: func(p Provider) string { return p.Name }, revealed: Provider.revealed}
	v.services = documents[Service]{records: v.records, kind: "service", name: func(s Service) string { return s.Name }, revealed: func(s Service) any { return s }}
	v.servers = documents[Server]{records: v.records, kind: "server", name: func(s Server) string { return s.Name }, revealed: Server.revealed}
	return errors.Join(
		v.providers.configure(v.opts.Providers, Provider.Validate),
		v.services.configure(v.opts.Services, Service.Validate),
		v.servers.configure(v.opts.Servers, Server.Validate),
	)
}

// web makes x/oauth2 use the client for a provider.
func (v *Vault) web(ctx context.Context, p Provider) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, v.reach(p.named()))
}

func (v *Vault) now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
