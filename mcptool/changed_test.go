package mcptool_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcptool"
)

// An answer belongs to the question that was asked, not to the place where the
// handler asks this time.
func TestAHandlerThatAsksSomethingElseIsNotGivenTheEarlierAnswer(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	var runs atomic.Int64
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "fickle"}, func(ctx context.Context, c *mcptool.Call, _ struct{}) (deleted, error) {
		message := "Delete the copy?"
		if runs.Add(1) > 1 {
			message = "Delete the original?"
		}
		answer, err := mcptool.Elicit[confirm](ctx, c, message, nil)
		return deleted{Reason: answer.Content.Reason}, err
	})
	var shown []string
	c := s.connect(t, clientOptions{era: modern, person: func(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		shown = append(shown, p.Message)
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true, "reason": p.Message}}, nil
	}})
	got := structured[deleted](t, call(t, c, "fickle", struct{}{}))
	if want := []string{"Delete the copy?", "Delete the original?"}; !slices.Equal(shown, want) || got.Reason != want[1] {
		t.Errorf("shown %q, and the answer was to %q", shown, got.Reason)
	}
}

// That a form was answered does not make a client able to show a page.
func TestAHandlerThatAsksInAnotherWayAsksOnlyWhoCanShowIt(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	var runs atomic.Int64
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "fickle"}, func(ctx context.Context, c *mcptool.Call, _ struct{}) (deleted, error) {
		if runs.Add(1) == 1 {
			_, err := mcptool.Elicit[confirm](ctx, c, "Delete the copy?", nil)
			return deleted{}, err
		}
		_, err := mcptool.ElicitURL(ctx, c, "Go there.", "https://example.com/", &mcptool.URLOptions{Consent: true})
		return deleted{}, err
	})
	var shown []string
	c := s.connect(t, clientOptions{era: modern, forms: true, person: func(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		shown = append(shown, p.Message)
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true}}, nil
	}})
	_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "fickle", Arguments: struct{}{}})
	wantCode(t, err, mcptool.CodeMissingCapability)
	if !slices.Equal(shown, []string{"Delete the copy?"}) {
		t.Errorf("%q was shown", shown)
	}
}
