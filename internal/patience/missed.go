package patience

import (
	"context"
	"time"
)

// reconnect is how long somebody whose connection has broken by itself is given to be
// there again.
const reconnect = 400 * time.Millisecond

// Missed reports whether somebody is absent, at two looks: whoever is known by a
// connection may have lost it for a moment. look's error is returned.
func Missed(ctx context.Context, look func(context.Context) (absent bool, err error)) (bool, error) {
	if absent, err := look(ctx); err != nil || !absent {
		return false, err
	}
	if !Sleep(ctx, reconnect) {
		return false, ctx.Err()
	}
	absent, err := look(ctx)
	return err == nil && absent, err
}
