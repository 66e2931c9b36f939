package agent

import (
	"encoding/json"
	"time"
)

// Made is a call of a tool that a model wanted in a run, whatever became of it.
type Made struct {
	ID   string
	At   time.Time // when the model wanted it; the run's beginning where that was not kept
	Box  string
	Tool Tool
	Args json.RawMessage
	How  EventType // Succeeded, Failed or Refused; empty: it has not ended
}

// Made returns the calls of the run's tools, in the order in which the model
// wanted them: those that could be judged, and no calls of other agents.
func (r *Run) Made() []Made {
	how := map[string]EventType{}
	for _, e := range r.Log {
		switch e.Type {
		case Succeeded, Failed, Refused:
			how[e.ID] = e.Type
		}
	}
	var all []Made
	for _, e := range r.Log {
		c := r.Calls[e.ID]
		if e.Type != Called || c == nil || c.Kind != toTool || c.Wrong != "" {
			continue
		}
		at := e.At
		if at.IsZero() {
			at = r.Created
		}
		all = append(all, Made{ID: c.ID, At: at, Box: c.Box, Tool: c.Tool, Args: c.Args, How: how[c.ID]})
	}
	return all
}
