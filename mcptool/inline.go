package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

// viaClient is the surface of answers that came from the client itself.
const viaClient = "mcp"

// inline asks the client on the open call: MCP up to 2025-11-25.
type inline struct{}

func (inline) present(ctx context.Context, r *run, _ string, q *question, opened *parley.Request) (*parley.Outcome, error) {
	if opened.Mode == parley.URL && q.required {
		return nil, urlRequired(*opened)
	}
	waiting, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	shown := r.show(ctx, q, opened, giveUp)
	stop := r.client.tell(ctx, r.asker.opts.Progress, "Waiting for an answer: "+wireMessage(*opened))
	defer stop()
	outcome, err := r.await(waiting, opened.ID)
	if errors.Is(err, errTakenUp) {
		go shown.end(nil) // the same call asks
		return nil, err
	}
	if err != nil {
		if errors.Is(context.Cause(ctx), ErrSessionEnded) {
			go shown.end(nil) // while we ask, the session cannot end
		} else {
			go shown.closeLater(ctx)
		}
		return nil, r.leave(ctx, q, opened, context.Cause(waiting), err)
	}
	if outcome.Via != viaClient || !shown.wasAnswered() {
		shown.takeOff()
		// What the client sent was no answer, and its prompt withdrew the question:
		// the tool hears of that, not of a person who cancelled.
		if cause := context.Cause(waiting); cause != nil && outcome.By == "" && !q.foreign {
			return nil, cause
		}
	}
	if opened.Mode == parley.URL {
		_ = r.client.connection.NotifyElicitationComplete(ctx, &mcp.ElicitationCompleteParams{ElicitationID: string(opened.ID)})
	}
	return &outcome, nil
}

// leave ends the waiting of a call that has no outcome, and says why.
func (r *run) leave(ctx context.Context, q *question, opened *parley.Request, cause, err error) error {
	if errors.Is(context.Cause(ctx), ErrSessionEnded) {
		if !r.comesBack(ctx) {
			r.giveUp(ctx, q, opened, "the session ended")
		}
		return fmt.Errorf("%w: %w", ErrRefused, errGone)
	}
	if ctx.Err() == nil && cause != nil {
		return cause
	}
	return err
}

// comesBack reports whether somebody may make the call again whose session ended.
func (r *run) comesBack(ctx context.Context) bool {
	return r.who.IsPerson() && !errors.Is(context.Cause(ctx), ErrGivenUp)
}

// answer gives the client's answer. It returns what was wrong with one that does not
// fit, for who is asked again; the last one ends the question, if it is ours.
func (r *run) answer(ctx context.Context, q *question, opened *parley.Request, answer parley.Answer, last bool) (wrong string, err error) {
	err = r.asker.hub.Answer(ctx, r.who, opened.ID, answer)
	var misfit *form.ContentError
	switch {
	case err == nil, settled(err):
		return "", nil
	case errors.As(err, &misfit) && !last, !last && q.foreign && (errors.Is(err, parley.ErrAction) || errors.Is(err, parley.ErrTooLarge)):
		return note(misfit), nil
	case misfit != nil:
		r.giveUp(ctx, q, opened, "the answer did not fit the form")
		return "", &InvalidInputError{ID: opened.ID, Violations: misfit.Violations}
	}
	r.giveUp(ctx, q, opened, "the answer was refused")
	return "", err
}

// settled reports whether an answer came too late: another one counts.
func settled(err error) bool {
	return errors.Is(err, parley.ErrSettled) || errors.Is(err, parley.ErrExpired)
}

// undeliverable decides what becomes of a question that the client did not take.
func (r *run) undeliverable(ctx context.Context, q *question, opened *parley.Request, err error) error {
	var refused *jsonrpc.Error
	if errors.As(err, &refused) && refused.Code != codeUndelivered {
		r.giveUp(ctx, q, opened, "the client answered with an error")
		return fmt.Errorf("%w: %s", ErrRefused, refused.Message)
	}
	// The session is gone. A known person may come back for the question.
	if !r.who.IsPerson() {
		r.giveUp(ctx, q, opened, "the session ended")
	}
	return fmt.Errorf("%w: %w: %v", ErrRefused, errGone, err)
}

// codeUndelivered is how the SDK says that the client is no longer there: it is
// the code of its internal jsonrpc2.ErrRejected.
const codeUndelivered = -32005

// giveUp withdraws a question that nobody can answer here any more, if it is this
// call's.
func (r *run) giveUp(ctx context.Context, q *question, opened *parley.Request, reason string) {
	if !q.foreign {
		r.withdraw(ctx, opened, reason)
	}
}

func (r *run) withdraw(ctx context.Context, opened *parley.Request, reason string) {
	err := r.asker.hub.Cancel(context.WithoutCancel(ctx), opened.ID, reason)
	if err != nil && !errors.Is(err, parley.ErrSettled) && !errors.Is(err, parley.ErrNotFound) {
		r.asker.opts.Logger.Warn("question not withdrawn", "id", opened.ID, "err", err)
	}
}

// urlRequired is the error that sends the client to a URL before it calls again.
func urlRequired(opened parley.Request) *jsonrpc.Error {
	params := elicitParams(opened)
	params.ElicitationID = string(opened.ID)
	data, _ := json.Marshal(map[string]any{"elicitations": []any{params}})
	return &jsonrpc.Error{Code: mcp.CodeURLElicitationRequired, Message: "this request needs the person to visit a URL first", Data: data}
}

// elicitParams is a question on the wire of either era.
func elicitParams(r parley.Request) *mcp.ElicitParams {
	p := &mcp.ElicitParams{Mode: string(r.Mode), Message: wireMessage(r), URL: r.URL}
	if r.Mode == parley.Form {
		p.RequestedSchema = wireSchema(r.Schema)
	}
	return p
}

// wireSchema marks the schemas of our own questions. The hub checks what comes
// back, names every violation and fills in defaults; the SDK's own check would
// stop at the first, before defaults.
type wireSchema json.RawMessage

func (s wireSchema) MarshalJSON() ([]byte, error) { return s, nil }

// contentKey is where uncheckedContent leaves the content for takeContent.
const contentKey = "parley/content"

// uncheckedContent hides the content of answers to our own questions from the
// SDK's check.
func uncheckedContent(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if err != nil || method != "elicitation/create" {
			return result, err
		}
		params, _ := req.GetParams().(*mcp.ElicitParams)
		answer, _ := result.(*mcp.ElicitResult)
		if params == nil || answer == nil {
			return result, err
		}
		if _, ours := params.RequestedSchema.(wireSchema); !ours {
			return result, err
		}
		return &mcp.ElicitResult{Action: answer.Action, Meta: mcp.Meta{contentKey: answer.Content}}, nil
	}
}

func takeContent(result *mcp.ElicitResult) map[string]any {
	if content, ok := result.Meta[contentKey].(map[string]any); ok {
		return content
	}
	return result.Content
}
