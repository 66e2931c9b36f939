package permit_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/permit"
)

func TestTheQuestionShowsTheWholeCall(t *testing.T) {
	s := newSite(t, nil)
	c := with(transfer(), func(c *permit.Call) {
		c.ServerTitle, c.ToolTitle = "The bank", "Send money"
		c.Args = json.RawMessage(`{"to":"bob","amount":9007199254740993,"lines":["a\nb",[],{}],"note":{"x":null,"é":1.50}}`)
	})
	q := s.ask(t, c)
	want := `Allow this call?

Service: bank ("The bank")
Tool: transfer ("Send money")
Arguments:
{
  "amount": 9007199254740993,
  "lines": [
    "a\nb",
    [],
    {}
  ],
  "note": {
    "x": null,
    "é": 1.50
  },
  "to": "bob"
}`
	if diff := cmp.Diff(want, q.Message); diff != "" {
		t.Error(diff)
	}
	if !q.ID.Valid() || q.Tenant != "default" || q.To != "alice" || q.From != "bank" || q.Session != "chat-1" ||
		q.Mode != parley.Form || q.Trigger != parley.TriggerApproval {
		t.Errorf("%+v", q)
	}
	labels := map[string]string{
		parley.LabelTitle: "The bank", permit.LabelServer: "bank", permit.LabelTool: "transfer", permit.LabelCall: "run-1/call-1", permit.LabelDigest: digest(t, c),
	}
	if diff := cmp.Diff(labels, q.Labels); diff != "" {
		t.Error(diff)
	}
	if got := q.Expires.Sub(q.Created); got != 10*time.Minute {
		t.Errorf("open for %v, not for as long as the hub's others", got)
	}
	if text := s.ask(t, with(transfer(), func(c *permit.Call) { c.Args = nil })).Message; !strings.HasSuffix(text, "\nArguments:\n{}") {
		t.Error(text)
	}
}

// scopes and untils are the fields that narrow an always_allow.
func scopes(first ...form.Option) form.Field {
	return form.Field{
		Name: "scope", Title: "Always allow what", Description: "Only for a permission that stays.", Kind: form.Choice,
		Options: append(first, form.Option{Value: "tool", Title: "This tool, whatever the arguments"},
			form.Option{Value: "arguments", Title: "This tool with exactly these arguments"}),
	}
}

func untils(options ...form.Option) form.Field {
	return form.Field{
		Name: "until", Title: "For how long", Description: "Only for a permission that stays.", Kind: form.Choice, Options: options,
	}
}

func TestTheQuestionOffersItsChoicesAndNoDefault(t *testing.T) {
	server := form.Option{Value: "server", Title: "Every tool of this service"}
	revoked, hour := form.Option{Value: "revoked", Title: "Until I take it back"}, form.Option{Value: "hour", Title: "For an hour"}
	day, week := form.Option{Value: "day", Title: "For a day"}, form.Option{Value: "week", Title: "For a week"}
	for name, tc := range map[string]struct {
		opts   permit.Options
		always string
		narrow []form.Field
	}{
		"by default":   {permit.Options{}, "Always allow this tool", []form.Field{scopes(), untils(revoked, hour, day, week)}},
		"whole server": {permit.Options{WholeServer: true}, "Always allow every tool of this service", []form.Field{scopes(server), untils(revoked, hour, day, week)}},
		"for a time":   {permit.Options{AlwaysTTL: 30 * 24 * time.Hour}, "Allow this tool for 30 days", []form.Field{scopes(), untils(hour, day, week)}},
		"for a day":    {permit.Options{AlwaysTTL: 24 * time.Hour}, "Allow this tool for 1 day", []form.Field{scopes(), untils(hour)}},
		"for an hour":  {permit.Options{AlwaysTTL: time.Hour, WholeServer: true}, "Allow every tool of this service for 1 hour", []form.Field{scopes(server)}},
		"for 90 s":     {permit.Options{AlwaysTTL: 90 * time.Second}, "Allow this tool for 90 seconds", []form.Field{scopes()}},
		"for less":     {permit.Options{AlwaysTTL: 1500 * time.Millisecond}, "Allow this tool for 1.5s", []form.Field{scopes()}},
	} {
		q := newSite(t, &tc.opts).ask(t, transfer())
		schema, err := form.Parse(q.Schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := append([]form.Field{{
			Name: "decision", Title: "Decision", Kind: form.Choice, Required: true,
			Options: []form.Option{
				{Value: "allow_once", Title: "Allow once"}, {Value: "always_allow", Title: tc.always}, {Value: "deny", Title: "Deny"},
				{Value: "asked_back", Title: "Ask back"},
			},
		}}, append(tc.narrow, form.Field{
			Name: "reason", Title: "What the agent is told", Description: "With a denial, or when you ask back.", Kind: form.String, MaxLength: new(1000),
		})...)
		if diff := cmp.Diff(want, schema.Fields()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if _, err := schema.Check([]byte(`{}`)); err == nil {
			t.Errorf("%s: a form that nobody filled in is an answer", name)
		}
		// An answer says no more than the person did.
		if content, err := schema.Check([]byte(`{"decision":"deny"}`)); err != nil || string(content) != `{"decision":"deny"}` {
			t.Errorf("%s: %s, %v", name, content, err)
		}
	}
}

func TestNothingInACallCanHideOrPassForTheQuestion(t *testing.T) {
	s := newSite(t, nil)
	c := with(transfer(), func(c *permit.Call) {
		c.Tool = "read file"
		c.ToolTitle = "List\nArguments:\n{}\u202e\xff"
		c.Args = json.RawMessage("{\"a\":\"x\u202etxt.exe\u200b\u00a0\u2028\U000e0041\u3164\ufe0f\u2800😀\u0000\",\"z\":\"a\u200b\u0301\",\"b\":\"\u0301D\u0336E\u20dd\",\"é\u0301\u030a\u0301\u030a\u0301\":1}")
		c.Args = json.RawMessage(strings.ReplaceAll(string(c.Args), "\x00", `\u0000`))
	})
	want := `Allow this call?

Service: bank
Tool: "read file" ("List\nArguments:\n{}\u202e�")
Arguments:
{
  "a": "x\u202etxt.exe\u200b\u00a0\u2028\udb40\udc41\u3164\ufe0f\u2800😀\u0000",
  "b": "\u0301D\u0336E\u20dd",
  "z": "a\u200b\u0301",
  "é` + "\u0301\u030a\u0301\u030a" + `\u0301": 1
}`
	if diff := cmp.Diff(want, s.ask(t, c).Message); diff != "" {
		t.Error(diff)
	}
}

func TestACallThatCannotBeShownCompletelyIsRefused(t *testing.T) {
	s := newSite(t, nil)
	sized := func(n int) permit.Call {
		return with(transfer(), func(c *permit.Call) { c.Args = json.RawMessage(`{"a":"` + strings.Repeat("x", n) + `"}`) })
	}
	frame := len(s.ask(t, sized(0)).Message)
	if q := s.ask(t, sized(16<<10-frame)); len(q.Message) != 16<<10 {
		t.Errorf("%d bytes", len(q.Message))
	}
	nested := with(transfer(), func(c *permit.Call) { // short as it is, long as it is shown
		c.Args = json.RawMessage(`{"a":` + strings.Repeat("[", 40) + strings.Repeat("1,", 1000) + "1" + strings.Repeat("]", 40) + "}")
	})
	for _, c := range []permit.Call{sized(16<<10 - frame + 1), sized(500_000), nested} {
		_, err := s.Question(c)
		wantError(t, err, permit.ErrTooLong)
		_, err = s.Record(t.Context(), c, parley.NewID())
		wantError(t, err, parley.ErrNotFound)
		s.wantRefused(t, c, permit.Required)
	}
	small := newSite(t, &permit.Options{MessageBytes: frame - 1})
	_, err := small.Question(sized(0))
	wantError(t, err, permit.ErrTooLong)
}

// The caller writes the id down, dies, and does not know whether it was opened.
func TestTheSameQuestionCanBeOpenedAgainUnderItsID(t *testing.T) {
	s := newSite(t, nil)
	first, err := s.Question(transfer())
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.again(t, nil).Question(with(transfer(), func(c *permit.Call) { c.Args = json.RawMessage(`{"amount":100,"to":"bob"}`) }))
	if err != nil {
		t.Fatal(err)
	}
	if first.ID == second.ID {
		t.Error("two questions share an id")
	}
	second.ID = first.ID
	if diff := cmp.Diff(first, second); diff != "" {
		t.Error(diff)
	}
	second.Labels["run"] = "run-1" // a caller's own
	second.Expires = time.Now().Add(time.Hour)
	if _, err := s.hub.Open(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	_, err = s.hub.Open(t.Context(), first)
	wantError(t, err, parley.ErrExists)
	s.answer(t, first, says(permit.AllowOnce))
	wantStatus(t, s.record(t, transfer(), first.ID), permit.Granted)
}

func TestAQuestionStaysOpenForItsTTL(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, &permit.Options{TTL: 3 * time.Hour})
		q := s.ask(t, transfer())
		if got := q.Expires.Sub(q.Created); got != 3*time.Hour {
			t.Errorf("open for %v", got)
		}
	})
}
