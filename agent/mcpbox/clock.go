package mcpbox

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

// errLate says that a server was silent in a call for longer than it may be.
var errLate = errors.New("the server is silent")

// clock ends a call whose server is silent. It stands still while a person is
// asked, and begins anew with each answer and each word of the server's.
type clock struct {
	limit time.Duration
	late  func()

	mu    sync.Mutex
	asked int // questions that are open
	timer *time.Timer
	over  bool
}

// newClock returns a context that ends with errLate when the limit is over. Zero
// and less are none.
func newClock(ctx context.Context, limit time.Duration) (context.Context, *clock) {
	ctx, cancel := context.WithCancelCause(ctx)
	k := &clock{limit: limit, late: func() { cancel(errLate) }}
	if limit > 0 {
		k.timer = time.AfterFunc(limit, k.late)
	}
	context.AfterFunc(ctx, k.stop)
	return ctx, k
}

// hold stops the clock until goOn was called as often.
func (k *clock) hold() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.asked++; k.timer != nil {
		k.timer.Stop()
	}
}

func (k *clock) goOn() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.asked--; k.asked == 0 && k.timer != nil && !k.over {
		k.timer.Reset(k.limit)
	}
}

// heard begins it anew: the server has said something.
func (k *clock) heard() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.asked == 0 && k.timer != nil && !k.over {
		k.timer.Reset(k.limit)
	}
}

// stop ends it for good.
func (k *clock) stop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.over = true
	if k.timer != nil {
		k.timer.Stop()
	}
}

// sentLate marks the error of a call that the server has, or may have.
func sentLate(err error) error {
	if errors.Is(err, errLate) && !errors.Is(err, mcpclient.ErrUnderway) {
		return fmt.Errorf("%w, %w", mcpclient.ErrUnderway, err)
	}
	return err
}
