package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"

	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/vault"
)

// maxRounds is how often an agent may ask in one task.
const maxRounds = 20

// talk is one call: a task at the other side, and what is said about it.
type talk struct {
	*Remote
	call   *agent.Invocation
	client *a2aclient.Client
	known  *known
	state  state
}

// Call implements agent.Toolbox. It begins a task, or goes on with the one that the
// call has.
func (r *Remote) Call(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
	t, err := r.talk(ctx, c)
	var result agent.Result
	if err == nil {
		result, err = t.run(ctx)
	}
	if err != nil && ctx.Err() == nil && t != nil {
		err = t.unheard(ctx, err)
	}
	var pause *agent.Pause
	var public *agent.PublicError
	var required *vault.RequiredError
	switch {
	case err == nil, errors.As(err, &pause):
		return result, err
	case ctx.Err() != nil:
		return agent.Result{}, context.Cause(ctx)
	case errors.As(err, &required):
		return agent.Result{}, r.reenter(ctx, t, err)
	case errors.As(err, &public):
		return agent.Result{}, err
	}
	return agent.Result{}, err
}

// talk takes a call up. With an error of the way there it returns one that has no client.
func (r *Remote) talk(ctx context.Context, c *agent.Invocation) (*talk, error) {
	s, err := r.readState(c)
	if err != nil {
		return nil, r.failed(err, "was called by another version of this program, so the task did not go on. Find out what came of it before you begin it again.")
	}
	if s.URL != r.opts.URL {
		return nil, r.failed(nil, "is elsewhere by now than when this task was begun, so nothing was sent there. Begin it anew.")
	}
	if s.Door != r.opts.Door {
		return nil, r.failed(nil, "takes another credential by now than when this task was begun, so nothing was sent there. Begin it anew.")
	}
	t := &talk{Remote: r, call: c, state: s}
	t.client, t.known, err = r.reach(ctx, c.Caller, s)
	return t, err
}

// reenter asks for a credential in the place of one that the agent does not take any
// more. The call goes on with what it has written down.
func (r *Remote) reenter(ctx context.Context, t *talk, cause error) error {
	if t.state.Admitted && !t.state.begun() { // for another account than it is sent with next
		t.state.Admitted = false
		t.state.Refused++
	}
	err := r.opts.Access.Enter(ctx, t.call, true)
	var pause *agent.Pause
	switch {
	case errors.As(err, &pause):
		if pause.State, err = json.Marshal(t.state); err != nil {
			return err
		}
		return pause
	case err != nil:
		return err
	}
	return r.failed(cause, "did not take the credential just now; try again.")
}

// run takes the task to its end, or to where somebody has to answer.
func (t *talk) run(ctx context.Context) (agent.Result, error) {
	task, said, err := t.takeUp(ctx)
	for err == nil {
		switch {
		case said != nil:
			return t.ofMessage(said), nil
		case task.Status.State.Terminal():
			return t.ended(ctx, task)
		case interrupted(task.Status.State):
			task, said, err = t.interruption(ctx, task)
		default:
			task, err = t.follow(ctx, task)
		}
	}
	var over *ended
	if errors.As(err, &over) {
		return over.result, nil
	}
	return agent.Result{}, err
}

// ended ends a call with a result.
type ended struct{ result agent.Result }

func (e *ended) Error() string { return e.result.Text }

// takeUp begins the task, or finds it again.
func (t *talk) takeUp(ctx context.Context) (*a2a.Task, *a2a.Message, error) {
	switch {
	case t.state.Task != "":
		task, err := t.insist(ctx)
		return task, nil, err
	case t.state.Sent != nil:
		task, err := t.find(ctx, errBrokenOff)
		return task, nil, err
	}
	if err := t.admit(ctx); err != nil {
		return nil, nil, err
	}
	var args struct {
		Task    string `json:"task"`    // of a delegate
		Message string `json:"message"` // of a person
	}
	_ = json.Unmarshal(t.call.Args, &args) // an empty task is answered by the agent
	text := cmp.Or(args.Task, args.Message)
	if len(t.call.Chain) >= elicitation.MaxChain {
		return nil, nil, t.failed(nil, "was not given the task: it has come through %d agents already, which is as many as may pass on one.", len(t.call.Chain))
	}
	t.state.Context = t.lastContext(ctx)
	task, said, err := t.begin(ctx, text)
	if t.state.Context != "" && t.state.Task == "" && forgotten(err) {
		t.state.Context = ""
		t.state.Letters++ // other words: they begin another conversation
		return t.begin(ctx, text)
	}
	return task, said, err
}

// begin sends the message that begins the task.
func (t *talk) begin(ctx context.Context, text string) (*a2a.Task, *a2a.Message, error) {
	m := t.letter()
	m.Parts = a2a.ContentParts{a2a.NewTextPart(text)}
	elicitation.SetChain(m, t.call.Chain)
	task, said, err := t.post(ctx, m)
	if said != nil && said.ContextID != "" && len(said.ContextID) <= maxID {
		t.rememberContext(ctx, said.ContextID)
	}
	return task, said, err
}

// errBrokenOff is why it is not known whether a message arrived: the process that sent
// it has ended.
var errBrokenOff = errors.New("the process that sent the message has ended")

// letter is the next message of the call.
func (t *talk) letter() *a2a.Message {
	return &a2a.Message{ID: messageID(t.call.ID, t.state.Letters), Role: a2a.MessageRoleUser, TaskID: t.state.Task, ContextID: t.state.Context}
}

// ended is what came of the task. One that only says so in its history is read again.
func (t *talk) ended(ctx context.Context, task *a2a.Task) (agent.Result, error) {
	if task.Status.Message == nil && len(task.Artifacts) == 0 && len(task.History) == 0 {
		if whole, err := t.get(ctx, historyLength); err == nil {
			task = whole
		}
	}
	if said := t.declinedHere(); said != "" && task.Status.State == a2a.TaskStateCanceled {
		return t.notDone(said), nil // by a process that ended before it could say so
	}
	return t.ofTask(task), nil
}

// giveUp ends the task at the other side, as far as that is possible, and the call.
func (t *talk) giveUp(ctx context.Context, why error) error {
	t.cancel(ctx)
	return why
}

// farewell is how long a task may take to be cancelled.
const farewell = 5 * time.Second

// cancel ends the task at the other side. That it cannot be just now changes nothing here.
func (t *talk) cancel(ctx context.Context) {
	if t.state.Task == "" {
		return
	}
	if err := t.end(ctx); err != nil {
		t.opts.Logger.WarnContext(ctx, "remote task not cancelled", "agent", t.opts.Name, "call", t.call.ID, "err", err)
	}
}

// Abandon implements agent.Abandoner: the task is cancelled at the other side.
func (r *Remote) Abandon(ctx context.Context, c *agent.Invocation) error {
	t, err := r.talk(ctx, c)
	switch {
	case t == nil || !t.state.begun():
		return err
	case err != nil && t.state.Task != "":
		_, noted := t.noteEnd(ctx)
		return errors.Join(err, noted)
	case err != nil:
		return err
	}
	if t.state.Task == "" {
		task, err := t.find(ctx, errBrokenOff)
		if err != nil {
			return err
		}
		t.state.Task = task.ID
	}
	return t.end(ctx)
}

// cut bounds what is said of a foreign text inside a sentence of ours, which has its own
// full stop.
func cut(text string) string {
	const most = 500
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strings.TrimRight(strings.TrimSpace(text), ".")
}
