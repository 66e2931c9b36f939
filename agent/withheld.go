package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/parley-hq/parley"
)

// noQuestions is what the model is told of a question that nobody would see.
const noQuestions = "This call needs the user, and their client cannot show questions."

// todo is what a question that nobody sees would have the person do.
func todo(q parley.Request) string {
	return fmt.Sprintf(" The user has to do this first: %s Do not repeat the call; tell the user.", q.Text())
}

// withhold is what happens to a question that nobody would see: the call fails.
func (d *driver) withhold(ctx context.Context, c *call, p *Pause) error {
	return d.commit(ctx, func(r *Run) {
		text := noQuestions
		for _, q := range p.Questions {
			d.withheld(r, c, q)
			text += todo(q)
		}
		d.close(r, c, Failed, Result{Failed: true, Text: text})
	})
}

func (d *driver) withheld(r *Run, c *call, q parley.Request) {
	shown := d.question(q, c.ID)
	r.log(Event{Type: Withheld, Call: c.ID, Question: &shown, Box: c.Box, Tool: c.Name})
}

// keepBack is the same for a question that is asked in line. The call goes on, if
// its server can do without the answer.
func (d *driver) keepBack(ctx context.Context, c *call, q parley.Request) error {
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
	if result.Failed {
		result.Text = strings.TrimSpace(noQuestions + " It asked: " + asked + " Do not repeat the call; tell the user. " + result.Text)
		return result
	}
	result.Text = "The user was not asked this, because their client cannot show questions: " + asked +
		" The tool went on without an answer. Tell the user. It returned: " + result.Text
	return result
}
