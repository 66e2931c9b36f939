package server_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
)

// queries are the PromQL expressions of the dashboard.
func queries(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("../../../../deploy/grafana/parley.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(data, &board); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, panel := range board.Panels {
		for _, target := range panel.Targets {
			all = append(all, target.Expr)
		}
	}
	if len(all) < 20 {
		t.Fatalf("%d queries", len(all))
	}
	return all
}

// A real Prometheus reads a server that has done something, and each query of the
// dashboard finds something there.
func TestEveryQueryOfTheDashboardFindsSomething(t *testing.T) {
	const secret = "a token of the operator"
	served := recorded(t, "telemetry: {metrics: {token: "+secret+"}}\ngateway: {}\n")
	prometheus := servers.OwnPrometheus(t, strings.TrimPrefix(served.at, "http://"), secret)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	ask := func(query string) (series int, problem string) {
		answer, err := client.Get(prometheus.URL + "/api/v1/query?" + url.Values{"query": {query}}.Encode())
		if err != nil {
			return 0, err.Error()
		}
		defer answer.Body.Close()
		var said struct {
			Status, Error string
			Data          struct{ Result []json.RawMessage }
		}
		if err := json.NewDecoder(answer.Body).Decode(&said); err != nil {
			return 0, err.Error()
		}
		return len(said.Data.Result), said.Error
	}
	left := queries(t)
	for over := time.Now().Add(time.Minute); len(left) > 0 && time.Now().Before(over); { // two readings make a rate
		doSomething(t, served)
		left = slices.DeleteFunc(left, func(query string) bool {
			n, problem := ask(strings.ReplaceAll(query, "$__rate_interval", "1m"))
			return n > 0 && problem == ""
		})
	}
	for _, query := range left {
		n, problem := ask(strings.ReplaceAll(query, "$__rate_interval", "1m"))
		t.Errorf("%s: %d series %s", query, n, problem)
	}
	if n, problem := ask("parley_no_such_thing"); n != 0 || problem != "" {
		t.Errorf("what nobody counts: %d series %s", n, problem)
	}
}

// doSomething has a conversation with the agent, which the demo model answers, and a
// question that alice answers.
func doSomething(t *testing.T, served recording) {
	t.Helper()
	at := served.at
	jar := signedIn(t, at, "alice")
	q, err := served.Hub.Open(t.Context(), parley.Request{To: "alice", From: "tracker", Message: "Go on?"})
	if err != nil {
		t.Fatal(err)
	}
	if err := served.Hub.Answer(t.Context(), parley.Principal{User: "alice"}, q.ID, parley.Answer{Action: parley.Accept, Content: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at+"/run/api/chat", strings.NewReader(`{"conversationId":"c","messages":[{"role":"user","content":"hello"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for _, c := range jar {
		r.AddCookie(c)
	}
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("chat: %s", answer.Status)
	}
}

func signedIn(t *testing.T, at, user string) []*http.Cookie {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.PostForm(at+"/login", url.Values{"user": {user}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return slices.Clone(answer.Cookies())
}
