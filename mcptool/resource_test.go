package mcptool_test

import (
	"context"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcptool"
)

func TestAResourceAndATemplateAskAndNeedAYes(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		read := func(ctx context.Context, call *mcptool.Call, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			answer, err := mcptool.Elicit[confirm](ctx, call, "May it be read?", nil)
			if err == nil {
				err = answer.Err()
			}
			if err != nil {
				return nil, err
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: "secret"}}}, nil
		}
		mcptool.AddResource(s.asker, s.server, &mcp.Resource{Name: "diary", URI: "diary:today"}, read)
		mcptool.AddResourceTemplate(s.asker, s.server, &mcp.ResourceTemplate{Name: "letters", URITemplate: "letters:{id}"}, read)
		for _, uri := range []string{"diary:today", "letters:7"} {
			for action, want := range map[string]int64{"accept": 0, "decline": mcptool.CodeNotAccepted, "cancel": mcptool.CodeNotAccepted} {
				c := s.connect(t, clientOptions{era: era, user: "alice", person: func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
					r := &mcp.ElicitResult{Action: action}
					if action == "accept" {
						r.Content = map[string]any{"confirmed": true}
					}
					return r, nil
				}})
				got, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
				var refused *jsonrpc.Error
				switch {
				case want == 0 && (err != nil || got.Contents[0].Text != "secret"):
					t.Errorf("%s, %s: %+v, %v", uri, action, got, err)
				case want != 0 && (!errors.As(err, &refused) || refused.Code != want):
					t.Errorf("%s, %s: %+v, %v", uri, action, got, err)
				}
			}
		}
	})
}
