// Package patience waits, and tries again.
package patience

import (
	"context"
	"math/rand/v2"
	"time"
)

// Sleep waits for d. It is false if ctx ended first.
func Sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

const (
	first  = time.Millisecond
	longer = 500 * time.Millisecond
	soon   = 20 * time.Millisecond
)

// Plan is how long, and with which errors, something is tried again.
type Plan struct {
	For   time.Duration    // after which an error is the last
	Final func(error) bool // nil: none. Whether trying again cannot help
	Soon  func(error) bool // nil: none. Whether it is worth while soon: somebody else succeeded
}

// Do calls op until it succeeds, fails for good, or has failed for as long as
// planned, with growing pauses. It returns op's last error, also when ctx ends.
func (p Plan) Do(ctx context.Context, op func() error) error {
	deadline := time.Now().Add(p.For)
	pause, most := first, longer
	for {
		err := op()
		if err == nil || p.Final != nil && p.Final(err) || ctx.Err() != nil || time.Now().After(deadline) {
			return err
		}
		if p.Soon != nil && p.Soon(err) {
			most = soon
		}
		pause = min(2*pause, most)
		if !Sleep(ctx, pause/2+rand.N(pause)) {
			return err
		}
	}
}
