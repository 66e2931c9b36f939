// Package gateway offers many MCP servers behind one endpoint, to clients of
// every protocol era.
//
// Its nouns:
//
//   - Server: an MCP server behind the gateway. Its tool "create" is called
//     "tracker__create" here, and "create" at the endpoint of that server alone.
//   - Listing: what a server offers to somebody, kept fresh. While the server is
//     down there is none, and the others are not disturbed.
//   - Conn: a connection to a server, of one person and session, and what is
//     passed on of it.
//
// Connections, tool caches, and a call on its way to a server and back are those of
// package mcpcall.
//
// Each hop is its own: a server's question becomes a question of the hub's, in
// the server's name, for the person who called; what the client sees has an id,
// and a requestState, of our own. The client's token ends here, and the server
// gets the person's credential from the vault.
//
// A call that needs no credential to be asked for and no approval, and whose
// server answers without a question, is relayed as bytes (see shortcut.go). All
// others go through [mcptool], which asks in whatever way the client knows and
// runs the call again when there is an answer, on this node or another.
//
// A Gateway is safe for concurrent use. Run it, serve it, Close it.
package gateway

//lint:file-ignore SA1019 clients and servers still have roots, sampling and logging, which 2026-07-28 deprecates

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/crew"
	"github.com/parley-hq/parley/internal/quietlog"
	"github.com/parley-hq/parley/internal/toolname"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/tracing"
	"github.com/parley-hq/parley/vault"
)

// Server is an MCP server behind the gateway.
type Server = mcpcall.Server

// Catalogue says which servers there are.
type Catalogue interface {
	// Servers are those of a tenant, in the order in which they are listed. It
	// is called for each list and must be quick.
	Servers(ctx context.Context, tenant string) ([]Server, error)
}

// Expose is what clients see of the servers' tools.
type Expose string

const (
	// Tools lists each tool by its name, server__tool.
	Tools Expose = "tools"
	// Execute lists find_tools and execute_tool instead.
	Execute Expose = "execute"
)

// Options configures a Gateway. Nil and zero fields mean the defaults.
type Options struct {
	Catalogue Catalogue       // needed
	Vault     *vault.Vault    // for guarded servers
	Permits   *permit.Permits // default: no call needs an approval
	Records   parley.Records  // default: those of the hub's store
	Keys      *seal.Keyring   // seals records; needed
	Secrets   []string        // of the requestState, as in mcptool.Options
	Client    *http.Client    // to servers; default: one of its own
	// Fallback is for clients that cannot be asked. Default the best that a client can
	// do: mcptool.App, which is the page for those that show no apps, where there is a
	// PublicURL.
	Fallback mcptool.Fallback
	// NoSignIn says that nobody can sign in on the pages: see mcptool.Options.
	NoSignIn bool
	// Approvals is what happens to calls that need an approval when the client
	// cannot ask for it: deny, page, app, or allow. Default: page where Fallback is
	// page or app, else deny. With app people approve their own calls inside the client,
	// once. The model never approves.
	Approvals mcptool.Fallback
	// Refused is told why an answer of an app was refused: see mcptool.Options.
	Refused func(reason string)
	// Record is told of calls that need an approval, as in mcpcall.Options. Default:
	// nobody is told.
	Record parley.Recorder
	Expose Expose // default Tools
	// Ask lets assistants ask people, with a tool of the gateway's own. Default: they
	// ask nobody.
	Ask *Ask

	// Verify tells whose a bearer token is. Nil: nobody is known, and questions
	// belong to sessions.
	Verify auth.TokenVerifier
	// Anonymous lets clients in that send no token, as nobody in particular.
	Anonymous bool
	// Scopes are what a token must have. Default none.
	Scopes []string
	// PublicURL is where people and clients reach this server, without a path.
	PublicURL string
	// Issuers are the authorization servers whose tokens are taken, for the
	// clients that look for them.
	Issuers []string

	// Node is this process among those that share the store. Whoever makes it runs
	// it, until the gateway has ended. Default: one of its own, which Run runs.
	Node        *parley.Node
	URL         string        // where other nodes reach the gateway's own node, path included
	TTL         time.Duration // how long a question stays open; default ten minutes, as everywhere
	Hold        time.Duration // as in mcptool.Options
	ListTTL     time.Duration // how long a list is believed; default 30 s
	IdleTimeout time.Duration // a connection that nobody uses is closed after this; default 5 min
	// CallTime is how long a server may be silent in a call, while it is not asking
	// somebody. Default ten minutes; negative: for ever.
	CallTime    time.Duration
	ListTimeout time.Duration // how long a list waits for a server that is not known yet; default 5 s
	// MaxSessions and MaxLeft are as in mcphttp.Options.
	MaxSessions, MaxLeft int
	// Calls bounds how many calls are in progress. Default: 512 of a person, 4,096
	// in all.
	Calls   *mcptool.Calls
	Origins []string // of other sites whose pages may call

	// Programs bounds how many programs of servers with a Command run for calls.
	// The one for each server that its list is read from is not among them.
	// Default: eight of a person, 64 in all.
	Programs *mcpclient.Programs

	// Tracer is told of calls, and of requests to servers. Default: nobody is.
	Tracer tracing.Tracer

	Logger *slog.Logger // default slog.Default()
}

// Gateway is many MCP servers behind one endpoint.
type Gateway struct {
	hub       *parley.Hub
	opts      Options
	asker     *mcptool.Asker
	server    *mcp.Server
	handler   http.Handler
	sessions  *mcphttp.Handler // of clients
	records   parley.Records   // sealed
	toolCache *mcpcall.ToolCache[*listing]
	clients   clients
	requests  requests
	brought   sync.Map // the names of servers that have listed a user interface, or had one in a result, to whomever
	calls     *mcpcall.Calls
	unread    quietlog.Trouble // of the catalogue
	leftOut   leftOut

	hangUp   func()
	patience time.Duration // of the shortcut

	life crew.Life // of everything that outlives a request
	work crew.Crew
}

// New returns a gateway. It contacts nobody until it is used or run.
func New(hub *parley.Hub, opts *Options) (*Gateway, error) {
	switch {
	case hub == nil || opts == nil || opts.Catalogue == nil || opts.Keys == nil:
		return nil, errors.New("gateway: a hub, a catalogue of servers and a keyring are needed")
	case opts.Approvals == mcptool.Model:
		return nil, errors.New("gateway: a model cannot approve: approvals are denied, allowed, or asked on a page")
	case opts.Approvals == mcptool.Page && opts.Fallback != mcptool.Page && cmp.Or(opts.Fallback, mcptool.App) != mcptool.App:
		return nil, errors.New("gateway: approvals are asked on a page only where the fallback is page or app")
	case opts.Approvals == mcptool.App && cmp.Or(opts.Fallback, mcptool.App) != mcptool.App:
		return nil, errors.New("gateway: approvals are asked in apps only where the fallback is app")
	}
	g := &Gateway{hub: hub, opts: *opts, patience: patience, life: crew.Begin(context.Background())}
	g.fill()
	if g.opts.Records == nil {
		return nil, errors.New("gateway: the hub's store keeps no records: give Options.Records")
	}
	g.records = seal.Records(g.opts.Records, g.opts.Keys, nil)
	g.requests.init()

	var err error
	g.asker, err = mcptool.New(hub, &mcptool.Options{
		Service: "parley", TTL: g.opts.TTL, Hold: g.opts.Hold, Fallback: g.opts.Fallback, Principal: principalOf, Endpoint: endpointOf,
		PageURL: func(id parley.ID) string { return g.opts.PublicURL + "/answer/" + string(id) }, NoSignIn: g.opts.NoSignIn || g.opts.PublicURL == "",
		AppApprovals: g.opts.Approvals == mcptool.App, OthersApps: g.othersApps, Refused: g.opts.Refused,
		Records: g.opts.Records, Secrets: g.opts.Secrets, Node: g.opts.Node, URL: g.opts.URL, Logger: g.opts.Logger,
		Calls: g.opts.Calls, Begun: g.requests.begun, SignIn: SignIn, Tracer: g.opts.Tracer,
	})
	if err != nil {
		g.life.End()
		return nil, fmt.Errorf("gateway: %w", err)
	}
	g.calls = g.newCalls()
	g.toolCache = g.newToolCache()
	g.server = mcp.NewServer(&mcp.Implementation{Name: "parley", Title: "Parley", Version: ownVersion}, &mcp.ServerOptions{
		Logger:                  quietlog.OfMCP(g.opts.Logger),
		Instructions:            ownInstructions,
		CompletionHandler:       completes,
		RootsListChangedHandler: g.rootsChanged,
		SubscribeHandler:        subscribed[*mcp.SubscribeRequest], UnsubscribeHandler: subscribed[*mcp.UnsubscribeRequest],
		Capabilities: &mcp.ServerCapabilities{Logging: &mcp.LoggingCapabilities{}},
	})
	g.asker.Relay(g.server, g)
	g.server.AddReceivingMiddleware(g.addressed, g.listed, g.instructed, g.leveled, g.subscribing)
	g.server.AddSendingMiddleware(g.acknowledged)
	peers := mcphttp.NewPeers(g.asker, g.opts.Logger)
	g.sessions = mcphttp.New(g.asker, g.server, &mcphttp.Options{
		TrustedOrigins: g.opts.Origins, MaxSessions: g.opts.MaxSessions, MaxLeft: g.opts.MaxLeft, Shortcut: g.shortcut, Ended: g.ended, Peers: peers, PublicURL: g.opts.PublicURL, Logger: g.opts.Logger,
		Endpoint: func(r *http.Request) string { return onlyServer(r.Context()) },
	})
	served := g.located(g.sessions)
	g.handler = peers.Entrance(g.guard(served), served)
	return g, nil
}

func (g *Gateway) fill() {
	o := &g.opts
	if o.Records == nil {
		o.Records = g.hub.Records()
	}
	if o.Client == nil {
		carrier := http.DefaultTransport.(*http.Transport).Clone()
		carrier.MaxIdleConnsPerHost = 100 // calls to one server come many at a time
		o.Client = &http.Client{Transport: carrier}
		g.hangUp = carrier.CloseIdleConnections
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	o.Fallback = cmp.Or(o.Fallback, mcptool.App)
	o.Approvals = cmp.Or(o.Approvals, o.Fallback.Approvals(!o.NoSignIn && o.PublicURL != ""))
	o.Expose = cmp.Or(o.Expose, Tools)
	o.TTL = cmp.Or(o.TTL, 10*time.Minute)
	o.Hold = cmp.Or(o.Hold, 45*time.Second)
	o.ListTTL = cmp.Or(o.ListTTL, 30*time.Second)
	o.IdleTimeout = cmp.Or(o.IdleTimeout, 5*time.Minute)
	o.CallTime = cmp.Or(o.CallTime, 10*time.Minute)
	o.ListTimeout = cmp.Or(o.ListTimeout, 5*time.Second)
	if o.Programs == nil {
		o.Programs = mcpclient.NewPrograms(nil)
	}
	if o.Calls == nil {
		o.Calls = mcptool.NewCalls(nil)
	}
}

// ServeHTTP implements http.Handler, for the patterns Path and ServerPath.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.handler.ServeHTTP(w, byEndpoint(r))
}

// Run keeps the lists of the default tenant's servers fresh and the gateway's own
// node known to the others, and withdraws questions of calls that ended with their nodes, until
// ctx ends.
func (g *Gateway) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var keeping sync.WaitGroup
	keeping.Go(func() { g.toolCache.Keep(ctx, g.warm) })
	keeping.Go(func() { g.lookForLost(ctx) })
	defer keeping.Wait()
	defer cancel()
	return g.asker.Run(ctx)
}

// Ready reports whether other nodes know this one: what they forward reaches it.
func (g *Gateway) Ready() bool { return g.asker.Node().Joined() }

// Close ends what is open: sessions of clients, connections to servers, and
// calls that are parked.
func (g *Gateway) Close() error {
	g.life.End()
	g.calls.Stop()
	err := g.sessions.Close()
	g.toolCache.Close()
	g.calls.Close()
	g.work.Wait()
	if g.hangUp != nil {
		g.hangUp()
	}
	return err
}

// Sessions is how many sessions of clients live on this node.
func (g *Gateway) Sessions() int { return g.sessions.Sessions() }

// Parked is how many calls this node holds whose servers wait for a person.
func (g *Gateway) Parked() int { return g.calls.ParkedCalls() }

// newCalls is how this gateway makes calls.
func (g *Gateway) newCalls() *mcpcall.Calls {
	o := g.opts
	return mcpcall.New(&mcpcall.Options{
		Find: g.Find, Hub: g.hub, Vault: o.Vault, Permits: o.Permits, PublicURL: o.PublicURL, Approvals: o.Approvals, Client: o.Client,
		TTL: o.TTL, Hold: o.Hold, CallTime: o.CallTime, SignIn: SignIn, Here: "this gateway", Record: o.Record, Tracer: o.Tracer, Logger: o.Logger,
		Parked: &mcpcall.Parked{Records: g.records, Node: g.asker.Node().ID, Alive: g.asker.Node().Alive, Counted: o.Calls.GoOn},
		Missed: func(who person, s Server) { g.toolCache.Of(who, s).Doubt() },
		Conns: mcpcall.ConnOptions{
			IdleTimeout: o.IdleTimeout, Programs: o.Programs, Prepare: g.prepare,
			Acquired: func(ctx context.Context, c *mcpcall.Conn, who person) { c.Attached.(*conn).attune(ctx, who.Level) },
			Opened: func(ctx context.Context, c *mcpcall.Conn) {
				if l, ok := c.Attached.(*conn); ok {
					l.passOn(ctx)
				}
			},
		},
		Logged: g.log, Connected: g.announce,
		Identify: func(ctx context.Context, who person, t target) (target, error) {
			found, err := g.lookUpTool(ctx, who, toolname.Join(t.Server.Name, t.Name))
			if err == nil && (found.Server.Name != t.Server.Name || found.Name != t.Name) {
				err = mcpcall.Failed("Another server has the name %s now. Nothing was sent.", toolname.Join(t.Server.Name, t.Name))
			}
			return found, err
		},
	})
}

// Find finds a server of a tenant's by its name.
func (g *Gateway) Find(ctx context.Context, tenant, name string) (Server, bool, error) {
	return g.find(ctx, tenant, func(s Server) bool { return s.Name == name })
}

func (g *Gateway) find(ctx context.Context, tenant string, is func(Server) bool) (Server, bool, error) {
	all, err := g.opts.Catalogue.Servers(ctx, tenant)
	if err != nil {
		return Server{}, false, err
	}
	i := slices.IndexFunc(all, is)
	if i < 0 {
		return Server{}, false, nil
	}
	return all[i], true, nil
}
