// Command bench measures Parley. Every figure it prints comes from one run on
// one machine; compare figures of one run only.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/parley-hq/parley/bench/chat"
	"github.com/parley-hq/parley/bench/clone"
	"github.com/parley-hq/parley/bench/core"
	"github.com/parley-hq/parley/bench/gateway"
	"github.com/parley-hq/parley/bench/inbox"
	"github.com/parley-hq/parley/bench/load"
	"github.com/parley-hq/parley/bench/mcp"
	"github.com/parley-hq/parley/bench/resources"
	"github.com/parley-hq/parley/bench/slack"
	"github.com/parley-hq/parley/bench/table"
	"github.com/parley-hq/parley/bench/tools"
)

const usage = `Usage: go run ./bench all|clone|core|mcp|chat|gateway|inbox|load|resources|slack|tools [flags]

  all    everything below that the design has a target for, in rounds, and peers
         beside it: one table with what was asked for and what was seen, as
         docs/benchmarks.md and docs/benchmarks.json
  clone  from a clone with empty caches to the end of the demonstration
  core   the hub over every backend: opening, answering, waking up, and how
         resolving a question fares with many pending
  mcp    a tool that asks through mcptool, against the same tool on the bare
         SDK: round trip, throughput, CPU, and what waiting costs
  chat   turns that arrive at parley serve, so many a second: how long they take,
         what they cost, and how many are refused; then many chat streams that
         wait for a person: memory per stream, and the time from an answer to
         the next event of its stream
  gateway
         calls and lists through the gateway against those that the same
         client makes directly, and what a session costs
  inbox  the inbox of a person for whom very many questions wait: how long it
         takes to open, how soon open pages know of what is new and of what is
         settled, what they cost, and how long many answers take
  load   a million questions that wait, fifty thousand streams that wait with them,
         and answers at a steady rate: memory and times as they go by; then many
         questions that fall due at once
  resources
         attacks on parley serve: the memory and the writes to its store that a
         hostile byte costs
  slack  approvals that people are asked for in Slack, which takes no more than so
         many messages, while a node is killed: whether each is posted once and
         updated once, and how soon
  tools  whether find_tools finds the right tool among 4,000 for what people and
         models need, in their words, and how long a search takes

go run ./bench core -h lists the flags of one.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		fmt.Print(usage)
		return nil
	}
	switch args[0] {
	case "all":
		return table.Run(ctx, args[1:], os.Stdout)
	case "clone":
		return clone.Run(ctx, args[1:], os.Stdout)
	case "core":
		return core.Run(ctx, args[1:], os.Stdout)
	case "core-answerer": // the other process of the wake-up figures
		return core.Answerer(ctx, args[1:])
	case "mcp":
		return mcp.Run(ctx, args[1:], os.Stdout)
	case "mcp-server": // the process that is measured
		return mcp.Server(ctx, args[1:])
	case "chat":
		return chat.Run(ctx, args[1:], os.Stdout)
	case "chat-fakes": // the process beside the one that is measured
		return chat.Fakes(ctx, args[1:])
	case "chat-server": // the process that is measured
		return chat.Server(ctx, args[1:])
	case "gateway":
		return gateway.Run(ctx, args[1:], os.Stdout)
	case "gateway-servers": // the process behind the one that is measured
		return gateway.Servers(ctx, args[1:])
	case "gateway-proxy": // the same hop, without a gateway
		return gateway.Proxy(ctx, args[1:])
	case "gateway-node": // the process that is measured
		return gateway.Node(ctx, args[1:])
	case "inbox":
		return inbox.Run(ctx, args[1:])
	case "load":
		return load.Run(ctx, args[1:], os.Stdout)
	case "load-streams": // a process of clients
		return load.Streams(ctx)
	case "resources":
		return resources.Run(ctx, args[1:], os.Stdout)
	case "slack":
		return slack.Run(ctx, args[1:], os.Stdout)
	case "tools":
		return tools.Run(ctx, args[1:], os.Stdout)
	}
	fmt.Print(usage)
	return fmt.Errorf("unknown benchmark %q", args[0])
}
