package a2a

import (
	"context"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/internal/patience"
)

// How many answers with tasks are in memory at once that were asked for, by a person and in
// all, and how long a further request waits for its turn. Each may have some megabytes.
const (
	readsEach  = 4
	readsInAll = 16
	readsWait  = 10 * time.Second
)

// errReading is what a client is told whose turn does not come.
var errReading = a2a.NewError(a2a.ErrServerError, "too many tasks and lists are being read at once: wait for the answers to some, and try again")

// reading waits for the turn of a request to read tasks. It has it until it is answered.
func (a *Agents) reading(ctx context.Context) error {
	came := arrived(ctx)
	for end := time.Now().Add(readsWait); ; {
		give, ok := a.reads.Take(came.who.Tenant + "\x00" + came.who.Owner())
		if ok {
			came.leave = give
			return nil
		}
		if time.Now().After(end) {
			return errReading
		}
		if !patience.Sleep(ctx, 20*time.Millisecond) {
			return ctx.Err()
		}
	}
}
