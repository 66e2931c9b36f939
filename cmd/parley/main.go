// Command parley is the Parley server and its tools.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/parley-hq/parley/cmd/parley/internal/terminal"
)

const usage = `parley lets a program stop, ask a person, and go on where it stopped.

Usage:

  parley demo [--headless] [--addr HOST:PORT]   everything on this machine, with no configuration
  parley serve [-c parley.yaml] [--dev]         the server
  parley check [-c parley.yaml] [--online]      read the configuration and say what it means; try all that it names
  parley mcp [--url URL | -c parley.yaml]       the gateway on standard input and output, for editors and assistants
  parley chat [--server URL] [--user NAME]      talk with an agent in the terminal
  parley inbox [show ID | answer ID]            what waits for your answer, in the terminal
  parley login [--server URL]                   a token for chat, inbox and mcp, by your browser; logout ends it
  parley ready [--server URL] [--wait 1m]       whether a node is ready; for scripts and supervisors of containers
  parley secrets [-c parley.yaml] [--reseal]    what is stored by the secret that opens it; seal it all with the first
  parley verify FILE --key KEY                  check a receipt or an export of decisions, without the server
  parley version                                what this is
  parley help COMMAND                           what a command takes

demo needs no key and no network. With --headless it plays the whole story in
the terminal and exits.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), ends()...)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) { // who asked for help got it
		fmt.Fprintln(os.Stderr, "parley:", err)
		os.Exit(1)
	}
}

// ends are the signals that end the program in order. A terminal that is closed sends
// SIGHUP, unless nohup has it ignored.
func ends() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		fmt.Print(usage)
		return nil
	}
	switch args[0] {
	case "demo":
		return playDemo(ctx, args[1:])
	case "serve":
		return serve(ctx, args[1:])
	case "check":
		return check(ctx, args[1:], os.Stdout)
	case "chat":
		return terminal.Chat(ctx, args[1:])
	case "inbox":
		return terminal.Inbox(ctx, args[1:])
	case "login":
		return terminal.Login(ctx, args[1:])
	case "logout":
		return terminal.Logout(ctx, args[1:])
	case "mcp":
		return mcp(ctx, args[1:], os.Stdin, os.Stdout)
	case "ready":
		return terminal.Ready(ctx, args[1:], os.Stdout)
	case "secrets":
		return secrets(ctx, args[1:], os.Stdout)
	case "verify":
		return verify(args[1:], os.Stdin, os.Stdout)
	case "version", "-version", "--version":
		return tellVersion(args[1:], os.Stdout)
	case "help", "-h", "--help":
		if len(args) > 1 && args[1] != "help" && !strings.HasPrefix(args[1], "-") {
			return run(ctx, []string{args[1], "--help"})
		}
		fmt.Print(usage)
		return nil
	}
	return fmt.Errorf("unknown command %q; parley help lists them", args[0])
}

// taken says which address is in use already, and what names another.
func taken(err error, address, remedy string) error {
	if !errors.Is(err, syscall.EADDRINUSE) {
		return err
	}
	return fmt.Errorf("%s is taken: another program listens there. Stop it, or %s", address, remedy)
}
