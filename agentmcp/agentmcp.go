// Package agentmcp offers the agents of a runtime as MCP tools, each at a path of
// its own. A call is one turn of a conversation with the agent. What the agent
// asks on the way, at any depth, is asked by the MCP client; it is the same
// question that the person's other surfaces show.
//
//	agents, err := agentmcp.New(runtime, hub, &agentmcp.Options{Principal: whoAsks})
//	go agents.Run(ctx)
//	mux.Handle("/mcp/agents/{agent}", agents)
//
// A run belongs to its call by an id of the call's journal, which is stored
// before the run is started. So a client that comes back with answers, or that
// lost its connection and makes the same call again, follows the run that there
// is, on whatever node. A client that goes away ends nothing.
package agentmcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/internal/quietlog"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

// Options configures Agents. Nil and zero fields mean the defaults.
type Options struct {
	// Principal says who sends a request, from a verified token or cookie; it is
	// required. chat.ErrUnauthenticated, or an error that wraps it, when it
	// cannot say. A program with a key runs agents in conversations of its own,
	// and what needs a person is an error of the tool at once.
	// chat.ErrScope when their token is not good for this.
	Principal func(*http.Request) (parley.Principal, error)
	// Scopes are what a token needs, as a client is told that has not got them.
	Scopes []string

	// PublicURL is where people reach this site. Going to one of its pages is not
	// yet an answer: the page takes it. Default: none.
	PublicURL string

	// Asker configures how clients are asked. Its Principal and its Endpoint are not used.
	Asker mcptool.Options
	// Handler configures how clients are served. Its Recheck and its
	// Peers are not used.
	Handler mcphttp.Options

	Logger *slog.Logger // default slog.Default()
}

// Path is where an agent is served; {agent} is its name.
const Path = "/mcp/agents/{agent}"

// MetadataPath is where clients look for what an agent wants of them (RFC 9728).
const MetadataPath = "/.well-known/oauth-protected-resource" + Path

// Agents serves agents to MCP clients of both protocol eras. Make one with New,
// and Run it. It is safe for concurrent use.
type Agents struct {
	runtime  *agent.Runtime
	hub      *parley.Hub
	opts     Options
	door     chat.Door
	asker    *mcptool.Asker
	entrance http.Handler            // for clients and other nodes
	handlers map[string]http.Handler // by the agent's name
	sessions []*mcphttp.Handler
}

// New offers all agents of the runtime, whose questions are the hub's.
func New(rt *agent.Runtime, hub *parley.Hub, opts *Options) (*Agents, error) {
	if opts == nil || opts.Principal == nil {
		return nil, errors.New("agentmcp: Options.Principal is missing: agents act for a person")
	}
	a := &Agents{runtime: rt, hub: hub, opts: *opts, handlers: map[string]http.Handler{}}
	if a.opts.Logger == nil {
		a.opts.Logger = slog.Default()
	}
	a.door = chat.Door{Principal: a.opts.Principal, Scopes: a.opts.Scopes, Logger: a.opts.Logger}
	if a.opts.PublicURL != "" {
		a.door.Metadata = a.opts.PublicURL + MetadataPath
		a.opts.Handler.PublicURL = a.opts.PublicURL
	}
	a.opts.Asker.Principal, a.opts.Asker.Endpoint = principalOf, endpointOf
	if a.opts.Asker.Logger == nil {
		a.opts.Asker.Logger = a.opts.Logger
	}
	if a.opts.Handler.Logger == nil {
		a.opts.Handler.Logger = a.opts.Logger
	}
	a.opts.Handler.Recheck, a.opts.Handler.PublicURL = a.recheck, a.opts.PublicURL
	var err error
	if a.asker, err = mcptool.New(hub, &a.opts.Asker); err != nil {
		return nil, fmt.Errorf("agentmcp: %w", err)
	}
	a.opts.Handler.Peers = mcphttp.NewPeers(a.asker, a.opts.Logger)
	for name, one := range rt.Agents() {
		handler := mcphttp.New(a.asker, a.server(one), &a.opts.Handler)
		a.handlers[name] = handler
		a.sessions = append(a.sessions, handler)
	}
	a.entrance = a.opts.Handler.Peers.Entrance(http.HandlerFunc(a.serveClient), http.HandlerFunc(a.serveNode))
	return a, nil
}

// Close ends the sessions of all clients.
func (a *Agents) Close() error {
	var problems []error
	for _, all := range a.sessions {
		problems = append(problems, all.Close())
	}
	return errors.Join(problems...)
}

// Run makes this node known to the others that share the store. It blocks until
// ctx ends. The hub and the runtime are run by their owners.
func (a *Agents) Run(ctx context.Context) error { return a.asker.Run(ctx) }

// Input is what an agent's tool takes.
type Input struct {
	Message      string `json:"message" jsonschema:"what to say to the agent, with everything that it needs to know"`
	Conversation string `json:"conversation,omitempty" jsonschema:"the conversation of an earlier answer, to go on with it; leave it out to begin a new one"`
}

// Output is what it returns, besides the text for the model.
type Output struct {
	Conversation string `json:"conversation"` // to go on with
	Text         string `json:"text"`         // all that the agent said
}

var outputSchema = json.RawMessage(`{"type":"object","properties":{` +
	`"conversation":{"type":"string","description":"names the conversation; pass it on to go on with it"},` +
	`"text":{"type":"string","description":"what the agent said"}},"required":["conversation","text"]}`)

// server makes the MCP server of one agent: with one tool, which is the agent.
func (a *Agents) server(one *agent.Agent) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: one.Name, Title: one.Name, Version: "1"}, &mcp.ServerOptions{Logger: quietlog.OfMCP(a.opts.Logger)})
	description := one.Description
	if description == "" {
		description = fmt.Sprintf("Talks with the agent %q, which acts for the user and may ask them questions on the way.", one.Name)
	}
	tool := &mcp.Tool{Name: one.Name, Title: one.Name, Description: description, OutputSchema: outputSchema}
	if len(one.Input) > 0 {
		a.addTyped(s, tool, one)
		return s
	}
	mcptool.AddTool(a.asker, s, tool, func(ctx context.Context, call *mcptool.Call, in Input) (*mcp.CallToolResult, error) {
		return a.turn(ctx, call, one.Name, in)
	}, &mcptool.ToolOptions{Task: mcptool.TaskAllowed})
	return s
}

// Sessions is how many sessions of clients live on this node.
func (a *Agents) Sessions() (n int) {
	for _, one := range a.sessions {
		n += one.Sessions()
	}
	return n
}
