package permit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/cel-go/interpreter"
)

// Bounds of the work that all expressions together do about one call. A step is
// about 0.1 µs: a part of an expression that is evaluated, an element that is
// looked at or made, 64 bytes that are read, 8 that are made.
const (
	maxSteps   = 500_000
	maxWork    = 2 * time.Second // beside the steps, for a machine that has much else to do
	stepReads  = 64
	stepMakes  = 8
	checkEvery = 1024 // steps, before somebody looks at the time
)

// errTooMuch is for an expression that is more work than one may be.
var errTooMuch = errors.New("it is too much work")

// budget is the work that is left for the expressions about one call. It is for one
// goroutine.
type budget struct {
	left, sinceCheck int
	done             <-chan struct{} // of the context: nobody waits any more, or the time is over
	out, over        bool            // nothing is left; because of the time
}

// newBudget returns a budget that ends with ctx, and what ends it.
func newBudget(ctx context.Context) (*budget, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, maxWork)
	return &budget{left: maxSteps, done: ctx.Done()}, cancel
}

// spend takes steps, or ends the evaluation that is under way: no operand beside it
// can hide that.
func (b *budget) spend(steps int) {
	b.left -= steps
	b.sinceCheck += steps
	if b.left >= 0 && b.sinceCheck >= checkEvery {
		b.sinceCheck = 0
		if b.late() {
			b.left = -1
		}
	}
	if b.left < 0 {
		b.left, b.out = -1, true // for what comes later, too
		panic(interpreter.EvalCancelledError{Cause: interpreter.CostLimitExceeded, Message: errTooMuch.Error()})
	}
}

// late reports whether nobody waits any more, or the time is over.
func (b *budget) late() bool {
	select {
	case <-b.done:
		b.out, b.over = true, true
	default:
	}
	return b.over
}

// spent is the error where nothing is left.
func (b *budget) spent() error {
	if b.over {
		return fmt.Errorf("%w: the time for all rules about one call is over", errTooMuch)
	}
	return fmt.Errorf("%w: %d steps are allowed for all rules about one call", errTooMuch, maxSteps)
}

// reads is what it costs to look at so many bytes.
func reads(bytes int) int { return bytes/stepReads + 1 }

// makes is what it costs to make so many bytes.
func makes(bytes int) int { return bytes/stepMakes + 1 }

// within runs what spends, and returns errTooMuch when that was too much.
func (b *budget) within(work func() error) (err error) { // CEL makes an error of the panic
	if !b.out {
		err = work()
	}
	if b.out {
		return b.spent()
	}
	return err
}
