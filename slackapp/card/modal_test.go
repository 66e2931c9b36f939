package card_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/slackapp/card"
)

// state is what Slack sends of a modal that somebody filled in: the defaults, and by
// the label of the field what they entered.
func state(t testing.TB, v slack.ModalViewRequest, entered map[string]string) *slack.ViewState {
	t.Helper()
	s := &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	used := 0
	for _, b := range v.Blocks.BlockSet {
		in, ok := b.(*slack.InputBlock)
		if !ok {
			continue
		}
		text, given := entered[in.Label.Text]
		if given {
			used++
		}
		raw := fill(t, in.Element, text, given)
		var a slack.BlockAction
		if err := json.Unmarshal(raw, &a); err != nil {
			t.Fatal(err)
		}
		s.Values[in.BlockID] = map[string]slack.BlockAction{"value": a}
	}
	if used != len(entered) {
		t.Fatalf("%d of %d fields are in the modal", used, len(entered))
	}
	return s
}

// fill is the state of one element as Slack writes it.
func fill(t testing.TB, e slack.BlockElement, text string, given bool) []byte {
	t.Helper()
	pick := func(all, initial []*slack.OptionBlockObject) (chosen []*slack.OptionBlockObject) {
		if !given {
			return initial
		}
		for _, o := range all {
			if slices.Contains(strings.Split(text, ","), o.Text.Text) {
				chosen = append(chosen, o)
			}
		}
		return chosen
	}
	one := func(all []*slack.OptionBlockObject, initial *slack.OptionBlockObject) any {
		if chosen := pick(all, []*slack.OptionBlockObject{initial}); len(chosen) > 0 && chosen[0] != nil {
			return chosen[0]
		}
		return nil
	}
	or := func(initial string) any {
		switch {
		case given && text != "":
			return text
		case !given && initial != "":
			return initial
		}
		return nil
	}
	m := map[string]any{}
	switch e := e.(type) {
	case *slack.PlainTextInputBlockElement:
		m = map[string]any{"type": "plain_text_input", "value": or(e.InitialValue)}
	case *slack.EmailTextInputBlockElement:
		m = map[string]any{"type": "email_text_input", "value": or(e.InitialValue)}
	case *slack.URLTextInputBlockElement:
		m = map[string]any{"type": "url_text_input", "value": or(e.InitialValue)}
	case *slack.NumberInputBlockElement:
		m = map[string]any{"type": "number_input", "value": or(e.InitialValue)}
	case *slack.DatePickerBlockElement:
		m = map[string]any{"type": "datepicker", "selected_date": or(e.InitialDate)}
	case *slack.DateTimePickerBlockElement:
		m = map[string]any{"type": "datetimepicker", "selected_date_time": nil}
		if given {
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				t.Fatal(err)
			}
			m["selected_date_time"] = at.Unix()
		}
	case *slack.RadioButtonsBlockElement:
		m = map[string]any{"type": "radio_buttons", "selected_option": one(e.Options, e.InitialOption)}
	case *slack.SelectBlockElement:
		m = map[string]any{"type": "static_select", "selected_option": one(e.Options, e.InitialOption)}
	case *slack.CheckboxGroupsBlockElement:
		m = map[string]any{"type": "checkboxes", "selected_options": pick(e.Options, e.InitialOptions)}
	case *slack.MultiSelectBlockElement:
		m = map[string]any{"type": "multi_static_select", "selected_options": pick(e.Options, e.InitialOptions)}
	default:
		t.Fatalf("an element that is not known: %T", e)
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func entered(t testing.TB, q card.Question, v card.Verb, texts map[string]string) string {
	t.Helper()
	a, ok := card.Entered(q, v, state(t, modalOf(t, q, v), texts))
	if !ok || a.Action != parley.Accept || a.Via != "slack" {
		t.Fatalf("%s: %v, %v", v, a, ok)
	}
	return string(a.Content)
}

func TestEveryKindOfFieldGoesThereAndBack(t *testing.T) {
	q := asked(parley.Request{From: "coffee", Message: "What may it be?", Schema: []byte(orders)})
	golden(t, "modal_form", modalOf(t, q, card.Answer))
	schema, err := form.Parse(q.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		name  string
		texts map[string]string
		want  string
	}{
		{"all", map[string]string{
			"Name": " Zoë & <b> ", "Notes": "two\nlines", "Cups": "3", "Price": "2.50", "mail": "a@b.example", "site": "https://a.example/", "day": "2026-12-24",
			"when": "2026-12-24T10:00:00+01:00", "hot": "", "sure": "No", "size": "Medium", "town": "K", "with": "milk,sugar", "more": "a,k",
		}, `{"name":" Zoë & <b> ","notes":"two\nlines","cups":3,"price":2.50,"mail":"a@b.example","site":"https://a.example/","day":"2026-12-24","when":"2026-12-24T09:00:00Z","hot":false,"sure":false,"size":"m","town":"K","with":["milk","sugar"],"more":["a","k"]}`},
		{"only what must be", map[string]string{"Name": "Z", "sure": "Yes"}, `{"name":"Z","cups":2,"hot":true,"sure":true}`},
	} {
		content := entered(t, q, card.Answer, one.texts)
		if content != one.want {
			t.Errorf("%s: entered\n%s, not\n%s", one.name, content, one.want)
		}
		if _, err := schema.Check([]byte(content)); err != nil {
			t.Errorf("%s: %v", one.name, err)
		}
	}
}

// TestErrorsStandAtTheirFields: what the form's own check says of an answer is said
// where it was entered.
func TestErrorsStandAtTheirFields(t *testing.T) {
	q := asked(parley.Request{From: "coffee", Message: "What may it be?", Schema: []byte(orders)})
	schema, err := form.Parse(q.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	content := entered(t, q, card.Answer, map[string]string{"Name": "", "Cups": "12", "Price": "much", "mail": "nobody", "sure": "Yes"})
	_, err = schema.Check([]byte(content))
	got := card.Errors(q, card.Answer, err)
	want := map[string]string{
		"field-0": "Name is required.", "field-2": "Cups must be at most 9.", "field-3": "Price must be a number.", "field-4": "mail must be an email address such as name@example.com.",
	}
	if len(got) != len(want) {
		t.Errorf("errors: %v", got)
	}
	for block, words := range want {
		if got[block] != words {
			t.Errorf("%s: %q, not %q", block, got[block], words)
		}
	}
	if got := card.Errors(q, card.Answer, errors.New("internal")); got != nil {
		t.Errorf("another error is shown: %v", got)
	}
	elsewhere := &form.ContentError{Violations: []form.Violation{{Message: "It does not fit."}, {Path: "with[1]", Message: "Wrong choice."}}}
	if got := card.Errors(q, card.Answer, elsewhere); got["field-0"] != "It does not fit." || got["field-12"] != "Wrong choice." {
		t.Errorf("errors: %v", got)
	}
}

func TestModalsOfAnApproval(t *testing.T) {
	q := approval(t, `{"to":"bob","amount":100,"urgent":false,"raw":[1]}`, nil)
	schema, err := form.Parse(q.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		verb  card.Verb
		texts map[string]string
		want  string
	}{
		{card.Because, map[string]string{"What the agent is told": "not \"today\""}, `{"decision":"deny","reason":"not \"today\""}`},
		{card.Because, nil, `{"decision":"deny"}`},
		{card.AskBack, map[string]string{"What the agent is told": "why?"}, `{"decision":"asked_back","reason":"why?"}`},
		{card.Change, map[string]string{"amount": "50"}, `{"decision":"changed","args.to":"bob","args.amount":50,"args.urgent":false}`},
		{card.Change, map[string]string{"urgent": "Yes", "to": ""}, `{"decision":"changed","args.to":"","args.amount":100,"args.urgent":true}`},
	} {
		content := entered(t, q, one.verb, one.texts)
		if !sameJSON(t, content, one.want) {
			t.Errorf("%s %v: %s, not %s", one.verb, one.texts, content, one.want)
		}
		if _, err := schema.Check([]byte(content)); err != nil {
			t.Errorf("%s: %v", one.verb, err)
		}
	}
	golden(t, "modal_because", modalOf(t, q, card.Because))
	golden(t, "modal_change", modalOf(t, q, card.Change))

	long := approval(t, `{"to":"`+strings.Repeat("x", 3100)+`","amount":1}`, nil)
	if got := entered(t, long, card.Answer, map[string]string{"Decision": "Allow once"}); got != `{"decision":"allow_once"}` {
		t.Errorf("the modal of a long call says %s", got)
	}
	for _, b := range modalOf(t, long, card.Answer).Blocks.BlockSet {
		if in, ok := b.(*slack.InputBlock); ok && strings.Contains(string(wire(t, in)), "args.") {
			t.Error("it has an argument to change")
		}
	}
}

func sameJSON(t testing.TB, a, b string) bool {
	t.Helper()
	var x, y map[string]any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		t.Fatalf("no JSON: %s, %s", a, b)
	}
	return string(wire(t, x)) == string(wire(t, y))
}

func TestADefaultKeepsItsDigitsAndItsZone(t *testing.T) {
	q := asked(parley.Request{From: "x", Message: "m", Schema: []byte(`{"type":"object","properties":{
		"big":{"type":"integer","default":12345678901234567890},"small":{"type":"number","default":1e-7},"at":{"type":"string","format":"date-time","default":"2026-01-31T09:30:00+02:00"}}}`)})
	if got := entered(t, q, card.Answer, nil); got != `{"big":12345678901234567890,"small":1e-7,"at":"2026-01-31T09:30:00+02:00"}` {
		t.Errorf("untouched it says %s", got)
	}
}

func TestAViewNamesItsQuestion(t *testing.T) {
	v := modalOf(t, approval(t, `{"to":"bob"}`, nil), card.Because)
	p, ok := card.Submitted(slack.View{CallbackID: v.CallbackID, PrivateMetadata: v.PrivateMetadata})
	if !ok || p.Verb != card.Because || p.Question != id {
		t.Errorf("read as %v", p)
	}
}
