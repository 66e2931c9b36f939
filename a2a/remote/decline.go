package remote

import (
	"context"
	"errors"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/vault"
)

// What a person declined here ends here: where no message refuses it, or the agent
// does not take the refusal, the task is cancelled at the other side, so that nobody
// allows it there later.

// declines reports whether the message that is sent says that the person does not want
// something.
func (t *talk) declines() bool {
	for _, key := range t.state.Sent.keys() {
		if o := t.call.Answers[key].Outcome; o != nil && o.Action != parley.Accept {
			return true
		}
	}
	return false
}

// refused reports whether the agent was told of a question that it gets no yes.
func (q *asked) refused() bool { return q.Told && q.Said != "" && q.Said != parley.Accept }

// declined is how a question ended, other than by a yes, that the agent was told of
// and that its task still waits for; empty: there is none.
func (t *talk) declined(s a2a.TaskStatus) parley.Action {
	for _, q := range t.state.Asked {
		if q.refused() && lasts(q.What, s) {
			return q.Said
		}
	}
	return ""
}

// noTo is how a question ended that the agent was told of and that got no yes, in
// whatever words it was asked; empty: there is none.
func (t *talk) noTo(what subject) parley.Action {
	for _, q := range t.state.Asked {
		if q.refused() && q.What.same(what) {
			return q.Said
		}
	}
	return ""
}

// declinedHere is that the person declined something that the agent was not told of;
// empty: they did not.
func (t *talk) declinedHere() parley.Action {
	for _, q := range t.state.Asked {
		if o := t.call.Answers[q.Key].Outcome; !q.Told && o != nil && o.Action == parley.Decline {
			return o.Action
		}
	}
	return ""
}

// withdraw cancels the task at the other side because of what the person said, and
// ends the call. An agent that is away is waited for; one that does not come back in
// time is told later.
func (t *talk) withdraw(ctx context.Context, said parley.Action) error {
	at, err := t.noteEnd(ctx)
	if err != nil {
		return err
	}
	plan := patience.Plan{For: t.opts.Away, Final: final}
	if err = plan.Do(ctx, func() error { return t.cancelTask(ctx) }); heardOfEnd(err) {
		t.forgetEnd(ctx, at)
	}
	var required *vault.RequiredError
	switch {
	case err == nil:
		return &ended{t.notDone(said)}
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &required):
		return err
	}
	task, lost := t.get(ctx, historyLength)
	switch {
	case lost != nil || !task.Status.State.Terminal():
		t.opts.Logger.WarnContext(ctx, "declined task not cancelled", "agent", t.opts.Name, "call", t.call.ID, "err", err)
		return t.failed(err, "asked the user something, %s; but it did not cancel the task: whether it is carried out is not known.", because(said))
	case task.Status.State == a2a.TaskStateCanceled:
		return &ended{t.notDone(said)}
	}
	return &ended{t.ofTask(task)} // it had ended before
}

// notDone says to the model how a call ended for which the person did not say yes.
func (r *Remote) notDone(said parley.Action) agent.Result {
	return agent.Result{Failed: true, Text: "Not done: " + r.opts.Title + " asked the user something, " + because(said) + ". The task was cancelled."}
}

func because(said parley.Action) string {
	switch said {
	case parley.Decline:
		return "and the user declined"
	case parley.Expire:
		return "and they did not answer in time"
	}
	return "and they did not want to choose"
}
