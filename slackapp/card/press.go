package card

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/permit"
)

// Via is the surface that answers given in Slack come through.
const Via = "slack"

// Verb is what a button, or a modal, does.
type Verb string

// The verbs. Those of a choice are called like it.
const (
	Allow   = Verb(permit.AllowOnce)
	Always  = Verb(permit.AlwaysAllow)
	Deny    = Verb(permit.Refuse)
	Accept  = Verb("accept")
	Decline = Verb("decline")
	Link    = Verb("open") // a link: nothing but the browser does anything

	// These open a modal.
	Because = Verb("because") // deny, with a reason
	AskBack = Verb(permit.AskBack)
	Change  = Verb(permit.Changed)
	Answer  = Verb("answer") // the whole form; of an approval the decision, behind all of its message
)

// Modal reports whether a verb opens a modal.
func (v Verb) Modal() bool { return slices.Contains([]Verb{Because, AskBack, Change, Answer}, v) }

// prefix keeps our actions apart from those of others.
const prefix = "parley."

// Press is a button that somebody pressed.
type Press struct {
	Verb     Verb
	Question parley.ID
}

// Pressed reads a press. It reports false for what is none of ours.
func Pressed(a slack.BlockAction) (Press, bool) {
	verb, ours := strings.CutPrefix(a.ActionID, prefix)
	p := Press{Verb(verb), parley.ID(a.Value)}
	return p, ours && verb != "" && p.Question.Valid()
}

// Says is the answer that a press is by itself. It reports false for a verb that the
// question does not offer, whoever has made the button.
func Says(q Question, v Verb) (parley.Answer, bool) {
	s := read(q)
	if !slices.Contains(s.verbs(), v) {
		return parley.Answer{}, false
	}
	switch v {
	case Allow, Always, Deny:
		return parley.Answer{Action: parley.Accept, Content: decided(permit.Choice(v)), Via: Via}, true
	case Accept:
		return parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{}`), Via: Via}, true
	case Decline:
		return parley.Answer{Action: parley.Decline, Via: Via}, true
	}
	return parley.Answer{}, false
}

// Offers reports whether a card of the question has a verb.
func Offers(q Question, v Verb) bool { return slices.Contains(read(q).verbs(), v) }

func decided(c permit.Choice) json.RawMessage {
	content, _ := json.Marshal(map[string]string{"decision": string(c)}) // of a string
	return content
}

// verbs are what a card offers, in order.
func (s sheet) verbs() (all []Verb) {
	switch {
	case s.OnlyTells() && s.whole() && !s.hidden():
		return []Verb{Decline}
	case s.OnlyTells():
		return []Verb{Decline, Link}
	case s.Mode == parley.URL, s.hidden(), s.unread:
		return []Verb{Decline, Link}
	case s.decision:
		return append(s.choices(), Link)
	case !s.whole():
		if s.shows(Answer) {
			all = append(all, Answer)
		}
	case len(s.fields) == 0:
		all = append(all, Accept)
	case s.shows(Answer):
		all = append(all, Answer)
	}
	return append(all, Decline, Link)
}

// choices are the verbs of an approval. Of a message that the card does not show whole
// nothing can be allowed before the modal has shown it.
func (s sheet) choices() (all []Verb) {
	add := func(c permit.Choice, v Verb, fits bool) {
		if fits && s.decides(c) {
			all = append(all, v)
		}
	}
	whole := s.whole()
	add(permit.AllowOnce, Allow, whole)
	add(permit.AlwaysAllow, Always, whole)
	if !whole && s.shows(Answer) {
		all = append(all, Answer)
	}
	add(permit.Refuse, Deny, true)
	add(permit.Refuse, Because, s.shows(Because))
	add(permit.Changed, Change, whole && s.shows(Change))
	add(permit.AskBack, AskBack, s.shows(AskBack))
	if !s.decides(permit.Refuse) {
		all = append(all, Decline)
	}
	return all
}

// decides reports whether the question offers a choice.
func (s sheet) decides(c permit.Choice) bool {
	return s.decision && slices.ContainsFunc(s.fields[0].Options, func(o form.Option) bool { return o.Value == string(c) })
}

// alwaysMeans is what a permission that stays is, where nobody has narrowed it.
const alwaysMeans = "It holds for any arguments, in every conversation, until you take it back in your inbox, under Permissions. Its page has narrower ones."

// buttons are the verbs as Slack shows them.
func (s sheet) buttons() (all []slack.BlockElement) {
	for _, v := range s.verbs() {
		b := slack.NewButtonBlockElement(prefix+string(v), string(s.ID), plain(clip(s.caption(v), maxButton)))
		switch v {
		case Allow, Accept, Answer:
			b.Style = slack.StylePrimary
		case Deny:
			b.Style = slack.StyleDanger
		case Always:
			b.Confirm = slack.NewConfirmationBlockObject(plain("A permission that stays"), plain(clip(s.caption(Always), maxButton)+"? "+alwaysMeans), plain("Allow"), plain("Not now"))
		case Link:
			b.URL = s.link()
			if s.Trigger == parley.TriggerCredential {
				b.Style = slack.StylePrimary
			}
		}
		all = append(all, b)
	}
	return all
}

// link is the page of the question: of an account the one where it is connected, if
// that is ours and the card leaves nothing out. Whoever is one of several is led to their
// own question.
func (s sheet) link() string {
	if s.Several {
		return s.Public + QuestionPath + string(s.ID)
	}
	if s.whole() && s.Trigger == parley.TriggerCredential && strings.HasPrefix(s.URL, s.Public+"/") {
		return s.URL
	}
	return s.page()
}

// caption is what a button says: of a choice what the question calls it.
func (s sheet) caption(v Verb) string {
	switch v {
	case Because:
		return "Deny with a reason…"
	case Change:
		return "Change…"
	case AskBack:
		return "Ask back…"
	case Decline:
		if s.OnlyTells() {
			return "Take it back"
		}
		return "Decline"
	case Accept:
		if s.Trigger == parley.TriggerApproval {
			return "Approve"
		}
		return "Accept"
	case Answer:
		if s.decision {
			return "Show all and decide…"
		}
		return "Answer…"
	case Link:
		if s.Trigger == parley.TriggerCredential {
			return "Connect"
		}
		return "Open its page"
	}
	for _, o := range s.fields[0].Options {
		if o.Value == string(v) {
			return one(o.Label())
		}
	}
	return string(v)
}
