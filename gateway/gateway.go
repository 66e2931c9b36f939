// Package gateway offers many MCP servers behind one endpoint, to clients of
// every protocol era.
//
// Its nouns:
//
//   - Server: an MCP server behind the gateway. Its tool "create" is called
//     "tracker__create" here.
//   - Shelf: what a server offers to somebody, kept fresh. While the server is
//     down its shelf is empty, and the others are not disturbed.
//   - Line: a connection to a server, of one person and session.
//
// A call on its way to a server and back is one of package mcpcall.
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
	"io"
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
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
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
	Catalogue Catalogue        // needed
	Vault     *vault.Vault     // for guarded servers
	Permits   *permit.Permits  // default: no call needs an approval
	Records   parley.Records   // default: those of the hub's store
	Keys      *seal.Keyring    // seals records; needed
	Secrets   []string         // of the requestState, as in mcptool.Options
	Client    *http.Client     // to servers; default: one of its own
	Fallback  mcptool.Fallback // for clients that cannot be asked; default deny
	// Approvals is what happens to calls that need an approval when the client
	// cannot ask for it: deny, page, or allow. Default: page where Fallback is
	// page, else deny. The model never approves.
	Approvals mcptool.Fallback
	Expose    Expose // default Tools

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

	URL   string        // where other nodes reach this one, path included
	TTL   time.Duration // how long a question stays open; default five minutes
	Hold  time.Duration // as in mcptool.Options
	Fresh time.Duration // how long a list is believed; default 30 s
	Idle  time.Duration // a line that nobody uses is closed after this; default 5 min
	// CallTime is how long a server may be silent in a call, while it is not asking
	// somebody. Default ten minutes; negative: for ever.
	CallTime time.Duration
	Patient  time.Duration // how long a list waits for a server that is not known yet; default 5 s
	// MaxSessions and MaxLeft are as in mcptool.HandlerOptions.
	MaxSessions, MaxLeft int
	// Calls bounds how many calls are in progress. Default: 512 of a person, 4,096
	// in all.
	Calls   *mcptool.Calls
	Origins []string // of other sites whose pages may call

	// Programs bounds how many programs of servers with a Command run for calls.
	// The one for each server that its list is read from is not among them.
	// Default: eight of a person, 64 in all.
	Programs *mcpclient.Programs

	Logger *slog.Logger // default slog.Default()
}

// Gateway is many MCP servers behind one endpoint.
type Gateway struct {
	hub      *parley.Hub
	opts     Options
	asker    *mcptool.Asker
	server   *mcp.Server
	handler  http.Handler
	sessions io.Closer      // of clients
	records  parley.Records // sealed
	shelves  shelves
	lines    lines
	clients  clients
	flights  flights
	calls    *mcpcall.Calls

	hangUp   func()
	patience time.Duration // of the shortcut

	ctx    context.Context // of everything that outlives a request
	cancel context.CancelFunc
	work   crew.Crew
}

// New returns a gateway. It contacts nobody until it is used or run.
func New(hub *parley.Hub, opts Options) (*Gateway, error) {
	switch {
	case hub == nil || opts.Catalogue == nil || opts.Keys == nil:
		return nil, errors.New("gateway: a hub, a catalogue of servers and a keyring are needed")
	case opts.Approvals == mcptool.Model:
		return nil, errors.New("gateway: a model cannot approve: approvals are denied, allowed, or asked on a page")
	case opts.Approvals == mcptool.Page && opts.Fallback != mcptool.Page:
		return nil, errors.New("gateway: approvals are asked on a page only where the fallback is page")
	}
	g := &Gateway{hub: hub, opts: opts, patience: patience}
	g.fill()
	if g.opts.Records == nil {
		return nil, errors.New("gateway: the hub's store keeps no records: give Options.Records")
	}
	g.records = seal.Records(g.opts.Records, g.opts.Keys, nil)
	g.ctx, g.cancel = context.WithCancel(context.Background())
	g.shelves = shelves{gateway: g, byOwner: map[shelfKey]*shelf{}}
	g.lines = lines{gateway: g, open: map[lineKey]*line{}}
	g.flights.init()

	var err error
	g.asker, err = mcptool.New(hub, &mcptool.Options{
		Service: "parley", TTL: g.opts.TTL, Hold: g.opts.Hold, Fallback: g.opts.Fallback, Principal: principalOf,
		PageURL: func(id parley.ID) string { return g.opts.PublicURL + "/answer/" + string(id) },
		Records: g.opts.Records, Secrets: g.opts.Secrets, URL: g.opts.URL, Logger: g.opts.Logger,
		Calls: g.opts.Calls, Begun: g.flights.begun, SignIn: SignIn,
	})
	if err != nil {
		g.cancel()
		return nil, fmt.Errorf("gateway: %w", err)
	}
	g.calls = g.newCalls()
	g.server = mcp.NewServer(&mcp.Implementation{Name: "parley", Title: "Parley", Version: "1"}, &mcp.ServerOptions{
		Logger:                  quietlog.Of(g.opts.Logger),
		Instructions:            ownInstructions,
		CompletionHandler:       completes,
		RootsListChangedHandler: g.rootsChanged,
		SubscribeHandler:        subscribed[*mcp.SubscribeRequest], UnsubscribeHandler: subscribed[*mcp.UnsubscribeRequest],
		Capabilities: &mcp.ServerCapabilities{Logging: &mcp.LoggingCapabilities{}},
	})
	g.asker.Relay(g.server, g)
	g.server.AddReceivingMiddleware(g.listed, g.instructed, g.leveled, g.subscribing)
	g.server.AddSendingMiddleware(g.acknowledged)
	handler := g.asker.Handler(g.server, &mcptool.HandlerOptions{
		TrustedOrigins: g.opts.Origins, MaxSessions: g.opts.MaxSessions, MaxLeft: g.opts.MaxLeft, Shortcut: g.shortcut, Ended: g.ended, Logger: g.opts.Logger,
	})
	g.sessions = handler.(io.Closer)
	g.handler = g.asker.Peers(g.guard(handler), handler)
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
	o.Fallback = cmp.Or(o.Fallback, mcptool.Deny)
	if o.Approvals == "" {
		o.Approvals = mcptool.Deny
		if o.Fallback == mcptool.Page {
			o.Approvals = mcptool.Page
		}
	}
	o.Expose = cmp.Or(o.Expose, Tools)
	o.TTL = cmp.Or(o.TTL, 5*time.Minute)
	o.Hold = cmp.Or(o.Hold, 45*time.Second)
	o.Fresh = cmp.Or(o.Fresh, 30*time.Second)
	o.Idle = cmp.Or(o.Idle, 5*time.Minute)
	o.CallTime = cmp.Or(o.CallTime, 10*time.Minute)
	o.Patient = cmp.Or(o.Patient, 5*time.Second)
	if o.Programs == nil {
		o.Programs = mcpclient.NewPrograms(nil)
	}
	if o.Calls == nil {
		o.Calls = mcptool.NewCalls(nil)
	}
}

// ServeHTTP implements http.Handler, for the path /mcp.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.handler.ServeHTTP(w, r) }

// Run keeps the lists of the default tenant's servers fresh and this node known
// to the others, and withdraws questions of calls that ended with their nodes, until
// ctx ends.
func (g *Gateway) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var keeping sync.WaitGroup
	keeping.Go(func() { g.shelves.keep(ctx) })
	keeping.Go(func() { g.lookForLost(ctx) })
	defer keeping.Wait()
	defer cancel()
	return g.asker.Run(ctx)
}

// Ready reports whether other nodes know this one: what they forward reaches it.
func (g *Gateway) Ready() bool { return g.asker.Joined() }

// Close ends what is open: sessions of clients, connections to servers, and
// calls that are parked.
func (g *Gateway) Close() error {
	g.cancel()
	g.calls.Stop()
	err := g.sessions.Close()
	g.shelves.close()
	g.lines.close()
	g.calls.Close()
	g.work.Wait()
	if g.hangUp != nil {
		g.hangUp()
	}
	return err
}

// newCalls is how this gateway makes calls.
func (g *Gateway) newCalls() *mcpcall.Calls {
	o := g.opts
	return mcpcall.New(&mcpcall.Options{
		Host: g, Hub: g.hub, Vault: o.Vault, Permits: o.Permits, PublicURL: o.PublicURL, Approvals: o.Approvals, Client: o.Client,
		TTL: o.TTL, Hold: o.Hold, CallTime: o.CallTime, SignIn: SignIn, Here: "this gateway", Logger: o.Logger,
		Parked: &mcpcall.Parked{Records: g.records, Node: g.asker.Node, Alive: g.asker.Alive, Counted: o.Calls.GoOn},
		Missed: func(who person, s Server) { g.shelves.of(who, s).doubt() },
		Left:   func(who person, s Server) { g.lines.end(keyOfLine(who, s)) },
		Logged: g.log, Connected: g.announce,
		Identify: func(ctx context.Context, who person, t target) (target, error) {
			return g.lookUpTool(ctx, who, t.Server.Name+separator+t.Name)
		},
	})
}

// Acquire implements mcpcall.Host.
func (g *Gateway) Acquire(ctx context.Context, who person, s Server) (mcpcall.Conn, error) {
	l, err := g.lines.acquire(ctx, who, s)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Find implements mcpcall.Host.
func (g *Gateway) Find(ctx context.Context, tenant, name string) (Server, bool, error) {
	all, err := g.opts.Catalogue.Servers(ctx, tenant)
	if err != nil {
		return Server{}, false, err
	}
	i := slices.IndexFunc(all, func(s Server) bool { return s.Name == name })
	if i < 0 {
		return Server{}, false, nil
	}
	return all[i], true, nil
}
