package mcp

import (
	"context"
	"flag"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/pprof"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

// The tool that both servers offer.
type (
	askInput  struct{}
	askOutput struct {
		Status    string `json:"status"`
		Confirmed bool   `json:"confirmed"`
	}
	askForm struct {
		Confirmed bool `json:"confirmed" jsonschema:"Confirm deletion"`
	}
)

// Server is the process that is measured. It says where it listens, then
// takes commands from standard input until that ends.
func Server(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("mcp-server", flag.ContinueOnError)
	url := flags.String("store", "", "the store of mcptool; empty for the bare SDK")
	space := flags.String("space", "", "the data set in the store")
	profile := flags.String("profile", "", "where to write a CPU profile")
	if err := flags.Parse(args); err != nil {
		return err
	}
	handler := bareHandler()
	if *url != "" {
		store, err := backend.Open(ctx, *url, &backend.Options{Space: *space})
		if err != nil {
			return err
		}
		defer store.Close()
		var stop func()
		if handler, stop, err = parleyHandler(ctx, store); err != nil {
			return err
		}
		defer stop()
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: withTokens(handler)}
	defer server.Close()
	go func() { _ = server.Serve(listener) }()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	return kit.Report("http://" + listener.Addr().String())
}

// withTokens makes the bearer token's text the user, where there is one.
func withTokens(next http.Handler) http.Handler {
	verified := auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" {
			next.ServeHTTP(w, r)
			return
		}
		verified.ServeHTTP(w, r)
	})
}

// parleyHandler serves the tool through mcptool.
func parleyHandler(ctx context.Context, store backend.Store) (handler http.Handler, stop func(), err error) {
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	hub := parley.New(store, &parley.Options{Logger: logger})
	// The bare SDK has no bound either, and more wait at once here than one node takes by default.
	unbounded := mcptool.NewCalls(&mcptool.CallsOptions{PerPerson: -1, InAll: -1})
	asker, err := mcptool.New(hub, &mcptool.Options{Logger: logger, Calls: unbounded})
	if err != nil {
		return nil, nil, err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "mcptool", Version: "1"}, nil)
	mcptool.AddTool(asker, server, &mcp.Tool{Name: "ask"}, func(ctx context.Context, call *mcptool.Call, _ askInput) (askOutput, error) {
		answer, err := mcptool.Elicit[askForm](ctx, call, kit.AskMessage, nil)
		if err != nil {
			return askOutput{}, err
		}
		return askOutput{string(answer.Action), answer.Content.Confirmed}, nil
	})
	return mcphttp.New(asker, server, nil), kit.RunHub(ctx, hub), nil
}

// bareHandler serves the tool with nothing but the SDK. One of its handlers
// serves one era only; the header tells which.
func bareHandler() http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "ask"}, func(ctx context.Context, req *mcp.CallToolRequest, _ askInput) (*mcp.CallToolResult, askOutput, error) {
		answer, asks, err := kit.Ask(ctx, req)
		if err != nil || asks != nil {
			return asks, askOutput{}, err
		}
		confirmed, _ := answer.Content["confirmed"].(bool)
		return nil, askOutput{answer.Action, confirmed}, nil
	})
	get := func(*http.Request) *mcp.Server { return server }
	legacy := mcp.NewStreamableHTTPHandler(get, nil)
	modern := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("MCP-Protocol-Version") >= kit.ModernEra {
			modern.ServeHTTP(w, r)
			return
		}
		legacy.ServeHTTP(w, r)
	})
}
