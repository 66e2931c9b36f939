package chat_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

const driveMCP = "Google Drive MCP"

// drive is a server as a configuration names it: a name for ids, a title for people.
var drive = vault.Server{Name: "gdrive", Title: driveMCP, URL: "https://drive.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User}}

// connectQuestion is the question that production asks for the account of a server.
func connectQuestion(t *testing.T, server vault.Server) parley.Request {
	t.Helper()
	keys, err := seal.New([]byte("0123456789abcdef0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	store := parley.NewMemoryStore()
	v, err := vault.New(parley.New(store, nil), store, keys, &vault.Options{PublicURL: "https://parley.example"})
	if err != nil {
		t.Fatal(err)
	}
	key := vault.Key{Tenant: "default", Server: server.Name, Scope: vault.User, Owner: "alice"}
	return v.Question(&vault.RequiredError{Key: key, Server: server, Reason: vault.Missing}, alice, "")
}

// googleDrive is an agent whose tool needs an account at a service with a
// human name.
func googleDrive(t *testing.T) (*agent.Agent, *box) {
	t.Helper()
	b := &box{name: "drive", prepare: asking(connectQuestion(t, drive))}
	return driver(b), b
}

func sse(said string) asked {
	return asked{path: "/run/sse", body: `{"message":"` + said + `","session_id":"a1b2c3d4-e5f6-7890-abcd-ef1234567890","mentor_id":"helper"}`}
}

func TestTheWireOfOAuthInAChat(t *testing.T) {
	recorded(t, "sse_oauth", "A server needs the account of each person: /run/sse.", func(t *testing.T, open func(*site) *site) {
		a, _ := googleDrive(t)
		s := open(newSite(t, nil, a))
		st := s.stream(sse("List files"))
		st.until("oauth_required")
		s.settle(s.onlyQuestion(), parley.Answer{Action: parley.Accept})
		st.rest()
	})
}

// onlyQuestion is the id of the question that is open.
func (s *site) onlyQuestion() string {
	s.t.Helper()
	open, err := s.hub.List(s.t.Context(), alice, parley.Query{Pending: true})
	if err != nil || len(open) != 1 {
		s.t.Fatalf("%d open questions, %v", len(open), err)
	}
	return string(open[0].ID)
}

func TestTheEventsAreExactlyThose(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		a, _ := googleDrive(t)
		s := newSite(t, nil, a)
		st := s.stream(sse("List files"))
		const required = `data: {"type":"oauth_required","server_name":"Google Drive MCP","server_id":1237147162,` +
			`"auth_url":"https://parley.example/auth/connect?elicitation_id=QUESTION",` +
			`"message":"Authentication required for MCP server 'Google Drive MCP'. Please complete the OAuth flow to continue."}`
		got := st.until("oauth_required")
		if want := strings.ReplaceAll(required, "QUESTION", s.onlyQuestion()); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		s.settle(s.onlyQuestion(), parley.Answer{Action: parley.Accept})
		const resolved = `data: {"type":"oauth_connection_resolved","server_name":"Google Drive MCP","server_id":1237147162,` +
			`"message":"OAuth connection resolved for MCP server 'Google Drive MCP'. Continuing with chat."}`
		if got := st.until("oauth_connection_resolved"); got != resolved {
			t.Errorf("got\n%s\nwant\n%s", got, resolved)
		}
	})
}

func TestWhoDoesNotConnectInTimeIsToldAndTheTurnIsOver(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		a, b := googleDrive(t)
		s := newSite(t, nil, a)
		st := s.stream(sse("List files"))
		st.until("oauth_required")
		began := time.Now()
		all := st.rest()
		const want = `data: {"error":"Timed out waiting for OAuth authentication for MCP server 'Google Drive MCP' after 300s. ` +
			`Retry message after completing the OAuth flow.","status_code":400}`
		if all[len(all)-1] != want {
			t.Errorf("%q", all)
		}
		if waited := time.Since(began).Round(time.Second); waited != 300*time.Second {
			t.Errorf("after %v", waited)
		}
		time.Sleep(time.Minute)
		runs, err := s.rt.History(t.Context(), alice, "a1b2c3d4-e5f6-7890-abcd-ef1234567890")
		if err != nil || len(runs) != 1 || runs[0].Status != agent.Ended || b.called() != 0 {
			t.Errorf("%+v, %v, %d calls", runs, err, b.called())
		}
	})
}

func TestTheWaitIsConfigurable(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		a, _ := googleDrive(t)
		s := newSite(t, &chat.Options{OAuthWait: 20 * time.Second}, a)
		st := s.stream(sse("List files"))
		st.until("oauth_required")
		if all := strings.Join(st.rest(), "\n"); !strings.Contains(all, "after 20s.") || strings.Count(all, ": keep-alive") != 1 {
			t.Error(all)
		}
	})
}

func TestTheTwoOtherErrors(t *testing.T) {
	form := connectQuestion(t, drive)
	form.Mode, form.URL = parley.Form, ""
	for want, prepare := range map[string]func(*agent.Invocation) error{
		`{"error":"Could not build OAuth URL for MCP server 'Google Drive MCP'.","status_code":400}`: func(*agent.Invocation) error {
			return chat.NoOAuthURL(driveMCP, errors.New("no client_secret=hunter2"))
		},
		`{"error":"Could not build OAuth URL for MCP server 'Google Drive MCP'.","status_code":400}` + "\x00": asking(form),
		`{"error":"MCP connection for server 'Google Drive MCP' is configured for OAuth2 but has no connected service.","status_code":400}`: func(*agent.Invocation) error {
			return chat.NoConnectedService(driveMCP, nil)
		},
	} {
		inABubble(t, func(t *testing.T) {
			s := newSite(t, nil, driver(&box{name: "drive", prepare: prepare}))
			all := s.stream(sse("List files")).rest()
			if got := all[len(all)-1]; got != "data: "+strings.TrimSuffix(want, "\x00") {
				t.Errorf("%q", all)
			}
			if open, err := s.hub.List(t.Context(), alice, parley.Query{Pending: true}); err != nil || len(open) > 0 {
				time.Sleep(time.Minute)
				if open, err = s.hub.List(t.Context(), alice, parley.Query{Pending: true}); err != nil || len(open) > 0 {
					t.Errorf("%d questions stay open, %v", len(open), err)
				}
			}
		})
	}
}

func TestOtherFailuresOfToolsAreTheAgentsToExplain(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, driver(&box{name: "drive", prepare: func(*agent.Invocation) error {
			return &agent.PublicError{Text: "Could not build OAuth URL for MCP server ''."}
		}}))
		if all := strings.Join(s.stream(sse("List files")).rest(), "\n"); !strings.Contains(all, `{"type":"done"`) {
			t.Error(all)
		}
	})
}

func TestADeclinedConnectionIsTheAgentsToExplain(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		a, b := googleDrive(t)
		s := newSite(t, nil, a)
		st := s.stream(sse("List files"))
		st.until("oauth_required")
		s.settle(s.onlyQuestion(), parley.Answer{Action: parley.Decline})
		all := strings.Join(st.rest(), "\n")
		if strings.Contains(all, "oauth") || strings.Contains(all, "error") || !strings.Contains(all, "the user said decline") || b.called() != 0 {
			t.Error(all)
		}
	})
}

// unsteady is a box that fails to list its tools a number of times.
func unsteady(times int) *box {
	return &box{name: "tracker", tools: func(agent.Caller) ([]agent.Tool, error) {
		if times--; times >= 0 {
			return nil, errors.New("GET https://10.0.0.7/mcp?key=hunter2: connection refused")
		}
		return []agent.Tool{{Name: "do"}}, nil
	}}
}

func TestToolsThatComeBackAreTold(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: says("Hello."), Toolboxes: []agent.Toolbox{unsteady(2)}})
		began := time.Now()
		st := s.stream(sse("Hi"))
		const want = `data: {"type":"mcp_tools_retrieved","session_id":"a1b2c3d4-e5f6-7890-abcd-ef1234567890","mentor_id":"helper"}`
		if got := st.until("mcp_tools_retrieved"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if waited := time.Since(began).Round(time.Second); waited != 3*time.Second {
			t.Errorf("after %v", waited)
		}
		st.until(`"done"`)
	})
}

func TestToolsThatStayAwayAreAWarningAndTheChatGoesOn(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: says("Hello."), Toolboxes: []agent.Toolbox{unsteady(100)}})
		began := time.Now()
		st := s.stream(sse("Hi"))
		const want = `data: {"type":"warning","message":"MCP tools temporarily unavailable for this session. Continuing without them.",` +
			`"developer_error":"ConnectionError: the tools of MCP server 'tracker' could not be listed; the server's log says why","code":503}`
		if got := st.until("warning"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if waited := time.Since(began).Round(time.Second); waited != 7*time.Second {
			t.Errorf("after %v", waited)
		}
		st.until("Hello.")
		st.until(`"done"`)
	})
}

func TestOtherQuestionsOnTheEventStream(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter())
		st := s.stream(sse("Paint"))
		line := st.until("elicitationId")
		if !strings.HasPrefix(line, `data: {"type":"elicitation_request","elicitationId":"`) || !strings.Contains(line, `"requestedSchema":{`) {
			t.Error(line)
		}
		s.respond("a1b2c3d4-e5f6-7890-abcd-ef1234567890", s.onlyQuestion(), "accept", `{"colour":"red"}`)
		st.until(`"outcome":{"action":"accept"`)
		st.until(`{"type":"done","message_id":"`)
	})
}

func TestErrorsOfTheEventStream(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: says("(broken)")})
		for body, want := range map[string]int{
			`{`: 400, `{"message":" "}`: 400, `{"prompt":"x","agent":"nobody"}`: 404, `{"prompt":"x","mentor_id":7}`: 404, `{"prompt":"x","session_id":"a\nb"}`: 400,
		} {
			status, raw := s.ask(asked{path: "/run/sse", body: body})
			if status != want || !strings.HasPrefix(raw, `{"error":"`) || !strings.Contains(raw, `"status_code":`) {
				t.Errorf("%s: %d %s", body, status, raw)
			}
		}
		all := s.stream(asked{path: "/run/sse", body: `{"prompt":"x"}`}).rest()
		if got := all[len(all)-1]; got != `data: {"error":"The model is out of order.","status_code":500}` {
			t.Errorf("%q", all)
		}
	})
}

func TestASessionWithoutANameIsNamedByTheServer(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, echo("helper"))
		st := s.stream(asked{path: "/run/sse", body: `{"prompt":"x"}`})
		line := st.until(`"start"`)
		name := st.resp.Header.Get("x-conversation-id")
		if len(name) != 36 || !strings.Contains(line, `"session_id":"`+name+`","mentor_id":"helper"`) || s.runs(name) != 1 {
			t.Errorf("%q: %s", name, line)
		}
		if st.resp.StatusCode != http.StatusOK {
			t.Error(st.resp.StatusCode)
		}
	})
}
