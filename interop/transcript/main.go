// Command transcript writes down what an MCP server says, and says it again: a
// server in another language takes part in tests on machines that cannot run it.
//
//	transcript -record FILE URL            a proxy to a server; it prints where it listens
//	transcript -record FILE COMMAND [ARG…] the same on stdin and stdout
//	transcript FILE                        a server that says what FILE has, over HTTP
//	transcript -stdio FILE                 the same on stdin and stdout
//
// A file is made of exchanges; see exchange. A request is answered with what the
// server said to the same method with the same parameters, under the ids of the
// client that asks. To what nobody recorded the answer is an error that says so.
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
	"strings"
	"syscall"
	"time"
)

func main() {
	record := flag.Bool("record", false, "write to the file what a server says")
	stdio := flag.Bool("stdio", false, "serve on stdin and stdout")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *record, *stdio, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "transcript:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, record, stdio bool, args []string) error {
	switch {
	case record && len(args) > 1 && strings.HasPrefix(args[1], "http"):
		r, err := newRecorder(args[0])
		if err != nil {
			return err
		}
		return errors.Join(serve(ctx, r.proxy(args[1])), r.close())
	case record && len(args) > 1:
		r, err := newRecorder(args[0])
		if err != nil {
			return err
		}
		return errors.Join(r.program(ctx, args[1:]), r.close())
	case record || len(args) != 1:
		return errors.New("give a file, and with -record what is recorded")
	}
	recorded, err := readFile(args[0])
	if err != nil {
		return err
	}
	if stdio {
		return newPlayer(recorded).pipe(os.Stdin, os.Stdout)
	}
	return serve(ctx, newPlayer(recorded))
}

// serve serves any path of an address of its own until ctx ends.
func serve(ctx context.Context, handler http.Handler) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	base, end := context.WithCancel(context.Background())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return base }}
	defer end()
	defer context.AfterFunc(ctx, func() {
		end() // of the streams that stay open
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = server.Shutdown(ctx)
	})()
	fmt.Println("listening on http://" + listener.Addr().String())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
