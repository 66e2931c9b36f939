package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// caller is a client with one session.
type caller struct {
	session *mcp.ClientSession
}

// person answers a question; it may take its time.
type person func(context.Context) (*mcp.ElicitResult, error)

func atOnce(context.Context) (*mcp.ElicitResult, error) {
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

// clients makes callers that share their connections to the servers.
type clients struct {
	era       string
	signedIn  bool
	transport *http.Transport
}

func newClients(era string, signedIn bool) *clients {
	return &clients{era: era, signedIn: signedIn, transport: &http.Transport{MaxIdleConnsPerHost: 10_000}}
}

func (c *clients) close() { c.transport.CloseIdleConnections() }

// connect opens the n-th session with a server.
func (c *clients) connect(ctx context.Context, url string, n int, p person) (*caller, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return p(ctx) },
	})
	var transport http.RoundTripper = c.transport
	if c.signedIn {
		transport = bearer{fmt.Sprint("user-", n), transport}
	}
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: transport}, MaxRetries: -1,
	}, &mcp.ClientSessionOptions{ProtocolVersion: c.era})
	if err != nil {
		return nil, err
	}
	return &caller{session}, nil
}

// connectAll opens n sessions, some at a time.
func (c *clients) connectAll(ctx context.Context, url string, n int, p person) ([]*caller, error) {
	all := make([]*caller, n)
	err := inParallel(32, n, func(i int) (err error) {
		all[i], err = c.connect(ctx, url, i, p)
		return err
	})
	return all, err
}

// call makes one call, in which the person is asked, and checks its result.
func (c *caller) call(ctx context.Context) error {
	result, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: "ask", Arguments: askInput{}})
	if err != nil {
		return err
	}
	content, _ := result.StructuredContent.(map[string]any)
	if result.IsError || content["status"] != "accept" || content["confirmed"] != true {
		return fmt.Errorf("the call returned %v (%+v)", result.StructuredContent, result.Content)
	}
	return nil
}

func (c *caller) timed(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	err := c.call(ctx)
	return time.Since(began), err
}

func closeAll(all []*caller) {
	_ = inParallel(32, len(all), func(i int) error {
		if all[i] != nil {
			return all[i].session.Close()
		}
		return nil
	})
}

// inParallel calls do for 0 to n-1 from so many goroutines and returns the first
// error.
func inParallel(workers, n int, do func(i int) error) error {
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
