package mcptool

import (
	"context"
	"errors"
	"strings"

	"github.com/parley-hq/parley"
)

// A question that only tells (parley.Request.OnlyTells) is shown to no client: none
// could answer it. Its call waits until others have decided.

func (q *question) onlyTells() bool { return q.opts.Trigger == parley.TriggerApprovers }

// telling is how a question that only tells is waited for.
func (r *run) telling() presenter {
	if _, open := r.how.(inline); open {
		return onOpenCall{}
	}
	return r.how
}

// onOpenCall waits on the open call: MCP up to 2025-11-25.
type onOpenCall struct{}

func (onOpenCall) present(ctx context.Context, r *run, _ string, q *question, opened *parley.Request) (*parley.Outcome, error) {
	return r.sitOut(ctx, q, opened)
}

// sitOut waits on the open call until others have decided. A client that wants to hear
// of progress does, and may wait for as long as it likes. Any other gives up sooner
// or later: before it does it is told to make the same call again.
func (r *run) sitOut(ctx context.Context, q *question, opened *parley.Request) (*parley.Outcome, error) {
	waiting, cancel := ctx, context.CancelFunc(func() {})
	if r.client.progress == nil {
		waiting, cancel = context.WithTimeout(ctx, r.asker.opts.Hold)
	}
	defer cancel()
	message := firstLine(*opened)
	_ = r.client.notify(ctx, message) // at once: it says why nothing happens
	stop := r.client.tell(ctx, r.asker.opts.Progress, message)
	defer stop()
	outcome, err := r.await(waiting, opened.ID)
	switch {
	case err == nil:
		return &outcome, nil
	case errors.Is(err, errTakenUp): // the same call waits
		return nil, err
	case ctx.Err() == nil && waiting.Err() != nil:
		return nil, goOnLater(*opened)
	}
	return nil, r.leave(ctx, q, opened, nil, err)
}

// goOnLater ends a call whose client should not wait any longer.
func goOnLater(opened parley.Request) error {
	return &LaterError{Text: firstLine(opened) + " Make the same call again to go on: it waits, and is made as soon as it is allowed."}
}

// firstLine is what a question that only tells has to say in a sentence.
func firstLine(r parley.Request) string {
	line, _, _ := strings.Cut(r.Message, "\n")
	return line
}

// allTold reports whether nothing but others' decisions is waited for.
func (r *run) allTold() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.waiting {
		if !w.OnlyTells() {
			return false
		}
	}
	return len(r.waiting) > 0
}
