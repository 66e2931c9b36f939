package permit_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

func TestTheGuardKeepsModelsOffApprovals(t *testing.T) {
	s := newSiteOn(t, parley.NewMemoryStore(), nil, &parley.Options{Hooks: []parley.Hook{permit.Guard("robot")}})
	q := s.ask(t, transfer())
	alice := parley.Principal{User: "alice"}
	for _, via := range []string{"mcp-model", "model", "robot", ""} {
		for _, a := range []parley.Answer{says(permit.AllowOnce), {Action: parley.Decline}, {Action: parley.Cancel}} {
			a.Via = via
			wantError(t, s.hub.Answer(t.Context(), alice, q.ID, a), permit.ErrModel)
		}
	}
	// The question is still there for the person.
	s.answer(t, q, says(permit.AllowOnce))
	wantStatus(t, s.record(t, transfer(), q.ID), permit.Granted)
	s.wantExecuted(t, transfer())

	// Other questions are none of its business.
	plain, err := s.hub.Open(t.Context(), parley.Request{To: "alice", Message: "Your name?"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.hub.Answer(t.Context(), alice, plain.ID, parley.Answer{Action: parley.Accept, Via: "mcp-model"}); err != nil {
		t.Error(err)
	}
}

// What the page of an agent elsewhere settles is not refused by a model either.
func TestTheGuardKeepsModelsOffPagesElsewhere(t *testing.T) {
	s := newSiteOn(t, parley.NewMemoryStore(), nil, &parley.Options{Hooks: []parley.Hook{permit.Guard()}})
	alice := parley.Principal{User: "alice"}
	there := parley.Request{To: "alice", Message: "Allow this call?", Trigger: parley.TriggerA2A, Mode: parley.URL, URL: "https://travel.example/1"}
	visit, err := s.hub.Open(t.Context(), there)
	if err != nil {
		t.Fatal(err)
	}
	there.Labels = map[string]string{"settled_by": "page"}
	page, err := s.hub.Open(t.Context(), there)
	if err != nil {
		t.Fatal(err)
	}
	there.Labels = map[string]string{parley.LabelPerson: "only"}
	word, err := s.hub.Open(t.Context(), there)
	if err != nil {
		t.Fatal(err)
	}
	for _, action := range []parley.Action{parley.Accept, parley.Decline, parley.Cancel} {
		wantError(t, s.hub.Answer(t.Context(), alice, page.ID, parley.Answer{Action: action, Via: "a2a-model"}), permit.ErrModel)
		wantError(t, s.hub.Answer(t.Context(), alice, word.ID, parley.Answer{Action: action, Via: "a2a-model"}), permit.ErrModel)
	}
	if err := s.hub.Answer(t.Context(), alice, page.ID, parley.Answer{Action: parley.Decline, Via: "page"}); err != nil {
		t.Error(err)
	}
	if err := s.hub.Answer(t.Context(), alice, visit.ID, parley.Answer{Action: parley.Decline, Via: "a2a-model"}); err != nil {
		t.Error(err) // a visit is no decision
	}
}

// toolServer is an MCP server whose client cannot ask, so that the model may
// pass on answers.
func toolServer(t *testing.T, s *site) *mcp.ClientSession {
	t.Helper()
	asker, err := mcptool.New(s.hub, &mcptool.Options{
		Fallback: mcptool.Model, Logger: quiet, Secrets: []string{"a secret of tests, 32 bytes long"},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "bank", Version: "1"}, &mcp.ServerOptions{Logger: quiet})
	mcptool.AddTool(asker, server, &mcp.Tool{Name: "greet"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		answer, err := mcptool.Elicit[struct {
			Name string `json:"name"`
		}](ctx, call, "Your name?", nil)
		return answer.Content.Name, err
	})
	client, serverSide := mcp.NewInMemoryTransports()
	serving, err := server.Connect(t.Context(), serverSide, nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil).Connect(t.Context(), client, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		_ = serving.Wait()
	})
	return session
}

// A model that answers through mcptool's tool is known by the channel that this
// tool names. If it comes to name another one, this test says so.
func TestTheModelsChannelOfAnMCPServerIsKnown(t *testing.T) {
	s := plainSite(t, nil)
	session := toolServer(t, s)
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "greet", Arguments: map[string]any{}})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(result.Meta["elicitationPending"])
	var pending struct{ ElicitID parley.ID }
	if err == nil {
		err = json.Unmarshal(raw, &pending)
	}
	if err != nil || pending.ElicitID == "" {
		t.Fatalf("%+v, %v", result, err)
	}

	asked, err := s.store.Get(t.Context(), pending.ElicitID)
	if err != nil {
		t.Fatal(err)
	}
	own := with(transfer(), func(c *permit.Call) { c.User, c.Session = asked.To, asked.Session })

	// It cannot answer an approval of the same person in the same session.
	q := s.ask(t, own)
	send := func(id parley.ID, content any) (*mcp.CallToolResult, error) {
		return session.CallTool(t.Context(), &mcp.CallToolParams{Name: "sendElicitationResult", Arguments: map[string]any{
			"elicitId": id, "action": "accept", "content": content,
		}})
	}
	if r, err := send(q.ID, map[string]any{"decision": "allow_once"}); err == nil && !r.IsError {
		t.Errorf("the model approved: %+v", r)
	}
	_, err = s.Record(t.Context(), own, q.ID)
	wantError(t, err, permit.ErrPending)

	// And what it can answer shows the channel; an approval that came through
	// it would be none.
	if r, err := send(pending.ElicitID, map[string]any{"name": "Ada"}); err != nil || r.IsError {
		t.Fatalf("%+v, %v", r, err)
	}
	answered, err := s.store.Get(t.Context(), pending.ElicitID)
	if err != nil || answered.Pending() {
		t.Fatalf("%+v, %v", answered, err)
	}
	a := says(permit.AllowOnce)
	a.Via = answered.Outcome.Via
	if a.Via == "" {
		t.Fatal("the channel has no name")
	}
	s.answer(t, q, a)
	wantStatus(t, s.record(t, own, q.ID), permit.Denied)
	s.wantRefused(t, own, permit.Denied)
}

// The fallback Allow fills in a form for a person who is not there. There is
// nothing it could fill in here: see also the test of an outcome by nobody.
func TestTheAllowFallbackOfAnMCPServerDoesNotApprove(t *testing.T) {
	s := newSite(t, nil)
	q, err := s.Question(transfer())
	if err != nil {
		t.Fatal(err)
	}
	asker, err := mcptool.New(s.hub, &mcptool.Options{Fallback: mcptool.Allow, Logger: quiet, Secrets: []string{"a secret of tests, 32 bytes long"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, trigger := range []string{parley.TriggerApproval, parley.TriggerTool} {
		server := mcp.NewServer(&mcp.Implementation{Name: "bank", Version: "1"}, &mcp.ServerOptions{Logger: quiet})
		mcptool.AddTool(asker, server, &mcp.Tool{Name: "transfer"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			answer, err := mcptool.ElicitRaw(ctx, call, q.Message, q.Schema, &mcptool.ElicitOptions{Trigger: trigger})
			if err == nil {
				t.Errorf("%s: accepted with %+v", trigger, answer)
			}
			return "", err
		})
		client, serverSide := mcp.NewInMemoryTransports()
		serving, err := server.Connect(t.Context(), serverSide, nil)
		if err != nil {
			t.Fatal(err)
		}
		session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil).Connect(t.Context(), client, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "transfer", Arguments: map[string]any{}}); err == nil && !r.IsError {
			t.Errorf("%s: %+v", trigger, r)
		}
		session.Close()
		_ = serving.Wait()
	}
}
