package mcptool_test

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// A journal is written for somebody else to go on with the call. Nobody else can
// go on with that of a session, which dies with its node.
func TestTheJournalOfASessionIsNotStoredWhileItsNodeHasIt(t *testing.T) {
	for user, want := range map[string]int{"": 0, "alice": 1} {
		s := newSite(t, mcptool.Options{})
		addDelete(s, nil)
		c := s.connect(t, clientOptions{era: "2025-11-25", user: user, person: func(ctx context.Context, _ *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			stored, err := s.store.Scan(ctx, parley.Address{Tenant: parley.DefaultTenant, Kind: "mcp.call"}, "", 0)
			if err != nil || len(stored) != want {
				t.Errorf("%q: %d journals while the person thinks, want %d, %v", user, len(stored), want, err)
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true}}, nil
		}})
		if got := structured[deleted](t, call(t, c, "delete-account", account{"7"})); !got.Confirmed {
			t.Errorf("%q: got %+v", user, got)
		}
		noJournalLeft(t, s)
	}
}
