package toolbox

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall"
)

// Leaves has calls allowed that rules want allowed, for toolboxes of other protocols. A
// Box does it by itself.
type Leaves struct{ calls *mcpcall.Calls }

// NewLeaves returns Leaves with the hub and the permits of opts, which says nothing else
// to them.
func NewLeaves(opts *Options) *Leaves {
	o := opts.filled()
	return &Leaves{mcpcall.New(&mcpcall.Options{
		Find: func(context.Context, string, string) (mcpcall.Server, bool, error) {
			return mcpcall.Server{}, false, nil
		},
		Hub: o.Hub, Permits: o.Permits, PublicURL: o.PublicURL, Logger: o.Logger,
	})}
}

// Close lets them go.
func (l *Leaves) Close() error {
	l.calls.Close()
	return nil
}

// Of are the calls of a server, by its rule.
func (l *Leaves) Of(s mcpcall.Server) *Leave { return &Leave{l.calls, s} }

// Leave has calls of one server allowed. Whoever allows one cannot change it.
type Leave struct {
	calls  *mcpcall.Calls
	server mcpcall.Server
}

// Clear is nil when a call may be made, an *agent.Pause when somebody has to be asked
// first, an *agent.Denied when it is not made, and otherwise an error.
func (l *Leave) Clear(ctx context.Context, c *agent.Invocation) error {
	return l.decide(c, func(made *mcpcall.Call) error { return made.Clear(ctx) })
}

// Admit is Clear, and uses up what allows the call: what comes after it is the call.
func (l *Leave) Admit(ctx context.Context, c *agent.Invocation) error {
	return l.decide(c, func(made *mcpcall.Call) error { return made.Admit(ctx) })
}

func (l *Leave) decide(c *agent.Invocation, how func(*mcpcall.Call) error) error {
	j := &journal{invocation: c, kept: map[string]json.RawMessage{}, asked: map[string]parley.Request{}}
	var before state
	if json.Unmarshal(c.State, &before) == nil && before.Journal != nil {
		j.kept = before.Journal
	}
	tool := toolOf(c.Tool)
	tool.Schema = nil
	t := mcpcall.Target{Server: l.server, Method: "tools/call", Name: c.Tool.Name, Tool: tool}
	err := how(l.calls.Call(mcpcall.Call{Journal: j, Who: personOf(c.Caller), Target: t, Arguments: c.Args, ID: c.ID, Client: follower{c.Progress}}))
	var refused *jsonrpc.Error
	if errors.As(err, &refused) {
		return &agent.Denied{Reason: refused.Message}
	}
	return j.told(err)
}
