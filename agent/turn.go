package agent

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

// Turn is a run as Before and After see it.
type Turn struct {
	Principal    parley.Principal
	Conversation string
	Text         string // what the person said
	Reply        string // After: what the agent answered last

	driver *driver
	ctx    phase
	asked  int
	says   string
	ends   bool
}

// Say makes the agent say something of its own.
func (t *Turn) Say(text string) { t.says = text }

// End ends the turn: Before skips the loop.
func (t *Turn) End() { t.ends = true }

// ElicitOptions configures one question of a Turn. Nil and zero fields mean the
// defaults.
type ElicitOptions struct {
	From    string // who asks; default: the agent
	Trigger string // default parley.TriggerTool
	Key     string // names the question within the turn; default: its number
}

// Elicit asks the person of a turn with a form made from T, whose tags package
// form explains. ErrSuspended, to be returned, while there is no answer.
func Elicit[T any](ctx context.Context, t *Turn, message string, opts *ElicitOptions) (content T, action parley.Action, err error) {
	if opts == nil {
		opts = &ElicitOptions{}
	}
	schema, err := form.ForType(reflect.TypeFor[T]())
	if err != nil {
		return content, "", err
	}
	outcome, err := t.ask(ctx, opts, parley.Request{
		From: first(opts.From, t.driver.run.Agent), Message: message, Schema: schema.JSON(), Trigger: opts.Trigger,
	})
	if err != nil {
		return content, "", err
	}
	if outcome.Action == parley.Accept {
		err = form.Decode(outcome.Content, &content)
	}
	return content, outcome.Action, err
}

func (t *Turn) ask(ctx context.Context, opts *ElicitOptions, q parley.Request) (parley.Outcome, error) {
	d := t.driver
	t.asked++
	key := fmt.Sprintf("%s/%s", t.ctx, first(opts.Key, fmt.Sprint(t.asked)))
	if !d.run.CanAsk {
		return parley.Outcome{Action: parley.Cancel, Reason: "nobody can show the question"}, nil
	}
	w := d.run.Waits[key]
	if w == nil {
		w = &wait{Question: d.question(q, "")}
		err := d.commit(ctx, func(r *Run) {
			if r.Waits == nil {
				r.Waits = map[string]*wait{}
			}
			r.Waits[key] = w
		})
		if err != nil {
			return parley.Outcome{}, err
		}
		if err := d.open(ctx, []*wait{w}, ""); err != nil {
			return parley.Outcome{}, err
		}
	}
	if !w.settled() {
		return parley.Outcome{}, ErrSuspended
	}
	return *w.Question.Outcome, nil
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// hook runs Before or After. It runs again from its start when what it asked is
// answered.
func (d *driver) hook(ctx context.Context, fn func(context.Context, *Turn) error, next phase) (waiting bool, err error) {
	if fn == nil {
		d.note(func(r *Run) { r.Phase = next })
		return false, nil
	}
	t := &Turn{
		Principal: d.run.principal(), Conversation: d.run.conversation(), Text: d.run.Text, Reply: d.run.Reply,
		driver: d, ctx: d.run.Phase,
	}
	open, err := d.settled(ctx, d.run.Waits, "")
	if err != nil || open {
		return open, err
	}
	err = fn(ctx, t)
	switch {
	case errors.Is(err, ErrSuspended), len(unsettled(d.run.Waits)) > 0:
		return true, nil
	case err != nil:
		return false, d.broken(ctx, err, "Something went wrong. Try again in a moment.")
	}
	return false, d.commit(ctx, func(r *Run) {
		if t.says != "" {
			r.log(Event{Type: wholeText, ID: fmt.Sprintf("%s-%s", r.Ref.Run, t.ctx), Text: t.says})
			r.Reply = t.says
			r.Steps = append(r.Steps, step{Text: t.says})
		}
		r.Phase = next
		if t.ends {
			r.Phase = phaseEnd
		}
	})
}
