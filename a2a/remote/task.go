package remote

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/vault"
)

// How a task is followed.
const (
	historyLength = 20               // messages of a task that are looked at
	requestTime   = 30 * time.Second // for an answer to what is answered at once
	firstPause    = 250 * time.Millisecond
	lastPause     = 5 * time.Second
	maxTries      = 3      // of one message, if it is known each time that it did not arrive
	maxEvents     = 10_000 // of one stream
	maxPages      = 5      // of a list of tasks
	clockSkew     = 5 * time.Minute
)

// post writes down that a message is sent, with the keys of what it answers, and sends it. It returns the task as it is
// then, or what was said in its place.
func (t *talk) post(ctx context.Context, m *a2a.Message, answers ...string) (*a2a.Task, *a2a.Message, error) {
	if t.state.Sent == nil || t.state.Sent.ID != m.ID {
		t.state.Sent = &letter{ID: m.ID, At: time.Now().UTC()}
	}
	t.state.Sent.Keys = answers
	t.state.Sent.Tries++
	if err := t.keep(ctx); err != nil {
		return nil, nil, err
	}
	task, said, err := t.deliver(ctx, m)
	var public *agent.PublicError
	switch {
	case errors.As(err, &public):
		return nil, nil, err
	case err == nil:
		t.told()
		t.state.Letters++
		if said == nil {
			err = t.keep(ctx)
		}
		return task, said, err
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case refused(err) && t.state.Task == "":
		t.state.Sent = nil
		return nil, nil, t.failed(err, "refused the task: %s.", cut(err.Error()))
	case refused(err):
		return nil, nil, err
	case !arrivedMaybe(err):
		if err := t.away(ctx, m, err); err != nil {
			return nil, nil, err
		}
	case t.state.Task == "":
		task, err = t.find(ctx, err)
		return task, nil, err
	}
	task, err = t.insist(ctx) // which says whether it arrived
	return task, nil, err
}

// away is for a message that was not sent. It is nil where the agent may be back in a
// moment: the person has answered, and is not asked again for that.
func (t *talk) away(ctx context.Context, m *a2a.Message, why error) error {
	var required *vault.RequiredError
	t.state.Sent.Tries--
	if errors.As(why, &required) || m.TaskID == "" || time.Since(t.state.Sent.At) > t.opts.Away {
		if m.TaskID == "" {
			t.state.Sent = nil
		}
		if errors.As(why, &required) {
			return why
		}
		return t.fate(why)
	}
	if !patience.Sleep(ctx, firstPause) {
		return context.Cause(ctx)
	}
	return nil
}

// fate is what became of what was sent, for the model.
func (t *talk) fate(err error) error {
	return &agent.PublicError{Text: t.target().Fate(err), Cause: err}
}

// deliver sends a message, and hears what comes of it: as a stream where the agent can.
func (t *talk) deliver(ctx context.Context, m *a2a.Message) (*a2a.Task, *a2a.Message, error) {
	request := &a2a.SendMessageRequest{Message: m, Config: &a2a.SendMessageConfig{}}
	declines := t.declines()
	if t.known.card.Capabilities.Streaming && !declines {
		said, err := t.listen(ctx, func(ctx context.Context) iter.Seq2[a2a.Event, error] {
			return t.client.SendStreamingMessage(ctx, request)
		}, t.pending(), t.patience())
		if said != nil || err != nil {
			return nil, said, err
		}
		task, err := t.insist(ctx)
		return task, nil, err
	}
	request.Config.ReturnImmediately = m.TaskID == "" || declines // the sooner its id is known the better
	most := t.opts.CallTime
	if declines { // nobody waits long for what an agent says to a no: the task tells
		most = requestTime
	}
	ctx, cancel := unlessSilent(ctx, most)
	defer cancel()
	result, err := t.client.SendMessage(ctx, request)
	if err != nil {
		return nil, nil, classified(err)
	}
	switch v := result.(type) {
	case *a2a.Message:
		return nil, v, nil
	case *a2a.Task:
		return v, nil, t.heard(ctx, v.TaskInfo())
	}
	return nil, nil, fmt.Errorf("%w: %w", mcpclient.ErrUnderway, mcpclient.ErrProtocol)
}

// pending tells the status that an answer is sent to: streams may begin with it.
func (t *talk) pending() func(a2a.TaskStatus) bool {
	var before []string
	for _, q := range t.state.Asked {
		if slices.Contains(t.state.Sent.keys(), q.Key) {
			before = append(before, q.Seen)
		}
	}
	return func(s a2a.TaskStatus) bool { return interrupted(s.State) && slices.Contains(before, digest(s)) }
}

// patience is how long an agent may say nothing new to an answer on a stream: where it has
// to see by itself that the person was somewhere it is asked after a while. 0: any time.
func (t *talk) patience() time.Duration {
	for _, q := range t.state.Asked {
		if q.Kind.visits() && slices.Contains(t.state.Sent.keys(), q.Key) {
			return t.opts.Visit
		}
	}
	return 0
}

// unlessSilent bounds how long the agent may say nothing.
func unlessSilent(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	if most < 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, most)
}

// heard takes up the id of the task, and writes it down. An agent that speaks of
// another one is not believed.
func (t *talk) heard(ctx context.Context, info a2a.TaskInfo) error {
	switch {
	case info.TaskID == "":
		return fmt.Errorf("%w: %w: a task without an id", mcpclient.ErrUnderway, mcpclient.ErrProtocol)
	case t.state.Task == "":
		if len(info.TaskID) > maxID || len(info.ContextID) > maxID {
			return t.failed(nil, "calls its task by more than %d bytes; the task was given up.", maxID)
		}
		t.state.Task, t.state.Context = info.TaskID, info.ContextID
		if err := t.keep(ctx); err != nil {
			return err
		}
		t.rememberContext(ctx, info.ContextID)
	case t.state.Task != info.TaskID:
		return t.giveUp(ctx, t.failed(nil, "answered with another task than the one that was begun; it was given up."))
	}
	return nil
}

// maxID is the longest id of a task that is taken.
const maxID = 1 << 10

// get reads the task.
func (t *talk) get(ctx context.Context, history int) (*a2a.Task, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	task, err := t.client.GetTask(ctx, &a2a.GetTaskRequest{ID: t.state.Task, HistoryLength: &history})
	if err != nil {
		return nil, classified(err)
	}
	return task, t.heard(ctx, task.TaskInfo())
}

// insist reads the task, and tries again for as long as the agent may be away.
func (t *talk) insist(ctx context.Context) (*a2a.Task, error) {
	var task *a2a.Task
	plan := patience.Plan{For: t.opts.Away, Final: func(err error) bool { return final(err) }}
	err := plan.Do(ctx, func() (err error) {
		task, err = t.get(ctx, historyLength)
		return err
	})
	return task, t.lost(ctx, err)
}

// final reports whether it does not help to ask for the task again.
func final(err error) bool {
	var required *vault.RequiredError
	var public *agent.PublicError
	var status *mcpclient.StatusError
	return refused(err) || errors.As(err, &required) || errors.As(err, &public) || errors.Is(err, mcpclient.ErrTooLarge) ||
		errors.As(err, &status) && status.Code < 500 && status.Code != http.StatusTooManyRequests
}

// lost is what it means that the task cannot be read. It had been begun.
func (t *talk) lost(ctx context.Context, err error) error {
	var required *vault.RequiredError
	var public *agent.PublicError
	switch {
	case err == nil, errors.As(err, &required), errors.As(err, &public):
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, a2a.ErrTaskNotFound):
		return t.failed(err, "does not know this task any more: what became of it is not known. Find out before you begin it again.")
	case refused(err):
		return t.failed(err, "does not say how the task stands (%s): what became of it is not known. Find out before you begin it again.", cut(err.Error()))
	case errors.Is(err, mcpclient.ErrTooLarge):
		t.cancel(ctx)
	}
	if !arrivedMaybe(err) {
		err = fmt.Errorf("%w: %w", mcpclient.ErrUnderway, err)
	}
	return t.fate(err)
}

// arrived reports whether the message that was on its way is known to the task.
func (t *talk) arrived(task *a2a.Task) bool {
	return task != nil && t.state.Sent != nil && has(task, t.state.Sent.ID)
}

func has(task *a2a.Task, message string) bool {
	for _, m := range task.History {
		if m != nil && m.ID == message {
			return true
		}
	}
	return false
}

// find looks for the task that a message began of which it is not known whether it
// arrived, and for a while: it may be on its way. It is never sent again: there would be
// two tasks.
func (t *talk) find(ctx context.Context, why error) (*a2a.Task, error) {
	after, history := t.state.Sent.At.Add(-clockSkew), historyLength
	request := &a2a.ListTasksRequest{PageSize: 100, HistoryLength: &history, StatusTimestampAfter: &after}
	var found *a2a.Task
	plan := patience.Plan{For: t.opts.Away / 3, Final: func(err error) bool { return final(err) || errors.Is(err, mcpclient.ErrProtocol) }}
	err := plan.Do(ctx, func() error {
		request.PageToken = ""
		for range maxPages {
			page, err := t.listPage(ctx, request)
			if err != nil {
				return err
			}
			for _, task := range page.Tasks {
				if task != nil && has(task, t.state.Sent.ID) {
					found = task
					return nil
				}
			}
			if request.PageToken = page.NextPageToken; request.PageToken == "" {
				break
			}
		}
		return errNotListed
	})
	var required *vault.RequiredError
	switch {
	case found != nil:
		if err := t.heard(ctx, found.TaskInfo()); err != nil {
			return nil, err
		}
		return t.insist(ctx)
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.As(err, &required):
		return nil, err
	}
	t.opts.Logger.WarnContext(ctx, "remote task not found again", "agent", t.opts.Name, "call", t.call.ID, "why", why, "err", err)
	if why == errBrokenOff || !arrivedMaybe(why) {
		why = fmt.Errorf("%w: %w", mcpclient.ErrUnderway, mcpclient.ErrUnreachable)
	}
	return nil, t.fate(why)
}

var errNotListed = errors.New("no task has the message")

func (t *talk) listPage(ctx context.Context, request *a2a.ListTasksRequest) (*a2a.ListTasksResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	page, err := t.client.ListTasks(ctx, request)
	return page, classified(err)
}
