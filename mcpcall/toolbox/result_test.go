package toolbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall/toolbox"
)

func TestAResultKeepsItsImagesLinksAndResources(t *testing.T) {
	const result = `{"jsonrpc":"2.0","id":ID,"result":{"content":[
		{"type":"text","text":"Before:"},{"type":"image","mimeType":"image/png","data":"Ynl0ZXM="},
		{"type":"resource_link","uri":"https://tracker.example/7","name":"t7","title":"Ticket 7","description":"the oldest","mimeType":"text/html","size":12},
		{"type":"resource_link","uri":"javascript:alert(1)","name":"evil"},
		{"type":"resource","resource":{"uri":"file:///notes.txt","mimeType":"text/plain","text":"notes"}},
		{"type":"resource","resource":{"uri":"file:///a.jpg","mimeType":"image/jpeg","blob":"Ynl0ZXM="}},
		{"type":"resource","resource":{"uri":"file:///a.pdf","mimeType":"application/pdf","blob":"Ynl0ZXM="}},
		{"type":"image","mimeType":"<script>","data":"%%%"},
		{"type":"audio","mimeType":"audio/wav","data":"Ynl0ZXM="}]}}`
	b := newBox(t, toolbox.Options{URL: inLine(strings.Join(strings.Fields(result), " ")).serve(t)})
	got, err := open(t.Context(), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := agent.Result{
		Text: "Before:\n(image 1, image/png)\nTicket 7: https://tracker.example/7 (the oldest)\nevil: javascript:alert(1)\nnotes\n(image 2, image/jpeg)\n" +
			"(The resource file:///a.pdf, application/pdf: its bytes are not passed on.)\n(image 3)\n(A sound, audio/wav: sounds are not passed on.)",
		Content: []agent.Content{
			{Kind: agent.Image, MIMEType: "image/png", Data: []byte("bytes")},
			{Kind: agent.Link, URI: "https://tracker.example/7", Name: "t7", Title: "Ticket 7", Description: "the oldest", MIMEType: "text/html", Size: 12},
			{Kind: agent.Link, URI: "javascript:alert(1)", Name: "evil"},
			{Kind: agent.Resource, URI: "file:///notes.txt", MIMEType: "text/plain", Size: 5},
			{Kind: agent.Image, URI: "file:///a.jpg", MIMEType: "image/jpeg", Data: []byte("bytes")},
			{Kind: agent.Resource, URI: "file:///a.pdf", MIMEType: "application/pdf", Size: 6},
			{Kind: agent.Image, MIMEType: "<script>", Data: []byte{}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// slow is a server whose tool says how far it is, and then waits until the test is over.
func slow(over <-chan struct{}) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "slow", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "plain"}, func(ctx context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 3, Total: 10, Message: "reading"})
		select {
		case <-ctx.Done():
		case <-over:
		}
		return nil, nil, errors.New("given up")
	})
	return s
}

// calling is a model that calls the tool.
type calling struct{}

func (calling) Generate(context.Context, agent.Prompt, func(string)) (agent.Reply, error) {
	return agent.Reply{Calls: []agent.ToolCall{{ID: "1", Tool: "fixture__plain", Args: []byte(`{}`)}}}, nil
}

// running runs an agent with the box.
func running(t *testing.T, b agent.Toolbox) *agent.Runtime {
	t.Helper()
	store, quiet := parley.NewMemoryStore(), slog.New(slog.DiscardHandler)
	rt, err := agent.New(parley.New(store, &parley.Options{Logger: quiet}), store, nil, &agent.Options{
		Logger: quiet, Agents: []*agent.Agent{{Name: "helper", Model: calling{}, Toolboxes: []agent.Toolbox{b}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = rt.Run(ctx)
	}()
	t.Cleanup(func() { cancel(); <-over })
	return rt
}

// An older server is told by a notification; to a newer one the end of the stream says it.
func TestAServersProgressIsToldAndAStopCancelsTheCallThere(t *testing.T) {
	for name, test := range map[string]struct {
		modern bool
		want   string
	}{"2025-11-25": {false, "notifications/cancelled"}, "2026-07-28": {true, "end of tools/call"}} {
		t.Run(name, func(t *testing.T) {
			stopped, over := make(chan string, 8), make(chan struct{})
			url := serveServer(t, slow(over), test.modern, func(h http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					r.Body = io.NopCloser(bytes.NewReader(body))
					var m struct{ Method string }
					_ = json.Unmarshal(body, &m)
					switch m.Method {
					case "notifications/cancelled":
						stopped <- m.Method
					case "tools/call":
						defer context.AfterFunc(r.Context(), func() { stopped <- "end of " + m.Method })()
					}
					h.ServeHTTP(w, r)
				})
			})
			t.Cleanup(func() { close(over) })
			rt := running(t, newBox(t, toolbox.Options{URL: url}))
			ref, err := rt.Start(t.Context(), alice.Principal, agent.Message{Agent: "helper", Conversation: "c", Text: "go", CanAsk: true})
			if err != nil {
				t.Fatal(err)
			}
			f := rt.Follow(alice.Principal, ref)
			defer f.Close()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			for {
				e, err := f.Next(ctx)
				if err != nil {
					t.Fatal(err)
				}
				if e.Type == agent.Progressed {
					if e.Box != "fixture" || e.Progress.String() != "3 of 10, reading" {
						t.Errorf("told %+v", e)
					}
					break
				}
			}
			if err := rt.Stop(t.Context(), alice.Principal, "c"); err != nil {
				t.Fatal(err)
			}
			for how := ""; how != test.want; {
				select {
				case how = <-stopped:
				case <-ctx.Done():
					t.Fatal("the server has not heard of it")
				}
			}
		})
	}
}
