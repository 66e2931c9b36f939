package gateway

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

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

// pass makes sure that there is the credential that the server wants: the person
// is asked for it before anything is sent.
func (c *crossing) pass(ctx context.Context) error {
	err := c.gateway.credential(ctx, c.who, c.target.server)
	var required *vault.RequiredError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &required):
		key, again := connectFirst, false
		if _, err := c.call.Recall(connectAgain, &again); err != nil {
			return err
		}
		if again {
			key = connectAgain // they were asked in this call, and are asked once
		}
		return c.connect(ctx, required, key)
	case errors.Is(err, vault.ErrNoPerson):
		return failed("%s", strings.Replace(vault.ErrNoPerson.Error(), "sign in", SignIn, 1))
	}
	var provider *vault.ProviderError
	if errors.As(err, &provider) {
		return failed("%s", provider.Error())
	}
	c.gateway.opts.Logger.WarnContext(ctx, "a credential cannot be had", "server", c.target.server.Name, "err", err)
	return failed("The credential for %s cannot be had just now.", label(c.target.server))
}

// connect asks the person to connect their account. It returns nil when they
// have.
func (c *crossing) connect(ctx context.Context, required *vault.RequiredError, key string) error {
	if !required.Askable() {
		return failed("%s is not connected, and you cannot connect it: ask who runs this gateway.", label(c.target.server))
	}
	build := func(id parley.ID) parley.Request {
		q := c.gateway.opts.Vault.Question(required, c.who.Principal, c.who.session)
		q.URL = strings.Replace(q.URL, string(q.ID), string(id), 1)
		return q
	}
	given, err := mcptool.AskRequest(ctx, c.call, parley.URL, build, &mcptool.URLOptions{ElicitOptions: mcptool.ElicitOptions{Key: key}})
	var late *mcptool.TimeoutError
	if errors.As(err, &late) {
		return notAccepted(parley.Expire, label(c.target.server)+" is not connected: nobody answered in time.")
	}
	if err != nil {
		return err
	}
	if given.Action != parley.Accept {
		return notAccepted(given.Action, label(c.target.server)+" is not connected: the user did not connect their account.")
	}
	_, err = c.gateway.opts.Vault.Arrived(ctx, need(c.who, c.target.server), parley.Outcome{Action: given.Action})
	if errors.Is(err, vault.ErrNotConnected) && key == connectFirst {
		// Lists are made with a new credential at once: the server may have refused
		// it before this call could use it.
		var refused *vault.RequiredError
		if errors.As(c.gateway.credential(ctx, c.who, c.target.server), &refused) && refused.Reason == vault.Rejected {
			return c.reconnect(ctx, refused)
		}
	}
	if errors.Is(err, vault.ErrNotConnected) {
		return failed("%s is still not connected.", label(c.target.server))
	}
	if err == nil {
		c.gateway.announce() // its tools can be listed now
	}
	return err
}

// reconnect asks for a credential in the place of one that the server refused.
// What was approved was not made: it is approved anew when this runs again.
func (c *crossing) reconnect(ctx context.Context, required *vault.RequiredError) error {
	c.call.Undo(sentName)
	var p permitted
	if known, err := c.call.Recall("call", &p); err != nil {
		return err
	} else if known {
		if err := c.call.Remember(ctx, "call", permitted{rand.Text(), c.who.session}); err != nil {
			return err
		}
	}
	if err := c.call.Remember(ctx, connectAgain, true); err != nil {
		return err
	}
	return c.connect(ctx, required, connectAgain)
}

// permitCall is a call as permit knows it.
func permitCall(who person, t target, arguments json.RawMessage, id string) permit.Call {
	return permit.Call{
		Tenant: who.Tenant, User: who.User, Session: who.session, Server: t.server.Name, ServerTitle: t.server.Title,
		Place: permit.Place(t.server.URL, t.server.Command), Tool: t.name, ToolTitle: t.tool.title, Args: arguments, ReadOnly: t.tool.readOnly, Destructive: t.tool.destructive,
		Idempotent: t.tool.idempotent, OpenWorld: t.tool.openWorld, ID: id,
	}
}

// permitted is the very call that an approval is for, as the journal keeps it.
type permitted struct {
	ID      string `json:"id"`
	Session string `json:"session"`
}

// approve asks for the approval that the call needs and uses it up. What comes
// after it is the call itself.
func (c *crossing) approve(ctx context.Context) error {
	g := c.gateway
	if g.opts.Permits == nil || c.target.method != "tools/call" {
		return nil
	}
	rule := c.target.server.Approve
	look, err := g.opts.Permits.Check(ctx, rule, c.permitCall("shortcut"))
	if err == nil && look.Status == permit.Granted && look.Grant == "" {
		c.params = withMeta(callParams(c.target.name, c.arguments), metaOf(c.call), theirOwn)
		return nil
	}
	if c.who.Kind == parley.KindCall || c.who.OfProgram() {
		if err == nil && look.Status == permit.Denied {
			return notAccepted(parley.Decline, look.Reason) // to sign in would not help
		}
		return notAccepted(parley.Decline, "This call needs an approval, and it is not known who asks: "+SignIn+".")
	}
	if err != nil && !errors.Is(err, permit.ErrConsumed) {
		return refusal(err)
	}
	call, d, err := c.decide(ctx, rule)
	var told *failure
	if errors.As(err, &told) {
		return err
	}
	if err != nil {
		return c.spent(err)
	}
	if d.Status != permit.Granted {
		return notAccepted(cmp.Or(c.unapproved, parley.Decline), d.Reason)
	}
	return c.spent(g.opts.Permits.Consume(ctx, rule, call))
}

// decide finds out whether the call is allowed, and asks where nobody has said so.
// What a question shows may have changed before its answer came, such as the
// tool's title: a yes to it is none to this call, which is asked about anew.
func (c *crossing) decide(ctx context.Context, rule permit.Rule) (call permit.Call, d permit.Decision, err error) {
	for range maxRounds {
		id, err := c.callID(ctx)
		if err != nil {
			return call, d, err
		}
		call = c.permitCall(id)
		d, err = c.gateway.opts.Permits.Check(ctx, rule, call)
		if err == nil && d.Ask() {
			d, err = c.askApproval(ctx, call, d)
		}
		if !errors.Is(err, permit.ErrMismatch) {
			return call, d, err
		}
		if c.unapproved != "" {
			return call, permit.Decision{Status: permit.Denied, Reason: "The user did not allow this call."}, nil
		}
		if err := c.call.Remember(ctx, "call", permitted{rand.Text(), c.who.session}); err != nil {
			return call, d, err
		}
	}
	return call, d, failed("%s changes while it is asked about; the call was given up.", c.target.name)
}

func (c *crossing) permitCall(id string) permit.Call {
	return permitCall(c.who, c.target, c.arguments, id)
}

// callID names this very call, whenever it runs again.
func (c *crossing) callID(ctx context.Context) (string, error) {
	if err := c.call.TakeUp(ctx); err != nil {
		return "", err
	}
	var p permitted
	known, err := c.call.Recall("call", &p)
	if err != nil {
		return "", err
	}
	// What was approved in another session was not approved here.
	if !known || p.Session != c.who.session {
		if known {
			c.call.Withdraw(ctx, approvalKey(p.ID), "the call was made again in another session, which asks for it")
		}
		p = permitted{rand.Text(), c.who.session}
		err = c.call.Remember(ctx, "call", p)
	}
	return p.ID, err
}

// approvalKey names the question for the approval of a call.
func approvalKey(id string) string { return "approval-" + id }

// askApproval asks the person, or those who must agree.
func (c *crossing) askApproval(ctx context.Context, call permit.Call, d permit.Decision) (permit.Decision, error) {
	g := c.gateway
	if d.Approvers != nil {
		return c.gather(ctx, call)
	}
	asked, unaskable := g.opts.Permits.Question(call)
	long := asked.Labels[parley.LabelBrief] != "" // its page alone shows it whole
	if !c.call.Supports(parley.Form) && !(long && c.call.Supports(parley.URL)) {
		switch g.opts.Approvals {
		case mcptool.Allow:
			g.opts.Logger.InfoContext(ctx, "a call is made without its approval, because the client cannot ask: gateway.approvals is allow",
				"server", call.Server, "tool", call.Tool)
			return permit.Decision{}, errAllowed
		case mcptool.Deny:
			return permit.Decision{Status: permit.Denied, Reason: "This call needs the user's approval, and this client cannot ask for it."}, nil
		}
	}
	if unaskable != nil {
		return d, unaskable
	}
	if long && (!c.who.IsPerson() || g.opts.PublicURL == "") {
		return d, fmt.Errorf("%w, or sign in: a page shows more", permit.ErrTooLong)
	}
	build := func(id parley.ID) parley.Request {
		q, _ := g.opts.Permits.Question(call)
		q.ID = id
		return q
	}
	given, err := mcptool.AskRequest(ctx, c.call, parley.Form, build, &mcptool.URLOptions{
		ElicitOptions: mcptool.ElicitOptions{Key: approvalKey(call.ID)},
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

// gather asks those who must agree and holds the call for a while. They may take
// longer: then the model is told to make the same call again, which finds what
// they have said.
func (c *crossing) gather(ctx context.Context, call permit.Call) (permit.Decision, error) {
	g := c.gateway
	holding, cancel := context.WithTimeout(ctx, g.opts.Hold)
	defer cancel()
	for n := 1.0; ; n++ {
		d, open, err := g.opts.Permits.Gather(ctx, c.target.server.Approve, call)
		if err != nil || !d.Ask() {
			return d, err
		}
		c.call.Progress(ctx, n, 0, d.Reason)
		if !g.anyOf(holding, open) {
			if ctx.Err() != nil {
				return d, context.Cause(ctx)
			}
			return d, failed("%s Make the same call again to go on.", d.Reason)
		}
	}
}

// anyOf waits until one of the questions is settled, and reports false when ctx
// ends first.
func (g *Gateway) anyOf(ctx context.Context, questions []parley.ID) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	settled := make(chan bool, len(questions))
	var wg sync.WaitGroup
	for _, id := range questions {
		wg.Go(func() {
			_, err := g.hub.Wait(ctx, id)
			settled <- err == nil
		})
	}
	defer wg.Wait()
	defer cancel()
	for range questions {
		select {
		case <-ctx.Done():
			return false
		case is := <-settled:
			if is {
				return true
			}
		}
	}
	<-ctx.Done()
	return false
}

// errAllowed says that a call is made although nobody approved it.
var errAllowed = errors.New("allowed by the gateway's fallback")

// spent turns what permit says into what the client is told. Nil and errAllowed
// let the call through.
func (c *crossing) spent(err error) error {
	switch {
	case err == nil, errors.Is(err, errAllowed):
		return nil
	case errors.Is(err, permit.ErrConsumed):
		return failed("This call was approved and may have been made already; its result is not known. Find out before you call it again.")
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
