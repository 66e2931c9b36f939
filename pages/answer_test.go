package pages_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
)

func path(q parley.Request) string { return "/answer/" + string(q.ID) }

func TestAnswerPageAsksToSignInFirst(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Message: "Only for Alice"})
	b := s.browser()
	login := "/login?next=" + url.QueryEscape(path(q))
	b.get(path(q)).leads(login).lacks("Alice")
	b.post(path(q), url.Values{"action": {"decline"}}).want(http.StatusUnauthorized).says("nothing was done", "Sign in").lacks("Alice").
		one("a", "class=button primary", "href="+login)
	if !s.get(q.ID, "alice").Pending() {
		t.Error("a stranger answered")
	}
	picker := b.get("/login?next=" + url.QueryEscape(path(q)))
	next := attr(picker.find("input", "name=next")[0], "value")
	b.follow(b.post("/login", url.Values{"user": {"alice"}, "next": {next}})).want(http.StatusOK).says("Only for Alice")
}

func TestQuestionOfSomebodyElseLooksLikeNone(t *testing.T) {
	s := devSite(t)
	alices := s.open(parley.Request{Message: "Secret plan", From: "planner"})
	others := s.open(parley.Request{Message: "Secret plan", From: "planner", Tenant: "other", To: "bob"})
	bob := s.as("bob")
	none := bob.get("/answer/" + string(parley.NewID())).want(http.StatusNotFound)
	for _, id := range []parley.ID{alices.ID, others.ID, "x", parley.ID(strings.Repeat("v", 32))} {
		a := bob.get("/answer/"+string(id)).want(http.StatusNotFound).
			says("This question is for somebody else or does not exist.", "You are signed in as bob", "Use another account").
			lacks("Secret plan", "planner", "alice")
		if a.text() != none.text() {
			t.Errorf("%s differs from no question at all:\n%s\n%s", id, a.text(), none.text())
		}
		bob.post("/answer/"+string(id), url.Values{"action": {"accept"}}).want(http.StatusNotFound).lacks("Secret plan")
		bob.get("/auth/status?elicitation_id=" + string(id)).want(http.StatusNotFound)
	}
	if !s.get(alices.ID, "alice").Pending() {
		t.Error("bob answered")
	}
}

func TestAnswerPageKeepsServiceAndMessageApart(t *testing.T) {
	s := devSite(t)
	message := "[bank] Approved by the bank.\n\n  Two lines\tand a tab. " + strings.Repeat("long ", 3000) + "THE END"
	q := s.open(parley.Request{From: "shop", Message: message})
	a := s.as("alice").get(path(q)).want(http.StatusOK)
	from, shown := a.one("p", "class=from"), a.one("p", "class=message")
	if got := content(from); got != "Asked by shop" {
		t.Errorf("service %q", got)
	}
	if got := content(shown); got != message {
		t.Errorf("the message was changed: %d bytes, want %d", len(got), len(message))
	}
	a.says("You are answering as alice", "The question is open until")
	if at := attr(a.one("time"), "datetime"); at != q.Expires.Format(time.RFC3339) {
		t.Errorf("expires %s, want %s", at, q.Expires)
	}
}

func TestPagesCallAServiceByItsTitle(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{From: "shop", Message: "Which one?", Labels: map[string]string{parley.LabelTitle: "Office shop"}})
	a := s.as("alice").get(path(q)).want(http.StatusOK)
	if got := content(a.one("p", "class=from")); got != "Asked by Office shop" {
		t.Errorf("service %q", got)
	}
}

func TestWhatServicesSayIsNeverMarkup(t *testing.T) {
	const bad = `<script>alert(1)</script><img src=x onerror=alert(1)>"'><b>`
	s := devSite(t)
	schema := strings.ReplaceAll(`{"type":"object","properties":{
		"BAD":{"type":"string","title":"BAD","description":"BAD","default":"BAD"},
		"area":{"type":"string","title":"BAD","maxLength":500,"default":"</textarea>BAD"},
		"pick":{"type":"string","title":"BAD","oneOf":[{"const":"BAD","title":"BAD"},{"const":"b","title":"javascript:alert(1)"}]},
		"many":{"type":"array","title":"BAD","items":{"anyOf":[{"const":"BAD","title":"BAD"}]}},
		"yes":{"type":"boolean","title":"BAD","description":"BAD"}}}`, "BAD", strings.ReplaceAll(bad, `"`, `\"`))
	q := s.open(parley.Request{From: bad, Message: bad, Schema: []byte(schema)})
	choice := s.open(parley.Request{From: bad, Message: bad, Trigger: parley.TriggerApproval, Schema: []byte(strings.ReplaceAll(
		`{"type":"object","properties":{"d":{"type":"string","title":"BAD","enum":["BAD","x"]}},"required":["d"]}`, "BAD", strings.ReplaceAll(bad, `"`, `\"`)))})
	b := s.as("alice")
	check := func(a *answer) {
		t.Helper()
		if got := len(a.find("script")); got != 1 {
			t.Errorf("%d scripts in %s", got, a.Request.URL)
		}
		if len(a.find("img"))+len(a.find("b")) > 0 {
			t.Errorf("markup in %s:\n%s", a.Request.URL, a.body)
		}
		for n := range a.dom().Descendants() {
			for _, x := range n.Attr {
				if strings.HasPrefix(x.Key, "on") || x.Key == "style" || x.Key == "href" && strings.HasPrefix(x.Val, "javascript") {
					t.Errorf("%s=%s in %s", x.Key, x.Val, a.Request.URL)
				}
			}
		}
	}
	shown := b.get(path(q)).want(http.StatusOK)
	check(shown)
	if got := content(shown.one("p", "class=message")); got != bad {
		t.Errorf("message %q", got)
	}
	if got := attr(shown.one("input", "id=field-0"), "value"); got != bad {
		t.Errorf("default %q", got)
	}
	check(b.get(path(choice)))
	check(b.post(path(q), url.Values{"action": {"accept"}, "field.many": {"<b>"}, "field.pick": {bad}}).want(http.StatusUnprocessableEntity))
	check(b.post(path(q), url.Values{"action": {bad}}).want(http.StatusBadRequest))
	b.post(path(q), url.Values{"action": {"decline"}}).want(http.StatusSeeOther)
	check(b.get(path(q)))
	evil := s.as(bad)
	check(evil.get(path(q)).want(http.StatusNotFound))
	check(evil.get("/login"))
	check(evil.get("/" + url.PathEscape(bad)))
}

func TestAnswersSettleTheQuestion(t *testing.T) {
	s := devSite(t)
	b := s.as("alice")
	for action, heading := range map[string]string{"accept": "Answered", "decline": "Declined", "cancel": "Cancelled"} {
		q := s.open(parley.Request{})
		b.follow(b.post(path(q), url.Values{"action": {action}}).leads(path(q))).want(http.StatusOK).says(heading)
		o := s.get(q.ID, "alice").Outcome
		if o == nil || string(o.Action) != action || o.By != "alice" || o.Via != "page" {
			t.Errorf("%s: %+v", action, o)
		}
	}
	q := s.open(parley.Request{})
	for _, action := range []string{"", "expire", "Accept"} {
		b.post(path(q), url.Values{"action": {action}}).want(http.StatusBadRequest).says("not clear what you chose")
	}
	if !s.get(q.ID, "alice").Pending() {
		t.Error("it was settled without a choice")
	}
}

func TestSettledPagesSayHowItEnded(t *testing.T) {
	s := devSite(t)
	ctx, b, alice := t.Context(), s.as("alice"), parley.Principal{User: "alice"}
	settle := func(r parley.Request, end func(parley.ID) error) *answer {
		t.Helper()
		q := s.open(r)
		if err := end(q.ID); err != nil {
			t.Fatal(err)
		}
		late := "accept"
		if o := s.get(q.ID, "alice").Outcome; o.Action == parley.Accept {
			late = "decline"
			b.post(path(q), url.Values{"action": {"accept"}}).want(http.StatusSeeOther) // the same again
		}
		refused := b.post(path(q), url.Values{"action": {late}}).want(http.StatusConflict)
		a := b.get(path(q)).want(http.StatusOK).says("Shall I?")
		if refused.text() != a.text() {
			t.Errorf("a late answer reads otherwise:\n%s\n%s", refused.text(), a.text())
		}
		if len(a.find("button", "name=action")) > 0 {
			t.Error("it can still be answered")
		}
		main := a.one("main")
		if attr(main, "data-settled") != string(q.ID) || attr(main, "data-origins") != local {
			t.Errorf("the opener is told %v", main.Attr)
		}
		return a
	}
	by := func(action parley.Action, via string) func(parley.ID) error {
		return func(id parley.ID) error { return s.hub.Answer(ctx, alice, id, parley.Answer{Action: action, Via: via}) }
	}
	settle(parley.Request{}, by(parley.Accept, "slack")).says("Answered", "Through slack", "Account alice")
	settle(parley.Request{}, by(parley.Accept, "page")).says("Answered", "Through this site")
	settle(parley.Request{}, by(parley.Decline, "chat")).says("Declined", "You declined")
	settle(parley.Request{}, by(parley.Cancel, "chat")).says("Cancelled", "You cancelled")
	settle(parley.Request{}, func(id parley.ID) error { return s.hub.Cancel(ctx, id, "the run was stopped") }).
		says("No longer asked", "Your answer is not needed any more: the run was stopped.")
}

func TestExpiredQuestionSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := devSite(t)
		q := s.open(parley.Request{Expires: time.Now().Add(time.Minute)})
		b := s.as("alice")
		b.get(path(q)).want(http.StatusOK).says("Send answer")
		time.Sleep(time.Minute)
		b.get(path(q)).want(http.StatusOK).says("Expired", "Nobody answered in time").lacks("Send answer")
		if got := b.get("/auth/status?elicitation_id=" + string(q.ID)).want(http.StatusOK).body; got != `{"state":"expire"}`+"\n" {
			t.Errorf("status %s", got)
		}
		b.post(path(q), url.Values{"action": {"accept"}}).want(http.StatusGone).says("Expired")
		b.get(path(q)).want(http.StatusOK).says("Expired")
		if o := s.get(q.ID, "alice").Outcome; o == nil || o.Action != parley.Expire {
			t.Errorf("outcome %+v", o)
		}
	})
}

func TestQueuedQuestionLeadsToTheOneBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := devSite(t)
		hub := parley.New(s.store, &parley.Options{PerSession: parley.Queue})
		site, err := pages.New(hub, &pages.Options{PublicURL: local, Records: s.store, Keys: s.keys, SignIn: pages.Dev()})
		if err != nil {
			t.Fatal(err)
		}
		s.web.serve("127.0.0.1:8420", site)
		first, err := hub.Open(t.Context(), parley.Request{To: "alice", Message: "First?", Session: "c1"})
		if err != nil {
			t.Fatal(err)
		}
		second := parley.Request{ID: parley.NewID(), To: "alice", Message: "Second?", Session: "c1"}
		ctx, cancel := context.WithCancel(t.Context())
		var opening sync.WaitGroup
		opening.Go(func() { _, _ = hub.Open(ctx, second) }) // waits for its turn
		defer opening.Wait()
		defer cancel()
		synctest.Wait()
		b := s.as("alice")
		a := b.post(path(second), url.Values{"action": {"accept"}}).want(http.StatusConflict).says("Another question comes first", "Second?")
		if got := attr(a.one("a", "class=button primary"), "href"); got != path(first) {
			t.Errorf("leads to %s, want %s", got, path(first))
		}
		b.post(path(first), url.Values{"action": {"accept"}}).want(http.StatusSeeOther)
		b.post(path(second), url.Values{"action": {"accept"}}).want(http.StatusSeeOther)
	})
}

func TestApprovalWithOneChoiceIsButtons(t *testing.T) {
	s := devSite(t)
	schema := []byte(`{"type":"object","properties":{"decision":{"type":"string","title":"May it run?","description":"Once is enough.","oneOf":[
		{"const":"allow_once","title":"Allow once"},{"const":"deny","title":"Do not allow"}]}},"required":["decision"]}`)
	q := s.open(parley.Request{Trigger: parley.TriggerApproval, From: "files", Message: "rm -r /", Schema: schema})
	b := s.as("alice")
	a := b.get(path(q)).want(http.StatusOK).says("Your approval is needed", "May it run?", "Once is enough.", "Allow once", "Do not allow")
	a.lacks("Decline") // which would be a second way to say no
	button := a.one("button", "name=field.decision", "value=option-0")
	if got := content(button); got != "Allow once" {
		t.Errorf("button %q", got)
	}
	b.post(path(q), url.Values{"action": {"accept"}, "field.decision": {attr(button, "value")}}).want(http.StatusSeeOther)
	if got := string(s.get(q.ID, "alice").Outcome.Content); got != `{"decision":"allow_once"}` {
		t.Errorf("content %s", got)
	}
	q = s.open(parley.Request{Trigger: parley.TriggerApproval, Schema: schema})
	b.post(path(q), url.Values{"action": {"accept"}}).want(http.StatusUnprocessableEntity).says("May it run? is required.")
	b.post(path(q), url.Values{"action": {"decline"}}).want(http.StatusSeeOther)
	if o := s.get(q.ID, "alice").Outcome; o.Action != parley.Decline {
		t.Errorf("outcome %+v", o)
	}
	// Without a choice, or with more, it is a form.
	for schema, button := range map[string]string{
		``: "Approve",
		`{"type":"object","properties":{"d":{"type":"string","enum":["a"]}}}`:                                              "Approve",
		`{"type":"object","properties":{"d":{"type":"string","enum":["a"]},"why":{"type":"string"}},"required":["d"]}`:     "Approve",
		`{"type":"object","properties":{"d":{"type":"string","enum":["1","2","3","4","5","6","7","8"]}},"required":["d"]}`: "Approve",
	} {
		q := s.open(parley.Request{Trigger: parley.TriggerApproval, Schema: []byte(orEmpty(schema))})
		if got := content(b.get(path(q)).one("button", "name=action", "value=accept")); got != button {
			t.Errorf("%s: %q", schema, got)
		}
	}
}

func TestAnApprovalThatStaysCanBeNarrowed(t *testing.T) {
	s := devSite(t)
	schema := []byte(`{"type":"object","properties":{"decision":{"type":"string","enum":["allow_once","always_allow","deny"]},
		"until":{"type":"string","title":"For how long","oneOf":[{"const":"hour","title":"An hour"},{"const":"day","title":"A day"}]}},"required":["decision"]}`)
	b := s.as("alice")
	for until, want := range map[string]string{"": `{"decision":"always_allow"}`, "A day": `{"decision":"always_allow","until":"day"}`} {
		q := s.open(parley.Request{Trigger: parley.TriggerApproval, Schema: schema})
		a := b.get(path(q)).want(http.StatusOK).says("Limits for a permission that stays", "For how long", "An hour")
		values := url.Values{"action": {"accept"}, "field.decision": {attr(a.one("button", "name=field.decision", "value=option-1"), "value")}}
		if until != "" {
			values.Set("field.until", "option-1")
		}
		b.post(path(q), values).want(http.StatusSeeOther)
		if got := string(s.get(q.ID, "alice").Outcome.Content); got != want {
			t.Errorf("%q: content %s", until, got)
		}
		b.get(path(q)).want(http.StatusOK).says("Allowed", map[string]string{"": "You chose “always_allow”.", "A day": "You chose “always_allow”, “A day”."}[until])
	}
}

// Whoever touches nothing sees what it means, and sends what they always sent.
func TestTheLimitsThatHoldWithoutAChoiceAreChosen(t *testing.T) {
	s := devSite(t)
	schema := []byte(`{"type":"object","properties":{"decision":{"type":"string","enum":["allow_once","always_allow","deny"]},
		"scope":{"type":"string","oneOf":[{"const":"tool","title":"This tool"},{"const":"arguments","title":"These arguments"}]},
		"until":{"type":"string","oneOf":[{"const":"revoked","title":"Until I take it back"},{"const":"hour","title":"For an hour"}]}},"required":["decision"]}`)
	b := s.as("alice")
	for limits, want := range map[string]string{
		"untouched": `{"decision":"always_allow"}`,
		"narrower":  `{"decision":"always_allow","scope":"arguments","until":"hour"}`,
	} {
		q := s.open(parley.Request{Trigger: parley.TriggerApproval, Schema: schema})
		page := b.get(path(q)).want(http.StatusOK).lacks("No answer", "No other limit")
		values := url.Values{"action": {"accept"}, "field.decision": {"option-1"}}
		for _, radio := range page.find("input", "type=radio") {
			if has(radio, "checked") == (limits == "untouched") {
				values.Add(attr(radio, "name"), attr(radio, "value"))
			}
		}
		if len(values["field.scope"]) != 1 || len(values["field.until"]) != 1 {
			t.Fatalf("%s: %v", limits, values)
		}
		b.post(path(q), values).want(http.StatusSeeOther)
		if got := string(s.get(q.ID, "alice").Outcome.Content); got != want {
			t.Errorf("%s: content %s", limits, got)
		}
	}
	// With a time that always holds, which its button names, there is no option for it.
	q := s.open(parley.Request{Trigger: parley.TriggerApproval, Schema: []byte(strings.Replace(string(schema), `{"const":"revoked","title":"Until I take it back"},`, "", 1))})
	b.get(path(q)).says("For an hour", "No other limit")
}

// Whoever looks again reads what they decided, a no most of all.
func TestThePageOfAnApprovalSaysWhatWasDecided(t *testing.T) {
	s := devSite(t)
	schema := []byte(`{"type":"object","properties":{"decision":{"type":"string","oneOf":[{"const":"allow_once","title":"Allow once"},{"const":"deny","title":"Deny"}]}},"required":["decision"]}`)
	b := s.as("alice")
	for option, want := range map[string][]string{
		"option-0": {"Allowed once", "You allowed this call, this once."},
		"option-1": {"Denied", "You denied this call: it is not made."},
	} {
		q := s.open(parley.Request{Trigger: parley.TriggerApproval, From: "files", Message: "rm -r /", Schema: schema})
		b.post(path(q), url.Values{"action": {"accept"}, "field.decision": {option}}).want(http.StatusSeeOther)
		b.get(path(q)).want(http.StatusOK).says(want...).lacks("Your answer was taken")
	}
}

// Limits are for a permission that stays. Whoever sets some and presses the button
// for one call is told, and nothing is decided.
func TestLimitsAreNotDroppedSilently(t *testing.T) {
	s := devSite(t)
	schema := []byte(`{"type":"object","properties":{"decision":{"type":"string","oneOf":[{"const":"allow_once","title":"Allow once"},
		{"const":"always_allow","title":"Always allow this tool"},{"const":"deny","title":"Deny"}]},
		"until":{"type":"string","title":"For how long","oneOf":[{"const":"hour","title":"An hour"},{"const":"day","title":"A day"}]}},"required":["decision"]}`)
	q := s.open(parley.Request{Trigger: parley.TriggerApproval, Schema: schema})
	b := s.as("alice")
	values := url.Values{"action": {"accept"}, "field.decision": {"option-0"}, "field.until": {"option-0"}}
	b.post(path(q), values).want(http.StatusUnprocessableEntity).says("Press “Always allow this tool” to use them, or take them back.")
	if !s.get(q.ID, "alice").Pending() {
		t.Fatal("it was decided")
	}
	values.Set("field.decision", "option-2") // to deny is to deny, whatever else was chosen
	b.post(path(q), values).want(http.StatusSeeOther)
}

// Where no option refuses there is a button that does.
func TestAnApprovalCanBeDeclinedWhereNoOptionRefuses(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Trigger: parley.TriggerApproval, Schema: []byte(`{"type":"object","properties":{"d":{"type":"string","enum":["now","later"]}},"required":["d"]}`)})
	b := s.as("alice")
	b.get(path(q)).want(http.StatusOK).says("Decline").one("form", "id=decline")
	b.post(path(q), url.Values{"action": {"decline"}}).want(http.StatusSeeOther)
}

func orEmpty(schema string) string {
	if schema == "" {
		return `{"type":"object","properties":{}}`
	}
	return schema
}

func TestOfManyAnswersOneCounts(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{})
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	statuses := make(chan int, 8)
	for i := range 8 {
		b := s.as("alice")
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			action := []string{"accept", "decline"}[i%2]
			statuses <- b.post(path(q), url.Values{"action": {action}}).StatusCode
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	close(statuses)
	count := map[int]int{}
	for status := range statuses {
		count[status]++
	}
	// Those who said what counts are told that it does, whether they were first or not.
	if count[http.StatusSeeOther] != 4 || count[http.StatusConflict] != 4 {
		t.Errorf("statuses %v", count)
	}
}

func TestStatusTellsTheOwnerAlone(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{})
	where := "/auth/status?elicitation_id=" + string(q.ID)
	alice := s.as("alice")
	for _, c := range []struct {
		b    *browser
		want int
		body string
	}{
		{alice, http.StatusOK, `{"state":"pending"}`}, {s.as("bob"), http.StatusNotFound, `{"error":"not found"}`},
		{s.browser(), http.StatusUnauthorized, `{"error":"not signed in"}`},
	} {
		a := c.b.get(where).want(c.want)
		if strings.TrimSpace(a.body) != c.body || a.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s as %s", a.body, a.Header.Get("Content-Type"))
		}
	}
	alice.post(path(q), url.Values{"action": {"decline"}}).want(http.StatusSeeOther)
	if got := alice.get(where).body; strings.TrimSpace(got) != `{"state":"decline"}` {
		t.Errorf("status %s", got)
	}
}

func TestAnswersTooLargeAreRefused(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Schema: []byte(`{"type":"object","properties":{"a":{"type":"string"}}}`)})
	b := s.as("alice")
	for _, size := range []int{300 << 10, 2 << 20} {
		b.post(path(q), url.Values{"action": {"accept"}, "field.a": {strings.Repeat("x", size)}}).
			want(http.StatusRequestEntityTooLarge).says("shorten it")
	}
	if !s.get(q.ID, "alice").Pending() {
		t.Error("it was answered")
	}
}
