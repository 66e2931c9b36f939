// Package server builds what `parley serve` runs from a configuration: store,
// hub, vault, approvals, agents, chat streams and hosted pages, on one listener.
package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a"
	"github.com/parley-hq/parley/a2a/remote"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agentmcp"
	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/asking"
	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/quietlog"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/login"
	"github.com/parley-hq/parley/mcpcall/toolbox"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/pages/jwks"
	"github.com/parley-hq/parley/passkey"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/slackapp"
	"github.com/parley-hq/parley/telemetry"
	"github.com/parley-hq/parley/vault"
	"github.com/parley-hq/parley/vault/nango"
)

// Options are what a configuration does not say. Nil and zero fields mean the
// defaults.
type Options struct {
	Logger *slog.Logger // default slog.Default()
	// Listener is where to listen instead of the configuration's address.
	Listener net.Listener
	// Bound is called with the address once requests are taken there. Default:
	// nobody is told.
	Bound func(net.Addr)
	// TTL is how long the questions of agents stay open. Default ten minutes.
	TTL time.Duration
	// Version is what the metrics call this program. Default: nothing.
	Version string
	// Models are models of this process, by the names that agents use.
	Models map[string]agent.Model
	// Store stands before the store that the configuration names. Default: nothing.
	Store func(backend.Store) backend.Store
}

// Server is everything. Run it, then Close it.
type Server struct {
	cfg    *config.Config
	opts   Options
	store  backend.Store
	sealed seal.Sealable // the same, where it can be looked at as a whole; else nil
	keys   *seal.Keyring
	client *outbound.Clients // to the outside, bounded
	stream *outbound.Clients // to MCP servers: no limits of size or time

	node    *parley.Node // this process, for all of the following
	Hub     *parley.Hub
	Vault   *vault.Vault
	Permits *permit.Permits
	Agents  *agent.Runtime
	Pages   *pages.Pages
	Gateway *gateway.Gateway // nil: none is configured
	Outbox  *notify.Outbox
	Audit   *audit.Log

	passkeys *passkey.Keys // nil: browsers have none for this site

	metrics    *telemetry.Metrics  // nil: nobody sees any
	traces     *telemetry.Traces   // nil: nobody is told of any
	notices    *limit.Notices      // of limits that are reached
	programs   *mcpclient.Programs // that run here
	calls      *mcptool.Calls      // that are in progress, over MCP
	servers    *api.Servers
	asked      *asking.Questions // by programs
	management *api.API
	boxes      toolbox.Boxes[boxKey] // of servers of the API
	behind     *catalogue            // the gateway's servers
	remotes    []*remote.Remote      // the agents of the configuration that are elsewhere
	delegates  delegates             // those of the API
	leaves     *toolbox.Leaves       // of calls of theirs
	offered    *agentmcp.Agents      // over MCP; nil: there are none
	tasks      *a2a.Agents           // over A2A; nil: there are none
	nango      *nango.Source
	slack      *slackapp.App // nil: none is configured
	logins     *login.Logins // of programs of people; nil: there are none
	identity   *identity
	handler    http.Handler
	tls        *tls.Config // nil: a proxy in front of it speaks TLS
	emails     sync.Map    // by tenant and user: the address that was stored
	closers    []func() error
	ready      chan struct{}
	stopping   atomic.Bool      // it was told to
	ours       chan struct{}    // closed when it has had every secret that was in use
	known      sync.Once        // that closes it
	strange    sync.Once        // tells that the secret is foreign
	silent     quietlog.Trouble // of the store, when it is looked at for /readyz
	once       sync.Once
}

// New builds a server. It contacts its store and nobody else.
func New(ctx context.Context, cfg *config.Config, opts *Options) (*Server, error) {
	s := &Server{cfg: cfg, ready: make(chan struct{}), ours: make(chan struct{})}
	s.calls = mcptool.NewCalls(&mcptool.CallsOptions{PerPerson: cfg.Limits.CallsPerPerson, InAll: cfg.Limits.Calls})
	if opts != nil {
		s.opts = *opts
	}
	if s.opts.Logger == nil {
		s.opts.Logger = slog.Default()
	}
	s.notices = limit.NewNotices(s.opts.Logger, 0)
	s.programs = mcpclient.NewPrograms(&mcpclient.ProgramsOptions{
		Each: cfg.Limits.ProgramsPerPerson, All: cfg.Limits.Programs, Full: func() { s.notices.Hit("programs") },
	})
	for _, build := range []func(context.Context) error{s.openMetrics, s.openWays, s.openStore, s.openAsking, s.tellForeign, s.openVault, s.openServers, s.openAgents, s.openSlack, s.openOutbox, s.openPages, s.openIdentity, s.openGateway, s.openHandler} {
		if err := build(ctx); err != nil {
			return nil, cfg.Locate(errors.Join(err, s.Close()))
		}
	}
	return s, nil
}

func (s *Server) openStore(ctx context.Context) error {
	secrets, err := s.secrets()
	if err != nil {
		return err
	}
	if s.keys, err = seal.New(secrets...); err != nil {
		return err
	}
	kept, _ := s.cfg.Retention.QuestionsFor() // the configuration was checked
	store, err := backend.Open(ctx, s.cfg.Store, &backend.Options{Retention: kept, Logger: s.opts.Logger})
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if s.opts.Store != nil {
		store = s.opts.Store(store)
	}
	s.sealed, _ = store.(seal.Sealable)
	s.store = s.measuredStore(store)
	s.closers = append(s.closers, s.store.Close)
	attendance, _ := s.store.(parley.Attendance)
	s.node = parley.NewNode(seal.Records(s.store, s.keys, nil), &parley.NodeOptions{URL: s.cfg.Advertise, Attendance: attendance, Logger: s.opts.Logger})
	if err := s.openAudit(); err != nil {
		return err
	}
	if err := s.openTraces(); err != nil {
		return err
	}
	if err := s.openPasskeys(); err != nil {
		return err
	}
	s.Hub = parley.New(s.store, s.measuredHub(&parley.Options{
		Sealer: s.keys, Logger: s.opts.Logger, Limits: s.hubLimits(),
		Hooks: append(s.Audit.Hooks(),
			permit.Guard(modelChannels(s.cfg)...),
			permit.Signing(s.signatures()),
			parley.After(parley.AnsweringValidate, func(ctx context.Context, a *parley.Answering) error { return s.Permits.Weigh(ctx, a) }),
			gateway.Guard(func() *gateway.Gateway { return s.Gateway }),
			parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return s.Agents.Settled(ctx, a) }),
			parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return s.Permits.Settled(ctx, a) }),
			parley.After(parley.OpeningStore, func(ctx context.Context, o *parley.Opening) error { return s.Permits.Opened(ctx, o) }),
			parley.After(parley.AnsweringPublish, s.settled),
		),
	}, s.traceHooks()...))
	s.node.OnDeath(s.Hub.LookAgain)
	s.Audit.Reads(s.Hub)
	return nil
}

// secrets are the configuration's. A server for development without any seals
// with one that anybody can read here: its data are on this machine.
func (s *Server) secrets() ([][]byte, error) {
	if len(s.cfg.Secrets) == 0 && s.cfg.Dev {
		return [][]byte{[]byte("parley development: not a secret")}, nil
	}
	return seal.ParseSecrets(s.cfg.Secrets)
}

// openWays makes the ways out: for the operator to hosts that the configuration
// names, wherever they are; for everybody else to public ones. There is no client
// besides these: each is asked for with the word whose URL it is.
func (s *Server) openWays(context.Context) error {
	trusted := s.trusted()
	s.client = outbound.NewClients(&outbound.Options{Loopback: s.cfg.Dev, Trusted: trusted})
	s.stream = outbound.NewClients(&outbound.Options{Loopback: s.cfg.Dev, Trusted: trusted, Timeout: -1, MaxBytes: -1})
	s.closers = append(s.closers, func() error {
		s.client.CloseIdleConnections()
		s.stream.CloseIdleConnections()
		return nil
	})
	return nil
}

func (s *Server) openVault(context.Context) error {
	opts, err := s.vaultOptions()
	if err != nil {
		return err
	}
	if s.Vault, err = vault.New(s.Hub, s.store, s.keys, opts); err != nil {
		return err
	}
	rules, err := s.cfg.Conditions()
	if err != nil {
		return err
	}
	s.Permits, err = permit.New(s.Hub, s.store, s.keys, &permit.Options{
		Conditions: rules, Servers: s.said(), ServerTTL: s.serverTTL(), Quiet: refusalTime, CallBytes: callBytes, Groups: s.cfg.Groups, Logger: s.opts.Logger, ModelChannels: modelChannels(s.cfg),
		Deputy: func(ctx context.Context, tenant, approver string) (string, error) {
			return s.Outbox.Deputy(ctx, tenant, approver)
		},
	})
	return err
}

// vaultOptions are what the vault knows of the configuration.
func (s *Server) vaultOptions() (opts *vault.Options, err error) {
	opts = &vault.Options{
		PublicURL: s.cfg.PublicURL, Client: s.client.For(outbound.Operator), TenantClient: s.client.For(outbound.Stranger), Look: s.cfg.OAuthPoll, Refused: s.refused(), Logger: s.opts.Logger,
	}
	if opts.Sources, err = s.sources(); err != nil {
		return nil, err
	}
	if c := s.cfg.Nango; c != nil {
		opts.Lent = map[string]vault.SourceTerms{"nango": {Tenants: c.Tenants, Integrations: c.Integrations}}
	}
	for _, name := range config.Keys(s.cfg.Providers) {
		opts.Providers = append(opts.Providers, s.cfg.Providers[name].Vault(name))
	}
	for _, name := range config.Keys(s.cfg.Services) {
		opts.Services = append(opts.Services, s.cfg.Services[name].Vault(name))
	}
	for _, name := range config.Keys(s.cfg.Servers) {
		opts.Servers = append(opts.Servers, s.cfg.Servers[name].Vault(name))
	}
	for _, name := range config.Keys(s.cfg.Agents) {
		if c := s.cfg.Agents[name]; c.A2A != "" {
			opts.Servers = append(opts.Servers, c.Vault(name))
		}
	}
	return opts, nil
}

// callBytes is the longest call that somebody can be asked to allow, on its page.
const callBytes = 256 << 10

// refusalTime is how long a refusal holds unless the person says otherwise: by
// speaking in their conversation, or among their permissions. A model has no way
// to either, and waits longer than a person remembers.
const refusalTime = 24 * time.Hour

// said is what the operator says about calls of servers. What is only a default
// leaves them to the tenants' rules.
func (s *Server) said() map[string]permit.Rule {
	rules := map[string]permit.Rule{}
	for name, c := range s.cfg.Servers {
		if c.Approve != "" {
			rules[name] = permit.Rule(c.Approve)
		}
	}
	return rules
}

// serverTTL is how long questions about calls stay open, where the configuration says so.
func (s *Server) serverTTL() map[string]time.Duration {
	all := map[string]time.Duration{}
	for name, c := range s.cfg.Servers {
		if ttl := config.Lasts(c.TTL); ttl > 0 {
			all[name] = ttl
		}
	}
	return all
}

// trusted are the hosts that the operator wrote into the configuration.
func (s *Server) trusted() []string {
	var all []string
	add := func(raw string) {
		u, err := url.Parse(raw)
		if err != nil || u.Host == "" {
			return
		}
		port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
		all = append(all, net.JoinHostPort(u.Hostname(), port))
	}
	for _, c := range s.cfg.Servers {
		add(c.URL)
		add(c.Auth.Issuer)
	}
	for _, c := range s.cfg.Agents {
		add(c.A2A)
		add(c.Auth.Issuer)
	}
	for _, c := range s.cfg.Providers {
		add(c.AuthURL)
		add(c.TokenURL)
		add(c.RevokeURL)
	}
	for _, c := range s.cfg.Models {
		add(c.BaseURL)
	}
	if c := s.cfg.Auth.OIDC; c != nil {
		add(c.Issuer)
	}
	if c := s.cfg.Auth.Verifier; c != nil {
		add(c.URL) // browsers go there; the online check looks whether it answers
	}
	if c := s.cfg.Auth.JWT; c != nil {
		add(c.JWKSURL)
	}
	if c := s.cfg.Nango; c != nil {
		add(c.BaseURL)
	}
	if c := s.cfg.Slack; c != nil {
		add(c.APIURL)
	}
	for _, c := range s.cfg.Channels.Webhooks {
		add(c.URL)
	}
	if c := s.cfg.Telemetry.OTLP; c != nil {
		add(c.Endpoint)
	}
	return all
}

func (s *Server) openPages(context.Context) (err error) {
	signIn, key := pages.NoSignIn(), "auth"
	switch {
	case s.cfg.Auth.OIDC != nil:
		c := s.cfg.Auth.OIDC
		key = "auth.oidc"
		signIn = pages.OIDC(&pages.OIDCOptions{
			Issuer: c.Issuer, ClientID: c.ClientID, ClientSecret: c.ClientSecret, Scopes: c.Scopes, TenantClaim: c.TenantClaim, TrustPrompt: c.TrustPrompt, Client: s.client.For(outbound.Operator),
			TenantRequired: s.cfg.Auth.TenantRequired, Qualified: s.cfg.TwoIssuers() && s.cfg.Auth.People == config.Separate,
		})
	case s.cfg.Auth.Verifier != nil:
		key = "auth.verifier"
		signIn = pages.Verifier(&pages.VerifierOptions{
			URL: s.cfg.Auth.Verifier.URL, Key: []byte(s.cfg.Auth.Verifier.Key), TenantRequired: s.cfg.Auth.TenantRequired,
		})
	case s.cfg.Dev:
		signIn = pages.Dev()
	default:
		s.opts.Logger.Warn("hosted pages without a way to sign in: set auth.oidc or auth.verifier")
	}
	trusted, _ := s.cfg.Limits.Proxies() // the configuration was checked
	opts := &pages.Options{
		PublicURL: s.cfg.PublicURL, Records: s.store, Keys: s.keys, SignIn: signIn, Connections: s.Vault,
		Bearer: s.answersWithToken, Address: func(r *http.Request) string { return limit.Address(r, trusted) },
		Origins: s.cfg.Origins, Title: s.cfg.Title, Logger: s.opts.Logger, Home: s.homeLink(), SignedIn: s.signedIn, Record: s.Audit.Record,
		Administers: s.administers, Passkeys: s.passkeys,
	}
	if lasts, _ := s.cfg.Auth.LoginsFor(); lasts >= 0 { // the configuration was checked
		s.logins = login.New(seal.Records(s.store, s.keys, nil), &login.Options{TTL: lasts, Logger: s.opts.Logger, Record: s.Audit.Record})
		opts.Logins = s.logins
	}
	if s.slack != nil {
		opts.Slack = slackPages{s.slack}
	}
	if s.Pages, err = pages.New(s.Hub, opts); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// homeLink is where whoever has signed in may go.
func (s *Server) homeLink() pages.Link {
	if s.defaultAgent() == "" {
		return pages.Link{}
	}
	return pages.Link{Path: "/", Text: "Open the chat"}
}

func (s *Server) openIdentity(context.Context) error {
	s.identity = newIdentity(s.cfg.Auth, &jwks.Options{Client: s.client.For(outbound.Operator), Logger: s.opts.Logger}, s.Pages)
	s.identity.logger = s.opts.Logger
	s.identity.dev = s.cfg.Dev
	s.identity.logins = s.logins
	s.identity.reached = s.signedIn
	s.identity.administers = s.administers
	for _, w := range s.cfg.Warnings() {
		s.opts.Logger.Warn("configuration warning", "warning", w)
	}
	s.knowPeople()
	return nil
}

func (s *Server) openHandler(context.Context) (err error) {
	mux, front := http.NewServeMux(), newGate(s.identity, s.cfg, s.notices)
	s.mountGateway(mux)
	if len(s.Agents.Agents()) > 0 {
		talk, err := chat.New(s.Agents, s.Hub, &chat.Options{
			Principal: s.identity.principal, DefaultAgent: s.defaultAgent(), PublicURL: s.cfg.PublicURL,
			Origins: s.cfg.Origins, OAuthWait: s.cfg.OAuthWait, Logger: s.opts.Logger, Looking: s.looking, Approvals: s.Permits,
		})
		if err != nil {
			return err
		}
		mux.Handle("/run/", talk)
		if s.offered, err = s.offer(); err != nil {
			return err
		}
		s.closers = append(s.closers, s.offered.Close)
		mux.Handle(agentmcp.Path, s.offered)
		mux.HandleFunc(agentmcp.MetadataPath, s.agentMetadata)
		if err := s.mountA2A(mux, front); err != nil {
			return err
		}
	}
	if s.management, err = s.manage(); err != nil {
		return err
	}
	mux.Handle("/api/", s.management)
	mux.Handle("/widget.js", pages.Widget())
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", s.readyz)
	mux.HandleFunc("GET "+auditKeyPath, s.auditKey)
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("GET /home.css", s.homeStyle)
	if s.nango != nil {
		mux.Handle("POST /nango/webhook", s.nango.Webhook())
	}
	if s.slack != nil {
		said := s.slack.Handler(front.unsigned)
		mux.Handle("POST "+slackapp.EventsPath, said)
		mux.Handle("POST "+slackapp.InteractionsPath, said)
	}
	s.mountMetrics(mux)
	mux.Handle("/", s.Pages)
	if s.tls, err = s.openTLS(); err != nil {
		return err
	}
	s.handler = s.strictly(front.guard(s.ownSite(s.traced(mux))))
	if s.cfg.Log.Access {
		s.handler = logAccess(s.opts.Logger, front.trusted, s.handler)
	}
	return nil
}

// defaultAgent is the only one, or the one called assistant.
func (s *Server) defaultAgent() string {
	if _, ok := s.cfg.Agents["assistant"]; ok {
		return "assistant"
	}
	names := config.Keys(s.Agents.Agents())
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// Handler is the server without its listener.
func (s *Server) Handler() http.Handler { return s.handler }

// NodeID is how logs, traces and timelines name this server among those that share its
// store. It is another one after every start.
func (s *Server) NodeID() string { return s.node.ID() }

// Close lets everything go that New opened.
func (s *Server) Close() error {
	var problems []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		problems = append(problems, s.closers[i]())
	}
	s.closers = nil
	return errors.Join(problems...)
}
