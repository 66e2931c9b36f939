package card

import (
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/permit"
)

// Settled is the card of a question that is over, or, with no outcome, gone: what
// became of it, by whom and where, and nothing to press. It has nothing that anybody
// typed, but for changed arguments, where the card shows the arguments.
func Settled(q Question) Message {
	s := read(q)
	words := s.ending()
	m := Message{Text: escape(words)}
	m.Blocks = append(m.Blocks, q.lead())
	m.Blocks = append(m.Blocks, s.words("")...)
	m.Blocks = append(m.Blocks, q.panelBlocks()...)
	m.Blocks = append(m.Blocks, slack.NewSectionBlock(plain(clip(words, maxText/2)), nil, nil))
	if q.Outcome != nil {
		m.Blocks = append(m.Blocks, slack.NewContextBlock("", markdown(moment(q.Outcome.At))))
	}
	return m
}

// Ending is what became of a question, in a sentence.
func Ending(q Question) string { return read(q).ending() }

// ending says what became of a question, by whom and where.
func (s sheet) ending() string {
	o := s.Outcome
	if o == nil {
		return "This question is no longer asked."
	}
	what, so := s.became()
	if o.By != "" {
		what += " by " + clip(one(o.By), 100)
		if where := place(o.Via); where != "" {
			what += " " + where
		}
	}
	if so != "" {
		what += ": " + so
	}
	return what + "."
}

// became is what was done, without by whom, and what follows from it.
func (s sheet) became() (what, so string) {
	choice, limits := permit.Decided(s.Request)
	switch choice {
	case permit.AllowOnce:
		return "Allowed once", ""
	case permit.Refuse:
		return "Denied", ""
	case permit.Changed:
		if s.hidden() {
			return "Allowed with changes", ""
		}
		return "Allowed with changes (" + clip(one(permit.Edited(s.Request)), 500) + ")", ""
	case permit.AskBack:
		return "Asked back", "the call is not made"
	case permit.AlwaysAllow:
		return "Allowed (" + strings.Join(s.chosen(choice, limits), ", ") + ")", ""
	}
	switch o := s.Outcome; {
	case s.OnlyTells() && o.By != "":
		return "Taken back", "the call is not made"
	case s.OnlyTells() && o.Action == parley.Accept:
		return "Allowed", one(o.Reason)
	case s.OnlyTells() && o.Action == parley.Decline:
		return "Not allowed", one(o.Reason)
	case o.Action == parley.Accept && s.Trigger == parley.TriggerCredential:
		return "Connected", ""
	case o.Action == parley.Accept && s.Trigger == parley.TriggerApproval:
		return "Approved", ""
	case o.Action == parley.Accept:
		return "Answered", ""
	case o.Action == parley.Decline:
		return "Declined", ""
	case o.Action == parley.Expire:
		return "Expired", "nobody answered in time"
	case o.By != "":
		return "Cancelled", ""
	case o.Reason == "superseded":
		return "No longer asked", "a newer question has taken its place"
	}
	if why, given := strings.CutPrefix(s.Outcome.Reason, "withdrawn: "); given {
		why = clip(one(why), 300)
		if strings.HasPrefix(why, "by ") {
			return "Withdrawn " + why, ""
		}
		return "No longer asked", why
	}
	return "No longer asked", ""
}

// chosen are the labels of what was chosen of a permission that stays.
func (s sheet) chosen(c permit.Choice, limits map[string]string) (said []string) {
	for i, f := range s.fields {
		v := limits[f.Name]
		if i == 0 {
			v = string(c)
		}
		if at := slices.IndexFunc(f.Options, func(o form.Option) bool { return o.Value == v }); at >= 0 {
			said = append(said, one(f.Options[at].Label()))
		}
	}
	return said
}

// place is where an answer was given, in words.
func place(via string) string {
	switch via {
	case "":
		return ""
	case Via:
		return "in Slack"
	case "page", "inbox":
		return "on its page"
	case "chat":
		return "in the chat"
	case "terminal":
		return "in the terminal"
	}
	return "via " + one(via)
}
