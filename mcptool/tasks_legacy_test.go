package mcptool_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/mcptool"
)

// The tasks of 2025-11-25 are others: a session has none.
func TestASessionHasNoMethodsOfTasks(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	c := s.connect(t, clientOptions{era: "2025-11-25"})
	for _, method := range []string{"tasks/get", "tasks/list", "tasks/result", "tasks/cancel", "tasks/update"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.http.URL, strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"`+method+`","params":{"taskId":"t"}}`))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"Mcp-Session-Id": c.ID(), "Mcp-Protocol-Version": "2025-11-25",
		} {
			r.Header.Set(name, value)
		}
		answer, err := s.http.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK || !strings.Contains(string(body), `"code":-32601`) || !strings.Contains(string(body), `"id":7`) {
			t.Errorf("%s: %s %s", method, answer.Status, body)
		}
	}
}
