package parley

import (
	"context"
	"errors"
)

// ErrUnsure says that a store cannot tell yet who is there: it has started just now.
var ErrUnsure = errors.New("the store has started just now: who is there is not known yet")

// Attendance is an ability of stores that know which of the processes that share
// them are there: by a lock that the operating system takes from a process that
// dies, or by its connection. What a dead process held need not wait for the end
// of a lease then.
//
// It is about ends alone. A process that hangs, or is stopped, attends; one that
// cannot reach the store for some seconds may be taken for dead, so whoever acts
// on an absence takes over by a compare-and-swap that the other would notice.
type Attendance interface {
	// Attend says that a node is there, until ctx or the process ends or the store
	// loses sight of it, and returns the reason. A node is named by letters and
	// digits and attends once at a time. there is called as soon as the others
	// know. errors.ErrUnsupported: this store cannot do it here; do not try again.
	Attend(ctx context.Context, node string, there func()) error

	// Absent reports whether a node that attended has certainly ended. False is that
	// it is there; ErrUnsure that this cannot be told. To be sure it may take a moment.
	Absent(ctx context.Context, node string) (bool, error)
}
