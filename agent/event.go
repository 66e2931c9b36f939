package agent

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/parley-hq/parley"
)

// EventType says what happened in a run.
type EventType string

// What a follower is told, in this order for each run: Started, then for each
// step StepStarted, texts and calls, StepFinished; then Finished, always.
const (
	Started      EventType = "started"       // Event.ID: the message's id, the same in every replay
	StepStarted  EventType = "step_started"  //
	TextStarted  EventType = "text_started"  // ID: the text's
	TextDelta    EventType = "text_delta"    // ID, Text
	TextFinished EventType = "text_finished" // ID
	Called       EventType = "called"        // ID: the call's; Tool, Title, Box, Label, Args
	Progressed   EventType = "progressed"    // ID: the call's; Tool, Title, Box, Label, Progress. Not in the log
	Asked        EventType = "asked"         // Question, pending; Call, Tool, Box and Args if it is for one
	Answered     EventType = "answered"      // Question with its outcome; Call, Tool, Box and Args
	Succeeded    EventType = "succeeded"     // ID: the call's; Result
	Failed       EventType = "failed"        // ID: the call's; Result
	Refused      EventType = "refused"       // ID: the call's; Result: a person or a rule said no
	Withheld     EventType = "withheld"      // a question that nobody could show: Question, Call
	ToolsCame    EventType = "tools_came"    // a toolbox answered after it had failed; Box
	ToolsGone    EventType = "tools_gone"    // a toolbox is left out of this turn; Box, Text for developers, or Code and Text for people
	Noted        EventType = "noted"         // ID, Text: a sentence for the person that the agent did not say
	StepFinished EventType = "step_finished" //
	Finished     EventType = "finished"      // Reason; Text, and Code if there is one, when it failed; Cut when its last words were
)

// Reason says why a run finished.
type Reason string

// The reasons.
const (
	Done      Reason = "done"
	Stopped   Reason = "stopped"    // the person stopped it
	TooLong   Reason = "step_limit" // the model did not come to an end
	Broken    Reason = "failed"     // the model or a store failed
	Undecided Reason = ""           // it has not finished
)

// Event is something that happened in a run, or in one that it delegated to.
type Event struct {
	Type     EventType       `json:"type"`
	ID       string          `json:"id,omitempty"`
	Agent    string          `json:"agent,omitempty"` // set when it happened in a run that was delegated to: whose
	Text     string          `json:"text,omitempty"`
	Tool     string          `json:"tool,omitempty"`  // as the model knows it
	Title    string          `json:"title,omitempty"` // as people know it
	Box      string          `json:"box,omitempty"`
	Label    string          `json:"label,omitempty"` // the title of the box, if it has one
	Args     json.RawMessage `json:"args,omitempty"`
	Result   *Result         `json:"result,omitempty"`
	Question *parley.Request `json:"question,omitempty"`
	Call     string          `json:"call,omitempty"`
	Within   string          `json:"within,omitempty"` // set with Agent: the call of the run that is followed, which delegates to it
	Child    *Ref            `json:"child,omitempty"`  // Called: the run that it delegates to
	Reason   Reason          `json:"reason,omitempty"`
	Code     string          `json:"code,omitempty"` // of a PublicError
	Cut      Cut             `json:"cut,omitempty"`
	Progress *Progress       `json:"progress,omitempty"`
	At       time.Time       `json:"at,omitzero"` // when it was written into the log; zero: it is not there, or is older than this field
}

// Service is how people know the box: by its title, or its name.
func (e Event) Service() string { return cmp.Or(e.Label, e.Box) }

// Aside reports whether an event of a run that was delegated to is told to who
// follows the run above: what people are asked there, and what they should know.
func (e Event) Aside() bool {
	switch e.Type {
	case Asked, Answered, Withheld, ToolsCame, ToolsGone, Noted, Progressed:
		return true
	}
	return false
}

// wholeText is a text in the log, where it has no deltas.
const wholeText EventType = "text"

// expand turns an entry of the log into what followers are told. Questions come
// with the call that they are for, which the run has and the log need not repeat.
func (r *Run) expand(e Event) []Event {
	if e.Type != wholeText {
		if c := r.Calls[e.Call]; c != nil && e.Question != nil {
			e.Tool, e.Box, e.Label, e.Args = c.Name, c.Box, c.Label, c.Args
		}
		return []Event{e}
	}
	return []Event{
		{Type: TextStarted, ID: e.ID, Agent: e.Agent},
		{Type: TextDelta, ID: e.ID, Agent: e.Agent, Text: e.Text},
		{Type: TextFinished, ID: e.ID, Agent: e.Agent},
	}
}
