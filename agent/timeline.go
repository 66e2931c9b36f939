package agent

import (
	"time"

	"github.com/parley-hq/parley"
)

// SpanKind says what a part of a run was spent on.
type SpanKind string

// The kinds.
const (
	ModelSpan SpanKind = "model" // the model was asked for its next message
	CallSpan  SpanKind = "call"  // a tool, or another agent, was called
	WaitSpan  SpanKind = "wait"  // somebody was asked
)

// Span is a part of a run: what it was spent on, and when. It has nothing of what
// was said: no text, no argument and no result.
type Span struct {
	Kind SpanKind
	Step int // which message of the model it belongs to, from 1; 0: it came before

	// Call is the call, and Tool and Box what it calls: the tool's own name, and its
	// box. Of a wait, those of the call that it is for, if it is for one.
	Call, Tool, Box string

	// Question is of a wait, as it was asked, with its outcome if there is one.
	Question *parley.Request

	// From and To are when it began and ended. Zero: it goes on, or the run was
	// logged before times were.
	From, To time.Time
	// How is how a call ended: Succeeded, Failed or Refused. Empty: it has not.
	How EventType

	ended int // how much of the log there was when it had
}

// Timeline returns what a run was spent on, in the order in which that began.
func (r *Run) Timeline() []Span {
	t := timeline{calls: map[string]int{}, waits: map[parley.ID]int{}, model: -1}
	for i, e := range r.Log {
		t.at = i + 1
		t.take(r, e)
	}
	return t.spans
}

// timeline is made of a log, entry by entry.
type timeline struct {
	spans []Span
	at    int // how much of the log was taken
	step  int
	model int               // the span of the model that is asked; -1: none is
	calls map[string]int    // spans by call
	waits map[parley.ID]int // and by question
}

func (t *timeline) take(r *Run, e Event) {
	switch e.Type {
	case StepStarted:
		t.heard(e.At) // a process that died may have asked before
		t.step++
		t.model = len(t.spans)
		t.spans = append(t.spans, Span{Kind: ModelSpan, Step: t.step, From: e.At})
	case wholeText, StepFinished, Finished:
		t.heard(e.At)
	case Called:
		t.heard(e.At)
		t.calls[e.ID] = len(t.spans)
		s := Span{Kind: CallSpan, Step: t.step, Call: e.ID, Tool: e.Tool, Box: e.Box, From: e.At}
		s.name(r)
		t.spans = append(t.spans, s)
	case Succeeded, Failed, Refused:
		if at, ok := t.calls[e.ID]; ok {
			t.spans[at].To, t.spans[at].How, t.spans[at].ended = e.At, e.Type, t.at
		}
	case Asked, Answered:
		t.asked(r, e)
	}
}

// heard ends the asking of the model.
func (t *timeline) heard(at time.Time) {
	if t.model >= 0 {
		t.spans[t.model].To, t.spans[t.model].ended = at, t.at
		t.model = -1
	}
}

// asked takes a question, or its outcome, which may come without the question.
func (t *timeline) asked(r *Run, e Event) {
	if e.Question == nil {
		return
	}
	at, known := t.waits[e.Question.ID]
	if !known {
		at = len(t.spans)
		t.waits[e.Question.ID] = at
		s := Span{Kind: WaitSpan, Step: t.step, Call: e.Call, From: e.Question.Created}
		s.name(r)
		t.spans = append(t.spans, s)
	}
	t.spans[at].Question = e.Question
	if e.Question.Outcome != nil {
		t.spans[at].To = e.Question.Outcome.At
	}
}

// name says what is called, as its box knows it.
func (s *Span) name(r *Run) {
	if c := r.Calls[s.Call]; c != nil {
		s.Box = c.Box
		if s.Tool = c.Tool.Name; s.Tool == "" {
			s.Tool = c.Name // the model made it up
		}
	}
}
