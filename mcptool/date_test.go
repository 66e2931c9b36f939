package mcptool_test

import (
	"context"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcptool"
)

type holiday struct {
	From time.Time  `json:"from" form:"format=date"`
	Till *time.Time `json:"till,omitempty" form:"format=date"`
}

func TestADateThatAPersonGivesReachesTheToolAsATime(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "holiday"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (map[string]string, error) {
			answer, err := mcptool.Elicit[holiday](ctx, call, "When?", nil)
			if err != nil {
				return nil, err
			}
			return map[string]string{"from": answer.Content.From.Format(time.RFC3339), "till": answer.Content.Till.Format(time.RFC3339)}, nil
		})
		c := s.connect(t, clientOptions{era: era, person: func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"from": "2026-12-24", "till": "2027-01-06"}}, nil
		}})
		got := structured[map[string]string](t, call(t, c, "holiday", struct{}{}))
		if got["from"] != "2026-12-24T00:00:00Z" || got["till"] != "2027-01-06T00:00:00Z" {
			t.Errorf("got %v", got)
		}
	})
}
