package chat

import (
	"context"
	"encoding/json"
	"flag"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/testkit/profile"
)

// Server is the process that is measured: one node with an agent that asks.
func Server(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("chat-server", flag.ContinueOnError)
	url := flags.String("store", "memory:", "the store")
	profiles := flags.String("profile", "", "where to write profiles; their names begin so")
	if err := flags.Parse(args); err != nil {
		return err
	}
	kit.RaiseFileLimit()
	store, err := backend.Open(ctx, *url, &backend.Options{Space: "chat"})
	if err != nil {
		return err
	}
	defer store.Close()
	surface, stop, err := newSurface(ctx, store)
	if err != nil {
		return err
	}
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: surface}
	defer server.Close()
	go func() { _ = server.Serve(listener) }()
	if *profiles != "" {
		end, err := profile.Start(*profiles)
		if err != nil {
			return err
		}
		defer end()
	}
	return kit.Report("http://" + listener.Addr().String())
}

// newSurface serves the agent as parley serve would.
func newSurface(ctx context.Context, store backend.Store) (surface http.Handler, stop func(), err error) {
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	var rt *agent.Runtime
	hub := parley.New(store, &parley.Options{Logger: logger, Hooks: []parley.Hook{
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return rt.Settled(ctx, a) }),
	}})
	rt, err = agent.New(hub, store, nil, &agent.Options{
		Agents: []*agent.Agent{{Name: "painter", Model: painter{}, Toolboxes: []agent.Toolbox{paint{}}}},
		TTL:    6 * time.Hour,                                    // nothing is to expire while it is measured
		Limits: agent.Limits{InAll: 1 << 20, PerTenant: 1 << 20}, // so many are answered at once
		Logger: logger,
	})
	if err != nil {
		return nil, nil, err
	}
	surface, err = chat.New(rt, hub, &chat.Options{Logger: logger, Principal: func(r *http.Request) (parley.Principal, error) {
		user, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok {
			return parley.Principal{}, chat.ErrUnauthenticated
		}
		return parley.Principal{User: user, Method: "bench"}, nil
	}})
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() { _ = hub.Run(ctx) })
	all.Go(func() { _ = rt.Run(ctx) })
	return surface, func() { cancel(); all.Wait() }, nil
}

// painter is a model without delay: it has the wall painted, then says so.
type painter struct{}

func (painter) Generate(_ context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	last := p.Messages[len(p.Messages)-1]
	if last.Role != agent.FromTools {
		emit("One moment.")
		return agent.Reply{Text: "One moment.", Calls: []agent.ToolCall{{ID: "c", Tool: "paint__wall", Args: []byte(`{"wall":7}`)}}}, nil
	}
	emit(last.Results[0].Text)
	return agent.Reply{Text: last.Results[0].Text}, nil
}

// paint is a toolbox with one tool that asks for a colour first.
type paint struct{}

func (paint) Name() string { return "paint" }

func (paint) Tools(context.Context, agent.Caller) ([]agent.Tool, error) {
	return []agent.Tool{{Name: "wall", Title: "Paint a wall", Schema: json.RawMessage(`{"type":"object","properties":{"wall":{"type":"integer"}}}`)}}, nil
}

func (paint) Prepare(_ context.Context, c *agent.Invocation) error {
	asked, ok := c.Answers["colour"]
	if !ok {
		return &agent.Pause{Questions: map[string]parley.Request{"colour": {
			From: "paint", Message: "Which colour?", Trigger: parley.TriggerMCP,
			Schema: json.RawMessage(`{"type":"object","properties":{"colour":{"type":"string","minLength":3}},"required":["colour"]}`),
		}}}
	}
	if asked.Outcome.Action != parley.Accept {
		return &agent.Denied{Reason: "Not painted."}
	}
	return nil
}

func (paint) Call(_ context.Context, c *agent.Invocation) (agent.Result, error) {
	var chosen struct{ Colour string }
	if err := json.Unmarshal(c.Answers["colour"].Outcome.Content, &chosen); err != nil {
		return agent.Result{}, err
	}
	return agent.Result{Text: "Painted " + chosen.Colour + "."}, nil
}
