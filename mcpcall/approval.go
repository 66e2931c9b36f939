package mcpcall

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

// The keys of the questions for a credential: the first, and the one after the
// server stopped taking it.
const (
	connectFirst = "connect"
	connectAgain = "connect-again"
)

// EnsureCredential makes sure that there is the credential that the server wants: the person
// is asked for it before anything is sent.
func (c *Call) EnsureCredential(ctx context.Context) error {
	if c.Door != nil {
		return c.Door(ctx, false)
	}
	err := c.calls.Credential(ctx, c.Who, c.Target.Server)
	var required *vault.RequiredError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &required):
		key, again := connectFirst, false
		if _, err := c.Recall(connectAgain, &again); err != nil {
			return err
		}
		if again {
			key = connectAgain // they were asked in this call, and are asked once
		}
		return c.connect(ctx, required, key)
	case errors.Is(err, vault.ErrNoPerson):
		return &Failure{Text: strings.Replace(vault.ErrNoPerson.Error(), "sign in", cmp.Or(c.calls.opts.SignIn, "sign in"), 1), Cause: err}
	}
	var provider *vault.ProviderError
	if errors.As(err, &provider) {
		return &Failure{Text: provider.Error(), Cause: err}
	}
	c.calls.opts.Logger.WarnContext(ctx, "credential not available", "server", c.Target.Server.Name, "err", err)
	return &Failure{Text: fmt.Sprintf("The credential for %s cannot be had just now.", c.Target.Server.Label()), Cause: err}
}

// connect asks the person to connect their account. It returns nil when they
// have.
func (c *Call) connect(ctx context.Context, required *vault.RequiredError, key string) error {
	if !required.Askable() {
		return &Failure{Text: c.Target.Server.Label() + " is not connected, and you cannot connect it: ask who runs " + c.calls.here() + ".", Cause: required}
	}
	build := func(id parley.ID) parley.Request {
		q := c.calls.opts.Vault.Question(required, c.Who.Principal, c.Who.Session)
		q.URL = strings.Replace(q.URL, string(q.ID), string(id), 1)
		return q
	}
	given, err := c.askOne(ctx, parley.URL, build, &mcptool.URLOptions{ElicitOptions: mcptool.ElicitOptions{Key: key}})
	var late *mcptool.TimeoutError
	if errors.As(err, &late) {
		return notAccepted(parley.Expire, c.Target.Server.Label()+" is not connected: nobody answered in time.")
	}
	if err != nil {
		return err
	}
	if given.Action != parley.Accept {
		return notAccepted(given.Action, c.Target.Server.Label()+" is not connected: the user did not connect their account.")
	}
	_, err = c.calls.opts.Vault.Arrived(ctx, need(c.Who, c.Target.Server), parley.Outcome{Action: given.Action})
	if errors.Is(err, vault.ErrNotConnected) && key == connectFirst {
		// Lists are made with a new credential at once: the server may have refused
		// it before this call could use it.
		var refused *vault.RequiredError
		if errors.As(c.calls.Credential(ctx, c.Who, c.Target.Server), &refused) && refused.Reason == vault.Rejected {
			return c.reconnect(ctx, refused)
		}
	}
	if errors.Is(err, vault.ErrNotConnected) {
		return &Failure{Text: c.Target.Server.Label() + " is still not connected.", Cause: err}
	}
	if err == nil {
		c.calls.connected() // its tools can be listed now
	}
	return err
}

// reconnect asks for a credential in the place of one that the server refused.
// What was approved was not made: it is approved anew when this runs again.
func (c *Call) reconnect(ctx context.Context, required *vault.RequiredError) error {
	c.Past.Undo(sentName)
	if c.Door != nil {
		return c.Door(ctx, true)
	}
	var p permitted
	if known, err := c.Recall("call", &p); err != nil {
		return err
	} else if known {
		if err := c.Remember(ctx, "call", permitted{ID: rand.Text(), Session: c.Who.Session}); err != nil {
			return err
		}
	}
	if err := c.Remember(ctx, connectAgain, true); err != nil {
		return err
	}
	return c.connect(ctx, required, connectAgain)
}

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
// an approval.
func (g *Calls) CanRelay(ctx context.Context, who Person, t Target, arguments json.RawMessage) bool {
	if g.Credential(ctx, who, t.Server) != nil {
		return false
	}
	if g.opts.Permits == nil {
		return true
	}
	d, err := g.opts.Permits.Check(ctx, t.Server.Approve, permitCall(who, t, arguments, "shortcut"))
	return err == nil && d.Status == permit.Granted && d.Grant == ""
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
	if err := c.recallChange(); err != nil {
		return err
	}
	look, err := g.opts.Permits.Check(ctx, rule, c.permitCall("shortcut"))
	if err == nil && look.Status == permit.Granted && look.Grant == "" && c.change.none() {
		if c.Unruled != nil {
			c.Params = c.Unruled
		}
		return nil
	}
	if c.Who.Kind == parley.KindCall || c.Who.OfProgram() {
		if err == nil && look.Status == permit.Denied {
			return notAccepted(parley.Decline, look.Reason) // to sign in would not help
		}
		return notAccepted(parley.Decline, c.calls.unapprovable())
	}
	if err != nil && !errors.Is(err, permit.ErrConsumed) {
		return refusal(err)
	}
	call, d, err := c.decide(ctx, rule)
	var told *Failure
	if errors.As(err, &told) {
		return err
	}
	if err != nil {
		return c.spent(err)
	}
	if d.Status != permit.Granted {
		return notAccepted(cmp.Or(c.unapproved, parley.Decline), d.Reason)
	}
	c.approved, err = c.takeChange(ctx, call, d)
	return err
}

// consume uses up what was approved. What comes after it is the call.
func (c *Call) consume(ctx context.Context) error {
	if c.approved == nil {
		return nil
	}
	made := *c.approved
	if made.Changed != nil {
		made.Args, made.Changed = made.Changed, nil
	}
	digest, err := made.Digest()
	if err != nil {
		return refusal(err)
	}
	var used string
	if known, err := c.Recall(usedName, &used); err != nil || known && used == digest {
		return err // it was let through, and refused at the server's door
	}
	err = c.calls.opts.Permits.Consume(ctx, c.Target.Server.Approve, *c.approved)
	var not *permit.NotPermittedError
	if errors.As(err, &not) && not.Decision.Ask() {
		return errUsedUp
	}
	if err := c.spent(err); err != nil || c.Door == nil {
		return err
	}
	return c.Remember(ctx, usedName, digest)
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
	call.Changed = c.change.Args
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

// usedName is where a journal has the digest of what was let through.
const usedName = "used"

// approvalKey names the question for the approval of a call.
func approvalKey(id string) string { return "approval-" + id }

// askApproval asks the person, or those who must agree.
func (c *Call) askApproval(ctx context.Context, call permit.Call, d permit.Decision) (permit.Decision, error) {
	g := c.calls
	if d.Approvers != nil {
		return c.gather(ctx, call)
	}
	call.Choices = d.Choices
	asked, unaskable := g.opts.Permits.Question(call)
	long := asked.Labels[parley.LabelBrief] != "" // its page alone shows it whole
	if !c.Client.Supports(parley.Form) && !(long && c.Client.Supports(parley.URL)) {
		switch g.opts.Approvals {
		case mcptool.Allow:
			g.opts.Logger.InfoContext(ctx, "call made without its approval: the client cannot ask and gateway.approvals is allow",
				"server", call.Server, "tool", call.Tool)
			return permit.Decision{}, errAllowed
		case mcptool.Deny:
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
		q, _ := g.opts.Permits.Question(call)
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
		if back, err := c.takenBack(ctx); back || err != nil {
			c.unapproved = parley.Cancel
			return permit.Decision{Status: permit.Denied, Reason: "The user took this call back while it waited for its approvers."}, err
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

// takenBack reports whether the person took the call back that waits. What its
// question says is read from the hub: nobody but them can.
func (c *Call) takenBack(ctx context.Context) (bool, error) {
	var id parley.ID
	if known, err := c.Recall(waitName, &id); !known || err != nil {
		return false, err
	}
	q, err := c.calls.opts.Hub.Get(ctx, parley.OwnerOf(c.Who.Tenant, c.Who.Owner()), id)
	if errors.Is(err, parley.ErrNotFound) {
		return false, nil
	}
	return err == nil && !q.Pending() && q.Outcome.By != "", err
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
