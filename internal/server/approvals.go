package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/permit"
)

// approved is a toolbox whose calls need a person's approval by a rule.
type approved struct {
	agent.Toolbox
	permits *permit.Permits
	rule    permit.Rule
	title   string
	place   string
}

// Title is how people know the server.
func (a *approved) Title() string { return a.title }

func (a *approved) call(c *agent.Invocation) permit.Call {
	return permit.Call{
		Tenant: c.Tenant, User: c.Owner(), Session: c.Conversation, Circle: c.Circle, Server: a.Name(), ServerTitle: a.title,
		Place: a.place, Tool: c.Tool.Name, ToolTitle: c.Tool.Title, Args: c.Args, ReadOnly: c.Tool.ReadOnly, Destructive: c.Tool.Destructive,
		Idempotent: c.Tool.Idempotent, OpenWorld: c.Tool.OpenWorld, ID: c.ID,
	}
}

// approvalKey is the key of the question.
const approvalKey = "approval"

// Prepare asks for the approval after everything else: what is approved is what
// runs next.
func (a *approved) Prepare(ctx context.Context, c *agent.Invocation) error {
	if err := a.Toolbox.Prepare(ctx, c); err != nil {
		return err
	}
	call := a.call(c)
	if q, asked := c.Answers[approvalKey]; asked {
		decision, err := a.permits.Record(ctx, call, q.ID)
		if err != nil {
			return refusal(err)
		}
		return verdict(decision)
	}
	decision, err := a.permits.Check(ctx, a.rule, call)
	if err != nil {
		return refusal(err)
	}
	if !decision.Ask() {
		return verdict(decision)
	}
	if c.Kind == parley.KindProgram {
		return &agent.Denied{Reason: programsCall}
	}
	if decision.Approvers != nil {
		return a.gather(ctx, call)
	}
	q, err := a.permits.Question(call)
	if err != nil {
		return refusal(err)
	}
	return &agent.Pause{Questions: map[string]parley.Request{approvalKey: q}}
}

// programsCall is what a program's model is told of a call that somebody would have
// to approve. Nobody is asked, approvers neither: a program waits for nobody.
const programsCall = "This call needs a person's approval, and this conversation is a program's: nobody can be asked. Do not repeat the call."

// gather asks those who must agree. They take their time: the model is told, and
// finds what they have said when it makes the same call again.
func (a *approved) gather(ctx context.Context, call permit.Call) error {
	decision, _, err := a.permits.Gather(ctx, a.rule, call)
	if errors.Is(err, parley.ErrTooManyPending) {
		return &agent.Denied{Reason: "The approvers cannot be asked now: " + err.Error() + "."}
	}
	if err != nil {
		return refusal(err)
	}
	if decision.Ask() {
		return &agent.Denied{Reason: decision.Reason + " Make the same call again later to go on."}
	}
	return verdict(decision)
}

func verdict(d permit.Decision) error {
	if d.Status == permit.Granted {
		return nil
	}
	return &agent.Denied{Reason: d.Reason}
}

// usedUp is the result of a call whose approval was used before its process ended:
// it counts once, also for a call that would do no harm twice.
const usedUp = "This call was approved and may have been made already; its result is unknown."

// refusal turns what permit refuses into an answer for the model.
func refusal(err error) error {
	if errors.Is(err, permit.ErrConsumed) {
		return &agent.PublicError{Text: usedUp, Cause: err}
	}
	for _, known := range []error{permit.ErrCall, permit.ErrArguments, permit.ErrTooLong, permit.ErrMismatch, permit.ErrModel, permit.ErrNotPermitted} {
		if errors.Is(err, known) {
			return &agent.Denied{Reason: err.Error()}
		}
	}
	return err
}

// consumed is the state of a call that was let through and then asked: the digest
// of what was let through, and the toolbox's own state.
type consumed struct {
	Digest string `json:"digest"`
	State  []byte `json:"state"`
}

// Call uses up the approval, then makes the call. One that goes on after a
// question of the server's has used it up already, and goes on only as what was
// let through: the same tool of the same server at the same place.
func (a *approved) Call(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
	call := a.call(c)
	digest, err := call.Digest()
	if err != nil {
		return agent.Result{}, refusal(err)
	}
	inner := *c
	if len(c.State) > 0 {
		var before consumed
		if err := json.Unmarshal(c.State, &before); err != nil || before.Digest != digest {
			return agent.Result{Failed: true, Text: a.label() + " has changed since this call was begun, so the call did not go on. Make it anew."}, nil
		}
		inner.State = before.State
	} else if err := a.permits.Consume(ctx, a.rule, call); errors.Is(err, permit.ErrConsumed) {
		return agent.Result{Failed: true, Text: usedUp}, nil
	} else if err != nil {
		return agent.Result{}, refusal(err)
	}
	result, err := a.Toolbox.Call(ctx, &inner)
	var pause *agent.Pause
	if errors.As(err, &pause) {
		state, err := json.Marshal(consumed{digest, pause.State})
		if err != nil {
			return agent.Result{}, err
		}
		return agent.Result{}, &agent.Pause{Questions: pause.Questions, State: state}
	}
	return result, err
}

func (a *approved) label() string { return cmp.Or(a.title, a.Name()) }
