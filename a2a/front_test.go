package a2a_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	wire "github.com/a2aproject/a2a-go/v2/a2a"
	a2apb "github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/parley-hq/parley/a2a"
)

// call is a call of 1.0 by hand.
func (s *site) call(user, method, params string) string {
	s.t.Helper()
	_, body := s.raw(http.MethodPost, "/a2a/helper", user, `{"jsonrpc":"2.0","id":7,"method":"`+method+`"`+params+`}`, "A2A-Version", "1.0")
	return body
}

// What is in the words of Go helps nobody who calls.
func TestACallThatCannotBeReadIsToldWhy(t *testing.T) {
	s := newSite(t, nil, helper(colour))
	for body, want := range map[string][]string{
		`[]`: {`-32600`, `one JSON object`},
		`[{"jsonrpc":"2.0","id":7,"method":"ListTasks"}]`: {`-32600`, `several at once`},
		`7`:                                   {`-32600`, `one JSON object`},
		`{"jsonrpc":"2.0","id":7,"method":5}`: {`-32600`, `method cannot be of the type number`},
		`{"jsonrpc":"2.0","id":7,"method":"GetTask","params":{"id":5}}`:                                                               {`-32602`, `id cannot be of the type number`},
		`{"jsonrpc":"2.0","id":7,"method":"GetTask","params":[1]}`:                                                                    {`-32602`, `cannot be of the type array`},
		`{"jsonrpc":"2.0","id":7,"method":"GetTask","params":{}}`:                                                                     {`-32602`, `id of the task is missing`},
		`{"jsonrpc":"2.0","id":7,"method":"CancelTask"}`:                                                                              {`-32602`, `id of the task is missing`},
		`{"jsonrpc":"2.0","id":7,"method":"SubscribeToTask"}`:                                                                         {`-32602`, `id of the task is missing`},
		`{"jsonrpc":"2.0","id":7,"method":"SendMessage"}`:                                                                             {`-32602`, `message is missing`},
		`{"jsonrpc":"2.0","id":7,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":"x"}}}`:       {`-32602`, `cannot be of the type string`},
		`{"jsonrpc":"2.0","id":7,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"x":1}]}}}`: {`-32602`},
		`{"jsonrpc":"2.0","id":7,"method":"ListTasks","params":{"historyLength":"many"}}`:                                             {`-32602`, `historyLength cannot be of the type string`},
	} {
		for _, version := range []string{"1.0", "1.0.1"} {
			_, got := s.raw(http.MethodPost, "/a2a/helper", "alice", body, "A2A-Version", version)
			for _, word := range append(want, `"error"`) {
				if !strings.Contains(got, word) {
					t.Errorf("%s: %s, want %s", body, got, word)
				}
			}
			if strings.Contains(got, "Go ") || strings.Contains(got, "json:") || strings.HasPrefix(body, "{") && !strings.Contains(got, `"id":7`) {
				t.Errorf("%s: %s", body, got)
			}
		}
	}
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":7,"method":"tasks/get","params":{"id":5}}`:                                                   `id cannot be of the type number`,
		`{"jsonrpc":"2.0","id":7,"method":"tasks/pushNotificationConfig/get","params":{"id":5}}`:                            `id cannot be of the type number`,
		`{"jsonrpc":"2.0","id":7,"method":"message/send","params":{"message":{"messageId":"m","role":"user","parts":"x"}}}`: `parts cannot be of the type string`,
	} {
		for _, version := range []string{"0.3", "0.3.0"} {
			if _, got := s.raw(http.MethodPost, "/a2a/helper", "alice", body, "A2A-Version", version); !strings.Contains(got, want) || !strings.Contains(got, "-32602") || strings.Contains(got, "Go ") {
				t.Errorf("%s: %s", body, got)
			}
		}
	}
}

// The parameters of these are optional, and so is that there are any.
func TestACallMayHaveNoParameters(t *testing.T) {
	s := newSite(t, nil, helper(colour))
	for _, params := range []string{``, `,"params":null`, `,"params":{}`} {
		for method, want := range map[string]string{"ListTasks": `"tasks":[]`, "GetExtendedAgentCard": `"name":"helper"`} {
			if got := s.call("alice", method, params); !strings.Contains(got, want) {
				t.Errorf("%s%s: %s", method, params, got)
			}
		}
	}
}

// JSON-RPC wants a result, also where there is nothing to say.
func TestEveryAnswerHasAResult(t *testing.T) {
	s := newSite(t, &a2a.Options{Post: newLetters()}, helper(colour))
	task := s.client("alice", "JSON-RPC").send(says("Go"))
	if got := s.call("alice", "DeleteTaskPushNotificationConfig", `,"params":{"taskId":"`+string(task.ID)+`","id":"x"}`); !strings.Contains(got, `"result":{}`) || !strings.Contains(got, `"id":7`) {
		t.Error(got)
	}
	_, got := s.raw(http.MethodPost, "/a2a/helper", "alice", `{"jsonrpc":"2.0","id":7,"method":"tasks/pushNotificationConfig/delete","params":{"id":"`+string(task.ID)+`","pushNotificationConfigId":"x"}}`)
	if !strings.Contains(got, `"result":null`) || !strings.Contains(got, `"id":7`) {
		t.Error(got)
	}
}

func TestARequestOfRESTThatCannotBeReadIsToldWhy(t *testing.T) {
	s := newSite(t, nil, helper(colour))
	for _, c := range []struct {
		method, path, body, version string
		status                      int
		want                        string
	}{
		{"GET", "/tasks?pageSize=abc", "", "1.0", 400, `pageSize cannot be`},
		{"GET", "/tasks?historyLength=x", "", "1.0", 400, `historyLength cannot be`},
		{"GET", "/tasks?includeArtifacts=x", "", "1.0", 400, `includeArtifacts cannot be`},
		{"GET", "/tasks?statusTimestampAfter=x", "", "1.0", 400, `statusTimestampAfter cannot be`},
		{"GET", "/tasks/x?historyLength=x", "", "1.0", 400, `historyLength cannot be`},
		{"POST", "/message:send", "{bad", "1.0", 400, `cannot be read in one way`},
		{"POST", "/message:send", "", "1.0", 400, `there is no body`},
		{"POST", "/message:send", `{"message":5}`, "1.0", 400, `message cannot be of the type number`},
		{"POST", "/message:stream", `{"message":5}`, "1.0", 400, `message cannot be of the type number`},
		{"GET", "/nothing", "", "1.0", 404, `nothing at this path`},
		{"GET", "/v1/tasks", "", "1.0", 404, `A2A-Version is 0.3`},
		{"GET", "/v1/nothing", "", "0.3", 404, `nothing at this path`},
		{"DELETE", "/tasks", "", "1.0", 405, `GET`},
	} {
		resp, got := s.raw(c.method, "/a2a/helper"+c.path, "alice", c.body, "A2A-Version", c.version)
		if resp.StatusCode != c.status || !strings.Contains(got, c.want) || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") || !json.Valid([]byte(got)) {
			t.Errorf("%s %s %s: %s %q %s", c.method, c.path, c.body, resp.Status, resp.Header.Get("Content-Type"), got)
		}
	}
}

// Clients that are made of the protocol's protocol buffers read the cards, and what a token
// needs; a2a-go has another form for that, and reads the rest.
func TestCardsAreReadByTheProtocolBuffersAndByA2AGo(t *testing.T) {
	for name, scopes := range map[string][]string{"with scopes": {"agents"}, "without": nil} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, &a2a.Options{Issuers: []string{"https://issuer.example"}, Scopes: scopes}, helper(colour))
			_, public := s.raw(http.MethodGet, a2a.RootCardPath, "", "")
			var answer struct{ Result json.RawMessage }
			if err := json.Unmarshal([]byte(s.call("alice", "GetExtendedAgentCard", "")), &answer); err != nil {
				t.Fatal(err)
			}
			_, rest := s.raw(http.MethodGet, "/a2a/helper/extendedAgentCard", "alice", "", "A2A-Version", "1.0")
			_, old := s.raw(http.MethodGet, "/a2a/helper/v1/card", "alice", "")
			for which, text := range map[string]string{"public": public, "extended": string(answer.Result), "by REST": rest, "by REST of 0.3": old} {
				var buffers a2apb.AgentCard
				if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal([]byte(text), &buffers); err != nil {
					t.Fatalf("%s: %v in %s", which, err, text)
				}
				needed := buffers.GetSecurityRequirements()
				if len(needed) != 2 || needed[0].GetSchemes()["bearer"] == nil || len(needed[0].GetSchemes()["bearer"].GetList()) != len(scopes) || needed[1].GetSchemes()["issuer1"] == nil {
					t.Errorf("%s: %v", which, needed)
				}
				if buffers.GetSecuritySchemes()["bearer"].GetHttpAuthSecurityScheme().GetScheme() != "Bearer" {
					t.Errorf("%s: %v", which, buffers.GetSecuritySchemes())
				}
				var card wire.AgentCard
				if err := json.Unmarshal([]byte(text), &card); err != nil || card.SecuritySchemes["bearer"] == nil || len(card.SupportedInterfaces) != 4 {
					t.Errorf("%s: %+v %v", which, card, err)
				}
			}
		})
	}
}
