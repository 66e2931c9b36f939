// Command first-tool is an MCP server with one tool, which asks the person for
// what the model cannot know. docs/first-tool.md builds it step by step.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

// order is what the model gives.
type order struct {
	Dish string `json:"dish" jsonschema:"What to order"`
}

// details is what the person gives: a form is made from it.
type details struct {
	Portions int  `json:"portions" form:"title=Portions,minimum=1,maximum=9"`
	Spicy    bool `json:"spicy,omitempty" form:"title=Spicy"`
}

// receipt is what the model gets.
type receipt struct {
	Ordered bool   `json:"ordered"`
	Text    string `json:"text"`
}

func orderLunch(ctx context.Context, call *mcptool.Call, in order) (receipt, error) {
	answer, err := mcptool.Elicit[details](ctx, call, "How would you like your "+in.Dish+"?", nil)
	if err != nil {
		return receipt{}, err // nobody can be asked, nobody answered, or the call waits: always return it
	}
	if answer.Action != parley.Accept {
		return receipt{Text: "The user's answer was " + string(answer.Action) + "."}, nil
	}
	how := "mild"
	if answer.Content.Spicy {
		how = "spicy"
	}
	// What is above the last question may run again. What must happen once is below.
	return receipt{Ordered: true, Text: fmt.Sprintf("%d × %s, %s", answer.Content.Portions, in.Dish, how)}, nil
}

func newHandler() (http.Handler, error) {
	hub := parley.New(parley.NewMemoryStore(), nil) // sqlitestore.Open keeps questions over a restart
	asker, err := mcptool.New(hub, nil)
	if err != nil {
		return nil, err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "lunch", Version: "1.0.0"}, nil)
	mcptool.AddTool(asker, server, &mcp.Tool{Name: "order_lunch", Description: "Orders lunch for the user."}, orderLunch)
	return mcphttp.New(asker, server, nil), nil
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "where to listen")
	flag.Parse()
	handler, err := newHandler()
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/mcp", handler)
	log.Printf("listening on http://%s/mcp", *addr)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
