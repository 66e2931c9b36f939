package mcptool_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// dies has a node that was known to the others end without signing off.
func dies(t *testing.T, store parley.Records) {
	t.Helper()
	_, err := store.Save(t.Context(), parley.Record{
		Address: parley.Address{Kind: "mcp.node", Key: "thisnodehasdied1"}, Data: []byte(`{"url":"http://127.0.0.1:1"}`), Expires: time.Now().Add(3 * time.Second),
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The answer went to a node that died with it, and the client does not send it again.
func TestAQuestionWhoseAnswerMayHaveDiedWithANodeIsAskedOnceMore(t *testing.T) {
	nodes := pair(t, mcptool.Options{})
	for _, n := range nodes {
		addDelete(n.site, nil)
	}
	w := nodes[0].dial(t, &wire{capabilities: canAsk, user: "alice"})
	w.through(nodes[1]).send(map[string]any{"method": "notifications/progress", "params": map[string]any{"progressToken": 1, "progress": 1}})
	x := w.call("delete-account", `{"userId":"7"}`)
	first, shown := x.question()
	open := openQuestions(t, nodes[0].site)
	dies(t, nodes[0].store)

	var cancelled struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	var again message
	for again.Method == "" || cancelled.RequestID == nil { // in either order
		switch m := x.next(); m.Method {
		case "elicitation/create":
			again = m
		case "notifications/cancelled":
			if err := json.Unmarshal(m.Params, &cancelled); err != nil {
				t.Fatal(err)
			}
		}
	}
	if string(cancelled.RequestID) != string(first) {
		t.Errorf("request %s is asked again, and %s was taken back", first, cancelled.RequestID)
	}
	var params struct{ Message string }
	if err := json.Unmarshal(again.Params, &params); err != nil || params.Message != shown.Message {
		t.Errorf("%s, %v", again.Params, err)
	}
	if now := openQuestions(t, nodes[0].site); len(now) != 1 || now[0].ID != open[0].ID {
		t.Errorf("it is another question: %v, then %v", open, now)
	}
	w.through(nodes[1]).answer(again.ID, yes)
	if got := structured[deleted](t, x.result()); !got.Confirmed {
		t.Errorf("got %+v", got)
	}
}

// Whose clients all come straight to it has nothing to ask again.
func TestAQuestionIsNotAskedAgainWhereNothingComesByOtherNodes(t *testing.T) {
	nodes := pair(t, mcptool.Options{})
	addDelete(nodes[0].site, nil)
	w := nodes[0].dial(t, &wire{capabilities: canAsk, user: "alice"})
	x := w.call("delete-account", `{"userId":"7"}`)
	id, _ := x.question()
	died := make(chan struct{}, 10)
	defer nodes[0].asker.Node().OnDeath(func() { died <- struct{}{} })()
	dies(t, nodes[0].store)
	<-died
	w.answer(id, yes)
	for m := x.next(); m.Method != ""; m = x.next() {
		if m.Method == "elicitation/create" || m.Method == "notifications/cancelled" {
			t.Errorf("the client got %s", m.Method)
		}
	}
}
