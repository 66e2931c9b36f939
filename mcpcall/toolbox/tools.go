package toolbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
)

// list is an owner's list of tools.
type list struct {
	tools []agent.Tool // nil: it is not known
	size  int
	until time.Time
}

// maxKept is how many bytes of lists a box keeps. More are fetched when they are
// needed.
const maxKept = 64 << 20

// listTime is how long a server may take to list its tools.
const listTime = time.Minute

// Tools implements agent.Toolbox. A tool that cannot be read, or that is not for
// models, is left out.
func (b *Box) Tools(ctx context.Context, who agent.Caller) ([]agent.Tool, error) {
	if err := b.pass(ctx, who, nil); err != nil {
		var pause *agent.Pause
		if errors.As(err, &pause) {
			if tools := b.remembered(ctx, who); len(tools) > 0 {
				return tools, nil
			}
		}
		return nil, err
	}
	o := ownerOf(who)
	b.mu.Lock()
	if d := b.desks[o]; d != nil && time.Now().Before(d.list.until) {
		known := slices.Clone(d.list.tools)
		b.mu.Unlock()
		return known, nil
	}
	b.mu.Unlock()
	tools, err := b.fetch(ctx, who)
	if err != nil {
		return nil, b.paused(ctx, who, err)
	}
	b.remember(ctx, who, tools)
	return tools, nil
}

// fetch asks the server for its tools.
func (b *Box) fetch(ctx context.Context, who agent.Caller) ([]agent.Tool, error) {
	ctx, stop := b.alive(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	s, err := b.checkOut(ctx, who)
	if err != nil {
		return nil, err
	}
	before := b.changes(s.owner)
	l := list{tools: []agent.Tool{}}
	if s.conn.Server().Tools {
		l, err = b.readTools(ctx, s.conn)
	}
	var told *mcpclient.Error
	b.checkIn(s, err == nil || errors.As(err, &told))
	if err != nil {
		return nil, err
	}
	b.keep(s.owner, l, before)
	return slices.Clone(l.tools), nil
}

func (b *Box) readTools(ctx context.Context, conn *mcpclient.Conn) (list, error) {
	all, err := conn.List(ctx, "tools/list", "tools")
	if err != nil {
		return list{}, err
	}
	l, seen := list{tools: []agent.Tool{}}, map[string]bool{}
	var faults []error
	for _, raw := range all {
		if mcpclient.AppOnly(raw) {
			continue // for the server's own user interface, and not for models
		}
		t, err := readTool(raw)
		if err != nil {
			faults = append(faults, err)
			continue // it cannot be called; the others can
		}
		for _, f := range t.Faults {
			faults = append(faults, f)
		}
		if seen[t.Name] {
			continue // the first one is called anyway
		}
		seen[t.Name] = true
		l.size += len(raw)
		l.tools = append(l.tools, agent.Tool{
			Name: t.Name, Title: t.Title, Description: t.Description, Schema: t.InputSchema,
			ReadOnly: t.ReadOnly, Idempotent: t.Idempotent, Destructive: t.Destructive, OpenWorld: t.OpenWorld,
		})
	}
	if len(faults) > 0 {
		b.opts.Logger.WarnContext(ctx, "listed things left out", "server", b.opts.Name, "count", len(faults), "which", errors.Join(faults[:min(len(faults), maxNamed)]...))
	}
	return l, nil
}

// maxNamed is how many of the things that were left out are named.
const maxNamed = 20

func readTool(raw json.RawMessage) (mcpclient.Tool, error) {
	if len(raw) > mcpclient.MaxTool {
		return mcpclient.Tool{}, fmt.Errorf("%w: a tool is listed with %d bytes", mcpclient.ErrTooLarge, len(raw))
	}
	return mcpclient.ReadTool(raw)
}

// keep remembers a list, unless the server has changed it meanwhile, or too much
// is kept already.
func (b *Box) keep(o owner, l list, changes int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, kept := time.Now(), l.size
	for other, d := range b.desks {
		if !now.Before(d.list.until) {
			d.list = list{}
			b.tidy(other)
		}
		kept += d.list.size
	}
	d := b.desks[o]
	if b.closed || kept > maxKept || d == nil || d.changes != changes {
		return
	}
	l.until = now.Add(b.opts.Fresh)
	d.list = l
}

// changes is how often the owner's list has changed.
func (b *Box) changes(o owner) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if d := b.desks[o]; d != nil {
		return d.changes
	}
	return 0
}

// changed forgets an owner's list.
func (b *Box) changed(o owner) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if d := b.desks[o]; d != nil {
		d.changes++
		d.list = list{}
	}
}

// paused turns a refusal that came in the middle into the question that it
// leads to. What passes by itself stays as it is, and is tried again.
func (b *Box) paused(ctx context.Context, who agent.Caller, err error) error {
	if pass := b.pass(ctx, who, nil); pass != nil {
		return pass
	}
	var told *mcpcall.Failure
	if errors.As(err, &told) {
		return &agent.PublicError{Text: told.Text, Cause: err}
	}
	if errors.Is(err, mcpclient.ErrTooLarge) || errors.Is(err, mcpclient.ErrProtocol) {
		return &agent.PublicError{Text: mcpcall.Reason(err, b.server.Label()), Cause: err}
	}
	return err
}
