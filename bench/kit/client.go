package kit

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The eras are protocol versions: the last one with sessions, and the one without.
const (
	LegacyEra = "2025-11-25"
	ModernEra = "2026-07-28"
)

// Person answers a question; it may take its time.
type Person func(context.Context) (*mcp.ElicitResult, error)

// AtOnce confirms without a delay.
func AtOnce(context.Context) (*mcp.ElicitResult, error) {
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true}}, nil
}

// bearer sends a token with every request.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}

// Clients opens sessions that share their connections to the servers.
type Clients struct {
	era       string
	signedIn  bool
	transport *http.Transport
}

// NewClients makes clients of an era; signed in, each session is of a person of its own.
func NewClients(era string, signedIn bool) *Clients {
	return &Clients{era: era, signedIn: signedIn, transport: &http.Transport{MaxIdleConnsPerHost: 10_000}}
}

// Close ends the connections that are not in use.
func (c *Clients) Close() { c.transport.CloseIdleConnections() }

// Connect opens the n-th session with a server.
func (c *Clients) Connect(ctx context.Context, url string, n int, p Person) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return p(ctx) },
	})
	var transport http.RoundTripper = c.transport
	if c.signedIn {
		transport = bearer{fmt.Sprint("user-", n), transport}
	}
	return client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: transport}, MaxRetries: -1,
	}, &mcp.ClientSessionOptions{ProtocolVersion: c.era})
}

// ConnectAll opens n sessions, some at a time.
func (c *Clients) ConnectAll(ctx context.Context, url string, n int, p Person) ([]*mcp.ClientSession, error) {
	all := make([]*mcp.ClientSession, n)
	err := InParallel(32, n, func(i int) (err error) {
		all[i], err = c.Connect(ctx, url, i, p)
		return err
	})
	return all, err
}

// CloseAll ends the sessions that were opened.
func CloseAll(all []*mcp.ClientSession) {
	_ = InParallel(32, len(all), func(i int) error {
		if all[i] != nil {
			return all[i].Close()
		}
		return nil
	})
}

// InParallel calls do for 0 to n-1 from so many goroutines and returns the first
// error.
func InParallel(workers, n int, do func(i int) error) error {
	var (
		wg    sync.WaitGroup
		once  sync.Once
		first error
	)
	for w := range min(workers, n) {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				if err := do(i); err != nil {
					once.Do(func() { first = err })
					return
				}
			}
		})
	}
	wg.Wait()
	return first
}
