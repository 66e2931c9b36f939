package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
	"github.com/parley-hq/parley/cmd/parley/internal/terminal"
	"github.com/parley-hq/parley/internal/ballast"
)

// configFlags are the flags of a command that has a configuration; read parses them,
// and reads it. A command may add its own flags before.
func configFlags(name string) (flags *flag.FlagSet, read func(args []string) (*config.Config, error)) {
	flags = flag.NewFlagSet("parley "+name, flag.ContinueOnError)
	file := flags.String("c", "parley.yaml", "the configuration")
	dev := flags.Bool("dev", false, "development: a user picker at /login, on this machine only; the same as dev: true")
	return flags, func(args []string) (*config.Config, error) {
		if err := terminal.ParseFlags(flags, args); err != nil {
			return nil, err
		}
		if err := terminal.NothingElse(name, flags.Args()); err != nil {
			return nil, err
		}
		cfg, err := config.LoadDev(*file, *dev, os.LookupEnv)
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("there is no %s: name your configuration with -c", *file)
		}
		return cfg, err
	}
}

func serve(ctx context.Context, args []string) error {
	_, read := configFlags("serve")
	cfg, err := read(args)
	if err != nil {
		return err
	}
	logger := cfg.Log.Logger(os.Stderr)
	slog.SetDefault(logger)
	defer ballast.Load()()
	var s *server.Server
	s, err = server.New(ctx, cfg, &server.Options{Logger: logger, Version: version(), Bound: func(at net.Addr) {
		logger.Info("parley serves", "at", cfg.PublicURL, "listen", at.String(), "agents", len(cfg.Agents), "servers", len(cfg.Servers), "dev", cfg.Dev, "version", version(), "node", s.NodeID())
	}})
	if err != nil {
		return err
	}
	defer s.Close()
	defer context.AfterFunc(ctx, func() { logger.Info("parley stops", "node", s.NodeID()) })()
	err = taken(s.Run(ctx), cfg.Listen, "write another address for listen in the configuration")
	if err == nil {
		logger.Info("parley stopped", "node", s.NodeID())
	}
	return err
}
