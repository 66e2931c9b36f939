package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"

	"github.com/parley-hq/parley/permit"
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

// keptTool is what the rest of a call needs to know of its tool. It is not looked
// up again: its server may be down by then, or list other tools.
type keptTool struct {
	ReadOnly   *bool       `json:"readOnly,omitempty"`
	Idempotent *bool       `json:"idempotent,omitempty"`
	Header     http.Header `json:"header,omitempty"` // that its calls have
}

func (c *crossing) bound() bound {
	sum := sha256.Sum256(c.arguments)
	t := c.target
	return bound{
		Server: t.server.Name, Place: permit.Place(t.server.URL, t.server.Command),
		Method: t.method, Name: t.name, Arguments: base64.RawURLEncoding.EncodeToString(sum[:]),
	}
}

// bind notes with the server's first word what the call was made for.
func (c *crossing) bind(r *reply) {
	c.made = c.bound()
	r.Of = &c.made
	r.Tool = &keptTool{c.target.tool.readOnly, c.target.tool.idempotent, c.target.headers(c.params)}
}

// aim finds what the call is for: what it was begun for, or what look finds.
func (c *crossing) aim(ctx context.Context, look func(context.Context) (target, error)) (err error) {
	if c.recall() {
		return nil
	}
	f, begun := c.flight()
	if begun && f == nil {
		return errLeft // its client did not wait for it: it is not made again
	}
	if f != nil {
		c.begunBy, c.target = f, f.target // where the call went is where it goes on
		return nil
	}
	c.target, err = hold(ctx, c, c.call.Kept(), look)
	var told *failure
	if !errors.As(err, &told) {
		return err
	}
	// An earlier call for the same may have what it needs.
	if err := c.call.TakeUp(ctx); err != nil {
		return err
	}
	if c.recall() {
		return nil
	}
	return err
}

// recall finds the target in the journal, if the server was called already.
func (c *crossing) recall() bool {
	var r reply
	if known, err := c.call.Recall(roundName(0), &r); !known || err != nil || r.Of == nil || r.Tool == nil {
		return false
	}
	c.target = target{server: Server{Name: r.Of.Server, URL: nowhere}, method: r.Of.Method, name: r.Of.Name, header: r.Tool.Header}
	c.target.tool.readOnly, c.target.tool.idempotent = r.Tool.ReadOnly, r.Tool.Idempotent
	return true
}

// nowhere is where a server is that was not looked up.
const nowhere = "about:blank"

// begun returns what the server said first, if the call was made already.
func (c *crossing) begun() (r reply, known bool, err error) {
	known, err = c.call.Recall(roundName(0), &r)
	if !known || err != nil {
		return r, known, err
	}
	now := c.bound()
	if r.Of != nil {
		c.made, now.Place = *r.Of, r.Of.Place
	}
	if c.made != now {
		c.letGo(r)
		return reply{}, true, failed("This is not the call that was begun at %s, so nothing went on. Make it anew.", c.target.server.Name)
	}
	return r, true, nil
}

// locate finds the server to send the rest of a call to. One that is another by
// now, or is offered no longer, gets nothing. A call that is parked goes on at the
// connection that it has.
func (c *crossing) locate(ctx context.Context) error {
	s, offered, err := c.gateway.find(ctx, c.who.Tenant, c.target.server.Name)
	if err != nil {
		return err
	}
	if !offered {
		return failed("%s is not offered here any more, so the answer was not sent there.", c.target.server.Name)
	}
	if c.target.server = s; c.made == c.bound() {
		return nil
	}
	return failed("%s has changed since this call was begun, so the answer was not sent there. Make the call anew.", s.Name)
}
