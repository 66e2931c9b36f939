package fakeslack_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley/internal/testkit/fakeslack"
)

func plain(text string) *slack.TextBlockObject {
	return slack.NewTextBlockObject("plain_text", text, false, false)
}

func option(value string) *slack.OptionBlockObject {
	return slack.NewOptionBlockObject(value, plain(strings.ToUpper(value)), nil)
}

// form is a modal with inputs of all kinds.
func form() slack.ModalViewRequest {
	number := slack.NewNumberInputBlockElement(nil, "a", false)
	number.MinValue, number.MaxValue = "1", "9"
	colours := slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeStatic, nil, "a", option("red"), option("blue"))
	text := slack.NewPlainTextInputBlockElement(nil, "a")
	text.MaxLength = 5
	when := slack.NewDateTimePickerBlockElement("a")
	input := func(id string, optional bool, e slack.BlockElement) slack.Block {
		b := slack.NewInputBlock(id, plain(id), nil, e)
		b.Optional = optional
		return b
	}
	return slack.ModalViewRequest{
		Type: slack.VTModal, Title: plain("A form"), Submit: plain("Send"), CallbackID: "form", PrivateMetadata: "q1",
		Blocks: slack.Blocks{BlockSet: []slack.Block{
			input("name", false, text),
			input("count", true, number),
			input("mail", true, slack.NewEmailTextInputBlockElement(nil, "a")),
			input("site", true, slack.NewURLTextInputBlockElement(nil, "a")),
			input("day", true, slack.NewDatePickerBlockElement("a")),
			input("hour", true, slack.NewTimePickerBlockElement("a")),
			input("when", true, when),
			input("one", true, slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, nil, "a", option("x"), option("y"))),
			input("many", true, colours),
			input("radio", true, slack.NewRadioButtonsBlockElement("a", option("on"), option("off"))),
			input("check", true, slack.NewCheckboxGroupsBlockElement("a", option("yes"))),
		}},
	}
}

// open presses a button, and the app opens a view for it.
func (s *site) open(view slack.ModalViewRequest) fakeslack.View {
	s.t.Helper()
	if _, err := s.ann.Press(s.post(button("open", "q1")), "open"); err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.client.OpenView(s.lastAction().TriggerID, view); err != nil {
		s.t.Fatalf("%v: %+v", err, err)
	}
	v, ok := s.ann.View()
	if !ok {
		s.t.Fatal("ann sees no modal")
	}
	return v
}

func TestFormIsSubmittedWithAllKindsOfInput(t *testing.T) {
	s := newSite(t, nil)
	v := s.open(form())
	if v.CallbackID != "form" || v.PrivateMetadata != "q1" || v.Title != "A form" || v.Submit != "Send" || v.Depth != 1 {
		t.Errorf("the view is %+v", v)
	}
	made, err := s.ann.Submit(v, fakeslack.Values{
		"name": "Ann", "count": "3", "mail": "ann@acme.example", "site": "https://acme.example", "day": "2026-11-17", "hour": "20:15", "when": int64(1700000000),
		"one": "y", "many": []string{"red", "blue"}, "radio": "off", "check": []string{"yes"},
	})
	if err != nil || made.Action != "" {
		t.Fatalf("%+v, %v", made, err)
	}
	c := s.lastAction()
	values := c.View.State.Values
	at := func(block string) slack.BlockAction { return values[block]["a"] }
	if c.Type != slack.InteractionTypeViewSubmission || c.View.PrivateMetadata != "q1" || c.User.ID != s.ann.ID ||
		at("name").Value != "Ann" || at("count").Value != "3" || at("mail").Value != "ann@acme.example" || at("site").Value != "https://acme.example" ||
		at("day").SelectedDate != "2026-11-17" || at("hour").SelectedTime != "20:15" || at("when").SelectedDateTime != 1700000000 ||
		at("one").SelectedOption.Value != "y" || len(at("many").SelectedOptions) != 2 || at("radio").SelectedOption.Value != "off" ||
		at("check").SelectedOptions[0].Value != "yes" {
		t.Errorf("the submission is %+v", values)
	}
	if _, open := s.ann.View(); open {
		t.Error("the modal is still open")
	}
}

func TestSlacksClientsRefuseWhatCannotBeEntered(t *testing.T) {
	s := newSite(t, nil)
	v := s.open(form())
	for name, values := range map[string]fakeslack.Values{
		"a required input is empty":   {},
		"a text is too long":          {"name": "too long"},
		"a text has two lines":        {"name": "a\nb"},
		"a number is too large":       {"name": "Ann", "count": "10"},
		"a number is too small":       {"name": "Ann", "count": "0"},
		"a number is not whole":       {"name": "Ann", "count": "1.5"},
		"a number is none":            {"name": "Ann", "count": "x"},
		"an address is none":          {"name": "Ann", "mail": "ann"},
		"a URL is none":               {"name": "Ann", "site": "acme"},
		"a date is none":              {"name": "Ann", "day": "2026-13-01"},
		"an option is not there":      {"name": "Ann", "one": "z"},
		"one of several is not there": {"name": "Ann", "many": []string{"red", "green"}},
		"a block is not there":        {"name": "Ann", "other": "x"},
	} {
		if _, err := s.ann.Submit(v, values); err == nil {
			t.Errorf("%s: it was submitted", name)
		}
	}
	if n := len(s.slack.Deliveries("view_submission")); n != 0 {
		t.Errorf("the app was told %d times", n)
	}
	state := map[string]any{"name": map[string]any{"a": map[string]any{"type": "plain_text_input", "value": "much too long"}}}
	if _, err := s.ann.Force(v, state); err != nil || s.lastAction().View.State.Values["name"]["a"].Value != "much too long" {
		t.Errorf("forced: %v", err)
	}
}

// answer lets the app answer view_submission.
func (s *site) answer(r *slack.ViewSubmissionResponse) {
	s.onAction = func(w http.ResponseWriter, c slack.InteractionCallback) {
		if c.Type == slack.InteractionTypeViewSubmission {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(r)
		}
	}
}

func TestAnswersToASubmission(t *testing.T) {
	s := newSite(t, nil)
	v := s.open(form())
	fill := fakeslack.Values{"name": "Ann"}
	s.answer(slack.NewErrorsViewSubmissionResponse(map[string]string{"name": "not you"}))
	made, err := s.ann.Submit(v, fill)
	if err != nil || made.Errors["name"] != "not you" {
		t.Errorf("%+v, %v", made, err)
	}
	if _, open := s.ann.View(); !open {
		t.Error("the modal is closed, with errors in it")
	}
	s.answer(slack.NewErrorsViewSubmissionResponse(map[string]string{"nobody": "not there"}))
	if _, err := s.ann.Submit(v, fill); err == nil {
		t.Error("an error at a block that is not there was shown")
	}
	second := form()
	second.Title = plain("Page 2")
	s.answer(slack.NewUpdateViewSubmissionResponse(&second))
	if _, err := s.ann.Submit(v, fill); err != nil {
		t.Error(err)
	}
	now, _ := s.ann.View()
	if now.ID != v.ID || now.Title != "Page 2" || now.Updates != 1 || now.Hash == v.Hash {
		t.Errorf("the view is %+v", now)
	}
	second.Title = plain(strings.Repeat("x", 25))
	if _, err := s.ann.Submit(now, fill); err == nil {
		t.Error("a view was shown that Slack refuses")
	}
	second.Title = plain("On top")
	s.answer(slack.NewPushViewSubmissionResponse(&second))
	if _, err := s.ann.Submit(now, fill); err != nil {
		t.Error(err)
	}
	top, _ := s.ann.View()
	if top.Title != "On top" || top.Depth != 2 {
		t.Errorf("the view is %+v", top)
	}
	s.answer(slack.NewClearViewSubmissionResponse())
	if _, err := s.ann.Submit(top, fill); err != nil {
		t.Error(err)
	}
	if _, open := s.ann.View(); open {
		t.Error("a modal is still open")
	}
}

func TestTriggerIsGoodOnceAndForThreeSeconds(t *testing.T) {
	s := newSite(t, nil)
	card := s.post(button("open", "q1"))
	press := func() string {
		t.Helper()
		if _, err := s.ann.Press(card, "open"); err != nil {
			t.Fatal(err)
		}
		return s.lastAction().TriggerID
	}
	used := press()
	if _, err := s.client.OpenView(used, form()); err != nil {
		t.Fatal(err)
	}
	_, err := s.client.OpenView(used, form())
	refused(t, err, "exchanged_trigger_id")
	late := press()
	s.slack.Advance(3 * time.Second)
	_, err = s.client.OpenView(late, form())
	refused(t, err, "expired_trigger_id")
	_, err = s.client.OpenView("1.2.3", form())
	refused(t, err, "invalid_trigger_id")
	other := s.slack.AddWorkspace("Other")
	_, err = s.as(other.Install().AccessToken).OpenView(press(), form())
	refused(t, err, "invalid_trigger_id")
}

func TestViewsArePushedUpdatedAndClosed(t *testing.T) {
	s := newSite(t, nil)
	more := form()
	more.NotifyOnClose = true
	more.Blocks.BlockSet = append(more.Blocks.BlockSet, slack.NewActionBlock("pages", slack.NewButtonBlockElement("next", "2", plain("More"))))
	v := s.open(more)
	for depth := 2; depth <= 4; depth++ {
		if _, err := s.ann.PressIn(v, "next"); err != nil {
			t.Fatal(err)
		}
		c := s.lastAction()
		if c.Container.ViewID != v.ID || c.View.ID != v.ID || c.ResponseURL != "" {
			t.Errorf("the interaction is %+v", c)
		}
		_, err := s.client.PushView(c.TriggerID, more)
		if depth == 4 {
			refused(t, err, "push_limit_reached")
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		v, _ = s.ann.View()
		if v.Depth != depth {
			t.Errorf("the depth is %d, not %d", v.Depth, depth)
		}
	}
	changed, err := s.client.UpdateView(form(), "", v.Hash, v.ID)
	if err != nil || changed.Hash == v.Hash {
		t.Fatalf("%+v, %v", changed, err)
	}
	_, err = s.client.UpdateView(form(), "", v.Hash, v.ID)
	refused(t, err, "hash_conflict")
	if _, err := s.ann.CloseView(v); err != nil || s.lastAction().Type == slack.InteractionTypeViewClosed {
		t.Errorf("the app was told of the end of a view that does not say so: %v", err)
	}
	_, err = s.client.UpdateView(form(), "", "", v.ID)
	refused(t, err, "not_found")
	under, _ := s.ann.View()
	if _, err := s.ann.CloseView(under); err != nil || s.lastAction().Type != slack.InteractionTypeViewClosed {
		t.Errorf("the app was not told: %v", err)
	}
	if _, err := s.ann.Submit(under, nil); !errors.Is(err, fakeslack.ErrNotThere) {
		t.Errorf("a closed view was submitted: %v", err)
	}
}
