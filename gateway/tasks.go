package gateway

import (
	"context"

	"github.com/parley-hq/parley/mcptool"
)

// TaskSupport implements mcptool.TaskRelay: a tool that its server runs as a task
// is one for the clients that know tasks. All others wait for its result.
func (g *Gateway) TaskSupport(ctx context.Context, call *mcptool.Call, name string) mcptool.TaskSupport {
	if !g.showsTools(ctx) {
		return mcptool.TaskNever
	}
	t, err := g.lookUpTool(ctx, g.callerOfCall(call), name)
	if err != nil || !t.Tool.Task {
		return mcptool.TaskNever
	}
	return mcptool.TaskAllowed
}
