package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/internal/quietlog"
)

// A task may move on while the person is asked: somebody answered elsewhere, it was
// cancelled, its credential came. Every process looks after the questions of all; a
// record for each says who looks next, and when.
const (
	everybody = "-a2a"
	waitKind  = "a2a_wait"     // of the operator's agents, by name
	ownKind   = "a2a_wait_own" // of those of tenants, by tenant and name
	// lookers is how many tasks are looked at at once.
	lookers = 8
	// longestWait is how long a question is looked after that does not say when it
	// ends. It ends sooner: with it the record goes.
	longestWait = 366 * 24 * time.Hour
	// opening is how long a question may take from its record to its being asked.
	opening = time.Minute
	// usualLook is Options.Look by default.
	usualLook = 2 * time.Second
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
	Door    string     `json:"door,omitempty"`
	Kind    kind       `json:"kind"`
	What    subject    `json:"what"`
	End     bool       `json:"end,omitempty"` // there is no question: the task is to be cancelled
	Method  string     `json:"method,omitempty"`
	Made    time.Time  `json:"made"`
	Next    time.Time  `json:"next"`
}

// waits is where the records of the agent's questions are; their keys end with the
// questions' ids.
func (r *Remote) waits() parley.Address {
	if r.opts.Tenant != "" {
		return parley.Address{Tenant: everybody, Kind: ownKind, Key: url.PathEscape(r.opts.Tenant) + "/" + r.opts.Name + "/"}
	}
	return parley.Address{Tenant: everybody, Kind: waitKind, Key: r.opts.Name + "/"}
}

// watch writes down that a question is to be looked after.
func (t *talk) watch(ctx context.Context, q asked, expires time.Time) error {
	now := time.Now().UTC()
	if expires.IsZero() {
		expires = now.Add(longestWait)
	}
	data, err := json.Marshal(wait{
		Tenant: t.call.Tenant, User: t.call.Owner(), Method: t.call.Method, Agent: t.call.Agent, Talk: t.call.Conversation,
		Task: t.state.Task, Context: t.state.Context, URL: t.state.URL, Door: t.state.Door, Kind: q.Kind, What: q.What, Made: now, Next: now.Add(t.opts.Look),
	})
	if err != nil {
		return err
	}
	at := t.waits()
	at.Key += string(q.ID)
	_, err = t.opts.Records.Save(ctx, parley.Record{Address: at, Owner: t.call.Owner(), Data: data, Expires: expires.Add(opening).Truncate(time.Millisecond)})
	if errors.Is(err, parley.ErrExists) {
		return nil
	}
	return err
}

// Run looks after the questions of the agent's tasks, those of other processes too:
// when a task moves on by itself its question is settled, and the call goes on. It
// blocks until ctx ends. It is for agents without a Tenant; theirs have a Lookout.
func (r *Remote) Run(ctx context.Context) error {
	l := &lookout{
		Lookout: Lookout{Hub: r.opts.Hub, Records: r.opts.Records, Look: r.opts.Look, Logger: r.opts.Logger}, at: r.waits(),
		find: func(context.Context, parley.Record) (*Remote, error) { return r, nil },
	}
	return l.run(ctx)
}

// Lookout looks after the questions of the agents of tenants, which come and go, as Run
// of a Remote does after those of one.
type Lookout struct {
	Hub     *parley.Hub    // as of the agents
	Records parley.Records // as of the agents
	// Find is an agent of a tenant's as it is now; nil: there is none of that name. It is
	// called for each look, and must be quick.
	Find   func(ctx context.Context, tenant, name string) (*Remote, error)
	Look   time.Duration // as in Options
	Logger *slog.Logger  // default: nowhere
}

// Run looks after them until ctx ends.
func (l Lookout) Run(ctx context.Context) error {
	l.Look = cmp.Or(l.Look, usualLook)
	if l.Logger == nil {
		l.Logger = slog.New(slog.DiscardHandler)
	}
	inner := &lookout{Lookout: l, at: parley.Address{Tenant: everybody, Kind: ownKind}, find: func(ctx context.Context, r parley.Record) (*Remote, error) {
		parts := strings.Split(r.Key, "/")
		tenant, err := url.PathUnescape(parts[0])
		if err != nil || len(parts) != 3 {
			return nil, err
		}
		return l.Find(ctx, tenant, parts[1])
	}}
	return inner.run(ctx)
}

// lookout looks after what is recorded at one place.
type lookout struct {
	Lookout
	at   parley.Address
	find func(context.Context, parley.Record) (*Remote, error)
}

func (l *lookout) run(ctx context.Context) error {
	pause := rand.N(l.Look) + 1 // processes that start together do not look together
	var trouble quietlog.Trouble
	for patience.Sleep(ctx, pause) {
		trouble.Note(ctx, l.Logger.With("of", l.at.Key), "tasks of remote agents not looked at", l.look(ctx))
		pause = l.Look
	}
	return ctx.Err()
}

func (l *lookout) look(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	places := make(chan struct{}, lookers)
	for record, err := range parley.Each(ctx, l.Records, l.at, "") {
		if parley.Unopened(err) {
			l.Logger.WarnContext(ctx, "task elsewhere not looked at", "err", err)
			continue
		}
		if err != nil {
			return err
		}
		var w wait
		if json.Unmarshal(record.Data, &w) != nil || time.Now().Before(w.Next) {
			continue
		}
		w.Next = time.Now().UTC().Add(l.pauseOf(w))
		if record.Data, err = json.Marshal(w); err != nil {
			return err
		}
		if record.Version, err = l.Records.Save(ctx, record); err != nil {
			continue // somebody else looks, or it is over
		}
		places <- struct{}{}
		all.Go(func() {
			defer func() { <-places }()
			l.lookAt(ctx, record, w)
		})
	}
	return nil
}

// pauseOf is how long a task is left alone: the longer it has waited, the longer.
func (l *lookout) pauseOf(w wait) time.Duration {
	return min(max(l.Look, time.Since(w.Made)/20), 30*l.Look)
}

// lookAt looks at one question, and at its task if that is open.
func (l *lookout) lookAt(ctx context.Context, record parley.Record, w wait) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	id := parley.ID(record.Key[strings.LastIndexByte(record.Key, '/')+1:])
	who := parley.OwnerOf(w.Tenant, w.User)
	who.Method = w.Method
	if w.End {
		r, err := l.find(ctx, record)
		if err != nil {
			l.Logger.WarnContext(ctx, "remote agent of a task not found", "task", w.Task, "err", err)
		}
		if r != nil && r.endLater(ctx, who, w) {
			_ = l.Records.Delete(ctx, record.Address, 0)
		}
		return
	}
	q, err := l.Hub.Get(ctx, who, id)
	over := err == nil && !q.Pending() || errors.Is(err, parley.ErrNotFound) && time.Since(w.Made) > opening
	if !over && err == nil {
		r, err := l.find(ctx, record)
		if err != nil {
			l.Logger.WarnContext(ctx, "remote agent of a question not found", "id", id, "err", err)
		}
		over = r != nil && r.movedOn(ctx, who, id, w)
	}
	if over {
		_ = l.Records.Delete(ctx, record.Address, 0) // it expires otherwise
	}
}

// movedOn looks at one task, and settles its question if that is over. An agent that is
// another by now is not told of it.
func (r *Remote) movedOn(ctx context.Context, who parley.Principal, id parley.ID, w wait) bool {
	if w.URL != r.opts.URL || w.Door != r.opts.Door {
		return false
	}
	caller := agent.Caller{Principal: who, Agent: w.Agent, Conversation: w.Talk}
	client, known, err := r.dial(ctx, caller)
	if err != nil {
		return false // it may be back later
	}
	t := &talk{Remote: r, call: &agent.Invocation{Caller: caller}, client: client, known: known, state: state{URL: w.URL, Task: w.Task, Context: w.Context}}
	task, err := t.get(ctx, 0)
	gone := errors.Is(err, a2a.ErrTaskNotFound)
	if err != nil && !gone || err == nil && stands(w.What, task.Status) {
		return false
	}
	undone := gone || task.Status.State.Terminal() && task.Status.State != a2a.TaskStateCompleted || lasts(w.What, task.Status) // in other words
	if err := r.settle(ctx, id, w, undone); err != nil && !errors.Is(err, parley.ErrSettled) {
		r.opts.Logger.WarnContext(ctx, "question of a task that moved on not settled", "agent", r.opts.Name, "id", id, "err", err)
		return false
	}
	return true
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
