package mcpclient

import (
	"encoding/json"
	"slices"
)

// aside is a request of the server's that came by no call's own stream, and the call
// that it was given to.
type aside struct {
	to *Exchange
	waiting
	order int64 // the order in which they came
}

// attribute gives a request to the call that it is most likely about, and reports
// whether there was one. See the package comment.
func (c *Conn) attribute(m Message, size int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.likely()
	before, twice := c.asked[string(m.ID)]
	if twice {
		x = before.to // whoever answers by this id answers both
	}
	if x == nil || !x.box.put(m, size, nil) {
		return false
	}
	c.settle(m.ID)
	c.came++
	x.asked++
	c.asked[string(m.ID)] = aside{x, waiting{m, size}, c.came}
	return true
}

// likely is the oldest of the open calls that wait for no answer: a server that waits
// for one rarely asks the next. Where all wait it is the oldest. mu is held.
func (c *Conn) likely() (oldest *Exchange) {
	for _, x := range c.open {
		switch {
		case x.internal || x.direct:
		case x.asked == 0:
			return x
		case oldest == nil:
			oldest = x
		}
	}
	return oldest
}

// unanswered takes the requests from a call that it has not answered, the oldest first.
// mu is held.
func (c *Conn) unanswered(x *Exchange) (left []waiting) {
	if x.asked == 0 {
		return nil
	}
	var mine []aside
	for _, q := range c.asked {
		if q.to == x {
			mine = append(mine, q)
		}
	}
	slices.SortFunc(mine, func(a, b aside) int { return int(a.order - b.order) })
	for _, q := range mine {
		c.settle(q.ID)
		left = append(left, q.waiting)
	}
	return left
}

// settle notes that a request needs no answer any more. mu is held.
func (c *Conn) settle(id json.RawMessage) {
	if q, ok := c.asked[string(id)]; ok {
		q.to.asked--
		delete(c.asked, string(id))
	}
}

func (c *Conn) settled(id json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle(id)
}

// passedOn reports whether a request is another call's to answer by now.
func (c *Conn) passedOn(x *Exchange, id json.RawMessage) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	q, ok := c.asked[string(id)]
	return ok && q.to != x
}

// takenBack is the call that was given the request which the server takes back; nil: none.
func (c *Conn) takenBack(m Message) *Exchange {
	id, ok := Member(m.Params, "requestId")
	if !ok {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	q, ok := c.asked[string(id)]
	if !ok {
		return nil
	}
	c.settle(id)
	return q.to
}

// turnDown answers what a call was asked that this side has given up. Where it was the
// only one the server knows that nobody answers any more.
func (c *Conn) turnDown(left []waiting) {
	c.mu.Lock()
	others := slices.ContainsFunc(c.open, func(x *Exchange) bool { return !x.internal })
	c.mu.Unlock()
	if !others {
		return
	}
	for _, q := range left {
		c.answerAside(q.ID, func() (json.RawMessage, *Error) {
			if q.Method == ElicitMethod {
				return Answer("cancel", nil), nil
			}
			return nil, &Error{Code: codeInternal, Message: "nobody waits for this any more"}
		})
	}
}
