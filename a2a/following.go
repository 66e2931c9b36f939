package a2a

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

const (
	// together is how long a task that asks waits for more questions: those that come
	// at once are told at once.
	together = 100 * time.Millisecond
	// tries is how often in a row the store may fail before following ends.
	tries = 5
)

// following is a run as it is told. It is for one goroutine; close it.
type following struct {
	*offer
	who   parley.Principal
	run   agent.Run
	place place
	f     *agent.Follower

	tale  chat.Tale
	begun bool      // something has happened besides that it started
	at    time.Time // when something happened last
	turns int       // how often it was interrupted, went on or ended: the same for everybody who follows it
}

// find returns the run of a task of who's.
func (o *offer) find(ctx context.Context, who parley.Principal, id a2a.TaskID) (agent.Run, place, error) {
	if id == "" {
		return agent.Run{}, place{}, invalid("the id of the task is missing")
	}
	p, ok := parseTaskID(id)
	if !ok {
		return agent.Run{}, p, errNoTask
	}
	run, err := o.runtime.Find(ctx, who, o.conversation(p.context), p.run)
	if err == nil && run.Agent != o.name {
		err = errNoTask
	}
	return run, p, err
}

// follow follows a run of who's, from where it stands now.
func (o *offer) follow(ctx context.Context, who parley.Principal, run agent.Run) (*following, error) {
	w, err := o.followNew(ctx, who, run)
	if err != nil {
		return nil, err
	}
	if err := w.catchUp(ctx); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// catchUp takes what has happened.
func (w *following) catchUp(ctx context.Context) error {
	for w.f.Ready() {
		e, err := w.next(ctx, w.opts.Heartbeat)
		if err != nil {
			return err
		}
		w.take(e)
	}
	return nil
}

// followNew follows a run of who's, from its first event.
func (o *offer) followNew(ctx context.Context, who parley.Principal, run agent.Run) (*following, error) {
	w := &following{offer: o, who: who, run: run, place: o.placeOf(run.Ref), f: o.runtime.Follow(who, run.Ref), at: run.Created}
	for {
		e, err := w.next(ctx, o.opts.Heartbeat)
		switch {
		case err == nil:
			w.take(e)
			return w, nil
		case !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
			w.close()
			return nil, err
		}
	}
}

// followTask follows a task of who's.
func (o *offer) followTask(ctx context.Context, who parley.Principal, id a2a.TaskID) (*following, error) {
	run, _, err := o.find(ctx, who, id)
	if err != nil {
		return nil, err
	}
	return o.follow(ctx, who, run)
}

func (w *following) close() { w.f.Close() }

// next returns the next event, io.EOF after the last, or context.DeadlineExceeded when
// there is none for a while. A store that fails is asked again.
func (w *following) next(ctx context.Context, within time.Duration) (agent.Event, error) {
	for failed := 0; ; {
		waiting, cancel := context.WithTimeout(ctx, within)
		e, err := w.f.Next(waiting)
		cancel()
		switch {
		case err == nil, errors.Is(err, io.EOF), errors.Is(err, parley.ErrNotFound):
			return e, err
		case ctx.Err() != nil:
			return e, ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			return e, err
		}
		if failed++; failed == tries {
			return e, err
		}
		pause(ctx, time.Duration(failed)*200*time.Millisecond)
	}
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// lost reports whether what the agent passes on has failed, and the task with it.
func (w *following) lost() bool { return w.agent.Relays && w.tale.Lost() }

// take takes an event, and returns what it adds to the text.
func (w *following) take(e agent.Event) (text string) {
	w.begun = w.begun || e.Type != agent.Started
	if e.At.After(w.at) {
		w.at = e.At
	}
	if e.Question != nil && e.Question.Outcome != nil && e.Question.Outcome.At.After(w.at) {
		w.at = e.Question.Outcome.At
	}
	waited := w.asks(nil)
	text = w.tale.Take(e)
	if e.Type == agent.Asked || e.Type == agent.Finished || waited && !w.asks(nil) {
		w.turns++
	}
	return text
}

// open are the questions that the task waits for. What was answered a moment ago, on
// whatever surface, is not among them though the run has not heard of it.
func (w *following) open(ctx context.Context) ([]parley.Request, error) {
	var all []parley.Request
	reply := w.tale.Reply()
	for _, q := range reply.Questions {
		if !q.Pending() || withheld(reply, q.ID) {
			continue
		}
		now, err := w.hub.Get(ctx, w.who, q.ID)
		if err != nil && !errors.Is(err, parley.ErrNotFound) {
			return nil, err
		}
		if err == nil && now.Pending() {
			all = append(all, now)
		}
	}
	return all, nil
}

func withheld(reply chat.Reply, id parley.ID) bool {
	for _, e := range reply.Withheld {
		if e.Question.ID == id {
			return true
		}
	}
	return false
}

// asks reports whether the run has asked something that was not told yet, and has not heard
// the answer.
func (w *following) asks(told map[parley.ID]bool) bool {
	reply := w.tale.Reply()
	for _, q := range reply.Questions {
		if q.Pending() && !told[q.ID] && !withheld(reply, q.ID) {
			return true
		}
	}
	return false
}

// ended reports whether the run has finished.
func (w *following) ended() bool { return w.tale.Reply().Reason != agent.Undecided }

// hooks are told while a run is followed. Nil ones are not.
type hooks struct {
	each func(e agent.Event, text string) error // of each event, and what it adds to the text
	idle func() error                           // when nothing happens for a while
}

// rest follows the run until it has finished, or waits for somebody by a question that was
// not told yet, and returns all that it waits for.
func (w *following) rest(ctx context.Context, told map[parley.ID]bool, h hooks) ([]parley.Request, error) {
	asks := w.asks(told)
	for !w.ended() {
		within := w.opts.Heartbeat
		if asks {
			within = together
		}
		e, err := w.next(ctx, within)
		switch {
		case err == nil:
			text := w.take(e)
			if h.each != nil {
				if err := h.each(e, text); err != nil {
					return nil, err
				}
			}
			asks = w.asks(told)
		case errors.Is(err, io.EOF):
			return nil, nil
		case !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
			return nil, err
		case asks:
			asks = false // until something happens
			if open, err := w.open(ctx); err != nil || len(open) > 0 {
				return open, err
			}
		case h.idle != nil:
			if err := h.idle(); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}
