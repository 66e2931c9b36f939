package mcpcall

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/parley-hq/parley/mcptool"
)

// sentName is where a journal has that the call was sent for the first time.
const sentName = "sent"

// earlier looks whether the same call was made before: what its server said, or
// that it was sent and nobody knows more. A call that does no harm twice is sent
// first, and so is one that the shortcut has begun: it has looked.
func (c *Call) earlier(ctx context.Context) (r Reply, known bool, err error) {
	if r, known, err := c.begun(); known || err != nil {
		return r, known, err
	}
	if c.begunBy != nil || c.Target.Tool.Repeatable() {
		return Reply{}, false, nil
	}
	if err := c.Past.TakeUp(ctx); err != nil {
		return Reply{}, false, err
	}
	if c.Past.Begun(sentName) {
		return Reply{}, true, c.interrupted()
	}
	return c.begun()
}

func (c *Call) interrupted() error {
	return Failed("%s was called already, and what came of it was lost: whether %s was carried out is not known. Find out before you call it again.",
		c.Target.Server.Label(), c.Target.Name)
}

// send makes the call for the first time. When there is a journal, because somebody
// was asked, the call goes on when it is made again: that it was sent is written
// down before it is.
func (c *Call) send(ctx context.Context) (Reply, error) {
	if !c.Past.Kept() {
		return c.start(ctx, c.Params)
	}
	if !c.Target.Tool.Repeatable() {
		err := c.Past.Begin(ctx, sentName)
		if errors.Is(err, mcptool.ErrInterrupted) {
			return Reply{}, c.interrupted()
		}
		if err != nil {
			return Reply{}, err
		}
	}
	if c.unasked != nil { // nobody could be asked
		return c.start(ctx, c.Params)
	}
	return c.patiently(ctx, c.Params)
}

// patiently makes a call that a person has answered for.
func (c *Call) patiently(ctx context.Context, params json.RawMessage) (Reply, error) {
	return hold(ctx, c, true, func(ctx context.Context) (Reply, error) { return c.start(ctx, params) })
}

// start makes a call, now.
func (c *Call) start(ctx context.Context, params json.RawMessage) (Reply, error) {
	return c.follow(ctx, c.calls.start(ctx, c.Who, c.Target, params, c.Progress))
}

// hold does what needs a server. Where a person was asked it is done again when
// nothing was sent because the server is away: for a moment, as long as a call is
// held.
func hold[T any](ctx context.Context, c *Call, asked bool, do func(context.Context) (T, error)) (T, error) {
	until := time.Now().Add(c.calls.opts.Hold)
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		v, err := do(ctx)
		var told *Failure
		if !asked || !errors.As(err, &told) || !told.Away || time.Now().Add(pause).After(until) {
			return v, err
		}
		select {
		case <-ctx.Done():
			return v, err
		case <-time.After(pause):
		}
	}
}
