package remote

import (
	"cmp"
	"context"
	"strings"

	"github.com/parley-hq/parley/agent"
)

// Leave has tasks allowed that a rule wants allowed, such as a *toolbox.Leave.
type Leave interface {
	// Clear is nil when a call may be made. Otherwise it is an *agent.Pause with the
	// question for it, an *agent.Denied, or another error.
	Clear(ctx context.Context, c *agent.Invocation) error
	// Admit is Clear, and uses up what allows the call: what comes after it is the call.
	Admit(ctx context.Context, c *agent.Invocation) error
}

// Delegate is the agent as a toolbox of those who delegate to it by themselves, without
// being one of their runtime. What it is for, its card says where nobody else does.
func (r *Remote) Delegate() agent.Toolbox { return &delegate{r} }

type delegate struct{ *Remote }

var _ agent.Delegate = (*delegate)(nil)

// Delegate implements agent.Delegate.
func (*delegate) Delegate() {}

// Tools implements agent.Toolbox. An agent whose card cannot be used has none, and its
// error says why.
func (d *delegate) Tools(ctx context.Context, who agent.Caller) ([]agent.Tool, error) {
	known, err := d.readCard(ctx)
	if err != nil {
		return nil, err
	}
	tools, err := d.Remote.Tools(ctx, who)
	for i := range tools {
		shown := agent.DelegateTool(tools[i].Name, d.opts.Title, cmp.Or(d.opts.Description, strings.ToValidUTF8(cut(known.card.Description), "")))
		tools[i].Title, tools[i].Description, tools[i].Schema = shown.Title, shown.Description, shown.Schema
	}
	return tools, err
}
