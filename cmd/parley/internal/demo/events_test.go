package demo_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/visitor"
	"github.com/parley-hq/parley/vault"
)

// eventOf reads the events of a turn up to the first of a type.
func eventOf(t *testing.T, lines *bufio.Scanner, kind string) map[string]any {
	t.Helper()
	for lines.Scan() {
		raw, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e map[string]any
		if err := json.Unmarshal([]byte(raw), &e); err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
		if e["type"] == kind {
			return e
		}
		if e["error"] != nil {
			t.Fatalf("before %s: %s", kind, raw)
		}
	}
	t.Fatalf("the events end without %s: %v", kind, lines.Err())
	return nil
}

// The events of document 003 as a configured server sends them: its title, spaces
// and all, and the number that /api/servers has.
// The account is connected by somebody else meanwhile, and the turn goes on.
func TestTheEventsNameAServerByItsTitle(t *testing.T) {
	t.Setenv("MCP_OAUTH_POLL_INTERVAL_SECONDS", "1")
	d := started(t)
	v := visitor.New()
	defer v.Leave()
	if err := v.Open(t.Context(), d.URL+"/login"); err != nil {
		t.Fatal(err)
	}
	if err := v.Send(t.Context(), d.URL+"/login", url.Values{"user": {"alice"}}); err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.URL+"/run/sse", strings.NewReader(`{"message":"List the tickets in my tracker"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := v.Browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	events := bufio.NewScanner(answer.Body)
	required := eventOf(t, events, "oauth_required")
	for member, want := range map[string]any{
		"server_name": "Acme Tracker", "server_id": float64(vault.ServerID("tracker")),
		"message": "Authentication required for MCP server 'Acme Tracker'. Please complete the OAuth flow to continue.",
	} {
		if required[member] != want {
			t.Errorf("%s is %v, not %v", member, required[member], want)
		}
	}
	if to := fmt.Sprint(required["auth_url"]); !strings.HasPrefix(to, d.URL+"/auth/connect?elicitation_id=") {
		t.Errorf("auth_url is %s", to)
	}
	if err := d.Server.Vault.Provide(t.Context(), vault.Need{Server: "tracker", User: "alice"}, "a-token-of-hers"); err != nil {
		t.Fatal(err)
	}
	resolved := eventOf(t, events, "oauth_connection_resolved")
	if resolved["server_name"] != "Acme Tracker" || resolved["server_id"] != required["server_id"] {
		t.Errorf("resolved %v", resolved)
	}
}
