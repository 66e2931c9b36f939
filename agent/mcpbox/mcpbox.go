// Package mcpbox makes a toolbox of an MCP server, of either protocol era, over
// HTTP, stdio or in the same process.
//
// What the server asks during a call reaches the person in the server's own
// name. A server of 2026-07-28 is told the answers when the call is made again,
// so such a call waits as data and any process goes on with it. An older server
// waits on its open connection, and the process that holds it has to stay. A
// server that answers with -32042 is called again once the person has been
// where it sent them.
//
// A Box is safe for concurrent use. Close it.
package mcpbox

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// Access gets callers past a server's door.
type Access interface {
	// Pass returns nil when the caller has what the server asks for, an
	// *agent.Pause when the person has to be asked for it first, and otherwise
	// an error. answers are those to the questions of earlier pauses.
	Pass(ctx context.Context, who agent.Caller, answers map[string]parley.Request) error
	// Transport carries the caller's requests to the server, with what it asks
	// for.
	Transport(who agent.Caller) http.RoundTripper
}

// Options says where a server is. One of URL, Command and Local is set.
type Options struct {
	Name string // as models and people see it

	URL     string
	Access  Access            // URL: default: no credential, by http.DefaultTransport
	Command []string          // a program to start, and its arguments
	Env     map[string]string // Command: besides PATH and HOME
	// Local is a server in this process. It is told who the caller is, as by a
	// verified token. What it asks by a hub is asked again by the agent, so an
	// mcptool.Asker here has a hub of its own: people would see it twice.
	Local *mcp.Server

	Idle time.Duration // a connection that nobody uses is closed after this; default 5 min
	// Fresh is how long a list of tools is believed. Default 1 min; a server
	// that says that it changed is asked again.
	Fresh time.Duration
}

// Box is an MCP server as a toolbox.
type Box struct {
	opts Options

	mu       sync.Mutex
	idle     map[owner][]*session
	lists    map[owner]list
	sessions map[*session]struct{}
	closed   bool
}

// owner is whose connections and lists they are: nobody shares one.
type owner struct{ tenant, user, agent string }

type list struct {
	tools []agent.Tool
	until time.Time
}

var _ agent.Toolbox = (*Box)(nil)

// New returns a box; it connects when it is used.
func New(opts Options) (*Box, error) {
	set := 0
	for _, is := range []bool{opts.URL != "", len(opts.Command) > 0, opts.Local != nil} {
		if is {
			set++
		}
	}
	if opts.Name == "" || set != 1 {
		return nil, fmt.Errorf("server %q: it has a name and exactly one of url, command and a server in this process", opts.Name)
	}
	opts.Idle = cmp.Or(opts.Idle, 5*time.Minute)
	opts.Fresh = cmp.Or(opts.Fresh, time.Minute)
	return &Box{opts: opts, idle: map[owner][]*session{}, lists: map[owner]list{}, sessions: map[*session]struct{}{}}, nil
}

// Name implements agent.Toolbox.
func (b *Box) Name() string { return b.opts.Name }

func ownerOf(who agent.Caller) owner { return owner{who.Tenant, who.User, who.Agent} }

func (b *Box) pass(ctx context.Context, who agent.Caller, answers map[string]parley.Request) error {
	if b.opts.Access == nil {
		return nil
	}
	return b.opts.Access.Pass(ctx, who, answers)
}

// Tools implements agent.Toolbox.
func (b *Box) Tools(ctx context.Context, who agent.Caller) ([]agent.Tool, error) {
	if err := b.pass(ctx, who, nil); err != nil {
		return nil, err
	}
	b.mu.Lock()
	known := b.lists[ownerOf(who)]
	b.mu.Unlock()
	if time.Now().Before(known.until) {
		return slices.Clone(known.tools), nil
	}
	s, err := b.checkOut(ctx, who, nil)
	if err != nil {
		return nil, b.paused(ctx, who, err)
	}
	var tools []agent.Tool
	for tool, err := range s.Tools(ctx, nil) {
		if err != nil {
			s.discard()
			return nil, b.paused(ctx, who, err)
		}
		tools = append(tools, toolOf(tool))
	}
	b.checkIn(s)
	b.mu.Lock()
	b.lists[ownerOf(who)] = list{tools, time.Now().Add(b.opts.Fresh)}
	b.mu.Unlock()
	return slices.Clone(tools), nil
}

// paused turns a refusal that came in the middle into the question that it
// leads to.
func (b *Box) paused(ctx context.Context, who agent.Caller, err error) error {
	if pass := b.pass(ctx, who, nil); pass != nil {
		return pass
	}
	return err
}

func toolOf(t *mcp.Tool) agent.Tool {
	schema, err := json.Marshal(t.InputSchema)
	if err != nil {
		schema = []byte(`{"type":"object"}`)
	}
	tool := agent.Tool{Name: t.Name, Title: t.Title, Description: t.Description, Schema: schema}
	if a := t.Annotations; a != nil {
		tool.Title = cmp.Or(tool.Title, a.Title)
		tool.ReadOnly, tool.Idempotent, tool.Destructive = &a.ReadOnlyHint, &a.IdempotentHint, a.DestructiveHint
	}
	return tool
}

// Prepare implements agent.Toolbox.
func (b *Box) Prepare(ctx context.Context, c *agent.Invocation) error {
	return b.pass(ctx, c.Caller, c.Answers)
}

// transport connects to the server.
func (b *Box) transport(ctx context.Context, who agent.Caller) (mcp.Transport, error) {
	switch {
	case b.opts.Local != nil:
		ours, theirs := mcp.NewInMemoryTransports()
		if _, err := b.opts.Local.Connect(ctx, onBehalf{theirs, who}, nil); err != nil {
			return nil, err
		}
		return ours, nil
	case len(b.opts.Command) > 0:
		cmd := exec.Command(b.opts.Command[0], b.opts.Command[1:]...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
		for name, value := range b.opts.Env {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		cmd.Stderr = os.Stderr
		return &mcp.CommandTransport{Command: cmd, TerminateDuration: 2 * time.Second}, nil
	}
	carrier := http.DefaultTransport
	if b.opts.Access != nil {
		carrier = b.opts.Access.Transport(who)
	}
	return &mcp.StreamableClientTransport{Endpoint: b.opts.URL, HTTPClient: &http.Client{Transport: carrier}, MaxRetries: -1}, nil
}

// Close ends every connection.
func (b *Box) Close() error {
	b.mu.Lock()
	b.closed = true
	all := make([]*session, 0, len(b.sessions))
	for s := range b.sessions {
		all = append(all, s)
	}
	b.mu.Unlock()
	var problems []error
	for _, s := range all {
		problems = append(problems, s.discard())
	}
	return errors.Join(problems...)
}
