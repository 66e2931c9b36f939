package toolbox

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// Ruled is the box with a rule that says which of its calls need an approval.
func (b *Box) Ruled(title string, rule permit.Rule) agent.Toolbox {
	s := b.server
	s.Title, s.Approve = title, rule
	return &ruled{b, s}
}

type ruled struct {
	*Box
	server mcpcall.Server
}

// Title is how people know the server.
func (r *ruled) Title() string { return r.server.Title }

// Prepare implements agent.Toolbox.
func (r *ruled) Prepare(ctx context.Context, c *agent.Invocation) error {
	return r.prepare(ctx, r.server, c)
}

// Call implements agent.Toolbox.
func (r *ruled) Call(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
	return r.call(ctx, r.server, c)
}

// Prepare implements agent.Toolbox.
func (b *Box) Prepare(ctx context.Context, c *agent.Invocation) error {
	return b.prepare(ctx, b.server, c)
}

// Call implements agent.Toolbox.
func (b *Box) Call(ctx context.Context, c *agent.Invocation) (agent.Result, error) {
	return b.call(ctx, b.server, c)
}

func (b *Box) prepare(ctx context.Context, s mcpcall.Server, c *agent.Invocation) error {
	made, j, err := b.begin(ctx, s, c)
	if err == nil {
		err = made.Clear(ctx)
	}
	var refused *jsonrpc.Error
	if errors.As(err, &refused) {
		return &agent.Denied{Reason: refused.Message}
	}
	return j.told(err)
}

func (b *Box) call(ctx context.Context, s mcpcall.Server, c *agent.Invocation) (agent.Result, error) {
	made, j, err := b.begin(ctx, s, c)
	if err != nil {
		return agent.Result{}, err
	}
	open, stop := b.calls.Alive(ctx)
	defer stop()
	r, err := made.Run(open)
	var refused *jsonrpc.Error
	switch {
	case err != nil && ctx.Err() != nil:
		return agent.Result{}, context.Cause(ctx)
	case errors.As(err, &refused):
		return agent.Result{Failed: true, Text: refused.Message}, nil
	case err != nil:
		return agent.Result{}, j.told(err)
	case r.Error != nil:
		return agent.Result{Failed: true, Text: r.Error.Message}, nil
	}
	return b.resultOf(r.Result), nil
}

// begin is an invocation as a call at the server.
func (b *Box) begin(ctx context.Context, s mcpcall.Server, c *agent.Invocation) (*mcpcall.Call, *journal, error) {
	j := &journal{invocation: c, kept: map[string]json.RawMessage{}, asked: map[string]parley.Request{}}
	if len(c.State) > 0 {
		var before state
		if err := json.Unmarshal(c.State, &before); err != nil || before.Journal == nil {
			// What is not known to have been done is not done again.
			return nil, j, &agent.PublicError{Text: b.server.Label() + " was called by another version of this program, so the call did not go on. Find out what came of it before you call it again.", Cause: err}
		}
		j.kept = before.Journal
	}
	if err := b.account(s).declined(c); err != nil {
		return nil, j, err
	}
	t := mcpcall.Target{Server: s, Method: "tools/call", Name: c.Tool.Name, Tool: toolOf(c.Tool)}
	if b.opts.Records != nil && s.Guarded && b.lists.Known(personOf(c.Caller), s) == nil {
		t.Tool = mcpcall.Tool{} // it may be a remembered one: see identify
	}
	return b.calls.Call(mcpcall.Call{
		Journal: j, Who: personOf(c.Caller), Target: t, Arguments: c.Args, Params: mcpcall.Params(t.Name, c.Args), Progress: true, ID: c.ID,
		Inline: inline(c), Client: follower{c.Progress},
	}), j, nil
}

// follower is whoever follows the run of a call: shown every question, and told how
// far the call is.
type follower struct{ progress func(agent.Progress) }

func (follower) Supports(parley.Mode) bool { return true }

func (follower) Contact() *mcptool.Contact { return nil }

func (f follower) Progress(_ context.Context, done, total float64, text string) {
	if f.progress != nil {
		f.progress(agent.Progress{Done: done, Total: total, Text: text})
	}
}

// inline is how an invocation asks while its server waits.
func inline(c *agent.Invocation) func(context.Context, string, parley.Request) (parley.Outcome, error) {
	return func(ctx context.Context, key string, q parley.Request) (parley.Outcome, error) {
		if c.Ask == nil {
			return parley.Outcome{}, agent.ErrNobodyAsked
		}
		outcome, err := c.Ask(ctx, key, q)
		switch {
		case errors.Is(err, agent.ErrNobodyAsked): // what the protocol has for a client that shows no questions
			err = &mcpclient.Error{Code: jsonrpc.CodeInvalidParams, Message: agent.ErrNobodyAsked.Error()}
		case errors.Is(err, agent.ErrUnaskable):
			err = &mcpclient.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
		}
		return outcome, err
	}
}

func toolOf(t agent.Tool) mcpcall.Tool {
	return mcpcall.Tool{
		Name: t.Name, Title: t.Title, Mirrors: mcpclient.Mirrors(t.Schema), Schema: t.Schema,
		ReadOnly: t.ReadOnly, Destructive: t.Destructive, Idempotent: t.Idempotent, OpenWorld: t.OpenWorld,
	}
}

func callerOf(who mcpcall.Person) agent.Caller {
	return agent.Caller{Principal: who.Principal, Agent: who.Agent, Conversation: who.Session, Circle: who.Circle}
}

func personOf(who agent.Caller) mcpcall.Person {
	return mcpcall.Person{Principal: who.Principal, Session: who.Conversation, Circle: who.Circle, Agent: who.Agent}
}

// journal is that of an invocation. It is kept where the invocation pauses: the
// runtime writes down that a call is begun, and does not begin it twice.
type journal struct {
	invocation *agent.Invocation
	kept       map[string]json.RawMessage
	asked      map[string]parley.Request // what the person has to be asked
}

// state is what a pause keeps of a journal.
type state struct {
	Journal map[string]json.RawMessage `json:"journal"`
}

// Recall implements mcpcall.Journal.
func (j *journal) Recall(name string, into any) (bool, error) {
	raw, ok := j.kept[name]
	if !ok {
		return false, nil
	}
	return true, json.Unmarshal(raw, into)
}

// Remember implements mcpcall.Journal.
func (j *journal) Remember(_ context.Context, name string, value any) error {
	if r, ok := value.(mcpcall.Reply); ok {
		value = r.Slim() // the questions themselves are in the run
	}
	raw, err := json.Marshal(value)
	if err == nil {
		j.kept[name] = raw
	}
	return err
}

// Note implements mcpcall.Journal.
func (j *journal) Note(ctx context.Context, name string, value any) error {
	return j.Remember(ctx, name, value)
}

// Once implements mcpcall.Journal.
func (j *journal) Once(ctx context.Context, name string, do func(context.Context) (mcpcall.Reply, error)) (mcpcall.Reply, error) {
	r, err := do(ctx)
	if err == nil && r.Asks() {
		err = j.Remember(ctx, name, r)
	}
	return r, err
}

// Ask implements mcpcall.Journal.
func (j *journal) Ask(_ context.Context, all []mcptool.Asking) ([]mcptool.Answer[json.RawMessage], []error) {
	answers, errs := make([]mcptool.Answer[json.RawMessage], len(all)), make([]error, len(all))
	for i, one := range all {
		key := one.Options.Key
		q, ok := j.invocation.Answers[key]
		if !ok {
			id := one.Options.ID
			if id == "" {
				id = parley.NewID()
			}
			q = one.Build(id)
			q.ID, q.Mode = id, one.Mode
			j.asked[key], errs[i] = q, mcptool.ErrSuspended
			continue
		}
		answers[i] = mcptool.Answer[json.RawMessage]{ID: q.ID, Action: q.Outcome.Action}
		if q.Outcome.Action == parley.Accept {
			answers[i].Content = q.Outcome.Content
		}
	}
	return answers, errs
}

// told is an error of a call for the runtime.
func (j *journal) told(err error) error {
	var told *mcpcall.Failure
	switch {
	case errors.Is(err, mcptool.ErrSuspended):
		state, err := json.Marshal(state{j.kept})
		if err != nil {
			return err
		}
		return &agent.Pause{Questions: j.asked, State: state}
	case errors.As(err, &told):
		return &agent.PublicError{Text: told.Text, Cause: err}
	}
	return err
}
