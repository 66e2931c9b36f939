// Package a2a offers the agents of a runtime to the agents of others, by A2A: 1.0 over
// JSON-RPC and REST, and 0.3 on the same URL.
//
// Its nouns:
//
//   - Task: a run of package agent, as A2A tells it. It is read from the run; nothing
//     else is stored of it, so it is the same on every node and after every restart.
//   - Context: a conversation of one person with one agent. Its runs are the tasks.
//   - Question: what the agent asks on the way, at any depth. It interrupts the task and
//     is the same question that the person's other surfaces show; package elicitation
//     has its wire.
//   - Said: a message that was sent to a task, kept for the task's history.
//   - Pushed: a URL that is told how a task goes on.
//
// An example:
//
//	agents, err := a2a.New(runtime, hub, records, &a2a.Options{Principal: whoAsks, PublicURL: "https://parley.example"})
//	go agents.Run(ctx)
//	mux.Handle(a2a.Path, agents)
//	mux.Handle(a2a.PathBelow, agents)
//	mux.Handle(a2a.RootCardPath, agents.RootCard())
//
// Who calls is a program that acts for a person. It can answer the forms of that person,
// and it approves nothing: approvals and credentials are given on the pages of this
// site, by the person, signed in. A client that goes away ends nothing.
package a2a

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/limit"
)

// Via is the surface that answers given here come through. By its name package permit
// knows that a model may have written them.
const Via = "a2a-model"

// Where an agent is served; {agent} is its name.
const (
	Path         = "/a2a/{agent}"
	PathBelow    = Path + "/{rest...}"
	RootCardPath = "/.well-known/agent-card.json"
)

// MetadataPath is where clients look for what tokens an agent takes (RFC 9728).
const MetadataPath = "/.well-known/oauth-protected-resource" + Path

// Options configures Agents. Nil and zero fields mean the defaults.
type Options struct {
	// Principal says who sends a request, from a verified bearer token; it is required.
	// chat.ErrUnauthenticated, or an error that wraps it, when it cannot say;
	// chat.ErrScope when their token is not good for this. A program with a key has tasks of
	// its own, and nobody is asked anything in them.
	Principal func(*http.Request) (parley.Principal, error)
	// Scopes are what a token needs, as a client is told that has not got them.
	Scopes []string
	// Issuers are where clients get tokens, as the card says.
	Issuers []string

	// PublicURL is where people and clients reach this site; it is required.
	PublicURL string
	// DefaultAgent is whose card is at the root. Default: the agent of the runtime, if it
	// has only one.
	DefaultAgent string
	// Version is the agents', as the cards say. Default "1".
	Version string

	// Post sends what a task has to tell to the URL of a client's, until it is taken. It
	// is durable: a letter that it was given is not lost, and the same one again is not
	// sent twice. Default: there are no push notifications.
	Post Post

	// Listen counts a stream of somebody's until leave is called. Where they have too many
	// it refuses the request, and is not ok. Default: they may have any number.
	Listen func(http.ResponseWriter, *http.Request, parley.Principal) (leave func(), ok bool)

	// Keep is how long messages to tasks and their push configurations are remembered:
	// as long as runs are. Default 30 days; negative: for ever.
	Keep time.Duration
	// Kept is how many bytes of messages to the tasks of one person, or program, are kept
	// within that time, or within 30 days, for the history of the tasks. Of further ones it
	// is kept that there were some; and of as many again nothing. Answers among them are taken
	// all the same. Default 64 MiB.
	Kept int64
	// Heartbeat is how long a stream may be silent before it sends a comment, and how
	// often it is found out whether its client may still listen. Default 15 s.
	Heartbeat time.Duration
	// Body is how many bytes a request may have. Default 1 MiB.
	Body int64

	Logger *slog.Logger // default slog.Default()
}

// Agents serves agents to A2A clients. Make one with New, and Run it. It is safe for
// concurrent use.
type Agents struct {
	runtime *agent.Runtime
	hub     *parley.Hub
	records parley.Records
	opts    Options
	door    chat.Door
	offers  map[string]*offer // by the agent's name
	pushes  pushes
	reads   *limit.Held // by person
}

// offer is one agent, as it is served.
type offer struct {
	*Agents
	name     string
	agent    *agent.Agent
	card     document
	extended *a2a.AgentCard
	input    *jsonschema.Resolved // of data that is sent to it; nil: any

	rpc, rest, oldRPC, oldREST http.Handler
}

// New offers all agents of the runtime, whose questions are the hub's. What it keeps
// is in records, which seal it.
func New(rt *agent.Runtime, hub *parley.Hub, records parley.Records, opts *Options) (*Agents, error) {
	if opts == nil || opts.Principal == nil {
		return nil, errors.New("a2a: Options.Principal is missing: agents act for a person")
	}
	if opts.PublicURL == "" {
		return nil, errors.New("a2a: Options.PublicURL is missing: the cards say where the agents are")
	}
	a := &Agents{runtime: rt, hub: hub, records: records, opts: *opts, offers: map[string]*offer{}, reads: limit.NewHeld(readsEach, readsInAll)}
	a.opts.PublicURL = strings.TrimRight(a.opts.PublicURL, "/")
	a.opts.Version = cmp.Or(a.opts.Version, "1")
	a.opts.Keep = cmp.Or(a.opts.Keep, 30*24*time.Hour)
	a.opts.Kept = cmp.Or(a.opts.Kept, 64<<20)
	a.opts.Heartbeat = cmp.Or(a.opts.Heartbeat, 15*time.Second)
	a.opts.Body = cmp.Or(a.opts.Body, 1<<20)
	if a.opts.Logger == nil {
		a.opts.Logger = slog.Default()
	}
	a.door = chat.Door{Principal: a.bearer, Scopes: a.opts.Scopes, Metadata: a.opts.PublicURL + MetadataPath, Logger: a.opts.Logger}
	if a.opts.Listen == nil {
		a.opts.Listen = func(http.ResponseWriter, *http.Request, parley.Principal) (func(), bool) { return func() {}, true }
	}
	a.pushes.prepare()
	for name, one := range rt.Agents() {
		o := &offer{Agents: a, name: name, agent: one}
		if err := errors.Join(o.describe(), o.readInput()); err != nil {
			return nil, err
		}
		alive := a2asrv.WithTransportKeepAlive(a.opts.Heartbeat)
		o.rpc, o.rest = o.rpcFront(a2asrv.NewJSONRPCHandler(o, alive)), o.restFront(a2asrv.NewRESTHandler(o, alive))
		o.oldRPC, o.oldREST = http.HandlerFunc(o.serveOldRPC), http.HandlerFunc(o.serveOldREST)
		a.offers[name] = o
		if len(rt.Agents()) == 1 && a.opts.DefaultAgent == "" {
			a.opts.DefaultAgent = name
		}
	}
	return a, nil
}

// Run tells clients of their tasks where they asked for that. It blocks until ctx ends.
// The hub and the runtime are run by their owners.
func (a *Agents) Run(ctx context.Context) error { return a.push(ctx) }
