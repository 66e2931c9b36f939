package pages_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	chromium "github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/permit"
)

// turned is a call whose values a screen would show in another order.
func (s *site) turned() parley.Request {
	s.t.Helper()
	permits, err := permit.New(s.hub, s.store, s.keys, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	q, err := permits.Question(permit.Call{
		User: "alice", Server: "בנק", ServerTitle: "בנק 24", Tool: "transfer", ToolTitle: "a\u202eb", ID: "call-1",
		Args: json.RawMessage(`{"note":"שלום 100 50","שלום":1000,"to":"אליס 7, בוב 8","at":"https://אבג.דהו/path","sum":"٥٠ ١٠٠ مبلغ","sign":"(א) -5%",` +
			"\"hidden\":\"a\u202eb\u200b\u3164c\u00a0d\ufe0f\u2800e\"," + `"list":["א 1","b ב 2"],"whole":"שלום עולם","\\":"\\u05d0"}`),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	if q, err = s.hub.Open(s.t.Context(), q); err != nil {
		s.t.Fatal(err)
	}
	return q
}

func TestAnApprovalIsShownInTheOrderOfItsCharacters(t *testing.T) {
	s := devSite(t)
	a := s.as("alice").get(path(s.turned()))
	message := a.one("p", "class=message exact long", "dir=ltr")
	want := `Allow this call?

Service: "בנק" ("בנק 24")
Tool: transfer ("a\u202eb")
Arguments:
{
  "\\": "\\u05d0",
  "at": "https://אבג.דהו/path",
  "hidden": "a\u202eb\u200b\u3164c\u00a0d\ufe0f\u2800e",
  "list": [
    "א 1",
    "b ב 2"
  ],
  "note": "שלום 100 50",
  "sign": "(א) -5%",
  "sum": "٥٠ ١٠٠ مبلغ",
  "to": "אליס 7, בוב 8",
  "whole": "שלום עולם",
  "שלום": 1000
}`
	if diff := cmp.Diff(want, content(message)); diff != "" {
		t.Error(diff)
	}
	var boxes []string
	for n := range message.Descendants() {
		if n.Data == "bdi" {
			boxes = append(boxes, attr(n, "dir")+" "+content(n))
		}
	}
	if diff := cmp.Diff([]string{
		"rtl בנק", "rtl בנק", "rtl אבג", "rtl דהו", "rtl א", "rtl ב", "rtl שלום", "rtl א", "ltr ٥٠", "ltr ١٠٠", "rtl مبلغ", "rtl אליס", "rtl בוב", "rtl שלום עולם", "rtl שלום",
	}, boxes); diff != "" {
		t.Error(diff)
	}
}

func TestNamesOnPagesHideNothing(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{From: "בנק 24\u202e\u200b", Message: "One\u202e\ntwo\u200b 👩\u200d💻", Schema: formOf("\"a\":{\"type\":\"string\",\"title\":\"A\u202e\",\"enum\":[\"x\u2066\"]}", "")})
	a := s.as("alice").get(path(q))
	a.says(`\u05d1\u05e0\u05e7 24\u202e\u200b`, "One two"+`\u200b `+"👩\u200d💻")
	a.lacks(`One\u202e`, `A\u202e`, `x\u2066`)
	if strings.ContainsAny(a.text(), "\u202e\u2066") {
		t.Error("a direction is turned")
	}
}

// turns returns where something that comes later stands further left on the same
// line of the screen. A phrase of right-to-left words
// counts as one thing.
const turns = `((root) => {
	const found = [];
	let before;
	const see = (range) => {
		const at = range.getClientRects()[0];
		if (!at || at.width === 0) return;
		const same = before && at.top < before.at.bottom && at.bottom > before.at.top;
		if (same && at.left + at.width / 2 <= before.at.left + before.at.width / 2) found.push(before.text + "|" + range);
		before = { text: String(range), at };
	};
	const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) {
		const node = walk.currentNode;
		const range = document.createRange();
		if (node.parentElement.closest("bdi[dir=rtl]")) {
			range.selectNodeContents(node);
			see(range);
			continue;
		}
		for (const { 0: text, index } of node.data.matchAll(/[\u05d0-\u05ea]+( [\u05d0-\u05ea]+|, [\u05d0-\u05ea]+)*|./gsu)) {
			range.setStart(node, index);
			range.setEnd(node, index + text.length);
			see(range);
		}
	}
	return found;
})`

func TestChromiumShowsAnApprovalInTheOrderOfItsCharacters(t *testing.T) {
	l := newLiveSite(t)
	q := l.turned()
	alice := chromium.Start(t).Person(t)
	l.signIn(alice.Window)
	alice.Open(l.url + path(q))
	alice.Screenshot("order")
	var found []string
	alice.Eval(turns+`(document.querySelector(".message"))`, &found)
	if len(found) > 0 {
		t.Errorf("out of order: %s", strings.Join(found, ", "))
	}
	// The text that other clients show is in order as it is.
	text, err := json.Marshal(q.Message)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"ltr", "auto"} {
		alice.Eval(`(() => { const e = document.querySelector(".message"); e.className = "message"; e.dir = "`+dir+`"; e.textContent = `+string(text)+`; })()`, nil)
		alice.Eval(turns+`(document.querySelector(".message"))`, &found)
		if len(found) > 0 {
			t.Errorf("%s: the plain text is out of order: %s", dir, strings.Join(found, ", "))
		}
	}
	// And what is measured is there: without care it is not.
	alice.Eval(`(() => { const e = document.querySelector(".message"); e.textContent = "\u05e9\u05dc\u05d5\u05dd 100 50"; })()`, nil)
	if alice.Eval(turns+`(document.querySelector(".message"))`, &found); len(found) == 0 {
		t.Error("the measure finds nothing")
	}
}
