package interop_test

import (
	"context"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/config"
	"github.com/parley-hq/parley/internal/server"
)

// serveGateway is startGateway in this process, with questions that stay open for
// ttl; zero is the default.
func serveGateway(t *testing.T, servers []*matrixServer, ttl time.Duration) (*gatewaySite, *parley.Hub) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	cfg, err := config.Parse([]byte(gatewayConfiguration(address, servers, gatewaySettings{})), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	var said output
	s, err := server.New(t.Context(), cfg, &server.Options{TTL: ttl, Listener: listener, Logger: slog.New(slog.NewTextHandler(&said, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		_ = s.Close() // where a server has ended first it is an error
		if t.Failed() {
			t.Logf("the gateway wrote:\n%s", said.String())
		}
	})
	return &gatewaySite{url: "http://" + address}, s.Hub
}
