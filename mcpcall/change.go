package mcpcall

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/permit"
)

// change is what whoever allowed a call made of its arguments, as the journal keeps it
// with the call that was allowed. The call goes on with it whatever its client says
// again.
type change struct {
	Args json.RawMessage `json:"args"` // canonical
	Told string          `json:"told"` // what the model is told
}

func (c change) none() bool { return c.Args == nil }

// IsZero leaves it out of journals.
func (c change) IsZero() bool { return c.none() }

// arguments are those with which the call is made.
func (c *Call) arguments() json.RawMessage {
	if c.change.none() {
		return c.Arguments
	}
	return c.change.Args
}

// make is how the call is made from now on.
func (c *Call) make(next change) {
	if c.change.none() && next.none() {
		return
	}
	c.change = next
	params := Params(c.Target.Name, c.arguments())
	if meta, ok := mcpclient.Member(c.Params, "_meta"); ok {
		params = append(append(append(params[:len(params)-1], `,"_meta":`...), meta...), '}')
	}
	c.Params = params
}

// recallPermitted goes on with what was asked about when the call ran before: with its changes,
// and whatever its server calls the tool or the rules say by now.
func (c *Call) recallPermitted() error {
	var p permitted
	known, err := c.Recall("call", &p)
	if err != nil || !known {
		return err
	}
	c.make(p.Change)
	c.before = permit.AskedPerson
	waited, err := c.Recall(waitName, new(parley.ID))
	if waited {
		c.before = permit.AskedApprovers
	}
	return err
}

// takeChange notes with what a call is made that was allowed, before it is.
func (c *Call) takeChange(ctx context.Context, call permit.Call, d permit.Decision) (*permit.Call, error) {
	var next change
	if d.Changed != nil {
		next = change{d.Changed.Args, d.Changed.Told}
	}
	call.Changed = next.Args
	if bytes.Equal(next.Args, c.change.Args) {
		return &call, nil
	}
	c.make(next)
	return &call, c.Remember(ctx, "call", permitted{call.ID, call.Session, next})
}

// tell says what was changed before what came of the call.
func (c change) tell(r Reply, err error) (Reply, error) {
	var told *Failure
	switch {
	case c.none():
	case errors.As(err, &told):
		said := *told
		said.Text += " " + c.Told
		err = &said
	case err == nil && r.Error != nil:
		said := *r.Error
		said.Message += " (" + c.Told + ")"
		r.Error = &said
	case err == nil && r.Result != nil:
		r.Result = mcpclient.WithWord(r.Result, c.Told)
	}
	return r, err
}
