package remote

import (
	"cmp"
	"context"
	"strings"

	"github.com/parley-hq/parley/agent"
)

// Delegate is the agent as a toolbox of those who delegate to it by themselves, without
// being one of their runtime. What it is for, its card says where nobody else does.
func (r *Remote) Delegate() agent.Toolbox { return &delegate{r} }

type delegate struct{ *Remote }

var _ agent.Delegate = (*delegate)(nil)

// Delegate implements agent.Delegate.
func (*delegate) Delegate() {}

// Tools implements agent.Toolbox. An agent whose card cannot be used has none, and its
// error says why; nobody waits twice for one that does not answer.
func (d *delegate) Tools(ctx context.Context, who agent.Caller) ([]agent.Tool, error) {
	known, err := d.glance(ctx)
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
