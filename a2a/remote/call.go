package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"

	"github.com/parley-hq/parley"
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

func (r *Remote) talk(ctx context.Context, c *agent.Invocation) (*talk, error) {
	s, err := readState(c, r.opts.URL)
	if err != nil {
		return nil, r.failed(err, "was called by another version of this program, so the task did not go on. Find out what came of it before you begin it again.")
	}
	if s.URL != r.opts.URL {
		return nil, r.failed(nil, "is elsewhere by now than when this task was begun, so nothing was sent there. Begin it anew.")
	}
	client, known, err := r.dial(ctx, c.Caller)
	if err != nil {
		return nil, err
	}
	return &talk{Remote: r, call: c, client: client, known: known, state: s}, nil
}

// reenter asks for a credential in the place of one that the agent does not take any
// more. The call goes on with what it has written down.
func (r *Remote) reenter(ctx context.Context, t *talk, cause error) error {
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
	var args struct {
		Message string `json:"message"`
	}
	_ = json.Unmarshal(t.call.Args, &args) // an empty task is answered by the agent
	if len(t.call.Chain) >= elicitation.MaxChain {
		return nil, nil, t.failed(nil, "was not given the task: it has come through %d agents already, which is as many as may pass on one.", len(t.call.Chain))
	}
	t.state.Context = t.lastContext(ctx)
	task, said, err := t.begin(ctx, args.Message)
	if t.state.Context != "" && t.state.Task == "" && forgotten(err) {
		t.state.Context = ""
		t.state.Letters++ // other words: they begin another conversation
		return t.begin(ctx, args.Message)
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

// interruption asks the person what the task waits for, or tells the agent what they
// answered.
func (t *talk) interruption(ctx context.Context, task *a2a.Task) (*a2a.Task, *a2a.Message, error) {
	if sent := t.state.Sent; sent != nil { // by a process that has ended, or on a connection that broke
		if !t.arrived(task) && sent.Tries < maxTries {
			return t.answer(ctx, task)
		}
		t.told()
	}
	wants, err := t.wants(task.Status)
	if err != nil {
		return nil, nil, t.giveUp(ctx, unshown(t.Remote, err))
	}
	untold, waits := false, false
	var open []want
	for _, w := range wants {
		switch q := t.about(w.what); {
		case q == nil:
			open = append(open, w)
		case q.refused(): // and it asks this again
			return nil, nil, t.withdraw(ctx, q.Said)
		case q.Told && !q.Kind.visits():
			open = append(open, w)
		case q.Told:
			waits = true // it goes on by itself, or not
		case t.call.Answers[q.Key].Outcome != nil:
			untold = true
		default:
			open = append(open, w) // written down, and not asked before the process ended
		}
	}
	switch {
	case untold:
		return t.answer(ctx, task)
	case len(open) > 0:
		return nil, nil, t.ask(ctx, open)
	case waits:
		task, err := t.follow(ctx, task)
		return task, nil, err
	}
	return nil, nil, t.giveUp(ctx, t.failed(nil, "waits for somebody, and does not say for what."))
}

// about is the question that was asked last about something.
func (t *talk) about(what subject) *asked {
	for i := len(t.state.Asked) - 1; i >= 0; i-- {
		if t.state.Asked[i].What == what {
			return &t.state.Asked[i]
		}
	}
	return nil
}

// told notes that the agent has what was sent.
func (t *talk) told() {
	t.state.Sent = nil
	for i := range t.state.Asked {
		q := &t.state.Asked[i]
		if o := t.call.Answers[q.Key].Outcome; o != nil {
			q.Told, q.Said = true, o.Action
		}
	}
}

func unshown(r *Remote, why error) error {
	if errors.Is(why, errForeignPage) {
		return r.failed(why, "sends people to pages that are not its own; the task was given up.")
	}
	return r.failed(why, "asks a question that cannot be shown; the task was given up: %s.", cut(why.Error()))
}

// ask has the person asked. What is asked is written down, and looked after, before
// anybody sees it.
func (t *talk) ask(ctx context.Context, wants []want) error {
	if !t.call.CanAsk {
		t.cancel(ctx) // nobody is going to answer
	}
	if t.state.Rounds++; t.state.Rounds > maxRounds {
		return t.giveUp(ctx, t.failed(nil, "asked more than %d times in one task, which was given up: what of it was done is not known.", maxRounds))
	}
	pause := &agent.Pause{Questions: map[string]parley.Request{}}
	for i, w := range wants {
		q := asked{Key: fmt.Sprintf("a2a-%d-%d", t.state.Rounds, i), ID: parley.NewID(), Kind: w.kind, What: w.what}
		w.request.ID = q.ID
		if t.call.CanAsk {
			if err := t.watch(ctx, q, w.request.Expires); err != nil {
				return err
			}
		}
		t.state.Asked = append(t.state.Asked, q)
		pause.Questions[q.Key] = w.request
	}
	var err error
	if pause.State, err = json.Marshal(t.state); err != nil {
		return err
	}
	return pause
}

// answer tells the agent what the person answered to what the task still waits for.
func (t *talk) answer(ctx context.Context, task *a2a.Task) (*a2a.Task, *a2a.Message, error) {
	m := t.letter()
	for i := range t.state.Asked {
		q := &t.state.Asked[i]
		outcome := t.call.Answers[q.Key].Outcome
		if q.Told || outcome == nil || !stands(q.What, task.Status) {
			continue
		}
		if outcome.Action != parley.Accept && q.Kind == byPage { // which a message does not refuse
			return nil, nil, t.withdraw(ctx, outcome.Action)
		}
		if outcome.Action == parley.Accept && (q.Kind == byPage || q.Kind == byURL && q.What.Elicitation == "") {
			if q.Kind == byPage {
				q.Told, q.Said = true, parley.Accept
			}
			moved, err := t.visit(ctx, task)
			if moved != nil || err != nil {
				return moved, nil, err
			}
			if q.Told {
				continue
			}
		}
		if !reply(m, *q, *outcome) {
			return nil, nil, t.withdraw(ctx, outcome.Action)
		}
	}
	if len(m.Parts) == 0 { // nothing that a message says
		next, err := t.follow(ctx, task)
		return next, nil, err
	}
	next, said, err := t.post(ctx, m)
	switch {
	case refused(err):
		return t.rebuffed(ctx, err)
	case err == nil && said == nil && t.declined(next.Status) != "": // it may not have got round to it
		if moved, err := t.visit(ctx, next); moved != nil || err != nil {
			return moved, nil, err
		}
	}
	return next, said, err
}

// visit waits a moment for a task that may go on by itself after the person has been
// somewhere; nil: it does not yet.
func (t *talk) visit(ctx context.Context, task *a2a.Task) (*a2a.Task, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, t.opts.Visit, errVisit)
	defer cancel()
	next, err := t.poll(ctx, task)
	if context.Cause(ctx) == errVisit {
		return nil, nil
	}
	return next, err
}

var errVisit = errors.New("the agent does not go on by itself")

// rebuffed is for an agent that does not take an answer: the task may have moved on
// by itself, or is going to.
func (t *talk) rebuffed(ctx context.Context, why error) (*a2a.Task, *a2a.Message, error) {
	next, err := t.insist(ctx)
	if err != nil {
		return nil, nil, err
	}
	t.told()
	if said := t.declined(next.Status); said != "" {
		return nil, nil, t.withdraw(ctx, said)
	}
	for _, q := range t.state.Asked {
		if !q.Kind.visits() && stands(q.What, next.Status) {
			return nil, nil, t.giveUp(ctx, t.failed(why, "refused the user's answer: %s.", cut(why.Error())))
		}
	}
	return next, nil, nil
}

// giveUp ends the task at the other side, as far as that is possible, and the call.
func (t *talk) giveUp(ctx context.Context, why error) error {
	t.cancel(ctx)
	return why
}

// farewell is how long a task may take to be cancelled.
const farewell = 5 * time.Second

// cancel ends the task at the other side. That it cannot be changes nothing here.
func (t *talk) cancel(ctx context.Context) {
	if t.state.Task == "" {
		return
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer stop()
	if _, err := t.client.CancelTask(ctx, &a2a.CancelTaskRequest{ID: t.state.Task}); err != nil {
		t.opts.Logger.WarnContext(ctx, "remote task not cancelled", "agent", t.opts.Name, "call", t.call.ID, "err", err)
	}
}

// Abandon implements agent.Abandoner: the task is cancelled at the other side.
func (r *Remote) Abandon(ctx context.Context, c *agent.Invocation) error {
	t, err := r.talk(ctx, c)
	if err != nil || t.state.Task == "" && t.state.Sent == nil {
		return err
	}
	if t.state.Task == "" {
		task, err := t.find(ctx, errBrokenOff)
		if err != nil {
			return err
		}
		t.state.Task = task.ID
	}
	_, err = t.client.CancelTask(ctx, &a2a.CancelTaskRequest{ID: t.state.Task})
	return err
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
