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
}

type statusWire struct {
	State string     `json:"state" enum:"up,down,unknown,needs_connection"`
	Error string     `json:"error,omitempty"`
	Since *time.Time `json:"since,omitempty"`
	Tools *int       `json:"tools,omitempty" doc:"How many tools it offers."`
}

func (a *API) showStatus(ctx context.Context, c Caller, server string) statusWire {
	if a.opts.Health == nil {
		return statusWire{State: string(Unknown)}
	}
	s, err := a.opts.Health.Status(ctx, c.tenant(), server)
	if err != nil {
		a.opts.Logger.WarnContext(ctx, "how a server is could not be found out", "server", server, "err", err)
		return statusWire{State: string(Unknown)}
	}
	shown := statusWire{State: string(s.State), Error: s.Error, Tools: s.Tools}
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
