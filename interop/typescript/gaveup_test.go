package typescript_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/interop/kit"
)

func lateAnswer(t *testing.T, program kit.FixtureProgram) {
	each(t, legacyOnes, func(t *testing.T, command []string) {
		for name, who := range map[string][]string{"a session": nil, "a known person": kit.As("alice")} {
			t.Run(name, func(t *testing.T) {
				base, stored := program.Observed(t)
				c := kit.StartClient(t, base, kit.With(command, who...)...)
				call := c.CallShortly("count-ask", kit.Fields{"q": "Sure?"})
				shown := c.Question()
				asked := stored.Pending(t)
				c.GaveUp(call)
				c.Event("cancelled")                    // or the call might end first, with the answer
				c.Answer(shown, "accept", yesConfirmed) // on the same form
				if o := stored.Settled(t, asked.ID); o.Action != parley.Accept {
					t.Fatalf("outcome %+v", o)
				}
				c.Returns(c.Call("count-ask", kit.Fields{"q": "Sure?"}), `{"runs":1,"status":"accept"}`)
				// Once taken, it is not taken again.
				call = c.Call("count-ask", kit.Fields{"q": "Sure?"})
				c.Answer(c.Question(), "decline", nil)
				c.Returns(call, `{"runs":1,"status":"decline"}`)
			})
		}
	})
}

// latePage is the same for 2026-07-28, where a client only gives up while the
// person is elsewhere.
func latePage(t *testing.T, program kit.FixtureProgram) {
	base, stored := program.Observed(t)
	c := kit.StartClient(t, base, kit.With(kit.Client2026, kit.As("alice")...)...)
	call := c.CallShortly("two-step", kit.Fields{})
	link := c.Question()
	c.Answer(link, "accept", nil)
	c.GaveUp(call)
	kit.Visit(t, link.Params.URL)
	list, err := stored.Store.List(t.Context(), parley.Query{})
	if err != nil || len(list) != 1 || list[0].Pending() {
		t.Fatalf("stored %+v, %v", list, err)
	}
	call = c.Call("two-step", kit.Fields{})
	form := c.Question()
	if form.Params.Mode != "form" {
		t.Errorf("asked again: %+v", form.Params)
	}
	c.Answer(form, "accept", kit.Fields{"name": "Ada"})
	c.Returns(call, twoStepDone)
}

func progress(t *testing.T, program kit.FixtureProgram) {
	base := program.Serve(t, "-progress", "100ms")
	each(t, everyOne, func(t *testing.T, command []string) {
		c := kit.StartClient(t, base, kit.With(command, "--reset-on-progress")...)
		began := time.Now()
		call := c.CallShortly("two-step", kit.Fields{})
		link := c.Question()
		c.Answer(link, "accept", nil)
		for time.Since(began) < kit.Shortly+time.Second { // longer than the client's patience
			c.Await("progress", func(l *kit.TsLine) bool {
				return l.Event == "progress" && strings.Contains(l.Text, "Waiting for an answer")
			})
		}
		kit.Visit(t, link.Params.URL)
		c.Answer(c.QuestionAbout("name"), "accept", kit.Fields{"name": "Ada"})
		c.Returns(call, twoStepDone)
	})
}

func deletion(t *testing.T, program kit.FixtureProgram) {
	each(t, legacyOnes, func(t *testing.T, command []string) {
		base, stored := program.Observed(t)
		c := kit.StartClient(t, base, command...)
		c.Call("ask", kit.Fields{"q": "Sure?"})
		c.Question()
		asked := stored.Pending(t)
		c.Send(kit.Fields{"op": "close", "terminate": true})
		c.Event("closed")
		// Its time would be over in minutes.
		if o := stored.Settled(t, asked.ID); o.Action != parley.Cancel || !strings.Contains(o.Reason, "session") {
			t.Errorf("outcome %+v", o)
		}
	})
}

func requiredURL(t *testing.T, program kit.FixtureProgram) {
	base := program.Serve(t)
	each(t, legacyOnes, func(t *testing.T, command []string) {
		c := kit.StartClient(t, base, command...)
		err := c.Failure(c.Call("ask-url-required", kit.Fields{}))
		var data struct{ Elicitations []kit.TsParams }
		_ = json.Unmarshal(err.Data, &data)
		if err.Kind != "UrlElicitationRequiredError" || err.Code != -32042.0 || len(data.Elicitations) != 1 {
			t.Fatalf("error %+v %s", err, err.Data)
		}
		link := data.Elicitations[0]
		if link.Mode != "url" || link.ElicitationID == "" || !strings.HasSuffix(link.URL, link.ElicitationID) {
			t.Errorf("elicitation %+v", link)
		}
		kit.Visit(t, link.URL)
		c.Returns(c.Call("ask-url-required", kit.Fields{}), `{"status":"accept"}`)
	})
	t.Run("2026-07-28 has no such error", func(t *testing.T) {
		c := kit.StartClient(t, base, kit.Client2026...)
		call := c.Call("ask-url-required", kit.Fields{})
		link := c.Question()
		c.Answer(link, "accept", nil)
		kit.Visit(t, link.Params.URL)
		c.Returns(call, `{"status":"accept"}`)
	})
}
