package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
)

// TaskSupport says whether a tool runs as a task of the extension
// io.modelcontextprotocol/tasks, for clients that declare it.
type TaskSupport int

const (
	// TaskNever answers every call itself.
	TaskNever TaskSupport = iota
	// TaskAllowed makes a task of every call, where the client knows tasks.
	TaskAllowed
	// TaskRequired refuses clients of 2026-07-28 that do not know tasks.
	TaskRequired
	// TaskAfterInput asks its first questions on the call itself, and makes a
	// task of what comes after them.
	TaskAfterInput
)

// Statuses of a task.
const (
	taskWorking       = "working"
	taskInputRequired = "input_required"
	taskCompleted     = "completed"
	taskFailed        = "failed"
	taskCancelled     = "cancelled"
)

// taskTTL is how long a task is kept after its last change.
const taskTTL = 24 * time.Hour

// task is the part of a journal that clients of the tasks extension see.
type task struct {
	Created time.Time       `json:"created"`
	Updated time.Time       `json:"updated"`
	Status  string          `json:"status"` // working, or how it ended
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *taskError      `json:"error,omitempty"`
	Said    string          `json:"said,omitempty"` // what is known of one that was cancelled
	// Asker is who works on it. Several may share a node, and each knows its own
	// tasks alone: what another one works on is not left behind.
	Asker string `json:"asker,omitempty"`
}

type taskError struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// halfDone is said of a cancelled task that did not wait for a person.
const halfDone = "The task was cancelled while it was being worked on: what of it was done is not known."

func (t *task) over() bool { return t.Status != taskWorking }

// taskKey is where a tool's handler leaves the result that the SDK has no type
// for.
const taskKey = "parley/task"

// taskHead is what every description of a task has.
type taskHead struct {
	TaskID         string `json:"taskId"`
	Status         string `json:"status"`
	CreatedAt      string `json:"createdAt"`
	LastUpdatedAt  string `json:"lastUpdatedAt"`
	TTLMs          int64  `json:"ttlMs"`
	PollIntervalMs int64  `json:"pollIntervalMs"`
}

// createTaskResult answers a tools/call that became a task.
type createTaskResult struct {
	mcp.ResultBase
	ResultType string `json:"resultType"`
	taskHead
}

// taskID is the journal's key in a form that fits into a header.
func taskID(p *page) string { return strings.ReplaceAll(p.record.Key, "/", ".") }

func head(p *page) taskHead {
	return taskHead{
		TaskID: taskID(p), Status: p.Task.Status,
		CreatedAt: p.Task.Created.Format(time.RFC3339Nano), LastUpdatedAt: p.Task.Updated.Format(time.RFC3339Nano),
		TTLMs: taskTTL.Milliseconds(), PollIntervalMs: 1000,
	}
}

// attempt is this node's work on a task.
type attempt struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// asTask makes a task of the call, if that is what is to happen. The task is
// stored before the client hears of it.
func (at *attached) asTask(ctx context.Context, r *run, tool *addedTool) (*mcp.CallToolResult, error) {
	if tool.support != nil && r.client.supportsTasks() {
		known := *tool
		known.task = tool.support(ctx, &Call{run: r})
		tool = &known
	}
	if !r.client.supportsTasks() {
		if tool.task == TaskRequired && r.client.modern {
			return nil, missing(map[string]any{"extensions": map[string]any{mcpclient.TasksExtension: map[string]any{}}}, "this tool runs as a task only")
		}
		return nil, nil
	}
	if tool.task == TaskNever || tool.task == TaskAfterInput && r.page == nil {
		return nil, nil
	}
	if err := r.makeTask(ctx); err != nil {
		return failure(r.asker.public(ctx, err))
	}
	created := &createTaskResult{ResultType: "task", taskHead: head(r.page)}
	at.work(ctx, r, tool)
	return &mcp.CallToolResult{Content: []mcp.Content{}, Meta: mcp.Meta{taskKey: created}}, nil
}

func (r *run) makeTask(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.who.User == "" {
		r.who = ofCall(r.who)
	}
	if r.page == nil {
		r.page = newPage(r.who, r.target, r.digest, r.client)
		r.page.Trail = r.trail
	}
	r.page.Node, r.page.Nonce = r.asker.node.ID(), ""
	r.page.Task = &task{Created: now(), Updated: now(), Status: taskWorking, Asker: r.asker.name}
	r.page.keepUntil(now().Add(taskTTL))
	return r.asker.save(ctx, r.page)
}

// work runs the tool in the background. The call that began it may end; another
// node takes over when this one dies.
func (at *attached) work(ctx context.Context, r *run, tool *addedTool) {
	ctx, span := r.beginSpan(context.WithoutCancel(ctx), "mcp.task")
	ctx, cancel := context.WithCancel(ctx)
	work := &attempt{cancel: cancel, done: make(chan struct{})}
	a, id := at.asker, taskID(r.page)
	a.mu.Lock()
	a.attempts[id] = work
	a.mu.Unlock()
	r.how = byTask{}
	r.client.progress, r.client.connection = nil, nil // nobody listens
	r.client.toolRequest = lean(r.client.toolRequest, r.target.Arguments)
	end := a.opts.Calls.GoOn(r.who, len(r.target.Arguments))
	go func() {
		defer close(work.done)
		defer end()
		defer cancel()
		result, err := tool.run(ctx, &Call{run: r}, r.target.Arguments)
		r.endToolSpan(span, result, err)
		r.conclude(ctx, result, err)
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.attempts[id] == work {
			delete(a.attempts, id)
		}
	}()
}

// lean is a request without the bytes that it came in: its arguments are there as
// they are used.
func lean(req *mcp.CallToolRequest, arguments json.RawMessage) *mcp.CallToolRequest {
	if req == nil {
		return nil
	}
	params := *req.Params
	params.Arguments = arguments
	return &mcp.CallToolRequest{Session: req.Session, Params: &params, Extra: req.Extra}
}

// conclude writes down how the task ended, unless it was cancelled meanwhile.
func (r *run) conclude(ctx context.Context, result *mcp.CallToolResult, err error) {
	if ctx.Err() != nil {
		return // cancelled: who did that has written it down
	}
	end := task{Status: taskCompleted}
	if err != nil {
		var wire error
		if result, wire = failure(err); wire != nil {
			end.Status, end.Error = taskFailed, wireError(wire)
		}
	}
	if end.Error == nil {
		end.Result, err = json.Marshal(result)
		if err != nil {
			end.Status, end.Error = taskFailed, &taskError{Code: jsonrpc.CodeInternalError, Message: "the result cannot be encoded"}
		}
	}
	err = r.change(ctx, func(j *journal) {
		end.Created, end.Updated = j.Task.Created, now()
		j.Task, j.Node = &end, ""
	})
	if err != nil && !errors.Is(err, parley.ErrConflict) {
		r.asker.opts.Logger.Error("task end not stored; it runs again", "task", taskID(r.page), "err", err)
	}
}

func wireError(err error) *taskError {
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		return &taskError{Code: wire.Code, Message: wire.Message, Data: wire.Data}
	}
	return &taskError{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}

// byTask waits: the client sees the open questions of the journal when it asks
// how the task is.
type byTask struct{}

func (byTask) present(ctx context.Context, r *run, _ string, _ *question, opened *parley.Request) (*parley.Outcome, error) {
	outcome, err := r.asker.hub.Wait(ctx, opened.ID)
	return &outcome, err
}

// openTask returns the task of that id if it is the caller's, and was made at this
// endpoint.
func (at *attached) openTask(ctx context.Context, who parley.Principal, id, endpoint string) (*page, error) {
	none := &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("no task %.80q", id)}
	key := strings.Replace(id, ".", "/", 1)
	p, err := at.asker.read(ctx, parley.Address{Tenant: who.Tenant, Kind: callKind, Key: key})
	if errors.Is(err, parley.ErrNotFound) {
		return nil, none
	}
	if err != nil {
		return nil, err
	}
	if !p.isOf(takenOn(who, p.owner())) || p.Task == nil || !p.At.has(endpoint) && !at.madeBefore(p) {
		return nil, none
	}
	return p, nil
}

// openQuestions returns the questions of a task that wait for their answer.
func (a *Asker) openQuestions(ctx context.Context, p *page) (map[string]parley.Request, error) {
	owner := p.owner()
	open := map[string]parley.Request{}
	for key, entry := range p.Asked {
		r, err := a.hub.Get(ctx, owner, entry.ID)
		if errors.Is(err, parley.ErrNotFound) {
			continue // about to be opened
		}
		if err != nil {
			return nil, err
		}
		if r.Pending() {
			open[key] = r
		}
	}
	return open, nil
}

// revive takes over a task whose node has died.
func (at *attached) revive(ctx context.Context, p *page, c client) error {
	if p.Task.over() {
		return nil
	}
	a := at.asker
	a.mu.Lock()
	busy := a.attempts[taskID(p)] != nil
	a.mu.Unlock()
	if busy {
		return nil
	}
	dead, err := a.orphaned(ctx, p.Node)
	tool := at.tool(p.Target.Name)
	left := dead || p.Node == a.node.ID() && p.Task.Asker == a.name
	if err != nil || !left || tool == nil {
		return err
	}
	p.Task.Asker = a.name
	if err := a.claim(ctx, p); errors.Is(err, parley.ErrConflict) {
		return nil // somebody else has
	} else if err != nil {
		return err
	}
	r := &run{asker: a, client: c, who: p.owner(), target: p.Target, digest: p.Digest, page: p}
	at.work(ctx, r, tool)
	return nil
}
