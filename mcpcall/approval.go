package mcpcall

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// permitCall is a call as permit knows it.
func permitCall(who Person, t Target, arguments json.RawMessage, id string) permit.Call {
	if who.Client != "" {
		who.Agent = "" // it is a program that calls, as no agent of ours
	}
	return permit.Call{
		Tenant: who.Tenant, User: who.Owner(), Session: who.Session, Circle: who.Circle, Server: t.Server.Name, ServerTitle: t.Server.Title,
		Place: t.Server.Place(), Tool: t.Name, ToolTitle: t.Tool.Title, Args: arguments, ReadOnly: t.Tool.ReadOnly, Destructive: t.Tool.Destructive,
		Idempotent: t.Tool.Idempotent, OpenWorld: t.Tool.OpenWorld, ID: id, Agent: who.Agent, Client: who.Client,
		Schema: t.Tool.Schema,
	}
}

// CanRelay reports whether a call needs neither a credential to be asked for nor
// an approval. refused is set where it needs one and nobody can approve it with these
// arguments, such as more than 1 MiB.
func (g *Calls) CanRelay(ctx context.Context, who Person, t Target, arguments json.RawMessage) (relays bool, refused *jsonrpc.Error) {
	if g.Credential(ctx, who, t.Server) != nil {
		return false, nil
	}
	if g.opts.Permits == nil {
		return true, nil
	}
	d, settled, err := g.opts.Permits.Ruled(ctx, t.Server.Approve, permitCall(who, t, arguments, "shortcut"))
	if errors.Is(err, permit.ErrArguments) && who.Kind != parley.KindCall && !who.OfProgram() { // see approve
		_ = errors.As(refusal(err), &refused)
		return false, refused
	}
	return err == nil && settled && d.Status == permit.Granted, nil
}

// permitted is the very call that an approval is for, as the journal keeps it.
type permitted struct {
	ID      string `json:"id"`
	Session string `json:"session"`         // that it was asked about in; who takes the call up goes on with it
	Change  change `json:"change,omitzero"` // what whoever allowed it made of it
}

// approve asks for the approval that the call needs. What comes after it is used
// up, and then the call itself.
func (c *Call) approve(ctx context.Context) error {
	g := c.calls
	if g.opts.Permits == nil || c.Target.Method != "tools/call" {
		return nil
	}
	rule := c.Target.Server.Approve
	if err := c.recallPermitted(); err != nil {
		return err
	}
	look, settled, err := g.opts.Permits.Ruled(ctx, rule, c.permitCall("shortcut"))
	if err == nil && settled && look.Status == permit.Granted && c.change.none() {
		if c.Unruled != nil {
			c.Params = c.Unruled
		}
		return nil
	}
	if c.Who.Kind == parley.KindCall || c.Who.OfProgram() {
		return c.notByAnybody(ctx, rule)
	}
	if err != nil {
		return refusal(err)
	}
	call, d, err := c.decide(ctx, rule)
	var told *Failure
	if errors.As(err, &told) {
		return err
	}
	if errors.Is(err, errAllowed) {
		c.unasked = &call
	}
	if err != nil {
		return c.spent(err)
	}
	c.grant = d.Grant
	if d.Status != permit.Granted {
		return notAccepted(cmp.Or(c.unapproved, parley.Decline), d.Reason)
	}
	c.approved, err = c.takeChange(ctx, call, d)
	return err
}

// notByAnybody says why a call is not made that needs an approval, and of whose caller nobody
// can be asked.
func (c *Call) notByAnybody(ctx context.Context, rule permit.Rule) error {
	look, err := c.calls.opts.Permits.Check(ctx, rule, c.permitCall("shortcut"))
	if err != nil || look.Status != permit.Denied {
		return notAccepted(parley.Decline, c.calls.unapprovable(c.Who))
	}
	if err := c.recordRefused(ctx, look); err != nil {
		return err
	}
	return notAccepted(parley.Decline, look.Reason) // to sign in would not help
}

// consume uses up what was approved. What comes after it is the call.
func (c *Call) consume(ctx context.Context) error {
	if c.unasked != nil {
		c.sent = true
		return c.recordSent(ctx, *c.unasked, "fallback")
	}
	if c.approved == nil {
		return nil
	}
	err := c.calls.opts.Permits.Consume(ctx, c.Target.Server.Approve, *c.approved)
	if err == nil {
		c.sent = true
		return c.recordSent(ctx, *c.approved, "")
	}
	var not *permit.NotPermittedError
	if errors.As(err, &not) && not.Decision.Ask() {
		return errUsedUp
	}
	return c.spent(err)
}

// decide finds out whether the call is allowed, and asks where nobody has said so.
// What a question shows may have changed before its answer came, such as the
// tool's title: a yes to it is none to this call, which is asked about anew.
func (c *Call) decide(ctx context.Context, rule permit.Rule) (call permit.Call, d permit.Decision, err error) {
	for range maxRounds {
		id, err := c.callID(ctx)
		if err != nil {
			return call, d, err
		}
		call = c.permitCall(id)
		d, err = c.calls.opts.Permits.Check(ctx, rule, call)
		if err == nil && d.Status == permit.Denied && !d.Own { // what was said to its own question is recorded with that
			if err := c.recordRefused(ctx, d); err != nil {
				return call, d, err
			}
		}
		if err == nil && d.Ask() {
			d, err = c.askApproval(ctx, call, d)
		}
		if !errors.Is(err, permit.ErrMismatch) {
			return call, d, err
		}
		if c.unapproved != "" {
			return call, permit.Decision{Status: permit.Denied, Reason: "The user did not allow this call."}, nil
		}
		if err := c.Remember(ctx, "call", permitted{ID: rand.Text(), Session: c.Who.Session}); err != nil {
			return call, d, err
		}
	}
	return call, d, Failed("%s changes while it is asked about; the call was given up.", c.Target.Name)
}

func (c *Call) permitCall(id string) permit.Call {
	call := permitCall(c.Who, c.Target, c.Arguments, id)
	call.Changed, call.Asked = c.change.Args, c.before
	if id == c.permitID { // its client may have come back in another session: it is the call that was asked about
		call.Session = c.permitSession
	}
	return call
}

// callID names this very call, whenever it runs again.
func (c *Call) callID(ctx context.Context) (string, error) {
	if err := c.Past.TakeUp(ctx); err != nil {
		return "", err
	}
	var p permitted
	known, err := c.Recall("call", &p)
	if err != nil {
		return "", err
	}
	if !known {
		p = permitted{ID: cmp.Or(c.ID, rand.Text()), Session: c.Who.Session}
		err = c.Remember(ctx, "call", p)
	}
	c.make(p.Change)
	c.permitID, c.permitSession = p.ID, p.Session
	return p.ID, err
}

// errUsedUp says that what allowed a call is gone, and that it can be asked about again.
var errUsedUp = errors.New("what allowed this call was used up")

// approvalKey names the question for the approval of a call.
func approvalKey(id string) string { return "approval-" + id }

// askApproval asks the person, or those who must agree.
func (c *Call) askApproval(ctx context.Context, call permit.Call, d permit.Decision) (permit.Decision, error) {
	g := c.calls
	if d.Approvers != nil {
		return c.gather(ctx, call)
	}
	call.Choices, call.Page, call.Sign = d.Choices, d.Page, d.Sign
	asked, unaskable := g.opts.Permits.Question(call)
	long := asked.Labels[parley.LabelBrief] != "" // its page alone shows it whole
	if !c.Client.Supports(parley.Form) && !(long && c.Client.Supports(parley.URL)) {
		switch approvals := g.opts.Approvals; {
		case approvals == mcptool.Allow && d.Sign == "":
			g.opts.Logger.InfoContext(ctx, "call made without its approval: the client cannot ask and gateway.approvals is allow",
				"server", call.Server, "tool", call.Tool)
			return permit.Decision{}, errAllowed
		case approvals == mcptool.Deny || approvals == mcptool.Allow:
			return permit.Decision{Status: permit.Denied, Reason: "This call needs the user's approval, and this client cannot ask for it."}, nil
		}
	}
	if unaskable != nil {
		return d, unaskable
	}
	if long && (!c.Who.IsPerson() || g.opts.PublicURL == "") {
		return d, fmt.Errorf("%w, or sign in: a page shows more", permit.ErrTooLong)
	}
	build := func(id parley.ID) parley.Request {
		q := asked
		q.Labels = maps.Clone(q.Labels)
		if q.ID = id; d.TTL > 0 {
			q.Expires = time.Now().Add(d.TTL)
		}
		return q
	}
	given, err := c.askOne(ctx, parley.Form, build, &mcptool.URLOptions{
		ElicitOptions: mcptool.ElicitOptions{Key: approvalKey(call.ID), TTL: d.TTL},
	})
	var late *mcptool.TimeoutError
	switch {
	case errors.As(err, &late):
		c.unapproved = parley.Expire
	case err != nil:
		return d, err
	case given.Action != parley.Accept:
		c.unapproved = given.Action
	}
	return g.opts.Permits.Record(ctx, call, given.ID)
}

// gather asks those who must agree, and waits for them by a question of the
// person's: it only tells, and is settled when they have decided.
func (c *Call) gather(ctx context.Context, call permit.Call) (permit.Decision, error) {
	for range maxRounds {
		if why, err := c.takenBack(ctx); why != "" || err != nil {
			c.unapproved = parley.Cancel
			return permit.Decision{Status: permit.Denied, Reason: why}, err
		}
		d, wait, err := c.calls.opts.Permits.Await(ctx, c.Target.Server.Approve, call)
		if errors.Is(err, parley.ErrTooManyPending) {
			return permit.Decision{Status: permit.Denied, Reason: "The approvers cannot be asked now: " + err.Error() + "."}, nil
		}
		if err != nil || !d.Ask() {
			return d, err
		}
		if err := c.Remember(ctx, waitName, wait.ID); err != nil {
			return d, err
		}
		_, err = c.askOne(ctx, parley.Form, func(parley.ID) parley.Request { return wait }, &mcptool.URLOptions{
			ElicitOptions: mcptool.ElicitOptions{Key: "approvers-" + string(wait.ID), ID: wait.ID, TTL: time.Until(wait.Expires)},
		})
		var late *mcptool.TimeoutError
		if err != nil && !errors.As(err, &late) {
			return d, err
		}
	}
	return permit.Decision{}, Failed("The approvers of %s change while they are asked; the call was given up.", c.Target.Name)
}

// waitName is where a journal has the question by which the call waits.
const waitName = "wait"

// takenBack says so if the call that waits was taken back, by its person or by whoever
// withdrew its question. What became of that is read from the hub: that approvers have
// decided is neither of both.
func (c *Call) takenBack(ctx context.Context) (why string, err error) {
	var id parley.ID
	if known, err := c.Recall(waitName, &id); !known || err != nil {
		return "", err
	}
	q, err := c.calls.opts.Hub.Get(ctx, parley.OwnerOf(c.Who.Tenant, c.Who.Owner()), id)
	switch {
	case errors.Is(err, parley.ErrNotFound):
		return "", nil
	case err != nil || q.Pending():
		return "", err
	case q.Outcome.By != "":
		return "The user took this call back while it waited for its approvers.", nil
	case q.Outcome.Action == parley.Cancel:
		return fmt.Sprintf("This call was withdrawn while it waited for its approvers (%s).", strings.TrimPrefix(q.Outcome.Reason, "withdrawn: ")), nil
	}
	return "", nil
}

// errAllowed says that a call is made although nobody approved it.
var errAllowed = errors.New("allowed by the gateway's fallback")

// spent turns what permit says into what the client is told. Nil and errAllowed
// let the call through.
func (c *Call) spent(err error) error {
	switch {
	case err == nil, errors.Is(err, errAllowed):
		return nil
	case errors.Is(err, permit.ErrConsumed):
		return Failed("This call was approved and may have been made already; its result is not known. Find out before you call it again.")
	}
	return refusal(err)
}

// refusal is an error of permit's for the client.
func refusal(err error) error {
	for _, known := range []error{permit.ErrCall, permit.ErrArguments, permit.ErrTooLong, permit.ErrMismatch, permit.ErrModel, permit.ErrNotPermitted} {
		if errors.Is(err, known) {
			return notAccepted(parley.Decline, err.Error())
		}
	}
	return err
}
