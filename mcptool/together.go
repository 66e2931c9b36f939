package mcptool

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Together asks several questions in one round: each function asks with the Call
// it is given, and may ask more than one. It returns when all have, with the
// errors they returned; ErrSuspended when any question is open.
//
//	err := mcptool.Together(ctx, call,
//		func(ctx context.Context, call *mcptool.Call) (err error) {
//			size, err = mcptool.Elicit[Size](ctx, call, "Which size?", nil)
//			return err
//		},
//		…
func Together(ctx context.Context, c *Call, asks ...func(context.Context, *Call) error) error {
	c.run.mu.Lock()
	c.n++
	round := c.n
	c.run.mu.Unlock()
	errs := make([]error, len(asks))
	var wg sync.WaitGroup
	for i, ask := range asks {
		part := &Call{run: c.run, prefix: fmt.Sprintf("%sq%d.%d.", c.prefix, round, i+1)}
		wg.Go(func() { errs[i] = ask(ctx, part) })
	}
	wg.Wait()
	for _, err := range errs {
		if errors.Is(err, ErrSuspended) {
			return err
		}
	}
	return errors.Join(errs...)
}
