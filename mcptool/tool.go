package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ToolOptions configures a tool. Nil and zero fields mean the defaults.
type ToolOptions struct {
	Task TaskSupport // default TaskNever
}

// AddTool adds a tool that may ask. Input and output schemas come from In and
// Out unless the tool has its own; arguments are checked against the one before
// the handler runs, its output against the other.
//
// It panics when the types make no schemas, as the SDK does.
func AddTool[In, Out any](a *Asker, server *mcp.Server, tool *mcp.Tool, handler func(context.Context, *Call, In) (Out, error), opts ...*ToolOptions) {
	t := *tool
	io, err := newSchemas[In, Out](&t)
	if err != nil {
		panic(fmt.Errorf("mcptool: tool %q: %w", tool.Name, err))
	}
	var options ToolOptions
	if len(opts) > 0 && opts[0] != nil {
		options = *opts[0]
	}
	older := olderTool(&t)
	added := &addedTool{
		name:  t.Name,
		task:  options.Task,
		older: older,
		run: func(ctx context.Context, call *Call, arguments json.RawMessage) (*mcp.CallToolResult, error) {
			var in In
			if err := io.decode(arguments, &in); err != nil {
				return nil, err
			}
			out, err := handler(ctx, call, in)
			if err != nil {
				return nil, err
			}
			result, err := io.encode(out)
			if err == nil && older != nil && !call.Modern() {
				return asObject(result)
			}
			return result, err
		},
	}
	at := a.attach(server)
	at.add(added)
	server.AddTool(&t, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return at.call(ctx, added, req)
	})
}

// addedTool is a tool as an asker runs it, however the call came.
type addedTool struct {
	name string
	task TaskSupport
	// older is the tool as clients up to 2025-11-25 are shown it; nil: as it is.
	older *mcp.Tool
	// support says what task is for a call; nil: it is the same for all.
	support func(ctx context.Context, call *Call) TaskSupport
	run     func(ctx context.Context, call *Call, arguments json.RawMessage) (*mcp.CallToolResult, error)
}

// call handles tools/call.
func (at *attached) call(ctx context.Context, tool *addedTool, req *mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
	a := at.asker
	ctx = a.traced(ctx, req)
	r, err := a.begin(ctx, req, target{Method: "tools/call", Name: tool.name, Arguments: req.Params.Arguments}, req.Params.RequestState, req.Params.InputResponses)
	if err != nil {
		return failure(a.public(ctx, err))
	}
	r.client.toolRequest = req
	ctx, span := r.beginSpan(ctx, spanNames[r.target.Method])
	defer func() { r.endToolSpan(span, result, err) }()
	if result, err := at.asTask(ctx, r, tool); result != nil || err != nil {
		return result, err
	}
	return at.execute(ctx, r, tool, req.Params.RequestState != "")
}

// execute runs the tool until it is done or its client must be told something.
func (at *attached) execute(ctx context.Context, r *run, tool *addedTool, retry bool) (*mcp.CallToolResult, error) {
	defer r.work(ctx)()
	if kept := r.kept(); kept != nil { // of the same retry, whose client had gone
		r.finish(ctx)
		return kept, nil
	}
	for {
		r.reset()
		result, err := tool.run(ctx, &Call{run: r}, r.target.Arguments)
		if kept := r.kept(); kept != nil { // of an earlier call that was taken up
			r.finish(ctx)
			return kept, nil
		}
		if len(r.suspended()) == 0 {
			return r.end(ctx, result, err)
		}
		if how, ok := r.by.(suspending); ok {
			result, err := how.pending(ctx, r)
			if err != nil {
				r.abandon(ctx, nil)
				return failure(at.asker.public(ctx, err))
			}
			if r.overtaken(ctx) {
				continue
			}
			return result, nil
		}
		if again, err := r.worthHolding(ctx, retry); err != nil {
			r.abandon(ctx, nil)
			return failure(at.asker.public(ctx, err))
		} else if again {
			continue
		}
		need, err := r.require(ctx)
		if err != nil {
			r.abandon(ctx, nil)
			return failure(at.asker.public(ctx, err))
		}
		return &mcp.CallToolResult{Content: []mcp.Content{}, InputRequests: need.requests, RequestState: need.state}, nil
	}
}

// work makes the run known to the same call, until the returned function is
// called.
func (r *run) work(ctx context.Context) (end func()) {
	if r.who.User == "" {
		return func() {} // nobody can make the same call
	}
	heard := r.client.heard(ctx)
	one, over := r.asker.atWork.begin(ctx, heard, callPrefix(r.who, r.digest), r.keepsJournal)
	stop := context.AfterFunc(ctx, func() { r.sayLeft(context.WithoutCancel(ctx), one.over) })
	stopHeard := context.AfterFunc(heard, func() {
		defer close(one.put)
		r.leftAlone(context.WithoutCancel(ctx), one.over)
	})
	return func() {
		stop()
		stopHeard()
		over()
	}
}

func (r *run) hasJournal() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.page != nil
}

// keepsJournal reports whether the same call has to wait for this one: it has a
// journal, and does not rest. That may be because the store was away when it should
// have.
func (r *run) keepsJournal() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rest(context.Background())
	return r.page != nil && !r.resting && !r.takenUp
}

// leaveTime is how soon the others are told of work that goes on without its
// client: most of it is given up at once.
const leaveTime = 500 * time.Millisecond

// sayLeft writes down that the client has gone, unless the work is over first.
func (r *run) sayLeft(ctx context.Context, over <-chan struct{}) {
	select {
	case <-over:
		return
	case <-time.After(leaveTime):
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.page; p == nil || !p.stored || p.Node != r.asker.node.ID() || p.Abandoned {
		return
	}
	r.page.Left = true
	if err := r.asker.save(ctx, r.page); err != nil {
		r.asker.opts.Logger.Warn("call without its client not written down", "err", err)
	}
}

// worthHolding holds a call for which there is nothing to tell the client, a retry
// or one that only others can make go on, and reports whether an answer came.
func (r *run) worthHolding(ctx context.Context, retry bool) (bool, error) {
	if !r.idle() || !retry && !r.allTold() {
		return false, nil
	}
	settled, err := r.hold(ctx)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	return settled, err
}

// suspending is a presenter that tells the client of open questions in its own
// way.
type suspending interface {
	pending(ctx context.Context, r *run) (*mcp.CallToolResult, error)
}

// end ends a call whose handler has returned for good. A client that is gone may
// come back for the result.
func (r *run) end(ctx context.Context, result *mcp.CallToolResult, err error) (*mcp.CallToolResult, error) {
	gone := ctx.Err() != nil || r.leftByClient()
	switch {
	case errors.Is(context.Cause(ctx), ErrSessionEnded) && !r.comesBack(ctx):
		r.finish(ctx) // nobody can come back
	case gone && err == nil && result != nil:
		raw, _ := json.Marshal(result) // it was made of JSON
		r.abandon(ctx, raw)
	case gone, errors.Is(err, errGone) && r.who.IsPerson(), comesBack(err):
		r.abandon(ctx, nil)
	default:
		r.finish(ctx)
	}
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = errCancelled // whoever does not wait is not told what we waited for
		}
		return failure(err)
	}
	return result, nil
}

// errCancelled is the result of a call that its client no longer wants.
var errCancelled = errors.New("the call was cancelled")

// comesBack reports whether the same call goes on with this one when it is made
// again: the client was told to make it, or a fault of ours ended it.
func comesBack(err error) bool {
	var wire *jsonrpc.Error
	var hidden *internalError
	var later *LaterError
	return errors.As(err, &wire) && wire.Code == mcp.CodeURLElicitationRequired || errors.As(err, &hidden) || errors.As(err, &later)
}

// kept returns the result of an earlier run that nobody was there to take.
func (r *run) kept() *mcp.CallToolResult {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.page == nil || len(r.page.Result) == 0 {
		return nil
	}
	var result mcp.CallToolResult
	if err := json.Unmarshal(r.page.Result, &result); err != nil {
		return nil
	}
	return &result
}

// begin makes the run for a request: a new one, or that of the call that its
// requestState continues.
func (a *Asker) begin(ctx context.Context, req serverRequest, t target, token string, responses mcp.InputResponseMap) (*run, error) {
	c, who, err := a.client(req)
	if err != nil {
		return nil, err
	}
	t, digest, err := t.read()
	if err != nil {
		return nil, err
	}
	r := &run{asker: a, client: c, who: who, target: t, digest: digest, how: inline{}}
	if !c.modern {
		return r, nil
	}
	r.how = rounds{}
	if token == "" {
		return r, nil
	}
	if r.page, r.who, err = a.resume(ctx, token, who, digest); err != nil {
		return nil, err
	}
	r.target = r.page.Target // what goes on is what was begun, whatever the retry says
	if err := r.takeAnswers(ctx, responses); err != nil {
		r.abandon(ctx, nil) // the same state may be used again
		return nil, err
	}
	return r, nil
}
