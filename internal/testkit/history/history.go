// Package history writes down what processes do with a shared store, and checks it
// afterwards: what they were told must be what one store could have told them, one
// operation after the other.
//
// [Record] wraps a store. A line is written when an operation begins and another
// one when it ends, so that of a process that is killed it is known what it had
// begun. [Read] reads the files of all processes of a run. [Check] looks for an
// order of the operations that explains all replies (porcupine does), for every
// question and every record by itself; [CheckLeases] for runs that two processes
// held at a time.
package history

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/parley-hq/parley"
)

// Op is one operation on a store, as the process saw it that asked for it.
type Op struct {
	Process string // the file it is from
	Call    int64  // when it began, in nanoseconds
	Return  int64  // when it ended; Never: nobody was told

	Do      string         // put, get, settle, load, save, delete
	ID      parley.ID      // of a question
	At      parley.Address // of a record
	Owner   string
	Version int64  // that is to be replaced, or deleted
	Claim   string // of an outcome
	Expires int64  // of a record, in milliseconds; 0: never
	Data    []byte // of a lease

	End      string // how it ended, as below
	Got      int64  // the version that was read, or is new
	GotClaim string // of the outcome that was read; empty: it was pending
}

// Never is the end of an operation of which nobody was told.
const Never = math.MaxInt64

// How operations end.
const (
	Ok       = "ok"
	Exists   = "exists"
	NotFound = "not found"
	Conflict = "conflict"
	Settled  = "settled"
	TooMany  = "too many"
	Unknown  = "unknown" // any other error, or none was told: it may have been done
)

func endOf(err error) string {
	switch {
	case err == nil:
		return Ok
	case errors.Is(err, parley.ErrExists):
		return Exists
	case errors.Is(err, parley.ErrNotFound):
		return NotFound
	case errors.Is(err, parley.ErrConflict):
		return Conflict
	case errors.Is(err, parley.ErrSettled):
		return Settled
	case errors.Is(err, parley.ErrTooManyPending):
		return TooMany
	}
	return Unknown
}

// Key names what an operation is about.
func (o Op) Key() string {
	if o.ID != "" {
		return "question " + string(o.ID)
	}
	return fmt.Sprintf("record %s/%s/%s", o.At.Tenant, o.At.Kind, o.At.Key)
}

// String says what was done, and what came of it.
func (o Op) String() string {
	what := o.Do
	switch o.Do {
	case "settle":
		what += " claim " + o.Claim
	case "save", "delete":
		what += fmt.Sprint(" over version ", o.Version)
	}
	got := o.End
	switch {
	case o.End == Ok && o.Do == "get":
		got = "pending"
		if o.GotClaim != "" {
			got = "settled by claim " + o.GotClaim
		}
	case o.End == Ok && (o.Do == "load" || o.Do == "save"):
		got = fmt.Sprint("version ", o.Got)
	}
	return what + " → " + got
}

// clock is the time of an operation as a person reads it.
func clock(at int64) string {
	if at == Never {
		return "       never"
	}
	return time.Unix(0, at).UTC().Format("15:04:05.000")
}

// leaseKind is the kind of record whose data are kept: those who hold runs.
const leaseKind = "run_lease"
