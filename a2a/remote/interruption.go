package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// interruption asks the person what the task waits for, or tells the agent what they
// answered.
func (t *talk) interruption(ctx context.Context, task *a2a.Task) (*a2a.Task, *a2a.Message, error) {
	if sent := t.state.Sent; sent != nil { // by a process that has ended, or on a connection that broke
		if !t.arrived(task) && sent.Tries < maxTries {
			return t.answer(ctx, task)
		}
		t.told()
	}
	wants, err := t.wants(task.Status)
	if err != nil {
		return nil, nil, t.giveUp(ctx, unshown(t.Remote, err))
	}
	now := digest(task.Status)
	var fresh, open, waits []want // not asked yet; asked; answered, and it may go on by itself
	answered, declined := false, false
	for _, w := range wants {
		q := t.about(w.what)
		switch said := t.noTo(w.what); {
		case said != "": // and it asks this again
			return nil, nil, t.withdraw(ctx, said)
		case q == nil:
			fresh = append(fresh, w)
		case q.Told && q.Kind.visits() && q.Seen == now:
			waits = append(waits, w)
		case q.Told: // it wants to know again
			fresh = append(fresh, w)
		case t.outcome(q) != nil:
			answered = true
			declined = declined || t.outcome(q).Action != parley.Accept
		default:
			open = append(open, w)
		}
	}
	switch {
	case declined, answered && len(open) == 0:
		return t.answer(ctx, task)
	case len(fresh) > 0:
		return nil, nil, t.ask(ctx, fresh)
	case len(open) > 0:
		return nil, nil, t.await(open)
	case len(waits) > 0:
		if moved, err := t.visit(ctx, task); moved != nil || err != nil {
			return moved, nil, err
		}
		return nil, nil, t.ask(ctx, waits)
	}
	return nil, nil, t.giveUp(ctx, t.failed(nil, "waits for somebody, and does not say for what."))
}

// about is the question that was asked last about something, in the same words.
func (t *talk) about(what subject) *asked {
	for i := len(t.state.Asked) - 1; i >= 0; i-- {
		if t.state.Asked[i].What.covers(what) {
			return &t.state.Asked[i]
		}
	}
	return nil
}

// outcome is how a question ended; nil: it is open.
func (t *talk) outcome(q *asked) *parley.Outcome { return t.call.Answers[q.Key].Outcome }

// told notes that the agent has what was sent.
func (t *talk) told() {
	keys := t.state.Sent.keys()
	t.state.Sent = nil
	for i := range t.state.Asked {
		q := &t.state.Asked[i]
		if o := t.outcome(q); o != nil && slices.Contains(keys, q.Key) {
			q.Told, q.Said = true, o.Action
		}
	}
}

func unshown(r *Remote, why error) error {
	if errors.Is(why, errForeignPage) {
		return r.failed(why, "sends people to pages that are not its own; the task was given up.")
	}
	return r.failed(why, "asks a question that cannot be shown; the task was given up: %s.", cut(why.Error()))
}

// ask has the person asked. What is asked is written down, and looked after, before
// anybody sees it.
func (t *talk) ask(ctx context.Context, wants []want) error {
	if !t.call.CanAsk {
		t.cancel(ctx) // nobody is going to answer
	}
	if t.state.Rounds++; t.state.Rounds > maxRounds {
		return t.giveUp(ctx, t.failed(nil, "asked more than %d times in one task, which was given up: what of it was done is not known.", maxRounds))
	}
	pause := &agent.Pause{Questions: map[string]parley.Request{}, Any: true}
	for i, w := range wants {
		q := asked{Key: fmt.Sprintf("a2a-%d-%d", t.state.Rounds, i), ID: parley.NewID(), Kind: w.kind, What: w.what}
		w.request.ID = q.ID
		if t.call.CanAsk {
			if err := t.watch(ctx, q, w.request.Expires); err != nil {
				return err
			}
		}
		t.state.Asked = append(t.state.Asked, q)
		pause.Questions[q.Key] = w.request
	}
	return t.pause(pause)
}

// await waits on for questions that are open: an agent is told of all answers at once,
// and of a no as soon as it comes.
func (t *talk) await(open []want) error {
	pause := &agent.Pause{Questions: map[string]parley.Request{}, Any: true}
	for _, w := range open {
		q := t.about(w.what)
		w.request.ID = q.ID
		pause.Questions[q.Key] = w.request
	}
	return t.pause(pause)
}

// pause stops the call, with what has to be known when it goes on.
func (t *talk) pause(p *agent.Pause) error {
	var err error
	if p.State, err = json.Marshal(t.state); err != nil {
		return err
	}
	return p
}

// answer tells the agent what the person answered to what the task still waits for, in the
// words in which they were asked. A message that is sent again says the same again.
func (t *talk) answer(ctx context.Context, task *a2a.Task) (*a2a.Task, *a2a.Message, error) {
	m := t.letter()
	var keys []string
	for i := range t.state.Asked {
		q := &t.state.Asked[i]
		outcome := t.outcome(q)
		if q.Told || outcome == nil || !stands(q.What, task.Status) || t.state.Sent != nil && !slices.Contains(t.state.Sent.keys(), q.Key) {
			continue
		}
		q.Seen = digest(task.Status)
		switch accepted := outcome.Action == parley.Accept; {
		case !accepted && q.Kind == byPage: // which a message does not refuse
			return nil, nil, t.withdraw(ctx, outcome.Action)
		case q.Kind == byPage: // nor accept
			q.Told, q.Said = true, parley.Accept
			continue
		case accepted && q.Kind == byURL && q.What.Elicitation == "":
			if moved, err := t.visit(ctx, task); moved != nil || err != nil {
				return moved, nil, err
			}
		}
		if !reply(m, *q, *outcome) {
			return nil, nil, t.withdraw(ctx, outcome.Action)
		}
		keys = append(keys, q.Key)
	}
	if len(m.Parts) == 0 { // nothing that a message says
		t.state.Sent = nil
		return task, nil, nil
	}
	next, said, err := t.post(ctx, m, keys...)
	switch {
	case refused(err):
		return t.rebuffed(ctx, err)
	case err == nil && said == nil && t.declined(next.Status) != "": // it may not have got round to it
		if moved, err := t.visit(ctx, next); moved != nil || err != nil {
			return moved, nil, err
		}
	}
	return next, said, err
}

// visit waits a moment for a task that may go on by itself after the person has been
// somewhere; nil: it does not yet.
func (t *talk) visit(ctx context.Context, task *a2a.Task) (*a2a.Task, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, t.opts.Visit, errVisit)
	defer cancel()
	next, err := t.poll(ctx, task)
	if context.Cause(ctx) == errVisit {
		return nil, nil
	}
	return next, err
}

var errVisit = errors.New("the agent does not go on by itself")

// rebuffed is for an agent that does not take an answer: the task may have moved on
// by itself, or is going to.
func (t *talk) rebuffed(ctx context.Context, why error) (*a2a.Task, *a2a.Message, error) {
	next, err := t.insist(ctx)
	if err != nil {
		return nil, nil, err
	}
	t.told()
	if said := t.declined(next.Status); said != "" {
		return nil, nil, t.withdraw(ctx, said)
	}
	for _, q := range t.state.Asked {
		if q.Told && !q.Kind.visits() && stands(q.What, next.Status) {
			return nil, nil, t.giveUp(ctx, t.failed(why, "refused the user's answer: %s.", cut(why.Error())))
		}
	}
	return next, nil, nil
}
