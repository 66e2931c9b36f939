package agent

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"
)

// generate asks the model, and again with less of the conversation where that is
// too long for it. It returns what followers have heard of the message too.
func (d *driver) generate(ctx context.Context, p Prompt, id string) (reply Reply, heard string, err error) {
	var all strings.Builder
	position := len(d.run.Log)
	reading, stop := context.WithCancel(ctx)
	defer stop()
	for told := false; ; {
		reply, err = d.agent.Model.Generate(reading, p, func(delta string) {
			if all.Len()+len(delta) > MaxMessage {
				delta = beginningOf(delta, MaxMessage-all.Len())
				stop()
			}
			if delta == "" {
				return
			}
			if all.Len() == 0 {
				d.live.publish(position, Event{Type: TextStarted, ID: id})
			}
			all.WriteString(delta)
			d.live.publish(position, Event{Type: TextDelta, ID: id, Text: delta})
		})
		if reading.Err() != nil && ctx.Err() == nil {
			return Reply{Text: all.String(), Cut: CutByLength}, all.String(), nil
		}
		if err == nil && len(reply.Text) > MaxMessage { // it was not streamed
			reply = Reply{Text: beginningOf(reply.Text, MaxMessage), Cut: CutByLength}
		}
		if err == nil && argued(reply) > MaxMessage { // in one piece
			reply = Reply{Text: reply.Text, Cut: CutByLength}
		}
		if !errors.Is(err, ErrPromptTooLong) || all.Len() > 0 || ctx.Err() != nil {
			return reply, all.String(), err
		}
		shorter, failed := d.shortened(ctx, &p)
		if failed != nil || !shorter {
			return reply, "", errors.Join(err, failed)
		}
		if !told {
			told = true
			d.note(func(r *Run) {
				r.log(Event{Type: Noted, ID: id + "-shortened", Text: "This conversation has become too long for the model, so its beginning is left out from here on."})
			})
			position = len(d.run.Log)
		}
	}
}

// argued is how many bytes the arguments of a message's calls have.
func argued(r Reply) (n int) {
	for _, c := range r.Calls {
		n += len(c.Args)
	}
	return n
}

// beginningOf is the beginning of a text, so many bytes at most.
func beginningOf(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

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
		r.log(Event{Type: Finished, Reason: Broken, Text: text, Code: codeOf(err)})
	})
}

// noteOn is what the person should know about a last message: that it is not all
// of one, or nothing at all.
func noteOn(reply Reply) string {
	nothing := strings.TrimSpace(reply.Text) == ""
	switch {
	case nothing && reply.Cut == CutByLength:
		return "The model's answer was cut off before it had said anything. Ask for less, or tell the administrator to allow longer answers."
	case nothing && reply.Cut == CutByProvider:
		return "The model's provider withheld the answer. Ask in another way."
	case nothing:
		return "The model ended without an answer. Ask again, or in another way."
	case reply.Cut == CutByLength:
		return "The answer ends here because it has reached the longest that the model may write. Ask it to go on."
	case reply.Cut == CutByProvider:
		return "The answer ends here because the model's provider stopped it. Ask in another way."
	}
	return ""
}
