package main

import (
	"context"
	"fmt"
	"io"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
)

// check says what a configuration means, and refuses what serve refuses. With
// --online it tries everybody whom the configuration names. It ends when it is told to, also
// while a file that the configuration names does not come.
func check(ctx context.Context, args []string, out io.Writer) error {
	done := make(chan error, 1)
	go func() { done <- checkAll(ctx, args, out) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func checkAll(ctx context.Context, args []string, out io.Writer) error {
	flags, read := configFlags("check")
	online := flags.Bool("online", false, "try the store and every server, provider, model and agent that the configuration names")
	cfg, err := read(args)
	if err != nil {
		return err
	}
	if err := server.Check(ctx, cfg); err != nil {
		return err
	}
	fmt.Fprint(out, cfg.Explain())
	if manifest := cfg.SlackManifest(); manifest != "" {
		fmt.Fprintf(out, "\nThe manifest of the app, for https://api.slack.com/apps (Create New App, From a manifest):\n\n%s", manifest)
	}
	if !*online {
		return nil
	}
	return try(ctx, cfg, out)
}

// try prints a line for each that was tried. Its error counts those that failed.
func try(ctx context.Context, cfg *config.Config, out io.Writer) error {
	failed, all := 0, 0
	err := server.Try(ctx, cfg, func(t server.Trial) {
		all++
		switch {
		case t.Err != nil:
			failed++
			where := ""
			if place := cfg.Place(t.What); place != "" {
				where = " (" + place + ")"
			}
			fmt.Fprintf(out, "FAILED  %s: %v%s\n", t.What, t.Err, where)
		default:
			fmt.Fprintf(out, "ok      %s: %s\n", t.What, t.Says)
		}
		for _, warning := range t.Warnings {
			fmt.Fprintf(out, "WARNING: %s\n", warning)
		}
	})
	if err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d that were tried failed", failed, all)
	}
	return nil
}
