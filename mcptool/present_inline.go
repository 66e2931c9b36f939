package mcptool

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

// presentTries is how often a client is shown a question whose answers do not
// fit. The question is not ours to withdraw, so it can be asked again, with what
// was wrong; a client that fills in forms by itself must not do so for ever.
const presentTries = 3

// inLine asks the client on the open call: MCP up to 2025-11-25.
func (p *presented) inLine(ctx context.Context) (parley.Outcome, error) {
	r := p.run
	waiting, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	// The prompt outlives the call, as that of inline does.
	asking, stopped := context.WithDeadline(context.WithoutCancel(ctx), p.opened.Expires)
	delivered := make(chan struct{})
	var answered atomic.Bool // on this prompt
	go func() {
		defer close(delivered)
		defer stopped()
		if err := p.deliver(asking, &answered); err != nil {
			giveUp(leftOpen{err})
		}
	}()
	stop := r.client.tell(ctx, r.asker.opts.Progress, "Waiting for an answer: "+p.shown.Message)
	defer stop()
	outcome, err := r.await(waiting, p.opened.ID)
	if errors.Is(err, errTakenUp) {
		stopped() // the same call asks
		return outcome, err
	}
	if err != nil {
		go p.closeLater(asking, stopped)
		return outcome, p.left(ctx, stopped, context.Cause(waiting), err)
	}
	if outcome.Via != viaClient || !answered.Load() {
		stopAsking(stopped, delivered)
	}
	if p.shown.Mode == parley.URL {
		_ = r.client.connection.NotifyElicitationComplete(ctx, &mcp.ElicitationCompleteParams{ElicitationID: string(p.opened.ID)})
	}
	return outcome, nil
}

// closeLater takes the prompt of a call that has ended off the screen when the
// question is settled elsewhere. It ends with the prompt.
func (p *presented) closeLater(asking context.Context, stopped func()) {
	_, _ = p.run.asker.hub.Wait(asking, p.opened.ID)
	stopped()
}

// left says why a call ends without an outcome.
func (p *presented) left(ctx context.Context, stopped func(), cause, err error) error {
	if errors.Is(context.Cause(ctx), ErrSessionEnded) {
		stopped() // while we ask, the session cannot end
		return fmt.Errorf("%w: %w", ErrRefused, errGone)
	}
	if ctx.Err() == nil && cause != nil {
		return cause
	}
	return err
}

// deliver shows the client the question until there is an answer that fits.
func (p *presented) deliver(ctx context.Context, answered *atomic.Bool) error {
	params := elicitParams(p.shown)
	if p.shown.Mode == parley.URL {
		params.ElicitationID = string(p.opened.ID)
	}
	message := params.Message
	var misfit error
	for range presentTries {
		result, err := p.run.client.connection.Elicit(ctx, params)
		if ctx.Err() != nil {
			return nil // settled or expired meanwhile
		}
		if err != nil {
			return notTaken(err)
		}
		answer, err := answerFrom(result.Action, takeContent(result))
		if err != nil {
			return err
		}
		if answer.Action == parley.Accept && p.shown.Mode == parley.URL && !p.consent {
			return nil // the person went there; the answer comes from there
		}
		answered.Store(true)
		err = p.run.asker.hub.Answer(ctx, p.run.who, p.opened.ID, answer)
		if err == nil || settled(err) {
			return nil
		}
		answered.Store(false)
		var content *form.ContentError
		switch {
		case errors.As(err, &content):
			misfit = &InvalidInputError{ID: p.opened.ID, Violations: content.Violations}
		case errors.Is(err, parley.ErrAction), errors.Is(err, parley.ErrTooLarge):
			misfit = err
		default:
			return err
		}
		params.Message = message + "\n\n" + note(err, content)
	}
	return misfit
}

// notTaken is the error for a client that did not take the question.
func notTaken(err error) error {
	var refused *jsonrpc.Error
	if errors.As(err, &refused) && refused.Code != codeUndelivered {
		return fmt.Errorf("%w: %s", ErrRefused, refused.Message)
	}
	return fmt.Errorf("%w: %w: %v", ErrRefused, errGone, err)
}

// settled reports whether an answer came too late: another one counts.
func settled(err error) bool {
	return errors.Is(err, parley.ErrSettled) || errors.Is(err, parley.ErrExpired)
}
