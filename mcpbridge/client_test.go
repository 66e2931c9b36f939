package mcpbridge_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpbridge"
)

type way = func(*testing.T, http.Handler) *mcpbridge.Options

func eachEra(t *testing.T, test func(t *testing.T, way way, era string)) {
	t.Helper()
	everywhere(t, func(t *testing.T, way way) {
		for _, era := range []string{"2025-06-18", legacy, modern} {
			t.Run(era, func(t *testing.T) { test(t, way, era) })
		}
	})
}

func TestClientsOfEveryEraListAndCallTools(t *testing.T) {
	eachEra(t, func(t *testing.T, way way, era string) {
		s := newSite(t)
		s.addTool("greet", func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return say("hello " + r.Extra.Header.Get("Authorization")), nil
		})
		opts := way(t, s)
		opts.Header = http.Header{"Authorization": {"Bearer ann"}}
		c := connect(t, opts, era, nil)
		list, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Tools) != 1 || list.Tools[0].Name != "greet" {
			t.Errorf("tools: %v", list.Tools)
		}
		if got := call(t, c, "greet"); got != "hello Bearer ann" {
			t.Errorf("got %q", got)
		}
	})
}

// question is a form or a page, by mode.
func question(mode string) *mcp.ElicitParams {
	if mode == "url" {
		return &mcp.ElicitParams{Mode: "url", Message: "Connect", URL: "https://parley.example/c/1", ElicitationID: "1"}
	}
	return &mcp.ElicitParams{Mode: "form", Message: "Which?", RequestedSchema: map[string]any{
		"type": "object", "properties": map[string]any{"colour": map[string]any{"type": "string"}},
	}}
}

// asking is a client that answers every question and reports it.
func asking(asked chan<- string) *mcp.ClientOptions {
	return &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked <- r.Params.Mode + ": " + r.Params.Message
			if r.Params.Mode == "url" {
				return &mcp.ElicitResult{Action: "accept"}, nil
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"colour": "red"}}, nil
		},
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{
			Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{},
		}},
	}
}

func told(r *mcp.ElicitResult) *mcp.CallToolResult {
	colour, _ := r.Content["colour"].(string)
	return say(r.Action + " " + colour)
}

func TestQuestionsAreAnsweredOnTheOpenCallInTheOldEra(t *testing.T) {
	everywhere(t, func(t *testing.T, way way) {
		s := newSite(t)
		for _, mode := range []string{"form", "url"} {
			s.addTool(mode, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				answer, err := r.Session.Elicit(ctx, question(mode))
				if err != nil {
					return nil, err
				}
				return told(answer), nil
			})
		}
		asked := make(chan string, 2)
		c := connect(t, way(t, s), legacy, asking(asked))
		got := []string{call(t, c, "form"), <-asked, call(t, c, "url"), <-asked}
		want := []string{"accept red", "form: Which?", "accept ", "url: Connect"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestQuestionsAreAnsweredBetweenTwoRequestsInTheNewEra(t *testing.T) {
	everywhere(t, func(t *testing.T, way way) {
		s := newSite(t)
		for _, mode := range []string{"form", "url"} {
			s.addTool(mode, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				if r.Params.RequestState != "<sealed>" {
					q := question(mode)
					q.ElicitationID = ""
					return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": q}, RequestState: "<sealed>"}, nil
				}
				return told(r.Params.InputResponses["q"].(*mcp.ElicitResult)), nil
			})
		}
		asked := make(chan string, 2)
		c := connect(t, way(t, s), modern, asking(asked))
		got := []string{call(t, c, "form"), <-asked, call(t, c, "url"), <-asked}
		want := []string{"accept red", "form: Which?", "accept ", "url: Connect"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestClientsHearThatTheListOfToolsChanged(t *testing.T) {
	eachEra(t, func(t *testing.T, way way, era string) {
		s := newSite(t)
		s.addTool("first", nil)
		changed := make(chan struct{}, 10)
		connect(t, way(t, s), era, &mcp.ClientOptions{
			ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
		})
		<-s.listening
		s.addTool("second", nil)
		<-changed
	})
}

func TestACallThatWaitsBlocksNoOther(t *testing.T) {
	eachEra(t, func(t *testing.T, way way, era string) {
		s := newSite(t)
		entered, release := make(chan struct{}), make(chan struct{})
		s.addTool("slow", func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			close(entered)
			select {
			case <-release:
				return say("late"), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		})
		s.addTool("quick", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return say("at once"), nil
		})
		c := connect(t, way(t, s), era, nil)
		late := make(chan string, 1)
		go func() {
			r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "slow"})
			if err != nil {
				late <- err.Error()
				return
			}
			late <- text(r)
		}()
		<-entered
		if got := call(t, c, "quick"); got != "at once" {
			t.Errorf("quick: %q", got)
		}
		close(release)
		if got := <-late; got != "late" {
			t.Errorf("slow: %q", got)
		}
	})
}

func TestCancellingReachesTheServer(t *testing.T) {
	eachEra(t, func(t *testing.T, way way, era string) {
		s := newSite(t)
		entered, ended := make(chan struct{}), make(chan struct{})
		s.addTool("slow", func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			close(entered)
			<-ctx.Done()
			close(ended)
			return nil, ctx.Err()
		})
		s.addTool("quick", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return say("at once"), nil
		})
		c := connect(t, way(t, s), era, nil)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-entered
			cancel()
		}()
		if _, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "slow"}); err == nil {
			t.Error("the call was answered")
		}
		<-ended
		if got := call(t, c, "quick"); got != "at once" {
			t.Errorf("the next call: %q", got)
		}
	})
}

func TestTheSessionEndsWithTheClient(t *testing.T) {
	everywhere(t, func(t *testing.T, way way) {
		s := newSite(t)
		opts := way(t, s)
		t.Run("client", func(t *testing.T) { connect(t, opts, legacy, nil) })
		deleted := s.requests(http.MethodDelete)
		if len(deleted) != 1 || deleted[0].Header.Get("Mcp-Session-Id") == "" {
			t.Fatalf("deleted: %v", deleted)
		}
		for range s.server.Sessions() {
			t.Error("the server still has a session")
		}
	})
}
