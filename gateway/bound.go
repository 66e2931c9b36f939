package gateway

import (
	"crypto/sha256"
	"encoding/base64"

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

func (c *crossing) bound() bound {
	sum := sha256.Sum256(c.arguments)
	t := c.target
	return bound{
		Server: t.server.Name, Place: permit.Place(t.server.URL, t.server.Command),
		Method: t.method, Name: t.name, Arguments: base64.RawURLEncoding.EncodeToString(sum[:]),
	}
}

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

// samePlace refuses to send the rest of a call to a server that is another one by
// now. A call that is parked at the first one goes on there.
func (c *crossing) samePlace() error {
	if c.made == c.bound() {
		return nil
	}
	return failed("%s has changed since this call was begun, so the answer was not sent there. Make the call anew.", c.target.server.Name)
}
