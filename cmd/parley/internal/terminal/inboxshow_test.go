package terminal

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// bank is a server where two of three decide about the calls of others.
func bank(t *testing.T) *node {
	t.Helper()
	return nodes(t, 1, `rules: [{name: money, approvers: "2 of [bob, carol, dora]", ttl: 1h}]`)[0]
}

// waits is a call of ned's that waits for its approvers.
func (n *node) waits(call string) parley.Request {
	n.t.Helper()
	d, q, err := n.Permits.Await(n.t.Context(), permit.Never, permit.Call{User: "ned", Server: "bank", Tool: "transfer", Args: json.RawMessage(`{"amount":` + call + `}`), ID: call})
	if err != nil || !d.Ask() {
		n.t.Fatalf("%+v, %v", d, err)
	}
	if q, err = n.Hub.Open(n.t.Context(), q); err != nil {
		n.t.Fatal(err)
	}
	return q
}

// decides is an approver in a terminal: 1 allows the only call, 2 denies it.
func (n *node) decides(approver, choice string) (id parley.ID) {
	n.t.Helper()
	open, err := n.Hub.List(n.t.Context(), parley.Principal{User: approver}, parley.Query{Pending: true})
	if err != nil || len(open) != 1 {
		n.t.Fatalf("%s: %+v, %v", approver, open, err)
	}
	if got, err := inboxOf(n.t, []string{"--server", n.url, "--user", approver, "answer", string(open[0].ID)}, choice, ""); err != nil || !strings.Contains(got, "Sent.") {
		n.t.Fatalf("%s, %v", got, err)
	}
	return open[0].ID
}

func TestADateAndATimeAreAskedForByAnExampleThatIsTaken(t *testing.T) {
	home(t)
	n := nodes(t, 1)[0]
	for _, c := range []struct{ format, example string }{{"date", "2026-12-24"}, {"date-time", "2026-12-24T18:30:00Z"}, {"date-time", "2026-12-24T18:30:00+01:00"}} {
		schema := `{"type":"object","properties":{"departure":{"type":"string","format":"` + c.format + `"}},"required":["departure"]}`
		q, err := n.Hub.Open(t.Context(), parley.Request{To: "alice", From: "trains", Message: "When?", Schema: json.RawMessage(schema)})
		if err != nil {
			t.Fatal(err)
		}
		got, err := inboxOf(t, []string{"--server", n.url, "--user", "alice", "answer", string(q.ID)}, c.example)
		if err != nil {
			t.Fatal(err)
		}
		inOrder(t, got, "departure * (date", "such as", c.example, "): ", "Sent.")
		if o := n.outcome(q.ID); o == nil || string(o.Content) != `{"departure":"`+c.example+`"}` {
			t.Errorf("%s: %+v", c.example, o)
		}
	}
}

func TestACallThatWaitsForOthersIsListedShownAndTakenBack(t *testing.T) {
	home(t)
	n := bank(t)
	q := n.waits("50")
	ned := []string{"--server", n.url, "--user", "ned"}
	got, err := inboxOf(t, ned)
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, got, "others decide (transfer): Waiting for 2 of bob, carol and dora to allow this call. { \"amount\": 50 }\n", string(q.ID))
	if got, err = inboxOf(t, append(ned, "--json")); err != nil || !strings.Contains(got, `"trigger":"approvers"`) || !strings.Contains(got, string(q.ID)) {
		t.Errorf("%s, %v", got, err)
	}
	n.decides("carol", "1")
	if got, err = inboxOf(t, append(ned, "show", string(q.ID))); err != nil {
		t.Fatal(err)
	}
	inOrder(t, got, `"amount": 50`, "open until", "of whom 2 must allow it:\n    bob: nothing so far\n    carol: allowed once (", ")\n    dora: nothing so far\n",
		"take it back with: parley inbox answer "+string(q.ID)+"\n", "/answer/"+string(q.ID))
	if strings.Contains(got, "answer it with") {
		t.Errorf("there is nothing to answer: %s", got)
	}
	if got, err = inboxOf(t, append(ned, "answer", string(q.ID)), "y", "d"); err != nil {
		t.Fatal(err)
	}
	inOrder(t, got, "Others decide: you can take it back", "Sent.")
	if got, err = inboxOf(t, append(ned, "show", string(q.ID))); err != nil {
		t.Fatal(err)
	}
	inOrder(t, got, "  taken back", ", by you (")
}

func TestACallThatBeginsToWaitForOthersComesToTheLiveList(t *testing.T) {
	home(t)
	n := bank(t)
	at := sitAt(t, true, "--server", n.url, "--user", "ned")
	at.await(t, "number to answer")
	n.waits("50")
	at.await(t, "  1  now  bank              others decide (transfer): ")
	n.decides("bob", "1")
	n.decides("carol", "1")
	at.await(t, "  1  is closed: bob and carol allowed it (")
	_ = at.keys.Close()
	if err := at.ends(); err != nil {
		t.Error(err)
	}
}

func TestHowAQuestionEndedIsSaid(t *testing.T) {
	home(t)
	n := bank(t)
	show := func(user string, id parley.ID, want string) {
		t.Helper()
		got, err := inboxOf(t, []string{"--server", n.url, "--user", user, "show", string(id)})
		if err != nil || !strings.Contains(got, "\n  "+want) {
			t.Errorf("no %q: %s, %v", want, got, err)
		}
		for _, one := range []string{"open until", "/d declines", "Decision", "answer it"} {
			if strings.Contains(got, one) {
				t.Errorf("it is settled, and says %q: %s", one, got)
			}
		}
	}
	const at = " (20" // and the rest of the time
	allowed := n.waits("50")
	late, err := n.Hub.List(t.Context(), parley.Principal{User: "bob"}, parley.Query{Pending: true})
	if err != nil || len(late) != 1 {
		t.Fatalf("%+v, %v", late, err)
	}
	form := sitAt(t, false, "--server", n.url, "--user", "bob", "answer", string(late[0].ID))
	form.await(t, "Allow once")
	mine := n.decides("carol", "1")
	n.decides("dora", "1")
	form.await(t, "This question is no longer asked: carol and dora allowed it (")
	if err := form.ends(); err != nil {
		t.Error(err)
	}
	show("ned", allowed.ID, "closed: carol and dora allowed it"+at)
	show("bob", late[0].ID, "no longer asked: carol and dora allowed it"+at)
	show("carol", mine, "allowed once in a terminal, by you"+at)

	denied := n.waits("60")
	n.decides("bob", "2")
	n.decides("dora", "2")
	show("ned", denied.ID, "closed: bob and dora denied it"+at)

	// A question that somebody withdrew was not answered too late.
	open := n.waits("65")
	asked, err := n.Hub.List(t.Context(), parley.Principal{User: "bob"}, parley.Query{Pending: true})
	if err != nil || len(asked) != 1 {
		t.Fatalf("%+v, %v", asked, err)
	}
	if err := n.Hub.Cancel(t.Context(), asked[0].ID, "by an administrator"); err != nil {
		t.Fatal(err)
	}
	seen, err := inboxOf(t, []string{"--server", n.url, "--user", "ned", "show", string(open.ID)})
	if err != nil || !strings.Contains(seen, "\n    bob: no longer asked: by an administrator\n") {
		t.Errorf("%s, %v", seen, err)
	}

	expired := n.waits("70").ID
	if err := n.Hub.Resolve(t.Context(), expired, parley.Decline, permit.TooFewAnswered); err != nil {
		t.Fatal(err)
	}
	show("ned", expired, "expired: too few approvers answered in time"+at)
	withdrawn := n.ask("Which colour?")
	if err := n.Hub.Cancel(t.Context(), withdrawn, "answered by bob"); err != nil {
		t.Fatal(err)
	}
	show("alice", withdrawn, "no longer asked: answered by bob"+at)
}
