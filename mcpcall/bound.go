package mcpcall

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
)

// bound is what a call was made for. The journal keeps it with the server's first
// word: what goes on after a question is that call, at that place, or nothing.
type bound struct {
	Server    string `json:"server"`
	Place     string `json:"place"`
	Method    string `json:"method"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // a digest of their canonical bytes
}

// keptTool is what the rest of a call needs to know of its tool, and what people call
// its server. It is not looked
// up again: its server may be down by then, or list other tools.
type keptTool struct {
	ReadOnly   *bool       `json:"readOnly,omitempty"`
	Idempotent *bool       `json:"idempotent,omitempty"`
	Header     http.Header `json:"header,omitempty"` // that its calls have
	Title      string      `json:"title,omitempty"`  // of the server
}

func (c *Call) bound() bound {
	sum := sha256.Sum256(c.arguments())
	t := c.Target
	return bound{
		Server: t.Server.Name, Place: t.Server.Place(),
		Method: t.Method, Name: t.Name, Arguments: base64.RawURLEncoding.EncodeToString(sum[:]),
	}
}

// bind notes with the server's first word what the call was made for.
func (c *Call) bind(r *Reply) {
	c.made = c.bound()
	r.Of = &c.made
	r.Tool = &keptTool{c.Target.Tool.ReadOnly, c.Target.Tool.Idempotent, c.Target.headers(c.Params), c.Target.Server.Title}
}

// Aim finds what the call is for: what it was begun for, or what look finds.
func (c *Call) Aim(ctx context.Context, look func(context.Context) (Target, error)) (err error) {
	if c.recall() {
		return nil
	}
	var f *Request
	begun := false
	if c.Begun != nil {
		f, begun = c.Begun()
	}
	if begun && f == nil {
		return errLeft // its client did not wait for it: it is not made again
	}
	if f != nil {
		c.begunBy, c.Target = f, f.Target // where the call went is where it goes on
		return nil
	}
	c.Target, err = hold(ctx, c, c.Past.Kept(), look)
	var told *Failure
	if !errors.As(err, &told) {
		return err
	}
	// An earlier call for the same may have what it needs.
	if err := c.Past.TakeUp(ctx); err != nil {
		return err
	}
	if c.recall() {
		return nil
	}
	if c.Past.Begun(sentName) { // this attempt was not sent, and the one before it was
		return c.interrupted()
	}
	return err
}

// recall finds the target in the journal, if the server was called already.
func (c *Call) recall() bool {
	var r Reply
	if known, err := c.Recall(roundName(0), &r); !known || err != nil || r.Of == nil || r.Tool == nil {
		return false
	}
	c.Target = Target{Server: Server{Name: r.Of.Server, Title: r.Tool.Title, URL: nowhere}, Method: r.Of.Method, Name: r.Of.Name, header: r.Tool.Header}
	c.Target.Tool.ReadOnly, c.Target.Tool.Idempotent = r.Tool.ReadOnly, r.Tool.Idempotent
	c.recalled = &r
	return true
}

// nowhere is where a server is that was not looked up.
const nowhere = "about:blank"

// begun returns what the server said first, if the call was made already.
func (c *Call) begun() (r Reply, known bool, err error) {
	if err := c.recallPermitted(); err != nil {
		return r, false, err
	}
	if c.recalled != nil {
		r = *c.recalled
	} else if known, err = c.Recall(roundName(0), &r); !known || err != nil {
		return r, known, err
	}
	now := c.bound()
	if r.Of != nil {
		c.made, now.Place = *r.Of, r.Of.Place
	}
	if c.made != now {
		c.abandon(r)
		return Reply{}, true, Failed("This is not the call that was begun at %s, so nothing went on. Make it anew.", c.Target.Server.Label())
	}
	return r, true, nil
}

// locate finds the server to send the rest of a call to. One that is another by
// now, or is offered no longer, gets nothing. A call that is parked goes on at the
// connection that it has.
func (c *Call) locate(ctx context.Context) error {
	s, offered, err := c.calls.opts.Find(ctx, c.Who.Tenant, c.Target.Server.Name)
	if err != nil {
		return err
	}
	if !offered {
		return Failed("%s is not offered here any more, so the answer was not sent there.", c.Target.Server.Label())
	}
	if c.Target.Server = s; c.made == c.bound() {
		return nil
	}
	return Failed("%s has changed since this call was begun, so the answer was not sent there. Make the call anew.", s.Name)
}
