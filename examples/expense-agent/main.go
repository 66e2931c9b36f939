// Command expense-agent is an agent that is written in Go: it has tools of its
// own, one of which asks for what is missing, has large expenses approved
// before it starts, and asks in the end whether to file the report.
//
//	go run ./examples/expense-agent                                  # a taxi, $48
//	go run ./examples/expense-agent "Flight to Oslo, $1450"          # has to be approved
//	go run ./examples/expense-agent -yes "Flight to Oslo, $1450"     # everything is accepted
//
// The questions are asked in the terminal. The model works by rules, so no key
// is needed; agent/openai and agent/anthropic have real ones.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"sync"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/mcpcall/toolbox"
)

// app is the agent with what it runs on.
type app struct {
	hub     *parley.Hub
	runtime *agent.Runtime
	tools   *toolbox.Box
}

func newApp() (*app, error) {
	store := parley.NewMemoryStore() // use sqlitestore, pgstore or redisstore to survive a restart
	var runtime *agent.Runtime
	hub := parley.New(store, &parley.Options{Hooks: []parley.Hook{
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return runtime.Settled(ctx, a) }),
	}})
	// The tools' questions are asked by the agent in their name, so they have a
	// hub of their own: in one inbox, people would see them twice.
	local, err := newTools(parley.New(parley.NewMemoryStore(), nil))
	if err != nil {
		return nil, err
	}
	tools, err := toolbox.New(&toolbox.Options{Name: "expenses", Local: local})
	if err != nil {
		return nil, err
	}
	runtime, err = agent.New(hub, store, nil, &agent.Options{Agents: []*agent.Agent{newAgent(tools)}})
	return &app{hub, runtime, tools}, err
}

// start runs everything until the returned function is called.
func (a *app) start(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() { _ = a.hub.Run(ctx) })
	all.Go(func() { _ = a.runtime.Run(ctx) })
	return func() {
		cancel()
		all.Wait()
		_ = a.tools.Close()
	}
}

// process has the agent process an expense, and tells of it.
func (a *app) process(ctx context.Context, who parley.Principal, expense string, t *terminal) error {
	run, err := a.runtime.Start(ctx, who, agent.Message{Agent: "expense-processor", Conversation: "expenses", Text: expense, CanAsk: true})
	if err != nil {
		return err
	}
	f := a.runtime.Follow(who, run)
	defer f.Close()
	for {
		e, err := f.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch e.Type {
		case agent.TextDelta:
			fmt.Fprint(t.out, e.Text)
		case agent.TextFinished:
			fmt.Fprintln(t.out)
		case agent.Called:
			fmt.Fprintf(t.out, "(%s %s)\n", e.Tool, e.Args)
		case agent.Asked:
			if err := t.ask(ctx, a.hub, who, *e.Question); err != nil {
				return err
			}
		}
	}
}

// terminal asks a person. parley chat is one with more comfort.
type terminal struct {
	in  *bufio.Scanner
	out io.Writer
	yes bool // accept everything
}

// ask asks until the answer is taken. The end of the input declines.
func (t *terminal) ask(ctx context.Context, hub *parley.Hub, who parley.Principal, q parley.Request) error {
	fmt.Fprintf(t.out, "%s\n", q.Text())
	schema, err := form.Parse(q.Schema, nil)
	if err != nil {
		return err
	}
	for {
		answer := parley.Answer{Action: parley.Decline, Via: "terminal"}
		if content, ok := t.fill(schema.Fields()); ok {
			answer.Action = parley.Accept
			if answer.Content, err = json.Marshal(content); err != nil {
				return err
			}
		}
		var wrong *form.ContentError
		if err := hub.Answer(ctx, who, q.ID, answer); !errors.As(err, &wrong) {
			return err
		}
		for _, v := range wrong.Violations {
			fmt.Fprintf(t.out, "  %s\n", v.Message)
		}
	}
}

func (t *terminal) fill(fields []form.Field) (content map[string]any, ok bool) {
	content = map[string]any{}
	for _, f := range fields {
		kind := ""
		if f.Kind == form.Boolean {
			kind = " (y or n)"
		}
		fmt.Fprintf(t.out, "  %s%s: ", f.Label(), kind)
		line, ok := t.line(f)
		switch {
		case !ok:
			return nil, false
		case f.Kind == form.Boolean:
			content[f.Name] = strings.HasPrefix(strings.ToLower(line), "y")
		case line != "":
			content[f.Name] = line
		}
	}
	return content, true
}

func (t *terminal) line(f form.Field) (string, bool) {
	if !t.yes {
		ok := t.in.Scan()
		return strings.TrimSpace(t.in.Text()), ok
	}
	line := ""
	switch {
	case f.Kind == form.Boolean:
		line = "y"
	case f.Required:
		line = "R-1001"
	}
	fmt.Fprintln(t.out, line)
	return line, true
}

func main() {
	yes := flag.Bool("yes", false, "accept everything that is asked")
	flag.Parse()
	expense := strings.Join(flag.Args(), " ")
	if expense == "" {
		expense = "Taxi to the airport, $48"
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	a, err := newApp()
	if err != nil {
		log.Fatal(err)
	}
	defer a.start(ctx)()
	alice := parley.Principal{User: "alice", Method: "example"} // yours comes from a verified token
	fmt.Printf("Expense: %s\n", expense)
	if err := a.process(ctx, alice, expense, &terminal{bufio.NewScanner(os.Stdin), os.Stdout, *yes}); err != nil && ctx.Err() == nil {
		log.Print(err)
	}
}
