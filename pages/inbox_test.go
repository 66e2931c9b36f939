package pages_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
)

const decision = `{"type":"object","properties":{"decision":{"type":"string","enum":["allow_once","deny"]}},"required":["decision"]}`

// send answers as the inbox does.
func (b *browser) send(q parley.Request, body string) *answer {
	b.t.Helper()
	if body == "" {
		body = fmt.Sprintf(`{"elicitationId":%q,"action":"accept","content":{"decision":"deny"}}`, q.ID)
	}
	r := b.request(http.MethodPost, path(q), strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return b.do(r)
}

func TestTheInboxIsForWhoIsSignedIn(t *testing.T) {
	s := devSite(t)
	got := s.browser().get("/inbox").want(http.StatusSeeOther)
	if to := got.Header.Get("Location"); to != "/login?next=%2Finbox" {
		t.Errorf("sent to %s", to)
	}
	page := s.as("alice").get("/inbox").want(http.StatusOK)
	if !strings.Contains(page.body, `<parley-inbox user="alice">`) {
		t.Errorf("the page is %s", page.body)
	}
}

func TestTheInboxHasAPartForAdministrators(t *testing.T) {
	s := newSite(t, local, func(_ *site, o *pages.Options) {
		o.Administers = func(p parley.Principal) bool { return p.User == "ada" && p.Tenant == parley.DefaultTenant }
	})
	if page := s.as("ada").get("/inbox").want(http.StatusOK); !strings.Contains(page.body, `<parley-inbox user="ada" admin>`) {
		t.Errorf("the page is %s", page.body)
	}
	if page := s.as("alice").get("/inbox").want(http.StatusOK); strings.Contains(page.body, "admin") {
		t.Errorf("the page of somebody else is %s", page.body)
	}
}

func TestEveryPageSaysHowManyQuestionsWait(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Schema: json.RawMessage(decision)})
	s.open(parley.Request{})
	s.open(parley.Request{Trigger: parley.TriggerApprovers}) // it waits for others
	for _, where := range []string{"/login", "/inbox", "/logout", path(q)} {
		if page := s.as("alice").get(where).want(http.StatusOK); !strings.Contains(page.body, `<span class="count">2</span>`) {
			t.Errorf("%s: no count in %s", where, page.body)
		}
		if page := s.as("bob").get("/inbox").want(http.StatusOK); strings.Contains(page.body, `class="count"`) {
			t.Errorf("bob is told of somebody's questions: %s", page.body)
		}
	}
	for range 100 {
		s.open(parley.Request{})
	}
	if page := s.as("alice").get("/inbox"); !strings.Contains(page.body, `<span class="count">99&#43;</span>`) {
		t.Errorf("no count in %s", page.body)
	}
}

func TestTheInboxAnswersForThePersonOfTheCookieAlone(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Schema: json.RawMessage(decision)})
	s.browser().send(q, "").want(http.StatusUnauthorized)
	s.as("bob").send(q, "").want(http.StatusNotFound)
	alice := s.as("alice")
	foreign := alice.request(http.MethodPost, path(q), strings.NewReader(`{}`))
	foreign.Header.Set("Content-Type", "application/json")
	foreign.Header.Set("Sec-Fetch-Site", "cross-site")
	alice.do(foreign).want(http.StatusForbidden)
	wrong := alice.send(q, fmt.Sprintf(`{"elicitationId":%q,"action":"accept","content":{"decision":"maybe"}}`, q.ID)).want(http.StatusBadRequest)
	if !strings.Contains(wrong.body, `"field":"decision"`) {
		t.Errorf("what is wrong is not told: %s", wrong.body)
	}
	for _, body := range []string{`[`, `{}`, fmt.Sprintf(`{"elicitationId":%q,"action":"accept"}`, parley.NewID())} {
		alice.send(q, body).want(http.StatusBadRequest)
	}
	if !s.get(q.ID, "alice").Pending() {
		t.Fatal("it was settled by one of them")
	}
	alice.send(q, "").want(http.StatusOK)
	alice.send(q, "").want(http.StatusOK) // the same once more
	alice.send(q, fmt.Sprintf(`{"elicitationId":%q,"action":"decline"}`, q.ID)).want(http.StatusConflict)
	o := s.get(q.ID, "alice").Outcome
	if o.Action != parley.Accept || o.By != "alice" || o.Via != "inbox" || string(o.Content) != `{"decision":"deny"}` {
		t.Errorf("outcome %+v", o)
	}
}

func TestTheInboxSaysNoYesToWhatItDoesNotShow(t *testing.T) {
	s := devSite(t)
	long := s.open(parley.Request{Trigger: parley.TriggerApproval, Schema: json.RawMessage(decision), Labels: map[string]string{parley.LabelBrief: "A long call"}})
	own := s.open(parley.Request{Mode: parley.URL, URL: local + "/auth/connect?elicitation_id=1"})
	alice := s.as("alice")
	others := s.open(parley.Request{Trigger: parley.TriggerApprovers, Schema: json.RawMessage(decision)})
	for _, q := range []parley.Request{long, own, others} {
		got := alice.send(q, "").want(http.StatusBadRequest)
		if !strings.Contains(got.body, "its own page") || !s.get(q.ID, "alice").Pending() {
			t.Errorf("%s", got.body)
		}
		alice.send(q, fmt.Sprintf(`{"elicitationId":%q,"action":"decline"}`, q.ID)).want(http.StatusOK)
	}
}

func TestAnAnswerThatTwoProgramsReadDifferentlyIsRefused(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Schema: json.RawMessage(decision)})
	alice := s.as("alice")
	id := fmt.Sprintf(`"elicitationId":%q,`, q.ID)
	for members, says := range map[string]string{
		id + `"action":"decline","action":"accept","content":{"decision":"allow_once"}`:                            "action is given twice",
		id + `"action":"decline","Action":"accept","content":{"decision":"allow_once"}`:                            "Action is",
		id + `"ACTION":"accept","content":{"decision":"allow_once"}`:                                               "ACTION is",
		id + `"action":"accept","content":{"decision":"deny"},"content":{"decision":"allow_once"}`:                 "content is given twice",
		id + `"action":"accept","content":{"decision":"deny"},"Content":{"decision":"allow_once"}`:                 "Content is",
		id + `"action":"accept","content":{"decision":"deny","decision":"allow_once"}`:                             "content.decision is given twice",
		id + `"action":"accept","content":{"Decision":"deny","decision":"allow_once"}`:                             "content.decision stands beside",
		`"elicitationId":"other",` + id + `"action":"accept","content":{"decision":"allow_once"}`:                  "elicitationId is given twice",
		`"ElicitationId":"other",` + id + `"action":"accept","content":{"decision":"allow_once"}`:                  "ElicitationId is",
		id + `"action":"accept","content":{"decision":"allow_once"},"via":"x","Via":"terminal"`:                    "Via is",
		id + `"action":"accept","content":{"decision":"allow_once","decision":"` + strings.Repeat("x", 400) + `"}`: "content.decision is given twice",
	} {
		got := alice.send(q, `{`+members+`}`).want(http.StatusBadRequest)
		var told struct{ Error string }
		if err := json.Unmarshal([]byte(got.body), &told); err != nil || !strings.Contains(told.Error, says) {
			t.Errorf("%s: %s", members, got.body)
		}
	}
	alice.send(q, `{`+id+`"action":"accept","content":{"decision":"deny"},"more":{"a":1,"a":2,"A":3},"More":1}`).want(http.StatusOK)
}

func TestALongQuestionSaysWhatIsLong(t *testing.T) {
	s := devSite(t)
	lines, bytes := "Drop the table"+strings.Repeat("\n- a row", 17), "Drop the table "+strings.Repeat("x", 600)
	for message, says := range map[string]string{
		lines: "This is a long action: 18 lines, all of them in the box below.", bytes: "This is a long action: 615 bytes, all of them in the box below.",
	} {
		q := s.open(parley.Request{Trigger: parley.TriggerApproval, Message: message, Schema: json.RawMessage(decision)})
		s.as("alice").get(path(q)).want(http.StatusOK).says(says)
	}
	q := s.open(parley.Request{Trigger: parley.TriggerApproval, Message: lines, Schema: json.RawMessage(decision), Labels: map[string]string{parley.LabelTool: "drop"}})
	s.as("alice").get(path(q)).want(http.StatusOK).says("This is a long call: 18 lines, all of them in the box below.")
}

func TestAnAnswerThatIsTooLongIsToldHowLongItMayBe(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Schema: json.RawMessage(`{"type":"object","properties":{"why":{"type":"string"}}}`)})
	got := s.as("alice").send(q, fmt.Sprintf(`{"elicitationId":%q,"action":"accept","content":{"why":%q}}`, q.ID, strings.Repeat("x", 300<<10))).want(http.StatusRequestEntityTooLarge)
	if !strings.Contains(got.body, "That is more than can be sent: 256 KiB are allowed. Shorten it.") {
		t.Errorf("%s", got.body)
	}
}
