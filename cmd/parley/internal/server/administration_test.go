package server_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// What administrators see of a call that approvers decided about, at a whole server:
// who said what and when, and what another rule would have made of it.
func TestAdministratorsSeeWhoWasWaitedForAndTryRules(t *testing.T) {
	base, done := vaults(t)
	ada := token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) { m["sub"], m["scope"] = "ada", "parley:admin" }))
	said := turn(t, base)
	decide(t, base, "bob", "allow_once")
	decide(t, base, "carol", "allow_once")
	if all := <-said; !strings.Contains(all, "It says: transferred") || done.Load() != 1 {
		t.Fatalf("%d transfers: %s", done.Load(), all)
	}

	var runs struct {
		Items []struct {
			User, Agent, Status string
			Timeline            []struct {
				Kind, Server, Tool, How string
				From, To                string
				Needed                  int
				Approvers               []struct{ Name, Decision, At string }
			}
		}
	}
	read(t, http.MethodGet, base+"/api/runs", ada, "", &runs)
	if len(runs.Items) != 1 || runs.Items[0].User != "alice" || runs.Items[0].Agent != "assistant" || runs.Items[0].Status != "ended" {
		t.Fatalf("%+v", runs)
	}
	var kinds []string
	for _, s := range runs.Items[0].Timeline {
		kinds = append(kinds, s.Kind)
		if s.From == "" || s.To == "" {
			t.Errorf("it is not known when: %+v", s)
		}
		if s.Kind != "wait" {
			continue
		}
		if s.Server != "bank" || s.Tool != "transfer" || s.Needed != 2 || len(s.Approvers) != 3 {
			t.Fatalf("waited for %+v", s)
		}
		for i, want := range []string{"bob allow_once", "carol allow_once", "dave "} {
			if one := s.Approvers[i]; one.Name+" "+one.Decision != want || one.Decision != "" && one.At == "" {
				t.Errorf("%+v, not %s", one, want)
			}
		}
	}
	if got := strings.Join(kinds, " "); got != "model call wait model" {
		t.Errorf("spent on %s", got)
	}

	var trial struct {
		Looked int `json:"looked_at"`
		Items  []struct{ User, Agent, Tool, How, Now, Then string }
	}
	read(t, http.MethodPost, base+"/api/rule-trials", ada, `{"rule":{"name":"none","server":"bank","approve":"refuse"}}`, &trial)
	if trial.Looked != 1 || len(trial.Items) != 1 || trial.Items[0].Now != "approvers" || trial.Items[0].Then != "refuse" || trial.Items[0].How != "succeeded" {
		t.Errorf("%+v", trial)
	}
	for _, path := range []string{"/api/runs", "/api/rule-trials"} {
		method, body := http.MethodGet, ""
		if path == "/api/rule-trials" {
			method, body = http.MethodPost, `{"rule":{"name":"none","approve":"refuse"}}`
		}
		if status, data := sent(t, method, base+path, named(t, "alice"), body); status != http.StatusForbidden {
			t.Errorf("alice at %s: %d %s", path, status, data)
		}
		if _, data := sent(t, method, base+path, tenantKeys["acme"], body); !strings.Contains(string(data), `"looked_at":0`) {
			t.Errorf("another tenant at %s: %s", path, data)
		}
	}
}

func read(t *testing.T, method, address, bearer, body string, into any) {
	t.Helper()
	status, data := sent(t, method, address, bearer, body)
	if status != http.StatusOK {
		t.Fatalf("%s %s: %d %s", method, address, status, data)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
}
