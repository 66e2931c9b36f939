package mcptool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// post sends a body as it is, with other headers where they are given, and returns what
// is said to it.
func (w *wire) post(t *testing.T, body string, header map[string]string) (status int, said string) {
	t.Helper()
	r := w.request(t.Context(), []byte(body))
	for name, value := range header {
		r.Header.Set(name, value)
	}
	response, err := w.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(b)
}

// askingAlice is a site whose tool asks her, her client, the call, and the id that the
// question has there.
func askingAlice(t *testing.T) (s *site, alice *wire, call *exchange, id json.RawMessage) {
	t.Helper()
	s = newSite(t, mcptool.Options{})
	addDelete(s, nil)
	alice = s.dial(t, &wire{capabilities: canAsk, user: "alice"})
	call = alice.call("delete-account", deletion)
	id, _ = call.question()
	return s, alice, call, id
}

// wantConfirmed reports a call that has no yes.
func wantConfirmed(t *testing.T, call *exchange) {
	t.Helper()
	if got := structured[deleted](t, call.result()); !got.Confirmed {
		t.Errorf("got %+v", got)
	}
}

// Ids of questions are counted, and so the same in every session.
func TestAnAnswerIsForAQuestionOfItsSessionAndPerson(t *testing.T) {
	s, alice, call, id := askingAlice(t)
	bob := s.dial(t, &wire{capabilities: canAsk, user: "bob"})
	theirs := bob.call("delete-account", deletion)
	if of, _ := theirs.question(); string(of) != string(id) {
		t.Fatalf("ids %s and %s: this test is about equal ones", id, of)
	}
	bob.answer(id, `{"action":"decline"}`)
	if got := structured[deleted](t, theirs.result()); got.Status != "decline" {
		t.Errorf("Bob declined, and his call has %+v", got)
	}
	for name, mallory := range map[string]*wire{
		"another session of Alice's":          s.dial(t, &wire{capabilities: canAsk, user: "alice"}),
		"a session of nobody's":               s.dial(t, &wire{capabilities: canAsk}),
		"Alice's session with Bob's token":    {t: t, url: alice.url, era: alice.era, user: "bob", session: alice.session, http: alice.http, ids: alice.ids},
		"Alice's session without a token":     {t: t, url: alice.url, era: alice.era, session: alice.session, http: alice.http, ids: alice.ids},
		"a session that Alice has ended then": {t: t, url: alice.url, era: alice.era, user: "alice", session: alice.session + "x", http: alice.http, ids: alice.ids},
	} {
		status := mallory.answer(id, `{"action":"accept","content":{"confirmed":true}}`)
		if open := stillPending(t, s); open != 1 {
			t.Fatalf("%s: HTTP %d, and %d questions are open", name, status, open)
		}
	}
	alice.answer(id, yes)
	wantConfirmed(t, call)
}

func stillPending(t *testing.T, s *site) (n int) {
	t.Helper()
	for _, q := range asked(t, s) {
		if q.Pending() {
			n++
		}
	}
	return n
}

// What a log or a proxy takes for a no is no yes here, and what is no message of this
// session's version is none here either.
func TestAnAnswerHasOneReading(t *testing.T) {
	s, alice, call, id := askingAlice(t)
	accept := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"confirmed":true}}}`, id)
	for _, c := range []struct {
		body   string
		header map[string]string
		want   int
	}{
		{fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"decline","action":"accept","content":{"confirmed":true}}}`, id), nil, 400},
		{fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"decline","Action":"accept","content":{"confirmed":true}}}`, id), nil, 400},
		{fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"confirmed":false,"confirmed":true}}}`, id), nil, 400},
		{fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"decline"},"Result":{"action":"accept","content":{"confirmed":true}}}`, id), nil, 400},
		{accept + "x", nil, 400},
		{accept, map[string]string{"Content-Type": "text/plain"}, 415},
		{accept, map[string]string{"Mcp-Protocol-Version": "2020-01-01"}, 400},
		{accept, map[string]string{"Origin": "https://evil.example"}, 403},
		{strings.Replace(accept, string(id), `"`+string(id)+`"`, 1), nil, 202}, // nobody's: it is another id
		{strings.Replace(accept, string(id), string(id)+"1", 1), nil, 202},
	} {
		if got, _ := alice.post(t, c.body, c.header); got != c.want || stillPending(t, s) != 1 {
			t.Errorf("%s with %v: HTTP %d, want %d; %d questions are open", c.body, c.header, got, c.want, stillPending(t, s))
		}
	}
	if got, _ := alice.post(t, strings.Replace(accept, string(id), string(id)+".0", 1), nil); got != http.StatusAccepted {
		t.Errorf("HTTP %d", got)
	}
	wantConfirmed(t, call)
}

func TestOnlyTheFirstAnswerToAPromptCounts(t *testing.T) {
	_, alice, call, id := askingAlice(t)
	for i := range 3 {
		result := yes
		if i > 0 {
			result = `{"action":"decline"}`
		}
		if got := alice.answer(id, result); got != http.StatusAccepted {
			t.Errorf("answer %d: HTTP %d", i, got)
		}
	}
	wantConfirmed(t, call)
}

// When the answer was taken it is in the store.
func TestAnAnswerThatWasTakenIsStored(t *testing.T) {
	s, alice, call, id := askingAlice(t)
	if got := alice.answer(id, yes); got != http.StatusAccepted || stillPending(t, s) != 0 {
		t.Errorf("HTTP %d, and %d questions are open", got, stillPending(t, s))
	}
	call.end()
}

// Words are told apart by their letters, digits by all of them.
func TestTheContentOfAnAnswerStaysAsItWasWritten(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addRaw(s, `{"type":"object","properties":{"n":{"type":"integer"},"text":{"type":"string"}}}`)
	alice := s.dial(t, &wire{capabilities: canAsk, user: "alice"})
	call := alice.call("ask", "")
	id, _ := call.question()
	alice.answer(id, `{"_meta":{"x":1},"content":{"text":"ä\u00e4<>\u2028","n":9007199254740993},"action":"accept"}`)
	call.end()
	var got struct {
		N    json.Number
		Text string
	}
	content := asked(t, s)[0].Outcome.Content
	if err := json.Unmarshal(content, &got); err != nil || got.N != "9007199254740993" || got.Text != "ää<>\u2028" {
		t.Errorf("stored %s: %+v, %v", content, got, err)
	}
}

// addRaw adds a tool that asks with a form of this schema.
func addRaw(s *site, schema string) {
	addAsk(s, func(ctx context.Context, call *mcptool.Call) error {
		_, err := mcptool.ElicitRaw(ctx, call, "Well?", json.RawMessage(schema), nil)
		return err
	})
}

func addAsk(s *site, ask func(context.Context, *mcptool.Call) error) {
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "ask"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (struct{}, error) {
		return struct{}{}, ask(ctx, call)
	})
}

// A question that is settled elsewhere goes from the screen before its call ends: what
// comes behind the end of the call, nobody reads.
func TestAQuestionThatIsSettledElsewhereGoesFirst(t *testing.T) {
	s, alice, call, id := askingAlice(t)
	s.answered(t, asked(t, s)[0].ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`), Via: "page"})
	m := call.next()
	if m.Method != "notifications/cancelled" || !strings.Contains(string(m.Params), `"requestId":`+string(id)) {
		t.Errorf("got %s %s, want the prompt taken back", m.Method, m.Params)
	}
	call.end()
	if got := alice.answer(id, `{"action":"decline"}`); got != http.StatusAccepted {
		t.Errorf("an answer that comes late: HTTP %d", got)
	}
}

func TestASessionThatEndsWithAQuestionEndsTheCall(t *testing.T) {
	for user, open := range map[string]int{"": 0, "alice": 1} { // a person may come back for it
		t.Run(user, func(t *testing.T) {
			s := newSite(t, mcptool.Options{})
			over := make(chan error, 1)
			addAsk(s, func(ctx context.Context, call *mcptool.Call) error {
				_, err := mcptool.Elicit[confirm](ctx, call, "Sure?", nil)
				over <- err
				return err
			})
			client := s.dial(t, &wire{capabilities: canAsk, user: user})
			client.call("ask", "").question()
			if got := client.close(); got != http.StatusNoContent {
				t.Errorf("HTTP %d", got)
			}
			select {
			case err := <-over:
				if err == nil {
					t.Error("the handler has an answer")
				}
			case <-time.After(patience):
				t.Fatal("the call goes on")
			}
			soon(t, "what is left open is what may be answered", func() bool { return stillPending(t, s) == open })
		})
	}
}

// What a client that gave its call up has on the screen it may still answer, until its
// session ends.
func TestAQuestionOnTheScreenEndsWithItsSession(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addDelete(s, nil)
	client := s.dial(t, &wire{capabilities: canAsk})
	call := client.call("delete-account", deletion)
	call.question()
	call.giveUp(s)
	if open := stillPending(t, s); open != 1 {
		t.Fatalf("%d questions are open", open)
	}
	client.close()
	soon(t, "nobody's question is withdrawn", func() bool { return stillPending(t, s) == 0 })
}

// A client that says something else than an answer has not said yes.
func TestWhatIsNoAnswerEndsTheQuestion(t *testing.T) {
	for _, result := range []string{`{}`, `{"action":1,"content":{"confirmed":true}}`, `{"action":"yes","content":{"confirmed":true}}`, `[]`, `null`, `"accept"`} {
		t.Run(result, func(t *testing.T) {
			s, alice, call, id := askingAlice(t)
			alice.answer(id, result)
			if m := call.end(); strings.Contains(string(m.Result), `"confirmed":true`) || stillPending(t, s) != 0 {
				t.Errorf("result %s; %d questions are open", m.Result, stillPending(t, s))
			}
		})
	}
}
