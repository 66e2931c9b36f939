package agent

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/parley-hq/parley"
)

// withhold is what happens to the questions of a call that nobody would see: the
// call fails at once.
func (d *driver) withhold(ctx context.Context, c *call, p *Pause) error {
	var all []parley.Request
	for _, key := range slices.Sorted(maps.Keys(p.Questions)) {
		all = append(all, p.Questions[key])
	}
	return d.commit(ctx, func(r *Run) {
		d.close(r, c, Failed, Result{Failed: true, Text: d.withheld(r, c, all)})
	})
}

// withheld tells followers which questions were not asked, and returns what the
// model is told. Those of a program have nobody to do anything about it.
func (d *driver) withheld(r *Run, c *call, questions []parley.Request) string {
	program := r.principal().Kind == parley.KindProgram
	text := "This call needs the user, and their client cannot show questions."
	if program {
		text = "This call needs a person, and this conversation is a program's: nobody can be asked."
	}
	for _, q := range questions {
		shown := d.question(q, c.ID)
		if program {
			text += " It asks: " + q.Text() + " Do not repeat the call."
			continue
		}
		r.log(Event{Type: Withheld, Call: c.ID, Question: &shown, Box: c.Box, Tool: c.Name})
		text = fmt.Sprintf("%s The user has to do this first: %s Do not repeat the call; tell the user.", text, q.Text())
	}
	return text
}

// silence answers a server that asks on its open connection where nobody can be
// asked: with a cancel, so that the server brings its call to an end.
type silence struct {
	mu   sync.Mutex
	kept []parley.Request
}

func (s *silence) ask(_ context.Context, _ string, q parley.Request) (parley.Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, q)
	return parley.Outcome{Action: parley.Cancel, Reason: "nobody can show the question"}, nil
}

// over gives a call its result, which is a failure where something was to be asked,
// whatever the server makes of the cancel.
func (s *silence) over(ctx context.Context, d *driver, c *call, result Result) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return d.commit(ctx, func(r *Run) {
		text := d.withheld(r, c, s.kept)
		if said := strings.TrimSpace(result.Text); said != "" {
			text += " The tool itself said: " + said
		}
		d.close(r, c, Failed, Result{Failed: true, Text: text})
	})
}

// any reports whether something was to be asked.
func (s *silence) any() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.kept) > 0
}
