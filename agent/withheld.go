package agent

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/parley-hq/parley"
)

// ofProgram reports whether nobody is there who could do anything about a question.
func (d *driver) ofProgram() bool { return d.run.principal().Kind == parley.KindProgram }

// noQuestions is what the model is told of a question that nobody would see.
func (d *driver) noQuestions() string {
	if d.ofProgram() {
		return "This call needs a person, and this conversation is a program's: nobody can be asked."
	}
	return "This call needs the user, and their client cannot show questions."
}

// withhold is what happens to the questions of a call that nobody would see: the
// call fails at once.
func (d *driver) withhold(ctx context.Context, c *call, p *Pause) error {
	return d.commit(ctx, func(r *Run) {
		text := d.noQuestions()
		for _, key := range slices.Sorted(maps.Keys(p.Questions)) {
			q := d.question(p.Questions[key], c)
			d.withheld(r, c, q)
			if d.ofProgram() {
				text += " It asks: " + q.Text() + " Do not repeat the call."
				continue
			}
			text += " The user has to do this first: " + q.Text() + " Do not repeat the call; tell the user."
		}
		d.close(r, c, Failed, Result{Failed: true, Text: text})
	})
}

// withheld tells followers of a question that was not asked; those of a program
// have nobody to show it to.
func (d *driver) withheld(r *Run, c *call, q parley.Request) {
	if d.ofProgram() {
		return
	}
	r.log(Event{Type: Withheld, Call: c.ID, Question: &q, Box: c.Box, Tool: c.Name})
}

// keepBack is the same for a question that is asked in line. The call goes on, if
// its server can do without the answer.
func (d *driver) keepBack(ctx context.Context, c *call, q parley.Request) error {
	q = d.question(q, c)
	return d.commit(ctx, func(r *Run) {
		d.withheld(r, c, q)
		c.kept = append(c.kept, q.Text())
	})
}

// withKept tells the model which questions of a call nobody was shown: what the
// server makes of that it would take for the person's word.
func (d *driver) withKept(c *call, result Result) Result {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(c.kept) == 0 {
		return result
	}
	asked := strings.Join(c.kept, " ")
	why, tell := "because their client cannot show questions", " Tell the user."
	if d.ofProgram() {
		why, tell = "because this conversation is a program's", ""
	}
	if result.Failed {
		result.Text = strings.TrimSpace(d.noQuestions() + " It asked: " + asked + " Do not repeat the call." + tell + " " + result.Text)
		return result
	}
	result.Text = "The user was not asked this, " + why + ": " + asked + " The tool went on without an answer." + tell + " It returned: " + result.Text
	return result
}
