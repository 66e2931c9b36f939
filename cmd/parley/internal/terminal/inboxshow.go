package terminal

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/parley-hq/parley"
)

// panel is whom a call waits for.
type panel struct {
	Need   int `json:"need"`
	People []struct {
		Name     string    `json:"name"`
		Decision string    `json:"decision"`
		At       time.Time `json:"at"` // without a decision: when their time was over, or their question was withdrawn

		For       string `json:"for"`
		Withdrawn string `json:"withdrawn"`
	} `json:"people"`
}

// lines says who is asked, and who has said what.
func (p *panel) lines() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  asked, of whom %d must allow it:", p.Need)
	for _, one := range p.People {
		said, known := decisions[one.Decision]
		switch {
		case one.Decision == "" && one.At.IsZero():
			said = "nothing so far"
		case one.Decision == "" && one.Withdrawn != "":
			said = "no longer asked: " + cut(word(one.Withdrawn), 200)
		case one.Decision == "":
			said = "did not answer in time"
		case !known:
			said = word(one.Decision)
		}
		name := cut(word(one.Name), 60)
		if one.For != "" {
			name += " (for " + cut(word(one.For), 60) + ")"
		}
		fmt.Fprintf(&b, "\n    %s: %s", name, said)
		if one.Decision != "" && !one.At.IsZero() {
			b.WriteString(" (" + moment(one.At) + ")")
		}
	}
	return b.String()
}

// moment is a time as the person's clock has it.
func moment(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05 MST") }

// show shows one question, with all that is known of it. One that is settled has no
// form: how it ended is what there is to say.
func (b *inbox) show(ctx context.Context, id string) error {
	e, err := b.server.question(ctx, id)
	if err != nil {
		return err
	}
	if b.json {
		b.lineJSON(e)
		return nil
	}
	q := e.asked()
	d, err := newDialog(q)
	if err != nil || e.State != "pending" {
		b.line(fmt.Sprintf("[%s] %s", q.service(), indent(q.words())))
	} else {
		b.line(d.headingLine())
		for _, f := range d.fields {
			b.line(strings.TrimRight(strings.TrimSuffix(fieldPrompt(f), ": "), " \n"))
		}
	}
	if e.State != "pending" {
		b.line("  " + b.ended(e))
		return nil
	}
	if of := e.of(b.server); of != "" {
		b.line("  It is for " + of + ".")
		return nil
	}
	how := "answer it with: parley inbox answer %s"
	if e.OnlyTells() {
		if e.Approvers != nil {
			b.line(e.Approvers.lines())
		}
		how = "others decide; you can take it back with: parley inbox answer %s"
	}
	if b.server.ofIssuer() {
		b.line("  it is answered where somebody has signed in: at " + b.server.base + "/answer/" + word(e.ID) + ", or after parley login")
		return nil
	}
	b.line(fmt.Sprintf("  "+how+"\n  or at %s/answer/%s", word(e.ID), b.server.base, word(e.ID)))
	return nil
}

// ended is how a question ended, where, by whom, and when.
func (b *inbox) ended(e elicitation) string {
	if e.Outcome == nil {
		return "not open any more"
	}
	said := outcomeText(e.asked())
	switch by := e.Outcome.By; {
	case by == "":
	case by == b.server.user:
		said += ", by you"
	default:
		said += ", by " + cut(word(by), 60)
	}
	if !e.Outcome.At.IsZero() {
		said += " (" + moment(e.Outcome.At) + ")"
	}
	return said
}

// became is how a question ended, in a sentence about it: what a person did with it was
// done, and without them it is over.
func (b *inbox) became(e elicitation) string {
	if e.Outcome != nil && e.Outcome.By != "" {
		return "was " + b.ended(e)
	}
	return "is " + b.ended(e)
}

// OnlyTells reports whether others decide: there is nothing to answer.
func (e elicitation) OnlyTells() bool { return e.Trigger == parley.TriggerApprovers }
