package fakemodel

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
)

// Pipe serves a handler without a network, so that time can be made to fly in
// tests with testing/synctest. The client reaches it under every address. Stop
// waits for what is being served.
func Pipe(handler http.Handler) (client *http.Client, stop func()) {
	l := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0)}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(l) // returns when it is closed
	}()
	transport := &http.Transport{DialContext: l.dial}
	return &http.Client{Transport: transport}, func() {
		transport.CloseIdleConnections()
		server.Close()
		<-served
	}
}

// pipes is a listener whose connections are in memory.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- far:
		return near, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *pipes) Addr() net.Addr { return address{} }

type address struct{}

func (address) Network() string { return "pipe" }
func (address) String() string  { return "pipe" }
