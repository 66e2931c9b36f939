package a2a

import (
	"context"
	"errors"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// errGone says that nobody reads a stream any more.
var errGone = errors.New("nobody reads this")

// stream tells one client of a task.
type stream struct {
	*following
	came       *arrival
	untilAsked bool // it ends when the task waits for a message
	yield      func(a2a.Event, error) bool

	state a2a.TaskState      // as it was told last
	told  map[parley.ID]bool // what the task waits for, as it was told last
	said  bool               // there is an artifact with text
	left  int                // bytes of images that may still be told
}

func (s *stream) send(e a2a.Event) error {
	if !s.yield(e, nil) {
		return errGone
	}
	return nil
}

func (s *stream) run(ctx context.Context) error {
	open, err := s.open(ctx)
	if err != nil {
		return err
	}
	t, err := s.taskWith(ctx, open, nil)
	if err != nil {
		return err
	}
	s.said, s.left = s.tale.Reply().Text != "", maxRaw
	s.note(t.Status.State, open)
	if err := s.send(t); err != nil {
		return err
	}
	h := hooks{each: func(e agent.Event, text string) error { return s.event(ctx, e, text) }, idle: func() error { return s.still(s.came) }}
	for !s.state.Terminal() && (!s.untilAsked || s.state != a2a.TaskStateInputRequired) {
		open, err := s.rest(ctx, s.told, h)
		if err == nil {
			err = s.update(ctx, open)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// note remembers what was told.
func (s *stream) note(state a2a.TaskState, open []parley.Request) {
	s.state, s.told = state, map[parley.ID]bool{}
	for _, q := range open {
		s.told[q.ID] = true
	}
}

// update tells how the task stands.
func (s *stream) update(ctx context.Context, open []parley.Request) error {
	none := 0
	t, err := s.bare(ctx, open, &none)
	if err != nil {
		return err
	}
	s.note(t.Status.State, open)
	return s.send(&a2a.TaskStatusUpdateEvent{TaskID: t.ID, ContextID: t.ContextID, Status: t.Status})
}

// event tells of what happens: that the task goes on, and what it brings.
func (s *stream) event(ctx context.Context, e agent.Event, text string) error {
	if e.Type == agent.Answered {
		clear(s.told) // what is left is told again
	}
	goesOn := s.state == a2a.TaskStateSubmitted || e.Type == agent.Answered && !s.asks(nil)
	if goesOn && s.state != a2a.TaskStateWorking && !s.ended() {
		if err := s.update(ctx, nil); err != nil {
			return err
		}
	}
	if text != "" && !s.lost() {
		a := &a2a.Artifact{ID: s.textArtifact(), Name: "answer", Parts: a2a.ContentParts{a2a.NewTextPart(text)}}
		if err := s.send(s.artifact(a, s.said)); err != nil {
			return err
		}
		s.said = true
	}
	if e.Type != agent.Succeeded && e.Type != agent.Failed {
		return nil
	}
	found, err := s.contents(ctx, e, &s.left)
	for _, a := range found {
		if err := s.send(s.artifact(a, false)); err != nil {
			return err
		}
	}
	return err
}

func (s *stream) artifact(a *a2a.Artifact, more bool) a2a.Event {
	return &a2a.TaskArtifactUpdateEvent{TaskID: s.place.taskID(), ContextID: s.place.context, Artifact: a, Append: more}
}
