// Command testserve is parley serve with what only tests and benchmarks want: short
// questions, and profiles. They build it; it is not installed.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
	"github.com/parley-hq/parley/internal/testkit/profile"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "testserve:", err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("testserve", flag.ContinueOnError)
	file := flags.String("c", "parley.yaml", "the configuration")
	ttl := flags.Duration("ttl", 0, "how long questions stay open; 0: as in parley serve")
	profiles := flags.String("profile", "", "where to write profiles; their names begin so")
	if err := flags.Parse(args); err != nil {
		return err
	}
	cfg, err := config.LoadDev(*file, false, os.LookupEnv)
	if err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	s, err := server.New(ctx, cfg, &server.Options{Logger: logger, TTL: *ttl})
	if err != nil {
		return err
	}
	defer s.Close()
	if *profiles != "" {
		end, err := profile.Start(*profiles)
		if err != nil {
			return err
		}
		defer end()
	}
	return s.Run(ctx)
}
