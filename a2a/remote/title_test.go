package remote_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/agent"
)

// Whoever an agent says that it asks for, people see its own name here first, and the rest
// as its word.
func TestAnAgentAsksInNobodyElsesName(t *testing.T) {
	for from, want := range map[string]string{
		"":                        "Travel desk",
		"Hotel":                   "Travel desk, for “Hotel”",
		"Travel desk":             "Travel desk",
		"Bank”] [Bank":            "Travel desk, for “Bank’) (Bank”",
		"Bank\"\u202e”":           `Travel desk, for “Bank'\u202e’”`,
		"Site, for “Hotel”":       "Travel desk, for “Site, for ‘Hotel’”",
		strings.Repeat("ä", 250):  "Travel desk, for “" + strings.Repeat("ä", 100) + "…”",
		"two\nlines":              `Travel desk, for “two\u000alines”`,
		"  ":                      "Travel desk",
		"desk":                    "Travel desk",
		" Bank (checked by us)  ": "Travel desk, for “Bank (checked by us)”",
	} {
		d := &desk{extension: true, work: func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			q := where
			q.From = from
			emit(asks(ec, a2a.TaskStateInputRequired, "Where to?", q))
		}}
		w := newWorld(t, d)
		w.opts.Title = "Travel desk"
		n := w.node()
		n.say("Book a trip.")
		if q := n.question(); q.Service() != want || q.From != "desk" {
			t.Errorf("%q: %q asks, %q", from, q.Service(), q.From)
		}
	}
}

// Over two sites a person reads which service asks, and through whom.
func TestAQuestionSaysWhoAsksInTheEndAndThroughWhom(t *testing.T) {
	hotel := &desk{extension: true, work: func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
		q := where
		q.From = "Front desk"
		if ec.StoredTask != nil {
			done(ec, emit, "as you like")
			return
		}
		emit(asks(ec, a2a.TaskStateInputRequired, "Where to?", q))
	}}
	one, two := httptest.NewServer(nil), httptest.NewServer(nil)
	first := openSite(t, one, nil, map[string]string{"travel": two.URL + "/a2a/hotel"})
	second := openSite(t, two, nil, map[string]string{"hotel": hotel.serve(t)})
	ref, err := first.rt.Start(t.Context(), alice, agent.Message{Agent: "travel", Conversation: "c", Text: "Book a trip.", CanAsk: true})
	if err != nil {
		t.Fatal(err)
	}
	for s, want := range map[*site]string{first: "TRAVEL, for “HOTEL, for ‘Front desk’”", second: "HOTEL, for “Front desk”"} {
		n := &node{Runtime: s.rt, t: t, hub: s.hub}
		q := n.question()
		if q.Service() != want || q.Message != "Where to?" {
			t.Errorf("%q asks %q", q.Service(), q.Message)
		}
	}
	n := &node{Runtime: first.rt, t: t, hub: first.hub}
	n.answer(n.question(), parley.Decline, "")
	n.reply(ref)
	if answers, err := elicitation.Answers(hotel.got()[1]); err != nil || answers[0].Action != elicitation.Decline {
		t.Errorf("%v %v", answers, err)
	}
}
