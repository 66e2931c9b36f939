// Command delete-account is an MCP server with a tool that asks the person
// before it deletes an account.
//
//	go run ./examples/delete-account            # http://127.0.0.1:8080/mcp
//	go run ./examples/delete-account -stdio     # for clients that start it
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"net/http"
	"os"
	"os/signal"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

type account struct {
	UserID string `json:"userId" jsonschema:"Whose account to delete"`
}

// confirm is the form that the person sees.
type confirm struct {
	Confirmed bool   `json:"confirmed" jsonschema:"Confirm deletion"`
	Reason    string `json:"reason,omitempty" jsonschema:"Reason for deletion"`
}

type result struct {
	Deleted bool   `json:"deleted"`
	Reason  string `json:"reason,omitempty"`
}

func deleteAccount(ctx context.Context, call *mcptool.Call, in account) (result, error) {
	answer, err := mcptool.Elicit[confirm](ctx, call, "Delete account "+in.UserID+"? This cannot be undone.", nil)
	if err != nil {
		return result{}, err // not supported, timed out, or suspended: always return it
	}
	if answer.Action != parley.Accept || !answer.Content.Confirmed {
		return result{Reason: "not confirmed: " + string(answer.Action)}, nil
	}
	log.Printf("account %s is deleted", in.UserID)
	return result{Deleted: true, Reason: answer.Content.Reason}, nil
}

func newServer(hub *parley.Hub) (*mcptool.Asker, *mcp.Server) {
	asker, err := mcptool.New(hub, &mcptool.Options{Service: "accounts"})
	if err != nil {
		log.Fatal(err) // a secret of the environment cannot be used
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "accounts", Version: "1.0.0"}, nil)
	mcptool.AddTool(asker, server, &mcp.Tool{
		Name: "delete-account", Description: "Deletes a user's account for good, after the user confirmed it.",
	}, deleteAccount)
	return asker, server
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "where to listen")
	stdio := flag.Bool("stdio", false, "speak over standard input and output instead")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	hub := parley.New(parley.NewMemoryStore(), nil)
	go func() { _ = hub.Run(ctx) }()
	asker, server := newServer(hub)
	if *stdio {
		if err := server.Run(ctx, &mcp.StdioTransport{}); err != nil {
			log.Fatal(err)
		}
		return
	}
	http.Handle("/mcp", mcphttp.New(asker, server, nil))
	web := &http.Server{Addr: *addr}
	context.AfterFunc(ctx, func() { _ = web.Close() })
	log.Printf("listening on http://%s/mcp", *addr)
	if err := web.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}
