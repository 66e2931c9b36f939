package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/mcpclient"
)

// The tools for clients that cannot ask. Others do not see them.
const (
	sendTool = "sendElicitationResult"
	waitTool = "waitForElicitationResult"
)

// sendArguments are the arguments of sendElicitationResult.
type sendArguments struct {
	ElicitID string          `json:"elicitId"`
	Action   string          `json:"action"`
	Content  json.RawMessage `json:"content,omitempty"`
}

var (
	sendSchema = json.RawMessage(`{"type":"object","properties":{` +
		`"elicitId":{"type":"string","description":"The elicitation ID from the pending request"},` +
		`"action":{"type":"string","enum":["accept","cancel","decline"],"description":"What the user decided"},` +
		`"content":{"description":"The user's response; required when action is accept"}},"required":["elicitId","action"]}`)
	waitSchema = json.RawMessage(`{"type":"object","properties":{` +
		`"elicitId":{"type":"string","description":"The elicitation ID from the pending request"}},"required":["elicitId"]}`)
)

func (at *attached) addFallbackTools(server *mcp.Server) {
	switch at.asker.opts.Fallback {
	case Model:
		server.AddTool(sendToolListed(), at.send)
	case Page:
		server.AddTool(waitToolListed(), at.wait)
	case App:
		at.addAppTools(server)
	}
}

func sendToolListed() *mcp.Tool {
	return &mcp.Tool{
		Name:        sendTool,
		Description: "Passes on what the user answered to a question of another tool, and continues that tool. Only after the user has really answered.",
		InputSchema: sendSchema,
	}
}

func waitToolListed() *mcp.Tool {
	return &mcp.Tool{
		Name:        waitTool,
		Description: "Waits until the user has answered a question of another tool, where it is shown or at the link, and continues that tool.",
		InputSchema: waitSchema,
	}
}

// hidden reports whether a client does not see a tool: it can ask itself all
// that the tool is for.
func (at *attached) hidden(name string, req mcp.Request) bool {
	if name != sendTool && name != waitTool && !at.appTool(name) {
		return false
	}
	r, ok := req.(serverRequest)
	if !ok {
		return false
	}
	c := client{capabilities: r.ClientCapabilities()}
	if at.appTool(name) && !c.showsApps() {
		return true
	}
	return c.supports(parley.Form) && (name == sendTool || c.supports(parley.URL))
}

// hide takes the hidden tools off a list. Tools that may answer with a question
// for the model lose their output schema: clients refuse what does not fit it.
func (at *attached) hide(req mcp.Request, list *mcp.ListToolsResult) *mcp.ListToolsResult {
	l := *list
	l.Tools = make([]*mcp.Tool, 0, len(list.Tools))
	toModel := at.mayTellModel(req)
	for _, t := range list.Tools {
		if at.hidden(t.Name, req) {
			continue
		}
		if added := at.tool(t.Name); added != nil && added.older != nil && older(req) {
			t = added.older
		}
		if toModel && t.OutputSchema != nil && at.tool(t.Name) != nil {
			plain := *t
			plain.OutputSchema = nil
			t = &plain
		}
		l.Tools = append(l.Tools, t)
	}
	return &l
}

// older reports whether a client speaks a revision before 2026-07-28.
func older(req mcp.Request) bool {
	r, ok := req.(serverRequest)
	return ok && r.ProtocolVersion() < mcpclient.ModernVersion
}

// mayTellModel reports whether a question to this client may become a result for
// its model.
func (at *attached) mayTellModel(req mcp.Request) bool {
	r, ok := req.(serverRequest)
	if !ok {
		return false
	}
	c := client{capabilities: r.ClientCapabilities()}
	switch at.asker.opts.Fallback {
	case Model:
		return !c.supports(parley.Form)
	case Page, App:
		return !c.supports(parley.Form) || !c.supports(parley.URL)
	}
	return false
}

// refuseHidden answers for a tool that the client does not see as for one that
// is not there.
func (at *attached) refuseHidden(method string, req mcp.Request) error {
	call, ok := req.(*mcp.CallToolRequest)
	if method != "tools/call" || !ok || !at.hidden(call.Params.Name, req) {
		return nil
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown tool \"" + call.Params.Name + "\""}
}

// send handles sendElicitationResult.
func (at *attached) send(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in sendArguments
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		return failure(unreadable("elicitId and action are texts, and content is an object"))
	}
	r, opened, foreign, err := at.find(ctx, req, in.ElicitID)
	if err != nil {
		return failure(at.asker.public(ctx, err))
	}
	if opened.Mode != parley.Form || opened.Trigger == parley.TriggerApproval {
		return failure(unknown(in.ElicitID, r.client.modern)) // not for the model to answer
	}
	err = at.asker.hub.Answer(ctx, r.who, opened.ID, parley.Answer{Action: parley.Action(in.Action), Content: in.Content, Via: "mcp-model"})
	var content *form.ContentError
	switch {
	case errors.As(err, &content):
		return failure(&InvalidInputError{ID: opened.ID, Violations: content.Violations})
	case foreign && settled(err): // elsewhere: the call goes on all the same
	case errors.Is(err, parley.ErrExpired):
		return failure(notAccepted(opened.ID, parley.Expire))
	case err != nil && !errors.Is(err, parley.ErrRepeated):
		return failure(at.asker.public(ctx, err))
	}
	return at.goOn(ctx, r, opened)
}

// find returns the question for which a fallback tool was called, if it is the
// caller's: of this person, or of this session where nobody is known, and of a call at
// this endpoint. foreign says that it was presented (see Present).
func (at *attached) find(ctx context.Context, req *mcp.CallToolRequest, elicitID string) (r *run, opened parley.Request, foreign bool, err error) {
	c, who, err := at.asker.client(req)
	if err != nil {
		return nil, opened, false, err
	}
	c.toolRequest = req
	r = &run{asker: at.asker, client: c, who: who, how: inline{}}
	if c.modern {
		r.how = rounds{}
	}
	if r.who, err = at.asker.asking(ctx, who, parley.ID(elicitID), req.Params.Name); err != nil {
		return nil, opened, false, err
	}
	opened, err = at.asker.hub.Get(ctx, r.who, parley.ID(elicitID))
	if err == nil {
		opened, foreign, err = at.asPresented(ctx, r, opened, req.Params.Name)
	}
	if err == nil && opened.Labels[callLabel] != "" {
		err = at.askedAt(ctx, r.who, opened, c.endpoint)
	}
	if errors.Is(err, parley.ErrNotFound) || err == nil && opened.Labels[callLabel] == "" {
		return nil, opened, false, unknown(elicitID, c.modern)
	}
	if err == nil && !foreign && opened.Session != c.session && req.Params.Name == sendTool {
		err = at.inSession(ctx, r.who, c, opened)
	}
	return r, opened, foreign, err
}

// inSession reports whether a question that another session was asked is the
// caller's now: they took its call up. What a person says on a page any session of
// theirs may wait for; what a model says is for the session that has the question.
func (at *attached) inSession(ctx context.Context, who parley.Principal, c client, opened parley.Request) error {
	p, err := at.asker.read(ctx, parley.Address{Tenant: who.Tenant, Kind: callKind, Key: opened.Labels[callLabel]})
	switch {
	case err == nil && p.Session == c.session:
		return nil
	case err != nil && !errors.Is(err, parley.ErrNotFound):
		return err
	case !opened.Pending():
		return elsewhere(string(opened.ID), c.modern)
	}
	return unknown(string(opened.ID), c.modern)
}

var (
	// errGoesOn: another request acts on the answer just now.
	errGoesOn = errors.New("the answer is taken, and the call is under way: call this tool again for its result, and do not make the call anew")
	// errOver: another request acted on the answer, and had the result.
	errOver     = errors.New("the answer was taken, and the call has come to its end: its result was given already. Do not make the call anew unless the user wants it twice")
	errToolGone = errors.New("the tool is no longer there")
)

// goOn runs the call again that asked the question. While another request works on
// it, which may have been given up, its result is waited for as long as calls are held.
func (at *attached) goOn(ctx context.Context, r *run, opened parley.Request) (*mcp.CallToolResult, error) {
	until := time.Now().Add(at.asker.opts.Hold)
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		result, err := at.takeUp(ctx, r, opened)
		if !errors.Is(err, errGoesOn) || time.Now().Add(pause).After(until) {
			if err != nil {
				return failure(at.asker.public(ctx, err))
			}
			return result()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// takeUp claims the call that asked the question, and returns what runs it.
func (at *attached) takeUp(ctx context.Context, r *run, opened parley.Request) (func() (*mcp.CallToolResult, error), error) {
	p, err := at.asker.read(ctx, parley.Address{Tenant: r.who.Tenant, Kind: callKind, Key: opened.Labels[callLabel]})
	if errors.Is(err, parley.ErrNotFound) { // it went on with the answer and is over
		if q, err := at.asker.hub.Get(ctx, r.who, opened.ID); err == nil && !q.Pending() && q.Outcome.Action == parley.Expire {
			return nil, notAccepted(opened.ID, parley.Expire) // there was none
		}
		return nil, errOver
	}
	if err != nil {
		return nil, err
	}
	tool := at.tool(p.Target.Name)
	if tool == nil {
		return nil, fmt.Errorf("%w: %q", errToolGone, p.Target.Name)
	}
	if p.Node != "" {
		dead, err := at.asker.orphaned(ctx, p.Node)
		if err != nil {
			return nil, err
		}
		if !dead {
			return nil, errGoesOn
		}
	}
	p.Session = r.client.session
	if err := at.asker.claim(ctx, p); errors.Is(err, parley.ErrConflict) {
		return nil, errGoesOn
	} else if err != nil {
		return nil, err
	}
	return func() (result *mcp.CallToolResult, err error) {
		r.page, r.target, r.digest = p, p.Target, p.Digest
		ctx, span := r.beginSpan(at.asker.traced(ctx, r.client.toolRequest), spanNames[p.Target.Method])
		defer func() { r.endToolSpan(span, result, err) }()
		return at.execute(ctx, r, tool, false)
	}, nil
}

// FallbackTools are the tools that a client with these capabilities sees because it
// cannot ask all that there may be to ask: a list that is not the SDK's has to show
// them.
func (a *Asker) FallbackTools(capabilities *mcp.ClientCapabilities) []*mcp.Tool {
	c := client{capabilities: capabilities}
	switch a.opts.Fallback {
	case Model:
		if !c.supports(parley.Form) {
			return []*mcp.Tool{sendToolListed()}
		}
	case Page:
		if !c.supports(parley.Form) || !c.supports(parley.URL) {
			return []*mcp.Tool{waitToolListed()}
		}
	case App:
		switch {
		case c.supports(parley.Form) && c.supports(parley.URL):
		case c.showsApps():
			return append(appToolsListed(), waitToolListed())
		case a.opts.PageURL != nil && !a.opts.NoSignIn:
			return []*mcp.Tool{waitToolListed()}
		}
	}
	return nil
}
