package mcptool

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
)

// taskOf returns the task that a request is about, if it is the caller's. Who
// has none is told so by the method itself.
func (at *attached) taskOf(ctx context.Context, req mcp.Request) (*page, *taskParams) {
	params, ok := req.GetParams().(*taskParams)
	sr, isServer := req.(serverRequest)
	if !ok || !isServer || params == nil {
		return nil, nil
	}
	c, who, err := at.asker.client(sr)
	if err != nil || !c.supportsTasks() {
		return nil, nil
	}
	p, err := at.asker.openTask(ctx, who, params.TaskID)
	if err != nil {
		return nil, nil
	}
	return p, params
}

// nameAskers puts the service that asks in front of the questions that a task
// presents: they are not the server's own.
func (at *attached) nameAskers(ctx context.Context, req mcp.Request, result mcp.Result) (mcp.Result, error) {
	shown, ok := result.(*taskResult)
	if !ok || len(shown.InputRequests) == 0 {
		return result, nil
	}
	p, _ := at.taskOf(ctx, req)
	if p == nil {
		return result, nil
	}
	owner := p.owner()
	for key, entry := range p.Asked {
		params, ok := shown.InputRequests[key].(*mcp.ElicitParams)
		if !ok || entry.Digest != presentedDigest && entry.Digest != consentDigest {
			continue
		}
		opened, err := at.asker.hub.Get(ctx, owner, entry.ID)
		if err != nil {
			return nil, at.asker.public(err)
		}
		params.Message = at.asker.asShown(opened).Text()
	}
	return result, nil
}

// consentTask takes the client's word that the person went to a URL, where that
// is the answer. All other answers are for the method itself.
func (at *attached) consentTask(ctx context.Context, req mcp.Request) error {
	p, params := at.taskOf(ctx, req)
	if p == nil || p.Task.over() {
		return nil
	}
	owner := p.owner()
	for key, raw := range params.InputResponses {
		var answer struct {
			Action parley.Action `json:"action"`
		}
		entry := p.Asked[key]
		if entry.Digest != consentDigest || json.Unmarshal(raw, &answer) != nil || answer.Action != parley.Accept {
			continue
		}
		opened, err := at.asker.hub.Get(ctx, owner, entry.ID)
		if err == nil && opened.Mode == parley.URL {
			err = at.asker.hub.Answer(ctx, owner, entry.ID, parley.Answer{Action: parley.Accept, Via: "mcp-task"})
		}
		if err != nil && !settled(err) {
			return at.asker.public(err)
		}
	}
	return nil
}
