package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"

	"github.com/parley-hq/parley/cmd/parley/internal/carrier"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/loggedin"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
	"github.com/parley-hq/parley/cmd/parley/internal/terminal"
	"github.com/parley-hq/parley/login"
	"github.com/parley-hq/parley/mcpbridge"
)

// tokenVariable is the environment variable with the caller's token.
const tokenVariable = "PARLEY_TOKEN"

// mcp speaks MCP on standard input and output, for editors and assistants: with
// a server elsewhere, or with one of its own.
func mcp(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("parley mcp", flag.ContinueOnError)
	file := flags.String("c", "parley.yaml", "the configuration: the whole server runs in this process")
	at := flags.String("url", "", "the gateway of a server that runs already, such as https://parley.example/mcp; its token in "+tokenVariable+", or by parley login")
	user := flags.String("user", "", "at a server for development (dev: true): as whom to call")
	dev := flags.Bool("dev", false, "with -c: development, on this machine only; the same as dev: true")
	if err := terminal.ParseFlags(flags, args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("parley mcp takes flags only, and %q is none", flags.Arg(0))
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	if *at != "" {
		for _, name := range given(flags) {
			if name != "url" && name != "user" {
				return fmt.Errorf("-%s is for a server in this process, and --url names one that runs already: give one of them", name)
			}
		}
		return remote(ctx, *at, *user, in, out, logger)
	}
	cfg, err := config.LoadDev(*file, *dev, os.LookupEnv)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no %s: name your configuration with -c, or a running server with --url", *file)
	}
	if err != nil {
		return err
	}
	return local(ctx, cfg, *user, in, out, logger)
}

// given are the flags that were set.
func given(flags *flag.FlagSet) (names []string) {
	flags.Visit(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}

func bearer() http.Header {
	header := http.Header{}
	if token := os.Getenv(tokenVariable); token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	return header
}

// remote bridges to a server that runs already.
func remote(ctx context.Context, at, user string, in io.Reader, out io.Writer, logger *slog.Logger) error {
	header := bearer()
	if user != "" {
		if header.Get("Authorization") != "" {
			return fmt.Errorf("--user and %s both say who you are: give one of them", tokenVariable)
		}
		header.Set("Authorization", "Bearer "+server.DevToken(user))
	}
	if header.Get("Authorization") == "" {
		if token, err := loginAt(ctx, at); err != nil {
			return err
		} else if token != "" {
			header.Set("Authorization", "Bearer "+token)
		}
	}
	secret := header.Get("Authorization") != ""
	u, err := carrier.URL("--url", at, "https://parley.example/mcp", secret)
	if err != nil {
		return err
	}
	transport := carrier.New(u, secret)
	defer transport.CloseIdleConnections()
	return mcpbridge.Run(ctx, in, out, &mcpbridge.Options{URL: at, Header: header, Client: &http.Client{Transport: transport}, Logger: logger})
}

// loginAt is the token of a login at the server of a gateway: of one that is for MCP
// alone, or else of one for everything. It is empty where there is none.
func loginAt(ctx context.Context, at string) (string, error) {
	u, err := url.Parse(at)
	if err != nil {
		return "", nil // what is wrong with it is said where it is used
	}
	book, err := loggedin.Open(false)
	if err != nil {
		return "", nil // nobody can be logged in
	}
	for _, scope := range []login.Scope{login.OnlyMCP, login.Everything} {
		if found, ok, err := book.Find(ctx, loggedin.Origin(u), string(scope)); ok || err != nil {
			return found.Token, err
		}
	}
	return "", nil
}

// local runs the whole server in this process: people sign in, connect and
// answer at its pages.
func local(ctx context.Context, cfg *config.Config, user string, in io.Reader, out io.Writer, logger *slog.Logger) error {
	opts := &server.Options{Logger: logger}
	header := bearer()
	if user != "" {
		if !cfg.Dev {
			return errors.New("--user is for configurations with dev: true; others know people by the token in " + tokenVariable)
		}
		header.Set("Authorization", "Bearer "+server.DevToken(user))
	}
	if cfg.Dev && user == "" && header.Get("Authorization") == "" {
		logger.Warn("caller unknown: what needs an account or an approval of a person is refused; name them with --user")
	}
	if cfg.Gateway == nil {
		cfg.Gateway = &config.Gateway{}
	}
	listener, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		return fmt.Errorf("%w: if a parley server runs there already, use: parley mcp --url %s/mcp", err, cfg.PublicURL)
	}
	opts.Listener = listener
	s, err := server.New(ctx, cfg, opts)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer s.Close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	err = mcpbridge.Run(ctx, in, out, &mcpbridge.Options{
		URL: "http://" + listener.Addr().String() + "/mcp", Header: header, Logger: logger,
		Client: &http.Client{Transport: mcpbridge.HandlerTransport(s.Handler())},
	})
	stop()
	return errors.Join(err, <-ended)
}
