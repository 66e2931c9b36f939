// Package mcpcall makes calls at MCP servers for people: one way, for whoever
// has a call to make.
//
// Its nouns:
//
//   - Server, Target, Person: where a call goes, what it is for, and for whom.
//   - Call: one call on its way to a server and back, with the credential and the
//     approval that it needs and the questions that the server asks.
//   - Request: one request of a call, with the time that the server has for it.
//   - Parked call: a call whose server, of an older era, waits on its open
//     connection while the person is asked.
//   - Journal: what a call has done and asked. A call that asks ends, and runs
//     again from its start when there is an answer, in this process or another.
//
// What became of a call that has no answer is said in one place, in three ways:
// it was not sent, it was refused, or that is not known.
//
// Calls is safe for concurrent use. A Call is one goroutine's.
package mcpcall

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/crew"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/tracing"
	"github.com/parley-hq/parley/vault"
)

// Server is an MCP server: one of URL and Command is set.
type Server struct {
	Name, Title string
	URL         string
	Command     []string
	Env         map[string]string // Command: besides PATH and HOME
	Client      *http.Client      // URL: the way there; default that of the Calls
	// Guarded says that the server takes a credential of the vault's; Personal
	// that each person has their own, and so their own list of tools.
	Guarded, Personal bool
	// Approve says which calls need an approval, unless the rules of permit say
	// otherwise.
	Approve permit.Rule
	// Own says that it is a tenant's own: where the name of a tool could be that of
	// several servers, those that are not go before it.
	Own bool
}

// Label is how people know the server.
func (s Server) Label() string { return cmp.Or(s.Title, s.Name) }

// Place is where the server is, for what goes on there and nowhere else.
func (s Server) Place() string { return permit.Place(s.URL, s.Command) }

// Same reports whether connections to s serve other as well.
func (s Server) Same(other Server) bool {
	if len(s.Env) != len(other.Env) {
		return false
	}
	for name, value := range s.Env {
		if other.Env[name] != value {
			return false
		}
	}
	return s.URL == other.URL && s.Client == other.Client && slices.Equal(s.Command, other.Command) && s.Guarded == other.Guarded && s.Personal == other.Personal
}

// Person is on whose behalf a call is made, in which session or conversation, and
// what their client wants besides.
type Person struct {
	parley.Principal
	Session string
	// Endpoint is where their client is, among several that serve the same: it takes
	// each for a server of its own, and what is asked at one is not for another.
	Endpoint string
	Circle   string    // as in permit.Call
	Client   string    // what the program calls itself that makes the call, if it is none of ours
	Agent    string    // as whom credentials are taken that belong to agents
	Level    string    // from which on log messages are passed on; empty: the server decides
	Able     Abilities // of their client
}

// Options configures Calls. Nil and zero fields mean the defaults.
type Options struct {
	// Find finds a server by its name. Needed.
	Find    func(ctx context.Context, tenant, name string) (Server, bool, error)
	Conns   ConnOptions     // of the connections to servers
	Hub     *parley.Hub     // decides what can be shown; needed where calls are parked or gathered for
	Vault   *vault.Vault    // for guarded servers
	Permits *permit.Permits // default: no call needs an approval

	// PublicURL is where our own pages are. A server may not send people there,
	// unless it is there itself: they trust what they see to be ours.
	PublicURL string
	// Approvals is what happens to calls that need an approval when the client
	// cannot ask for it. Default deny.
	Approvals mcptool.Fallback
	TTL       time.Duration // how long a question stays open; default ten minutes
	Hold      time.Duration // how long a call is held that goes on in a moment; default none
	// CallTime is how long a server may be silent in a call, while it is not asking
	// somebody. Default ten minutes; negative: for ever.
	CallTime time.Duration
	// SignIn is what callers are told who are not known, and have to be.
	SignIn string
	Parked *Parked // nil: no call is parked
	// Here is what people know this by who are told of its limits. Default "this server".
	Here   string
	Client *http.Client // to servers; default http.DefaultClient

	// Unconnected says to whoever calls why there is no credential: the vault's
	// error, *vault.NotConnectedError where the person was asked and there is none.
	// Default: in the words of a *Failure, and -32001 for who did not connect.
	Unconnected func(ctx context.Context, who Person, s Server, why error) error

	Missed    func(who Person, s Server)                                      // a call did not reach a server
	Connected func()                                                          // somebody has connected an account
	Logged    func(ctx context.Context, f *Request, m mcpclient.Message)      // a server logs something in a call
	Identify  func(ctx context.Context, who Person, t Target) (Target, error) // what a tool is that could not be known before

	// Record is told of calls that need an approval: that one is sent, how it ended, and
	// that one was refused without asking. A call of which it cannot be told is not made.
	// Default: nobody is told.
	Record parley.Recorder

	// Tracer is told of requests to servers. Default: nobody is, and servers are told
	// of the trace that a call came with.
	Tracer tracing.Tracer

	Logger *slog.Logger // default: nowhere
}

// Calls makes calls.
type Calls struct {
	Conns *Conns // to servers

	opts    Options
	parking parking
	notices *limit.Notices

	life crew.Life // of everything that outlives a request
	work crew.Crew
}

// New returns Calls. Close them.
func New(opts *Options) *Calls {
	g := &Calls{opts: *opts, life: crew.Begin(context.Background())}
	o := &g.opts
	o.Approvals = cmp.Or(o.Approvals, mcptool.Deny)
	o.TTL = cmp.Or(o.TTL, 10*time.Minute)
	o.CallTime = cmp.Or(o.CallTime, 10*time.Minute)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	g.notices = limit.NewNotices(o.Logger, 0)
	g.Conns = newConns(g, o.Conns)
	g.parking = parking{calls: g, open: map[string]*parkedCall{}}
	return g
}

func (g *Calls) here() string { return cmp.Or(g.opts.Here, "this server") }

func (g *Calls) connected() {
	if g.opts.Connected != nil {
		g.opts.Connected()
	}
}

// valid reports whether a question can be shown.
func (g *Calls) valid(q parley.Request) error {
	if g.opts.Hub == nil {
		return nil // whoever asks it finds out
	}
	return g.opts.Hub.Valid(q)
}

// unapprovable is what callers are told who can approve nothing. Of a program nobody is
// asked, approvers neither: it waits for nobody.
func (g *Calls) unapprovable(who Person) string {
	if who.OfProgram() {
		return "This call needs a person's approval, and a program makes it: nobody can be asked. Do not repeat the call."
	}
	return "This call needs an approval, and it is not known who asks: " + cmp.Or(g.opts.SignIn, "sign in") + "."
}

// Alive is ctx for as long as the Calls are open. Call the returned function.
func (g *Calls) Alive(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(g.life.Context(), func() { cancel(ErrClosed) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// Stop ends what is open; Close waits for it.
func (g *Calls) Stop() {
	g.life.End()
	g.parking.close()
}

// Close ends what is open: requests, and calls that are parked.
func (g *Calls) Close() {
	g.Stop()
	g.Conns.close()
	g.work.Wait()
}
