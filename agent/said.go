package agent

import (
	"context"
	"strings"
)

// said takes a text of the model into the run. Followers of a text that was
// streamed have all of it but its end.
func (d *driver) said(r *Run, id, text string, streamed bool) {
	if text == "" {
		return
	}
	r.log(Event{Type: wholeText, ID: id, Text: text})
	r.Reply = text
	if streamed {
		d.live.mu.Lock()
		d.live.add(len(r.Log), Event{Type: TextFinished, ID: id})
		d.live.mu.Unlock()
	}
}

// brokeOff takes a message into the run that the model did not end. What the
// person has read of it was said, unless another process is to ask again: then
// they read it anew.
func (d *driver) brokeOff(ctx context.Context, err error, id, heard string) error {
	stopped := context.Cause(ctx) == errInterrupted
	if ctx.Err() != nil && !stopped {
		return context.Cause(ctx)
	}
	keep := func(r *Run) {
		d.said(r, id, heard, true)
		if strings.TrimSpace(heard) != "" {
			r.Steps = append(r.Steps, step{Text: heard})
		}
	}
	if stopped { // the person stops it: whoever goes on with the run sees that, and ends it
		if err := d.commit(context.WithoutCancel(ctx), keep); err != nil {
			return err
		}
		return context.Cause(ctx)
	}
	text := d.failure(ctx, err, "The model could not be reached. Try again in a moment.")
	return d.commit(ctx, func(r *Run) {
		keep(r)
		r.Status, r.Phase, r.Reason = Ended, phaseEnd, Broken
		r.log(Event{Type: Finished, Reason: Broken, Text: text})
	})
}

// noteOn is what the person should know about a last message: that it is not all
// of one, or nothing at all.
func noteOn(reply Reply) string {
	switch {
	case strings.TrimSpace(reply.Text) == "":
		return "The model ended without an answer. Ask again, or in another way."
	case reply.Cut == CutByLength:
		return "The answer ends here because it has reached the longest that the model may write. Ask it to go on."
	case reply.Cut == CutByProvider:
		return "The answer ends here because the model's provider stopped it. Ask in another way."
	}
	return ""
}
