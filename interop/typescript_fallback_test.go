package interop_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
)

// cannotAsk are clients without elicitation. In the sessionless era only a known
// person can be told from others.
var cannotAsk = [][]string{
	with(sdk1, "--no-elicitation"),
	with(client2, "--no-elicitation"),
	with(with(client2026, "--no-elicitation"), as("alice")...),
}

// lists reports whether a client sees a tool.
func (c *tsClient) lists(tool string) bool {
	c.t.Helper()
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(c.end(c.do("list", fields{"what": "tools"})).Result, &list); err != nil || len(list.Tools) == 0 {
		c.t.Fatalf("%d tools, %v", len(list.Tools), err)
	}
	return slices.ContainsFunc(list.Tools, func(t struct{ Name string }) bool { return t.Name == tool })
}

// pass passes on the person's answer to the question of a result, as the model
// would, and returns what the tool says then.
func (c *tsClient) pass(asked tsResult, action string, content fields) tsResult {
	c.t.Helper()
	if asked.IsError || asked.Meta.Pending.ElicitID == "" || !strings.Contains(asked.Content[0].Text, asked.Meta.Pending.ElicitID) {
		c.t.Fatalf("no question: %+v", asked)
	}
	return c.result(c.call("sendElicitationResult", fields{"elicitId": asked.Meta.Pending.ElicitID, "action": action, "content": content}))
}

func modelFallback(t *testing.T, program fixtureProgram) {
	base := program.serve(t, "-fallback", "model")
	each(t, everyOne, func(t *testing.T, command []string) {
		if c := startClient(t, base, command...); c.lists("sendElicitationResult") {
			t.Error("listed though the client can ask")
		}
	})
	each(t, cannotAsk, func(t *testing.T, command []string) {
		c := startClient(t, base, command...)
		if !c.lists("sendElicitationResult") {
			t.Error("not listed")
		}
		name := c.result(c.call("wizard", fields{}))
		color := c.pass(name, "accept", fields{"name": "Ada"})
		if r := c.pass(color, "accept", fields{"color": "mauve"}); !r.IsError || r.Meta.Code != "INVALID_INPUT" || !strings.Contains(r.Content[0].Text, `"path":["color"]`) {
			t.Errorf("result %+v", r)
		}
		if r := c.pass(color, "accept", fields{"color": "red"}); !sameJSON(r.StructuredContent, `{"status":"accept","name":"Ada","color":"red"}`) {
			t.Errorf("result %+v", r)
		}
		// A model visits no page: the tool does without.
		r := c.pass(c.result(c.call("two-step", fields{})), "accept", fields{"name": "Ada"})
		if !sameJSON(r.StructuredContent, `{"connected":"not supported","status":"accept","name":"Ada"}`) {
			t.Errorf("result %+v", r)
		}
		for _, action := range []string{"decline", "cancel"} {
			r := c.pass(c.result(c.call("count-ask", fields{"q": action})), action, nil)
			if !sameJSON(r.StructuredContent, `{"runs":1,"status":"`+action+`"}`) {
				t.Errorf("result %+v", r)
			}
		}
	})
}

func modelStrangers(t *testing.T, program fixtureProgram) {
	base := program.serve(t, "-fallback", "model")
	each(t, cannotAsk, func(t *testing.T, command []string) {
		c := startClient(t, base, command...)
		asked := c.result(c.call("ask", fields{"q": "Sure?"}))
		yes := fields{"elicitId": asked.Meta.Pending.ElicitID, "action": "accept", "content": yesConfirmed}
		unknown := -32002.0
		if modern(command) {
			unknown = -32602.0 // there is no -32002 any more
		}
		strangers := map[string][]string{"another person": with(command, as("bob")...)}
		if !modern(command) {
			strangers["another session"] = command
		}
		for name, stranger := range strangers {
			s := startClient(t, base, stranger...)
			if err := s.failure(s.call("sendElicitationResult", yes)); err.Code != unknown {
				t.Errorf("%s: %+v", name, err)
			}
		}
		can := slices.DeleteFunc(slices.Clone(command), func(flag string) bool { return flag == "--no-elicitation" })
		able := startClient(t, base, can...)
		if err := able.failure(able.call("sendElicitationResult", yes)); err.Code != -32602.0 {
			t.Errorf("a client that can ask: %+v", err)
		}
		wrong := c.call("sendElicitationResult", fields{"elicitId": string(parley.NewID()), "action": "accept"})
		if err := c.failure(wrong); err.Code != unknown {
			t.Errorf("an unknown id: %+v", err)
		}
		if r := c.pass(asked, "accept", yesConfirmed); !sameJSON(r.StructuredContent, `{"status":"accept","confirmed":true}`) {
			t.Errorf("result %+v", r)
		}
	})
}

// knownPeople are clients without elicitation whose person can sign in at a page.
var knownPeople = [][]string{
	with(with(sdk1, "--no-elicitation"), as("alice")...),
	with(with(client2, "--no-elicitation"), as("alice")...),
	with(with(client2026, "--no-elicitation"), as("alice")...),
}

func pageFallback(t *testing.T, program fixtureProgram) {
	each(t, knownPeople, func(t *testing.T, command []string) {
		base, stored := program.observed(t, "-fallback", "page", "-hold", "500ms")
		c := startClient(t, base, command...)
		if !c.lists("waitForElicitationResult") {
			t.Error("not listed")
		}
		link := c.result(c.call("two-step", fields{})).Meta.Pending
		if want := base + "/answer/" + link.ElicitID; link.URL != want {
			t.Fatalf("pending %+v; want a link to %s", link, want)
		}
		wait := func() tsResult {
			return c.result(c.call("waitForElicitationResult", fields{"elicitId": link.ElicitID}))
		}
		// answered waits until the server knows, for which its hold may be short.
		answered := func() (r tsResult) {
			eventually(t, "the tool goes on", func() bool {
				r = wait()
				return r.IsError || r.Meta.Pending.ElicitID != link.ElicitID
			})
			return r
		}
		if again := wait(); again.IsError || again.Meta.Pending.ElicitID != link.ElicitID {
			t.Errorf("result %+v; want that the person has not answered", again)
		}
		stored.answer(t, parley.ID(link.ElicitID), "")
		form := answered()
		if link = form.Meta.Pending; link.ElicitID == "" || !strings.Contains(link.Message, "name") {
			t.Fatalf("result %+v; want the second question", form)
		}
		stored.answer(t, parley.ID(link.ElicitID), `{"name":"Ada"}`)
		if r := answered(); !sameJSON(r.StructuredContent, twoStepDone) {
			t.Errorf("result %+v", r)
		}
	})
}
