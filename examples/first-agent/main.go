// Command first-agent is an agent that asks before it acts, and goes on after
// its process has ended. docs/first-agent.md explains it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"sync"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/sqlitestore"
)

// shop is a toolbox with one tool.
type shop struct{}

func (shop) Name() string { return "shop" }

func (shop) Tools(context.Context, agent.Caller) ([]agent.Tool, error) {
	return []agent.Tool{{
		Name: "order", Description: "Orders something for the user.",
		Schema: json.RawMessage(`{"type":"object","properties":{"what":{"type":"string"}},"required":["what"]}`),
	}}, nil
}

// Prepare is what comes before a call: here, the person's yes.
func (shop) Prepare(_ context.Context, c *agent.Invocation) error {
	q, asked := c.Answers["sure"]
	switch {
	case !asked:
		return &agent.Pause{Questions: map[string]parley.Request{"sure": {
			From: "shop", Message: "Order " + ordered(c.Args) + "?",
			Schema: json.RawMessage(`{"type":"object","properties":{"note":{"type":"string","title":"Note for the shop"}}}`),
		}}}
	case q.Outcome.Action != parley.Accept:
		return &agent.Denied{Reason: "The user said no."}
	}
	return nil
}

// Call is made once, whatever happens.
func (shop) Call(_ context.Context, c *agent.Invocation) (agent.Result, error) {
	return agent.Result{Text: "Ordered: " + ordered(c.Args) + "."}, nil
}

func ordered(args json.RawMessage) string {
	var in struct{ What string }
	_ = json.Unmarshal(args, &in)
	return in.What
}

// rules stands in for a model, so that no key is needed.
type rules struct{}

func (rules) Generate(_ context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	last := p.Messages[len(p.Messages)-1]
	if last.Role == agent.FromTools {
		emit(last.Results[0].Text)
		return agent.Reply{Text: last.Results[0].Text}, nil
	}
	args, err := json.Marshal(map[string]string{"what": strings.TrimPrefix(last.Text, "Order ")})
	return agent.Reply{Calls: []agent.ToolCall{{ID: "1", Tool: "shop__order", Args: args}}}, err
}

// talk says something to the agent and shows what comes of it.
func talk(ctx context.Context, hub *parley.Hub, runtime *agent.Runtime, text string, in *bufio.Scanner, out io.Writer) error {
	alice := parley.Principal{User: "alice"} // yours comes from a verified token
	run, err := runtime.Start(ctx, alice, agent.Message{Agent: "buyer", Conversation: "office", ID: text, Text: text, CanAsk: true})
	if err != nil {
		return err
	}
	events := runtime.Follow(alice, run)
	defer events.Close()
	for {
		e, err := events.Next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case e.Type == agent.TextDelta:
			fmt.Fprintln(out, e.Text)
		case e.Type == agent.Asked:
			if err := ask(ctx, hub, alice, e.Question.ID, in, out); err != nil {
				return err
			}
		}
	}
}

var errNobody = errors.New("nobody is here to answer: the question stays open")

// ask shows a question, unless it was answered before this process began.
func ask(ctx context.Context, hub *parley.Hub, who parley.Principal, id parley.ID, in *bufio.Scanner, out io.Writer) error {
	q, err := hub.Get(ctx, who, id)
	if err != nil || !q.Pending() {
		return err
	}
	fmt.Fprintf(out, "%s (y or n)\n", q.Text())
	if !in.Scan() {
		return errNobody
	}
	answer := parley.Answer{Action: parley.Decline, Via: "terminal"}
	if strings.HasPrefix(in.Text(), "y") {
		answer = parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{}`), Via: "terminal"}
	}
	return hub.Answer(ctx, who, id, answer)
}

func run(ctx context.Context, file, text string, in io.Reader, out io.Writer) error {
	store, err := sqlitestore.Open(ctx, file, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	var runtime *agent.Runtime
	hub := parley.New(store, &parley.Options{Hooks: []parley.Hook{ // an answer makes its run go on
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return runtime.Settled(ctx, a) }),
	}})
	runtime, err = agent.New(hub, store, nil, &agent.Options{Agents: []*agent.Agent{
		{Name: "buyer", Instructions: "Order what the user wants.", Model: rules{}, Toolboxes: []agent.Toolbox{shop{}}},
	}})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() { _ = hub.Run(ctx) })
	all.Go(func() { _ = runtime.Run(ctx) })
	defer func() { stop(); all.Wait() }()
	return talk(ctx, hub, runtime, text, bufio.NewScanner(in), out)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, "office.db", strings.Join(os.Args[1:], " "), os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}
