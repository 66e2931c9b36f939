package api

import "time"

// Escalation is a step of a rule: whom else it asks, after how long.
type Escalation struct {
	After time.Duration
	To    []string // people
}

// stepWire is a step as it is shown.
type stepWire struct {
	After int64    `json:"after_seconds"`
	To    []string `json:"to" nullable:"false" doc:"People; a group is those who are in it."`
}

// escalating is a rule with its steps. Those are the configuration's to say.
func (a *API) escalating(r ruleWire) ruleWire {
	if a.opts.Escalates == nil || r.Source != "configuration" {
		return r
	}
	for _, step := range a.opts.Escalates(r.Name) {
		r.Escalate = append(r.Escalate, stepWire{After: int64(step.After / time.Second), To: texts(step.To)})
	}
	return r
}
