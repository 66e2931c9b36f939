package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// answered is what came back for a request of 2026-07-28, as it is on the wire.
type answered struct {
	Status int
	Result struct {
		Type     string                     `json:"resultType"`
		State    string                     `json:"requestState"`
		Requests map[string]json.RawMessage `json:"inputRequests"`
		Content  []struct{ Text string }    `json:"content"`
		IsError  bool                       `json:"isError"`
		Meta     map[string]any             `json:"_meta"`
	} `json:"result"`
	Error *struct {
		Code    int
		Message string
	} `json:"error"`
}

func (a answered) text() string {
	if len(a.Result.Content) == 0 {
		return ""
	}
	return a.Result.Content[0].Text
}

// key is the only question's.
func (a answered) key(t *testing.T) string {
	t.Helper()
	for key := range a.Result.Requests {
		if len(a.Result.Requests) == 1 {
			return key
		}
	}
	t.Fatalf("%d questions: %+v", len(a.Result.Requests), a)
	return ""
}

// post makes a call of 2026-07-28 by hand: nothing is put right on the way.
func post(t *testing.T, url, user, tool, arguments, state, responses string) answered {
	t.Helper()
	a, err := tryPost(url, user, tool, arguments, state, responses)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const canAsk = `{"elicitation":{"form":{},"url":{}}}`

func tryPost(url, user, tool, arguments, state, responses string) (a answered, err error) {
	params := fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":%s},"name":%q,"arguments":%s`, canAsk, tool, arguments)
	if state != "" {
		params += fmt.Sprintf(`,"requestState":%q`, state)
	}
	if responses != "" {
		params += `,"inputResponses":` + responses
	}
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + params + `}}`
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return a, err
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer token-of-" + user, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return a, err
	}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		data = lastEvent(data)
	}
	a.Status = response.StatusCode
	if err := json.Unmarshal(data, &a); err != nil {
		return a, fmt.Errorf("%w: %s", err, data)
	}
	return a, nil
}

func lastEvent(stream []byte) (last []byte) {
	for line := range bytes.Lines(stream) {
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			last = data
		}
	}
	return last
}

func approving(key, decision string) string {
	return fmt.Sprintf(`{%q:{"action":"accept","content":{"decision":%q}}}`, key, decision)
}

func guardedShop(t *testing.T, change func(*gateway.Options)) (*shop, *house) {
	s := newShop(t, modern)
	return s, newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Always}}, change)
}

func TestWhatIsRefusedToEverybodyIsNotPromisedToWhoSignsIn(t *testing.T) {
	s := newShop(t, modern)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Forbid}}, func(o *gateway.Options) { o.Anonymous = true })
	client := mcp.NewClient(&mcp.Implementation{Name: "nobody", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: h.url}, &mcp.ClientSessionOptions{ProtocolVersion: modern})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "shop__buy"})
	if codeOf(err) != -32001 || !strings.Contains(err.Error(), "never allowed") {
		t.Errorf("%v", err)
	}
}

func TestWhatIsApprovedIsWhatRuns(t *testing.T) {
	s, h := guardedShop(t, nil)
	ask := func(arguments string) answered { return post(t, h.url, "alice", "shop__buy", arguments, "", "") }
	count := func(want int64) {
		t.Helper()
		if got := s.done.Load(); got != want {
			t.Fatalf("the server carried out %d calls, not %d", got, want)
		}
	}

	asked := ask(`{"what":"tea","amount":2}`)
	var params mcp.ElicitParams
	var request struct {
		Params json.RawMessage `json:"params"`
	}
	key := asked.key(t)
	_ = json.Unmarshal(asked.Result.Requests[key], &request)
	_ = json.Unmarshal(request.Params, &params)
	if !strings.HasPrefix(params.Message, "[shop] Allow this call?") || !strings.Contains(params.Message, `"amount": 2`) || !strings.Contains(params.Message, `"what": "tea"`) {
		t.Errorf("the person sees %q", params.Message)
	}
	count(0)

	for name, other := range map[string]string{"changed": `{"what":"tea","amount":3}`, "added": `{"what":"tea","amount":2,"to":"me"}`, "a number as text": `{"what":"tea","amount":"2"}`} {
		if a := post(t, h.url, "alice", "shop__buy", other, asked.Result.State, approving(key, "allow_once")); a.Error == nil || a.Error.Code != -32602 {
			t.Errorf("arguments %s: %+v", name, a)
		}
		count(0)
	}
	if a := post(t, h.url, "bob", "shop__buy", `{"what":"tea","amount":2}`, asked.Result.State, approving(key, "allow_once")); a.Error == nil {
		t.Errorf("another person: %+v", a)
	}
	count(0)
	if a := post(t, h.url, "alice", "shop__order", `{"what":"tea","amount":2}`, asked.Result.State, approving(key, "allow_once")); a.Error == nil {
		t.Errorf("another tool: %+v", a)
	}
	count(0)
	// The order of members means nothing: it is the same call.
	if a := post(t, h.url, "alice", "shop__buy", `{"amount":2, "what":"tea"}`, asked.Result.State, approving(key, "allow_once")); !strings.HasPrefix(a.text(), "bought") {
		t.Errorf("the same in another order: %+v", a)
	}
	count(1)
	if a := post(t, h.url, "alice", "shop__buy", `{"what":"tea","amount":2}`, asked.Result.State, approving(key, "allow_once")); a.Error == nil {
		t.Errorf("a second time: %+v", a)
	}
	count(1)
	again := ask(`{"what":"tea","amount":2}`)
	if again.Result.Type != "input_required" {
		t.Errorf("the next call was not asked about: %+v", again)
	}
	if a := post(t, h.url, "alice", "shop__buy", `{"what":"tea","amount":2}`, again.Result.State, approving(again.key(t), "deny")); a.Error == nil || a.Error.Code != -32001 {
		t.Errorf("denied: %+v", a)
	}
	count(1)
}

func TestOneAllowOnceLetsOneOfManyThrough(t *testing.T) {
	s, h := guardedShop(t, nil)
	for round := range 10 {
		arguments := fmt.Sprintf(`{"n":%d}`, round)
		asked := post(t, h.url, "alice", "shop__buy", arguments, "", "")
		key := asked.key(t)
		var wg sync.WaitGroup
		var mu sync.Mutex
		through := 0
		for range 8 {
			wg.Go(func() {
				a, err := tryPost(h.url, "alice", "shop__buy", arguments, asked.Result.State, approving(key, "allow_once"))
				mu.Lock()
				defer mu.Unlock()
				if err == nil && strings.HasPrefix(a.text(), "bought") {
					through++
				}
			})
		}
		wg.Wait()
		if through != 1 || s.done.Load() != int64(round+1) {
			t.Fatalf("round %d: %d were told of a result, and the server carried out %d", round, through, s.done.Load())
		}
	}
}

// leftQuestion makes a call in a session that ends before its approval is given,
// and answers when the node has left the call: who answers sooner answers the
// call that is being given up.
func leftQuestion(t *testing.T, h *house, answer parley.Answer) {
	t.Helper()
	asked, over := make(chan struct{}, 1), make(chan struct{})
	defer close(over)
	silent := visit(t, h.url, "alice", legacy, func(*mcp.ElicitParams) *mcp.ElicitResult {
		asked <- struct{}{}
		<-over // the person does not answer here
		return &mcp.ElicitResult{Action: "cancel"}
	})
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = silent.CallTool(ctx, &mcp.CallToolParams{Name: "shop__buy", Arguments: map[string]any{"what": "tea"}})
	}()
	<-asked
	alice := parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}
	open, err := h.hub.List(t.Context(), alice, parley.Query{Pending: true, Limit: 10})
	if err != nil || len(open) != 1 {
		t.Fatalf("%v, %v", open, err)
	}
	leave()
	<-gone // the client says so in its own time
	eventually(t, "the call is given up", func() bool { return !h.busy(alice) })
	if err := h.hub.Answer(t.Context(), alice, open[0].ID, answer); err != nil {
		t.Fatal(err)
	}
}

// The answer to a call whose client has gone is for the same call when it comes back, and
// for that one alone.
func TestAnApprovalIsForTheSameCallInANewSessionOnce(t *testing.T) {
	s, h := guardedShop(t, nil)
	leftQuestion(t, h, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "page"})
	v := visit(t, h.url, "alice", legacy, func(p *mcp.ElicitParams) *mcp.ElicitResult {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "deny"}}
	})
	if _, err := v.call(t, "shop__buy", map[string]any{"what": "coffee"}); codeOf(err) != -32001 || len(v.questions()) != 1 || s.done.Load() != 0 {
		t.Errorf("another call: %v, asked %q, %d carried out", err, v.questions(), s.done.Load())
	}
	if text, err := v.call(t, "shop__buy", map[string]any{"what": "tea"}); err != nil || !strings.HasPrefix(text, "bought") || len(v.questions()) != 1 || s.done.Load() != 1 {
		t.Errorf("%q, %v, asked %q, %d carried out", text, err, v.questions(), s.done.Load())
	}
	if _, err := v.call(t, "shop__buy", map[string]any{"what": "tea"}); codeOf(err) != -32001 || len(v.questions()) != 2 || s.done.Load() != 1 {
		t.Errorf("once more: %v, asked %q, %d carried out", err, v.questions(), s.done.Load())
	}
}

func TestARefusalIsForTheSameCallInANewSessionOnce(t *testing.T) {
	s, h := guardedShop(t, nil)
	leftQuestion(t, h, parley.Answer{Action: parley.Decline, Via: "page"})
	v := visit(t, h.url, "alice", legacy, agreeing)
	if _, err := v.call(t, "shop__buy", map[string]any{"what": "tea"}); codeOf(err) != -32001 || len(v.questions()) != 0 || s.done.Load() != 0 {
		t.Errorf("%v, asked %q, %d carried out", err, v.questions(), s.done.Load())
	}
	if text, err := v.call(t, "shop__buy", map[string]any{"what": "tea"}); err != nil || !strings.HasPrefix(text, "bought") || len(v.questions()) != 1 || s.done.Load() != 1 {
		t.Errorf("once more: %q, %v, asked %q, %d carried out", text, err, v.questions(), s.done.Load())
	}
}

// Two sessions that both wait want it twice: a yes to one is none to the other.
func TestAnApprovalIsNotForTheSameCallOfASessionThatWaits(t *testing.T) {
	s, h := guardedShop(t, nil)
	over := make(chan struct{})
	asked := make(chan struct{}, 2)
	waits := func(*mcp.ElicitParams) *mcp.ElicitResult {
		asked <- struct{}{}
		<-over
		return &mcp.ElicitResult{Action: "cancel"}
	}
	results := make(chan error, 2)
	for range 2 {
		v := visit(t, h.url, "alice", legacy, waits)
		go func() {
			_, err := v.call(t, "shop__buy", map[string]any{"what": "tea"})
			results <- err
		}()
		<-asked
	}
	open := openQuestions(t, h)
	if len(open) != 2 {
		t.Fatalf("%d questions", len(open))
	}
	if err := h.hub.Answer(t.Context(), alice, open[0].ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "page"}); err != nil {
		t.Fatal(err)
	}
	if err := <-results; err != nil || s.done.Load() != 1 {
		t.Errorf("%v, %d carried out", err, s.done.Load())
	}
	if now := openQuestions(t, h); len(now) != 1 || now[0].ID != open[1].ID {
		t.Errorf("open: %v", now)
	}
	close(over)
	if err := <-results; codeOf(err) != -32001 || s.done.Load() != 1 {
		t.Errorf("%v, %d carried out", err, s.done.Load())
	}
}

func TestAStandingPermissionHoldsUntilItIsRevoked(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		t.Run(era, func(t *testing.T) {
			s, h := guardedShop(t, nil)
			decision := "always_allow"
			v := visit(t, h.url, "alice", era, func(*mcp.ElicitParams) *mcp.ElicitResult {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": decision}}
			})
			for n := range 3 {
				if got, err := v.call(t, "shop__buy", map[string]any{"n": n}); err != nil || !strings.HasPrefix(got, "bought") {
					t.Fatalf("%q, %v", got, err)
				}
			}
			if len(v.questions()) != 1 || s.done.Load() != 3 {
				t.Fatalf("asked %d times, %d carried out", len(v.questions()), s.done.Load())
			}
			alice := parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}
			all, err := h.permits.List(t.Context(), alice.Tenant, alice.User)
			if err != nil || len(all) == 0 {
				t.Fatalf("%v, %v", all, err)
			}
			for _, p := range all {
				_ = h.permits.Revoke(t.Context(), alice.Tenant, alice.User, p.ID)
			}
			decision = "deny"
			if got, err := v.call(t, "shop__buy", map[string]any{"n": 4}); codeOf(err) != -32001 || s.done.Load() != 3 || len(v.questions()) != 2 {
				t.Errorf("after it was revoked: %q, %v; asked %d times", got, err, len(v.questions()))
			}
		})
	}
}

// An administrator gives a name to another server.
func TestAnApprovalDoesNotFollowTheNameToAnotherServer(t *testing.T) {
	store := parley.NewMemoryStore()
	before, after := newShop(t, modern), newShop(t, modern)
	h := newNode(t, store, catalogue{{Name: "shop", URL: before.url, Approve: permit.Always}}, nil, nil)
	moved := newNode(t, store, catalogue{{Name: "shop", URL: after.url, Approve: permit.Always}}, nil, nil)
	alice := parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}
	for n, decision := range []string{"allow_once", "always_allow"} {
		arguments := fmt.Sprintf(`{"n":%d}`, n)
		asked := post(t, h.url, "alice", "shop__buy", arguments, "", "")
		open, err := h.hub.List(t.Context(), alice, parley.Query{Pending: true, Newest: true, Limit: 1})
		if err != nil || len(open) != 1 {
			t.Fatalf("%v, %v", open, err)
		}
		content := fmt.Appendf(nil, `{"decision":%q}`, decision)
		if err := h.hub.Answer(t.Context(), alice, open[0].ID, parley.Answer{Action: parley.Accept, Content: content, Via: "page"}); err != nil {
			t.Fatal(err)
		}
		if decision == "always_allow" {
			if a := post(t, h.url, "alice", "shop__buy", arguments, asked.Result.State, ""); !strings.HasPrefix(a.text(), "bought") {
				t.Fatalf("where it was given: %+v", a)
			}
			asked.Result.State = ""
		}
		if a := post(t, moved.url, "alice", "shop__buy", arguments, asked.Result.State, ""); strings.HasPrefix(a.text(), "bought") {
			t.Errorf("%s at the other server: %+v", decision, a)
		}
	}
	if before.done.Load() != 1 || after.done.Load() != 0 {
		t.Errorf("%d carried out before, %d after", before.done.Load(), after.done.Load())
	}
}

func TestAnApprovalThatExpiredIsAskedForAgain(t *testing.T) {
	s := newShop(t, modern)
	h := newNode(t, parley.NewMemoryStore(), catalogue{{Name: "shop", URL: s.url, Approve: permit.Always}}, &permit.Options{OnceTTL: time.Millisecond}, nil)
	asked := post(t, h.url, "alice", "shop__buy", `{}`, "", "")
	alice := parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}
	open, err := h.hub.List(t.Context(), alice, parley.Query{Pending: true, Limit: 10})
	if err != nil || len(open) != 1 {
		t.Fatalf("%v, %v", open, err)
	}
	if err := h.hub.Answer(t.Context(), alice, open[0].ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "page"}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond) // it holds for one
	if a := post(t, h.url, "alice", "shop__buy", `{}`, asked.Result.State, ""); strings.HasPrefix(a.text(), "bought") || s.done.Load() != 0 {
		t.Errorf("%+v", a)
	}
}

func TestAModelCannotApproveItsOwnCall(t *testing.T) {
	s, h := guardedShop(t, func(o *gateway.Options) { o.Fallback = mcptool.Model })
	// A client that can ask has asked; the question is open.
	asked := post(t, h.url, "alice", "shop__buy", `{}`, "", "")
	if asked.Result.Type != "input_required" {
		t.Fatalf("%+v", asked)
	}
	alice := parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}
	open, err := h.hub.List(t.Context(), alice, parley.Query{Pending: true, Limit: 10})
	if err != nil || len(open) != 1 {
		t.Fatalf("%v, %v", open, err)
	}
	for _, era := range []string{legacy, modern} {
		v := visit(t, h.url, "alice", era, nil)
		if got, err := v.call(t, "shop__buy", nil); codeOf(err) != -32001 {
			t.Errorf("%s: a client that cannot ask: %q, %v", era, got, err)
		}
		list, err := v.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		yes := map[string]any{"decision": "allow_once"}
		for _, tool := range list.Tools {
			if strings.HasPrefix(tool.Name, "shop__") {
				continue
			}
			for _, arguments := range []map[string]any{
				{"elicitId": open[0].ID, "action": "accept", "content": yes},
				{"elicitId": open[0].ID, "action": "accept", "content": map[string]any{"decision": "always_allow"}},
			} {
				got, err := v.call(t, tool.Name, arguments)
				if err == nil && !strings.HasPrefix(got, "ERROR") {
					t.Errorf("%s: %s says %q", era, tool.Name, got)
				}
			}
		}
	}
	// Nor through whatever channel a model writes.
	if err := h.hub.Answer(t.Context(), alice, open[0].ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "mcp-model"}); err == nil {
		t.Error("the hub took a model's approval")
	}
	if n := s.done.Load(); n != 0 {
		t.Errorf("%d calls were carried out", n)
	}
}

func TestAClientThatCannotAskIsDeniedWhatNeedsAnApprovalUnlessConfiguredOtherwise(t *testing.T) {
	for _, c := range []struct {
		fallback, approvals mcptool.Fallback
		carriedOut          int64
		says                string
	}{
		{mcptool.Deny, "", 0, "cannot ask"},
		{mcptool.Allow, "", 0, "cannot ask"},
		{mcptool.Model, "", 0, "cannot ask"},
		{mcptool.Page, mcptool.Deny, 0, "cannot ask"},
		{mcptool.Page, "", 0, "/answer/"},
		{mcptool.Deny, mcptool.Allow, 1, "bought"},
	} {
		t.Run(string(c.fallback+" "+c.approvals), func(t *testing.T) {
			s, h := guardedShop(t, func(o *gateway.Options) { o.Fallback, o.Approvals = c.fallback, c.approvals })
			got, err := visit(t, h.url, "alice", legacy, nil).call(t, "shop__buy", nil)
			if said := fmt.Sprint(got, err); !strings.Contains(said, c.says) || s.done.Load() != c.carriedOut {
				t.Errorf("%s; %d carried out", said, s.done.Load())
			}
		})
	}
}

func TestARefusalSaysHowThePersonLeftTheQuestion(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		for action, answer := range map[string]func(*mcp.ElicitParams) *mcp.ElicitResult{
			"cancel":  func(*mcp.ElicitParams) *mcp.ElicitResult { return &mcp.ElicitResult{Action: "cancel"} },
			"decline": func(*mcp.ElicitParams) *mcp.ElicitResult { return &mcp.ElicitResult{Action: "decline"} },
			"expire": func(*mcp.ElicitParams) *mcp.ElicitResult {
				time.Sleep(1500 * time.Millisecond) // longer than the question is open
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "allow_once"}}
			},
		} {
			s, h := guardedShop(t, func(o *gateway.Options) {
				if action == "expire" {
					o.TTL = time.Second
				}
			})
			_, err := visit(t, h.url, "alice", era, answer).call(t, "shop__buy", nil)
			var wire *jsonrpc.Error
			if !errors.As(err, &wire) || wire.Code != -32001 || !strings.Contains(string(wire.Data), `"`+action+`"`) || s.done.Load() != 0 {
				t.Errorf("%s, %s: %v; %d carried out", era, action, err, s.done.Load())
			}
		}
	}
}

// A person has as long at the gateway as in a chat.
func TestAQuestionIsOpenForTenMinutesByDefault(t *testing.T) {
	h := newHouse(t, catalogue{{Name: "survey", URL: survey(t), Approve: permit.Always}}, nil)
	if text, err := visit(t, h.url, "alice", modern, agreeing).call(t, "survey__fill", map[string]any{}); text != "thanks" {
		t.Fatal(text, err)
	}
	asked, err := h.store.List(t.Context(), parley.Query{Tenant: "default"})
	if err != nil || len(asked) != 3 {
		t.Fatal(len(asked), err)
	}
	for _, q := range asked {
		if open := q.Expires.Sub(q.Created); open.Round(time.Second) != 10*time.Minute {
			t.Errorf("%s is open for %v", q.Trigger, open)
		}
	}
}
