package permit

import (
	"errors"
	"fmt"
)

// The errors of this package. Calls wrap them with what is concerned. After
// each of them the tool is not called.
var (
	ErrRule = errors.New("unknown rule: use never, unsafe, always or refuse")
	// ErrCondition is for a condition that cannot be used. It says where it is
	// wrong.
	ErrCondition = errors.New("invalid condition")
	// ErrCall is for calls that lack what an approval is bound to.
	ErrCall = errors.New("this call cannot be approved")
	// ErrArguments is for arguments of which two programs could read different
	// things.
	ErrArguments = errors.New("these arguments cannot be approved")
	// ErrTooLong is for calls that no question can show completely. They are
	// refused: what is cut off could be what matters.
	ErrTooLong = errors.New("the call is too long to be shown completely, so nobody can approve it: use shorter arguments")

	// ErrPending is what Record returns while the question is open.
	ErrPending = errors.New("the question is still open: record it when it is settled")
	// ErrMismatch is for a question that asked about something else than this
	// call.
	ErrMismatch = errors.New("the question does not show this call: ask about the call itself")
	// ErrModel is what Guard answers on a channel that a model writes.
	ErrModel = errors.New("a model cannot approve: the person answers on a page, in the chat or in their client")

	// ErrNotShown is what Guard answers where a call was not shown whole.
	ErrNotShown = errors.New("this call is not shown whole here: allow it on the page of its question, where all of it is shown")

	// ErrNotYours is what Guard answers to whoever accepts what others decide.
	ErrNotYours = errors.New("others decide about this call: you can only take it back")

	// ErrNotPermitted is what every *NotPermittedError is.
	ErrNotPermitted = errors.New("not permitted")
	// ErrConsumed is for a call that was let through before: it was started, and
	// if nobody knows its result, it is unknown. It must not be made again.
	ErrConsumed = errors.New("this call was started before: do not repeat it; if its result is not known, say so")
)

// NotPermittedError says why Consume did not let a call through.
type NotPermittedError struct {
	Decision Decision
}

func (e *NotPermittedError) Error() string {
	return fmt.Sprintf("%v (%s): %s", ErrNotPermitted, e.Decision.Status, e.Decision.Reason)
}

// Is makes it an ErrNotPermitted.
func (e *NotPermittedError) Is(target error) bool { return target == ErrNotPermitted }
