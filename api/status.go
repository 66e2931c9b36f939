package api

import (
	"context"
	"time"
)

// State is how a server is.
type State string

// The states.
const (
	Up              State = "up"
	Down            State = "down"
	Unknown         State = "unknown"
	NeedsConnection State = "needs_connection" // nobody has provided the credential that it takes
)

// Status is how a server was when it was last used or looked at.
type Status struct {
	State State
	Error string    // why it is down, for administrators
	Since time.Time // zero: not known
	Tools *int      // how many it offers; nil: not known
	// LeftOut is what it lists and clients would not take; of much of that only
	// the first, and LeftOutCount says how much.
	LeftOut      []LeftOut
	LeftOutCount int
}

// LeftOut is something that a server lists and clients would not take.
type LeftOut struct {
	Kind   string `json:"kind" enum:"tool,prompt,resource,resource template"`
	Name   string `json:"name" doc:"The server's own; a resource's URI. Empty where it has none."`
	Part   string `json:"part,omitempty" doc:"What of it is left out; absent: all of it."`
	Reason string `json:"reason"`
}

type statusWire struct {
	State string     `json:"state" enum:"up,down,unknown,needs_connection"`
	Error string     `json:"error,omitempty"`
	Since *time.Time `json:"since,omitempty"`
	Tools *int       `json:"tools,omitempty" doc:"How many tools it offers."`

	LeftOut      []LeftOut `json:"left_out,omitempty" doc:"What it lists and clients would not take, the first of it."`
	LeftOutCount int       `json:"left_out_count,omitempty" doc:"How much that is."`
}

func (a *API) showStatus(ctx context.Context, c Caller, one Server) statusWire {
	if a.opts.Health == nil {
		return statusWire{State: string(Unknown)}
	}
	s, err := a.opts.Health.Status(ctx, c.tenant(), one)
	if err != nil {
		a.opts.Logger.WarnContext(ctx, "server status unknown", "server", one.Name, "err", err)
		return statusWire{State: string(Unknown)}
	}
	shown := statusWire{State: string(s.State), Error: s.Error, Tools: s.Tools, LeftOut: s.LeftOut, LeftOutCount: s.LeftOutCount}
	if s.State == "" {
		shown.State = string(Unknown)
	}
	shown.Since = moment(s.Since)
	return shown
}

// moment is a time as it is sent; nil when it is not known.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
