package terminal

import (
	"context"
	"slices"
)

// waitingPrompt is what stands before a line while a question was left open.
const waitingPrompt = "(waiting; a to answer now, or say something else) > "

// setAside keeps a turn whose questions the person left open. One whose message
// the server does not name cannot be taken up.
func (c *conversation) setAside(t *turn) {
	if t.message != "" && len(t.left) > 0 {
		c.waiting = append(c.waiting, t)
	}
}

// takeUp goes on with a turn that was set aside.
func (c *conversation) takeUp(ctx context.Context, t *turn) error {
	c.waiting = slices.DeleteFunc(c.waiting, func(w *turn) bool { return w == t })
	c.more, c.stopping, c.stopped = len(c.waiting) > 0, false, false
	defer func() { c.more = false }()
	return c.follow(ctx, t, nil)
}

// lookAfter shows how turns ended that were set aside: answered elsewhere, or no
// longer asked. Those that still run are left alone.
func (c *conversation) lookAfter(ctx context.Context) error {
	if len(c.waiting) == 0 {
		return nil
	}
	h, err := c.server.history(ctx, c.id)
	if err != nil {
		return nil // it is asked again before the next line
	}
	for _, t := range slices.Clone(c.waiting) {
		if slices.Contains(h.ActiveMessages, t.message) {
			continue
		}
		c.line("Of what you said before:")
		t.left = nil // nothing is to be entered
		if err := c.takeUp(ctx, t); err != nil {
			return err
		}
	}
	return nil
}
