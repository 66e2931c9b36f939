// Package demo is Parley with everything that shows it, on this machine alone:
// a server with a chat, an OAuth provider with a consent page, MCP servers that
// want a person's token, an approval or a form, an agent elsewhere that asks by
// A2A, and a model that works by rules. It needs no key, no network and no configuration.
package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
	"github.com/parley-hq/parley/internal/demoprovider"
	"github.com/parley-hq/parley/limit"
)

// Options configures a demonstration. Nil and zero fields mean the defaults.
type Options struct {
	Addr   string        // where the chat is; default 127.0.0.1:8420, or any free port if that is taken
	Dir    string        // where the database is kept; required
	TTL    time.Duration // how long questions stay open; default ten minutes
	Logger *slog.Logger  // default slog.Default()
}

// Demo is a demonstration. Run it, then Close it.
type Demo struct {
	URL      string // of the chat
	Server   *server.Server
	Provider *demoprovider.Provider

	backstage net.Listener
	handler   http.Handler
	hub       *parley.Hub // of the MCP servers that ask
	naked     atomic.Int64
}

// Naked is how many requests the tracker got without a credential.
func (d *Demo) Naked() int64 { return d.naked.Load() }

// New builds a demonstration; it listens from now on and answers when it runs.
func New(ctx context.Context, opts *Options) (*Demo, error) {
	front, err := listen(opts.Addr)
	if err != nil {
		return nil, err
	}
	d := &Demo{URL: "http://" + front.Addr().String()}
	if d.backstage, err = backstage(opts.Dir); err != nil {
		return nil, errors.Join(err, front.Close())
	}
	behind := "http://" + d.backstage.Addr().String()
	d.Provider, err = demoprovider.New(&demoprovider.Options{
		Issuer: behind + "/acme", Title: "Acme Tracker",
		Clients: []demoprovider.Client{{ID: "parley", Secret: "demo-secret", Name: "Parley demo", RedirectURIs: []string{d.URL + "/oauth/callback/acme"}}},
	})
	if err != nil {
		return nil, err
	}
	d.hub = parley.New(parley.NewMemoryStore(), &parley.Options{Logger: opts.Logger})
	secret := rand.Text() + rand.Text()
	mux := http.NewServeMux()
	for _, path := range d.Provider.Paths() {
		mux.Handle(path, d.Provider)
	}
	mux.Handle("/tracker/mcp", trackerHandler(d.Provider, &d.naked))
	mux.Handle("/shop/mcp", shopHandler())
	mux.Handle(conciergePath+"/", conciergeHandler(behind+conciergePath, opts.Logger))
	for path, handler := range map[string]func(*parley.Hub, string) (http.Handler, error){"/travel/mcp": travelHandler, "/library/mcp": libraryHandler} {
		h, err := handler(d.hub, secret)
		if err != nil {
			return nil, err
		}
		mux.Handle(path, h)
	}
	d.handler = mux
	cfg, err := config.Parse([]byte(configuration(d.URL, front.Addr().String(), behind, opts.Dir)), environment)
	if err != nil {
		return nil, err
	}
	d.Server, err = server.New(ctx, cfg, &server.Options{Logger: opts.Logger, Listener: front, TTL: opts.TTL})
	return d, err
}

// environment has the times of document 003 alone: all else is the
// demonstration's own.
func environment(name string) (string, bool) {
	if strings.HasPrefix(name, "MCP_OAUTH_") {
		return os.LookupEnv(name)
	}
	return "", false
}

// backstage listens for what the demonstration brings along. Where it did the last
// time it does again: accounts are connected with a server at its place.
func backstage(dir string) (net.Listener, error) {
	file := filepath.Join(dir, "parley-demo.backstage")
	if before, err := os.ReadFile(file); err == nil {
		if l, err := net.Listen("tcp", strings.TrimSpace(string(before))); err == nil {
			return l, nil
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, []byte(l.Addr().String()+"\n"), 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// listen takes the usual address, or any if that is taken and none was asked
// for.
func listen(addr string) (net.Listener, error) {
	if addr != "" {
		return net.Listen("tcp", addr)
	}
	l, err := net.Listen("tcp", "127.0.0.1:8420")
	if err != nil {
		return net.Listen("tcp", "127.0.0.1:0")
	}
	return l, nil
}

// configuration is what an operator would write.
func configuration(public, addr, behind, dir string) string {
	return fmt.Sprintf(`
listen: %[2]q
public_url: %[1]q
store: %[4]q
dev: true
title: Parley demo
models:
  demo: {kind: demo}
providers:
  acme:
    title: Acme Tracker
    issuer: %[3]s/acme
    require_iss: true
    auth_url: %[3]s/acme/authorize
    token_url: %[3]s/acme/token
    revoke_url: %[3]s/acme/revoke
    client_id: parley
    client_secret: demo-secret
    scopes: [read, write]
servers:
  tracker: {title: Acme Tracker, url: "%[3]s/tracker/mcp", auth: {type: oauth2, scope: user, provider: acme}, approve: unsafe}
  shop: {title: Office shop, url: "%[3]s/shop/mcp", approve: always}
  travel: {title: Travel agency, url: "%[3]s/travel/mcp", approve: never}
  library: {title: Library, url: "%[3]s/library/mcp", approve: never}
agents:
  assistant:
    model: demo
    instructions: Help the user with orders and trips. Their tickets are in the tracker, which lists and closes them.
    servers: [tracker, shop, travel]
    delegates: [researcher, concierge]
    suggestions: %[5]s
  researcher: {model: demo, description: Researches anything in the library., servers: [library]}
  concierge: {a2a: "%[3]s/concierge", title: Concierge, description: Reserves a table in a restaurant.}
gateway: {}
`, public, addr, behind, "sqlite:"+filepath.Join(dir, "parley-demo.db"), suggestions())
}

// Sentence is something to say to the demonstration, and what it shows.
type Sentence struct{ Say, Shows string }

// Sentences are what the banner, the README and the empty chat offer.
func Sentences() []Sentence {
	return []Sentence{
		{"List the tickets in my tracker", "connects an account, by OAuth"},
		{"Close ticket 7", "asks for your approval"},
		{"Order 3 boxes of pens", "asks for your approval"},
		{"Book a trip", "asks with a form"},
		{"Delegate to the researcher: tea", "a question from another agent"},
		{"Delegate to the concierge: dinner", "a form from an agent elsewhere, by A2A"},
	}
}

// suggestions are the sentences as a list of YAML, which JSON is.
func suggestions() string {
	var all []string
	for _, s := range Sentences() {
		all = append(all, strconv.Quote(s.Say))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// Run serves until ctx ends.
func (d *Demo) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	var bounds limit.Web
	web := bounds.Server(d.handler)
	all.Go(func() { _ = web.Serve(bounds.Listener(d.backstage)) })
	all.Go(func() { _ = d.hub.Run(ctx) })
	context.AfterFunc(ctx, func() { _ = web.Close() })
	err := d.Server.Run(ctx)
	cancel()
	all.Wait()
	return err
}

// Close lets everything go.
func (d *Demo) Close() error {
	_ = d.backstage.Close() // Run has closed it, if it ran
	return d.Server.Close()
}
