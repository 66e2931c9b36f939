// Command upstream is two MCP servers on the bare go-sdk, one for each era, that
// ask as the servers do which others run behind a gateway:
//
//	/legacy/mcp  up to 2025-11-25, with sessions: elicitation/create on the open call, and -32042
//	/modern/mcp  2026-07-28 only, without sessions: input_required and requestState
//
// Both have the same tools. Each call names itself with the argument token, and
// a test learns and does by HTTP what a server's owner and a person would:
//
//	GET  /count?token=   what became of the call
//	GET  /visit/{token}  where its questions send the person
//	POST /expire?token=  the server waits no longer for an answer
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	addr := flag.String("addr", "127.0.0.1:0", "where to listen; port 0 takes any")
	flag.Parse()
	if err := serve(ctx, *addr); err != nil {
		fmt.Fprintln(os.Stderr, "upstream:", err)
		os.Exit(1)
	}
}

// serve runs both servers until ctx ends.
func serve(ctx context.Context, addr string) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	url := "http://" + listener.Addr().String()
	server := &http.Server{Handler: handler(newBook(), url), ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	fmt.Println("listening on " + url)
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := server.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return server.Close() // streams of sessions end with their server
}

func handler(b *book, url string) http.Handler {
	old, recent := newLegacy(b, url), newModern(b, url)
	mux := http.NewServeMux()
	mux.Handle("/legacy/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return old }, nil))
	mux.Handle("/modern/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return recent },
		&mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true}))
	mux.HandleFunc("GET /count", b.show)
	mux.HandleFunc("GET /visit/{token}", b.visit)
	mux.HandleFunc("POST /expire", b.expire)
	return mux
}
