// Package toolbox makes a toolbox of an MCP server, of either protocol era, over
// HTTP, stdio or in the same process.
//
// What the server asks during a call reaches the person in the server's own
// name. A server of 2026-07-28 is told the answers when the call is made again,
// so such a call waits as data and any process goes on with it. An older server
// waits on its open connection, and the process that holds it has to stay. A
// server that answers with -32042 is called again once the person has been
// where it sent them.
//
// A server is not trusted with this process: what it sends, lists and asks has
// limits, and so has the number of connections to it.
//
// A Box is safe for concurrent use. Close it.
package toolbox

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/tracing"
	"github.com/parley-hq/parley/vault"
)

// Options says where a server is. One of URL, Command and Local is set.
type Options struct {
	Name  string // as programs and models see it
	Title string // as people do; empty: its name

	URL     string
	Client  *http.Client      // URL: the way there; default http.DefaultClient
	Vault   *vault.Vault      // URL: has the credential that the server takes; default: it takes none
	Command []string          // a program to start, and its arguments
	Env     map[string]string // Command: besides PATH and HOME
	// Local is a server in this process. It is told who the caller is, as by a
	// verified token. What it asks by a hub is asked again by the agent, so an
	// mcptool.Asker here has a hub of its own: people would see it twice.
	Local *mcp.Server

	IdleTimeout time.Duration // a connection that nobody uses is closed after this; default 5 min
	// ListTTL is how long a list of tools is believed. Default 1 min; a server
	// that says that it changed is asked again.
	ListTTL time.Duration

	// CallTime is how long the server may be silent in a call, while it is not
	// asking somebody. Default 10 min; negative: for ever.
	CallTime time.Duration

	// PerPerson and InAll are how many connections there may be at a time. To an
	// older server each call has its own. Defaults: 4 and 64 programs, otherwise
	// 32 and 1024.
	PerPerson, InAll int
	// Programs bounds the programs of everything in this process that starts some.
	// Default: those of this box alone, by PerPerson and InAll.
	Programs *mcpclient.Programs

	// PublicURL is where our own pages are. A server may not send people there,
	// unless it is there itself: they trust what they see to be ours.
	PublicURL string
	Hub       *parley.Hub     // decides what can be shown; default: whoever asks it
	Permits   *permit.Permits // default: no call needs an approval
	Record    parley.Recorder // is told of calls that need one, as in mcpcall.Options; default: nobody is
	// Records remember what the server listed last, for who has not connected an
	// account yet. They are sealed. Default: nothing is remembered.
	Records parley.Records
	// Unready is the error of a server that is not set up, and Unprovided that of
	// one whose credential nobody has given, for surfaces that have to tell them
	// from others. Default: what the vault says.
	Unready, Unprovided func(server string, cause error) *agent.PublicError
	Tracer              tracing.Tracer // is told of requests to the server; default: nobody is
	Logger              *slog.Logger   // default: nowhere
}

// maxMessage is the largest message of a server's that is taken, such as a result, in
// bytes as it is when unpacked: no model reads more.
const maxMessage = 4 << 20

// How many connections a box has, unless it is told otherwise. A program is a
// process on this machine for each.
const (
	programsPerPerson, programsInAll       = 4, 64
	connectionsPerPerson, connectionsInAll = 32, 1024
)

// filled has the defaults in it.
func (o Options) filled() Options {
	o.IdleTimeout = cmp.Or(o.IdleTimeout, 5*time.Minute)
	o.ListTTL = cmp.Or(o.ListTTL, time.Minute)
	o.CallTime = cmp.Or(o.CallTime, 10*time.Minute)
	if len(o.Command) > 0 {
		o.PerPerson, o.InAll = cmp.Or(o.PerPerson, programsPerPerson), cmp.Or(o.InAll, programsInAll)
	}
	o.PerPerson, o.InAll = cmp.Or(o.PerPerson, connectionsPerPerson), cmp.Or(o.InAll, connectionsInAll)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Box is an MCP server as a toolbox.
type Box struct {
	opts   Options
	server mcpcall.Server
	calls  *mcpcall.Calls
	lists  *mcpcall.ToolCache[*toolList]
}

var _ agent.Toolbox = (*Box)(nil)

// New returns a box; it connects when it is used.
func New(opts *Options) (*Box, error) {
	set := 0
	for _, is := range []bool{opts.URL != "", len(opts.Command) > 0, opts.Local != nil} {
		if is {
			set++
		}
	}
	if opts.Name == "" || set != 1 {
		return nil, fmt.Errorf("server %q: it has a name and exactly one of url, command and a server in this process", opts.Name)
	}
	b := &Box{opts: opts.filled()}
	o := &b.opts
	b.server = mcpcall.Server{
		Name: o.Name, Title: o.Title, URL: o.URL, Client: o.Client, Command: o.Command, Env: o.Env,
		Guarded: o.Vault != nil, Personal: o.Vault != nil, // it is asked for everybody; the vault knows whose the credential is
	}
	b.calls = mcpcall.New(&mcpcall.Options{
		Find: func(context.Context, string, string) (mcpcall.Server, bool, error) { return b.server, true, nil },
		Conns: mcpcall.ConnOptions{
			IdleTimeout: o.IdleTimeout, PerPerson: o.PerPerson, InAll: o.InAll, Programs: o.Programs, Exclusive: true, Key: ownerOf, Prepare: b.reach,
		},
		Hub: o.Hub, Vault: o.Vault, Permits: o.Permits, PublicURL: o.PublicURL, CallTime: o.CallTime, Record: o.Record, Tracer: o.Tracer,
		Missed:      func(who mcpcall.Person, s mcpcall.Server) { b.lists.Of(who, s).Doubt() },
		Unconnected: b.unconnected, Identify: b.identify, Logger: o.Logger,
	})
	b.lists = mcpcall.NewToolCache(mcpcall.CacheOptions[*toolList]{Calls: b.calls, Read: b.readTools, TTL: o.ListTTL, MaxBytes: maxKept})
	return b, nil
}

// Name implements agent.Toolbox.
func (b *Box) Name() string { return b.opts.Name }

// ownerOf is whose connections and lists they are: a person's, for one agent.
func ownerOf(who mcpcall.Person, s mcpcall.Server) mcpcall.ConnKey {
	return mcpcall.ConnKey{Tenant: who.Tenant, Server: s.Name, User: who.Owner(), Agent: who.Agent}
}

// reach says how to reach the server on somebody's behalf.
func (b *Box) reach(ctx context.Context, c *mcpcall.Conn, who mcpcall.Person, opts *mcpclient.Options) error {
	opts.MaxMessage = maxMessage
	opts.Notify = func(m mcpclient.Message) { b.lists.Heard(c, m) }
	if b.opts.Local == nil {
		return nil
	}
	ours, theirs := net.Pipe()
	opts.URL, opts.Pipe = "", ours
	// The session ends with the pipe, not with the call that began it.
	_, err := b.opts.Local.Connect(context.WithoutCancel(ctx), onBehalf{&mcp.IOTransport{Reader: theirs, Writer: theirs}, callerOf(who)}, nil)
	return err
}

// Close ends every connection, and the calls on them.
func (b *Box) Close() error {
	b.lists.Close()
	b.calls.Close()
	return nil
}
