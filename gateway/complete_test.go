package gateway_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newLibrary is a server that completes arguments with what it was asked.
func newLibrary(t *testing.T, era string, complete func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error)) string {
	server := mcp.NewServer(&mcp.Implementation{Name: "library", Version: "1"}, &mcp.ServerOptions{CompletionHandler: complete})
	server.AddPrompt(&mcp.Prompt{Name: "find", Arguments: []*mcp.PromptArgument{{Name: "title"}}}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{}, nil
	})
	server.AddResourceTemplate(&mcp.ResourceTemplate{Name: "book", URITemplate: "book://{title}"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{}, nil
	})
	t.Cleanup(func() {
		for session := range server.Sessions() {
			_ = session.Close()
		}
	})
	return serve(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: era == modern}))
}

func repeat(name string) func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return func(_ context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
		p := r.Params
		values := []string{name, p.Ref.Type, p.Ref.Name + p.Ref.URI, p.Argument.Name, p.Argument.Value}
		if p.Context != nil {
			values = append(values, p.Context.Arguments["year"])
		}
		return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: 12, HasMore: true}}, nil
	}
}

func TestCompletionsAreTheServers(t *testing.T) {
	for _, server := range []string{legacy, modern} {
		h := newHouse(t, catalogue{
			{Name: "one", URL: newLibrary(t, server, repeat("first"))}, {Name: "two", URL: newLibrary(t, server, repeat("second"))},
			{Name: "mute", URL: newLibrary(t, server, nil)}, {Name: "gone", URL: serve(t, http.NotFoundHandler())},
		}, nil)
		for _, client := range []string{legacy, modern} {
			t.Run(client+" and "+server, func(t *testing.T) {
				v := visit(t, h.url, "alice", client, nil)
				if v.InitializeResult().Capabilities.Completions == nil {
					t.Error("it does not say that it completes")
				}
				argument := mcp.CompleteParamsArgument{Name: "title", Value: "Mo"}
				for ref, want := range map[mcp.CompleteReference][]string{
					{Type: "ref/prompt", Name: "one__find"}:             {"first", "ref/prompt", "find", "title", "Mo", "1851"},
					{Type: "ref/prompt", Name: "two__find"}:             {"second", "ref/prompt", "find", "title", "Mo", "1851"},
					{Type: "ref/resource", URI: "book://{title}"}:       {"first", "ref/resource", "book://{title}", "title", "Mo", "1851"},
					{Type: "ref/resource", URI: "two+book://{title}"}:   {"second", "ref/resource", "book://{title}", "title", "Mo", "1851"},
					{Type: "ref/prompt", Name: "mute__find"}:            {},
					{Type: "ref/resource", URI: "mute+book://{title}"}:  {},
					{Type: "ref/prompt", Name: "one__there is no such"}: {"first", "ref/prompt", "there is no such", "title", "Mo", "1851"},
				} {
					got, err := v.Complete(t.Context(), &mcp.CompleteParams{Ref: &ref, Argument: argument, Context: &mcp.CompleteContext{Arguments: map[string]string{"year": "1851"}}})
					if err != nil {
						t.Errorf("%+v: %v", ref, err)
						continue
					}
					if diff := cmp.Diff(want, got.Completion.Values); diff != "" || len(want) > 0 && (got.Completion.Total != 12 || !got.Completion.HasMore) {
						t.Errorf("%+v: %s %+v", ref, diff, got.Completion)
					}
				}
				for name, code := range map[string]int64{"nobody__find": -32602, "find": -32602, "gone__find": -32603} {
					_, err := v.Complete(t.Context(), &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: name}, Argument: argument})
					if codeOf(err) != code {
						t.Errorf("%s: %v", name, err)
					}
				}
			})
		}
	}
}

func TestACompletionThatTakesLongIsGivenUp(t *testing.T) {
	over := make(chan struct{})
	url := newLibrary(t, modern, func(ctx context.Context, _ *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
		select {
		case <-ctx.Done():
		case <-over:
		}
		return nil, errors.New("too late")
	})
	h := newHouse(t, catalogue{{Name: "slow", URL: url}}, nil)
	h.SetPatience(50 * time.Millisecond)
	t.Cleanup(func() { close(over) })
	_, err := visit(t, h.url, "alice", modern, nil).Complete(t.Context(), &mcp.CompleteParams{
		Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "slow__find"}, Argument: mcp.CompleteParamsArgument{Name: "title"},
	})
	if codeOf(err) != -32603 || !strings.Contains(err.Error(), "just now") {
		t.Errorf("got %v", err)
	}
}
