package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// tried lists what a trial shows: who, the tool, now and then.
func tried(r reply) string {
	r.t.Helper()
	var all []string
	for _, one := range r.want(http.StatusOK).at("items").([]any) {
		item := one.(map[string]any)
		all = append(all, strings.Join([]string{item["user"].(string), item["tool"].(string), item["now"].(string), item["then"].(string)}, " "))
	}
	return strings.Join(all, ", ")
}

// throughGateway has somebody asked about a call that no run makes.
func (w *world) throughGateway(tenant, user, tool string) {
	w.t.Helper()
	q, err := w.permits.Question(permit.Call{Tenant: tenant, User: user, Server: "tracker", Tool: tool, ID: string(parley.NewID()), Args: json.RawMessage(`{"token":"` + secret + `"}`)})
	if err != nil {
		w.t.Fatal(err)
	}
	w.open(q)
}

func TestATrialSaysWhichCallsARuleWouldHaveStopped(t *testing.T) {
	w := newWorld(t, nil)
	w.working()
	w.says(callers["alice"].Principal, `pay {"amount":50,"token":"`+secret+`"}`, "allow_once")
	w.says(callers["bob"].Principal, `pay {"amount":500}`, "deny")
	w.says(callers["bob"].Principal, `look {"amount":500}`, "")
	w.says(callers["namesake"].Principal, `pay {"amount":500}`, "") // another tenant's
	w.throughGateway("acme", "alice", "close")
	w.throughGateway("globex", "alice", "close")
	created("/api/rules", `{"name":"free","tool":"look","approve":"never"}`)(w)
	for rule, want := range map[string]string{
		`{"name":"new","tool":"pay","when":"args.amount > 100","approvers":{"need":1,"of":["ada"]}}`: "bob pay ask approvers",
		`{"name":"new","tool":"pay","approve":"refuse"}`:                                             "bob pay ask refuse, alice pay ask refuse",
		`{"name":"free","tool":"look","approve":"always"}`:                                           "bob look pass ask",
		`{"name":"new","tool":"pay","approve":"never"}`:                                              "bob pay ask pass, alice pay ask pass",
		`{"name":"new","tool":"close","approve":"refuse"}`:                                           "alice close ask refuse",
		`{"name":"new","tool":"close","when":"args.a == 1","approve":"refuse"}`:                      "alice close ask unknown",
		`{"name":"new","tool":"another","approve":"refuse"}`:                                         "",
	} {
		got := w.do("ada", http.MethodPost, "/api/rule-trials", `{"rule":`+rule+`}`)
		if all := tried(got); all != want {
			t.Errorf("%s: %s, not %s", rule, all, want)
		}
		got.is("looked_at", 4.0).is("complete", true)
		if strings.Contains(string(got.body), "token") {
			t.Errorf("arguments came out: %s", got.body)
		}
	}
	w.do("ada", http.MethodPost, "/api/rule-trials", `{"rule":{"name":"new","tool":"pay","approve":"refuse"}}`).
		is("counts.refuse", 2.0).is("counts.unchanged", 2.0).is("items.0.how", "refused").is("items.0.agent", "payer").is("items.0.rule", "new").is("not_known.0.what", "gateway")
	w.do("rival", http.MethodPost, "/api/rule-trials", `{"rule":{"name":"new","approve":"refuse"}}`).is("looked_at", 2.0)
	w.do("ada", http.MethodPost, "/api/rule-trials", `{"rule":{"name":"new","approve":"refuse"},"until":"`+time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)+`"}`).
		is("looked_at", 0.0)
	// Nothing of that is kept.
	if got := w.do("ada", http.MethodGet, "/api/rules", "").names("name"); got != "free house" {
		t.Errorf("there are now the rules %s", got)
	}
}

func TestATrialReadsARuleAsStrictlyAsTheRules(t *testing.T) {
	w := newWorld(t, nil)
	for rule, place := range map[string]string{
		`{"approve":"never"}`:                                     "body.rule",
		`{"name":"x","approve":"perhaps"}`:                        "body.rule.approve",
		`{"name":"x","approve":"never","when":"args.a >"}`:        "body.rule.when",
		`{"name":"x","approve":"never","surprise":1}`:             "body.rule",
		`{"name":"house","approve":"never"}`:                      "body.rule",
		`{"name":"x","approvers":{"need":2,"of":["ada","ada"]}}`:  "body.rule.approvers.need",
		`{"name":"x","approve":"always","choices":["sometimes"]}`: "body.rule.choices",
	} {
		w.do("ada", http.MethodPost, "/api/rule-trials", `{"rule":`+rule+`}`).refused(http.StatusUnprocessableEntity, place)
	}
	w.do("ada", http.MethodPost, "/api/rule-trials", `{"rule":{"name":"x","approve":"never"},"since":"2026-11-02T00:00:00Z","until":"2026-11-01T00:00:00Z"}`).refused(http.StatusUnprocessableEntity, "body.since")
}
