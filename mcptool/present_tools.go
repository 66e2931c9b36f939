package mcptool

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

// presentedKind is the kind of the records that say which call a question was
// presented in, for clients that cannot ask. A question of our own says so
// itself.
const presentedKind = "mcp.presented"

// link is which call presented a question.
type link struct {
	Call    string `json:"call"` // the key of its journal
	Session string `json:"session,omitempty"`
}

// linkToCall writes down which call goes on when the question is answered.
func (p *presented) linkToCall(ctx context.Context) error {
	r := p.run
	r.mu.Lock()
	to, expires := link{Call: r.page.record.Key, Session: r.client.session}, r.page.record.Expires
	r.mu.Unlock()
	data, err := json.Marshal(to)
	if err != nil {
		return err
	}
	record := parley.Record{Address: presentedAt(r.who, p.opened.ID), Owner: r.who.User, Data: data, Expires: expires}
	_, err = parley.Put(ctx, r.asker.records, record) // the newest call that shows it goes on
	return err
}

func presentedAt(who parley.Principal, id parley.ID) parley.Address {
	return parley.Address{Tenant: who.Tenant, Kind: presentedKind, Key: string(id)}
}

// Presents prepares a server whose tools Present questions: for clients that
// cannot ask, and for tasks. Call it before [Asker.Handler].
func Presents(a *Asker, server *mcp.Server) {
	at := a.attach(server)
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			switch method {
			case "tools/call":
				if call, ok := req.(*mcp.CallToolRequest); ok && at.refuseHidden(method, req) == nil {
					if result, done, err := at.presentedTool(ctx, call); done {
						if err != nil {
							return nil, err // a nil *CallToolResult is no nil Result
						}
						return result, nil
					}
				}
			case "tasks/update":
				if err := at.consentTask(ctx, req); err != nil {
					return nil, err
				}
			case "tasks/get":
				result, err := next(ctx, method, req)
				if err != nil {
					return nil, err
				}
				return at.nameAskers(ctx, req, result)
			}
			return next(ctx, method, req)
		}
	})
}

// presentedTool handles the tools for clients that cannot ask, where they are
// called for a question that was presented.
func (at *attached) presentedTool(ctx context.Context, req *mcp.CallToolRequest) (result *mcp.CallToolResult, done bool, err error) {
	fallback := at.asker.opts.Fallback
	sends := req.Params.Name == sendTool && fallback == Model
	if !sends && (req.Params.Name != waitTool || fallback != Page) {
		return nil, false, nil
	}
	var in sendArguments
	if json.Unmarshal(req.Params.Arguments, &in) != nil || !parley.ID(in.ElicitID).Valid() {
		return nil, false, nil
	}
	r, opened, err := at.findPresented(ctx, req, parley.ID(in.ElicitID))
	switch {
	case errors.Is(err, parley.ErrNotFound):
		return nil, false, nil // one of our own, or none
	case err != nil:
		result, err = failure(at.asker.public(err))
	case sends:
		result, err = at.sendPresented(ctx, r, opened, in)
	default:
		result, err = at.waitPresented(ctx, r, opened)
	}
	return result, true, err
}

// findPresented returns the question for which a tool was called, if it was
// presented to the caller: to this person, and for a model's answer in this session.
func (at *attached) findPresented(ctx context.Context, req *mcp.CallToolRequest, id parley.ID) (*run, parley.Request, error) {
	c, who, err := at.asker.client(req)
	if err != nil {
		return nil, parley.Request{}, err
	}
	c.toolRequest = req
	r := &run{asker: at.asker, client: c, who: who, how: inline{}}
	if c.modern {
		r.how = rounds{}
	}
	record, err := at.asker.records.Load(ctx, presentedAt(who, id))
	if err != nil {
		return nil, parley.Request{}, err
	}
	var to link
	if err := json.Unmarshal(record.Data, &to); err != nil {
		return nil, parley.Request{}, err
	}
	if record.Owner != who.User || to.Session != c.session && req.Params.Name == sendTool {
		return nil, parley.Request{}, parley.ErrNotFound
	}
	opened, err := at.asker.hub.Get(ctx, who, id)
	if err != nil {
		return nil, opened, err
	}
	opened = at.asker.named(opened)
	if opened.Labels == nil {
		opened.Labels = map[string]string{}
	}
	opened.Labels[callLabel] = to.Call
	return r, opened, nil
}

func (at *attached) sendPresented(ctx context.Context, r *run, opened parley.Request, in sendArguments) (*mcp.CallToolResult, error) {
	if opened.Mode != parley.Form || opened.Trigger == parley.TriggerApproval {
		return failure(unknown(in.ElicitID, r.client.modern)) // not for the model to answer
	}
	err := at.asker.hub.Answer(ctx, r.who, opened.ID, parley.Answer{Action: parley.Action(in.Action), Content: in.Content, Via: "mcp-model"})
	var content *form.ContentError
	switch {
	case errors.As(err, &content):
		return failure(&InvalidInputError{ID: opened.ID, Violations: content.Violations})
	case settled(err): // elsewhere: the call goes on all the same
	case err != nil:
		return failure(at.asker.public(err))
	}
	return at.goOn(ctx, r, opened)
}

func (at *attached) waitPresented(ctx context.Context, r *run, opened parley.Request) (*mcp.CallToolResult, error) {
	r.suspend(byPage{}, "", waiting{request: opened})
	answered, err := r.hold(ctx)
	if err != nil {
		return failure(at.asker.public(err))
	}
	if answered {
		return at.goOn(ctx, r, opened)
	}
	return &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: "The user has not answered yet. Call " + waitTool + " again."}},
		Meta: mcp.Meta{"elicitationPending": pendingQuestion{
			ElicitID: opened.ID, Message: opened.Message, URL: at.asker.opts.PageURL(opened.ID), Instructions: "Call " + waitTool + " again",
		}},
	}, nil
}
