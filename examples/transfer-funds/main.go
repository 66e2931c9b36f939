// Command transfer-funds is an MCP server with a tool that asks twice before it
// moves money, and moves it once.
//
//	go run ./examples/transfer-funds            # http://127.0.0.1:8080/mcp
//	go run ./examples/transfer-funds -stdio     # for clients that start it
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

type transfer struct {
	From   string  `json:"fromAccount"`
	To     string  `json:"toAccount"`
	Amount float64 `json:"amount"`
}

type confirm struct {
	Confirmed bool `json:"confirmed" jsonschema:"Transfer the money"`
}

// verify asks for what the person can read on their own papers. A code or a
// password would be a secret, and secrets are not for forms: the client sees
// them.
type verify struct {
	Ending string `json:"ending" jsonschema:"The last four characters of the recipient's account" form:"minLength=4,maxLength=4"`
}

type result struct {
	Status      string `json:"status" jsonschema:"transferred or cancelled"`
	Transaction string `json:"transaction,omitempty"`
}

// bank does the work that must not happen twice.
type bank interface {
	Transfer(ctx context.Context, from, to string, amount float64) (transaction string, err error)
}

// transferFunds runs from its start for each answer where the client is of MCP
// 2026-07-28, and again where a client lost patience and makes the same call
// anew. The answers it has got are returned at once then, and what is inside
// Once is not done again.
func transferFunds(b bank) func(context.Context, *mcptool.Call, transfer) (result, error) {
	return func(ctx context.Context, call *mcptool.Call, in transfer) (result, error) {
		cancelled := result{Status: "cancelled"}
		first, err := mcptool.Elicit[confirm](ctx, call, fmt.Sprintf("Transfer $%.2f from %s to %s?", in.Amount, in.From, in.To), nil)
		if err != nil {
			return result{}, err
		}
		if first.Action != parley.Accept || !first.Content.Confirmed {
			return cancelled, nil
		}
		second, err := mcptool.Elicit[verify](ctx, call, "Please verify the recipient.", &mcptool.ElicitOptions{TTL: 2 * time.Minute})
		if err != nil {
			return result{}, err
		}
		if second.Action != parley.Accept || !strings.HasSuffix(in.To, second.Content.Ending) {
			return cancelled, nil
		}
		transaction, err := mcptool.Once(ctx, call, "transfer", func(ctx context.Context) (string, error) {
			return b.Transfer(ctx, in.From, in.To, in.Amount)
		})
		if err != nil {
			return result{}, err
		}
		return result{Status: "transferred", Transaction: transaction}, nil
	}
}

func newServer(hub *parley.Hub, b bank) (*mcptool.Asker, *mcp.Server) {
	asker, err := mcptool.New(hub, &mcptool.Options{Service: "bank"})
	if err != nil {
		log.Fatal(err) // a secret of the environment cannot be used
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "bank", Version: "1.0.0"}, nil)
	mcptool.AddTool(asker, server, &mcp.Tool{
		Name: "transfer-funds", Description: "Transfers money between accounts, after the user confirmed it twice.",
	}, transferFunds(b))
	return asker, server
}

// pretence is a bank without money.
type pretence struct{}

func (pretence) Transfer(_ context.Context, from, to string, amount float64) (string, error) {
	log.Printf("$%.2f move from %s to %s", amount, from, to)
	return string(parley.NewID()), nil
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "where to listen")
	stdio := flag.Bool("stdio", false, "speak over standard input and output instead")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	hub := parley.New(parley.NewMemoryStore(), nil)
	go func() { _ = hub.Run(ctx) }()
	asker, server := newServer(hub, pretence{})
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
