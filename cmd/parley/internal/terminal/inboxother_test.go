package terminal

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Who manages a tenant is shown the questions of all, and answers their own.
func TestAQuestionOfSomebodyElseIsNotTakenForOnesOwn(t *testing.T) {
	home(t)
	n := nodes(t, 1, "people: {root: {admin: true}}")[0]
	id := string(n.ask("Which colour?"))
	root := []string{"--server", n.url, "--user", "root"}
	got, err := inboxOf(t, append(root, "show", id))
	if err != nil || !strings.Contains(got, "It is for alice.") || strings.Contains(got, "answer it with") {
		t.Errorf("%s, %v", got, err)
	}
	if got, err = inboxOf(t, append(root, "answer", id), "blue"); err == nil || err.Error() != "this question is for alice, who alone can answer it" || strings.Contains(got, "colour") {
		t.Errorf("%s, %v", got, err)
	}
	got, err = inboxOf(t, []string{"--server", n.url, "--user", "alice", "show", id})
	if err != nil || !strings.Contains(got, "answer it with: parley inbox answer "+id) {
		t.Errorf("her own: %s, %v", got, err)
	}
}

// A group's question is answered by its people, each by one of their own; and of a token of an issuer no
// server takes an answer.
func TestWhatCannotBeAnsweredIsSaidBeforeTheForm(t *testing.T) {
	home(t)
	q := map[string]any{"id": "q1", "state": "pending", "from": "painter", "mode": "form", "message": "Which colour?", "requested_schema": json.RawMessage(colour), "to": "alice"}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said := q
		if strings.HasSuffix(r.URL.Path, "/g1") {
			said = map[string]any{"id": "g1", "state": "pending", "from": "painter", "mode": "form", "message": "Which colour?", "group": "oncall"}
		}
		_ = json.NewEncoder(w).Encode(said)
	}))
	defer web.Close()
	token := "e30." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"alice"}`)) + ".x"
	for _, c := range []struct{ verb, id, token, shown, refused string }{
		{"show", "q1", token, "it is answered where somebody has signed in: at " + web.URL + "/answer/q1, or after parley login", ""},
		{"answer", "q1", token, "", "your token is your identity provider's, which MCP clients have too: it answers no questions. Run parley login first, or answer on the page"},
		{"show", "g1", "t", "It is for the group oncall.", ""},
		{"answer", "g1", "t", "", "this question is for the group oncall, who alone can answer it"},
	} {
		got, err := inboxOf(t, []string{"--server", web.URL, "--token", c.token, c.verb, c.id}, "blue")
		if c.refused == "" && err != nil || c.refused != "" && (err == nil || err.Error() != c.refused) || !strings.Contains(got, c.shown) || strings.Contains(got, "answer it with") {
			t.Errorf("%s %s: %s, %v", c.verb, c.id, got, err)
		}
	}
}
