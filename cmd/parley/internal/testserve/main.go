// Command testserve is parley serve with what only tests and benchmarks want: short
// questions, profiles, and a history of what it does with its store. They build it; it
// is not installed.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/testkit/history"
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
	recorded := flags.String("history", "", "where to write what is done with the store")
	ahead := flags.Duration("ahead", 0, "by how much the clock of this process is ahead; in the history it is not")
	profiles := flags.String("profile", "", "where to write profiles; their names begin so")
	if err := flags.Parse(args); err != nil {
		return err
	}
	cfg, err := config.LoadDev(*file, false, os.LookupEnv)
	if err != nil {
		return err
	}
	opts := &server.Options{TTL: *ttl}
	if *recorded != "" {
		file, err := os.OpenFile(*recorded, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return err
		}
		defer file.Close()
		opts.Store = func(inner backend.Store) backend.Store {
			return history.Record(inner, file, func() int64 { return time.Now().Add(-*ahead).UnixNano() })
		}
	}
	opts.Logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	s, err := server.New(ctx, cfg, opts)
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
