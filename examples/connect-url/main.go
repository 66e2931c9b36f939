// Command connect-url is an MCP server with a tool that sends the person to a
// page and goes on when the person has agreed there. The page is part of the
// program: it knows who is signed in, and answers only that person's questions.
//
//	go run ./examples/connect-url            # http://127.0.0.1:8080/mcp
//	go run ./examples/connect-url -stdio     # for clients that start it; the page is on -addr
//
// The MCP client sends "Authorization: Bearer wonderland", or builder; the page
// asks for a user and a password: alice and wonderland, bob and builder.
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

type nothing struct{}

type result struct {
	Connected bool   `json:"connected"`
	Account   string `json:"account,omitempty"`
}

func (s *site) connect(ctx context.Context, call *mcptool.Call, _ nothing) (result, error) {
	s.remember(call.Principal())
	answer, err := mcptool.ElicitURL(ctx, call, "Connect your calendar", s.url+"/connect?id={elicitation_id}", nil)
	if err != nil {
		return result{}, err
	}
	if answer.Action != parley.Accept {
		return result{}, nil
	}
	return result{Connected: true, Account: call.Principal().User}, nil
}

func newServer(s *site) (*mcptool.Asker, *mcp.Server) {
	asker, err := mcptool.New(s.hub, &mcptool.Options{Service: "calendar"})
	if err != nil {
		log.Fatal(err) // a secret of the environment cannot be used
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "calendar", Version: "1.0.0"}, nil)
	mcptool.AddTool(asker, server, &mcp.Tool{
		Name: "connect-calendar", Description: "Connects the user's calendar.",
	}, s.connect)
	return asker, server
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "where to listen")
	stdio := flag.Bool("stdio", false, "speak over standard input and output instead")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	s := &site{hub: parley.New(parley.NewMemoryStore(), nil), url: "http://" + listener.Addr().String(), alone: *stdio}
	go func() { _ = s.hub.Run(ctx) }()
	asker, server := newServer(s)
	http.Handle("/connect", s.page())
	web := &http.Server{}
	context.AfterFunc(ctx, func() { _ = web.Close() })
	if *stdio {
		go func() { _ = web.Serve(listener) }() // the page
		err = server.Run(ctx, &mcp.StdioTransport{})
	} else {
		http.Handle("/mcp", withToken(mcphttp.New(asker, server, nil)))
		log.Printf("listening on %s/mcp", s.url)
		err = web.Serve(listener)
	}
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}
