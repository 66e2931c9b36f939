package agent

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

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
	last   string // the key of what was asked last
	noted  int
	says   string
	ends   bool
}

// Say makes the agent say something of its own.
func (t *Turn) Say(text string) { t.says = text }

// Notify tells whoever follows the turn something that the agent does not say: a note
// in a chat, progress to a client of MCP. It is told once, however often Before and
// After run.
func (t *Turn) Notify(ctx context.Context, text string) error {
	t.noted++
	id := fmt.Sprintf("%s-%s-note-%d", t.driver.run.Ref.Run, t.ctx, t.noted)
	if slices.ContainsFunc(t.driver.run.Log, func(e Event) bool { return e.Type == Noted && e.ID == id }) {
		return nil
	}
	return t.driver.commit(ctx, func(r *Run) { r.log(Event{Type: Noted, ID: id, Text: text}) })
}

// End ends the turn: Before skips the loop.
func (t *Turn) End() { t.ends = true }

// ElicitOptions configures one question of a Turn. Nil and zero fields mean the
// defaults.
type ElicitOptions struct {
	From    string // who asks; default: the agent
	Trigger string // default parley.TriggerTool
	Key     string // names the question within the turn; default: its number
	// TTL is how long the question stays open. Default: the turn's.
	TTL time.Duration
}

// URLOptions configures one question of a Turn that is answered at a URL.
type URLOptions struct {
	ElicitOptions
	// Consent makes it the answer that the person went there. By default the question
	// is open until the page settles it: it calls Hub.Answer for its signed-in person.
	Consent bool
}

// Elicit asks the person of a turn with a form made from T, whose tags package
// form explains. ErrSuspended, to be returned, while there is no answer. The action
// is parley.Expire when nobody answered in time.
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

// ElicitURL asks the person of a turn to go to a URL. "{elicitation_id}" in it stands
// for the question's id, which is returned too: what the page has to hand back it
// keeps under that id. ErrSuspended as with Elicit.
func ElicitURL(ctx context.Context, t *Turn, message, url string, opts *URLOptions) (id parley.ID, action parley.Action, err error) {
	if opts == nil {
		opts = &URLOptions{}
	}
	q := parley.Request{
		ID: parley.NewID(), From: first(opts.From, t.driver.run.Agent), Mode: parley.URL, Message: message, Trigger: opts.Trigger,
	}
	q.URL = strings.ReplaceAll(url, "{elicitation_id}", string(q.ID))
	if !opts.Consent {
		q.Labels = map[string]string{settledLabel: "page"}
	}
	outcome, err := t.ask(ctx, &opts.ElicitOptions, q)
	if w := t.driver.run.Waits[t.last]; w != nil {
		id = w.Question.ID // as it was asked first
	}
	return id, outcome.Action, err
}

// settledLabel says, with the value page, that going to a URL is not the answer: what
// happens there is.
const settledLabel = "settled_by"

func (t *Turn) ask(ctx context.Context, opts *ElicitOptions, q parley.Request) (parley.Outcome, error) {
	d := t.driver
	t.asked++
	key := fmt.Sprintf("%s/%s", t.ctx, first(opts.Key, fmt.Sprint(t.asked)))
	t.last = key
	if !d.run.CanAsk {
		return parley.Outcome{Action: parley.Cancel, Reason: "nobody can show the question"}, nil
	}
	w := d.run.Waits[key]
	if w == nil {
		if opts.TTL > 0 {
			q.Expires = time.Now().UTC().Add(opts.TTL).Truncate(time.Millisecond)
		}
		w = &wait{Question: d.question(q, nil)}
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
