// Command gateway puts two MCP servers behind one endpoint: one of 2025-11-25,
// which asks on the open call, and one of 2026-07-28, which is called again with
// the answer. A client of each era calls both. Whatever the pair, the person is
// asked once, in the server's name, in the way of the client's era.
//
//	go run ./examples/gateway
//
// Servers, gateway and clients are in this program and talk over HTTP on this
// machine.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/seal"
)

const (
	legacy = "2025-11-25"
	modern = "2026-07-28"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run tells on out what happens.
func run(ctx context.Context, out io.Writer) error {
	var house site
	defer house.close()
	servers := catalogue{}
	for _, s := range []struct {
		name    string
		handler http.Handler
	}{{"shop", newShop()}, {"travel", newTravel()}} {
		url, err := house.serve(s.handler)
		if err != nil {
			return err
		}
		servers = append(servers, gateway.Server{Name: s.name, URL: url})
	}
	url, err := house.open(ctx, servers)
	if err != nil {
		return err
	}
	for _, era := range []string{legacy, modern} {
		if err := visit(ctx, out, url, era); err != nil {
			return fmt.Errorf("client of %s: %w", era, err)
		}
	}
	return nil
}

// catalogue is a fixed list of servers.
type catalogue []gateway.Server

// Servers implements gateway.Catalogue.
func (c catalogue) Servers(context.Context, string) ([]gateway.Server, error) { return c, nil }

// site is what listens on this machine.
type site struct {
	closers []func()
	running sync.WaitGroup
}

// serve listens with a handler and returns its URL.
func (s *site) serve(handler http.Handler) (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	web := &http.Server{Handler: handler}
	s.running.Go(func() { _ = web.Serve(listener) })
	s.closers = append(s.closers, func() { _ = web.Close() })
	return "http://" + listener.Addr().String() + "/mcp", nil
}

// open runs a gateway in front of the servers and returns its URL.
func (s *site) open(ctx context.Context, servers catalogue) (string, error) {
	keys, err := seal.New([]byte(rand.Text() + rand.Text())) // keep it, to open what was sealed before a restart
	if err != nil {
		return "", err
	}
	hub := parley.New(parley.NewMemoryStore(), nil) // use sqlitestore, pgstore or redisstore to survive one
	g, err := gateway.New(hub, &gateway.Options{
		Catalogue: servers, Keys: keys, Secrets: []string{rand.Text() + rand.Text()}, Verify: verify,
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return "", err
	}
	ctx, stop := context.WithCancel(ctx)
	s.running.Go(func() { _ = hub.Run(ctx) })
	s.running.Go(func() { _ = g.Run(ctx) })
	s.closers = append(s.closers, func() {
		_ = g.Close()
		stop()
	})
	return s.serve(g)
}

// close ends everything, the last first.
func (s *site) close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
	s.running.Wait()
}

const aliceToken = "a-token-of-alice"

// verify says whose a token is. It is for the gateway alone: servers never see
// it.
func verify(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	if token != aliceToken {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{UserID: "alice", Expiration: time.Now().Add(time.Hour)}, nil
}

// visit lists and calls all tools with a client of an era. Its person answers
// every question.
func visit(ctx context.Context, out io.Writer, url, era string) error {
	client := mcp.NewClient(&mcp.Implementation{Name: "visitor", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			answer := map[string]any{"size": "L"}
			if strings.Contains(r.Params.Message, "day") {
				answer = map[string]any{"day": "Friday"}
			}
			fmt.Fprintf(out, "  asked:  %s  answered: %v\n", r.Params.Message, answer)
			return &mcp.ElicitResult{Action: "accept", Content: answer}, nil
		},
	})
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: bearer{transport}},
	}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		return err
	}
	defer session.Close()
	tools, err := session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	for _, tool := range tools.Tools {
		fmt.Fprintf(out, "client of %s calls %s\n", era, tool.Name)
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool.Name, Arguments: map[string]any{}})
		if err != nil {
			return err
		}
		for _, c := range result.Content {
			if text, ok := c.(*mcp.TextContent); ok {
				fmt.Fprintf(out, "  result: %s\n", text.Text)
			}
		}
		if err := result.GetError(); err != nil {
			return err
		}
	}
	return nil
}

// bearer sends Alice's token with every request.
type bearer struct{ next http.RoundTripper }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+aliceToken)
	return b.next.RoundTrip(r)
}
