package mcptool_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// Nobody answers who was not shown the question in an app: not the model that knows
// its id, and nobody else who knows the nonce.
func TestAnAnswerNeedsANonceOfItsOwn(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newAppSite(t, mcptool.Options{PageURL: pageURL})
		addDelete(s.site, nil)
		alice, bob, nobody := s.host(t, era, "alice"), s.host(t, era, "bob"), s.host(t, era, "")
		id := pendingOf(t, call(t, alice, "delete-account", account{"7"})).ElicitID
		other := pendingOf(t, call(t, alice, "delete-account", account{"8"})).ElicitID
		bobs := pendingOf(t, call(t, bob, "delete-account", account{"7"})).ElicitID
		nonce, otherNonce, bobsNonce := openApp(t, alice, id).Nonce, openApp(t, alice, other).Nonce, openApp(t, bob, bobs).Nonce
		for name, attack := range map[string]struct {
			by     *mcp.ClientSession
			nonce  string
			state  string
			reason string
		}{
			"the id alone":            {alice, "", "pending", "unknown_nonce"},
			"a guess":                 {alice, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "pending", "unknown_nonce"},
			"of another question":     {alice, otherNonce, "pending", "unknown_nonce"},
			"of another person":       {alice, bobsNonce, "pending", "unknown_nonce"},
			"by another person":       {bob, nonce, "none", "other_person"},
			"by another, with theirs": {bob, bobsNonce, "none", "other_person"},
			"by nobody known":         {nobody, nonce, "none", "other_person"},
		} {
			for _, action := range []string{"accept", "decline"} {
				got := answerApp(t, attack.by, id, attack.nonce, action, sayYes("attack"))
				if got.State != attack.state || got.Nonce != "" || attack.by != alice && (got.Message != "" || got.ElicitID != "") {
					t.Errorf("%s: %+v", name, got)
				}
				s.wantRefused(t, attack.reason)
			}
		}
		for _, stranger := range []*mcp.ClientSession{bob, nobody} {
			if got := openApp(t, stranger, id); got.State != "none" || got.Message != "" || got.Nonce != "" {
				t.Errorf("a stranger is shown alice's question: %+v", got)
			}
		}
		if _, err := bob.CallTool(t.Context(), &mcp.CallToolParams{Name: "showQuestion", Arguments: map[string]any{"elicitId": id}}); err == nil {
			t.Error("bob had alice's question shown")
		}
		if got := answerApp(t, alice, "0123456789abcdefghijklmnopqrstuv", nonce, "accept", nil); got.State != "none" {
			t.Errorf("a question that is not there: %+v", got)
		}
		s.wantRefused(t, "unknown_question")
		s.wantOpen(t, parley.ID(id))

		// Used once it is used up, whatever became of it.
		fresh := answerApp(t, alice, id, nonce, "accept", map[string]any{"confirmed": "perhaps"}).Nonce
		if again := answerApp(t, alice, id, nonce, "accept", sayYes("replay")); again.State != "pending" || again.Nonce != "" || again.Problem == "" {
			t.Errorf("a nonce is used twice: %+v", again)
		}
		s.wantRefused(t, "does_not_fit", "replay")
		s.wantOpen(t, parley.ID(id))
		answerApp(t, alice, id, fresh, "accept", sayYes("once"))
		if again := answerApp(t, alice, id, fresh, "decline", nil); again.State != "settled" || again.Outcome != "accept" {
			t.Errorf("a nonce is used after its answer: %+v", again)
		}
		s.wantRefused(t, "replay")
	})
}

func TestOneNonceIsOneAnswer(t *testing.T) {
	s := newAppSite(t, mcptool.Options{})
	addDelete(s.site, nil)
	c := s.host(t, modern, "alice")
	id := pendingOf(t, call(t, c, "delete-account", account{"7"})).ElicitID
	nonce := openApp(t, c, id).Nonce
	states := make(chan appAsk, 8)
	for range cap(states) {
		go func() {
			r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "parley_answer", Arguments: map[string]any{
				"elicitId": id, "nonce": nonce, "action": "accept", "content": map[string]any{"confirmed": "perhaps"},
			}})
			if err != nil {
				t.Error(err)
				r = &mcp.CallToolResult{Meta: mcp.Meta{"parley/ask": map[string]any{"state": "none"}}}
			}
			states <- askOf(t, r)
		}()
	}
	taken := 0
	for range cap(states) {
		if (<-states).Nonce != "" {
			taken++
		}
	}
	if taken != 1 {
		t.Errorf("%d answers were taken with one nonce", taken)
	}
}

func TestSomeRenderingsOfAQuestionCanBeAnsweredAndTheOldestCannot(t *testing.T) {
	s := newAppSite(t, mcptool.Options{})
	addDelete(s.site, nil)
	c := s.host(t, legacy, "alice")
	id := pendingOf(t, call(t, c, "delete-account", account{"7"})).ElicitID
	var nonces []string
	for range 6 {
		nonces = append(nonces, openApp(t, c, id).Nonce)
	}
	if got := answerApp(t, c, id, nonces[0], "accept", sayYes("")); got.State != "pending" {
		t.Errorf("the oldest of six renderings: %+v", got)
	}
	if got := answerApp(t, c, id, nonces[1], "accept", sayYes("")); got.State != "settled" {
		t.Errorf("the second of six renderings: %+v", got)
	}
}

// The newest call that presents a question goes on with its answer: what was shown
// for another call is not the answer to this one.
func TestANonceIsForOneCall(t *testing.T) {
	s := newAppSite(t, mcptool.Options{PageURL: pageURL})
	addPresent(s.site)
	id := opened(t, s.site, parley.Request{})
	c := s.host(t, modern, "alice")
	pendingOf(t, call(t, c, "present", presentee{ID: id}))
	nonce := openApp(t, c, string(id)).Nonce
	pendingOf(t, call(t, c, "present", presentee{ID: id, Consent: true})) // other arguments
	if got := answerApp(t, c, string(id), nonce, "accept", map[string]any{"city": "Rome"}); got.State != "pending" || got.Nonce != "" {
		t.Errorf("the nonce of another call: %+v", got)
	}
	s.wantRefused(t, "unknown_nonce")
	s.wantOpen(t, id)
	waited := waitIn(t, c, string(id))
	answerApp(t, c, string(id), openApp(t, c, string(id)).Nonce, "accept", map[string]any{"city": "Rome"})
	if got := structured[presentation](t, <-waited); got != (presentation{parley.Accept, "mcp-app"}) {
		t.Errorf("got %+v", got)
	}
}

func TestWithoutAPersonTheQuestionIsAllThereIs(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newAppSite(t, mcptool.Options{PageURL: pageURL, Mount: time.Nanosecond, AppApprovals: true})
		addDelete(s.site, nil)
		addConnect(s.site, nil)
		model, app, alice := s.host(t, era, ""), s.host(t, era, ""), s.host(t, era, "alice")
		id := pendingOf(t, call(t, model, "delete-account", account{"7"})).ElicitID
		if got := openApp(t, alice, id); got.State != "none" {
			t.Errorf("alice is shown nobody's question: %+v", got)
		}
		a := openApp(t, app, id) // in another session than the model's
		if a.Answer != "here" || a.Nonce == "" || a.Page != "" {
			t.Fatalf("the app is shown %+v", a)
		}
		if got := answerApp(t, app, id, "", "accept", sayYes("")); got.State != "pending" {
			t.Errorf("the id alone: %+v", got)
		}
		if got := answerApp(t, alice, id, a.Nonce, "accept", sayYes("")); got.State != "none" {
			t.Errorf("alice answered: %+v", got)
		}
		s.wantRefused(t, "unknown_nonce", "other_person")
		waited := waitIn(t, model, id)
		answerApp(t, app, id, a.Nonce, "accept", sayYes("ok"))
		if era != modern { // a session has what was asked in it, and nothing else
			r, err := app.CallTool(t.Context(), &mcp.CallToolParams{Name: "waitForElicitationResult", Arguments: map[string]any{"elicitId": id}})
			if err == nil || !strings.Contains(err.Error(), "no question") {
				t.Errorf("another session waits for %+v, %v", r, err)
			}
		}
		if got := structured[deleted](t, <-waited); got != (deleted{"accept", true, "ok"}) {
			t.Errorf("got %+v", got)
		}
		r, err := model.CallTool(t.Context(), &mcp.CallToolParams{Name: "connect"})
		notSupported(t, r, err, era, "url")
		approving := newAppSite(t, mcptool.Options{PageURL: pageURL, AppApprovals: true})
		addDelete(approving.site, &mcptool.ElicitOptions{Trigger: parley.TriggerApproval})
		r, err = approving.host(t, era, "").CallTool(t.Context(), &mcp.CallToolParams{Name: "delete-account", Arguments: account{"7"}})
		notSupported(t, r, err, era, "form")
	})
}

func TestANonceIsOfOneTenantAndOneProgram(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newAppSite(t, mcptool.Options{PageURL: pageURL, Principal: whose})
		addDelete(s.site, nil)
		for caller, strangers := range map[string][]string{
			"alice@acme": {"alice@other", "key1@acme"},
			"key1@acme":  {"key2@acme", "key1@other", "alice@acme"},
		} {
			c := s.host(t, era, caller)
			id := pendingOf(t, call(t, c, "delete-account", account{"7"})).ElicitID
			nonce := openApp(t, c, id).Nonce
			for _, stranger := range strangers {
				by := s.host(t, era, stranger)
				if got := openApp(t, by, id); got.State != "none" || got.Message != "" {
					t.Errorf("%s is shown the question of %s: %+v", stranger, caller, got)
				}
				if got := answerApp(t, by, id, nonce, "decline", nil); got.State != "none" {
					t.Errorf("%s answered for %s: %+v", stranger, caller, got)
				}
				if _, err := by.CallTool(t.Context(), &mcp.CallToolParams{Name: "waitForElicitationResult", Arguments: map[string]any{"elicitId": id}}); err == nil {
					t.Errorf("%s waits for the question of %s", stranger, caller)
				}
			}
			s.wantOpen(t, parley.ID(id))
			waited := waitIn(t, c, id)
			answerApp(t, s.host(t, era, caller), id, nonce, "accept", sayYes(""))
			if got := structured[deleted](t, <-waited); !got.Confirmed {
				t.Errorf("%s: %+v", caller, got)
			}
		}
	})
}

func TestAnswersOfAppsHaveABound(t *testing.T) {
	s := newAppSite(t, mcptool.Options{})
	addDelete(s.site, nil)
	c := s.host(t, modern, "alice")
	id := pendingOf(t, call(t, c, "delete-account", account{"7"})).ElicitID
	nonce := openApp(t, c, id).Nonce
	soon(t, "it is too often", func() bool {
		answerApp(t, c, id, "guess", "accept", sayYes(""))
		s.mu.Lock()
		defer s.mu.Unlock()
		return slices.Contains(s.refused, "too_often")
	})
	if got := answerApp(t, c, id, nonce, "decline", nil); got.State != "pending" || got.Problem == "" {
		t.Errorf("one answer too many: %+v", got)
	}
	s.wantOpen(t, parley.ID(id))
}
