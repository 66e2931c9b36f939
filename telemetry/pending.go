package telemetry

import (
	"context"
	"time"

	"github.com/parley-hq/parley"
)

// unread is the label of questions that are counted, but not read to learn their
// triggers.
const unread = "unread"

// Questions is what is needed of a store to tell what waits in it.
type Questions interface {
	parley.Counter
	List(ctx context.Context, q parley.Query) ([]parley.Request, error)
}

// PendingIn returns how many questions of a store wait, by trigger. Of the first
// parley.MaxLimit to expire each is told by its own; those behind them, which it
// would take ever longer to read, are one number, "unread". Their sum is all that
// wait.
func PendingIn(store Questions) func(context.Context) (map[string]int, error) {
	return func(ctx context.Context) (map[string]int, error) {
		first, err := store.List(ctx, parley.Query{Pending: true, Soonest: true, ExpiresBefore: never, Limit: parley.MaxLimit})
		if err != nil {
			return nil, err
		}
		waiting := map[string]int{unread: 0}
		for _, trigger := range triggers {
			waiting[trigger] = 0
		}
		for _, r := range first {
			waiting[known(r.Trigger, triggers)]++
		}
		if len(first) < parley.MaxLimit {
			return waiting, nil
		}
		all, err := store.CountPending(ctx)
		waiting[unread] = max(0, all-len(first))
		return waiting, err
	}
}

// never is when no question expires that anybody can ask.
var never = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
