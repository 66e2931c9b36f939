package permit_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// quorum needs some of these people for every transfer.
func quorum(need int, of ...string) *permit.Options {
	return &permit.Options{Conditions: []permit.Condition{
		{Name: "transfers", Tool: "transfer", Approvers: &permit.Approvers{Need: need, Of: of}},
	}}
}

// gather gathers for a call and returns the open questions by approver.
func (s *site) gather(t testing.TB, c permit.Call, want permit.Status) (permit.Decision, map[string]parley.Request) {
	t.Helper()
	d, ids, err := s.Gather(t.Context(), permit.Never, c)
	if err != nil || d.Status != want || d.Reason == "" {
		t.Errorf("Gather = %+v, %v; want %s", d, err, want)
	}
	open := map[string]parley.Request{}
	for _, id := range ids {
		q, err := s.store.Get(t.Context(), id)
		if err != nil || !q.Pending() {
			t.Errorf("question %s: %+v, %v", id, q, err)
		}
		open[q.To] = q
	}
	if len(open) != len(ids) {
		t.Errorf("%d questions for %d people", len(ids), len(open))
	}
	return d, open
}

// questions lists all questions that were ever asked of people, and how they
// ended.
func (s *site) questions(t testing.TB, people ...string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, who := range people {
		list, err := s.hub.List(t.Context(), parley.Principal{User: who}, parley.Query{})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range list {
			end := "open"
			if !q.Pending() {
				end = string(q.Outcome.Action)
			}
			all[who] = append(all[who], end)
		}
	}
	return all
}

func people(open map[string]parley.Request) string {
	var names []string
	for name := range open {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestEnoughApproversAllowACallOnce(t *testing.T) {
	s := newSite(t, quorum(2, "bob", "carol", "dave"))
	d := s.wantCheck(t, transfer(), permit.Required)
	if !d.Ask() || d.Approvers.String() != "2 of [bob, carol, dave]" || d.Have != 0 || !strings.Contains(d.Reason, "2 of 3") {
		t.Errorf("%+v", d)
	}
	d, open := s.gather(t, transfer(), permit.Required)
	if people(open) != "bob carol dave" || d.Have != 0 {
		t.Errorf("asked %s, %+v", people(open), d)
	}
	s.answer(t, open["carol"], says(permit.AllowOnce))
	s.wantRefused(t, transfer(), permit.Required)
	d, still := s.gather(t, transfer(), permit.Required)
	if people(still) != "bob dave" || d.Have != 1 || still["bob"].ID != open["bob"].ID {
		t.Errorf("asked %s, %+v", people(still), d)
	}
	s.wantRefused(t, transfer(), permit.Required)
	s.answer(t, open["bob"], says(permit.AllowOnce))
	s.wantRefused(t, transfer(), permit.Required) // said, and not heard yet
	d, _ = s.again(t, quorum(2, "dave", "carol", "bob")).gather(t, transfer(), permit.Granted)
	if d.Have != 2 || d.Grant == "" {
		t.Errorf("%+v", d)
	}
	want := map[string][]string{"bob": {"accept"}, "carol": {"accept"}, "dave": {"cancel"}}
	if diff := cmp.Diff(want, s.questions(t, "alice", "bob", "carol", "dave")); diff != "" {
		t.Error(diff)
	}
	s.wantCheck(t, transfer(), permit.Granted)
	s.wantExecuted(t, transfer())
	wantError(t, s.execute(t, transfer()), permit.ErrConsumed)
	_, _, err := s.Gather(t.Context(), permit.Never, transfer())
	wantError(t, err, permit.ErrConsumed)
	if n := s.server.count(); n != 1 {
		t.Errorf("executed %d times", n)
	}
}

func TestAnApproverReadsThatNobodyIsKnownToAsk(t *testing.T) {
	for user, want := range map[string]string{
		parley.SessionPrincipal("", "4f1").User: "\nAsked by: somebody who is not signed in (mcp-session:4f1)\n",
		"somebody who is not signed in":         "\nAsked by: \"somebody who is not signed in\"\n", // a name as it is
	} {
		s := newSite(t, quorum(1, "bob"))
		_, open := s.gather(t, with(transfer(), func(c *permit.Call) { c.User = user }), permit.Required)
		q, err := s.hub.Get(t.Context(), parley.Principal{User: "bob"}, open["bob"].ID)
		if err != nil || !strings.Contains(q.Message, want) {
			t.Errorf("%q, %v; want %q in it", q.Message, err, want)
		}
	}
}

func TestAnApproverReadsTheWholeCallAndWhoAsks(t *testing.T) {
	s := newSite(t, quorum(1, "bob"))
	c := with(transfer(), func(c *permit.Call) {
		c.Tenant, c.ToolTitle, c.User = "acme", "Send money", "al\u202eice"
		c.Agent, c.Client = "travel", `the "best" client`
	})
	d, ids, err := s.Gather(t.Context(), permit.Never, c)
	if err != nil || len(ids) != 1 {
		t.Fatalf("%+v, %v, %v", d, ids, err)
	}
	q, err := s.hub.Get(t.Context(), parley.Principal{Tenant: "acme", User: "bob"}, ids[0])
	if err != nil {
		t.Fatal(err)
	}
	want := `Allow this call?

Asked by: "al\u202eice"
Agent: travel
Conversation: chat-1
Client: "the \"best\" client"
Rule: transfers
Service: bank
Tool: transfer ("Send money")
Arguments:
{
  "amount": 100,
  "to": "bob"
}`
	if diff := cmp.Diff(want, q.Message); diff != "" {
		t.Error(diff)
	}
	labels := map[string]string{
		permit.LabelServer: "bank", permit.LabelTool: "transfer", permit.LabelAsker: c.User, permit.LabelDigest: digest(t, c),
		permit.LabelQuorum: q.Labels[permit.LabelQuorum], permit.LabelRule: "transfers",
	}
	labels[permit.LabelQuorum] = q.Labels[permit.LabelQuorum]
	if diff := cmp.Diff(labels, q.Labels); diff != "" || labels[permit.LabelQuorum] == "" {
		t.Error(diff)
	}
	form := `{"type":"object","properties":{"decision":{"type":"string","title":"Decision","oneOf":[` +
		`{"const":"allow_once","title":"Allow once"},{"const":"deny","title":"Deny"}]},` +
		`"reason":{"type":"string","title":"What the agent is told","description":"With a denial.","maxLength":1000}},"required":["decision"]}`
	if string(q.Schema) != form || q.Trigger != parley.TriggerApproval || q.From != "bank" || q.Session != "" {
		t.Errorf("%+v", q)
	}
	if err := s.hub.Answer(t.Context(), parley.Principal{Tenant: "acme", User: "bob"}, q.ID, says(permit.AlwaysAllow)); err == nil {
		t.Error("an approver may always allow it")
	}
}

func TestTheAskerDoesNotCount(t *testing.T) {
	s := newSite(t, quorum(2, "alice", "bob", "carol"))
	_, open := s.gather(t, transfer(), permit.Required)
	if people(open) != "bob carol" {
		t.Errorf("asked %s", people(open))
	}
	s.answer(t, open["bob"], says(permit.AllowOnce))
	s.gather(t, transfer(), permit.Required)

	few := newSite(t, quorum(2, "alice", "bob"))
	d, open := few.gather(t, transfer(), permit.Denied)
	if len(open) != 0 || !strings.HasPrefix(d.Reason, "2 approvers must allow this call, and there is 1 besides the person") {
		t.Errorf("%+v, asked %s", d, people(open))
	}
	if d, _ := newSite(t, quorum(1, "alice")).gather(t, transfer(), permit.Denied); !strings.HasPrefix(d.Reason, "1 approver must allow this call, and there is nobody besides the person") {
		t.Errorf("%+v", d)
	}
	few.wantCheck(t, transfer(), permit.Denied)
	few.wantRefused(t, transfer(), permit.Denied)
	if asked := few.questions(t, "alice", "bob"); len(asked) != 0 {
		t.Errorf("asked %v", asked)
	}
	few.gather(t, with(transfer(), func(c *permit.Call) { c.User = "carol" }), permit.Required)
}

// Whatever the asker was asked and said, before the rule or since.
func TestTheAskerCannotApproveAlone(t *testing.T) {
	for _, choice := range []permit.Choice{permit.AllowOnce, permit.AlwaysAllow} {
		plain := newSite(t, nil)
		plain.decided(t, transfer(), choice)
		s := plain.again(t, quorum(1, "alice", "bob"))
		s.wantRefused(t, transfer(), permit.Required)
		other := with(transfer(), func(c *permit.Call) { c.ID = "2" })
		d := s.decided(t, other, choice)
		if d.Status != permit.Required || d.Approvers == nil {
			t.Errorf("%s: Record = %+v", choice, d)
		}
		s.wantRefused(t, other, permit.Required)

		// Nor with a question of an approver's.
		_, open := s.gather(t, other, permit.Required)
		s.answer(t, open["bob"], says(permit.AllowOnce))
		_, err := s.Record(t.Context(), other, open["bob"].ID)
		wantError(t, err, parley.ErrNotFound)
		err = s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, open["bob"].ID, says(permit.AllowOnce))
		wantError(t, err, parley.ErrNotFound)
		s.wantRefused(t, other, permit.Required)
	}
}

func TestAGatheringIsDeniedAsSoonAsItCannotBeReached(t *testing.T) {
	s := newSite(t, quorum(2, "bob", "carol", "dave"))
	_, open := s.gather(t, transfer(), permit.Required)
	s.answer(t, open["bob"], says(permit.Refuse))
	s.gather(t, transfer(), permit.Required)
	s.answer(t, open["carol"], parley.Answer{Action: parley.Decline, Via: "chat"})
	d, still := s.gather(t, transfer(), permit.Denied)
	if len(still) != 0 || d.Ask() || d.Have != 0 {
		t.Errorf("%+v, asked %s", d, people(still))
	}
	want := map[string][]string{"bob": {"accept"}, "carol": {"decline"}, "dave": {"cancel"}}
	if diff := cmp.Diff(want, s.questions(t, "bob", "carol", "dave")); diff != "" {
		t.Error(diff)
	}
	s.wantCheck(t, transfer(), permit.Denied)
	s.wantRefused(t, transfer(), permit.Denied)
}

func TestADeniedGatheringStaysDeniedForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, quorum(1, "bob"))
		again := func(id string) permit.Call { return with(transfer(), func(c *permit.Call) { c.ID = id }) }
		_, open := s.gather(t, transfer(), permit.Required)
		s.answer(t, open["bob"], says(permit.Refuse))
		s.gather(t, transfer(), permit.Denied)
		if err := s.Lift(t.Context(), "", "alice", "chat-1"); err != nil { // it is not the asker's to lift
			t.Fatal(err)
		}
		list := s.listed(t, "alice")
		if len(list) != 0 {
			t.Errorf("listed %+v", list)
		}
		time.Sleep(10*time.Minute - time.Millisecond)
		d, _ := s.again(t, quorum(1, "bob")).gather(t, again("2"), permit.Denied)
		wantError(t, s.Revoke(t.Context(), "", "alice", d.Grant), parley.ErrNotFound)
		s.wantRefused(t, again("3"), permit.Denied)
		time.Sleep(time.Millisecond)
		_, open = s.gather(t, again("4"), permit.Required)
		s.answer(t, open["bob"], says(permit.AllowOnce))
		s.gather(t, again("4"), permit.Granted)
		s.wantExecuted(t, again("4"))
	})
}

func TestWithoutQuietEachCallAsksAnew(t *testing.T) {
	opts := quorum(1, "bob")
	opts.Quiet = -1
	s := newSite(t, opts)
	for range 2 {
		_, open := s.gather(t, transfer(), permit.Required)
		s.answer(t, open["bob"], says(permit.Refuse))
		s.gather(t, transfer(), permit.Denied)
	}
}

func TestAGatheringThatNobodyAnswersIsDenied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := quorum(2, "bob", "carol")
		opts.TTL = time.Hour
		s := newSite(t, opts)
		_, open := s.gather(t, transfer(), permit.Required)
		if got := open["bob"].Expires.Sub(open["bob"].Created); got != time.Hour {
			t.Errorf("open for %v", got)
		}
		s.answer(t, open["bob"], says(permit.AllowOnce))
		time.Sleep(time.Hour)
		d, _ := s.gather(t, transfer(), permit.Denied)
		if d.Have != 1 {
			t.Errorf("%+v", d)
		}
		s.wantRefused(t, transfer(), permit.Denied)
		// Who comes back much later asks anew, and old words do not count.
		time.Sleep(24 * time.Hour)
		d, open = s.gather(t, transfer(), permit.Required)
		if people(open) != "bob carol" || d.Have != 0 {
			t.Errorf("%+v, asked %s", d, people(open))
		}
	})
}

// What was asked and forgotten by the store is not taken up with half of the
// answers.
func TestAnAnswerThatIsForgottenIsNoYes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := quorum(2, "bob", "carol", "dave")
		opts.TTL = 48 * time.Hour
		s := newSite(t, opts)
		_, open := s.gather(t, transfer(), permit.Required)
		s.answer(t, open["bob"], says(permit.AllowOnce))
		s.gather(t, transfer(), permit.Required)
		s.answer(t, open["carol"], says(permit.AllowOnce))
		time.Sleep(24 * time.Hour)
		if err := s.store.(parley.Sweeper).Sweep(t.Context(), time.Now()); err != nil {
			t.Fatal(err)
		}
		_, still := s.gather(t, transfer(), permit.Required)
		if people(still) != "dave" {
			t.Errorf("asked %s", people(still))
		}
	})
}

func TestWhatApproversAllowedExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, quorum(2, "bob", "carol"))
		_, open := s.gather(t, transfer(), permit.Required)
		s.answer(t, open["bob"], says(permit.AllowOnce))
		time.Sleep(5 * time.Minute)
		s.answer(t, open["carol"], says(permit.AllowOnce)) // the time runs from here
		said := time.Now().Truncate(time.Millisecond)
		time.Sleep(time.Minute)
		s.gather(t, transfer(), permit.Granted)
		time.Sleep(time.Until(said.Add(time.Hour - time.Millisecond)))
		s.wantCheck(t, transfer(), permit.Granted)
		time.Sleep(time.Millisecond)
		s.wantRefused(t, transfer(), permit.Required)
		_, open = s.gather(t, transfer(), permit.Required)
		if people(open) != "bob carol" {
			t.Errorf("asked %s", people(open))
		}
	})
}

func TestWhatApproversAllowedIsListedAndRevocable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, quorum(1, "bob", "carol"))
		_, open := s.gather(t, transfer(), permit.Required)
		if list := s.listed(t, "alice"); len(list) != 0 {
			t.Errorf("listed while it is open: %+v", list)
		}
		s.answer(t, open["carol"], says(permit.AllowOnce))
		d, _ := s.gather(t, transfer(), permit.Granted)
		list := s.listed(t, "alice")
		if len(list) != 1 || list[0].ID != d.Grant || !slices.Equal(list[0].By, []string{"carol"}) || list[0].Session != "" ||
			list[0].Digest != digest(t, transfer()) {
			t.Fatalf("%+v", list)
		}
		if err := s.Revoke(t.Context(), "", "alice", d.Grant); err != nil {
			t.Fatal(err)
		}
		s.wantRefused(t, transfer(), permit.Denied)
		s.gather(t, transfer(), permit.Denied)
		time.Sleep(10 * time.Minute) // as after a refusal, though an hour is not over
		s.gather(t, transfer(), permit.Required)
	})
}
