package mcpclient

import (
	"encoding/json"
	"io"
)

// route hands on a message of so many bytes that did not come on a call's own
// stream.
func (c *Conn) route(m Message, size int) {
	switch {
	case m.Response():
		x := c.find(m.ID)
		if x == nil || !c.forget(x) {
			c.opts.Logger.Debug("server answer without a request")
			return
		}
		x.answered.Store(true)
		x.box.put(m, size, io.EOF)
		x.cancel() // its POST, if that is still open, brings nothing more
	case m.Request():
		if m.Method == ElicitMethod || m.Method == "sampling/createMessage" {
			c.opts.Aside()
		}
		if m.Method == "ping" || !c.attribute(m, size) {
			c.ask(m, size)
		}
	case m.Method == "notifications/progress":
		if x := c.progressing(m); x != nil {
			x.box.put(m, size, nil)
		}
	case m.Method == "notifications/cancelled":
		if x := c.takenBack(m); x != nil {
			x.box.put(m, size, nil)
		}
	case m.Method == logMessage && c.log(m, size):
	case m.Method == "notifications/subscriptions/acknowledged":
	default:
		c.notify(m)
	}
}

const logMessage = "notifications/message"

// log gives a log message to the oldest open call, like a request, and reports
// whether there was one that took it.
func (c *Conn) log(m Message, size int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.open {
		if !x.internal && !x.direct {
			return x.box.put(m, size, nil)
		}
	}
	return false
}

// progressing is the call that a progress notification is about.
func (c *Conn) progressing(m Message) *Exchange {
	token, ok := Member(m.Params, "progressToken")
	if !ok {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.open {
		if len(x.progress) > 0 && !x.direct && same(x.progress, token) {
			return x
		}
	}
	return nil
}

// same compares two ids or tokens, which may be written in several ways.
func same(a, b json.RawMessage) bool {
	if string(a) == string(b) {
		return true
	}
	return len(a) > 1 && len(b) > 1 && a[0] == '"' && b[0] == '"' && text(a) == text(b)
}

// notify hands on a notification of no call.
func (c *Conn) notify(m Message) {
	if c.opts.Notify != nil {
		c.opts.Notify(m)
	}
}

// missed tells the owner that lists may have changed while nobody listened.
func (c *Conn) missed() {
	if c.opts.SessionOnly {
		return // who has no list of their own looks at others'
	}
	for _, kind := range c.server.changing() {
		c.notify(Message{Method: "notifications/" + kind + "/list_changed"})
	}
}
