package mcptool_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

// elsewhere answers for what is on another server.
type elsewhere struct{ runs, once int }

func (e *elsewhere) CallTool(ctx context.Context, call *mcptool.Call, name string, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	e.runs++
	var note string
	known, err := call.Recall("note", &note)
	if err != nil {
		return nil, err
	}
	if !known {
		e.once++
		if err := call.Remember(ctx, "note", "written"); err != nil {
			return nil, err
		}
	}
	answer, err := mcptool.AskRequest(ctx, call, parley.Form, func(id parley.ID) parley.Request {
		return parley.Request{
			From: "tracker", Message: "Sure?", Trigger: parley.TriggerMCP, Labels: map[string]string{"server": "tracker"},
			Schema: json.RawMessage(`{"type":"object","properties":{"sure":{"type":"boolean"}},"required":["sure"]}`),
		}
	}, &mcptool.URLOptions{ElicitOptions: mcptool.ElicitOptions{Key: "sure"}})
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: name + " " + string(arguments) + " " + string(answer.Content)}}}, nil
}

func (e *elsewhere) GetPrompt(_ context.Context, _ *mcptool.Call, name string, _ map[string]string) (*mcp.GetPromptResult, error) {
	return &mcp.GetPromptResult{Description: "prompt " + name}, nil
}

func (e *elsewhere) ReadResource(_ context.Context, _ *mcptool.Call, uri string) (*mcp.ReadResourceResult, error) {
	if uri != "tracker://one" {
		return nil, errors.New("no such thing")
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, Text: "one"}}}, nil
}

func TestWhatAServerDoesNotHaveIsRelayed(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			s := newSite(t, mcptool.Options{})
			mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "own"}, func(context.Context, *mcptool.Call, struct{}) (struct{}, error) { return struct{}{}, nil })
			other := &elsewhere{}
			s.asker.Relay(s.server, other)
			seen := ""
			c := s.connect(t, clientOptions{era: era, user: "alice", person: func(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
				seen = p.Message
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"sure": true}}, nil
			}})
			result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "tracker__close", Arguments: map[string]any{"n": 1}})
			if err != nil || result.IsError || result.Content[0].(*mcp.TextContent).Text != `tracker__close {"n":1} {"sure":true}` {
				t.Fatalf("%+v, %v", result, err)
			}
			if seen != "[tracker] Sure?" {
				t.Errorf("the client shows %q", seen)
			}
			if other.once != 1 {
				t.Errorf("%d times noted in %d runs", other.once, other.runs)
			}
			if result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "own"}); err != nil || result.IsError || other.runs > 2 {
				t.Errorf("its own tool: %+v, %v", result, err)
			}
			if prompt, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "tracker__hello"}); err != nil || prompt.Description != "prompt tracker__hello" {
				t.Errorf("%+v, %v", prompt, err)
			}
			if read, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "tracker://one"}); err != nil || read.Contents[0].Text != "one" {
				t.Errorf("%+v, %v", read, err)
			}
			if read, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "tracker://two"}); err == nil {
				t.Errorf("%+v", read)
			}
		})
	}
}

func TestAShortcutAnswersBeforeTheSDK(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			shortcut := func(w http.ResponseWriter, r *http.Request, peer mcphttp.Peer, message []byte, next func(*http.Request)) {
				if (peer.Session == "") != (era == modern) || peer.Session != "" && !peer.Supports(parley.Form) {
					t.Errorf("peer %+v", peer)
				}
				if strings.Contains(string(message), `"slow"`) {
					r = r.Clone(r.Context())
					r.Header.Set("X-Handed", "over")
					next(r)
					return
				}
				if !strings.Contains(string(message), `"quick"`) {
					next(r)
					return
				}
				var m struct {
					ID json.RawMessage `json:"id"`
				}
				_ = json.Unmarshal(message, &m)
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"resultType":"complete","content":[{"type":"text","text":"at once"}]}}`)
			}
			s := newSiteWith(t, parley.NewMemoryStore(), mcptool.Options{}, &mcphttp.Options{Shortcut: shortcut, Logger: quiet})
			mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "slow"}, func(_ context.Context, call *mcptool.Call, _ struct{}) (struct{ Got string }, error) {
				return struct{ Got string }{call.Request().Extra.Header.Get("X-Handed")}, nil
			})
			c := s.connect(t, clientOptions{era: era, user: "alice", person: func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
				return nil, errors.New("nobody asks")
			}})
			for name, want := range map[string]string{"quick": "at once", "slow": `{"Got":"over"}`} {
				result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
				if err != nil || result.IsError || result.Content[0].(*mcp.TextContent).Text != want {
					t.Errorf("%s: %+v, %v", name, result, err)
				}
			}
		})
	}
}
