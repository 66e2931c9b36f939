package pages_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
)

func visit(to string, labels map[string]string) parley.Request {
	return parley.Request{Mode: parley.URL, URL: to, From: "travel", Message: "Check in.", Labels: labels}
}

const elsewhere = "https://check-in.airline.co.uk:8443/a/b?ref=A%20B&x=%22%3C#top"

func TestVisitShowsTheWholeAddressAndWhoseItIs(t *testing.T) {
	s := devSite(t)
	q := s.open(visit(elsewhere, nil))
	a := s.as("alice").get(path(q)).want(http.StatusOK).says("Asked by travel", "Check in.", "Continue to airline.co.uk", "You are answering as alice", "Decline")
	address := a.one("p", "class=address")
	if got := content(address); got != elsewhere {
		t.Errorf("address %q, want %q", got, elsewhere)
	}
	if got := content(address.FirstChild.NextSibling); got != "airline.co.uk" {
		t.Errorf("emphasised %q", got)
	}
	if len(a.find("a", "href="+elsewhere)) > 0 {
		t.Error("going there is the answer, so there must be no link around it")
	}
}

func TestContinuingIsTheAnswerAndForwards(t *testing.T) {
	s := devSite(t)
	q := s.open(visit(elsewhere, nil))
	b := s.as("alice")
	a := b.post(path(q), url.Values{"action": {"accept"}}).want(http.StatusOK).says("You are being taken to airline.co.uk")
	if got := a.Header.Get("Refresh"); got != "0; url="+elsewhere {
		t.Errorf("Refresh: %s", got)
	}
	a.one("a", "href="+elsewhere)
	if o := s.get(q.ID, "alice").Outcome; o == nil || o.Action != parley.Accept || o.Via != "page" {
		t.Errorf("outcome %+v", o)
	}
	b.get(path(q)).want(http.StatusOK).says("Done", "You went there")
	b.post(path(q), url.Values{"action": {"accept"}}).want(http.StatusSeeOther)
	b.post(path(q), url.Values{"action": {"decline"}}).want(http.StatusConflict)
}

func TestVisitCanBeDeclined(t *testing.T) {
	s := devSite(t)
	for _, q := range []parley.Request{s.open(visit(elsewhere, nil)), s.open(visit(local+"/auth/connect", nil))} {
		b := s.as("alice")
		b.follow(b.post(path(q), url.Values{"action": {"decline"}})).want(http.StatusOK).says("Declined")
		if o := s.get(q.ID, "alice").Outcome; o.Action != parley.Decline {
			t.Errorf("outcome %+v", o)
		}
	}
}

func TestPagesThatTakeTheAnswerThemselvesAreLinks(t *testing.T) {
	s := devSite(t)
	b := s.as("alice")
	for to, labels := range map[string]map[string]string{
		elsewhere:                                {"settled_by": "page"},
		local + "/auth/connect?elicitation_id=x": nil,
	} {
		q := s.open(visit(to, labels))
		a := b.get(path(q)).want(http.StatusOK)
		if got := attr(a.one("a", "class=button primary"), "href"); got != to {
			t.Errorf("leads to %s", got)
		}
		if len(a.find("button", "value=accept")) > 0 {
			t.Error("it can be answered here")
		}
		// Who answers all the same is sent there, and nothing is settled.
		if got := b.post(path(q), url.Values{"action": {"accept"}}).want(http.StatusOK).Header.Get("Refresh"); got != "0; url="+to {
			t.Errorf("Refresh: %s", got)
		}
		if !s.get(q.ID, "alice").Pending() {
			t.Errorf("%s: going there settled it", to)
		}
	}
}

func TestOwnAddressIsComparedAsAWhole(t *testing.T) {
	s := devSite(t)
	b := s.as("alice")
	for to, says := range map[string]string{
		"http://127.0.0.1:8421/x": "another site", "https://127.0.0.1.evil.example:8420/": "another site",
		"https://127.0.0.1:8420/x": "a page of this site", // perhaps; it takes no answer
	} {
		q := s.open(visit(to, nil))
		b.get(path(q)).want(http.StatusOK).says(says).one("button", "value=accept")
	}
}

func TestAddressesThatMisleadAreNotShown(t *testing.T) {
	s := devSite(t)
	b := s.as("alice")
	for _, to := range []string{"https://аррӏе.com/login", "https://xn--80ak6aa92e.com/", "https://a\u202emoc.elgoog.example/", "https://a.example/x\u3164y", "https://a.example/x\u0336", "https://a.example/א/1/ב"} {
		q := s.open(visit(to, nil))
		a := b.get(path(q)).want(http.StatusUnprocessableEntity).says("not safe")
		if strings.Contains(a.body, to) || a.Header.Get("Refresh") != "" {
			t.Errorf("%s is on the page", to)
		}
		if a := b.post(path(q), url.Values{"action": {"accept"}}); a.Header.Get("Refresh") != "" || a.Header.Get("Location") != "" {
			t.Errorf("%s is where the answer leads", to)
		}
		if !s.get(q.ID, "alice").Pending() {
			t.Errorf("%s was accepted", to)
		}
		b.post(path(q), url.Values{"action": {"decline"}}).want(http.StatusSeeOther)
	}
	q := s.open(visit("https://bücher.example/x", nil))
	b.get(path(q)).want(http.StatusOK).says("xn--bcher-kva.example", "In its own script: bücher.example")
}

// Only this program itself says that a page of this site takes the answer, and the
// address is always shown.
func TestOnlyWhatThisProgramAsksIsVouchedFor(t *testing.T) {
	s := devSite(t)
	b := s.as("alice")
	const vouched = "is part of this site"
	id := parley.NewID()
	connect := local + "/auth/connect?elicitation_id=" + string(id)
	own := visit(connect, nil)
	own.ID, own.Trigger = id, parley.TriggerCredential
	a := b.get(path(s.open(own))).want(http.StatusOK).says(vouched)
	if got := content(a.one("p", "class=address")); got != connect {
		t.Errorf("the address shown is %q", got)
	}
	for to, change := range map[string]func(*parley.Request){
		local + "/device?user_code=SSWL-HMHR":                            func(q *parley.Request) { q.Trigger = parley.TriggerCredential },
		local + "/auth/connect?elicitation_id=" + string(parley.NewID()): func(q *parley.Request) { q.Trigger = parley.TriggerCredential },
		local + "/device?user_code=SSWL-HMHS":                            func(q *parley.Request) { q.Labels = map[string]string{"settled_by": "page", "server": "x"} },
		strings.Replace(local, "127.0.0.1", "localhost", 1) + "/device":  func(q *parley.Request) {},
	} {
		q := visit(to, nil)
		change(&q)
		a := b.get(path(s.open(q))).want(http.StatusOK).says("Others ask you to go there")
		if got := content(a.one("p", "class=address")); got != to || strings.Contains(a.body, vouched) {
			t.Errorf("%s: %s", to, a.body)
		}
	}
}

// A program's question that leads to this site, stored before such were refused.
func TestAProgramLeadsNobodyToOurPages(t *testing.T) {
	s := devSite(t)
	b := s.as("alice")
	for _, to := range []string{local + "/device?user_code=SSWL-HMHR", strings.Replace(local, "127.0.0.1", "LOCALHOST", 1) + "/device"} {
		q := visit(to, map[string]string{"settled_by": "page"})
		q.Trigger = parley.TriggerProgram
		q = s.open(q)
		if a := b.get(path(q)).want(http.StatusUnprocessableEntity).says("not safe"); strings.Contains(a.body, "/device") {
			t.Errorf("%s is on the page", to)
		}
		if a := b.post(path(q), url.Values{"action": {"accept"}}); a.Header.Get("Refresh") != "" || !s.get(q.ID, "alice").Pending() {
			t.Errorf("%s is where the answer leads", to)
		}
		b.post(path(q), url.Values{"action": {"decline"}}).want(http.StatusSeeOther)
	}
}
