package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Hello"}]}}}`

// tellAgent sends a message by A2A.
func tellAgent(t *testing.T, url, bearer, body string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Close = true
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("A2A-Version", "1.0")
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	told, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(told)
}

// An agent tells clients of A2A what tokens it takes, and takes those alone.
func TestAnAgentOfA2AIsAProtectedResource(t *testing.T) {
	base := withGateway(t, "models: {demo: {kind: demo}}\nagents: {assistant: {model: demo}, other: {model: demo}}\ngateway: {scopes: [use]}\n")
	agent := base + "/a2a/assistant"
	metadata := base + "/.well-known/oauth-protected-resource/a2a/assistant"
	status, data := sent(t, http.MethodGet, metadata, "", "")
	var described struct {
		Resource string
		Servers  []string `json:"authorization_servers"`
		Scopes   []string `json:"scopes_supported"`
	}
	if err := json.Unmarshal(data, &described); err != nil || status != http.StatusOK || described.Resource != agent ||
		fmt.Sprint(described.Servers, described.Scopes) != "[https://app.example] [use]" {
		t.Errorf("%d %s, %v", status, data, err)
	}
	if status, _ := sent(t, http.MethodGet, base+"/.well-known/oauth-protected-resource/a2a/nobody", "", ""); status != http.StatusNotFound {
		t.Errorf("of an agent that is not there: %d", status)
	}
	for name, c := range map[string]struct {
		change func(map[string]any)
		status int
	}{
		"the configured audience": {func(m map[string]any) { m["scope"] = "use" }, http.StatusOK},
		"the agent":               {func(m map[string]any) { m["scope"], m["aud"] = "use", agent }, http.StatusOK},
		"another agent":           {func(m map[string]any) { m["scope"], m["aud"] = "use", base+"/a2a/other" }, http.StatusUnauthorized},
		"the gateway":             {func(m map[string]any) { m["scope"], m["aud"] = "use", base+"/mcp" }, http.StatusUnauthorized},
		"no scope":                {nil, http.StatusForbidden},
	} {
		bearer := token(t, jose.HS256, []byte(hmacKey), claims(c.change))
		answer, told := tellAgent(t, agent, bearer, hello)
		if answer.StatusCode != c.status || c.status == http.StatusOK && !strings.Contains(told, "TASK_STATE_COMPLETED") {
			t.Errorf("%s: %s %s", name, answer.Status, told)
		}
		if c.status != http.StatusOK && !strings.Contains(answer.Header.Get("WWW-Authenticate"), `resource_metadata="`+metadata+`"`) {
			t.Errorf("%s: told %q", name, answer.Header.Get("WWW-Authenticate"))
		}
		if name == "the agent" { // it is good for nothing else
			if status, _ := ask(t, base, "Bearer "+bearer); status != http.StatusUnauthorized {
				t.Errorf("the chat takes a token for an agent: %d", status)
			}
		}
	}
	if answer, _ := tellAgent(t, agent, "", hello); answer.StatusCode != http.StatusUnauthorized {
		t.Error(answer.Status)
	}
}

func TestTheCardOfTheDefaultAgentIsAtTheRoot(t *testing.T) {
	base := started(t, "agents: {other: {model: demo}, assistant: {model: demo, description: Helps with tickets}}\n")
	for path, name := range map[string]string{
		"/.well-known/agent-card.json": "assistant", "/a2a/assistant/.well-known/agent-card.json": "assistant", "/a2a/other/.well-known/agent-card.json": "other",
	} {
		status, data := sent(t, http.MethodGet, base+path, "", "")
		var card struct {
			Name         string
			URL          string
			Capabilities struct{ Streaming, PushNotifications, ExtendedAgentCard bool }
		}
		if err := json.Unmarshal(data, &card); err != nil || status != http.StatusOK || card.Name != name || card.URL != base+"/a2a/"+name ||
			!card.Capabilities.Streaming || !card.Capabilities.PushNotifications || !card.Capabilities.ExtendedAgentCard {
			t.Errorf("%s: %d %s %v", path, status, data, err)
		}
	}
}

// A program with a key has tasks of its own, which nobody else's token reaches.
func TestAProgramHasTasksOfItsOwn(t *testing.T) {
	base := started(t, "")
	_, told := tellAgent(t, base+"/a2a/assistant", "the-key-of-a-program", hello)
	var answer struct {
		Result struct {
			Task struct{ ID string }
		}
	}
	if err := json.Unmarshal([]byte(told), &answer); err != nil || answer.Result.Task.ID == "" {
		t.Fatal(told, err)
	}
	get := `{"jsonrpc":"2.0","id":2,"method":"GetTask","params":{"id":"` + answer.Result.Task.ID + `"}}`
	if _, told := tellAgent(t, base+"/a2a/assistant", "the-key-of-a-program", get); !strings.Contains(told, "TASK_STATE_COMPLETED") {
		t.Error(told)
	}
	if _, told := tellAgent(t, base+"/a2a/assistant", token(t, jose.HS256, []byte(hmacKey), claims(nil)), get); !strings.Contains(told, "-32001") {
		t.Error(told)
	}
}

// What an agent elsewhere could not do is not done here.
func TestATaskForAnAgentElsewhereThatIsNotThereHasFailed(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	base := started(t, "agents: {assistant: {model: demo}, gone: {a2a: "+nobody+"}}\n")
	_, told := tellAgent(t, base+"/a2a/gone", "the-key-of-a-program", hello)
	if !strings.Contains(told, "TASK_STATE_FAILED") || !strings.Contains(told, "not sent") || strings.Contains(told, `"artifacts":[{`) {
		t.Error(told)
	}
}

// The agents that act for somebody have so many streams, by whichever method, and the
// person's own pages have theirs.
func TestStreamsOfA2AAreCountedByThemselves(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(silent.Close)
	base := started(t, "agents: {assistant: {model: demo}, slow: {a2a: "+silent.URL+"}}\nlimits: {streams: 2}\n")
	open := func(who, method, path, body string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", bearerOf(t, who, ""))
		r.Header.Set("A2A-Version", "1.0")
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = answer.Body.Close() })
		return answer.StatusCode
	}
	message := func(id string) string {
		return `{"message":{"messageId":"` + id + `","role":"ROLE_USER","parts":[{"text":"Hello"}]}}`
	}
	call := func(id string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":` + message(id) + `}`
	}
	for _, step := range []struct {
		who, method, path, body string
		want                    int
	}{
		{"alice", http.MethodPost, "/a2a/slow", call("1"), http.StatusOK},
		{"alice", http.MethodPost, "/a2a/slow/message:stream", message("2"), http.StatusOK},
		{"alice", http.MethodPost, "/a2a/slow", call("3"), http.StatusTooManyRequests},
		{"alice", http.MethodPost, "/a2a/slow/message:stream", message("4"), http.StatusTooManyRequests},
		{"alice", http.MethodGet, "/a2a/slow/tasks/x:subscribe", "", http.StatusTooManyRequests},
		{"bob", http.MethodPost, "/a2a/slow", call("5"), http.StatusOK},
		{"alice", http.MethodGet, "/api/elicitations/events", "", http.StatusOK},
	} {
		if got := open(step.who, step.method, step.path, step.body); got != step.want {
			t.Errorf("%s %s %s: %d, want %d", step.who, step.path, step.body, got, step.want)
		}
	}
}

// limits.questions_of_agents is what an agent's runtime goes by.
func TestSoManyQuestionsOfAgentsWaitForAPerson(t *testing.T) {
	var elsewhere *httptest.Server
	elsewhere = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"name":"desk","description":"d","version":"1","capabilities":{},"skills":[],"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
			"supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, elsewhere.URL)
	}))
	t.Cleanup(elsewhere.Close)
	base := started(t, "agents: {assistant: {model: demo}, desk: {a2a: "+elsewhere.URL+", auth: {type: bearer, scope: user}}}\nlimits: {questions_of_agents: 2}\n")
	token := strings.TrimPrefix(bearerOf(t, "alice", ""), "Bearer ")
	for i, want := range []string{"TASK_STATE_AUTH_REQUIRED", "TASK_STATE_AUTH_REQUIRED", "too many questions wait for this person"} {
		if _, told := tellAgent(t, base+"/a2a/desk", token, strings.Replace(hello, "m1", fmt.Sprint("q", i), 1)); !strings.Contains(told, want) {
			t.Errorf("%d: %s, want %s", i, told, want)
		}
	}
}
