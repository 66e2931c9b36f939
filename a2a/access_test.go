package a2a_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	wire "github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/agent"
)

func TestSomebodyElsesTaskIsNotThere(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(colour))
		task := s.client("alice", way).send(says("Paint it"))
		q := asks(t, task)
		for _, other := range []string{"bob", "alice@acme", "program:ci"} {
			c := s.client(other, way)
			_, err := c.GetTask(t.Context(), &wire.GetTaskRequest{ID: task.ID})
			refused(t, err, wire.ErrTaskNotFound, "")
			_, err = c.CancelTask(t.Context(), &wire.CancelTaskRequest{ID: task.ID})
			refused(t, err, wire.ErrTaskNotFound, "")
			_, err = c.trySend(to(task, answers(q.ID, elicitation.Accept, `{"colour":"red"}`)))
			refused(t, err, wire.ErrTaskNotFound, "")
			_, err, _ = c.subscribe(task.ID).next()
			refused(t, err, wire.ErrTaskNotFound, "")
			// A context of somebody else's is one of their own, with nothing in it.
			m := says("What was said here?")
			m.ContextID = task.ContextID
			if theirs, err := c.trySend(m); err != nil || theirs.ID == task.ID || len(theirs.History) != 1 && other != "program:ci" {
				t.Errorf("%+v %v", theirs, err)
			}
		}
		state(t, s.client("alice", way).get(task.ID), wire.TaskStateInputRequired)
	})
}

func TestATaskIsOfItsAgentAlone(t *testing.T) {
	other := &agent.Agent{Name: "other", Model: script(echo)}
	s := newSite(t, nil, helper(colour), other)
	task := s.client("alice", "JSON-RPC").send(says("Paint it"))
	_, body := s.raw(http.MethodGet, "/a2a/other/tasks/"+string(task.ID), "alice", "", "A2A-Version", "1.0")
	if !strings.Contains(body, "TASK_NOT_FOUND") {
		t.Error(body)
	}
}

func TestBadInputIsRefusedWithAReason(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(colour))
		c := s.client("alice", way)
		task := c.send(says("Paint it"))
		q := asks(t, task)
		foreign := to(task, answers(q.ID, elicitation.Accept, `{"colour":"red"}`))
		foreign.ContextID = "another"
		unknown := says("Hello")
		unknown.TaskID = "0123456789abcdefghijklmnopqrstuv.YQ"
		nobody := says("Hello")
		nobody.ID = strings.Repeat("x", 121)
		mixed := answers("other", elicitation.Decline, "")
		elicitation.Reply(mixed, elicitation.Answer{ID: q.ID, Action: elicitation.Decline})
		malformed := wire.NewMessage(wire.MessageRoleUser, wire.NewDataPart(map[string]any{"elicitationId": q.ID, "action": "approve"}))
		file := wire.NewMessage(wire.MessageRoleUser, wire.NewRawPart([]byte("%PDF")))
		long := says("Hello")
		long.ContextID = strings.Repeat("c", 101)
		for _, test := range []struct {
			name  string
			m     *wire.Message
			kind  error
			words string
		}{
			{"foreign context", foreign, wire.ErrInvalidParams, "contextId"},
			{"unknown task", unknown, wire.ErrTaskNotFound, "no such task"},
			{"long id", nobody, wire.ErrInvalidParams, "messageId"},
			{"unknown question beside a good answer", to(task, mixed), wire.ErrInvalidParams, "asked nothing by the id"},
			{"malformed part", to(task, malformed), wire.ErrInvalidParams, "action is none of"},
			{"oversize text", says(strings.Repeat("x", 300<<10)), wire.ErrInvalidParams, "more than can be sent"},
			{"file", file, wire.ErrUnsupportedContentType, "takes text and JSON"},
			{"nothing", says(" "), wire.ErrInvalidParams, "says nothing"},
			{"long context", long, wire.ErrInvalidParams, "contextId"},
			{"agent's", wire.NewMessage(wire.MessageRoleAgent, wire.NewTextPart("x")), wire.ErrInvalidParams, "role"},
		} {
			_, err := c.trySend(test.m)
			t.Log(test.name)
			refused(t, err, test.kind, test.words)
		}
		state(t, c.get(task.ID), wire.TaskStateInputRequired)
	})
}

func TestARequestMayHaveSoManyBytes(t *testing.T) {
	s := newSite(t, nil, helper(colour))
	resp, body := s.raw(http.MethodPost, "/a2a/helper", "alice", strings.Repeat(" ", 1<<20+1))
	if resp.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(body, "1048576") {
		t.Error(resp.Status, body)
	}
}

func TestWhoCannotSayForWhomTheyActIsToldHow(t *testing.T) {
	s := newSite(t, &a2a.Options{Scopes: []string{"agents"}}, helper(colour))
	for user, want := range map[string]struct {
		status int
		words  string
	}{
		"":       {http.StatusUnauthorized, `resource_metadata="https://parley.example/.well-known/oauth-protected-resource/a2a/helper"`},
		"nobody": {http.StatusUnauthorized, "resource_metadata"},
		"narrow": {http.StatusForbidden, `error="insufficient_scope", scope="agents"`},
		"down":   {http.StatusServiceUnavailable, ""},
	} {
		for _, path := range []string{"/a2a/helper", "/a2a/helper/tasks", "/a2a/nobody", "/a2a/helper/extendedAgentCard"} {
			resp, body := s.raw(http.MethodPost, path, user, `{}`)
			if resp.StatusCode != want.status || !strings.Contains(resp.Header.Get("WWW-Authenticate"), strings.ReplaceAll(want.words, "a2a/helper", strings.Split(path, "/")[1]+"/"+strings.Split(path, "/")[2])) || strings.Contains(body, "10.0.0.7") {
				t.Errorf("%q %s: %s %s %s", user, path, resp.Status, resp.Header.Get("WWW-Authenticate"), body)
			}
		}
	}
	if resp, _ := s.raw(http.MethodPost, "/a2a/nobody", "alice", `{}`); resp.StatusCode != http.StatusNotFound {
		t.Error(resp.Status)
	}
}

// Pages of other sites send it too.
func TestACookieAloneIsNobodys(t *testing.T) {
	s := newSite(t, &a2a.Options{Principal: func(r *http.Request) (parley.Principal, error) {
		if c, err := r.Cookie("user"); err == nil {
			return parley.Principal{User: c.Value, Method: "oidc"}, nil
		}
		return whoAsks(r)
	}}, helper(colour))
	if resp, _ := s.raw(http.MethodPost, "/a2a/helper", "", `{}`, "Cookie", "user=alice"); resp.StatusCode != http.StatusUnauthorized {
		t.Error(resp.Status)
	}
}

func TestTheVersionChoosesTheProtocol(t *testing.T) {
	s := newSite(t, nil, &agent.Agent{Name: "helper", Model: script(echo)})
	const modern = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Hi"}]}}}`
	const old = `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"m2","role":"user","parts":[{"kind":"text","text":"Hi"}]}}}`
	for _, c := range []struct{ version, body, want string }{
		{"1.0", modern, `"TASK_STATE_COMPLETED"`},
		{"", old, `"completed"`},
		{"0.3", old, `"completed"`},
		{"", modern, `"TASK_STATE_COMPLETED"`}, // there is no such method in 0.3
		{"0.3", modern, `-32601`},
		{"1.0", old, `-32601`},
		{"9.9", modern, `-32009`},
		{"9.9", old, `-32009`},
	} {
		if _, body := s.raw(http.MethodPost, "/a2a/helper", "alice", c.body, "A2A-Version", c.version); !strings.Contains(body, c.want) || !strings.Contains(body, `"id":1`) {
			t.Errorf("%q: %s, want %s", c.version, body, c.want)
		}
	}
	resp, body := s.raw(http.MethodGet, "/a2a/helper/tasks/x", "alice", "", "A2A-Version", "2.0")
	if resp.StatusCode != http.StatusBadRequest || !strings.Contains(body, "VERSION_NOT_SUPPORTED") {
		t.Error(resp.Status, body)
	}
}

// Calls of 0.3 as its clients make them, and as they should not.
func TestCallsOfTheOldVersion(t *testing.T) {
	s := newSite(t, nil, helper(colour))
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":"a","method":"agent/getAuthenticatedExtendedCard"}`:                                                                            `"supportsAuthenticatedExtendedCard":true`,
		`{"jsonrpc":"2.0","id":"a","method":"message/send"}`:                                                                                                  `-32602`,
		`{"jsonrpc":"2.0","id":"a","method":"message/send","params":{"message":{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"dream"}]}}}`: `-32602`,
		`{"jsonrpc":"2.0","id":"a","method":"message/stream","params":{"message":{"kind":"message","messageId":"m","role":"user","parts":[{"text":"x"}]}}}`:   `-32602`,
		`{"jsonrpc":"2.0","id":"a","method":"SendMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Hi"}]}}}`:                `-32601`,
		`{"jsonrpc":"2.0","id":"a","method":"tasks/get","params":{"id":"nothing"}}`:                                                                           `-32001`,
		`{"jsonrpc":"1.0","id":"a","method":"tasks/get","params":{"id":"nothing"}}`:                                                                           `-32600`,
	} {
		if _, got := s.raw(http.MethodPost, "/a2a/helper", "alice", body, "A2A-Version", "0.3"); !strings.Contains(got, want) || !strings.Contains(got, `"id":"a"`) {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	if _, got := s.raw(http.MethodPost, "/a2a/helper", "alice", `{`); !strings.Contains(got, "-32700") {
		t.Error(got)
	}
	resp, body := s.raw(http.MethodPost, "/a2a/helper/v1/message:send", "alice", `7`)
	if resp.StatusCode != http.StatusBadRequest || !strings.Contains(body, "INVALID_PARAMS") {
		t.Error(resp.Status, body)
	}
	if resp, _ := s.raw(http.MethodGet, "/a2a/helper/tasks", "alice", "", "A2A-Version", "0.3"); resp.StatusCode != http.StatusNotFound {
		t.Error(resp.Status)
	}
}

// As the public test kit sends them: without a version.
func TestMalformedCallsAreRefusedAsJSONRPCWants(t *testing.T) {
	s := newSite(t, nil, helper(colour))
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","method":"SendMessage","params":{"foo":"bar"}`:                                                           `-32700`,
		`{"jsonrpc":"aaa","method":"SendMessage","params":{}}`:                                                                     `-32600`,
		`{"jsonrpc":"2.0","params":{}}`:                                                                                            `-32600`,
		`{"jsonrpc":"2.0","method":"SendMessageXXX","id":"3","params":{}}`:                                                         `-32601`,
		`{"jsonrpc":"2.0","method":"nonexistent/method","id":"3","params":{}}`:                                                     `-32601`,
		`{"jsonrpc":"2.0","method":"SendMessage","params":{},"id":{"bad":"type"}}`:                                                 `-32600`,
		`{"jsonrpc":"2.0","method":"SendMessage","id":"4","params":{"":"not_a_dict"}}`:                                             `-32602`,
		`{"jsonrpc":"2.0","method":"SendMessage","id":"4","params":{"message":{"parts":"invalid"}}}`:                               `-32602`,
		`{"jsonrpc":"2.0","method":"SendMessage","id":"4","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[]}}}`:   `-32602`,
		`{"jsonrpc":"2.0","method":"SendMessage","id":"4","params":{"message":{"role":"ROLE_USER","parts":[{"text":"x"}]}}}`:       `-32602`,
		`{"jsonrpc":"2.0","method":"SendMessage","id":"4","params":{"message":{"messageId":"m","parts":[{"text":"x"}]}}}`:          `-32602`,
		`{"jsonrpc":"2.0","method":"SendMessage","id":"4","params":{"message":{"messageId":"m","role":"ROLE_USER"}}}`:              `-32602`,
		`{"jsonrpc":"2.0","method":"SendMessage","id":"4","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{}]}}}`: `"error"`,
		`{"jsonrpc":"2.0","method":"ListTasks","id":"4","params":{"pageSize":0}}`:                                                  `-32602`,
		`{"jsonrpc":"2.0","method":"ListTasks","id":"4","params":{"status_timestamp_after":"-1"}}`:                                 `-32602`,
		`{"jsonrpc":"2.0","method":"ListTasks","id":"4","params":{"pageSize":101}}`:                                                `-32602`,
		`{"jsonrpc":"2.0","method":"ListTasks","id":"4","params":{"pageToken":"invalid"}}`:                                         `-32602`,
		`{"jsonrpc":"2.0","method":"ListTasks","id":"4","params":{"status":"nothing"}}`:                                            `-32602`,
	} {
		if resp, got := s.raw(http.MethodPost, "/a2a/helper", "alice", body); resp.StatusCode != http.StatusOK || !strings.Contains(got, want) {
			t.Errorf("%s: %s %s, want %s", body, resp.Status, got, want)
		}
	}
}

func TestNamesWithUnderscoresAreRead(t *testing.T) {
	s := newSite(t, nil, &agent.Agent{Name: "helper", Model: script(echo)})
	_, body := s.raw(http.MethodPost, "/a2a/helper", "alice",
		`{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"message_id":"m1","context_id":"c_1","role":"ROLE_USER","parts":[{"data":{"task_id":1},"media_type":"application/json"}]},"configuration":{"history_length":0}}}`, "A2A-Version", "1.0")
	if !strings.Contains(body, `You said: {\"task_id\":1}`) || !strings.Contains(body, `"contextId":"c_1"`) || strings.Contains(body, `"history"`) {
		t.Error(body)
	}
}

func TestExtensionsMayBeOneListAndAreEchoed(t *testing.T) {
	s := newSite(t, nil, &agent.Agent{Name: "helper", Model: script(echo)})
	for _, name := range []string{"A2A-Extensions", "X-A2A-Extensions"} {
		resp, _ := s.raw(http.MethodPost, "/a2a/helper", "alice", `{}`, name, "https://other.example/ext, "+elicitation.URI)
		if got := resp.Header.Get(name); got != elicitation.URI {
			t.Errorf("%s: %q", name, got)
		}
		resp, _ = s.raw(http.MethodPost, "/a2a/helper", "alice", `{}`, name, "https://other.example/ext")
		if got := resp.Header.Get(name); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestTheMediaTypeOfRESTIsTheOneThatIsAskedFor(t *testing.T) {
	s := newSite(t, nil, helper(colour))
	for accept, want := range map[string]string{"": "application/json", "application/a2a+json, */*": "application/a2a+json"} {
		resp, _ := s.raw(http.MethodGet, "/a2a/helper/tasks", "alice", "", "A2A-Version", "1.0", "Accept", accept)
		if got := resp.Header.Get("Content-Type"); got != want {
			t.Errorf("%q: %s", accept, got)
		}
	}
}

func TestTheCardIsForEverybodyAndBothVersions(t *testing.T) {
	s := newSite(t, &a2a.Options{Issuers: []string{"https://issuer.example"}, Scopes: []string{"agents"}}, helper(colour))
	var etag string
	for _, path := range []string{"/a2a/helper/.well-known/agent-card.json", "/.well-known/agent-card.json"} {
		resp, body := s.raw(http.MethodGet, path, "", "")
		if resp.StatusCode != http.StatusOK || !strings.Contains(resp.Header.Get("Cache-Control"), "max-age") || resp.Header.Get("ETag") == "" {
			t.Fatal(resp.Status, resp.Header, body)
		}
		etag = resp.Header.Get("ETag")
		var union map[string]any
		if err := json.Unmarshal([]byte(body), &union); err != nil {
			t.Fatal(err)
		}
		if union["url"] != "https://parley.example/a2a/helper" || union["protocolVersion"] != "0.3" && union["protocolVersion"] != "0.3.0" || union["preferredTransport"] != "JSONRPC" {
			t.Error(body)
		}
		for _, want := range []string{elicitation.URI, "issuer.example/.well-known/openid-configuration", "oauth-protected-resource/a2a/helper", `"agents"`} {
			if !strings.Contains(body, want) {
				t.Errorf("no %s in %s", want, body)
			}
		}
		if head, empty := s.raw(http.MethodHead, path, "", ""); head.StatusCode != http.StatusOK || empty != "" || head.Header.Get("ETag") != etag {
			t.Error(head.Status, empty)
		}
		if same, _ := s.raw(http.MethodGet, path, "", "", "If-None-Match", etag); same.StatusCode != http.StatusNotModified {
			t.Error(same.Status)
		}
		if resp, _ := s.raw(http.MethodPost, path, "", ""); resp.StatusCode != http.StatusMethodNotAllowed {
			t.Error(resp.Status)
		}
	}
	for name, parser := range map[string]agentcard.Parser{"1.0": nil, "0.3": a2av0.NewAgentCardParser()} {
		resolver := agentcard.NewResolver(s.web.Client())
		resolver.CardParser = parser
		card, err := resolver.Resolve(t.Context(), s.web.URL+"/a2a/helper")
		if err != nil || len(card.SupportedInterfaces) != 4 || card.Name != "helper" || !card.Capabilities.Streaming || card.Capabilities.PushNotifications {
			t.Errorf("%s: %+v %v", name, card, err)
		}
		if parser != nil && (len(card.SecurityRequirements) != 2 || card.SecurityRequirements[0]["bearer"][0] != "agents" || card.SecuritySchemes["bearer"] == nil) {
			t.Errorf("%s: by its needs a2a-go does not know which token to send: %+v", name, card.SecurityRequirements)
		}
	}
}

func TestTheExtendedCardSaysWhatTheAgentWorksWith(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(colour))
		card, err := s.client("alice", way).GetExtendedAgentCard(t.Context(), &wire.GetExtendedAgentCardRequest{})
		if err != nil || len(card.Skills) != 2 || card.Skills[1].ID != "tools-tool" {
			t.Errorf("%+v %v", card, err)
		}
		if _, body := s.raw(http.MethodGet, a2a.RootCardPath, "", ""); strings.Contains(body, "tools-tool") {
			t.Error("everybody is told of the tools")
		}
	})
}
