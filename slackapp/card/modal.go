package card

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/permit"
)

// maxParts is how many blocks of a modal may be the message: the rest is for fields.
const maxParts = 40

// shows reports whether the modal of a verb can show what it has to.
func (s sheet) shows(v Verb) bool {
	asked := s.asked(v)
	if len(asked) == 0 && !(v == Answer && len(s.fields) == 0) || len(asked) > maxView-maxParts-1 || len(s.parts) > maxParts {
		return false
	}
	return !slices.ContainsFunc(asked, func(i int) bool { return !showable(s.fields[i]) })
}

// asked are the fields that the modal of a verb asks for, by their places. What it does
// not ask for stays unsaid: a modal that decides about a long message asks for no
// limits and no changes.
func (s sheet) asked(v Verb) (places []int) {
	for i, f := range s.fields {
		var in bool
		switch v {
		case Because, AskBack:
			in = f.Name == "reason" && f.Kind == form.String
		case Change:
			in = argument(f)
		case Answer:
			in = !s.decision || i == 0 || f.Name == "reason"
		}
		if in {
			places = append(places, i)
		}
	}
	return places
}

// field is a field as a modal asks for it.
func (s sheet) field(v Verb, i int) form.Field {
	f := s.fields[i]
	switch {
	case v == Answer && s.decision && i == 0: // the arguments are not in this modal
		f.Options = slices.DeleteFunc(slices.Clone(f.Options), func(o form.Option) bool { return o.Value == string(permit.Changed) })
		if s.decides(permit.AlwaysAllow) {
			f.Description = clip(s.caption(Always), maxButton) + ": " + alwaysMeans
		}
	case v == Because && f.Name == "reason":
		f.Description = ""
	case v == AskBack && f.Name == "reason":
		f.Required, f.Description = true, ""
	}
	return f
}

// Modal is the modal of a verb. It reports false where the question has none, or Slack
// cannot show it.
func Modal(q Question, v Verb) (slack.ModalViewRequest, bool) {
	s := read(q)
	if !v.Modal() || !slices.Contains(s.verbs(), v) {
		return slack.ModalViewRequest{}, false
	}
	blocks := []slack.Block{q.lead()}
	for _, part := range s.parts {
		blocks = append(blocks, literal(part))
	}
	for _, i := range s.asked(v) {
		blocks = append(blocks, input(i, s.field(v, i)))
	}
	title := map[Verb]string{Because: "Deny", AskBack: "Ask back", Change: "Allow with changes", Answer: "Your answer"}[v]
	submit := map[Verb]string{Because: "Deny", AskBack: "Send", Change: "Allow with these", Answer: "Send"}[v]
	return slack.ModalViewRequest{
		Type: slack.VTModal, Title: plain(title), Submit: plain(submit), Close: plain("Not now"),
		Blocks: slack.Blocks{BlockSet: blocks}, CallbackID: prefix + string(v), PrivateMetadata: string(q.ID),
	}, true
}

// Notice is a modal that only says something.
func Notice(heading, words string) slack.ModalViewRequest {
	return slack.ModalViewRequest{
		Type: slack.VTModal, Title: plain(clip(heading, maxTitle)), Close: plain("Close"),
		Blocks: slack.Blocks{BlockSet: []slack.Block{slack.NewSectionBlock(plain(clip(words, maxText/2)), nil, nil)}},
	}
}

// Submitted reads of which question a modal is, and of which verb. It reports false for
// what is none of ours.
func Submitted(v slack.View) (Press, bool) {
	return Pressed(slack.BlockAction{ActionID: v.CallbackID, Value: v.PrivateMetadata})
}

// Entered is the answer that was entered into the modal of a verb. It reports false for
// a verb that the question does not offer.
func Entered(q Question, v Verb, state *slack.ViewState) (parley.Answer, bool) {
	s := read(q)
	if !v.Modal() || !slices.Contains(s.verbs(), v) {
		return parley.Answer{}, false
	}
	filled := form.Entries{Sent: url.Values{}, Partly: argument}
	var fields []form.Field
	for _, i := range s.asked(v) {
		f := s.field(v, i)
		fields = append(fields, f)
		if state == nil {
			continue
		}
		if given, shown := state.Values[blockOf(i)][value]; shown {
			filled.Sent[form.InputName(f)] = taken(f, given)
		}
	}
	content := filled.Content(fields)
	if choice := map[Verb]permit.Choice{Because: permit.Refuse, AskBack: permit.AskBack, Change: permit.Changed}[v]; choice != "" {
		content = with(content, choice)
	}
	return parley.Answer{Action: parley.Accept, Content: content, Via: Via}, true
}

// with adds the decision that a modal stands for.
func with(content json.RawMessage, c permit.Choice) json.RawMessage {
	rest := strings.TrimPrefix(string(content), "{")
	if rest != "}" {
		rest = "," + rest
	}
	return json.RawMessage(strings.TrimSuffix(string(decided(c)), "}") + rest)
}

// taken is what somebody entered into a field, as browsers would send it.
func taken(f form.Field, a slack.BlockAction) []string {
	switch {
	case len(a.SelectedOptions) > 0:
		var all []string
		for _, o := range a.SelectedOptions {
			all = append(all, o.Value)
		}
		return all
	case a.SelectedOption.Value != "":
		return []string{a.SelectedOption.Value}
	case a.SelectedDate != "":
		return []string{a.SelectedDate}
	case a.SelectedDateTime != 0:
		return []string{time.Unix(a.SelectedDateTime, 0).UTC().Format(time.RFC3339)}
	case a.Value == "" && (f.Kind == form.Choices || f.Kind == form.Boolean):
		return []string{}
	}
	return []string{a.Value}
}

// Errors are what is wrong with an answer, at the blocks of a modal. What belongs to
// none of them stands at the first. It is nil where no error says so, and where the
// modal has no field to say it at.
func Errors(q Question, v Verb, err error) map[string]string {
	var wrong *form.ContentError
	s := read(q)
	asked := s.asked(v)
	if !errors.As(err, &wrong) || len(asked) == 0 {
		return nil
	}
	said := map[string]string{}
	for _, violation := range wrong.Violations {
		at := asked[0]
		for _, i := range asked {
			if name := s.fields[i].Name; violation.Path == name || strings.HasPrefix(violation.Path, name+"[") {
				at = i
			}
		}
		block := blockOf(at)
		if !strings.Contains(said[block], violation.Message) {
			said[block] = strings.TrimSpace(said[block] + " " + violation.Message)
		}
	}
	for block, words := range said {
		said[block] = clip(words, maxLabel)
	}
	return said
}
