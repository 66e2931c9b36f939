package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"

	"github.com/parley-hq/parley/cmd/parley/internal/demo"
	"github.com/parley-hq/parley/cmd/parley/internal/terminal"
	"github.com/parley-hq/parley/internal/loopback"
)

// playDemo starts everything on this machine, or plays the story in the
// terminal.
func playDemo(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("parley demo", flag.ContinueOnError)
	headless := flags.Bool("headless", false, "play the whole story in the terminal and exit")
	addr := flags.String("addr", "", "where the chat is; default 127.0.0.1:8420, or any free port; with --headless any free port")
	verbose := flags.Bool("v", false, "log what the server does")
	if err := terminal.ParseFlags(flags, args); err != nil {
		return err
	}
	if err := terminal.NothingElse("demo", flags.Args()); err != nil {
		return err
	}
	if err := checkAddr(*addr); err != nil {
		return err
	}
	level := slog.LevelError
	if *verbose {
		level = slog.LevelDebug
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	slog.SetDefault(logger)
	dir, err := os.MkdirTemp("", "parley-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	const remedy = "give another address with --addr"
	opts := &demo.Options{Addr: *addr, Dir: dir, Logger: logger}
	if *headless {
		return taken(demo.Play(ctx, opts, os.Stdout), *addr, remedy)
	}
	d, err := demo.New(ctx, opts)
	if err != nil {
		return taken(err, *addr, remedy)
	}
	defer d.Close()
	self, _ := os.Executable() // unknown: as if installed
	fmt.Print(banner(d.URL, self))
	return d.Run(ctx)
}

// checkAddr refuses addresses that others reach: the demonstration lets anybody in.
func checkAddr(addr string) error {
	if addr == "" {
		return nil
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("--addr %q is not a host and a port, such as 127.0.0.1:8420", addr)
	}
	if !loopback.Host(host) {
		return fmt.Errorf("--addr %s can be reached from elsewhere, and the demonstration lets anybody in: use --addr 127.0.0.1:%s", addr, port)
	}
	return nil
}

// banner says where the demonstration is and what to say to it, and names this
// program as it was started.
func banner(url, self string) string {
	program := "parley"
	if runByGo(self) {
		program = "go run ./cmd/parley"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Open %s and sign in as anybody. Try:\n\n", url)
	for _, s := range demo.Sentences() {
		fmt.Fprintf(&b, "  %-34s %s\n", s.Say, s.Shows)
	}
	fmt.Fprintf(&b, `
MCP clients find the same servers at %[1]s/mcp, as somebody by
  %[2]s mcp --url %[1]s/mcp --user ann
docs/clients.md shows how to configure yours.

Everything runs on this machine and is forgotten when you press Ctrl-C.
`, url, program)
	return b.String()
}
