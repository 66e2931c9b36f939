package permit_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/permit"
)

// Beside letters that are written from right to left a screen shows digits and
// signs in another order than they have, without any control character.
func TestNoLineOfAQuestionCanBeShownInAnotherOrder(t *testing.T) {
	s := newSite(t, nil)
	c := with(transfer(), func(c *permit.Call) {
		c.Server, c.ServerTitle, c.ToolTitle = "בנק", "בנק 24", "שלח"
		c.Args = json.RawMessage(`{"note":"שלום 100 50","שלום":1000,"to":"אליס, בוב","at":"https://אבג.דהו/","list":["עוד","٥٠ ١٠٠"],"said":"שלום bob","\\":"\\u05d0"}`)
	})
	q := s.ask(t, c)
	want := `Allow this call?

Service: "\u05d1\u05e0\u05e7" ("\u05d1\u05e0\u05e7 24")
Tool: transfer ("שלח")
Arguments:
{
  "\\": "\\u05d0",
  "at": "https://\u05d0\u05d1\u05d2.\u05d3\u05d4\u05d5/",
  "list": [
    "עוד",
    "\u0665\u0660 \u0661\u0660\u0660"
  ],
  "note": "\u05e9\u05dc\u05d5\u05dd 100 50",
  "said": "שלום bob",
  "to": "אליס, בוב",
  "\u05e9\u05dc\u05d5\u05dd": 1000
}`
	if diff := cmp.Diff(want, q.Message); diff != "" {
		t.Error(diff)
	}
	if q.Message != legible.Ordered(q.Message) {
		t.Error("a line can be shown in another order")
	}
}

func TestTheDigestDoesNotDependOnHowACallIsShown(t *testing.T) {
	raw := with(transfer(), func(c *permit.Call) { c.Args = json.RawMessage(`{"note":"א 1"}`) })
	escaped := with(transfer(), func(c *permit.Call) { c.Args = json.RawMessage(`{"note":"\u05d0 1"}`) })
	if a, b := digest(t, raw), digest(t, escaped); a != b {
		t.Errorf("%s and %s", a, b)
	}
	s := newSite(t, nil)
	if a, b := s.ask(t, raw).Message, s.ask(t, escaped).Message; a != b {
		t.Errorf("%s\n%s", a, b)
	}
}
