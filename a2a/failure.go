package a2a

import (
	"context"
	"errors"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// What clients are told.
var (
	errNoTask    = a2a.NewError(a2a.ErrTaskNotFound, "there is no such task: check its id, and for whom you act")
	errEnded     = a2a.NewError(a2a.ErrUnsupportedOperation, "the task has ended and takes no more messages: send one without a taskId, with the same contextId to go on from there")
	errBusy      = a2a.NewError(a2a.ErrUnsupportedOperation, "the task is being worked on and waits for nothing: messages to it are answers to what it asks")
	errLate      = a2a.NewError(a2a.ErrUnsupportedOperation, "this question is settled: the first answer counts, wherever it was given")
	errWithdrawn = a2a.NewError(a2a.ErrUnsupportedOperation, "this question was withdrawn before anybody answered it")
	errReplaced  = a2a.NewError(a2a.ErrUnsupportedOperation, "this question was withdrawn before anybody answered it, and the task asks another one now: get the task, and answer that")
	errOver      = a2a.NewError(a2a.ErrUnsupportedOperation, "this question has expired")
	errFault     = a2a.NewError(a2a.ErrInternalError, "the agent cannot be reached because of a fault of the server: try again later")
)

func invalid(text string) error { return a2a.NewError(a2a.ErrInvalidParams, brief(text)) }

// explain turns an error into what a client is told. The text of an internal error is for
// the log alone.
func (a *Agents) explain(ctx context.Context, what string, err error) error {
	var said *a2a.Error
	var busy *agent.BusyError
	switch {
	case err == nil, ctx.Err() != nil:
		return err
	case errors.As(err, &said):
		return err
	case errors.As(err, &busy):
		return a2a.NewError(a2a.ErrServerError, busy.Error())
	case errors.Is(err, parley.ErrNotFound), errors.Is(err, agent.ErrNoPerson):
		return errNoTask
	case errors.Is(err, parley.ErrTooLarge):
		return invalid("this is more than can be sent: shorten it")
	case errors.Is(err, parley.ErrInvalid):
		return invalid(err.Error())
	case errors.Is(err, a2a.ErrUnauthenticated):
		return a2a.NewError(a2a.ErrUnauthenticated, "the token is no longer good: send a new one")
	}
	a.opts.Logger.ErrorContext(ctx, what, "err", err)
	return errFault
}
