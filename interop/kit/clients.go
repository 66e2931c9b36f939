package kit

import (
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/parley-hq/parley"
)

// The clients of npm/, with the flags that make them what they are.
var (
	Sdk1       = []string{"client1.mjs"}
	Client2    = []string{"client2.mjs", "--era", "legacy"}
	Client2026 = []string{"client2.mjs", "--era", "modern"}
)

const (
	// secret seals what tests store: what works sealed works plain.
	Secret = "a secret for tests, thirty-two bytes or more"

	GatewayIssuer   = "https://app.example"
	GatewayAudience = "parley"
	GatewayKey      = "the key that signs tokens for tests, long enough"
)

var Alice = parley.Principal{User: "alice", Method: "test"}

// Modern reports whether a client speaks 2026-07-28.
func Modern(command []string) bool { return slices.Contains(command, "modern") }

// With returns a client's command line with more flags.
func With(command []string, flags ...string) []string { return slices.Concat(command, flags) }

func As(person string) []string { return []string{"--header", "Authorization: Bearer " + person} }

// Visit goes to the page that a question sends the person to.
func Visit(t *testing.T, url string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK {
		t.Errorf("visiting: %s %s", resp.Status, body)
	}
}
