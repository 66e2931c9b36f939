package gateway

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/quietlog"
	"github.com/parley-hq/parley/mcpcall"
)

// A call whose server waits on its connection ends with the node that holds that.
// Where it may not be made again, an answer to its question would reach nobody: such
// a question says which node it hangs on. When that has died it is withdrawn, by
// whichever node finds it first, or by whoever answers it.

// lookForLostEvery is how often a node looks for questions of calls that are lost.
const lookForLostEvery = 10 * time.Second

// Guard is a hook for the hub that takes no answer to a question of a call that
// ended with its node: the question is withdrawn, and whoever answers is told so
// (parley.ErrSettled). of returns the gateway, which is made after its hub; nil:
// there is none.
func Guard(of func() *Gateway) parley.Hook {
	return parley.After(parley.AnsweringLookup, func(ctx context.Context, a *parley.Answering) error {
		g := of()
		if g == nil || !g.lost(ctx, g.asker.Node().Sure, a.Request.Labels[mcpcall.HolderLabel]) {
			return nil
		}
		g.calls.Withdraw(ctx, a.ID, mcpcall.LostReason)
		return fmt.Errorf("request %s: %w", a.ID, parley.ErrSettled)
	})
}

// lost reports whether an answer that hangs on a node would certainly reach nobody.
func (g *Gateway) lost(ctx context.Context, lives func(context.Context, string) (bool, error), node string) bool {
	if node == "" {
		return false
	}
	alive, err := lives(ctx, node)
	return err == nil && !alive
}

// lookForLost withdraws questions of calls that are lost, at once and then again and
// again, until ctx ends.
func (g *Gateway) lookForLost(ctx context.Context) {
	var trouble quietlog.Trouble
	for pause := rand.N(lookForLostEvery) + 1; ; pause = lookForLostEvery {
		trouble.Note(ctx, g.opts.Logger, "questions of lost calls not looked for", g.withdrawLost(ctx))
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause): // processes that start together do not look together
		}
	}
}

func (g *Gateway) withdrawLost(ctx context.Context) error {
	lost := map[string]bool{} // by node: each is asked once
	for after := parley.ID(""); ; {
		found, last, err := g.hub.Waiting(ctx, parley.TriggerMCP, after)
		if err != nil {
			return err
		}
		for _, q := range found {
			node := q.Labels[mcpcall.HolderLabel]
			if _, known := lost[node]; !known {
				lost[node] = g.lost(ctx, g.asker.Node().Alive, node)
			}
			if lost[node] {
				g.opts.Logger.InfoContext(ctx, "question withdrawn: its call ended with its node", "id", q.ID, "node", node)
				g.calls.Withdraw(ctx, q.ID, mcpcall.LostReason)
			}
		}
		if after = last; last == "" {
			return nil
		}
	}
}
