package agent

import "context"

// abandon tells the box of a call that was begun that a stop has ended it. A box
// that cannot be told now is not told: the person does not wait for it.
func (d *driver) abandon(ctx context.Context, c *call) {
	if d.run.Stop {
		d.letGo(ctx, c)
	}
}

// letGo tells the box of a call that was begun that nobody goes on with it.
func (d *driver) letGo(ctx context.Context, c *call) {
	if c.Kind != toTool || c.State != started && c.State != paused {
		return
	}
	box, err := d.box(ctx, c.Box)
	if err == nil {
		if told, ok := box.(Abandoner); ok {
			ctx, cancel := context.WithTimeout(ctx, farewell)
			defer cancel()
			err = told.Abandon(ctx, d.invocation(c))
		}
	}
	if err != nil {
		d.rt.opts.Logger.WarnContext(ctx, "toolbox not told of the end of a call", "box", c.Box, "call", c.ID, "err", err)
	}
}
