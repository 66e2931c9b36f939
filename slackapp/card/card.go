// Package card is a question as Slack shows it: messages and modals of Block Kit, and
// what people press and enter there as answers. It is pure: nothing is sent or stored
// here.
//
// Its nouns:
//
//   - Question: what is shown, and where its own page is.
//   - Message: the card, while the question is open and when it is settled.
//   - Press: a button of a card. It names a verb and the question's id, and nothing
//     that decides: what is decided on is read from the store.
//   - Modal: a form of a question, or the part of one that a verb needs.
//
// Texts of others are never read as Slack's markup. The message of an approval stands
// in a block that shows it letter by letter, whole; where it does not fit, the card
// says so and a modal shows all of it before anything can be allowed. Where it does not
// fit there either, nothing can be allowed but on the question's page. All other texts
// are cleaned by package legible and escaped. What a modal cannot show as it is,
// a default with characters that nobody sees or more choices than Slack takes, is
// left to the question's page.
package card

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/permit"
)

// Question is what a card shows.
type Question struct {
	parley.Request
	Public  string        // the site: its pages are below it
	Mention []string      // the Slack users who are asked, where others see the card: they are told of it
	Several bool          // the card is for several people, each with a question of their own: Request is of one of them
	Panel   *permit.Panel // who is asked about the call, and what they said; nil: nobody but the person
}

// QuestionPath is where somebody finds their own question who is one of several, by that of
// any of them.
const QuestionPath = "/slack/question/"

// page is where the question can always be answered.
func (q Question) page() string { return q.Public + "/answer/" + string(q.ID) }

// Message is a card as a message.
type Message struct {
	Text   string // where blocks are not shown, such as in notifications
	Blocks []slack.Block
}

// Limits of Block Kit. Texts count as they are sent, escapes included.
const (
	maxBlocks = 50   // of a message
	maxView   = 100  // blocks of a modal
	maxText   = 3000 // of a section, and of what can be entered
	maxButton = 75
	maxTitle  = 24 // of a modal
	maxLabel  = 2000
	maxOption = 75
	maxFew    = 10  // options of radio buttons and checkboxes
	maxMany   = 100 // options of a menu
	maxPanel  = 10  // lines about approvers
)

// Open is the card of a question that waits.
func Open(q Question) Message {
	s := read(q)
	m := Message{Text: escape(q.title())}
	m.Blocks = append(m.Blocks, q.lead())
	m.Blocks = append(m.Blocks, s.words(s.rest())...)
	m.Blocks = append(m.Blocks, q.panelBlocks()...)
	if s.elsewhere() {
		m.Blocks = append(m.Blocks, slack.NewContextBlock("", plain("Slack cannot show this form. It is answered on its page.")))
	}
	m.Blocks = append(m.Blocks, slack.NewActionBlock("actions", s.buttons()...))
	if !q.OnlyTells() { // it ends with those of the others
		m.Blocks = append(m.Blocks, slack.NewContextBlock("", markdown("Open until "+moment(q.Expires)+".")))
	}
	return m
}

// title says what is wanted, in our own words.
func (q Question) title() string {
	if q.OnlyTells() {
		return "Others decide about your call"
	}
	return notify.Title(q.Request)
}

// lead is the first line: of whom something is wanted, who asks, and what for.
func (q Question) lead() slack.Block {
	service := clip(one(cmp.Or(strings.TrimSpace(q.Service()), "A program without a name")), 200)
	parts := []slack.RichTextSectionElement{bold(service), text(": " + q.title())}
	var whom []slack.RichTextSectionElement
	for _, user := range q.Mention {
		whom = append(whom, slack.NewRichTextSectionUserElement(user, nil), text(" "))
	}
	return rich(append(whom, parts...)...)
}

// sheet is a question that was read for showing.
type sheet struct {
	Question
	parts    []string // of its text, as blocks show it
	fields   []form.Field
	unread   bool // its form cannot be read here
	decision bool // the first field is the choice of an approval
}

func read(q Question) sheet {
	s := sheet{Question: q}
	s.parts = chunks(s.text(), maxText)
	if q.Mode == parley.URL || len(q.Schema) == 0 {
		return s
	}
	parsed, err := form.Parse(q.Schema, nil)
	if err != nil {
		s.unread = true
		return s
	}
	s.fields = parsed.Fields()
	s.decision = q.Trigger == parley.TriggerApproval && len(s.fields) > 0 && s.fields[0].Name == "decision" && s.fields[0].Kind == form.Choice
	return s
}

// elsewhere reports whether the question is a form that Slack cannot show.
func (s sheet) elsewhere() bool {
	return s.Mode != parley.URL && !s.hidden() && !s.decision && !s.OnlyTells() && (s.unread || len(s.fields) > 0) && !slices.Contains(s.verbs(), Answer)
}

// exact reports whether people decide by the very letters of the message.
func (s sheet) exact() bool { return s.Trigger == parley.TriggerApproval || s.OnlyTells() }

// hidden reports whether the call of a question is for its page alone: no card and no
// modal has anything of its arguments, whoever is asked, and however it ends. It is the
// one place that decides it.
func (s sheet) hidden() bool {
	return s.Labels[parley.LabelBrief] != "" || s.Labels[parley.LabelPage] != ""
}

// whole reports whether the card itself shows the whole message.
func (s sheet) whole() bool { return len(s.parts) <= 1 }

// text is the message as it is shown.
func (s sheet) text() string {
	switch {
	case s.hidden() && s.OnlyTells():
		return "What your call does stands on its page, and is decided on the pages of those who are asked."
	case s.hidden():
		return one(cmp.Or(s.Labels[parley.LabelBrief], "This is decided on its page."))
	case s.exact():
		return legible.Ordered(legible.Escaped(s.Message, func(c rune) bool { return legible.Hidden(c) && c != '\n' && c != '\t' }))
	}
	return legible.Ordered(legible.Escaped(s.Message, func(c rune) bool { return legible.HiddenInProse(c) && c != '\n' && c != '\t' }))
}

// rest says where all of a message is that the card does not show whole.
func (s sheet) rest() string {
	switch {
	case slices.Contains(s.verbs(), Answer):
		return " Look at all of it before you answer."
	case s.OnlyTells():
		return " All of it is on its page."
	}
	return " All of it is on its page: look there before you answer."
}

// words are the message in a card: the beginning of one that is too long, which says so,
// and where the rest is.
func (s sheet) words(rest string) []slack.Block {
	if len(s.parts) == 0 {
		return nil
	}
	blocks := []slack.Block{literal(s.parts[0])}
	if len(s.parts) > 1 {
		blocks = append(blocks, slack.NewContextBlock("", plain(fmt.Sprintf(
			"This is the beginning: %d of %d characters.%s", len([]rune(s.parts[0])), len([]rune(s.text())), rest))))
	}
	return blocks
}

// panelBlocks say who was asked about a call, and what they said.
func (q Question) panelBlocks() []slack.Block {
	if q.Panel == nil || q.Panel.Need == 0 {
		return nil
	}
	have := 0
	var lines []string
	for i, p := range q.Panel.People {
		said := "has not answered"
		switch {
		case p.Said == permit.AllowOnce || p.Said == permit.Changed:
			have++
			said = "allowed it"
		case p.Said == permit.Refuse:
			said = "denied it"
		case p.Withdrawn != "":
			said = "is not asked any more"
		case !p.At.IsZero():
			said = "did not answer in time"
		}
		if i < maxPanel {
			lines = append(lines, clip(one(p.Name), 100)+" "+said)
		}
	}
	if more := len(q.Panel.People) - maxPanel; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return []slack.Block{slack.NewContextBlock("", plain(fmt.Sprintf("%d of %d needed have allowed it. %s.", have, q.Panel.Need, strings.Join(lines, ", "))))}
}

// moment is a time in the reader's own zone.
func moment(t time.Time) string {
	return fmt.Sprintf("<!date^%d^{date_short_pretty} {time}|%s>", t.Unix(), t.UTC().Format("2 January 2006, 15:04 UTC"))
}
