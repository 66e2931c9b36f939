package remote

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/mcpclient"
)

// listen hears a stream until the task waits for somebody or has ended. before says of
// a status that it is the one that was just answered. If nothing else comes for most, it
// hangs up; 0: it does not.
func (t *talk) listen(ctx context.Context, open func(context.Context) iter.Seq2[a2a.Event, error], before func(a2a.TaskStatus) bool, most time.Duration) (*a2a.Message, error) {
	stream, hangUp := context.WithCancelCause(ctx)
	defer hangUp(nil)
	if most > 0 {
		clock := time.AfterFunc(most, func() { hangUp(errVisit) })
		defer clock.Stop()
		known := before
		before = func(s a2a.TaskStatus) bool {
			if known(s) {
				return true
			}
			clock.Stop()
			return false
		}
	}
	if t.opts.CallTime > 0 {
		clock := time.AfterFunc(t.opts.CallTime, func() { hangUp(errSilent) })
		defer clock.Stop()
		inner := open
		open = func(ctx context.Context) iter.Seq2[a2a.Event, error] {
			return func(yield func(a2a.Event, error) bool) {
				for event, err := range inner(ctx) {
					clock.Reset(t.opts.CallTime)
					if !yield(event, err) {
						return
					}
				}
			}
		}
	}
	said, err := t.hear(ctx, open(stream), before)
	switch cause := context.Cause(stream); {
	case ctx.Err() != nil || said != nil:
	case cause == errSilent:
		return nil, t.silent(ctx)
	case cause == errVisit:
		return nil, nil // the task itself says how it stands
	}
	return said, err
}

// errSilent says that nothing came of the agent for longer than it may take.
var errSilent = errors.New("the agent is silent")

// silent is what becomes of a task whose agent says nothing any more.
func (t *talk) silent(ctx context.Context) error {
	late := fmt.Errorf("%w: %w", mcpclient.ErrUnderway, context.DeadlineExceeded)
	if t.state.Task == "" {
		return late
	}
	return t.giveUp(ctx, t.fate(late))
}

// hear reads the events of a stream.
func (t *talk) hear(ctx context.Context, events iter.Seq2[a2a.Event, error], before func(a2a.TaskStatus) bool) (*a2a.Message, error) {
	n := 0
	for event, err := range events {
		if err != nil {
			return nil, classified(err)
		}
		if n++; n > maxEvents {
			return nil, nil // the task itself says how it stands
		}
		if m, ok := event.(*a2a.Message); ok {
			return m, nil
		}
		if err := t.heard(ctx, event.TaskInfo()); err != nil {
			return nil, err
		}
		var status a2a.TaskStatus
		switch v := event.(type) {
		case *a2a.Task:
			status = v.Status
		case *a2a.TaskStatusUpdateEvent:
			status = v.Status
		}
		t.progress(status)
		if old := before(status); status.State.Terminal() || interrupted(status.State) && !old {
			return nil, nil
		}
	}
	if t.state.Task == "" {
		return nil, fmt.Errorf("%w: %w: the stream ended before there was a task", mcpclient.ErrUnderway, mcpclient.ErrUnreachable)
	}
	return nil, nil
}

// progress tells whoever follows what the agent says while it works.
func (t *talk) progress(s a2a.TaskStatus) {
	if t.call.Progress == nil || s.Message == nil || s.State.Terminal() || interrupted(s.State) {
		return
	}
	if text, _ := words(s.Message); text != "" {
		t.call.Progress(agent.Progress{Text: text})
	}
}

// follow waits until the task goes another step: it waits for somebody, for something
// else than before, or has ended.
func (t *talk) follow(ctx context.Context, task *a2a.Task) (*a2a.Task, error) {
	if t.known.card.Capabilities.Streaming && !interrupted(task.Status.State) {
		subscribe := func(ctx context.Context) iter.Seq2[a2a.Event, error] {
			return t.client.SubscribeToTask(ctx, &a2a.SubscribeToTaskRequest{ID: t.state.Task})
		}
		_, err := t.listen(ctx, subscribe, func(a2a.TaskStatus) bool { return false }, 0)
		var public *agent.PublicError
		switch {
		case errors.As(err, &public):
			return nil, err
		case err == nil:
			if task, err = t.insist(ctx); err != nil || task.Status.State.Terminal() || interrupted(task.Status.State) {
				return task, err
			}
		} // what cannot be heard, or not to its end, is asked for
	}
	return t.poll(ctx, task)
}

// poll asks how the task stands until it is another step further.
func (t *talk) poll(ctx context.Context, task *a2a.Task) (*a2a.Task, error) {
	last, since, pause := digest(task.Status), time.Now(), firstPause
	waiting := interrupted(task.Status.State)
	for {
		if !patience.Sleep(ctx, pause) {
			return nil, context.Cause(ctx)
		}
		pause = min(2*pause, lastPause)
		next, err := t.get(ctx, historyLength)
		if err == nil {
			t.progress(next.Status)
			now := digest(next.Status)
			if now != last {
				last, since, pause = now, time.Now(), firstPause
			}
			if next.Status.State.Terminal() || interrupted(next.Status.State) != waiting || waiting && !t.waitsForTold(next.Status) {
				return next, nil
			}
		} else if final(err) {
			return nil, t.lost(ctx, err)
		}
		if t.opts.CallTime > 0 && time.Since(since) > t.opts.CallTime {
			return nil, t.silent(ctx)
		}
	}
}

// waitsForTold reports whether a task still waits as it did when it was told an answer: it
// has not asked again since.
func (t *talk) waitsForTold(s a2a.TaskStatus) bool {
	now := digest(s)
	for i := range t.state.Asked {
		q := &t.state.Asked[i]
		if q.refused() && lasts(q.What, s) || (q.Told || t.outcome(q) != nil) && stands(q.What, s) && q.Seen == now {
			return true
		}
	}
	return false
}
