package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
)

// Why questions that are asked in line are withdrawn.
const (
	takenBack  = "the server took its question back"
	restarting = "the process that held the call is being stopped"
	processEnd = "the process that held the call has ended"
)

// farewell is how long the withdrawal of a question may take whose asker has
// gone.
const farewell = 5 * time.Second

// inLine asks while a call is under way. hangUp ends that call: one that waits
// for a person on an open connection cannot be handed to another process.
func (d *driver) inLine(c *call, hangUp context.CancelCauseFunc) func(context.Context, string, parley.Request) (parley.Outcome, error) {
	shift := d.shift
	return func(ctx context.Context, key string, q parley.Request) (parley.Outcome, error) {
		if d.closing() {
			hangUp(errHandOver)
			return parley.Outcome{}, errHandOver
		}
		if !d.run.CanAsk {
			return parley.Outcome{}, errors.Join(ErrNobodyAsked, d.keepBack(ctx, c, q))
		}
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		defer context.AfterFunc(d.term.Context(), func() { cancel(errHandOver) })()
		defer shift.rest(c)() // before anybody sees the question
		outcome, err := d.askInLine(ctx, c, key, q)
		if err != nil && context.Cause(ctx) == errHandOver {
			hangUp(errHandOver)
		}
		return outcome, err
	}
}

// askInLine asks, and withdraws the question if nobody waits for its answer any
// more.
func (d *driver) askInLine(ctx context.Context, c *call, key string, q parley.Request) (parley.Outcome, error) {
	w := &wait{Question: d.question(q, c)}
	if err := d.rt.hub.Valid(w.Question); err != nil {
		return parley.Outcome{}, fmt.Errorf("%w: %w", ErrUnaskable, err)
	}
	err := d.commit(ctx, func(*Run) {
		if c.Waits == nil {
			c.Waits = map[string]*wait{}
		}
		c.Waits[key] = w
	})
	if err == nil {
		err = d.open(ctx, []*wait{w}, c.ID)
	}
	if err != nil {
		d.takeBack(ctx, c, w)
		return parley.Outcome{}, err
	}
	if w.refused != nil {
		return parley.Outcome{}, fmt.Errorf("%w: %s", ErrUnaskable, unasked(w.refused))
	}
	if w.settled() {
		return *w.Question.Outcome, nil
	}
	outcome, err := d.rt.hub.Wait(ctx, w.Question.ID)
	if err != nil {
		d.takeBack(ctx, c, w)
		return parley.Outcome{}, err
	}
	q = w.Question
	q.Outcome = &outcome
	return outcome, d.answered(ctx, w, q, c.ID)
}

// takeBack withdraws a question whose asker is gone. Where that fails, or this
// process dies first, whoever goes on with the run does it: the question is
// written down.
func (d *driver) takeBack(ctx context.Context, c *call, w *wait) {
	reason := takenBack
	switch context.Cause(ctx) {
	case errInterrupted:
		reason = stoppedText
	case errHandOver:
		reason = restarting
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	if err := d.withdraw(ctx, c, []*wait{w}, reason); err != nil && !errors.Is(err, errLost) {
		d.rt.opts.Logger.WarnContext(ctx, "question not withdrawn", "run", d.run.Ref.Run, "question", w.Question.ID, "err", err)
	}
}

// withdraw settles questions of a call that is over, and takes up how each ended:
// the person may just have answered.
func (d *driver) withdraw(ctx context.Context, c *call, waits []*wait, reason string) error {
	for _, w := range waits {
		if err := d.rt.cancel(ctx, w, reason); err != nil {
			return err
		}
		q, err := d.rt.hub.Get(ctx, d.run.principal(), w.Question.ID)
		if errors.Is(err, parley.ErrNotFound) { // it was never opened
			q, err = w.Question, nil
			q.Outcome = &parley.Outcome{Action: parley.Cancel, Reason: "withdrawn: " + reason, At: time.Now().UTC()}
		}
		switch {
		case err != nil:
		case d.shown(q.ID):
			err = d.answered(ctx, w, q, c.ID)
		default: // nobody was told of it
			err = d.commit(ctx, func(*Run) { w.Question = q })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// cancel withdraws a question unless it is settled, or was never opened.
func (rt *Runtime) cancel(ctx context.Context, w *wait, reason string) error {
	err := rt.hub.Cancel(ctx, w.Question.ID, reason)
	if errors.Is(err, parley.ErrSettled) || errors.Is(err, parley.ErrNotFound) {
		return nil
	}
	return err
}

// hungUp is what becomes of a call that was ended because it waited for a person
// when this process was told to stop: another one makes it again, if that does no
// harm, and otherwise the model is told.
func (d *driver) hungUp(ctx context.Context, c *call) error {
	if c.Tool.harmless() {
		return d.commit(ctx, func(*Run) { c.State = requested })
	}
	return d.result(ctx, c, Failed, Result{Failed: true, Text: "This call was ended while it waited for the user's answer, because the program that " +
		"held it was being stopped. What it was to do after the answer was not done; it may have done something before."})
}
