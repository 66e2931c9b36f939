package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/mcpclient"
)

// taskParams are the params of tasks/get, tasks/update and tasks/cancel.
type taskParams struct {
	mcp.ParamsBase
	TaskID         string                     `json:"taskId"`
	InputResponses map[string]json.RawMessage `json:"inputResponses,omitempty"`
}

// taskResult answers tasks/get.
type taskResult struct {
	mcp.ResultBase
	ResultType string `json:"resultType"`
	taskHead
	StatusMessage string              `json:"statusMessage,omitempty"`
	InputRequests mcp.InputRequestMap `json:"inputRequests,omitempty"`
	Result        json.RawMessage     `json:"result,omitempty"`
	Error         *taskError          `json:"error,omitempty"`
}

// acknowledged answers tasks/update and tasks/cancel.
type acknowledged struct {
	mcp.ResultBase
	ResultType string `json:"resultType"`
}

// addTasks makes the SDK decode the methods of the extension. They are handled
// in the middleware, which alone knows who asks.
func (at *attached) addTasks(server *mcp.Server) {
	add := func(method string) {
		err := mcp.AddReceivingCustomMethod(server, method, func(context.Context, *mcp.ServerSession, *taskParams) (*acknowledged, error) {
			return nil, noTasks(method)
		})
		if err != nil {
			panic(err) // a later SDK has tasks of its own
		}
	}
	for method := range at.taskMethods() {
		add(method)
	}
	add("tasks/list") // the SDK would answer with a status and no response
	add("tasks/result")
}

// noTasks answers for the tasks of 2025-11-25, which are others.
func noTasks(method string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("method not found: %q", method)}
}

func (at *attached) taskMethods() map[string]func(context.Context, mcp.Request) (mcp.Result, error) {
	return map[string]func(context.Context, mcp.Request) (mcp.Result, error){
		"tasks/get":    at.withTask("tasks/get", at.getTask),
		"tasks/update": at.withTask("tasks/update", at.updateTask),
		"tasks/cancel": at.withTask("tasks/cancel", at.cancelTask),
	}
}

type taskRequest struct {
	page   *page
	client client
	params *taskParams
}

// withTask checks what all methods require: the header, the capability, and that
// the task is the caller's.
func (at *attached) withTask(method string, handle func(context.Context, taskRequest) (mcp.Result, error)) func(context.Context, mcp.Request) (mcp.Result, error) {
	return func(ctx context.Context, req mcp.Request) (mcp.Result, error) {
		params, ok := req.GetParams().(*taskParams)
		sr, isServer := req.(serverRequest)
		if !ok || !isServer || params == nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "taskId is missing"}
		}
		if sr.ProtocolVersion() < mcpclient.ModernVersion {
			return nil, noTasks(method)
		}
		if extra := req.GetExtra(); extra != nil && extra.Header != nil {
			if name := extra.Header.Get(mcpclient.NameHeader); name != "" && name != params.TaskID {
				return nil, &jsonrpc.Error{Code: CodeHeaderMismatch, Message: "the header Mcp-Name names another task than the body"}
			}
		}
		c, who, err := at.asker.client(sr)
		if err != nil {
			return nil, err
		}
		if !c.supportsTasks() {
			return nil, missing(map[string]any{"extensions": map[string]any{mcpclient.TasksExtension: map[string]any{}}}, "declare the tasks extension to use it")
		}
		p, err := at.openTask(ctx, who, params.TaskID, c.endpoint)
		if err != nil {
			return nil, err
		}
		return handle(ctx, taskRequest{page: p, client: c, params: params})
	}
}

// getTask says how a task is. A task that was left behind by its node is taken
// over here, since this is when somebody misses it.
func (at *attached) getTask(ctx context.Context, req taskRequest) (mcp.Result, error) {
	p := req.page
	if err := at.revive(ctx, p, req.client); err != nil {
		return nil, err
	}
	result := &taskResult{ResultType: "complete", taskHead: head(p)}
	if p.Task.over() {
		result.Result, result.Error, result.StatusMessage = p.Task.Result, p.Task.Error, p.Task.Said
		if p.Task.Error != nil {
			result.StatusMessage = p.Task.Error.Message
		}
		return result, nil
	}
	open, err := at.asker.openQuestions(ctx, p)
	if err != nil {
		return nil, err
	}
	for key, r := range open {
		if r.OnlyTells() {
			result.StatusMessage = firstLine(r)
			continue
		}
		whole := onPage(r)
		if r = at.asker.asShown(r); p.Asked[key].presented() {
			r = at.asker.named(r)
		}
		if whole && !req.client.supports(r.Mode) {
			result.StatusMessage = r.Text() + " " + r.URL
			continue
		}
		if result.InputRequests == nil {
			result.InputRequests = mcp.InputRequestMap{}
		}
		params := elicitParams(r)
		params.RequestedSchema = rawSchema(r)
		result.InputRequests[key] = params
		result.Status = taskInputRequired
	}
	return result, nil
}

// updateTask takes answers. Unknown keys are ignored, and so are answers to what
// is settled.
func (at *attached) updateTask(ctx context.Context, req taskRequest) (mcp.Result, error) {
	p := req.page
	open, err := at.asker.openQuestions(ctx, p)
	if err != nil {
		return nil, err
	}
	owner := p.owner()
	for key, raw := range req.params.InputResponses {
		r, ok := open[key]
		if !ok || p.Task.over() || r.OnlyTells() {
			continue
		}
		consent := r.Labels[consentLabel] != "" || r.Mode == parley.URL && p.Asked[key].Digest == consentDigest
		r = at.asker.asShown(r)
		var answer struct {
			Action  string          `json:"action"`
			Content json.RawMessage `json:"content"`
		}
		if err := json.Unmarshal(raw, &answer); err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "inputResponses." + key + ": " + err.Error()}
		}
		if r.Mode == parley.URL && answer.Action == string(parley.Accept) && !consent {
			continue // the answer comes from the page
		}
		err := at.asker.hub.Answer(ctx, owner, r.ID, parley.Answer{Action: parley.Action(answer.Action), Content: answer.Content, Via: "mcp-task"})
		if err := taskAnswerError(key, err); err != nil {
			return nil, err
		}
	}
	return &acknowledged{ResultType: "complete"}, nil
}

func taskAnswerError(key string, err error) error {
	var content *form.ContentError
	switch {
	case err == nil, settled(err):
		return nil
	case errors.As(err, &content):
		data, _ := json.Marshal(map[string]any{"code": InvalidInputCode, "key": key, "violations": content.Violations})
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "inputResponses." + key + ": " + content.Error(), Data: data}
	case errors.Is(err, parley.ErrAction), errors.Is(err, parley.ErrTooLarge):
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "inputResponses." + key + ": " + err.Error()}
	}
	return err
}

// cancelTask ends a task. One that is over stays as it is. Nothing was done of what waited for a
// person, if their questions could be withdrawn; else nobody knows.
func (at *attached) cancelTask(ctx context.Context, req taskRequest) (mcp.Result, error) {
	p := req.page
	for !p.Task.over() {
		p.Task.Status, p.Task.Said, p.Task.Updated, p.Node = taskCancelled, halfDone, now(), ""
		err := at.asker.save(ctx, p)
		if err == nil {
			if at.stop(ctx, p) {
				p.Task.Said = ""
				if err := at.asker.save(ctx, p); err != nil {
					at.asker.opts.Logger.WarnContext(ctx, "cancelled task not written down", "task", taskID(p), "err", err)
				}
			}
			break
		}
		if !errors.Is(err, parley.ErrConflict) {
			return nil, err
		}
		if p, err = at.asker.read(ctx, p.record.Address); err != nil {
			return nil, err
		}
	}
	return &acknowledged{ResultType: "complete"}, nil
}

// stop ends the work on a task that was cancelled and withdraws its questions. It reports
// whether the task waited for a person, and none of them had answered.
func (at *attached) stop(ctx context.Context, p *page) (waited bool) {
	a := at.asker
	a.mu.Lock()
	work := a.attempts[taskID(p)]
	a.mu.Unlock()
	if work != nil {
		work.cancel()
	}
	open, err := a.openQuestions(ctx, p)
	for _, r := range open {
		err = errors.Join(err, a.hub.Cancel(ctx, r.ID, "the task was cancelled"))
	}
	if err != nil && !errors.Is(err, parley.ErrSettled) {
		a.opts.Logger.Warn("questions of a cancelled task stay open until they expire", "task", taskID(p), "err", err)
	}
	return err == nil && len(open) > 0
}
