package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// fakes are the model and the MCP server of the agent. They hold a turn in its
// phase until they are told that the node is dead, and remember what was done.
type fakes struct {
	url    string
	server *http.Server

	mu   sync.Mutex
	held map[string]*hold // by the turn's tag
}

// hold is what the fakes know of one turn.
type hold struct {
	phase phase
	tool  string
	there chan struct{} // closed when the turn is in its phase
	dead  chan struct{} // closed when the node is

	mu      sync.Mutex
	arrived bool
	done    int       // how often the tool was carried out
	killed  time.Time // when the clock of the resuming began
	resumed time.Time // the first that a node did after it
}

func newFakes() (*fakes, error) {
	f := &fakes{held: map[string]*hold{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", f.complete)
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return f.tools() }, &mcp.StreamableHTTPOptions{Stateless: true}))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	f.url, f.server = "http://"+listener.Addr().String(), &http.Server{Handler: mux}
	go func() { _ = f.server.Serve(listener) }()
	return f, nil
}

func (f *fakes) close() { _ = f.server.Close() }

// expect makes a turn known.
func (f *fakes) expect(tag string, p phase, tool string) *hold {
	h := &hold{phase: p, tool: tool, there: make(chan struct{}), dead: make(chan struct{})}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.held[tag] = h
	return h
}

// of returns the turn that a text speaks of.
func (f *fakes) of(text string) (string, *hold) {
	_, after, _ := strings.Cut(text, "tag-")
	digits, _, _ := strings.Cut(after, ".")
	f.mu.Lock()
	defer f.mu.Unlock()
	return "tag-" + digits, f.held["tag-"+digits]
}

// at is called wherever a node reaches a phase of a turn. In the one where the
// turn is to be killed it returns when the node is dead.
func (h *hold) at(ctx context.Context, p phase) {
	h.mu.Lock()
	first := p == h.phase && !h.arrived
	if first {
		h.arrived = true
		close(h.there)
	}
	if !h.killed.IsZero() && h.resumed.IsZero() {
		h.resumed = time.Now()
	}
	h.mu.Unlock()
	if !first {
		return
	}
	select {
	case <-h.dead:
	case <-ctx.Done(): // its node is: it broke the connection
		<-h.dead
	}
}

// reached marks a phase that only the client sees.
func (h *hold) reached() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.arrived {
		h.arrived = true
		close(h.there)
	}
}

// clock begins to measure how long it takes until a node goes on.
func (h *hold) clock() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.killed, h.resumed = time.Now(), time.Time{}
}

// complete is the model: it calls the turn's tool, and then repeats the result.
func (f *fakes) complete(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Messages []struct {
			Role    string
			Content any
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || len(asked.Messages) == 0 {
		http.Error(w, "no messages", http.StatusBadRequest)
		return
	}
	said := ""
	for _, m := range asked.Messages {
		if text, ok := m.Content.(string); ok && m.Role == "user" {
			said = text
		}
	}
	tag, h := f.of(said)
	if h == nil {
		http.Error(w, "an unknown turn", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	chunk := func(delta any, finish string) {
		raw, _ := json.Marshal(delta) // maps of strings always marshal
		fmt.Fprintf(w, `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"fake","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", raw, finish)
		_ = http.NewResponseController(w).Flush()
	}
	last := asked.Messages[len(asked.Messages)-1]
	if last.Role != "tool" {
		chunk(map[string]any{"content": "I begin. "}, "null")
		h.at(r.Context(), phaseModel)
		args := fmt.Sprintf(`{"tag":"%s."}`, tag)
		chunk(map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "call_1", "type": "function", "function": map[string]any{"name": h.tool, "arguments": args}}}}, "null")
		chunk(map[string]any{}, `"tool_calls"`)
	} else {
		chunk(map[string]any{"content": "Finished "}, "null")
		h.at(r.Context(), phaseWords)
		chunk(map[string]any{"content": fmt.Sprintf("%s: %v", tag, last.Content)}, "null")
		chunk(map[string]any{}, `"stop"`)
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// tools is the MCP server: one tool that does something, and one that looks.
func (f *fakes) tools() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil)
	type input struct {
		Tag string `json:"tag"`
	}
	for name, looks := range map[string]bool{"order": false, "look": true} {
		mcp.AddTool(server, &mcp.Tool{Name: name, Description: name, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: looks}},
			func(ctx context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, any, error) {
				tag, h := f.of(in.Tag)
				if h == nil {
					return nil, nil, fmt.Errorf("an unknown turn")
				}
				if !looks {
					h.mu.Lock()
					h.done++
					h.mu.Unlock()
				}
				h.at(ctx, phaseCall)
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: name + " done for " + tag}}}, nil, nil
			})
	}
	return server
}
