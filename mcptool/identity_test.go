package mcptool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// newLocal makes a server without HTTP: one that is used over stdio.
func newLocal(t testing.TB, opts mcptool.Options) *site {
	opts.Logger = quiet
	store := parley.NewMemoryStore()
	s := &site{store: store, hub: parley.New(store, &parley.Options{Logger: quiet})}
	s.asker = newAsker(t, s.hub, &opts)
	s.server = mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Logger: quiet})
	return s
}

// pipe connects a client in memory, as over stdio. The caller closes it.
func (s *site) pipe(t *testing.T, o clientOptions) *mcp.ClientSession {
	t.Helper()
	opts := &mcp.ClientOptions{Logger: quiet, MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: o.manual}}
	if o.person != nil {
		opts.ElicitationHandler = func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return o.person(ctx, req.Params)
		}
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := s.server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, opts)
	session, err := client.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: o.era})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

func TestFormsWorkOverStdioWhereTheSessionIsThePerson(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newLocal(t, mcptool.Options{Fallback: mcptool.Model})
		addDelete(s, nil)
		charges := addWizard(s)
		can := s.pipe(t, clientOptions{era: era, person: accept(map[string]any{"confirmed": true})})
		defer can.Close()
		if got := structured[deleted](t, call(t, can, "delete-account", account{"7"})); !got.Confirmed {
			t.Errorf("native: got %+v", got)
		}
		cannot := s.pipe(t, clientOptions{era: era})
		defer cannot.Close()
		p := pendingOf(t, call(t, cannot, "wizard", nil))
		p = pendingOf(t, submit(t, cannot, submission{p.ElicitID, "accept", map[string]any{"name": "Ada"}}))
		got := structured[string](t, submit(t, cannot, submission{p.ElicitID, "accept", map[string]any{"colour": "red"}}))
		if got != "Ada likes red" || charges.Load() != 1 {
			t.Errorf("fallback: got %q, charged %d times", got, charges.Load())
		}
		noJournalLeft(t, s)
	})
}

func TestTwoSessionsOverStdioShareNothing(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newLocal(t, mcptool.Options{Fallback: mcptool.Model})
		runs := addDelete(s, nil)
		one, two := s.pipe(t, clientOptions{era: era}), s.pipe(t, clientOptions{era: era})
		defer one.Close()
		defer two.Close()
		p := pendingOf(t, call(t, one, "delete-account", account{"7"}))
		if other := pendingOf(t, call(t, two, "delete-account", account{"7"})); other.ElicitID == p.ElicitID {
			t.Error("two sessions were asked one question")
		}
		all := asked(t, s)
		if len(all) != 2 || all[0].To == all[1].To {
			t.Errorf("the questions belong to %v", all)
		}
		ran := runs.Load()
		_, err := two.CallTool(t.Context(), &mcp.CallToolParams{Name: "sendElicitationResult", Arguments: submission{p.ElicitID, "accept", map[string]any{"confirmed": true}}})
		wantCode(t, err, unknownIn(era))
		if runs.Load() != ran || len(openQuestions(t, s)) != 2 {
			t.Error("the other session moved the call")
		}
	})
}

func TestTheRequestStateOfAnotherSessionIsRefused(t *testing.T) {
	s := newLocal(t, mcptool.Options{})
	runs := addDelete(s, nil)
	options := clientOptions{era: modern, manual: true, person: say("accept")}
	one, two := s.pipe(t, options), s.pipe(t, options)
	defer one.Close()
	defer two.Close()
	first := call(t, one, "delete-account", account{"7"})
	ran := runs.Load()
	retry := &mcp.CallToolParams{Name: "delete-account", Arguments: account{"7"}, RequestState: first.RequestState, InputResponses: mcp.InputResponseMap{
		"q1": &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true}},
	}}
	_, err := two.CallTool(t.Context(), retry)
	wantCode(t, err, jsonrpc.CodeInvalidParams)
	if runs.Load() != ran {
		t.Error("the tool ran")
	}
	if result, err := one.CallTool(t.Context(), retry); err != nil || !structured[deleted](t, result).Confirmed {
		t.Errorf("its own session: %+v, %v", result, err)
	}
}

func TestAnExpiredRequestStateIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newLocal(t, mcptool.Options{TTL: time.Hour})
		runs := addDelete(s, nil)
		c := s.pipe(t, clientOptions{era: modern, manual: true, person: say("accept")})
		defer c.Close()
		first := call(t, c, "delete-account", account{"7"})
		time.Sleep(2 * time.Hour)
		_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "delete-account", Arguments: account{"7"}, RequestState: first.RequestState})
		wantCode(t, err, jsonrpc.CodeInvalidParams)
		if runs.Load() != 1 {
			t.Errorf("the tool ran %d times", runs.Load())
		}
	})
}

func TestARequestStateServesOneRetryOfMany(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	charges := addWizard(s)
	w := s.dial(t, &wire{era: modern, capabilities: canAsk, user: "alice"})
	params := map[string]any{
		"name": "wizard", "arguments": map[string]any{}, "requestState": w.call("wizard", "").result().RequestState,
		"inputResponses": map[string]any{"q1": map[string]any{"action": "accept", "content": map[string]any{"name": "Ada"}}},
	}
	taken := make(chan bool, 20)
	atOnce(cap(taken), func(int) {
		m := w.begin("tools/call", params).end()
		if m.Error != nil && m.Error.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("refused with %+v", m.Error)
		}
		taken <- m.Error == nil
	})
	close(taken)
	n := 0
	for ok := range taken {
		if ok {
			n++
		}
	}
	if n != 1 || charges.Load() != 1 {
		t.Errorf("%d retries were taken, %d charges made", n, charges.Load())
	}
}

// What a client says about answers counts only together with our own record of
// the question.
func TestAnswersWithoutAQuestionAreIgnored(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		runs := addDelete(s, &mcptool.ElicitOptions{Trigger: parley.TriggerApproval})
		w := s.dial(t, &wire{era: era, capabilities: canAsk, user: "alice"})
		forged := map[string]any{
			"name": "delete-account", "arguments": json.RawMessage(deletion),
			"inputResponses": map[string]any{"q1": json.RawMessage(yes), "": json.RawMessage(yes)},
		}
		x := w.begin("tools/call", forged)
		if era == modern {
			r := x.result()
			if r.RequestState == "" || len(r.InputRequests) != 1 {
				t.Errorf("result %+v", r)
			}
		} else {
			id, _ := x.question()
			w.answer(id, `{"action":"decline"}`)
			if got := structured[deleted](t, x.result()); got.Confirmed {
				t.Errorf("got %+v", got)
			}
		}
		if era == modern && len(openQuestions(t, s)) != 1 || runs.Load() != 1 {
			t.Errorf("%d questions are open after %d runs", len(openQuestions(t, s)), runs.Load())
		}
	})
}

func TestTheStateOfOneRequestDoesNotContinueAnother(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	runs := addDelete(s, nil)
	ran := func(ctx context.Context, call *mcptool.Call) error {
		runs.Add(1)
		_, err := mcptool.Elicit[confirm](ctx, call, "Delete account 7?", nil)
		return err
	}
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "delete-all"}, func(ctx context.Context, call *mcptool.Call, _ account) (string, error) {
		return "", ran(ctx, call)
	})
	mcptool.AddPrompt(s.asker, s.server, &mcp.Prompt{Name: "delete-account"}, func(ctx context.Context, call *mcptool.Call, _ *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{}, ran(ctx, call)
	})
	w := s.dial(t, &wire{era: modern, capabilities: canAsk, user: "alice"})
	state := w.call("delete-account", deletion).result().RequestState
	before := runs.Load()
	for method, name := range map[string]string{"tools/call": "delete-all", "prompts/get": "delete-account"} {
		m := w.begin(method, map[string]any{
			"name": name, "arguments": json.RawMessage(deletion), "requestState": state,
			"inputResponses": map[string]any{"q1": json.RawMessage(yes)},
		}).end()
		if m.Error == nil || m.Error.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s %s: %s, error %+v", method, name, m.Result, m.Error)
		}
	}
	if runs.Load() != before || len(openQuestions(t, s)) != 1 {
		t.Errorf("%d runs, %d questions open", runs.Load()-before, len(openQuestions(t, s)))
	}
}

func TestAQuestionIsAnsweredByItsOwnerOnly(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		addDelete(s, nil)
		x := s.dial(t, &wire{era: era, capabilities: canAsk, user: "alice"}).call("delete-account", deletion)
		if era == modern {
			x.result()
		} else {
			x.question()
		}
		id := openQuestions(t, s)[0].ID
		for _, p := range []parley.Principal{{}, {User: "bob"}, {User: "alice", Tenant: "other"}, {User: "mcp-session:alice"}} {
			err := s.hub.Answer(t.Context(), p, id, parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`)})
			if !errors.Is(err, parley.ErrNotFound) {
				t.Errorf("%+v: %v", p, err)
			}
			if _, err := s.hub.Get(t.Context(), p, id); !errors.Is(err, parley.ErrNotFound) {
				t.Errorf("%+v reads it: %v", p, err)
			}
		}
		if len(openQuestions(t, s)) != 1 {
			t.Error("the question is settled")
		}
	})
}

func TestWhoAsksComesFromTheTokenOnly(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newSite(t, mcptool.Options{})
		mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "who"}, func(_ context.Context, call *mcptool.Call, _ any) (string, error) {
			return call.Principal().User, nil
		})
		w := s.dial(t, &wire{era: era, user: "alice"})
		meta := map[string]any{"user": "bob", "io.modelcontextprotocol/user": "bob"}
		if era == modern {
			meta["io.modelcontextprotocol/protocolVersion"] = era
			meta["io.modelcontextprotocol/clientCapabilities"] = map[string]any{}
		}
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": map[string]any{
			"name": "who", "arguments": map[string]any{"user": "bob", "to": "bob", "principal": "bob"}, "_meta": meta,
		}})
		if err != nil {
			t.Fatal(err)
		}
		r := w.request(t.Context(), body)
		for name, value := range map[string]string{
			"Mcp-Method": "tools/call", "Mcp-Name": "who",
			"X-User": "bob", "X-Forwarded-User": "bob", "Parley-User": "bob", "Parley-Forwarded": "bob",
		} {
			r.Header.Set(name, value)
		}
		response, err := w.http.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		got, err := io.ReadAll(response.Body)
		if err != nil || !bytes.Contains(got, []byte(`"alice`)) || bytes.Contains(got, []byte("bob")) {
			t.Errorf("status %d: %s, %v", response.StatusCode, got, err)
		}
	})
}

func TestASessionIsUsedByItsUserOnly(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	runs := addDelete(s, nil)
	alice := s.dial(t, &wire{capabilities: canAsk, user: "alice"})
	x := alice.call("delete-account", deletion)
	id, _ := x.question()
	for _, user := range []string{"bob", ""} {
		thief := &wire{t: t, url: alice.url, era: alice.era, session: alice.session, http: alice.http, ids: alice.ids, user: user}
		if status := thief.answer(id, yes); status != http.StatusForbidden {
			t.Errorf("%q answered in alice's session: status %d", user, status)
		}
		if status := thief.close(); status != http.StatusForbidden {
			t.Errorf("%q ended alice's session: status %d", user, status)
		}
	}
	if runs.Load() != 1 || len(openQuestions(t, s)) != 1 {
		t.Error("the call went on")
	}
	alice.answer(id, `{"action":"decline"}`)
	if got := structured[deleted](t, x.result()); got.Status != "decline" {
		t.Errorf("got %+v", got)
	}
}

func TestWhatIsTooLargeOrDangerousIsRefused(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addWizard(s)
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "visit"}, func(ctx context.Context, call *mcptool.Call, in struct {
		URL string `json:"url"`
	}) (string, error) {
		answer, err := mcptool.ElicitURL(ctx, call, "Visit", in.URL, nil)
		return string(answer.Action), err
	})
	w := s.dial(t, &wire{capabilities: canAsk, user: "alice"})
	x := w.call("wizard", "")
	id, _ := x.question()
	w.answer(id, `{"action":"accept","content":{"name":"`+strings.Repeat("A", 300<<10)+`"}}`)
	if r := x.result(); !r.IsError {
		t.Errorf("an answer of 300 kB: %.100q", text(r))
	}
	for _, url := range []string{"javascript:alert(1)", "data:text/html,x", "http://example.com", "https://bank.example@evil.example/", "file:///etc/passwd", "//evil.example"} {
		x := w.call("visit", `{"url":"`+url+`"}`)
		if m := x.next(); m.Method != "" || !strings.Contains(string(m.Result), `"isError":true`) {
			t.Errorf("%s: %s %s", url, m.Method, m.Result)
		}
	}
}

func TestWithASecretNothingOfACallIsStoredInPlain(t *testing.T) {
	s := newSite(t, mcptool.Options{Secrets: []string{strings.Repeat("k", 32)}})
	addDelete(s, nil)
	w := s.dial(t, &wire{era: modern, capabilities: canAsk, user: "alice"})
	state := w.call("delete-account", `{"userId":"classified"}`).result().RequestState
	if strings.Contains(state, "classified") || strings.Contains(state, "alice") {
		t.Errorf("the state says %q", state)
	}
	records, err := s.store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: "mcp.call"}, "", 0)
	if err != nil || len(records) != 1 {
		t.Fatalf("%d journals, %v", len(records), err)
	}
	if bytes.Contains(records[0].Data, []byte("classified")) || strings.Contains(records[0].Key, "classified") {
		t.Errorf("the journal says %q", records[0].Data)
	}
}
