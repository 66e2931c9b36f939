package mcptool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/mcptool/askapp"
)

func TestAnAppAsksForAClientThatCannot(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, sessions := range []int{1, 2} {
			s := newAppSite(t, mcptool.Options{PageURL: pageURL, Service: "Example shop"})
			addDelete(s.site, nil)
			model := s.host(t, era, "alice")
			app := model
			if sessions == 2 { // Claude calls from apps in a session of their own
				app = s.host(t, era, "alice")
			}
			asked := call(t, model, "delete-account", account{"7"})
			p := pendingOf(t, asked)
			if p.URL != "" || p.Schema != nil || !strings.Contains(text(asked), "showQuestion") || !strings.Contains(text(asked), "waitForElicitationResult") {
				t.Errorf("the model is told %q, %+v", text(asked), p)
			}
			shown := call(t, model, "showQuestion", map[string]any{"elicitId": p.ElicitID})
			if shown.Meta["parley/open"] != p.ElicitID || len(shown.Meta) > 2 || shown.StructuredContent != nil || shown.IsError {
				t.Errorf("shown: %+v, %v", shown.Meta, shown.StructuredContent)
			}
			waited := waitIn(t, model, p.ElicitID)
			a := openApp(t, app, p.ElicitID)
			if a.State != "pending" || a.Answer != "here" || a.Nonce == "" || a.Title != "Example shop asks" || a.Message != "Delete account 7?" ||
				!slices.Equal(a.FieldOrder, []string{"confirmed", "reason"}) || !strings.Contains(string(a.Schema), `"confirmed"`) || a.Page != pageURL(parley.ID(p.ElicitID)) || !a.Expires.After(a.Now) {
				t.Errorf("the app is shown %+v", a)
			}
			misfit := answerApp(t, app, p.ElicitID, a.Nonce, "accept", map[string]any{"confirmed": "perhaps"})
			if misfit.State != "pending" || len(misfit.Violations) != 1 || misfit.Violations[0].Field != "confirmed" || misfit.Nonce == "" || misfit.Nonce == a.Nonce {
				t.Errorf("an answer that does not fit: %+v", misfit)
			}
			s.wantRefused(t, "does_not_fit")
			if over := answerApp(t, app, p.ElicitID, misfit.Nonce, "accept", sayYes("old")); over.State != "settled" || over.Outcome != "accept" || over.Words != "Answered." || over.Nonce != "" {
				t.Errorf("answered: %+v", over)
			}
			if got := structured[deleted](t, <-waited); got != (deleted{"accept", true, "old"}) {
				t.Errorf("the tool got %+v", got)
			}
			if q, err := s.store.Get(t.Context(), parley.ID(p.ElicitID)); err != nil || q.Outcome.Via != "mcp-app" || q.Outcome.By != "alice" {
				t.Errorf("outcome %+v, %v", q.Outcome, err)
			}
			if again := openApp(t, app, p.ElicitID); again.State != "settled" || again.Words != "Answered." || again.Nonce != "" {
				t.Errorf("a conversation that is opened again shows %+v", again)
			}
			s.wantRefused(t)
		}
	})
}

func TestAnAppShowsOneQuestionAfterTheOther(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newAppSite(t, mcptool.Options{})
		charges := addWizard(s.site)
		c := s.host(t, era, "alice")
		next := call(t, c, "wizard", nil)
		for _, content := range []map[string]any{{"name": "Ada"}, {"colour": "red"}} {
			id := pendingOf(t, next).ElicitID
			waited := waitIn(t, c, id)
			a := askOf(t, call(t, c, "parley_open", nil)) // hosts may tell apps nothing
			if a.ElicitID != id || a.Page != "" {
				t.Errorf("the oldest open question is %+v", a)
			}
			answerApp(t, c, id, a.Nonce, "accept", content)
			next = <-waited
		}
		if got := structured[string](t, next); got != "Ada likes red" || charges.Load() != 1 {
			t.Errorf("got %q, charged %d times", got, charges.Load())
		}
		if none := askOf(t, call(t, c, "parley_open", nil)); none.State != "none" || none.Words == "" {
			t.Errorf("nothing is open: %+v", none)
		}
		id := pendingOf(t, call(t, c, "wizard", nil)).ElicitID
		waited := waitIn(t, c, id)
		if over := answerApp(t, c, id, openApp(t, c, id).Nonce, "decline", nil); over.Outcome != "decline" || over.Words != "Declined." {
			t.Errorf("declined: %+v", over)
		}
		if got := structured[string](t, <-waited); got != "decline at name" {
			t.Errorf("got %q", got)
		}
	})
}

func TestTheReplyToAnAnswerHasTheNextQuestionOfTheCall(t *testing.T) {
	s := newAppSite(t, mcptool.Options{})
	addBoth(s.site)
	c := s.host(t, modern, "alice")
	r := call(t, c, "both", account{"7"})
	first := pendingOf(t, r).ElicitID
	a := openApp(t, c, first)
	over := answerApp(t, c, first, a.Nonce, "decline", nil)
	if over.State != "settled" || over.Next == nil || over.Next.ElicitID == first || over.Next.Nonce == "" || over.Next.State != "pending" {
		t.Fatalf("the reply has %+v", over)
	}
	if last := answerApp(t, c, over.Next.ElicitID, over.Next.Nonce, "decline", nil); last.State != "settled" || last.Next != nil {
		t.Errorf("the last reply has %+v", last)
	}
}

func TestAnAppIsToldWhatBecameOfItsQuestion(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newAppSite(t, mcptool.Options{PageURL: pageURL})
		addDelete(s.site, nil)
		c := s.host(t, era, "alice")
		id := pendingOf(t, call(t, c, "delete-account", account{"7"})).ElicitID
		nonce := openApp(t, c, id).Nonce
		s.answered(t, parley.ID(id), parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`), Via: "page"})
		for _, got := range []appAsk{openApp(t, c, id), answerApp(t, c, id, nonce, "decline", nil)} {
			if got.State != "settled" || got.Outcome != "accept" || got.Words != "Answered elsewhere." || got.Nonce != "" {
				t.Errorf("answered elsewhere: %+v", got)
			}
		}
		s.wantRefused(t, "settled")
		if got := structured[deleted](t, <-waitIn(t, c, id)); got.Status != "accept" {
			t.Errorf("the tool got %+v", got)
		}
	})
}

func TestAnAnswerAfterTheTimeDoesNotCount(t *testing.T) {
	s := newAppSite(t, mcptool.Options{})
	addDelete(s.site, &mcptool.ElicitOptions{TTL: 500 * time.Millisecond})
	c := s.host(t, modern, "alice")
	id := pendingOf(t, call(t, c, "delete-account", account{"7"})).ElicitID
	a := openApp(t, c, id)
	q, err := s.store.Get(t.Context(), parley.ID(id))
	if err != nil {
		t.Fatal(err)
	}
	soon(t, "its time is over", func() bool { return time.Now().After(q.Expires) })
	if got := answerApp(t, c, id, a.Nonce, "accept", sayYes("late")); got.State != "settled" || got.Outcome != "expire" || got.Words != "Nobody answered in time." {
		t.Errorf("got %+v", got)
	}
	s.wantRefused(t, "expired")
	if got := openApp(t, c, id); got.State != "settled" || got.Outcome != "expire" {
		t.Errorf("opened: %+v", got)
	}
	for range 2 { // whoever waits again, too, is told that there was no answer
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "waitForElicitationResult", Arguments: map[string]any{"elicitId": id}})
		told := fmt.Sprint(err)
		if err == nil {
			told = text(r)
		}
		if !strings.Contains(told, "nobody answered") {
			t.Errorf("the model is told %q", told)
		}
	}
}

func TestWhatIsNotMountedHasItsPage(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, shows := range []bool{true, false} {
			s := newAppSite(t, mcptool.Options{PageURL: pageURL, Mount: time.Millisecond})
			addDelete(s.site, nil)
			c := s.host(t, era, "alice")
			id := pendingOf(t, call(t, c, "delete-account", account{"7"})).ElicitID
			if shows {
				call(t, c, "showQuestion", map[string]any{"elicitId": id})
			}
			r := <-waitIn(t, c, id)
			if p := pendingOf(t, r); p.URL != pageURL(parley.ID(id)) || !strings.Contains(text(r), p.URL) || r.IsError {
				t.Errorf("nothing was mounted: %q, %+v", text(r), p)
			}
			waited := waitIn(t, c, id) // it has the link, and waits on
			s.answered(t, parley.ID(id), parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`), Via: "page"})
			if got := structured[deleted](t, <-waited); !got.Confirmed {
				t.Errorf("got %+v", got)
			}
		}
	})
}

func TestWhatIsMountedHasNoLink(t *testing.T) {
	s := newAppSite(t, mcptool.Options{PageURL: pageURL, Mount: time.Nanosecond, Hold: time.Millisecond})
	addDelete(s.site, nil)
	c := s.host(t, legacy, "alice")
	id := pendingOf(t, call(t, c, "delete-account", account{"7"})).ElicitID
	call(t, c, "showQuestion", map[string]any{"elicitId": id})
	openApp(t, c, id)
	for range 3 {
		if r := <-waitIn(t, c, id); !strings.Contains(text(r), "not answered yet") || strings.Contains(text(r), "https://") {
			t.Errorf("the model is told %q", text(r))
		}
	}
}

const decision = `{"type":"object","properties":{"decision":{"type":"string","title":"Decision","oneOf":[{"const":"allow_once","title":"Allow once"},` +
	`{"const":"always_allow","title":"Always"},{"const":"deny","title":"Deny"}]},"scope":{"type":"string","title":"What","enum":["tool"]},"reason":{"type":"string"}},"required":["decision"]}`

// Hosts read a schema before the app does: of a number that they would round it has the digits,
// and takes them as the answer.
func TestAnAppHasTheDigitsOfAForm(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newAppSite(t, mcptool.Options{PageURL: pageURL})
		addPresent(s.site)
		c := s.host(t, era, "alice")
		const fields = `{"type":"object","properties":{"n":{"type":"number","default":0.1000000000000000055},"c":{"type":"number","enum":[9007199254740993,2.5]},"i":{"type":"integer","minimum":1,"default":3},"e":{"type":"integer","default":9007199254740992},"s":{"type":"integer","default":9007199254740991}}}`
		id := opened(t, s.site, parley.Request{Mode: parley.Form, Message: "How much?", Schema: []byte(fields)})
		pendingOf(t, call(t, c, "present", presentee{ID: id}))
		a := openApp(t, c, string(id))
		for _, want := range []string{`"default":"0.1000000000000000055"`, `"9007199254740993"`, `2.5`, `"minimum":1`, `"default":3`, `"default":"9007199254740992"`, `"default":9007199254740991`} {
			if !strings.Contains(string(a.Schema), want) {
				t.Errorf("no %s in %s", want, a.Schema)
			}
		}
		waited := waitIn(t, c, string(id))
		answerApp(t, c, string(id), a.Nonce, "accept", map[string]any{"c": "9007199254740993"})
		<-waited
		if q, err := s.store.Get(t.Context(), id); err != nil || q.Outcome == nil || string(q.Outcome.Content) != `{"n":0.1000000000000000055,"c":9007199254740993,"i":3,"e":9007199254740992,"s":9007199254740991}` {
			t.Errorf("outcome %+v, %v", q.Outcome, err)
		}
	})
}

const paying = "Allow this call?\n\nService: tracker\nTool: pay\nArguments:\n{\n  \"to\": \"\u202eeve\",\n  \"amount\": 18446744073709551615\n}"

func TestApprovalsAreForThePageUnlessTheOperatorHasThemInApps(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		for _, inApps := range []bool{false, true} {
			s := newAppSite(t, mcptool.Options{PageURL: pageURL, AppApprovals: inApps})
			addPresent(s.site)
			c := s.host(t, era, "alice")
			for name, labels := range map[string]map[string]string{
				"own":           {"tool": "pay"},
				"of no tool":    {},
				"by its page":   {"tool": "pay", parley.LabelPage: "only", parley.LabelBrief: "Allow this call?"},
				"too long":      {"tool": "pay", parley.LabelBrief: "Allow this call?"},
				"signed":        {"tool": "pay", parley.LabelSign: "rule"},
				"for others":    {"tool": "pay", parley.LabelAsker: "bob"},
				"of a model":    {"tool": "pay", parley.LabelCircle: "conversation"},
				"the rule's":    {"tool": "pay", parley.LabelPage: "only"},
				"person's only": {"tool": "pay", parley.LabelPerson: "only"},
			} {
				id := opened(t, s.site, parley.Request{Mode: parley.Form, Trigger: parley.TriggerApproval, Message: paying, Schema: []byte(decision), Labels: labels})
				pendingOf(t, call(t, c, "present", presentee{ID: id}))
				a := openApp(t, c, string(id))
				if name == "own" && (a.Approval == nil || a.Approval.Tool != "pay" || a.Approval.Server != "tracker" || a.Approval.Arguments != `{"to":"\\u202eeve","amount":18446744073709551615}`) {
					t.Errorf("the call is shown as %+v", a.Approval)
				}
				if here := inApps && name == "own"; !here {
					if a.Answer != "page" || a.Nonce != "" || a.Schema != nil || a.Page != pageURL(id) {
						t.Errorf("%s: %+v", name, a)
					}
					for _, action := range []string{"accept", "decline"} {
						if got := answerApp(t, c, string(id), "", action, map[string]any{"decision": "allow_once"}); got.State != "pending" || got.Nonce != "" {
							t.Errorf("%s was answered: %+v", name, got)
						}
					}
					s.wantRefused(t, "page_only", "page_only")
					s.wantOpen(t, id)
					waited := waitIn(t, c, string(id))
					s.answered(t, id, parley.Answer{Action: parley.Accept, Content: []byte(`{"decision":"allow_once"}`), Via: "page"})
					if got := structured[presentation](t, <-waited); got.Via != "page" {
						t.Errorf("%s: %+v", name, got)
					}
					if got := openApp(t, c, string(id)); got.State != "settled" || got.Words != "Allowed once elsewhere." {
						t.Errorf("%s: the card says %+v", name, got)
					}
					continue
				}
				if a.Answer != "here" || strings.Contains(string(a.Schema), "always") || strings.Contains(string(a.Schema), "scope") {
					t.Errorf("%s: %+v, %s", name, a, a.Schema)
				}
				always := answerApp(t, c, string(id), a.Nonce, "accept", map[string]any{"decision": "always_allow", "scope": "tool"})
				if always.State != "pending" || len(always.Violations) != 1 || always.Violations[0].Field != "decision" {
					t.Errorf("always: %+v", always)
				}
				waited := waitIn(t, c, string(id))
				answerApp(t, c, string(id), always.Nonce, "accept", map[string]any{"decision": "allow_once", "scope": "tool"})
				if got := structured[presentation](t, <-waited); got.Via != "mcp-app" {
					t.Errorf("%s: %+v", name, got)
				}
				if q, err := s.store.Get(t.Context(), id); err != nil || strings.Contains(string(q.Outcome.Content), "scope") {
					t.Errorf("%s: %s, %v", name, q.Outcome.Content, err)
				}
				s.wantRefused(t, "does_not_fit")
			}
		}
	})
}

func TestACardSaysWhatWasDecided(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newAppSite(t, mcptool.Options{PageURL: pageURL, AppApprovals: true})
		addPresent(s.site)
		c := s.host(t, era, "alice")
		asked := func() (id parley.ID, nonce string, waited <-chan *mcp.CallToolResult) {
			id = opened(t, s.site, parley.Request{Mode: parley.Form, Trigger: parley.TriggerApproval, Message: paying, Schema: []byte(decision), Labels: map[string]string{"tool": "pay"}})
			pendingOf(t, call(t, c, "present", presentee{ID: id}))
			return id, openApp(t, c, string(id)).Nonce, waitIn(t, c, string(id))
		}
		id, nonce, waited := asked()
		if got := answerApp(t, c, string(id), nonce, "accept", map[string]any{"decision": "deny"}); got.State != "settled" || got.Outcome != "decline" || got.Words != "Denied." {
			t.Errorf("who denied it reads %+v", got)
		}
		<-waited
		id, nonce, waited = asked()
		if got := answerApp(t, c, string(id), nonce, "accept", map[string]any{"decision": "allow_once"}); got.Outcome != "accept" || got.Words != "Allowed once." {
			t.Errorf("who allowed it reads %+v", got)
		}
		<-waited
		for said, want := range map[string][2]string{"deny": {"decline", "Denied elsewhere."}, "always_allow": {"accept", "Allowed elsewhere."}} {
			id, _, waited = asked()
			s.answered(t, id, parley.Answer{Action: parley.Accept, Content: []byte(`{"decision":"` + said + `"}`), Via: "page"})
			if got := openApp(t, c, string(id)); got.Outcome != want[0] || got.Words != want[1] {
				t.Errorf("%s on the page reads %+v", said, got)
			}
			<-waited
		}
	})
}

func TestAURLIsVisitedByThePage(t *testing.T) {
	s := newAppSite(t, mcptool.Options{PageURL: pageURL})
	addConnect(s.site, nil)
	c := s.host(t, modern, "alice")
	id := pendingOf(t, call(t, c, "connect", nil)).ElicitID
	if a := openApp(t, c, id); a.Answer != "page" || a.Page != pageURL(parley.ID(id)) || a.Nonce != "" {
		t.Errorf("the app is shown %+v", a)
	}
	waited := waitIn(t, c, id)
	s.answered(t, parley.ID(id), parley.Answer{Action: parley.Accept, Via: "page"})
	if got := structured[string](t, <-waited); got != "accept" {
		t.Errorf("got %q", got)
	}
}

// The node that the model called may stop: what is shown, who has which nonce and
// the call itself are in the store.
func TestAnotherNodeGoesOnWithWhatAnAppShows(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		store := parley.NewMemoryStore()
		one, two := newAppSiteOn(t, store, mcptool.Options{PageURL: pageURL}), newAppSiteOn(t, store, mcptool.Options{PageURL: pageURL})
		for _, s := range []*appSite{one, two} {
			addDelete(s.site, nil)
		}
		model := one.host(t, era, "alice")
		id := pendingOf(t, call(t, model, "delete-account", account{"7"})).ElicitID
		call(t, model, "showQuestion", map[string]any{"elicitId": id})
		nonce := openApp(t, one.host(t, era, "alice"), id).Nonce
		one.http.CloseClientConnections()
		one.http.Close()
		c := two.host(t, era, "alice")
		waited := waitIn(t, c, id)
		if over := answerApp(t, c, id, nonce, "accept", sayYes("moved")); over.State != "settled" {
			t.Errorf("the other node: %+v", over)
		}
		if got := structured[deleted](t, <-waited); got != (deleted{"accept", true, "moved"}) {
			t.Errorf("got %+v", got)
		}
	})
}

func TestTheAppIsThereForClientsThatShowOne(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newAppSite(t, mcptool.Options{PageURL: pageURL})
		addDelete(s.site, nil)
		able := accept(map[string]any{"confirmed": true})
		for name, client := range map[string]struct {
			clientOptions
			tools bool // of the app
			html  bool
		}{
			"shows apps":                 {clientOptions{apps: showsApps}, true, true},
			"shows apps, asks forms":     {clientOptions{apps: showsApps, person: able, forms: true}, true, true},
			"shows apps, asks all":       {clientOptions{apps: showsApps, person: able}, false, true},
			"shows nothing":              {clientOptions{}, false, false},
			"shows apps of another MIME": {clientOptions{apps: map[string]any{"mimeTypes": []string{"text/html+skybridge"}}}, false, false},
		} {
			client.era, client.user = era, "alice"
			c := s.connect(t, client.clientOptions)
			names := toolNames(t, c)
			for _, tool := range []string{"showQuestion", "parley_open", "parley_answer"} {
				_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"elicitId": "none", "nonce": "", "action": "accept"}})
				served := err == nil || !strings.Contains(err.Error(), "unknown tool")
				if slices.Contains(names, tool) != client.tools || served != client.tools {
					t.Errorf("%s: %s is listed: %v, served: %v (%v)", name, tool, slices.Contains(names, tool), served, err)
				}
			}
			r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: askURI})
			if (err == nil) != client.html {
				t.Errorf("%s: reading the app: %v", name, err)
			}
			if err == nil && (r.Contents[0].MIMEType != "text/html;profile=mcp-app" || r.Contents[0].Text != askapp.HTML || r.Contents[0].Meta["ui"] == nil) {
				t.Errorf("%s: the app is %q, %v, %d bytes", name, r.Contents[0].MIMEType, r.Contents[0].Meta, len(r.Contents[0].Text))
			}
			list, err := c.ListResources(t.Context(), nil)
			if err != nil || (len(list.Resources) == 1) != client.html {
				t.Errorf("%s: %d resources are listed, %v", name, len(list.Resources), err)
			}
		}
	})
}

func TestTheToolsOfTheAppSayWhoMaySeeThem(t *testing.T) {
	s := newAppSite(t, mcptool.Options{})
	addDelete(s.site, nil)
	c := s.host(t, modern, "alice")
	want := map[string]string{
		"showQuestion":  `{"ui":{"resourceUri":"ui://parley/ask.html","visibility":["model"]},"ui/resourceUri":"ui://parley/ask.html"}`,
		"parley_open":   `{"openai/visibility":"private","ui":{"visibility":["app"]}}`,
		"parley_answer": `{"openai/visibility":"private","ui":{"visibility":["app"]}}`,
	}
	for tool, err := range c.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if meta, _ := json.Marshal(tool.Meta); want[tool.Name] != "" && string(meta) != want[tool.Name] {
			t.Errorf("%s has %s", tool.Name, meta)
		}
	}
}

// A client that shows no apps, and one whose person cannot be known, are as with the
// page.
func TestWhereNoAppIsShownThereIsThePage(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newAppSite(t, mcptool.Options{PageURL: pageURL})
		addDelete(s.site, nil)
		c := s.connect(t, clientOptions{era: era, user: "alice"})
		if p := pendingOf(t, call(t, c, "delete-account", account{"7"})); p.URL != pageURL(parley.ID(p.ElicitID)) {
			t.Errorf("pending %+v", p)
		}
		for name, opts := range map[string]mcptool.Options{"no page": {}, "nobody signs in": {PageURL: pageURL, NoSignIn: true}} {
			s := newAppSite(t, opts)
			addDelete(s.site, nil)
			r, err := s.connect(t, clientOptions{era: era, user: "alice"}).CallTool(t.Context(), &mcp.CallToolParams{Name: "delete-account", Arguments: account{"7"}})
			notSupported(t, r, err, era, "form")
			if a := openApp(t, s.host(t, era, "alice"), pendingOf(t, call(t, s.host(t, era, "alice"), "delete-account", account{"7"})).ElicitID); a.Answer != "here" || a.Page != "" {
				t.Errorf("%s: %+v", name, a)
			}
		}
	})
}

// Hosts that ask forms may have our app draw them (a draft).
func TestFormsNameTheAppThatDrawsThem(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newAppSite(t, mcptool.Options{PageURL: pageURL})
		addDelete(s.site, nil)
		for _, draws := range []bool{true, false} {
			apps := map[string]any{"mimeTypes": showsApps["mimeTypes"]}
			if draws {
				apps["elicitation"] = map[string]any{}
			}
			var shown *mcp.ElicitParams
			c := s.connect(t, clientOptions{era: era, user: "alice", apps: apps, person: func(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
				shown = p
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true}}, nil
			}})
			call(t, c, "delete-account", account{fmt.Sprint(draws)})
			meta, _ := json.Marshal(shown.Meta["ui"])
			if (string(meta) == `{"resourceUri":"ui://parley/ask.html"}`) != draws || shown.RequestedSchema == nil {
				t.Errorf("draws %v: %s, %v", draws, meta, shown.RequestedSchema)
			}
			said, _ := json.Marshal(c.InitializeResult().Capabilities.Extensions["io.modelcontextprotocol/ui"])
			if string(said) != `{"elicitation":{}}` {
				t.Errorf("the server declares %s", said)
			}
		}
	})
}

func TestAResourceOfAnyNameThatIsNotThereIsNotThere(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s := newAppSite(t, mcptool.Options{})
		c := s.host(t, era, "alice")
		uris := []string{"file:///\U000e0001", "file:///none"}
		if era != modern { // whose clients send the name in a header
			uris = append(uris, "file:///a\x00", "ui://parley/ask.html\x7f", "file:///\a\v")
		}
		for _, uri := range uris {
			if _, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil || !strings.Contains(err.Error(), "not found") {
				t.Errorf("%q: %v", uri, err)
			}
		}
		if _, err := c.ListTools(t.Context(), nil); err != nil {
			t.Errorf("and then: %v", err)
		}
	})
}
