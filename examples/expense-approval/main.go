// Command expense-approval is an MCP server with a tool that pays small
// expenses at once and asks the manager at the client about large ones.
//
//	go run ./examples/expense-approval            # http://127.0.0.1:8080/mcp
//	go run ./examples/expense-approval -stdio     # for clients that start it
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
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

// limit is the largest amount that nobody has to approve.
const limit = 500

type expense struct {
	ExpenseID   string  `json:"expenseId"`
	Amount      float64 `json:"amount" jsonschema:"In US dollars"`
	Description string  `json:"description"`
}

type approval struct {
	Approved bool   `json:"approved" jsonschema:"Approve this expense"`
	Notes    string `json:"notes,omitempty" jsonschema:"Notes for the employee" form:"maxLength=500"`
}

type result struct {
	Status string `json:"status" jsonschema:"approved, rejected or cancelled"`
	Notes  string `json:"notes,omitempty"`
}

func approveExpense(ctx context.Context, call *mcptool.Call, in expense) (result, error) {
	if in.Amount <= limit {
		return result{Status: "approved"}, nil
	}
	answer, err := mcptool.Elicit[approval](ctx, call,
		fmt.Sprintf("Expense %s for $%.2f: %s", in.ExpenseID, in.Amount, in.Description),
		&mcptool.ElicitOptions{
			TTL:     time.Hour,
			Trigger: parley.TriggerApproval, // whatever the fallback is, no model approves this
		})
	switch {
	case err != nil:
		return result{}, err
	case answer.Action != parley.Accept:
		return result{Status: "cancelled"}, nil
	case !answer.Content.Approved:
		return result{Status: "rejected", Notes: answer.Content.Notes}, nil
	}
	return result{Status: "approved", Notes: answer.Content.Notes}, nil
}

func newServer(hub *parley.Hub) (*mcptool.Asker, *mcp.Server) {
	asker, err := mcptool.New(hub, &mcptool.Options{Service: "expenses"})
	if err != nil {
		log.Fatal(err) // a secret of the environment cannot be used
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "expenses", Version: "1.0.0"}, nil)
	mcptool.AddTool(asker, server, &mcp.Tool{
		Name: "approve-expense", Description: fmt.Sprintf("Processes an expense; above $%d a manager approves it first.", limit),
	}, approveExpense)
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
