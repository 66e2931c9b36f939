package agent

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/parley-hq/parley"
)

// unaskable settles a question that the hub does not take. A call that would wait for it
// ends with the reason instead of waiting for ever, and its other questions are withdrawn;
// one that is under way is told by its Ask.
func (d *driver) unaskable(ctx context.Context, w *wait, call string, why error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	d.rt.opts.Logger.WarnContext(ctx, "question refused", "run", d.run.Ref.Run, "call", call, "err", why)
	if errors.Is(why, parley.ErrTooManyOfModels) {
		_ = d.rt.busy(d.run.Ref, &BusyError{Whose: Unanswered})
	}
	d.mu.Lock()
	c := d.run.Calls[call]
	ends := c != nil && c.State != started
	d.mu.Unlock()
	if ends {
		others := slices.DeleteFunc(unsettled(c.Waits), func(one *wait) bool { return one == w })
		if err := d.withdraw(ctx, c, others, "another question of the same call could not be asked"); err != nil {
			return err
		}
		d.letGo(ctx, c)
	}
	return d.commit(ctx, func(r *Run) {
		w.Question.Outcome = &parley.Outcome{Action: parley.Cancel, Reason: "it could not be asked", At: time.Now().UTC()}
		w.refused = why
		if ends {
			d.close(r, c, Failed, Result{Failed: true, Text: "Not done: this call needs the user, and " + unasked(why) + "."})
		}
	})
}

// unasked says why the hub did not take a question, without what is the operator's.
func unasked(why error) string {
	for _, known := range []error{parley.ErrTooManyOfModels, parley.ErrTooManyLong} {
		if errors.Is(why, known) {
			return known.Error()
		}
	}
	if errors.Is(why, parley.ErrTooManyPending) {
		return "too many questions wait for them already: try again when some are answered"
	}
	return "the question could not be asked"
}
