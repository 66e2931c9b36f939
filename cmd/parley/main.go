// Command parley is the Parley server and its tools.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

const usage = `parley lets a program stop, ask a person, and go on where it stopped.

Usage:

  parley demo [--headless]   a question outlives the process that asked it
  parley version             what this is

demo keeps its data in a temporary file and needs no configuration. With
--headless, or when there is no terminal, it answers its own questions.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "parley:", err)
		}
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		fmt.Print(usage)
		return nil
	}
	switch args[0] {
	case "demo":
		return demo(ctx, args[1:])
	case "demo-ask": // the process that the demo kills
		return demoAsk(ctx, args[1:])
	case "version":
		fmt.Println(version())
		return nil
	case "help", "-h", "--help":
		fmt.Print(usage)
		return nil
	}
	return fmt.Errorf("unknown command %q; parley help lists them", args[0])
}
