package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// behind are the servers behind the gateway, one for each era. They can die with
// all that they know but the ledger, and come back.
type behind struct {
	ledger  *ledger
	address string
	linger  time.Duration // between what was done and the word that it was, at most

	mu    sync.Mutex
	web   *http.Server
	end   context.CancelFunc  // of what runs in the present one
	conns map[string]net.Conn // on which a call came
}

func newBehind(l *ledger) (*behind, error) {
	addresses, err := freeAddresses(1)
	if err != nil {
		return nil, err
	}
	b := &behind{ledger: l, address: addresses[0]}
	return b, b.start()
}

func (b *behind) url() string { return "http://" + b.address }

func (b *behind) start() error {
	listener, err := net.Listen("tcp", b.address)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	life, end := context.WithCancel(context.Background())
	b.end = end
	b.conns = map[string]net.Conn{}
	mux := http.NewServeMux()
	old, recent := b.server(life, "2025-11-25", "2025-06-18"), b.server(life, "2026-07-28")
	mux.Handle("/old/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return old }, nil))
	mux.Handle("/locked/mcp", locked(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return recent }, &mcp.StreamableHTTPOptions{Stateless: true})))
	mux.Handle("/new/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return recent }, &mcp.StreamableHTTPOptions{Stateless: true}))
	b.web = &http.Server{Handler: b.fated(mux), ReadHeaderTimeout: 10 * time.Second, ConnContext: withConn}
	go func() { _ = b.web.Serve(listener) }()
	return nil
}

// die ends everything at once: connections, sessions, and what was being worked
// on.
func (b *behind) die() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end()
	_ = b.web.Close()
}

// locked lets those in who have a key.
func locked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") == "" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// fated gives the answers to calls the end that they are to have.
func (b *behind) fated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // its client is gone
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		key := keyOf(body)
		if key == "" {
			next.ServeHTTP(w, r)
			return
		}
		conn, _ := r.Context().Value(connKey{}).(net.Conn)
		b.mu.Lock()
		b.conns[key] = conn
		b.mu.Unlock()
		switch fate := b.ledger.fate(key); fate {
		case "":
			next.ServeHTTP(w, r)
		case cutAfterHead:
			w.Header().Set("Content-Type", "text/event-stream")
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			next.ServeHTTP(&withheld{ResponseWriter: w, headed: true}, r)
		case cutConnection, nonsense, cutInBody:
			next.ServeHTTP(&withheld{ResponseWriter: w}, r)
		}
	})
}

// withheld passes a server's questions on and begins no answer before it must:
// the header of what a fated call is told comes with the first message that is
// not its result.
type withheld struct {
	http.ResponseWriter
	headed bool
}

func (w *withheld) WriteHeader(status int) {
	if status >= 300 && !w.headed {
		w.headed = true
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *withheld) Write(p []byte) (int, error) {
	w.headed = true
	return w.ResponseWriter.Write(p)
}

func (w *withheld) Flush() {
	if w.headed {
		_ = http.NewResponseController(w.ResponseWriter).Flush()
	}
}

// keyOf is the key of a call, if the message is one.
func keyOf(body []byte) string {
	var m struct {
		Method string `json:"method"`
		Params struct {
			Arguments struct{ Key string } `json:"arguments"`
		} `json:"params"`
	}
	if json.Unmarshal(body, &m) != nil || m.Method != "tools/call" {
		return ""
	}
	return m.Params.Arguments.Key
}

// finish ends the answer to a call as it is fated, and reports whether it did.
func (b *behind) finish(key, phase string) bool {
	fate := b.ledger.fated(key, phase)
	if fate == "" {
		return false
	}
	b.mu.Lock()
	conn := b.conns[key]
	b.mu.Unlock()
	switch fate {
	case nonsense:
		fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 23\r\n\r\n<html>what is this?</ht")
	case cutInBody:
		fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2300\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":")
	}
	if tcp, ok := conn.(*net.TCPConn); ok && fate == cutConnection {
		_ = tcp.SetLinger(0) // reset, as by the kernel for a process that died
	}
	_ = conn.Close()
	return true
}

var errDied = errors.New("the server died")

const anyObject = `{"type":"object"}`

func (b *behind) server(life context.Context, versions ...string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "behind", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: versions})
	add := func(name string, asks bool, hints mcp.ToolAnnotations) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(anyObject), Annotations: &hints}, b.tool(life, name, asks))
	}
	add("look", false, mcp.ToolAnnotations{ReadOnlyHint: true})
	add("buy", false, mcp.ToolAnnotations{})
	add("order", true, mcp.ToolAnnotations{})
	add("reorder", true, mcp.ToolAnnotations{IdempotentHint: true})
	return s
}

// tool asks for a size, if it asks, in the way of its era, and then takes a
// moment to do what it does.
func (b *behind) tool(life context.Context, name string, asks bool) mcp.ToolHandler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in struct{ Key string }
		_ = json.Unmarshal(r.Params.Arguments, &in)
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(life, cancel)()
		if r.Params.RequestState == "" {
			b.ledger.began(in.Key)
			b.ledger.reach(in.Key, begun)
			if b.finish(in.Key, begun) {
				return nil, errDied
			}
		}
		if asks {
			question, given, err := b.size(ctx, r, in.Key)
			if question != nil || err != nil {
				return question, err
			}
			if given.Action != "accept" {
				return said("%s: %s", name, given.Action), nil
			}
			b.ledger.reach(in.Key, working)
			if b.finish(in.Key, working) {
				return nil, errDied
			}
		}
		return b.carryOut(life, name, in.Key)
	}
}

// size asks for one. The result is a question that is to be returned, or the
// answer.
func (b *behind) size(ctx context.Context, r *mcp.CallToolRequest, key string) (*mcp.CallToolResult, *mcp.ElicitResult, error) {
	question := &mcp.ElicitParams{
		Message:         "Which size for " + key + "?",
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{"size":{"type":"string"}},"required":["size"]}`),
	}
	if r.ProtocolVersion() < "2026-07-28" {
		given, err := r.Session.Elicit(ctx, question)
		return nil, given, err
	}
	if r.Params.RequestState == "" {
		return &mcp.CallToolResult{RequestState: "asked", InputRequests: mcp.InputRequestMap{"size": question}}, nil, nil
	}
	given, ok := r.Params.InputResponses["size"].(*mcp.ElicitResult)
	if !ok {
		return nil, nil, errors.New("no answer")
	}
	return nil, given, nil
}

// work is how long a tool works.
const work = 100 * time.Millisecond

// carryOut does what the tool is for, unless its server dies first.
func (b *behind) carryOut(life context.Context, name, key string) (*mcp.CallToolResult, error) {
	select {
	case <-life.Done():
		return nil, errDied
	case <-time.After(work):
	}
	b.mu.Lock() // a server that is dead does nothing
	if life.Err() != nil {
		b.mu.Unlock()
		return nil, errDied
	}
	b.ledger.carriedOut(key)
	b.mu.Unlock()
	b.ledger.reach(key, done)
	if b.finish(key, done) {
		return nil, errDied
	}
	if b.linger > 0 {
		time.Sleep(rand.N(b.linger)) // the word of one that dies meanwhile reaches nobody
	}
	return said("%s: done %s", name, key), nil
}

func said(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}
