package remote

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/internal/patience"
)

// A task may move on while the person is asked: somebody answered elsewhere, it was
// cancelled, its credential came. Every process looks after the questions of all; a
// record for each says who looks next, and when.
const (
	everybody = "-a2a"
	waitKind  = "a2a_wait"
	// lookers is how many tasks are looked at at once.
	lookers = 8
	// longestWait is how long a question is looked after that does not say when it
	// ends. It ends sooner: with it the record goes.
	longestWait = 366 * 24 * time.Hour
	// opening is how long a question may take from its record to its being asked.
	opening = time.Minute
)

// wait is a question whose task is looked at.
type wait struct {
	Tenant  string     `json:"tenant"`
	User    string     `json:"user"` // parley.Principal.Owner
	Agent   string     `json:"agent"`
	Talk    string     `json:"conversation"`
	Task    a2a.TaskID `json:"task"`
	Context string     `json:"context,omitempty"`
	URL     string     `json:"url"`
	Kind    kind       `json:"kind"`
	What    subject    `json:"what"`
	Method  string     `json:"method,omitempty"`
	Made    time.Time  `json:"made"`
	Next    time.Time  `json:"next"`
}

func (r *Remote) waitAddress(id parley.ID) parley.Address {
	return parley.Address{Tenant: everybody, Kind: waitKind, Key: r.opts.Name + "/" + string(id)}
}

// watch writes down that a question is to be looked after.
func (t *talk) watch(ctx context.Context, q asked, expires time.Time) error {
	now := time.Now().UTC()
	if expires.IsZero() {
		expires = now.Add(longestWait)
	}
	data, err := json.Marshal(wait{
		Tenant: t.call.Tenant, User: t.call.Owner(), Method: t.call.Method, Agent: t.call.Agent, Talk: t.call.Conversation,
		Task: t.state.Task, Context: t.state.Context, URL: t.state.URL, Kind: q.Kind, What: q.What, Made: now, Next: now.Add(t.opts.Look),
	})
	if err != nil {
		return err
	}
	_, err = t.opts.Records.Save(ctx, parley.Record{Address: t.waitAddress(q.ID), Owner: t.call.Owner(), Data: data, Expires: expires.Add(opening).Truncate(time.Millisecond)})
	if errors.Is(err, parley.ErrExists) {
		return nil
	}
	return err
}

// Run looks after the questions of the agent's tasks, those of other processes too:
// when a task moves on by itself its question is settled, and the call goes on. It
// blocks until ctx ends.
func (r *Remote) Run(ctx context.Context) error {
	pause := rand.N(r.opts.Look) + 1 // processes that start together do not look together
	for patience.Sleep(ctx, pause) {
		if err := r.look(ctx); err != nil && ctx.Err() == nil {
			r.opts.Logger.WarnContext(ctx, "tasks of a remote agent not looked at", "agent", r.opts.Name, "err", err)
		}
		pause = r.opts.Look
	}
	return ctx.Err()
}

func (r *Remote) look(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	places := make(chan struct{}, lookers)
	for record, err := range parley.Each(ctx, r.opts.Records, parley.Address{Tenant: everybody, Kind: waitKind, Key: r.opts.Name + "/"}, "") {
		if err != nil {
			return err
		}
		var w wait
		if json.Unmarshal(record.Data, &w) != nil || time.Now().Before(w.Next) {
			continue
		}
		w.Next = time.Now().UTC().Add(r.pauseOf(w))
		if record.Data, err = json.Marshal(w); err != nil {
			return err
		}
		if record.Version, err = r.opts.Records.Save(ctx, record); err != nil {
			continue // somebody else looks, or it is over
		}
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			r.lookAt(ctx, record, w)
		})
	}
	return nil
}

// pauseOf is how long a task is left alone: the longer it has waited, the longer.
func (r *Remote) pauseOf(w wait) time.Duration {
	return min(max(r.opts.Look, time.Since(w.Made)/20), 30*r.opts.Look)
}

// lookAt looks at one task, and settles its question if that is over.
func (r *Remote) lookAt(ctx context.Context, record parley.Record, w wait) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	id := parley.ID(record.Key[len(r.opts.Name)+1:])
	who := parley.OwnerOf(w.Tenant, w.User)
	who.Method = w.Method
	q, err := r.opts.Hub.Get(ctx, who, id)
	switch {
	case err == nil && !q.Pending(), errors.Is(err, parley.ErrNotFound) && time.Since(w.Made) > opening:
		_ = r.opts.Records.Delete(ctx, record.Address, 0) // it expires otherwise
		return
	case err != nil || w.URL != r.opts.URL:
		return
	}
	caller := agent.Caller{Principal: who, Agent: w.Agent, Conversation: w.Talk}
	client, known, err := r.dial(ctx, caller)
	if err != nil {
		return // it may be back later
	}
	t := &talk{Remote: r, call: &agent.Invocation{Caller: caller}, client: client, known: known, state: state{URL: w.URL, Task: w.Task, Context: w.Context}}
	task, err := t.get(ctx, 0)
	gone := errors.Is(err, a2a.ErrTaskNotFound)
	if err != nil && !gone || err == nil && stands(w.What, task.Status) {
		return
	}
	undone := gone || task.Status.State.Terminal() && task.Status.State != a2a.TaskStateCompleted || lasts(w.What, task.Status) // in other words
	if err := r.settle(ctx, id, w, undone); err != nil && !errors.Is(err, parley.ErrSettled) {
		r.opts.Logger.WarnContext(ctx, "question of a task that moved on not settled", "agent", r.opts.Name, "id", id, "err", err)
		return
	}
	_ = r.opts.Records.Delete(ctx, record.Address, 0)
}

// settle ends a question that nobody has to answer any more. One that was answered by
// what the person did elsewhere is theirs.
func (r *Remote) settle(ctx context.Context, id parley.ID, w wait, failed bool) error {
	const why = "the remote agent went on without the answer"
	if w.Kind.visits() && !failed {
		return r.opts.Hub.Resolve(ctx, id, parley.Accept, why)
	}
	return r.opts.Hub.Cancel(ctx, id, why)
}
