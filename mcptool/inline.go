package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

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
	// The question outlives the call: whoever gives up after a minute may still
	// answer what is on the screen, and the same call then finds the answer.
	asking, stopped := context.WithDeadline(context.WithoutCancel(ctx), opened.Expires)
	delivered := make(chan struct{})
	var answered atomic.Bool // on this prompt, not on an earlier one for the same question
	go func() {
		defer close(delivered)
		defer stopped()
		if err := r.deliver(asking, q, opened, &answered); err != nil {
			giveUp(q.left(err))
		}
	}()
	stop := r.client.tell(ctx, r.asker.opts.Progress, "Waiting for an answer: "+wireMessage(*opened))
	defer stop()
	outcome, err := r.await(waiting, opened.ID)
	if errors.Is(err, errTakenUp) {
		stopped() // the same call asks
		return nil, err
	}
	if err != nil {
		go r.closeLater(asking, opened.ID, stopped)
		return nil, r.leave(ctx, q, opened, stopped, context.Cause(waiting), err)
	}
	if outcome.Via != viaClient || !answered.Load() {
		stopAsking(stopped, delivered)
		// What the client sent was no answer, and deliver withdrew the question:
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

// closeLater takes the prompt of a call that has ended off the screen when its
// question is settled elsewhere. It ends with the prompt.
func (r *run) closeLater(asking context.Context, id parley.ID, stopped func()) {
	_, _ = r.asker.hub.Wait(asking, id)
	stopped()
}

// leave ends the waiting of a call that has no outcome, and says why.
func (r *run) leave(ctx context.Context, q *question, opened *parley.Request, stopped func(), cause, err error) error {
	if errors.Is(context.Cause(ctx), ErrSessionEnded) {
		stopped() // while we ask, the session cannot end
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

// stopAsking takes a question off the client's screen that was settled
// elsewhere. The SDK says so on the call's own stream and in its own time, so
// the call must not end before.
func stopAsking(stopped func(), delivered <-chan struct{}) {
	select {
	case <-delivered:
		return // nothing is on the screen any more
	default:
	}
	stopped()
	<-delivered
	time.Sleep(100 * time.Millisecond)
}

// deliver asks the client and passes its answer on, and asks again with the
// reason for one that does not fit, as often as the question says. It returns an
// error when nobody can answer there.
func (r *run) deliver(ctx context.Context, q *question, opened *parley.Request, answered *atomic.Bool) error {
	params := r.client.elicitation(r.asker, *opened)
	if opened.Mode == parley.URL {
		params.ElicitationID = string(opened.ID)
	}
	message := params.Message
	for left := q.opts.Retries; ; left-- {
		result, err := r.elicit(ctx, params)
		if ctx.Err() != nil {
			return nil // settled or expired meanwhile
		}
		if err != nil {
			return r.undeliverable(ctx, q, opened, err)
		}
		answer, err := answerFrom(result.Action, takeContent(result))
		if err != nil {
			return err
		}
		if answer.Action == parley.Accept && opened.Mode == parley.URL && !q.consent {
			return nil // the person went there; the answer comes from there
		}
		answered.Store(true)
		note, err := r.answer(ctx, q, opened, answer, left <= 0)
		if err != nil || note == "" {
			return err
		}
		answered.Store(false)
		params.Message = message + "\n\n" + note
	}
}

// errWayLost is why a client is asked once more.
var errWayLost = errors.New("another node has died, and what the client said may have gone that way")

// elicit asks the client. Where clients are reached by way of other nodes, it takes the
// question back and asks it once more when one of those has died: an answer that was
// on its way there is lost, and no client sends it again.
func (r *run) elicit(ctx context.Context, params *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	for {
		asking, cancel := context.WithCancelCause(ctx)
		forget := r.asker.node.OnDeath(func() {
			if r.asker.relayed.Load() {
				cancel(errWayLost)
			}
		})
		result, err := r.client.connection.Elicit(asking, params)
		forget()
		lost := err != nil && ctx.Err() == nil && errors.Is(context.Cause(asking), errWayLost)
		cancel(nil)
		if !lost {
			return result, err
		}
		r.asker.opts.Logger.InfoContext(ctx, "question asked again: a node has died", "session", r.client.session)
	}
}

func answerFrom(action string, content map[string]any) (parley.Answer, error) {
	a := parley.Answer{Action: parley.Action(action), Via: viaClient}
	if content == nil {
		return a, nil
	}
	var err error
	a.Content, err = json.Marshal(content)
	return a, err
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
