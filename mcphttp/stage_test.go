package mcphttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// stage is a node with a server whose tools the tests direct.
type stage struct {
	node      *parley.Node
	server    *mcp.Server
	handler   *Handler
	http      *httptest.Server
	forwarded atomic.Int64 // requests that came from another node

	steps   chan struct{} // lets the tool "stepwise" take a step
	started chan struct{} // the tool "wait" tells that it runs
	ended   chan error    // and how it ended
}

var silent = slog.New(slog.NewTextHandler(io.Discard, nil))

const (
	idA = "aaaaaaaaaaaaaaaa"
	idB = "bbbbbbbbbbbbbbbb"
	idC = "cccccccccccccccc"
)

// newStage starts a node. Requests with "Authorization: Bearer NAME" are NAME's.
func newStage(t *testing.T, records parley.Records, opts *Options) *stage {
	t.Helper()
	return newStageFor(t, records, 0, opts)
}

// share is whose share a request takes from, by an asker with the defaults.
func share(t *testing.T) func(*mcp.RequestExtra) string {
	t.Helper()
	asker, err := mcptool.New(parley.New(parley.NewMemoryStore(), nil), &mcptool.Options{Logger: silent})
	if err != nil {
		t.Fatal(err)
	}
	return asker.Share
}

// newBriefStage is of a node that soon notices what it no longer hears of.
func newBriefStage(t *testing.T, records parley.Records) *stage {
	t.Helper()
	return newStageFor(t, records, 40*time.Millisecond, nil)
}

func newStageFor(t *testing.T, records parley.Records, lease time.Duration, opts *Options) *stage {
	t.Helper()
	s := &stage{steps: make(chan struct{}), started: make(chan struct{}, 100), ended: make(chan error, 100)}
	s.server = mcp.NewServer(&mcp.Implementation{Name: "stage", Version: "1"}, &mcp.ServerOptions{Logger: silent})
	s.addTools()
	s.http = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.node = parley.NewNode(records, &parley.NodeOptions{URL: "http://" + s.http.Listener.Addr().String(), Lease: lease, Logger: silent})
	if opts == nil {
		opts = &Options{}
	}
	if opts.Logger == nil {
		opts.Logger = silent
	}
	s.handler = newHandler(s.server, s.node, share(t), opts)
	s.http.Start()
	t.Cleanup(func() {
		for session := range s.server.Sessions() {
			if live := s.handler.sessions.get(session.ID()); live != nil {
				live.end(false)
			}
		}
		s.http.CloseClientConnections()
		s.http.Close()
		s.handler.peers.CloseIdleConnections()
	})
	return s
}

func (s *stage) serve(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get(forwardedHeader) != "" {
		s.forwarded.Add(1)
	}
	if r.Header.Get("Authorization") == "" {
		s.handler.ServeHTTP(w, r)
		return
	}
	auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)(s.handler).ServeHTTP(w, r)
}

// run makes the node known and able to forward.
func (s *stage) run(t *testing.T) *stage {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := s.node.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("run: %v", err)
		}
	})
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	for !s.node.Joined() {
		time.Sleep(time.Millisecond)
	}
	return s
}

type asking struct {
	N int `json:"n"`
}

var okSchema = map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"type": "integer"}}}

func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func (s *stage) addTools() {
	mcp.AddTool(s.server, &mcp.Tool{Name: "echo"}, func(_ context.Context, req *mcp.CallToolRequest, in asking) (*mcp.CallToolResult, any, error) {
		return said(fmt.Sprintf("%d %v", in.N, req.Extra.Header[forwardedHeader])), nil, nil
	})
	mcp.AddTool(s.server, &mcp.Tool{Name: "ask"}, func(ctx context.Context, req *mcp.CallToolRequest, in asking) (*mcp.CallToolResult, any, error) {
		answer, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: fmt.Sprint(in.N), RequestedSchema: okSchema})
		if err != nil {
			return nil, nil, err
		}
		return said(fmt.Sprint(answer.Content["n"])), nil, nil
	})
	mcp.AddTool(s.server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, req *mcp.CallToolRequest, in asking) (*mcp.CallToolResult, any, error) {
		if in.N == 1 {
			ctx = context.WithoutCancel(ctx)
		}
		s.started <- struct{}{}
		_, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "?", RequestedSchema: okSchema})
		if err != nil && in.N == 0 {
			err = errors.Join(err, context.Cause(ctx))
		}
		s.ended <- err
		return nil, nil, err
	})
	mcp.AddTool(s.server, &mcp.Tool{Name: "stepwise"}, func(ctx context.Context, req *mcp.CallToolRequest, in asking) (*mcp.CallToolResult, any, error) {
		for range in.N {
			<-s.steps
			if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "p"}); err != nil {
				return nil, nil, err
			}
		}
		<-s.steps
		return said("done"), nil, nil
	})
	mcp.AddTool(s.server, &mcp.Tool{Name: "chatter"}, func(ctx context.Context, req *mcp.CallToolRequest, in asking) (*mcp.CallToolResult, any, error) {
		for range in.N {
			if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "p"}); err != nil {
				return nil, nil, err
			}
		}
		return said("done"), nil, nil
	})
	s.server.AddTool(&mcp.Tool{Name: "refuse", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-s.steps
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no"}
	})
}
