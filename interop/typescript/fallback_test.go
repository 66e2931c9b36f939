package typescript_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/interop/kit"
)

// cannotAsk are clients without elicitation. In the sessionless era only a known
// person can be told from others.
var cannotAsk = [][]string{
	kit.With(kit.Sdk1, "--no-elicitation"),
	kit.With(kit.Client2, "--no-elicitation"),
	kit.With(kit.With(kit.Client2026, "--no-elicitation"), kit.As("alice")...),
}

func modelFallback(t *testing.T, program kit.FixtureProgram) {
	base := program.Serve(t, "-fallback", "model")
	each(t, everyOne, func(t *testing.T, command []string) {
		if c := kit.StartClient(t, base, command...); c.Lists("sendElicitationResult") {
			t.Error("listed though the client can ask")
		}
	})
	each(t, cannotAsk, func(t *testing.T, command []string) {
		c := kit.StartClient(t, base, command...)
		if !c.Lists("sendElicitationResult") {
			t.Error("not listed")
		}
		name := c.Result(c.Call("wizard", kit.Fields{}))
		color := c.Pass(name, "accept", kit.Fields{"name": "Ada"})
		if r := c.Pass(color, "accept", kit.Fields{"color": "mauve"}); !r.IsError || r.Meta.Code != "INVALID_INPUT" || !strings.Contains(r.Content[0].Text, `"path":["color"]`) {
			t.Errorf("result %+v", r)
		}
		if r := c.Pass(color, "accept", kit.Fields{"color": "red"}); !kit.SameJSON(r.StructuredContent, `{"status":"accept","name":"Ada","color":"red"}`) {
			t.Errorf("result %+v", r)
		}
		// A model visits no page: the tool does without.
		r := c.Pass(c.Result(c.Call("two-step", kit.Fields{})), "accept", kit.Fields{"name": "Ada"})
		if !kit.SameJSON(r.StructuredContent, `{"connected":"not supported","status":"accept","name":"Ada"}`) {
			t.Errorf("result %+v", r)
		}
		for _, action := range []string{"decline", "cancel"} {
			r := c.Pass(c.Result(c.Call("count-ask", kit.Fields{"q": action})), action, nil)
			if !kit.SameJSON(r.StructuredContent, `{"runs":1,"status":"`+action+`"}`) {
				t.Errorf("result %+v", r)
			}
		}
	})
}

func modelStrangers(t *testing.T, program kit.FixtureProgram) {
	base := program.Serve(t, "-fallback", "model")
	each(t, cannotAsk, func(t *testing.T, command []string) {
		c := kit.StartClient(t, base, command...)
		asked := c.Result(c.Call("ask", kit.Fields{"q": "Sure?"}))
		yes := kit.Fields{"elicitId": asked.Meta.Pending.ElicitID, "action": "accept", "content": yesConfirmed}
		unknown := -32002.0
		if kit.Modern(command) {
			unknown = -32602.0 // there is no -32002 any more
		}
		strangers := map[string][]string{"another person": kit.With(command, kit.As("bob")...)}
		if !kit.Modern(command) {
			strangers["another session"] = command
		}
		for name, stranger := range strangers {
			s := kit.StartClient(t, base, stranger...)
			if err := s.Failure(s.Call("sendElicitationResult", yes)); err.Code != unknown {
				t.Errorf("%s: %+v", name, err)
			}
		}
		can := slices.DeleteFunc(slices.Clone(command), func(flag string) bool { return flag == "--no-elicitation" })
		able := kit.StartClient(t, base, can...)
		if err := able.Failure(able.Call("sendElicitationResult", yes)); err.Code != -32602.0 {
			t.Errorf("a client that can ask: %+v", err)
		}
		wrong := c.Call("sendElicitationResult", kit.Fields{"elicitId": string(parley.NewID()), "action": "accept"})
		if err := c.Failure(wrong); err.Code != unknown {
			t.Errorf("an unknown id: %+v", err)
		}
		if r := c.Pass(asked, "accept", yesConfirmed); !kit.SameJSON(r.StructuredContent, `{"status":"accept","confirmed":true}`) {
			t.Errorf("result %+v", r)
		}
	})
}

// knownPeople are clients without elicitation whose person can sign in at a page.
var knownPeople = [][]string{
	kit.With(kit.With(kit.Sdk1, "--no-elicitation"), kit.As("alice")...),
	kit.With(kit.With(kit.Client2, "--no-elicitation"), kit.As("alice")...),
	kit.With(kit.With(kit.Client2026, "--no-elicitation"), kit.As("alice")...),
}

func pageFallback(t *testing.T, program kit.FixtureProgram) {
	each(t, knownPeople, func(t *testing.T, command []string) {
		base, stored := program.Observed(t, "-fallback", "page", "-hold", "500ms")
		c := kit.StartClient(t, base, command...)
		if !c.Lists("waitForElicitationResult") {
			t.Error("not listed")
		}
		link := c.Result(c.Call("two-step", kit.Fields{})).Meta.Pending
		if want := base + "/answer/" + link.ElicitID; link.URL != want {
			t.Fatalf("pending %+v; want a link to %s", link, want)
		}
		wait := func() kit.TsResult {
			return c.Result(c.Call("waitForElicitationResult", kit.Fields{"elicitId": link.ElicitID}))
		}
		// answered waits until the server knows, for which its hold may be short.
		answered := func() (r kit.TsResult) {
			kit.Eventually(t, "the tool goes on", func() bool {
				r = wait()
				return r.IsError || r.Meta.Pending.ElicitID != link.ElicitID
			})
			return r
		}
		if again := wait(); again.IsError || again.Meta.Pending.ElicitID != link.ElicitID {
			t.Errorf("result %+v; want that the person has not answered", again)
		}
		stored.Answer(t, parley.ID(link.ElicitID), "")
		form := answered()
		if link = form.Meta.Pending; link.ElicitID == "" || !strings.Contains(link.Message, "name") {
			t.Fatalf("result %+v; want the second question", form)
		}
		stored.Answer(t, parley.ID(link.ElicitID), `{"name":"Ada"}`)
		if r := answered(); !kit.SameJSON(r.StructuredContent, twoStepDone) {
			t.Errorf("result %+v", r)
		}
	})
}
