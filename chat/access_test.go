package chat_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

// everywhere is one request for each path.
var everywhere = []asked{
	{path: "/run/api/chat", body: turn("c1", "m", "Go")},
	{method: "GET", path: "/run/api/chat/c1"},
	{method: "GET", path: "/run/api/chat/c1/stream"},
	{method: "DELETE", path: "/run/api/chat/c1/stream"},
	{path: "/run/api/elicitation-responses", body: `{"conversationId":"c1","elicitationId":"x","action":"accept"}`},
	{path: "/run/v1/chat/completions", body: `{"messages":[{"role":"user","content":"x"}]}`},
	{path: "/run/sse", body: `{"message":"x"}`},
	{method: "GET", path: "/run/ws"},
}

func TestNobodyGetsInWithoutACredential(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, echo("helper"))
		for user, want := range map[string]int{"-": http.StatusUnauthorized, "service": http.StatusForbidden, "program:": http.StatusForbidden, "mcp-session:x": http.StatusForbidden, "mcp-call:x": http.StatusForbidden, "down": http.StatusServiceUnavailable} {
			for _, a := range everywhere {
				a.user = user
				status, raw := s.ask(a)
				if status != want || !strings.Contains(raw, `"error":`) {
					t.Errorf("%s at %s: %d %s", user, a.path, status, raw)
				}
				if strings.Contains(raw, "10.0.0.7") {
					t.Errorf("%s says more than it should: %s", a.path, raw)
				}
			}
		}
		if resp := s.do(asked{method: "GET", path: "/run/api/chat/c1", user: "-"}); resp.Header.Get("WWW-Authenticate") != "Bearer" {
			t.Error("a client is not told what to send")
		}
		if !strings.Contains(s.log.String(), "10.0.0.7") {
			t.Error("the log does not say what is wrong")
		}
		all, err := s.store.Scan(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: "run"}, "", 0)
		if err != nil || len(all) != 0 {
			t.Errorf("%d runs, %v", len(all), err)
		}
	})
}

func TestAProgramChatsUnderItsKey(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, echo("helper"))
		if status, raw := s.ask(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), user: "program:deploy"}); status != http.StatusOK {
			t.Fatalf("%d %s", status, raw)
		}
		for user, reads := range map[string]bool{"program:deploy": true, "program:other": false, "alice": false} {
			_, raw := s.ask(asked{method: "GET", path: "/run/api/chat/c1", user: user})
			if strings.Contains(raw, `"Go"`) != reads {
				t.Errorf("%s reads %s", user, raw)
			}
		}
	})
}

func TestOtherPathsAndMethodsAreJSONErrors(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, echo("helper"))
		for _, tc := range []struct {
			method, path string
			status       int
			allow        string
		}{
			{"GET", "/run/api/other", 404, ""},
			{"PUT", "/run/api/chat", 405, "GET, HEAD, POST"},
			{"GET", "/run/api/elicitation-responses", 405, "POST"},
			{"POST", "/run/api/chat/c1/stream", 405, "DELETE, GET, HEAD"},
		} {
			resp := s.do(asked{method: tc.method, path: tc.path})
			if resp.StatusCode != tc.status || resp.Header.Get("Allow") != tc.allow || resp.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s %s: %d, %v", tc.method, tc.path, resp.StatusCode, resp.Header)
			}
		}
	})
}

func TestPagesOfOtherSitesDoNothingWithACookie(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{Origins: []string{"https://app.example"}}, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Go"), header: shows})
		id := st.question()
		answer := `{"conversationId":"c1","elicitationId":"` + id + `","action":"accept","content":{"colour":"red"}}`
		for what, header := range map[string]map[string]string{
			"by what browsers say":    {"Sec-Fetch-Site": "cross-site"},
			"by its origin":           {"Origin": "https://evil.example"},
			"a subdomain":             {"Origin": "https://app.example.evil.example"},
			"another scheme":          {"Origin": "http://app.example"},
			"another port":            {"Origin": "https://app.example:8443"},
			"no origin":               {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
			"an account of a browser": {"Origin": "https://evil.example", "Authorization": "Basic YWxpY2U6eA=="},
		} {
			header["Cookie"] = "user=alice"
			for _, a := range everywhere {
				if a.method == "GET" {
					continue
				}
				a.user, a.header = "-", header
				if a.path == "/run/api/elicitation-responses" {
					a.body = answer
				}
				resp := s.do(a)
				if resp.StatusCode != http.StatusForbidden || resp.Header.Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("%s: %s %s: %d", what, a.method, a.path, resp.StatusCode)
				}
			}
		}
		if q, err := s.hub.Get(t.Context(), alice, parley.ID(id)); err != nil || !q.Pending() || s.runs("c1") != 1 {
			t.Errorf("%+v, %v, %d runs", q.Outcome, err, s.runs("c1"))
		}
	})
}

func TestWhoMaySendWithACookie(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{Origins: []string{"https://app.example"}}, painter())
		for what, header := range map[string]map[string]string{
			"this site":              {"Origin": "http://parley.example"},
			"this site, by its name": {"Origin": "https://parley.example"},
			"a site that is allowed": {"Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"},
			"a program":              {},
			"with a token, behind a proxy that passes on the origin": {"Origin": "https://other.example", "Sec-Fetch-Site": "cross-site", "Authorization": "Bearer alice"},
		} {
			header["Cookie"] = "user=alice"
			status, raw := s.ask(asked{method: "DELETE", path: "/run/api/chat/c1/stream", user: "-", header: header})
			if status != http.StatusNoContent {
				t.Errorf("%s: %d %s", what, status, raw)
			}
		}
	})
}

func TestAllowedSitesReadAnswersAndErrors(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{Origins: []string{"https://app.example"}}, painter())
		for user, status := range map[string]int{"alice": http.StatusOK, "-": http.StatusUnauthorized} {
			resp := s.do(asked{method: "GET", path: "/run/api/chat/c1", user: user, header: map[string]string{"Origin": "https://app.example"}})
			h := resp.Header
			if resp.StatusCode != status || h.Get("Access-Control-Allow-Origin") != "https://app.example" || h.Get("Access-Control-Allow-Credentials") != "true" ||
				!strings.Contains(h.Get("Access-Control-Expose-Headers"), "date, x-conversation-id") || h.Get("Vary") != "Origin" {
				t.Errorf("%d %v", resp.StatusCode, h)
			}
		}
		h := s.do(asked{method: "GET", path: "/run/api/chat/c1", header: map[string]string{"Origin": "https://evil.example"}}).Header
		if h.Get("Access-Control-Allow-Origin") != "" || h.Get("Vary") != "Origin" {
			t.Errorf("%v", h)
		}
	})
}

func TestBrowsersAreToldBeforehandWhatTheyMaySend(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, &chat.Options{Origins: []string{"https://app.example"}}, painter())
		preflight := func(origin string) *http.Response {
			return s.do(asked{method: "OPTIONS", path: "/run/api/chat", user: "-", header: map[string]string{
				"Origin": origin, "Access-Control-Request-Method": "POST",
				"Access-Control-Request-Headers": "authorization,content-type,x-supports-elicitation,x-tool-approval",
			}})
		}
		resp := preflight("https://app.example")
		h := resp.Header
		if resp.StatusCode != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != "https://app.example" || h.Get("Access-Control-Allow-Credentials") != "true" ||
			!strings.Contains(h.Get("Access-Control-Allow-Headers"), "x-supports-elicitation") || !strings.Contains(h.Get("Access-Control-Allow-Methods"), "DELETE") {
			t.Errorf("%d %v", resp.StatusCode, h)
		}
		resp = preflight("https://evil.example")
		if resp.StatusCode != http.StatusForbidden || resp.Header.Get("Access-Control-Allow-Origin") != "" || resp.Header.Get("Access-Control-Allow-Headers") != "" {
			t.Errorf("%d %v", resp.StatusCode, resp.Header)
		}
	})
}

func TestWhatNewRefuses(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	rt, err := agent.New(hub, parley.NewMemoryStore(), nil, &agent.Options{Agents: []*agent.Agent{echo("one"), echo("two")}})
	if err != nil {
		t.Fatal(err)
	}
	for what, opts := range map[string]*chat.Options{
		"nobody who says who asks":    nil,
		"an agent that is not there":  {Principal: whoAsks, DefaultAgent: "three"},
		"an origin with a path":       {Principal: whoAsks, Origins: []string{"https://app.example/chat"}},
		"an origin without a scheme":  {Principal: whoAsks, Origins: []string{"app.example"}},
		"a public URL that is none":   {Principal: whoAsks, PublicURL: "parley"},
		"a public URL that is broken": {Principal: whoAsks, PublicURL: "https://%"},
	} {
		if _, err := chat.New(rt, hub, opts); err == nil || !strings.HasPrefix(err.Error(), "chat: ") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := chat.New(rt, hub, &chat.Options{Principal: whoAsks, PublicURL: "https://parley.example/", Origins: []string{"http://[::1]:3000"}}); err != nil {
		t.Error(err)
	}
}

// A question of an MCP call has the session of its client, who may have its person's token.
func TestAQuestionOfAnMCPCallIsNotAnsweredAsOneOfAConversation(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		for _, trigger := range []string{parley.TriggerApproval, ""} {
			q, err := s.hub.Open(t.Context(), parley.Request{
				To: alice.User, Tenant: alice.Tenant, Session: "s1", From: "shop", Trigger: trigger, Mode: parley.Form, Message: "Pay?",
				Schema: json.RawMessage(`{"type":"object","properties":{"decision":{"type":"string","enum":["allow_once","deny"]}}}`),
			})
			if err != nil {
				t.Fatal(err)
			}
			id := string(q.ID)
			if status, raw := s.respond("s1", id, "accept", `{"decision":"allow_once"}`); status != http.StatusNotFound {
				t.Errorf("%q, at the endpoint: %d %s", trigger, status, raw)
			}
			part := `{"id":"s1","messages":[{"id":"m1","role":"user","parts":[{"type":"data-elicitation-response","data":{"elicitationId":"` + id + `","action":"accept","content":{"decision":"allow_once"}}}]}]}`
			if _, raw := s.ask(asked{path: "/run/api/chat", body: part, header: shows}); strings.Contains(raw, `"success":true`) {
				t.Errorf("%q, in a message: %s", trigger, raw)
			}
			s.open(id, "answers in a conversation")
		}
	})
}
