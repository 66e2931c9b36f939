package toolbox

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
)

// toolList is what a server lists to somebody.
type toolList struct {
	mcpcall.Listed
	tools []agent.Tool
}

// maxKept is how many bytes of lists a box keeps. More are fetched when they are
// needed.
const maxKept = 64 << 20

// Tools implements agent.Toolbox. A tool that cannot be read, or that is not for
// models, is left out.
func (b *Box) Tools(ctx context.Context, who agent.Caller) ([]agent.Tool, error) {
	return b.list(ctx, who, (*mcpcall.ToolList[*toolList]).Fresh)
}

func (b *Box) list(ctx context.Context, who agent.Caller, get func(*mcpcall.ToolList[*toolList], context.Context) (*toolList, error)) ([]agent.Tool, error) {
	if err := b.missing(ctx, who); err != nil {
		var pause *agent.Pause
		if errors.As(err, &pause) {
			if tools := b.remembered(ctx, who); len(tools) > 0 {
				return tools, nil
			}
		}
		return nil, err
	}
	l, err := get(b.lists.Of(personOf(who), b.server), ctx)
	if err != nil {
		return nil, b.paused(ctx, who, err)
	}
	return slices.Clone(l.tools), nil
}

// readTools asks the server for its tools on somebody's behalf.
func (b *Box) readTools(ctx context.Context, conn *mcpclient.Conn, who mcpcall.Person, _ mcpcall.Server) (*toolList, error) {
	l := &toolList{tools: []agent.Tool{}}
	all, err := mcpcall.ListTools(ctx, conn, mcpclient.MaxTool, &l.Faults)
	if err != nil {
		return nil, err
	}
	hash := sha256.New()
	for _, t := range all {
		if t.AppOnly {
			continue // for the server's own user interface, and not for models
		}
		fmt.Fprintf(hash, "%d:%s", len(t.Raw), t.Raw)
		l.Bytes += len(t.Raw)
		l.tools = append(l.tools, agent.Tool{
			Name: t.Name, Title: t.Title, Description: t.Description, Schema: t.InputSchema,
			ReadOnly: t.ReadOnly, Idempotent: t.Idempotent, Destructive: t.Destructive, OpenWorld: t.OpenWorld,
		})
	}
	l.Digest, l.Listed.Tools = [sha256.Size]byte(hash.Sum(nil)), len(l.tools)
	b.remember(ctx, who, l.tools)
	return l, nil
}

// paused turns a refusal that came in the middle into the question that it
// leads to. What passes by itself stays as it is, and is tried again.
func (b *Box) paused(ctx context.Context, who agent.Caller, err error) error {
	if missing := b.missing(ctx, who); missing != nil {
		return missing
	}
	var told *mcpcall.Failure
	if errors.As(err, &told) || errors.Is(err, mcpclient.ErrTooLarge) || errors.Is(err, mcpclient.ErrProtocol) || errors.Is(err, mcpclient.ErrTooManyPrograms) {
		return &agent.PublicError{Text: mcpcall.Reason(err, b.server.Label()), Cause: err}
	}
	return err
}
