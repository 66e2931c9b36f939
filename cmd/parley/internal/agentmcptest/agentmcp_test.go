package agentmcptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agentmcp"
	"github.com/parley-hq/parley/mcptool"
)

const (
	booking = "travel__book {}"
	order   = `shop__order {"item":"pens"}`
)

var allowOnce = map[string]any{"decision": "allow_once"}

func TestAnAgentIsAToolThatAnswers(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	inBothEras(t, func(t *testing.T, era string) {
		c := n.connect(t, clientOptions{era: era})
		list, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Tools) != 1 || list.Tools[0].Name != "assistant" || list.Tools[0].Description != "Helps with everything." {
			t.Errorf("tools %+v", list.Tools)
		}
		r := say(t, c, "hello")
		if out := output(t, r); r.IsError || text(r) != "You said: hello" || out.Text != text(r) {
			t.Errorf("got %q, %+v", text(r), out)
		}
	})
}

func TestAConversationGoesOn(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	c := n.connect(t, clientOptions{era: modern})
	first := output(t, say(t, c, "hello"))
	if other := output(t, say(t, c, "hello")); other.Conversation == first.Conversation {
		t.Error("two calls without a conversation had the same one")
	}
	again, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "assistant", Arguments: agentmcp.Input{Message: "more", Conversation: first.Conversation}})
	if err != nil {
		t.Fatal(err)
	}
	if got := output(t, again); got.Conversation != first.Conversation || got.Text != "You said: more" {
		t.Errorf("got %+v", got)
	}
	runs, err := n.Agents.History(t.Context(), alice, first.Conversation)
	if err != nil || len(runs) != 2 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
	// The same name is another conversation to another person.
	bobs := n.connect(t, clientOptions{era: modern, user: "bob"})
	if _, err := bobs.CallTool(t.Context(), &mcp.CallToolParams{Name: "assistant", Arguments: agentmcp.Input{Message: "spy", Conversation: first.Conversation}}); err != nil {
		t.Fatal(err)
	}
	if runs, _ := n.Agents.History(t.Context(), alice, first.Conversation); len(runs) != 2 {
		t.Errorf("bob spoke in alice's conversation: %d runs", len(runs))
	}
}

func TestAFormOfAnAgentsToolIsAskedByTheClient(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	inBothEras(t, func(t *testing.T, era string) {
		before := len(n.questions(t))
		screen := &shown{answer: accepts(map[string]any{"to": "Rome"})}
		r := say(t, n.connect(t, clientOptions{era: era, person: screen.person}), booking)
		if r.IsError || !strings.Contains(text(r), "book: accept Rome") {
			t.Errorf("got %q", text(r))
		}
		asked := screen.all()
		if len(asked) != 1 || asked[0].Message != "[travel] Where would you like to go?" {
			t.Errorf("the client showed %+v", asked)
		}
		// Nobody sees it twice.
		if all := n.questions(t)[before:]; len(all) != 1 || all[0].Outcome == nil || all[0].Outcome.Via != "mcp" {
			t.Errorf("asked %+v", all)
		}
		history(t, n, output(t, r).Conversation, 1)
	})
}

// history checks how many runs a conversation had.
func history(t *testing.T, n *node, conversation string, want int) {
	t.Helper()
	runs, err := n.Agents.History(t.Context(), alice, conversation)
	if err != nil || len(runs) != want {
		t.Errorf("%d runs instead of %d, %v", len(runs), want, err)
	}
}

func TestAnApprovalShowsTheWholeCallAndIsGoodForOne(t *testing.T) {
	for decision, want := range map[string]int64{"allow_once": 1, "deny": 0} {
		inBothEras(t, func(t *testing.T, era string) {
			w := newWorld(t)
			n := w.node(t, mcptool.Options{})
			screen := &shown{answer: func(p *mcp.ElicitParams) *mcp.ElicitResult {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": decision}}
			}}
			r := say(t, n.connect(t, clientOptions{era: era, person: screen.person}), order)
			asked := screen.all()
			if len(asked) != 1 || !strings.HasPrefix(asked[0].Message, "[shop] ") || !strings.Contains(asked[0].Message, "order") || !strings.Contains(asked[0].Message, "pens") {
				t.Fatalf("%s: the client showed %+v", decision, asked)
			}
			if w.orders.Load() != want {
				t.Errorf("%s: ordered %d times, and the agent said %q", decision, w.orders.Load(), text(r))
			}
		})
	}
}

func TestACredentialIsAskedForAtTheHostedPage(t *testing.T) {
	inBothEras(t, func(t *testing.T, era string) {
		n := newWorld(t).node(t, mcptool.Options{})
		screen := &shown{answer: func(p *mcp.ElicitParams) *mcp.ElicitResult {
			// The person goes there and enters their key, later than the client says
			// that they went.
			go func() {
				id := parley.ID(p.URL[strings.LastIndex(p.URL, "=")+1:])
				if err := n.Vault.EnterKey(context.Background(), alice, id, "k-1"); err != nil {
					t.Error(err)
				}
			}()
			return &mcp.ElicitResult{Action: "accept"}
		}}
		c := n.connect(t, clientOptions{era: era, agent: "clerk", person: screen.person})
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "clerk", Arguments: agentmcp.Input{Message: "list the tickets of the tracker"}})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text(r), "tickets of key k-1") {
			t.Errorf("got %q", text(r))
		}
		asked := screen.all()
		if len(asked) != 1 || asked[0].Mode != "url" || !strings.HasPrefix(asked[0].URL, n.url+"/auth/connect?elicitation_id=") || !strings.HasPrefix(asked[0].Message, "[tracker] ") {
			t.Errorf("the client showed %+v", asked)
		}
	})
}

func TestGoingToAServersURLIsTheAnswer(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	inBothEras(t, func(t *testing.T, era string) {
		screen := &shown{answer: func(*mcp.ElicitParams) *mcp.ElicitResult { return &mcp.ElicitResult{Action: "accept"} }}
		r := say(t, n.connect(t, clientOptions{era: era, person: screen.person}), "travel__visit {}")
		if asked := screen.all(); !strings.Contains(text(r), "visit: accept") || len(asked) != 1 || asked[0].URL != "https://maps.example/" {
			t.Errorf("got %q after %+v", text(r), asked)
		}
	})
}

func TestADelegatesQuestionReachesTheClient(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	inBothEras(t, func(t *testing.T, era string) {
		screen := &shown{answer: accepts(map[string]any{"to": "history"})}
		r := say(t, n.connect(t, clientOptions{era: era, person: screen.person}), `delegate_to_researcher {"task":"library__look {}"}`)
		if asked := screen.all(); len(asked) != 1 || asked[0].Message != "[library] On which shelf?" {
			t.Errorf("the client showed %+v", asked)
		}
		if !strings.Contains(text(r), "look: accept history") {
			t.Errorf("got %q", text(r))
		}
	})
}

func TestQuestionsThatComeAtOnceAreAskedAtOnce(t *testing.T) {
	w := newWorld(t)
	n := w.node(t, mcptool.Options{})
	both := booking + "\n" + order
	inBothEras(t, func(t *testing.T, era string) {
		before := w.orders.Load()
		meet := make(chan struct{}, 1)
		r := say(t, n.connect(t, clientOptions{era: era, person: func(ctx context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			if era == legacy { // neither is answered before both are on the screen
				select {
				case meet <- struct{}{}:
					meet <- struct{}{}
					<-meet
				case <-meet:
				}
			}
			if strings.HasPrefix(p.Message, "[shop]") {
				return accepts(allowOnce)(p), nil
			}
			return accepts(map[string]any{"to": "Rome"})(p), nil
		}}), both)
		if !strings.Contains(text(r), "book: accept Rome") || !strings.Contains(text(r), "ordered pens") || w.orders.Load() != before+1 {
			t.Errorf("got %q", text(r))
		}
	})
	t.Run("in one round", func(t *testing.T) {
		c := n.connect(t, clientOptions{era: modern, manual: true, person: (&shown{}).person})
		// A moment is all that a round waits for the next question; on a busy machine
		// that comes later now and then.
		for try := 1; ; try++ {
			r := say(t, c, fmt.Sprint(both, "\ntry ", try))
			if len(r.InputRequests) == 2 && r.RequestState != "" {
				break
			}
			if try == 10 {
				t.Fatalf("the round has %d questions", len(r.InputRequests))
			}
		}
	})
}

func TestADeclinedQuestionIsDeclined(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	inBothEras(t, func(t *testing.T, era string) {
		screen := &shown{answer: func(*mcp.ElicitParams) *mcp.ElicitResult { return &mcp.ElicitResult{Action: "decline"} }}
		r := say(t, n.connect(t, clientOptions{era: era, person: screen.person}), booking)
		all := n.questions(t)
		if last := all[len(all)-1]; last.Outcome == nil || last.Outcome.Action != parley.Decline || last.Outcome.By != "alice" {
			t.Errorf("the question ended %+v", last.Outcome)
		}
		if !strings.Contains(text(r), "book: decline") {
			t.Errorf("got %q", text(r))
		}
	})
}

// The question stays with the person's other surfaces, and the same call later
// has the answer.
func TestAClientThatCannotAskIsToldAndFindsTheAnswerLater(t *testing.T) {
	inBothEras(t, func(t *testing.T, era string) {
		n := newWorld(t).node(t, mcptool.Options{})
		c := n.connect(t, clientOptions{era: era})
		for range 2 {
			r, err := c.CallTool(t.Context(), saying(booking))
			var wire *jsonrpc.Error
			switch {
			case era == modern && (!errors.As(err, &wire) || wire.Code != mcptool.CodeMissingCapability):
				t.Fatalf("got %v", err)
			case era == legacy && (err != nil || !r.IsError || !strings.Contains(text(r), "does not support elicitation")):
				t.Fatalf("got %+v, %v", r, err)
			}
			if all := n.questions(t); len(all) != 1 || !all[0].Pending() {
				t.Fatalf("the person is asked %+v", all)
			}
		}
		q := n.open(t, 1)[0]
		if err := n.Hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"to":"Oslo"}`), Via: "inbox"}); err != nil {
			t.Fatal(err)
		}
		r := say(t, c, booking)
		if !strings.Contains(text(r), "book: accept Oslo") || len(n.questions(t)) != 1 {
			t.Errorf("got %q", text(r))
		}
		history(t, n, output(t, r).Conversation, 1)
	})
}

func TestAClientThatCannotAskIsSentToThePage(t *testing.T) {
	inBothEras(t, func(t *testing.T, era string) {
		w := newWorld(t)
		n := w.node(t, mcptool.Options{Fallback: mcptool.Page})
		c := n.connect(t, clientOptions{era: era})
		r := say(t, c, order)
		q := n.open(t, 1)[0]
		if !strings.Contains(text(r), n.url+"/answer/"+string(q.ID)) || !strings.Contains(text(r), "[shop] ") {
			t.Fatalf("got %q", text(r))
		}
		if err := n.Hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"decision":"allow_once"}`), Via: "page"}); err != nil {
			t.Fatal(err)
		}
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "waitForElicitationResult", Arguments: map[string]any{"elicitId": q.ID}})
		if err != nil || text(r) != "ordered pens" || w.orders.Load() != 1 {
			t.Errorf("got %+v, %v", r, err)
		}
	})
}

func TestAnAnswerElsewhereTakesTheQuestionOffTheClient(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	closed := make(chan struct{})
	c := n.connect(t, clientOptions{era: legacy, person: func(ctx context.Context, _ *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		q := n.open(t, 1)[0]
		if err := n.Hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"to":"Bern"}`), Via: "inbox"}); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		close(closed)
		return nil, ctx.Err()
	}})
	if r := say(t, c, booking); !strings.Contains(text(r), "book: accept Bern") {
		t.Errorf("got %q", text(r))
	}
	<-closed
}

func TestAnAnswerElsewhereCountsWhenTheClientComesBack(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	c := n.connect(t, clientOptions{era: modern, manual: true, person: (&shown{}).person})
	r := say(t, c, booking)
	q := n.open(t, 1)[0]
	if err := n.Hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"to":"Bern"}`), Via: "inbox"}); err != nil {
		t.Fatal(err)
	}
	again := retry(r, booking, map[string]any{"to": "Rome"})
	r, err := c.CallTool(t.Context(), again)
	if err != nil || !strings.Contains(text(r), "book: accept Bern") {
		t.Errorf("got %+v, %v", r, err)
	}
}

// retry is the call again, with an answer to its questions.
func retry(r *mcp.CallToolResult, message string, content map[string]any) *mcp.CallToolParams {
	p := saying(message)
	p.RequestState, p.InputResponses = r.RequestState, mcp.InputResponseMap{}
	for key := range r.InputRequests {
		p.InputResponses[key] = &mcp.ElicitResult{Action: "accept", Content: content}
	}
	return p
}

func TestAnotherPersonCannotGoOnWithAStolenState(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	r := say(t, n.connect(t, clientOptions{era: modern, manual: true, person: (&shown{}).person}), booking)
	for _, thief := range []string{"bob", "other:alice"} {
		c := n.connect(t, clientOptions{era: modern, user: thief, manual: true, person: (&shown{}).person})
		_, err := c.CallTool(t.Context(), retry(r, booking, map[string]any{"to": "Rome"}))
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s got %v", thief, err)
		}
	}
	if q := n.open(t, 1)[0]; !q.Pending() {
		t.Error("the question was answered")
	}
}

// A client that dies comes back with the same call, not with a state.
func TestAClientThatDiedTakesUpItsRun(t *testing.T) {
	inBothEras(t, func(t *testing.T, era string) {
		n := newWorld(t).node(t, mcptool.Options{})
		ctx, die := context.WithCancel(t.Context())
		asked, dead := make(chan string, 1), make(chan struct{})
		first := n.connect(t, clientOptions{era: era, person: func(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			asked <- p.Message
			<-dead
			return nil, errors.New("nobody is there any more")
		}})
		over := make(chan struct{})
		go func() {
			defer close(over)
			_, _ = first.CallTool(ctx, saying(booking))
		}()
		<-asked
		before := n.open(t, 1)[0]
		n.waiting(t, before)
		die()
		defer func() { <-over }()
		defer close(dead)
		screen := &shown{answer: accepts(map[string]any{"to": "Rome"})}
		second := n.connect(t, clientOptions{era: era, person: screen.person})
		r := say(t, second, booking)
		if !strings.Contains(text(r), "book: accept Rome") {
			t.Errorf("got %q", text(r))
		}
		if all := n.questions(t); len(all) != 1 || all[0].ID != before.ID {
			t.Errorf("asked %+v", all)
		}
		history(t, n, output(t, r).Conversation, 1)
	})
}

func TestAnotherNodeGoesOnWithTheRunAndItsQuestion(t *testing.T) {
	w := newWorld(t)
	one := w.node(t, mcptool.Options{})
	r := say(t, one.connect(t, clientOptions{era: modern, manual: true, person: (&shown{}).person}), order)
	asked := one.open(t, 1)[0]
	other := w.node(t, mcptool.Options{})
	one.stop()
	c := other.connect(t, clientOptions{era: modern, manual: true, person: (&shown{}).person})
	r, err := c.CallTool(t.Context(), retry(r, order, allowOnce))
	if err != nil || text(r) != "ordered pens" || w.orders.Load() != 1 {
		t.Fatalf("got %+v, %v, ordered %d times", r, err, w.orders.Load())
	}
	if all := other.questions(t); len(all) != 1 || all[0].ID != asked.ID {
		t.Errorf("asked %+v", all)
	}
	history(t, other, output(t, r).Conversation, 1)
}

// The client of a node that died calls again, at another one.
func TestANodeThatDiedWhileItsClientWasAskedIsReplaced(t *testing.T) {
	w := newWorld(t)
	one := w.node(t, mcptool.Options{})
	asked, over := make(chan struct{}), make(chan struct{})
	first := one.connect(t, clientOptions{era: legacy, person: func(ctx context.Context, _ *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		close(asked)
		<-over
		return nil, errors.New("nobody is there any more")
	}})
	defer close(over)
	go func() { _, _ = first.CallTool(t.Context(), saying(order)) }()
	<-asked
	before := one.open(t, 1)[0]
	one.waiting(t, before)
	one.die()
	other := w.node(t, mcptool.Options{})
	screen := &shown{answer: accepts(allowOnce)}
	r := say(t, other.connect(t, clientOptions{era: legacy, person: screen.person}), order)
	if text(r) != "ordered pens" || w.orders.Load() != 1 {
		t.Errorf("got %q, ordered %d times", text(r), w.orders.Load())
	}
	if all := other.questions(t); len(all) != 1 || all[0].ID != before.ID {
		t.Errorf("asked %+v", all)
	}
	history(t, other, output(t, r).Conversation, 1)
}

// A process may die before any of its writes. The same call, at another node,
// ends with one run.
func TestACallThatBreaksOffAtAnyWriteStartsOneRun(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	broke := 0
	for at := range 4 {
		message := fmt.Sprint("hello ", at)
		c := n.dying(t, &dying{Records: n.Hub.Records(), after: at}).connect(t, clientOptions{era: modern})
		r, err := c.CallTool(t.Context(), saying(message))
		if err != nil || r.IsError {
			broke++
			r = say(t, n.connect(t, clientOptions{era: modern}), message)
		}
		if text(r) != "You said: "+message {
			t.Errorf("write %d: got %q", at, text(r))
		}
		runs, err := n.Hub.Records().Scan(t.Context(), parley.Address{Tenant: "default", Kind: "run", Key: "alice/"}, "", 0)
		if err != nil || len(runs) != at+1 {
			t.Fatalf("write %d: there are %d runs, %v", at, len(runs), err)
		}
	}
	if broke < 2 {
		t.Errorf("only %d calls broke off", broke)
	}
}

func TestATaskAsksAndGoesOn(t *testing.T) {
	w := newWorld(t)
	n := w.node(t, mcptool.Options{})
	task := n.rpc(t, "tools/call", map[string]any{"name": "assistant", "arguments": map[string]any{"message": order}})
	q := n.open(t, 1)[0]
	id := map[string]any{"taskId": task["taskId"]}
	soon(t, "the task asks", func() bool { return n.rpc(t, "tasks/get", id)["status"] == "input_required" })
	if raw, _ := json.Marshal(n.rpc(t, "tasks/get", id)["inputRequests"]); !strings.Contains(string(raw), "[shop] ") || !strings.Contains(string(raw), "pens") {
		t.Errorf("it shows %s", raw)
	}
	n.rpc(t, "tasks/update", map[string]any{"taskId": task["taskId"], "inputResponses": map[string]any{
		string(q.ID): map[string]any{"action": "accept", "content": allowOnce},
	}})
	soon(t, "the task ends", func() bool { return n.rpc(t, "tasks/get", id)["status"] == "completed" })
	if raw, _ := json.Marshal(n.rpc(t, "tasks/get", id)["result"]); !strings.Contains(string(raw), "ordered pens") || w.orders.Load() != 1 {
		t.Errorf("got %s", raw)
	}
}

func TestAFailureIsExplained(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	inBothEras(t, func(t *testing.T, era string) {
		c := n.connect(t, clientOptions{era: era})
		if r := say(t, c, "fall over"); !r.IsError || !strings.Contains(text(r), "The model fell over.") {
			t.Errorf("got %q", text(r))
		}
		if r := say(t, c, "  "); !r.IsError || !strings.Contains(text(r), "message is empty") {
			t.Errorf("got %q", text(r))
		}
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "assistant", Arguments: agentmcp.Input{Message: "x", Conversation: strings.Repeat("c", 300)}})
		if err != nil || !r.IsError || !strings.Contains(text(r), "at most 200 bytes") {
			t.Errorf("got %+v, %v", r, err)
		}
	})
}

func TestOnlyPeopleReachAgentsAndOnlyThoseThatAreThere(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	for name, c := range map[string]struct {
		token, agent string
		want         int
	}{
		"nobody":           {"", "assistant", http.StatusUnauthorized},
		"a service":        {"Bearer a-service", "assistant", http.StatusUnauthorized},
		"a session's name": {"Bearer default:mcp-session:x", "assistant", http.StatusUnauthorized},
		"nobody, no agent": {"", "nonesuch", http.StatusUnauthorized},
		"no such agent":    {"Bearer alice", "nonesuch", http.StatusNotFound},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, n.url+"/mcp/agents/"+c.agent, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		r.Close = true
		if c.token != "" {
			r.Header.Set("Authorization", c.token)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		var body map[string]string
		err = json.NewDecoder(answer.Body).Decode(&body)
		answer.Body.Close()
		if answer.StatusCode != c.want || err != nil || body["error"] == "" {
			t.Errorf("%s: %d %v %v", name, answer.StatusCode, body, err)
		}
	}
}

// post sends a message by hand and returns the answer's status and headers.
func post(t *testing.T, url string, headers map[string]string) (int, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Close = true
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode, answer.Header
}

func TestASessionIsOfThePersonWhoBeganIt(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	session := n.connect(t, clientOptions{era: legacy}).ID()
	for who, want := range map[string]int{"alice": http.StatusOK, "bob": http.StatusForbidden, "other:alice": http.StatusForbidden} {
		got, _ := post(t, n.url+"/mcp/agents/assistant", map[string]string{"Authorization": "Bearer " + who, "Mcp-Session-Id": session, "Mcp-Protocol-Version": legacy})
		if got != want {
			t.Errorf("%s: %d, want %d", who, got, want)
		}
	}
	// Nor does it lead to another agent.
	if got, _ := post(t, n.url+"/mcp/agents/clerk", map[string]string{"Authorization": "Bearer alice", "Mcp-Session-Id": session, "Mcp-Protocol-Version": legacy}); got != http.StatusNotFound {
		t.Errorf("at another agent: %d", got)
	}
}

func TestASessionIsReachedThroughAnyNode(t *testing.T) {
	w := newWorld(t)
	one, other := w.node(t, mcptool.Options{}), w.node(t, mcptool.Options{})
	session := one.connect(t, clientOptions{era: legacy}).ID()
	through := func(who string) int {
		t.Helper()
		status, _ := post(t, other.url+"/mcp/agents/assistant", map[string]string{"Authorization": "Bearer " + who, "Mcp-Session-Id": session, "Mcp-Protocol-Version": legacy})
		return status
	}
	// The nodes know each other a moment after they serve.
	soon(t, "alice reaches her session", func() bool { return through("alice") == http.StatusOK })
	if got := through("bob"); got != http.StatusForbidden {
		t.Errorf("bob: %d", got)
	}
}

func TestNobodyIsToldANodesNameWithoutACredential(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	for _, name := range []string{"assistant", "-"} {
		status, header := post(t, n.url+"/mcp/agents/"+name, map[string]string{"Parley-Probe": "x"})
		if status != http.StatusUnauthorized || header.Get("Parley-Node") != "" {
			t.Errorf("%s: %d %v", name, status, header)
		}
	}
}

func TestWithoutAWayToKnowPeopleNothingIsOffered(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	if _, err := agentmcp.New(n.Agents, n.Hub, nil); err == nil {
		t.Error("agents were offered to anybody")
	}
}
