package mcpcall

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/passkey"
	"github.com/parley-hq/parley/permit"
)

// What is recorded of calls that need an approval.
const (
	deedSent    = "call.sent"    // it was allowed, and is sent now
	deedEnded   = "call.ended"   // with the outcome ok, failed, unknown or not_sent
	deedRefused = "call.refused" // without asking anybody
)

// deed is what is recorded of a call.
func (c *Call) deed(what string, call permit.Call) (parley.Deed, error) {
	d := parley.Deed{
		Tenant: c.Who.Tenant, What: what, By: c.Who.Owner(), Via: c.Who.Method, Server: call.Server, Tool: call.Tool, Agent: call.Agent, Call: call.ID, Grant: c.grant,
	}
	var err error
	if d.Digest, err = call.Digest(); err != nil || call.Changed == nil {
		return d, err
	}
	edited, err := call.Edited()
	if err != nil {
		return d, err
	}
	d.Was, d.Changes = d.Digest, passkey.Changes(edited)
	call.Args, call.Changed = call.Changed, nil
	d.Digest, err = call.Digest()
	return d, err
}

// recordSent takes down that the call is made, before it is: with the digest of the
// arguments that are sent.
func (c *Call) recordSent(ctx context.Context, call permit.Call, reason string) error {
	if c.calls.opts.Record == nil {
		return nil
	}
	d, err := c.deed(deedSent, call)
	if err != nil {
		return err
	}
	d.Reason = reason
	return c.calls.opts.Record(ctx, d)
}

// recordRefused takes down that nobody was asked, since a rule or what the person said
// before refuses the call.
func (c *Call) recordRefused(ctx context.Context, said permit.Decision) error {
	if c.calls.opts.Record == nil {
		return nil
	}
	d, err := c.deed(deedRefused, c.permitCall(cmp.Or(c.ID, rand.Text())))
	if err != nil {
		return nil // it cannot be read, so there is nothing that was decided
	}
	d.Outcome, d.Reason, d.Grant = string(permit.Denied), "rule", said.Grant
	if said.Grant != "" {
		d.Reason = "permission"
	}
	return c.calls.opts.Record(ctx, d)
}

// recordEnd takes down how a call that was allowed ended, if it has. One that is not
// told of was broken off: nobody knows more than that it was sent.
func (c *Call) recordEnd(ctx context.Context, r Reply, err error) {
	if c.calls.opts.Record == nil || c.calls.opts.Permits == nil || c.Target.Method != "tools/call" {
		return
	}
	how, over := c.end(r, err)
	if !over {
		return
	}
	var p permitted
	known, recalled := c.Recall("call", &p)
	if recalled != nil || !known {
		return // nobody had to allow it
	}
	call := c.permitCall(p.ID)
	call.Changed = p.Change.Args
	d, deedErr := c.deed(deedEnded, call)
	d.Outcome = how
	if deedErr == nil {
		deedErr = c.calls.opts.Record(context.WithoutCancel(ctx), d)
	}
	if deedErr != nil { // what happened stands
		c.calls.opts.Logger.ErrorContext(ctx, "end of a call not recorded", "server", c.Target.Server.Name, "tool", c.Target.Name, "err", deedErr)
	}
}

// end says how a call ended, and whether it has.
func (c *Call) end(r Reply, err error) (how string, over bool) {
	var told *Failure
	switch {
	case err == nil && r.Error == nil && !ResultFailed(r.Result):
		return "ok", true
	case err == nil:
		return "failed", true
	case !c.sent || !errors.As(err, &told):
		return "", false
	case told.Away:
		return "not_sent", true
	}
	return "unknown", true
}

// ResultFailed reports whether the tool says that it failed.
func ResultFailed(result json.RawMessage) bool {
	said, ok := mcpclient.Member(result, "isError")
	return ok && string(said) == "true"
}
