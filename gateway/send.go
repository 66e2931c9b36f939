package gateway

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
func (c *crossing) earlier(ctx context.Context) (r reply, known bool, err error) {
	if r, known, err := c.begun(); known || err != nil {
		return r, known, err
	}
	if c.begunBy != nil || c.target.tool.repeatable() {
		return reply{}, false, nil
	}
	if err := c.call.TakeUp(ctx); err != nil {
		return reply{}, false, err
	}
	if c.call.Begun(sentName) {
		return reply{}, true, c.interrupted()
	}
	return c.begun()
}

func (c *crossing) interrupted() error {
	return failed("%s was called already, and what came of it was lost: whether %s was carried out is not known. Find out before you call it again.",
		c.target.server.Name, c.target.name)
}

// send makes the call for the first time. When there is a journal, because somebody
// was asked, the call goes on when it is made again: that it was sent is written
// down before it is.
func (c *crossing) send(ctx context.Context) (reply, error) {
	if !c.call.Kept() {
		return c.follow(ctx, c.gateway.launch(c.who, c.target, c.params, c.progress))
	}
	if !c.target.tool.repeatable() {
		err := c.call.Begin(ctx, sentName)
		if errors.Is(err, mcptool.ErrInterrupted) {
			return reply{}, c.interrupted()
		}
		if err != nil {
			return reply{}, err
		}
	}
	return c.patiently(ctx, c.params)
}

// patiently makes a call that a person has answered for.
func (c *crossing) patiently(ctx context.Context, params json.RawMessage) (reply, error) {
	return hold(ctx, c, true, func(ctx context.Context) (reply, error) {
		return c.follow(ctx, c.gateway.launch(c.who, c.target, params, c.progress))
	})
}

// hold does what needs a server. Where a person was asked it is done again when
// nothing was sent because the server is away: for a moment, as long as a call is
// held.
func hold[T any](ctx context.Context, c *crossing, asked bool, do func(context.Context) (T, error)) (T, error) {
	until := time.Now().Add(c.gateway.opts.Hold)
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		v, err := do(ctx)
		var told *failure
		if !asked || !errors.As(err, &told) || !told.away || time.Now().Add(pause).After(until) {
			return v, err
		}
		select {
		case <-ctx.Done():
			return v, err
		case <-time.After(pause):
		}
	}
}
