package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/parley-hq/parley"
)

// alone answers one question without a list.
func (b *inbox) alone(ctx context.Context, in io.Reader, id string) error {
	e, err := b.server.question(ctx, id)
	if err != nil {
		return err
	}
	if of := e.of(b.server); of != "" {
		return fmt.Errorf("this question is for %s, who alone can answer it", of)
	}
	if b.server.ofIssuer() {
		return errors.New("your token is your identity provider's, which MCP clients have too: it answers no questions. Run parley login first, or answer on the page")
	}
	open, _, err := b.server.open(ctx)
	if err != nil {
		return err
	}
	b.before = map[string]bool{e.ID: true}
	for _, other := range open {
		b.before[other.ID] = true
	}
	go readLines(ctx, in, b.lines)
	go b.server.followInbox(ctx, b.stream)
	return b.answer(ctx, e)
}

// answer asks a question until the person has answered or left it, or it was settled
// elsewhere.
func (b *inbox) answer(ctx context.Context, e elicitation) error {
	page := b.server.base + "/answer/" + word(e.ID)
	if e.State != "pending" {
		return fmt.Errorf("this question %s", b.became(e))
	}
	q := e.asked()
	d, err := newDialog(q)
	if err != nil || e.Labels[parley.LabelBrief] != "" {
		return fmt.Errorf("this question cannot be answered in the terminal, since it is not shown whole here: answer it at %s", page)
	}
	b.line(d.headingLine())
	for {
		b.prompt(d.prompt())
		select {
		case <-ctx.Done():
			return errLeave
		case <-b.interrupts:
			b.line("  Left open; it waits at " + page)
			return nil
		case what := <-b.stream:
			if b.settledElsewhere(ctx, what, d.ID) {
				return nil
			}
		case in := <-b.lines:
			b.entered(in.text)
			next, wrong := leave, ""
			if !in.end {
				next, wrong = d.take(in.text)
			}
			if wrong != "" {
				b.line("  " + wrong)
			}
			over, err := b.step(ctx, d, next, page)
			if err != nil || over {
				return err
			}
		}
	}
}

// settledElsewhere notes what happened, and reports whether the question on the screen is
// settled.
func (b *inbox) settledElsewhere(ctx context.Context, what happened, id string) bool {
	if what.err != nil {
		return false // what is wrong is said when the answer is sent
	}
	if what.list != nil { // something may have been missed: also about this one
		if e, err := b.server.question(ctx, id); err == nil && e.State != "pending" {
			what = happened{one: e}
		}
	}
	if what.list == nil && what.one.ID == id && what.one.State != "pending" {
		b.line("  This question " + b.became(what.one) + ".")
		b.drop(id)
		return true
	}
	_ = b.take(ctx, what)
	return false
}

// step does what the person's line led to, and reports whether they are done.
func (b *inbox) step(ctx context.Context, d *dialog, next step, page string) (over bool, err error) {
	action := "accept"
	switch next {
	case more:
		return false, nil
	case leave:
		b.line("  Left open; it waits at " + page)
		return true, nil
	case decline:
		action = "decline"
	}
	var content any
	if action == "accept" && d.Mode != "url" {
		content = d.values
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	reply, err := b.server.do(ctx, http.MethodPost, "/answer/"+url.PathEscape(d.ID), map[string]any{"elicitationId": d.ID, "action": action, "content": content, "via": "terminal"})
	var refused *refusal
	switch {
	case err == nil:
		b.drop(d.ID)
		b.line("  Sent.")
		return true, reply.Body.Close()
	case errors.As(err, &refused) && len(refused.Fields) > 0:
		for _, said := range d.correct(refused) {
			b.line("  " + said)
		}
		return false, nil
	case errors.As(err, &refused) && (refused.status == http.StatusConflict || refused.status == http.StatusGone):
		if e, again := b.server.question(ctx, d.ID); again == nil && e.State != "pending" {
			b.line("  This question " + b.became(e) + ".")
			b.drop(d.ID)
			return true, nil
		}
	}
	var away *unreachable
	if err != nil && temporary(err) && !errors.As(err, &away) {
		return true, fmt.Errorf("it is not known whether it was taken (%s): give the same answer again, it counts once", reason(err))
	}
	return true, fmt.Errorf("it was not taken: %w", err)
}

// drop takes a question off the list without a word.
func (b *inbox) drop(id string) {
	for i, r := range b.rows {
		if r.ID == id {
			b.rows = append(b.rows[:i:i], b.rows[i+1:]...)
			return
		}
	}
}
