package gateway

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/ballast"
	"github.com/parley-hq/parley/internal/testkit/profile"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
)

// Node is the process that is measured: a gateway as parley serve has it.
func Node(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("gateway-node", flag.ContinueOnError)
	url := flags.String("store", "memory:", "the store")
	space := flags.String("space", "", "the data set in the store")
	servers := flags.String("servers", "", "where the servers are")
	many := flags.Int("many", 0, "how many of those with few tools; 0: those of the calls")
	profiles := flags.String("profile", "", "where to write profiles; their names begin so")
	if err := flags.Parse(args); err != nil {
		return err
	}
	kit.RaiseFileLimit()
	defer ballast.Load()()
	store, err := backend.Open(ctx, *url, &backend.Options{Space: *space})
	if err != nil {
		return err
	}
	defer store.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	where := "http://" + listener.Addr().String()
	g, stop, err := openGateway(ctx, store, where, serversAt(*servers, *many))
	if err != nil {
		return err
	}
	defer stop()
	mux := http.NewServeMux()
	mux.Handle("/mcp", g)
	server := &http.Server{Handler: mux}
	defer server.Close()
	go func() { _ = server.Serve(listener) }()
	if *profiles != "" {
		end, err := profile.Start(*profiles)
		if err != nil {
			return err
		}
		defer end()
	}
	return kit.Report(where + "/mcp")
}

// fixedServers is a catalogue that does not change.
type fixedServers []gateway.Server

// Servers implements gateway.Catalogue.
func (f fixedServers) Servers(context.Context, string) ([]gateway.Server, error) { return f, nil }

func serversAt(url string, many int) (all fixedServers) {
	for i := range many {
		all = append(all, gateway.Server{Name: fmt.Sprint("s", i), URL: fmt.Sprint(url, "/many/", i), Approve: permit.Unsafe})
	}
	if many == 0 {
		for _, era := range []string{kit.LegacyEra, kit.ModernEra} {
			all = append(all, gateway.Server{Name: serverName(era), URL: url + "/" + era, Approve: permit.Unsafe})
		}
	}
	return all
}

// serverName is what the gateway calls the server of an era.
func serverName(era string) string { return "of" + era[:4] }

// openGateway makes a gateway with approvals, tokens and the guarded way out.
func openGateway(ctx context.Context, store backend.Store, where string, servers fixedServers) (g *gateway.Gateway, stop func(), err error) {
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	keys, err := seal.New([]byte("a secret of the benchmark that is long enough"))
	if err != nil {
		return nil, nil, err
	}
	hub := parley.New(store, &parley.Options{Logger: logger, Sealer: keys, Hooks: []parley.Hook{permit.Guard()}})
	permits, err := permit.New(hub, store, keys, nil)
	if err != nil {
		return nil, nil, err
	}
	client := outbound.Client(&outbound.Options{Loopback: true, Timeout: -1, MaxBytes: -1})
	g, err = gateway.New(hub, &gateway.Options{
		Catalogue: servers, Permits: permits, Records: store, Keys: keys, Secrets: []string{"0123456789abcdef0123456789abcdef"},
		Client: client, Verify: newTokens().verify, PublicURL: where, URL: where + "/mcp", Logger: logger,
	})
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	all.Go(func() { _ = hub.Run(ctx) })
	all.Go(func() { _ = g.Run(ctx) })
	return g, func() {
		cancel()
		_ = g.Close()
		all.Wait()
		client.CloseIdleConnections()
	}, nil
}

// tokens knows the tokens that clients of this benchmark send by their digests,
// as parley serve knows keys. What a signature costs is not measured.
type tokens struct{ prefix [sha256.Size]byte }

func newTokens() tokens { return tokens{sha256.Sum256([]byte("user-"))} }

func (t tokens) verify(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	head, _, _ := strings.Cut(token, "-")
	digest := sha256.Sum256([]byte(head + "-"))
	if subtle.ConstantTimeCompare(digest[:], t.prefix[:]) != 1 {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
}
