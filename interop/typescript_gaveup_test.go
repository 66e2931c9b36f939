package interop_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
)

// shortly is how long a client waits that gives up soon: longer than any question
// takes to be shown, and to be accepted.
const shortly = 6 * time.Second

// callShortly makes a call that the client gives up soon, as all do after a
// minute.
func (c *tsClient) callShortly(tool string, arguments fields) int {
	c.t.Helper()
	return c.do("call", fields{"name": tool, "arguments": arguments, "timeout": shortly.Milliseconds()})
}

// gaveUp waits until it has.
func (c *tsClient) gaveUp(call int) {
	c.t.Helper()
	err := c.failure(call)
	if err.Code != "REQUEST_TIMEOUT" && !strings.Contains(err.Message, "timed out") {
		c.t.Errorf("error %+v; want a time-out of the client's", err)
	}
}

func lateAnswer(t *testing.T, program fixtureProgram) {
	each(t, legacyOnes, func(t *testing.T, command []string) {
		for name, who := range map[string][]string{"a session": nil, "a known person": as("alice")} {
			t.Run(name, func(t *testing.T) {
				base, stored := program.observed(t)
				c := startClient(t, base, with(command, who...)...)
				call := c.callShortly("count-ask", fields{"q": "Sure?"})
				shown := c.question()
				asked := stored.pending(t)
				c.gaveUp(call)
				c.answer(shown, "accept", yesConfirmed) // on the same form
				if o := stored.settled(t, asked.ID); o.Action != parley.Accept {
					t.Fatalf("outcome %+v", o)
				}
				c.returns(c.call("count-ask", fields{"q": "Sure?"}), `{"runs":1,"status":"accept"}`)
				// Once taken, it is not taken again.
				call = c.call("count-ask", fields{"q": "Sure?"})
				c.answer(c.question(), "decline", nil)
				c.returns(call, `{"runs":1,"status":"decline"}`)
			})
		}
	})
}

// latePage is the same for 2026-07-28, where a client only gives up while the
// person is elsewhere.
func latePage(t *testing.T, program fixtureProgram) {
	base, stored := program.observed(t)
	c := startClient(t, base, with(client2026, as("alice")...)...)
	call := c.callShortly("two-step", fields{})
	link := c.question()
	c.answer(link, "accept", nil)
	c.gaveUp(call)
	visit(t, link.Params.URL)
	list, err := stored.store.List(t.Context(), parley.Query{})
	if err != nil || len(list) != 1 || list[0].Pending() {
		t.Fatalf("stored %+v, %v", list, err)
	}
	call = c.call("two-step", fields{})
	form := c.question()
	if form.Params.Mode != "form" {
		t.Errorf("asked again: %+v", form.Params)
	}
	c.answer(form, "accept", fields{"name": "Ada"})
	c.returns(call, twoStepDone)
}

func progress(t *testing.T, program fixtureProgram) {
	base := program.serve(t, "-progress", "100ms")
	each(t, everyOne, func(t *testing.T, command []string) {
		c := startClient(t, base, with(command, "--reset-on-progress")...)
		began := time.Now()
		call := c.callShortly("two-step", fields{})
		link := c.question()
		c.answer(link, "accept", nil)
		for time.Since(began) < shortly+time.Second { // longer than the client's patience
			c.await("progress", func(l *tsLine) bool {
				return l.Event == "progress" && strings.Contains(l.text, "Waiting for an answer")
			})
		}
		visit(t, link.Params.URL)
		c.answer(c.questionAbout("name"), "accept", fields{"name": "Ada"})
		c.returns(call, twoStepDone)
	})
}

func deletion(t *testing.T, program fixtureProgram) {
	each(t, legacyOnes, func(t *testing.T, command []string) {
		base, stored := program.observed(t)
		c := startClient(t, base, command...)
		c.call("ask", fields{"q": "Sure?"})
		c.question()
		asked := stored.pending(t)
		c.send(fields{"op": "close", "terminate": true})
		c.event("closed")
		// Its time would be over in minutes.
		if o := stored.settled(t, asked.ID); o.Action != parley.Cancel || !strings.Contains(o.Reason, "session") {
			t.Errorf("outcome %+v", o)
		}
	})
}

func requiredURL(t *testing.T, program fixtureProgram) {
	base := program.serve(t)
	each(t, legacyOnes, func(t *testing.T, command []string) {
		c := startClient(t, base, command...)
		err := c.failure(c.call("ask-url-required", fields{}))
		var data struct{ Elicitations []tsParams }
		_ = json.Unmarshal(err.Data, &data)
		if err.Kind != "UrlElicitationRequiredError" || err.Code != -32042.0 || len(data.Elicitations) != 1 {
			t.Fatalf("error %+v %s", err, err.Data)
		}
		link := data.Elicitations[0]
		if link.Mode != "url" || link.ElicitationID == "" || !strings.HasSuffix(link.URL, link.ElicitationID) {
			t.Errorf("elicitation %+v", link)
		}
		visit(t, link.URL)
		c.returns(c.call("ask-url-required", fields{}), `{"status":"accept"}`)
	})
	t.Run("2026-07-28 has no such error", func(t *testing.T) {
		c := startClient(t, base, client2026...)
		call := c.call("ask-url-required", fields{})
		link := c.question()
		c.answer(link, "accept", nil)
		visit(t, link.Params.URL)
		c.returns(call, `{"status":"accept"}`)
	})
}
