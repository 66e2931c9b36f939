package mcptool_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

// callers are people as TENANT:NAME, programs as TENANT/KEY, and nobody.
func callers(extra *mcp.RequestExtra) (parley.Principal, bool) {
	if extra.TokenInfo == nil {
		return parley.Principal{}, false
	}
	if tenant, user, person := strings.Cut(extra.TokenInfo.UserID, ":"); person {
		return parley.Principal{Tenant: tenant, User: user}, true
	}
	tenant, key, _ := strings.Cut(extra.TokenInfo.UserID, "/")
	return parley.Principal{Tenant: tenant, Kind: parley.KindProgram, Key: key}, true
}

// thieves are everybody but the program with acme's key ci.
var thieves = []string{"acme/deploy", "globex/ci", "globex/", "acme/", "acme:alice", "acme:ci", "default/ci", ""}

func TestTheStateOfAProgramServesItsKeyOnly(t *testing.T) {
	s := newSite(t, mcptool.Options{Principal: callers})
	runs := addDelete(s, nil)
	owner := s.dial(t, &wire{era: modern, capabilities: canAsk, user: "acme/ci"})
	params := map[string]any{
		"name": "delete-account", "arguments": json.RawMessage(deletion), "requestState": owner.call("delete-account", deletion).result().RequestState,
		"inputResponses": map[string]any{"q1": json.RawMessage(yes)},
	}
	for _, thief := range thieves {
		m := s.dial(t, &wire{era: modern, capabilities: canAsk, user: thief}).begin("tools/call", params).end()
		if m.Error == nil || m.Error.Code != jsonrpc.CodeInvalidParams || !strings.Contains(m.Error.Message, "somebody else's") {
			t.Errorf("%q: %s, %+v", thief, m.Result, m.Error)
		}
	}
	if runs.Load() != 1 {
		t.Errorf("the tool ran %d times", runs.Load())
	}
	if got := structured[deleted](t, owner.begin("tools/call", params).result()); !got.Confirmed {
		t.Errorf("its own key: %+v", got)
	}
}

// A call of nobody's is whoever's who holds its state, but not of those who have
// a name.
func TestTheStateOfNobodysCallServesNoProgram(t *testing.T) {
	s := newSite(t, mcptool.Options{Principal: callers})
	addDelete(s, nil)
	nobody := s.dial(t, &wire{era: modern, capabilities: canAsk})
	params := map[string]any{
		"name": "delete-account", "arguments": json.RawMessage(deletion), "requestState": nobody.call("delete-account", deletion).result().RequestState,
		"inputResponses": map[string]any{"q1": json.RawMessage(yes)},
	}
	for _, thief := range []string{"default/ci", "acme/ci", "default:alice"} {
		if m := s.dial(t, &wire{era: modern, capabilities: canAsk, user: thief}).begin("tools/call", params).end(); m.Error == nil || m.Error.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%q: %s, %+v", thief, m.Result, m.Error)
		}
	}
	if got := structured[deleted](t, nobody.begin("tools/call", params).result()); !got.Confirmed {
		t.Errorf("nobody: %+v", got)
	}
}

const canHaveTasks = `{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`

func TestATaskIsItsOwnersOnly(t *testing.T) {
	for owner, thieves := range map[string][]string{
		"acme/ci":       thieves,
		"acme:alice":    {"acme:bob", "globex:alice", "acme/ci", "acme/alice", "acme/", ""},
		"":              {"default:alice", "default/ci", "acme/", "acme:alice"},
		"acme:":         {"globex:", "acme:alice", "acme/ci", ""},
		"default:alice": {"default:", "default/", "default/alice", ""},
	} {
		isItsOwnersOnly(t, owner, thieves)
	}
}

func isItsOwnersOnly(t *testing.T, from string, thieves []string) {
	t.Helper()
	s := newSite(t, mcptool.Options{Principal: callers})
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "order"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		which, err := mcptool.Elicit[colour](ctx, call, "Your colour?", nil)
		return which.Content.Colour, err
	}, &mcptool.ToolOptions{Task: mcptool.TaskAllowed})
	owner := s.dial(t, &wire{era: modern, capabilities: canHaveTasks, user: from})
	var task struct {
		TaskID string `json:"taskId"`
	}
	if err := json.Unmarshal(owner.call("order", "").end().Result, &task); err != nil {
		t.Fatal(err)
	}
	about := map[string]any{"taskId": task.TaskID, "inputResponses": json.RawMessage(`{"q1":{"action":"accept","content":{"colour":"red"}}}`)}
	soon(t, "it asks", func() bool { return len(openQuestions(t, s)) == 1 })
	for _, thief := range thieves {
		w := s.dial(t, &wire{era: modern, capabilities: canHaveTasks, user: thief})
		for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
			if m := w.begin(method, about).end(); m.Error == nil || !strings.Contains(m.Error.Message, "no task") {
				t.Errorf("%q's task, %q: %s: %s", from, thief, method, m.Result)
			}
		}
	}
	if len(openQuestions(t, s)) != 1 {
		t.Fatal("the question was answered or withdrawn")
	}
	if m := owner.begin("tasks/update", about).end(); m.Error != nil {
		t.Errorf("%q: %+v", from, m.Error)
	}
	soon(t, "it is done", func() bool {
		return strings.Contains(string(owner.begin("tasks/get", about).end().Result), `"completed"`)
	})
}

func TestAPrincipalThatCannotBeIsRefused(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, who := range []parley.Principal{{User: "mcp-session:x"}, {User: "mcp-call:x"}, {User: "alice", Kind: parley.KindSession}, {Kind: "wizard"}} {
			s := newSite(t, mcptool.Options{Principal: func(*mcp.RequestExtra) (parley.Principal, bool) { return who, true }})
			refused(t, s.http.URL, s, era, "anybody")
		}
	})
}

// refused checks that a tool is not run for somebody.
func refused(t *testing.T, url string, s *site, era, user string) {
	t.Helper()
	runs := addDelete(s, nil)
	c := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, &mcp.ClientOptions{Logger: quiet})
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	session, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: bearer{user, transport}}, MaxRetries: -1, DisableStandaloneSSE: true,
	}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "delete-account", Arguments: account{"7"}})
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidRequest || !strings.Contains(wire.Message, "does not say who you are") {
		t.Errorf("%s: %+v, %v", era, result, err)
	}
	if runs.Load() != 0 || len(asked(t, s)) != 0 {
		t.Errorf("%s: the tool ran", era)
	}
}

func TestATokenThatNamesASessionIsRefused(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, user := range []string{"mcp-session:x", "mcp-call:x", strings.Repeat("x", 600)} {
			s := newSite(t, mcptool.Options{})
			refused(t, s.http.URL, s, era, user)
		}
	})
}

// A token may say nothing of its bearer: then it lets nobody in particular in.
func TestATokenWithoutAUserIsNobodys(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		addDelete(s, nil)
		web := httptest.NewServer(auth.RequireBearerToken(func(context.Context, string, *http.Request) (*auth.TokenInfo, error) {
			return &auth.TokenInfo{Expiration: time.Now().Add(time.Hour)}, nil
		}, nil)(mcphttp.New(s.asker, s.server, nil)))
		t.Cleanup(web.Close)
		s.http.URL = web.URL
		c := s.connect(t, clientOptions{era: era, user: "anything", person: accept(map[string]any{"confirmed": true})})
		if got := structured[deleted](t, call(t, c, "delete-account", account{"7"})); !got.Confirmed {
			t.Errorf("got %+v", got)
		}
		for _, q := range asked(t, s) {
			if parley.OwnerOf(q.Tenant, q.To).IsPerson() {
				t.Errorf("asked was %q", q.To)
			}
		}
	})
}

func TestATokenWhoseTenantIsNoNameIsRefused(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, tenant := range []any{7, []string{"acme"}, "", nil, "a\nb"} {
			s := newSite(t, mcptool.Options{})
			var asks atomic.Int64
			verified := auth.RequireBearerToken(func(context.Context, string, *http.Request) (*auth.TokenInfo, error) {
				asks.Add(1)
				return &auth.TokenInfo{UserID: "alice", Extra: map[string]any{"tenant": tenant}, Expiration: time.Now().Add(time.Hour)}, nil
			}, nil)(mcphttp.New(s.asker, s.server, nil))
			web := httptest.NewServer(verified)
			refused(t, web.URL, s, era, "anybody")
			for session := range s.server.Sessions() {
				session.Close()
			}
			web.CloseClientConnections()
			web.Close()
			if asks.Load() == 0 {
				t.Error("nobody looked at the token")
			}
		}
	})
}

func TestAPersonNamedLikeASessionCannotSettleItsQuestion(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addDelete(s, nil)
	w := s.dial(t, &wire{capabilities: canAsk})
	x := w.call("delete-account", deletion)
	id, _ := x.question()
	q := openQuestions(t, s)[0]
	if err := s.hub.Answer(t.Context(), parley.Principal{Tenant: q.Tenant, User: q.To, Method: "jwt"}, q.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`)}); !errors.Is(err, parley.ErrNotFound) {
		t.Errorf("answered: %v", err)
	}
	w.answer(id, `{"action":"decline"}`)
	if got := structured[deleted](t, x.result()); got.Status != "decline" {
		t.Errorf("got %+v", got)
	}
}
