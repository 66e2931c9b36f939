package fakenango_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/internal/testkit/fakenango"
)

func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }

// site is a fake with a listener, and somebody who takes its webhooks.
type site struct {
	t    *testing.T
	fake *fakenango.Server
	url  string

	mu     sync.Mutex
	bodies []string
	answer []int // of the webhooks, in turn; then 204
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t}
	hook := httptest.NewServer(s)
	t.Cleanup(hook.Close)
	s.fake = fakenango.New(&fakenango.Options{
		APIKey: "key", WebhookKey: "signing", Client: hook.Client(),
		Integrations: map[string]fakenango.Integration{"tracker": {}, "notes": {AuthMode: "API_KEY"}},
		Delivery:     fakenango.Delivery{URL: hook.URL},
	})
	t.Cleanup(s.fake.Close)
	server := httptest.NewServer(s.fake)
	t.Cleanup(server.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	s.url = server.URL
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if want := fakenango.Sign("signing", body); r.Header.Get("X-Nango-Hmac-Sha256") != want.Get("X-Nango-Hmac-Sha256") {
		s.t.Error("the signature is wrong")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bodies = append(s.bodies, string(body))
	status := http.StatusNoContent
	if len(s.answer) > 0 {
		status, s.answer = s.answer[0], s.answer[1:]
	}
	w.WriteHeader(status)
}

// call calls the API and returns the status and the error code or the data.
func (s *site) call(method, path, body, key string) (int, map[string]any) {
	s.t.Helper()
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	var fields map[string]any
	if err := json.NewDecoder(answer.Body).Decode(&fields); err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, fields
}

// link opens a session for alice.
func (s *site) link() string {
	s.t.Helper()
	status, fields := s.call("POST", "/connect/sessions", `{"allowed_integrations":["tracker"],"tags":{"End_User_Id":"alice"}}`, "key")
	if status != http.StatusCreated {
		s.t.Fatalf("%d %v", status, fields)
	}
	return fields["data"].(map[string]any)["connect_link"].(string)
}

func (s *site) press(link, button string) {
	s.t.Helper()
	u, _ := url.Parse(link)
	answer, err := http.PostForm(link, url.Values{"session_token": {u.Query().Get("session_token")}, "decision": {button}})
	if err != nil {
		s.t.Fatal(err)
	}
	answer.Body.Close()
	s.fake.Wait()
}

func TestTheAPIRefusesWhatNangoRefuses(t *testing.T) {
	s := newSite(t)
	for _, test := range []struct {
		method, path, body, key string
		status                  int
		code                    string
	}{
		{"GET", "/connections", "", "", 401, "missing_auth_header"},
		{"GET", "/connections", "", "wrong", 401, "unknown_account"},
		{"GET", "/connections?surprise=1", "", "key", 400, "invalid_query_params"},
		{"GET", "/connections?limit=0", "", "key", 400, "invalid_query_params"},
		{"GET", "/connections/x", "", "key", 400, "invalid_query_params"},
		{"GET", "/connections/x?provider_config_key=absent", "", "key", 400, "unknown_provider_config"},
		{"GET", "/connections/x?provider_config_key=tracker", "", "key", 404, "not_found"},
		{"DELETE", "/connections/x?provider_config_key=tracker", "", "key", 400, "unknown_connection"},
		{"POST", "/connect/sessions", `{}`, "key", 400, "invalid_body"},
		{"POST", "/connect/sessions", `{"tags":{"a":"b"},"surprise":1}`, "key", 400, "invalid_body"},
		{"POST", "/connect/sessions", `{"tags":{"a":""}}`, "key", 400, "invalid_body"},
		{"POST", "/connect/sessions", `{"tags":{"1a":"b"}}`, "key", 400, "invalid_body"},
		{"POST", "/connect/sessions", `{"tags":{"a":"b","A":"c"}}`, "key", 400, "invalid_body"},
		{"POST", "/connect/sessions", `{"tags":{"a":"` + strings.Repeat("x", 256) + `"}}`, "key", 400, "invalid_body"},
		{"POST", "/connect/sessions", `{"tags":{"a":"b"},"end_user":{"id":""}}`, "key", 400, "invalid_body"},
		{"POST", "/connect/sessions", `{"tags":{"a":"b"},"allowed_integrations":["absent"]}`, "key", 400, "invalid_body"},
		{"POST", "/connect/sessions/reconnect", `{"connection_id":"x","integration_id":"tracker"}`, "key", 400, "invalid_body"},
	} {
		status, fields := s.call(test.method, test.path, test.body, test.key)
		failure, _ := fields["error"].(map[string]any)
		if status != test.status || failure["code"] != test.code {
			t.Errorf("%s %s %s: %d %v; want %d %s", test.method, test.path, test.body, status, fields, test.status, test.code)
		}
	}
	if n := len(s.fake.Requests()); n != 17 {
		t.Errorf("%d calls were taken down", n)
	}
}

func TestTheWebhookSaysWhatNangosSays(t *testing.T) {
	s := newSite(t)
	s.press(s.link(), "connect")
	c := s.fake.Connections()[0]
	var got map[string]any
	if err := json.Unmarshal([]byte(s.bodies[0]), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"from": "nango", "type": "auth", "operation": "creation", "success": true, "environment": "dev", "authMode": "OAUTH2",
		"connectionId": c.ID, "providerConfigKey": "tracker", "provider": "tracker", "tags": map[string]any{"end_user_id": "alice"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	status, fields := s.call("GET", "/connections/"+c.ID+"?provider_config_key=tracker", "", "key")
	credentials, _ := fields["credentials"].(map[string]any)
	if status != http.StatusOK || credentials["access_token"] != c.Value() || c.Value() == "" {
		t.Errorf("%d %v", status, fields)
	}
	if _, listed := s.call("GET", "/connections?tags[end_user_id]=alice", "", "key"); len(listed["connections"].([]any)) != 1 {
		t.Errorf("listed %v", listed)
	}
	if _, listed := s.call("GET", "/connections?tags[end_user_id]=bob", "", "key"); len(listed["connections"].([]any)) != 0 {
		t.Errorf("listed %v", listed)
	}
}

func TestAWebhookIsRepeatedWhenTheOtherEndFailsAndNotWhenItRefuses(t *testing.T) {
	for _, test := range []struct{ answers, want []int }{
		{[]int{500, 503}, []int{500, 503, 204}},
		{[]int{500, 500, 500, 500}, []int{500, 500, 500}},
		{[]int{401}, []int{401}},
	} {
		s := newSite(t)
		s.answer = test.answers
		s.press(s.link(), "connect")
		if diff := cmp.Diff(test.want, s.fake.Sent()[0].Status); diff != "" {
			t.Error(diff)
		}
	}
}

func TestFaultsEndAsTold(t *testing.T) {
	s := newSite(t)
	s.fake.Fail(fakenango.Fault{Method: "GET", Path: "/connections", Status: 503, Code: "server_error", Times: 2})
	for _, want := range []int{503, 503, 200} {
		if status, _ := s.call("GET", "/connections", "", "key"); status != want {
			t.Errorf("answered %d, want %d", status, want)
		}
	}
}

func TestAPersonPressesTheButtonsInABrowser(t *testing.T) {
	alice := browser.Start(t).Person(t)
	s := newSite(t)
	alice.Open(s.link())
	alice.WaitFor("Connect tracker")
	alice.CheckAccessible()
	alice.Follow("#fail")
	alice.WaitFor("The account was not connected")
	alice.Follow("#connect")
	alice.WaitFor("You can close this page")
	s.fake.Wait()
	if n := len(s.fake.Connections()); n != 1 {
		t.Errorf("there are %d connections", n)
	}
	if len(s.bodies) != 2 || !strings.Contains(s.bodies[0], `"success":false`) || !strings.Contains(s.bodies[1], `"success":true`) {
		t.Errorf("webhooks: %q", s.bodies)
	}
}
